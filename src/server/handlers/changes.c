/* Items are added and removed, as jobs; and duplicates, which one may want to
 * remove. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "app/json.h"
#include "server/handlers/answers.h"
#include "server/handlers/handlers.h"
#include "server/handlers/query.h"
#include "server/server.h"

enum { MOST_NAME = 200 };  // bytes of a file's name

static void reply_started(request *r, int64_t number)
{
    if (number > 0)
        reply_json(r, 202, APP_OBJECT(APP_KEY("job", number)));
    else
        reply_error(r, 503, "too many jobs wait");
}

/* ---- files ---- */

/* Can the picture be decoded? */
static akin_status try_picture(request *r, worker *w, akin_collection *c,
                               const char *path)
{
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_ask(w->ctx, c, "images"));
    APP_TRY(akin_collection_describe(&rows, w->ctx, c, &path, 1));
done:
    if (st != AKIN_OK)
        reply_file_failure(r, w->ctx, st, path);
    akin_rows_free(rows);
    return st;
}

static bool is_picture(request *r, worker *w, akin_collection *c)
{
    char path[64];
    const int fd = body_as_file(r, path);
    if (fd < 0) {
        reply_error(r, 503, "out of memory");
        return false;
    }
    const akin_status st = try_picture(r, w, c, path);
    close(fd);
    return st == AKIN_OK;
}

/* A picture's extension follows from its first bytes: files without one of a
 * picture are not added. */
static const char *extension_of(const request *r)
{
    static const struct {
        const char *start;
        size_t n;
        const char *extension;
    } known[] = {{"\xff\xd8\xff", 3, ".jpg"}, {"\x89PNG", 4, ".png"},
                 {"GIF8", 4, ".gif"},         {"RIFF", 4, ".webp"},
                 {"II*", 3, ".tif"},          {"MM", 2, ".tif"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (r->n_body > known[i].n &&
            memcmp(r->body, known[i].start, known[i].n) == 0)
            return known[i].extension;
    return "";
}

/* ".JPG" and ".jpeg" are as good as ".jpg". */
static bool is_same_extension(const char *given, const char *end)
{
    return strcasecmp(given, end) == 0 ||
           (strcasecmp(given, ".jpeg") == 0 && strcmp(end, ".jpg") == 0) ||
           (strcasecmp(given, ".tiff") == 0 && strcmp(end, ".tif") == 0);
}

/* The last part of the name that was given, with an extension that suits the
 * file. */
static void name_file(const request *r, bool picture, char name[256])
{
    const char *given = request_argument(r, "name", 0);
    const char *end = picture ? extension_of(r) : ".txt";
    const char *slash = given ? strrchr(given, '/') : NULL;
    if (slash != NULL)
        given = slash + 1;
    if (given == NULL || strlen(given) > MOST_NAME)
        given = "";
    const char *dot = strrchr(given, '.');
    const size_t stem = dot ? (size_t)(dot - given) : strlen(given);
    if (dot != NULL &&
        (!picture || end[0] == '\0' || is_same_extension(dot, end)))
        end = dot;
    if (stem == 0)
        snprintf(name, 256, "upload%s", end);
    else
        snprintf(name, 256, "%.*s%s", (int)stem, given, end);
}

/* The same file again, of a client that got no answer, is there already; the
 * job completes what was interrupted. */
static void keep_file(request *r, worker *w, served *s, akin_collection *c,
                      bool picture)
{
    char name[256], path[2 * PATH_MAX] = "";
    name_file(r, picture, name);
    if (!served_has(s, w->ctx, c, name, r->body, r->n_body) &&
        served_keep(s, name, r->body, r->n_body, path) != AKIN_OK) {
        reply_error(r, errno == ENOSPC || errno == EDQUOT ? 507 : 500,
                    "the file cannot be kept: %s", strerror(errno));
        return;
    }
    const int64_t job = jobs_add(&r->s->jobs, JOB_ADD_FILES, s, path, NULL);
    if (job == 0 && path[0] != '\0')
        unlink(path);
    reply_started(r, job);
}

void handle_item_add(request *r, worker *w)
{
    served *s = request_collection(r);
    akin_collection *c = NULL;
    if (s == NULL)
        return;
    const bool picture = strcmp(s->kind, "images") == 0;
    if (!picture && strcmp(s->kind, "documents") != 0) {
        reply_error(r, 400, "%s has %s, no files", s->name, s->kind);
        return;
    }
    const akin_status st = pool_take(&c, w->ctx, s);
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    else if (!picture || is_picture(r, w, c))
        keep_file(r, w, s, c, picture);
    pool_give(s, c);
}

/* ---- vectors ---- */

void handle_vector_add(request *r, worker *w)
{
    served *s = request_collection(r);
    json_t *body = s ? request_json(r) : NULL;
    const char *name = json_string_value(json_object_get(body, "name"));
    akin_collection *c = NULL;
    akin_items_info info;
    akin_rows *row = NULL;
    akin_status st = AKIN_OK;
    if (body == NULL || !has_known_keys(r, body, "name features"))
        goto refused;
    if (name == NULL || name[0] == '\0' || strlen(name) >= JOB_ARGUMENT) {
        reply_error(r, 400, "\"name\": expected a text of 1 to %d bytes",
                    JOB_ARGUMENT - 1);
        goto refused;
    }
    if (strcmp(s->kind, "vectors") != 0) {
        reply_error(r, 400, "%s has %s, no vectors", s->name, s->kind);
        goto refused;
    }
    APP_TRY(pool_take(&c, w->ctx, s));
    APP_TRY(akin_collection_info(&info, w->ctx, c));
    if (features_of_json(r, w->ctx, json_object_get(body, "features"), info.dim,
                         &row))
        reply_started(r, jobs_add(&r->s->jobs, JOB_ADD_VECTOR, s, name, row));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
refused:
    pool_give(s, c);
    json_decref(body);
}

/* ---- out of it ---- */

void handle_item_remove(request *r, worker *w)
{
    served *s = request_collection(r);
    akin_collection *c = NULL;
    int64_t row;
    char id[32];
    akin_status st = AKIN_OK;
    if (s == NULL)
        return;
    APP_TRY(pool_take(&c, w->ctx, s));
    snprintf(id, sizeof id, "%" PRId64, r->id);
    if (akin_collection_row_of(&row, w->ctx, c, r->id) == AKIN_OK)
        reply_started(r, jobs_add(&r->s->jobs, JOB_REMOVE, s, id, NULL));
    else
        reply_error(r, 404, "there is no item %s", id);
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    pool_give(s, c);
}

/* ---- duplicates ---- */

static akin_status list_groups(akin_ctx *ctx, akin_collection *c,
                               double at_least, json_t *groups)
{
    akin_duplicate *all = NULL;
    akin_item item;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_duplicates(&all, &n, ctx, c, at_least));
    for (int64_t i = 0; i < n; ++i) {
        const akin_duplicate *x = &all[i];
        if (i == 0 || x->group != all[i - 1].group)
            json_array_append_new(groups, json_array());
        APP_TRY(akin_collection_item(&item, ctx, c, x->row));
        json_t *o = answer_item(&item, x->row);
        json_object_set_new(o, "same", json_boolean(x->same != 0));
        json_object_set_new(o, "score", app_json_real(x->score));
        json_array_append_new(
            json_array_get(groups, json_array_size(groups) - 1), o);
    }
done:
    akin_free(all);
    return st;
}

void handle_duplicates(request *r, worker *w)
{
    served *s = request_collection(r);
    const char *text = request_argument(r, "at_least", 0);
    akin_collection *c = NULL;
    json_t *groups;
    char *end = NULL;
    const double at_least = text ? strtod(text, &end) : 0.0;
    akin_status st = AKIN_OK;
    if (s == NULL)
        return;
    if (text != NULL && (end == text || *end != '\0' || !(at_least > 0.0) ||
                         !(at_least <= 1.0))) {
        reply_error(r, 400, "at_least: expected a number above 0, at most 1");
        return;
    }
    groups = json_array();
    APP_TRY(pool_take(&c, w->ctx, s));
    APP_TRY(list_groups(w->ctx, c, at_least, groups));
    reply_json(r, 200, APP_OBJECT(APP_KEY("groups", json_incref(groups))));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    json_decref(groups);
    pool_give(s, c);
}
