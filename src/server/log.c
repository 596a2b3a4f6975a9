#include "server/log.h"

#include <errno.h>
#include <string.h>
#include <time.h>

#include "app/json.h"
#include "server/peers.h"

akin_status log_open(app *a, server_log *l, const char *path, bool json)
{
    pthread_mutex_init(&l->lock, NULL);
    l->path = path;
    l->json = json;
    l->file = path ? fopen(path, "ae") : stderr;
    if (l->file == NULL)
        return app_fail(a, AKIN_EIO, "%s: %s", path, strerror(errno));
    setvbuf(l->file, NULL, _IOLBF, 0);
    return AKIN_OK;
}

void log_reopen(server_log *l)
{
    if (l->path == NULL)
        return;
    pthread_mutex_lock(&l->lock);
    FILE *f = fopen(l->path, "ae");
    if (f != NULL) {
        fclose(l->file);
        l->file = f;
        setvbuf(l->file, NULL, _IOLBF, 0);
    }
    pthread_mutex_unlock(&l->lock);
}

void log_close(server_log *l)
{
    if (l->path != NULL && l->file != NULL)
        fclose(l->file);
    l->file = NULL;
}

static void put_time(char text[32])
{
    const time_t now = time(NULL);
    struct tm utc;
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
}

/* What a terminal could take for a command is written as \xNN. */
static void put_safe(FILE *f, const char *text)
{
    for (; *text != '\0'; ++text) {
        const unsigned char c = (unsigned char)*text;
        if (c < 0x20 || c >= 0x7f || c == '\\')
            fprintf(f, "\\x%02x", c);
        else
            putc(c, f);
    }
}

static void put_json(server_log *l, json_t *line)
{
    if (line != NULL)
        json_dumpf(line, l->file,
                   JSON_COMPACT | JSON_REAL_PRECISION(6) | JSON_ENSURE_ASCII);
    fputc('\n', l->file);
    json_decref(line);
}

void log_request(server_log *l, const request *r, double seconds)
{
    const char *address = r->peer ? r->peer->address : "-";
    const char *method = r->method[0] ? r->method : "-";
    char at[32];
    put_time(at);
    pthread_mutex_lock(&l->lock);
    if (l->json) {
        put_json(l, APP_OBJECT(APP_KEY("time", (const char *)at),
                               APP_KEY("address", address),
                               APP_KEY("method", method),
                               APP_KEY("url", app_json_string(r->logged)),
                               APP_KEY("status", (int64_t)r->answer.status),
                               APP_KEY("bytes", (int64_t)r->answer.size),
                               APP_KEY("ms", 1e3 * seconds)));
    } else {
        fprintf(l->file, "%s %s ", at, address);
        put_safe(l->file, method);
        putc(' ', l->file);
        put_safe(l->file, r->logged);
        fprintf(l->file, " %u %zu %.3f ms\n", r->answer.status, r->answer.size,
                1e3 * seconds);
    }
    pthread_mutex_unlock(&l->lock);
}

void log_event(server_log *l, const char *level, const char *text)
{
    char at[32];
    put_time(at);
    pthread_mutex_lock(&l->lock);
    if (l->json) {
        put_json(l, APP_OBJECT(APP_KEY("time", (const char *)at),
                               APP_KEY("level", level),
                               APP_KEY("message", app_json_string(text))));
    } else {
        fprintf(l->file, "%s %s: ", at, level);
        put_safe(l->file, text);
        putc('\n', l->file);
    }
    pthread_mutex_unlock(&l->lock);
}
