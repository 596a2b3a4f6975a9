#include "cli/collection/watch.h"

#include <stdio.h>
#include <stdlib.h>

/* Warnings that were given: a file that cannot be read is named once. */
typedef struct said {
    app *a;
    uint64_t *hashes;
    size_t n, room;
} said;

static uint64_t hash_of(const char *text)
{
    uint64_t h = 0xcbf29ce484222325U;
    for (; *text != '\0'; ++text)
        h = (h ^ (unsigned char)*text) * 0x100000001b3U;
    return h;
}

/* Was it said before? Without memory it is said again. */
static bool is_known(said *s, const char *line)
{
    const uint64_t h = hash_of(line);
    for (size_t i = 0; i < s->n; ++i)
        if (s->hashes[i] == h)
            return true;
    if (s->n == s->room) {
        const size_t room = 2 * s->room + 64;
        uint64_t *grown = realloc(s->hashes, room * sizeof *grown);
        if (grown == NULL)
            return false;
        s->hashes = grown;
        s->room = room;
    }
    s->hashes[s->n++] = h;
    return false;
}

static void log_once(void *user, akin_log_level level, const char *line)
{
    said *s = user;
    if (!is_known(s, line))
        app_log(s->a, level, line);
}

akin_status watch(app *a, watch_fn add, const void *flags, bool again)
{
    said s = {.a = a};
    double start = app_now();
    akin_status st = AKIN_OK;
    if (again && a->common.json)
        return app_fail(a, AKIN_EINVAL,
                        "--watch and --json exclude each other");
    if (again)
        akin_ctx_set_log(a->ctx, log_once, &s);
    st = add(a, flags, true);
    while (again && st == AKIN_OK) {
        fflush(stdout);
        const double seconds = 4.0 * (app_now() - start);
        if (app_wait(seconds > 2.0 ? seconds : 2.0)) {
            start = app_now();
            st = add(a, flags, false);
        } else
            st = app_fail(a, AKIN_ECANCELLED, "interrupted");
    }
    akin_ctx_set_log(a->ctx, app_log, a);
    free(s.hashes);
    return st;
}
