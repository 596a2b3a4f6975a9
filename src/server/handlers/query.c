#include "server/handlers/query.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "server/routes.h"
#include "server/server.h"

enum { IDS_MOST = 10000 };

bool take_item(request *r, worker *w, served **s, akin_collection **c,
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

static bool make_room(request *r, item_ids *out, int64_t n)
{
    out->ids = calloc((size_t)n + 1, sizeof *out->ids);
    if (out->ids == NULL)
        reply_error(r, 503, "out of memory");
    return out->ids != NULL;
}

bool ids_of_arguments(request *r, const char *key, item_ids *out)
{
    const char *text;
    if (!make_room(r, out, r->n_arguments))
        return false;
    while ((text = request_argument(r, key, out->n)) != NULL) {
        if (!request_parse_number(text, &out->ids[out->n])) {
            reply_error(r, 400, "%s: expected the id of an item", key);
            return false;
        }
        ++out->n;
    }
    return true;
}

akin_status id_of_name(int64_t *id, akin_ctx *ctx, akin_collection *c,
                       const char *name)
{
    akin_item item;
    int64_t row;
    akin_status st = AKIN_OK;
    APP_TRY(akin_collection_find(&row, ctx, c, name));
    APP_TRY(akin_collection_item(&item, ctx, c, row));
    *id = item.id;
done:
    return st;
}

static bool take_id(request *r, const json_t *x, const char *key, akin_ctx *ctx,
                    akin_collection *c, int64_t *id)
{
    akin_status st;
    if (json_is_integer(x) && json_integer_value(x) >= 0) {
        *id = json_integer_value(x);
        return true;
    }
    if (c == NULL || !json_is_string(x)) {
        reply_error(r, 400, "\"%s\": expected ids of items%s", key,
                    c ? ", or names" : "");
        return false;
    }
    st = id_of_name(id, ctx, c, json_string_value(x));
    if (st != AKIN_OK)
        reply_failure(r, ctx, st);
    return st == AKIN_OK;
}

bool ids_of_json(request *r, const json_t *list, const char *key, akin_ctx *ctx,
                 akin_collection *c, item_ids *out)
{
    const json_t *x;
    size_t i;
    if (list == NULL || json_is_null(list))
        return true;
    if (!json_is_array(list) || json_array_size(list) > IDS_MOST) {
        reply_error(r, 400, "\"%s\": expected a list of at most %d ids", key,
                    IDS_MOST);
        return false;
    }
    if (!make_room(r, out, (int64_t)json_array_size(list)))
        return false;
    json_array_foreach(
        list, i,
        x) if (!take_id(r, x, key, ctx, c, &out->ids[out->n++])) return false;
    return true;
}

bool has_known_keys(request *r, const json_t *object, const char *keys)
{
    const char *key;
    const json_t *value;
    json_object_foreach((json_t *)(uintptr_t)object, key,
                        value) if (!argument_is_in(keys, key))
    {
        reply_error(r, 400, "unknown key \"%.60s\" (expected: %s)", key, keys);
        return false;
    }
    return true;
}

/* ---- features ---- */

static bool take_values(const json_t *list, float *to)
{
    const json_t *x;
    size_t i;
    json_array_foreach(list, i, x)
    {
        to[i] = (float)json_number_value(x);
        if (!json_is_number(x) || !isfinite(to[i]))
            return false;
    }
    return true;
}

static bool take_columns(const json_t *list, int64_t dim, int32_t *to)
{
    const json_t *x;
    int64_t before = -1;
    size_t i;
    json_array_foreach(list, i, x)
    {
        const int64_t j = json_is_integer(x) ? json_integer_value(x) : -1;
        if (j <= before || j >= dim)
            return false;
        to[i] = (int32_t)j;
        before = j;
    }
    return true;
}

bool features_of_json(request *r, akin_ctx *ctx, const json_t *features,
                      int64_t dim, akin_rows **out)
{
    const json_t *values = json_object_get(features, "values");
    const json_t *columns = json_object_get(features, "columns");
    const size_t n = json_array_size(values);
    const int64_t offsets[2] = {0, (int64_t)n};
    const bool sparse = columns != NULL;
    float *vals = calloc(n + 1, sizeof *vals);
    int32_t *cols = calloc(n + 1, sizeof *cols);
    bool good = vals != NULL && cols != NULL && json_is_array(values) &&
                n <= FEATURES_MOST && take_values(values, vals) &&
                (!sparse ? (int64_t)n == dim
                         : json_array_size(columns) == n &&
                               take_columns(columns, dim, cols));
    if (!good)
        reply_error(r, 400,
                    "\"features\": expected {\"values\": [...]} of %" PRId64
                    " numbers, or also \"columns\" that increase from 0",
                    dim);
    else {
        const akin_status st =
            sparse ? akin_rows_new_sparse(out, ctx, 1, dim, offsets, cols, vals)
                   : akin_rows_new_dense(out, ctx, 1, dim, vals);
        good = st == AKIN_OK;
        if (!good)
            reply_failure(r, ctx, st);
    }
    free(vals);
    free(cols);
    return good;
}

/* Columns that a query may have. Words that the model does not know may be
 * among those of the collection. */
static int64_t query_dim(const akin_collection *c, const json_t *features,
                         bool is_own)
{
    const int64_t asked = akin_collection_query_dim(c);
    const int64_t own = akin_collection_dim(c);
    return is_own && json_object_get(features, "columns") && own > asked
               ? own
               : asked;
}

bool query_of_json(request *r, akin_ctx *ctx, akin_collection *c,
                   const json_t *features, akin_rows **out)
{
    const char *own = akin_collection_kind(c);
    const json_t *given = json_object_get(features, "kind");
    const char *kind = given ? json_string_value(given) : own;
    if (kind == NULL || !akin_collection_can_ask(c, kind)) {
        reply_error(r, 400,
                    "\"kind\" of \"features\": expected a kind of queries of "
                    "the collection");
        return false;
    }
    const akin_status st = akin_collection_ask(ctx, c, kind);
    if (st != AKIN_OK) {
        reply_failure(r, ctx, st);
        return false;
    }
    return features_of_json(
        r, ctx, features, query_dim(c, features, strcmp(kind, own) == 0), out);
}

json_t *features_json(const akin_rows *row)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, row, 0);
    json_t *o = json_object(), *columns = json_array(), *values = json_array();
    for (int64_t k = 0; k < n; ++k) {
        if (cols != NULL)
            json_array_append_new(columns, json_integer(cols[k]));
        json_array_append_new(values, json_real((double)vals[k]));
    }
    if (cols != NULL)
        json_object_set(o, "columns", columns);
    json_decref(columns);
    json_object_set_new(o, "values", values);
    return o;
}

/* ---- files ---- */

int body_as_file(const request *r, char path[64])
{
    const int fd = memfd_create("akin-upload", MFD_CLOEXEC);
    size_t done = 0;
    while (fd >= 0 && done < r->n_body) {
        const ssize_t n = write(fd, r->body + done, r->n_body - done);
        if (n <= 0) {
            close(fd);
            return -1;
        }
        done += (size_t)n;
    }
    snprintf(path, 64, "/proc/%d/fd/%d", (int)getpid(), fd);
    return fd;
}

void reply_file_failure(request *r, akin_ctx *ctx, akin_status st,
                        const char *path)
{
    const char *why = akin_ctx_message(ctx);
    const size_t n = strlen(path);
    if (strncmp(why, path, n) == 0 && strncmp(why + n, ": ", 2) == 0)
        reply_error(r, reply_status_of(st), "the file: %s", why + n + 2);
    else
        reply_failure(r, ctx, st);
}
