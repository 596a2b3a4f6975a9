/* Collections and their items. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/json.h"
#include "server/answers.h"
#include "server/handlers.h"
#include "server/query.h"
#include "server/server.h"

/* ---- collections ---- */

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
        APP_KEY("kind", akin_collection_kind(c)), APP_KEY("items", info.items),
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

void handle_collections(request *r, worker *w)
{
    json_t *all = json_array();
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < r->s->n_collections && st == AKIN_OK; ++i) {
        json_t *one = NULL;
        st = describe(&one, w->ctx, &r->s->collections[i]);
        if (st == AKIN_OK)
            json_array_append_new(all, one);
    }
    if (st == AKIN_OK) {
        reply_json(r, 200, APP_OBJECT(APP_KEY("collections", all)));
        return;
    }
    json_decref(all);
    reply_failure(r, w->ctx, st);
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

/* The collection and the row of {id}; false: the answer says what is wrong. */
static bool take_item(request *r, worker *w, served **s, akin_collection **c,
                      int64_t id, int64_t *row)
{
    akin_status st;
    *c = NULL;
    *s = request_collection(r);
    if (*s == NULL)
        return false;
    st = pool_take(c, w->ctx, *s);
    if (st == AKIN_OK)
        st = akin_collection_row_of(row, w->ctx, *c, id);
    if (st == AKIN_OK)
        return true;
    reply_failure(r, w->ctx, st);
    if (st == AKIN_EINVAL)
        reply_error(r, 404, "there is no item %" PRId64, id);
    pool_give(*s, *c);
    return false;
}

void handle_item(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    akin_item item;
    int64_t row;
    if (!take_item(r, w, &s, &c, r->id, &row))
        return;
    const akin_status st = akin_collection_item(&item, w->ctx, c, row);
    if (st == AKIN_OK)
        reply_json(r, 200, answer_item(&item, row));
    else
        reply_failure(r, w->ctx, st);
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

/* ---- why two items are alike ---- */

/* A pair of rows, prepared, and the model that compares them. */
typedef struct row_pair {
    akin_rows *left, *right;
    const akin_model *model;
} row_pair;

static void free_pair(row_pair *p)
{
    akin_rows_free(p->left);
    akin_rows_free(p->right);
}

/* A query from outside has no names of columns, an item has. */
static json_t *reason_json(const akin_reason *x, const row_pair *p)
{
    const char *name = akin_rows_column_name(p->left, x->feature);
    json_t *o = APP_OBJECT(APP_KEY("feature", x->feature),
                           APP_KEY("contribution", x->contribution));
    if (name == NULL)
        name = akin_rows_column_name(p->right, x->feature);
    if (name != NULL)
        json_object_set_new(o, "name", app_json_string(name));
    return o;
}

static akin_status explain(akin_ctx *ctx, const row_pair *p, int64_t top,
                           json_t *out)
{
    akin_reason *reasons = NULL;
    const int64_t first[2] = {0, 0};
    json_t *list = json_array();
    int64_t count = 0;
    double score = 0.0, others = 0.0;
    akin_status st = AKIN_OK;
    if (top > akin_rows_dim(p->left))
        top = akin_rows_dim(p->left);
    reasons = calloc((size_t)top + 1, sizeof *reasons);
    if (reasons == NULL) {
        st = AKIN_ENOMEM;
        goto done;
    }
    APP_TRY(akin_model_explain(reasons, &count, ctx, p->model, p->left, 0,
                               p->right, 0, top, AKIN_BY_DEFAULT));
    APP_TRY(akin_model_score(&score, ctx, p->model, p->left, p->right, first, 1,
                             AKIN_BY_DEFAULT));
    for (int64_t i = 0; i < count; ++i)
        if (reasons[i].feature < 0)
            others = reasons[i].contribution;
        else
            json_array_append_new(list, reason_json(&reasons[i], p));
    json_object_set_new(out, "score", app_json_real(score));
    json_object_set_new(out, "others", app_json_real(others));
    json_object_set(out, "reasons", list);
done:
    json_decref(list);
    free(reasons);
    return st;
}

static json_t *circle(const double x[3])
{
    return json_pack("[f,f,f]", x[0], x[1], x[2]);
}

static void add_matches(const akin_match *all, int64_t n, int64_t top,
                        json_t *out)
{
    json_t *list = json_array();
    for (int64_t i = 0; i < n && i < top; ++i)
        json_array_append_new(
            list, APP_OBJECT(APP_KEY("word", all[i].word),
                             APP_KEY("contribution", all[i].contribution),
                             APP_KEY("agrees", (bool)(all[i].agrees != 0)),
                             APP_KEY("left", circle(all[i].left)),
                             APP_KEY("right", circle(all[i].right))));
    json_object_set_new(out, "matches", list);
}

static akin_status match_items(akin_ctx *ctx, akin_collection *c,
                               const int64_t row[2], int64_t top, json_t *out)
{
    akin_match *all = NULL;
    int64_t n = 0;
    double score;
    akin_status st = AKIN_OK;
    APP_TRY(
        akin_collection_match(&all, &n, &score, ctx, c, NULL, row[0], row[1]));
    add_matches(all, n, top, out);
done:
    akin_free(all);
    return st;
}

static akin_status match_file(akin_ctx *ctx, akin_collection *c,
                              const char *path, int64_t row, int64_t top,
                              json_t *out)
{
    akin_match *all = NULL;
    int64_t n = 0, width, height;
    double score;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_match_file(&all, &n, &score, &width, &height, ctx,
                                       c, path, row));
    json_object_set_new(out, "score", app_json_real(score));
    json_object_set_new(
        out, "left",
        APP_OBJECT(APP_KEY("width", width), APP_KEY("height", height)));
    add_matches(all, n, top, out);
done:
    akin_free(all);
    return st;
}

static akin_status add_side(akin_ctx *ctx, akin_collection *c, const char *key,
                            int64_t row, json_t *out, bool *is_picture)
{
    akin_item item;
    const akin_status st = akin_collection_item(&item, ctx, c, row);
    if (st != AKIN_OK)
        return st;
    json_object_set_new(out, key, answer_item(&item, row));
    *is_picture = *is_picture && item.width > 0;
    return AKIN_OK;
}

/* Both items of the request, and how many reasons to give. */
static bool take_pair(request *r, worker *w, served **s, akin_collection **c,
                      int64_t row[2], int64_t *top)
{
    int64_t other;
    if (request_argument(r, "with", 0) == NULL) {
        reply_error(r, 400, "with: expected the id of the other item");
        return false;
    }
    if (!request_number(r, "with", 0, INT64_MAX, 0, &other) ||
        !request_number(r, "top", 1, TOP_MOST, 10, top) ||
        !take_item(r, w, s, c, r->id, &row[0]))
        return false;
    if (akin_collection_row_of(&row[1], w->ctx, *c, other) == AKIN_OK)
        return true;
    reply_error(r, 404, "there is no item %" PRId64, other);
    pool_give(*s, *c);
    return false;
}

void handle_explain(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    row_pair p = {0};
    int64_t row[2], top;
    bool pictures = true;
    json_t *out;
    akin_status st = AKIN_OK;
    if (!take_pair(r, w, &s, &c, row, &top))
        return;
    out = json_object();
    APP_TRY(akin_collection_pair(&p.left, &p.right, &p.model, w->ctx, c, row[0],
                                 row[1]));
    APP_TRY(explain(w->ctx, &p, top, out));
    APP_TRY(add_side(w->ctx, c, "left", row[0], out, &pictures));
    APP_TRY(add_side(w->ctx, c, "right", row[1], out, &pictures));
    if (pictures && strcmp(akin_collection_kind(c), "images") == 0)
        st = match_items(w->ctx, c, row, top, out);
    if (st == AKIN_EINVAL)
        st = AKIN_OK;  // its model compares colours, which have no places
done:
    if (st == AKIN_OK)
        reply_json(r, 200, json_incref(out));
    else
        reply_failure(r, w->ctx, st);
    json_decref(out);
    free_pair(&p);
    pool_give(s, c);
}

/* The query as a row, of a text or of features. */
static bool take_query(request *r, akin_ctx *ctx, akin_collection *c,
                       const json_t *body, akin_rows **out)
{
    const char *text = json_string_value(json_object_get(body, "text"));
    akin_status st = AKIN_OK;
    if (text == NULL)
        return features_of_json(r, ctx, json_object_get(body, "features"),
                                akin_collection_dim(c), out);
    APP_TRY(akin_collection_ask(ctx, c, "documents"));
    APP_TRY(akin_collection_describe_text(out, ctx, c, &text, NULL, 1));
done:
    if (st != AKIN_OK)
        reply_failure(r, ctx, st);
    return st == AKIN_OK;
}

void handle_explain_query(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    row_pair p = {0};
    akin_rows *query = NULL;
    int64_t row, top;
    bool pictures = true;
    json_t *body = request_json(r), *out = json_object();
    akin_status st = AKIN_OK;
    if (body == NULL || !has_known_keys(r, body, "features text") ||
        !request_number(r, "top", 1, TOP_MOST, 10, &top) ||
        !take_item(r, w, &s, &c, r->id, &row))
        goto refused;
    if (!take_query(r, w->ctx, c, body, &query))
        goto given;
    APP_TRY(akin_collection_pair_row(&p.left, &p.right, &p.model, w->ctx, c,
                                     query, row));
    APP_TRY(explain(w->ctx, &p, top, out));
    APP_TRY(add_side(w->ctx, c, "right", row, out, &pictures));
done:
    if (st == AKIN_OK)
        reply_json(r, 200, json_incref(out));
    else
        reply_failure(r, w->ctx, st);
given:
    pool_give(s, c);
refused:
    free_pair(&p);
    akin_rows_free(query);
    json_decref(body);
    json_decref(out);
}

void handle_explain_file(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    int64_t row, top;
    char path[64];
    bool pictures = true;
    json_t *out = json_object();
    const int fd = body_as_file(r, path);
    akin_status st = AKIN_OK;
    if (fd < 0)
        reply_error(r, 503, "out of memory");
    if (fd < 0 || !request_number(r, "top", 1, TOP_MOST, 10, &top) ||
        !take_item(r, w, &s, &c, r->id, &row))
        goto refused;
    APP_TRY(match_file(w->ctx, c, path, row, top, out));
    APP_TRY(add_side(w->ctx, c, "right", row, out, &pictures));
done:
    if (st == AKIN_OK)
        reply_json(r, 200, json_incref(out));
    else
        reply_file_failure(r, w->ctx, st, path);
    pool_give(s, c);
refused:
    json_decref(out);
    if (fd >= 0)
        close(fd);
}

/* A file as bytes; NULL: it cannot be read. */
static char *read_all(const char *path, size_t *size)
{
    struct stat x;
    char *bytes = NULL;
    FILE *f = fopen(path, "re");
    if (f == NULL)
        return NULL;
    if (fstat(fileno(f), &x) == 0 && (bytes = malloc((size_t)x.st_size + 1)))
        *size = fread(bytes, 1, (size_t)x.st_size, f);
    fclose(f);
    return bytes;
}

static akin_status draw(akin_ctx *ctx, akin_collection *c, const int64_t row[2],
                        int64_t top, const char *path)
{
    akin_match *all = NULL;
    int64_t n = 0;
    double score;
    akin_status st = AKIN_OK;
    APP_TRY(
        akin_collection_match(&all, &n, &score, ctx, c, NULL, row[0], row[1]));
    APP_TRY(akin_collection_draw(ctx, c, row[0], row[1], all, n < top ? n : top,
                                 score, path));
done:
    akin_free(all);
    return st;
}

void handle_drawing(request *r, worker *w)
{
    served *s;
    akin_collection *c;
    int64_t row[2], top;
    char folder[] = "/tmp/akin-drawing-XXXXXX", path[64], *svg;
    size_t size = 0;
    akin_status st;
    if (!take_pair(r, w, &s, &c, row, &top))
        return;
    if (mkdtemp(folder) == NULL) {
        reply_error(r, 500, "/tmp: %s", strerror(errno));
        pool_give(s, c);
        return;
    }
    snprintf(path, sizeof path, "%s/drawing.svg", folder);
    st = draw(w->ctx, c, row, top, path);
    svg = st == AKIN_OK ? read_all(path, &size) : NULL;
    if (st != AKIN_OK)
        reply_failure(r, w->ctx, st);
    else if (svg == NULL)
        reply_error(r, 500, "the drawing cannot be read");
    else
        reply_bytes(r, "image/svg+xml", svg, size);
    unlink(path);
    rmdir(folder);
    pool_give(s, c);
}
