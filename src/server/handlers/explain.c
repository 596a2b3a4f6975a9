/* Why two items are alike, or a query and an item. */
#include <errno.h>
#include <inttypes.h>
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

/* A pair of rows, prepared, and the model that compares them. */
typedef struct row_pair {
    akin_rows *left, *right;
    const akin_model *model;
    bool are_alike;  // both have the same columns
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
    if (name == NULL && p->are_alike)
        name = akin_rows_column_name(p->right, x->feature);
    if (name != NULL)
        json_object_set_new(o, "name", app_json_string(name));
    return o;
}

static akin_status explain(akin_ctx *ctx, const akin_collection *c, row_pair *p,
                           int64_t top, json_t *out)
{
    akin_reason *reasons = NULL;
    const int64_t first[2] = {0, 0};
    json_t *list = json_array();
    int64_t count = 0;
    double score = 0.0, others = 0.0;
    akin_status st = AKIN_OK;
    p->are_alike = !(akin_collection_can_ask(c, "images") &&
                     akin_collection_can_ask(c, "documents"));
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

static void reply_explanation(request *r, akin_ctx *ctx, akin_status st,
                              json_t *out)
{
    if (st == AKIN_OK)
        reply_json(r, 200, json_incref(out));
    else
        reply_failure(r, ctx, st);
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
    APP_TRY(explain(w->ctx, c, &p, top, out));
    APP_TRY(add_side(w->ctx, c, "left", row[0], out, &pictures));
    APP_TRY(add_side(w->ctx, c, "right", row[1], out, &pictures));
    if (pictures && strcmp(akin_collection_kind(c), "images") == 0)
        st = match_items(w->ctx, c, row, top, out);
    if (st == AKIN_EINVAL)
        st = AKIN_OK;  // its model compares colours, which have no places
done:
    reply_explanation(r, w->ctx, st, out);
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
        return query_of_json(r, ctx, c, json_object_get(body, "features"), out);
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
    APP_TRY(explain(w->ctx, c, &p, top, out));
    APP_TRY(add_side(w->ctx, c, "right", row, out, &pictures));
done:
    reply_explanation(r, w->ctx, st, out);
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
