/* Collections and their items. */
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/json.h"
#include "server/handlers/answers.h"
#include "server/handlers/handlers.h"
#include "server/handlers/query.h"
#include "server/server.h"

/* ---- collections ---- */

/* A model that compares two kinds of items takes queries of both. */
static json_t *kinds_of_queries(const akin_collection *c)
{
    static const char *const kinds[] = {"images", "documents", "vectors"};
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (akin_collection_can_ask(c, kinds[i]))
            json_array_append_new(list, json_string(kinds[i]));
    return list;
}

static akin_status describe(json_t **out, akin_ctx *ctx, served *s)
{
    akin_collection *c = NULL;
    akin_events *e = NULL;
    akin_items_info info;
    int64_t events = 0;
    akin_status st = AKIN_OK;
    APP_TRY(pool_take(&c, ctx, s));
    APP_TRY(akin_collection_info(&info, ctx, c));
    APP_TRY(akin_events_open(&e, ctx, s->path));
    APP_TRY(akin_events_count(&events, ctx, e));
    *out = APP_OBJECT(
        APP_KEY("name", app_json_string(s->name)),
        APP_KEY("kind", akin_collection_kind(c)),
        APP_KEY("queries", kinds_of_queries(c)), APP_KEY("items", info.items),
        APP_KEY("dim", info.dim), APP_KEY("classes", info.classes),
        APP_KEY("features", info.features),
        APP_KEY("version", akin_collection_version(c)),
        APP_KEY("events", events),
        APP_KEY("incomplete", (bool)(akin_collection_is_open(c) != 0)));
done:
    akin_events_close(e);
    pool_give(s, c);
    return st;
}

/* One that cannot be opened, as it was moved away, keeps nobody from the
 * others. */
static json_t *describe_problem(const request *r, akin_ctx *ctx,
                                const served *s)
{
    char why[512];
    snprintf(why, sizeof why, "%s", akin_ctx_message(ctx));
    server_hide_paths(r->s, why);
    return APP_OBJECT(APP_KEY("name", app_json_string(s->name)),
                      APP_KEY("kind", s->kind),
                      APP_KEY("error", app_json_string(why)));
}

void handle_collections(request *r, worker *w)
{
    json_t *all = json_array(), *failed = json_array();
    for (int64_t i = 0; i < r->s->n_collections; ++i) {
        served *s = &r->s->collections[i];
        json_t *one = NULL;
        if (describe(&one, w->ctx, s) == AKIN_OK)
            json_array_append_new(all, one);
        else
            json_array_append_new(failed, describe_problem(r, w->ctx, s));
    }
    json_t *o = APP_OBJECT(APP_KEY("collections", all));
    if (json_array_size(failed) > 0)
        json_object_set(o, "failed", failed);
    json_decref(failed);
    reply_json(r, 200, o);
}

void handle_collection(request *r, worker *w)
{
    served *s = request_collection(r);
    json_t *one = NULL;
    if (s == NULL)
        return;
    const akin_status st = describe(&one, w->ctx, s);
    if (st == AKIN_OK)
        reply_json(r, 200, one);
    else
        reply_failure(r, w->ctx, st);
}

/* ---- lists of items ---- */

/* Rows offset to offset + top, of all or of those that pass. */
static akin_status list_items(akin_ctx *ctx, akin_collection *c,
                              const char *where, int64_t offset, int64_t top,
                              json_t *list, int64_t *total)
{
    int64_t *rows = NULL;
    akin_items_info info;
    akin_item item;
    akin_status st = AKIN_OK;
    if (where != NULL)
        APP_TRY(akin_collection_select(&rows, total, ctx, c, where));
    else {
        APP_TRY(akin_collection_info(&info, ctx, c));
        *total = info.items;
    }
    for (int64_t i = offset; i < *total && i < offset + top; ++i) {
        const int64_t row = rows ? rows[i] : i;
        APP_TRY(akin_collection_item(&item, ctx, c, row));
        json_array_append_new(list, answer_item(&item, row));
    }
done:
    akin_free(rows);
    return st;
}

void handle_items(request *r, worker *w)
{
    served *s = request_collection(r);
    akin_collection *c = NULL;
    json_t *list = json_array();
    int64_t offset, top, total = 0;
    akin_status st = AKIN_OK;
    if (s == NULL ||
        !request_number(r, "offset", 0, INT64_MAX / 2, 0, &offset) ||
        !request_number(r, "top", 1, TOP_MOST, 100, &top))
        goto refused;
    APP_TRY(pool_take(&c, w->ctx, s));
    APP_TRY(list_items(w->ctx, c, request_argument(r, "where", 0), offset, top,
                       list, &total));
    reply_json(r, 200,
               APP_OBJECT(APP_KEY("total", total), APP_KEY("offset", offset),
                          APP_KEY("items", json_incref(list))));
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
refused:
    pool_give(s, c);
    json_decref(list);
}

/* ---- one item ---- */

/* Whole numbers are stored up to 1e15. */
static json_t *field_json(const akin_field *f)
{
    if (f->text != NULL)
        return app_json_string(f->text);
    if (fabs(f->number) < 1e15 && f->number == floor(f->number))
        return json_integer((json_int_t)f->number);
    return app_json_real(f->number);
}

static json_t *fields_json(const akin_field *fields, int64_t n)
{
    json_t *o = json_object();
    for (int64_t i = 0; i < n; ++i) {
        json_t *name = app_json_string(fields[i].name);  // any bytes
        json_object_set_new(o, json_string_value(name), field_json(&fields[i]));
        json_decref(name);
    }
    return o;
}

void handle_item(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    akin_field *fields = NULL;
    akin_item item;
    int64_t row, n = 0;
    akin_status st = AKIN_OK;
    if (!take_item(r, w, &s, &c, r->id, &row))
        return;
    APP_TRY(akin_collection_fields(&fields, &n, w->ctx, c, row));
    APP_TRY(akin_collection_item(&item, w->ctx, c, row));
    json_t *o = answer_item(&item, row);
    json_object_set_new(o, "file", json_boolean(item.path != NULL));
    json_object_set_new(o, "fields", fields_json(fields, n));
    reply_json(r, 200, o);
done:
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    akin_fields_free(fields);
    pool_give(s, c);
}

void handle_thumbnail(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    int64_t row, side, n;
    uint8_t *jpeg = NULL;
    char *copy;
    if (!request_number(r, "side", 16, 1024, 256, &side) ||
        !take_item(r, w, &s, &c, r->id, &row))
        return;
    const akin_status st =
        akin_collection_thumbnail(&jpeg, &n, w->ctx, c, row, side);
    pool_give(s, c);
    if (st != AKIN_OK) {
        reply_failure(r, w->ctx, st);
        return;
    }
    copy = malloc((size_t)n);
    if (copy == NULL)
        reply_error(r, 503, "out of memory");
    else {
        memcpy(copy, jpeg, (size_t)n);
        reply_bytes(r, "image/jpeg", copy, (size_t)n);
        r->answer.may_cache = true;
    }
    akin_free(jpeg);
}

/* What a browser may show; anything else is bytes to save. */
static const char *type_of(int fd, bool is_text)
{
    static const struct {
        const char *start;
        size_t n;
        const char *type;
    } known[] = {{"\xff\xd8\xff", 3, "image/jpeg"},
                 {"\x89PNG\r\n\x1a\n", 8, "image/png"},
                 {"GIF8", 4, "image/gif"},
                 {"BM", 2, "image/bmp"}};
    char start[16] = {0};
    if (pread(fd, start, sizeof start, 0) < 2)
        start[0] = '\0';
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (memcmp(start, known[i].start, known[i].n) == 0)
            return known[i].type;
    if (memcmp(start, "RIFF", 4) == 0 && memcmp(start + 8, "WEBP", 4) == 0)
        return "image/webp";
    return is_text ? "text/plain; charset=utf-8" : "application/octet-stream";
}

static void reply_file(request *r, const char *path, bool is_text)
{
    struct stat x;
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &x) != 0 || !S_ISREG(x.st_mode)) {
        reply_error(r, 404, "the file of the item cannot be read");
        if (fd >= 0)
            close(fd);
        return;
    }
    r->answer.status = 200;
    r->answer.fd = fd;
    r->answer.size = (size_t)x.st_size;
    r->answer.type = type_of(fd, is_text);
    r->answer.may_cache = true;
    if (strcmp(r->answer.type, "application/octet-stream") == 0)
        r->answer.disposition = "attachment";
}

void handle_original(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    akin_item item;
    int64_t row;
    if (!take_item(r, w, &s, &c, r->id, &row))
        return;
    const akin_status st = akin_collection_item(&item, w->ctx, c, row);
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    else if (item.path == NULL)
        reply_error(r, 404, "the item has no file");
    else
        reply_file(r, item.path, item.width <= 0);
    pool_give(s, c);
}
