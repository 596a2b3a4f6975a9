/* Events as lines of JSON. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "collection/collection.h"
#include "collection/derive.h"
#include "collection/feedback/events.h"
#include "collection/terms.h"

/* ---- a line is read ---- */

/* Numbers that an event borrows, by list. */
enum { GOOD, BAD, SHOWN, CLICKED, N_LISTS };
static const char *const list_keys[] = {"good", "bad", "shown", "clicked"};
static const char *const other_keys[] = {"key",      "query",  "user",
                                         "features", "number", "undone"};

typedef struct line {
    akin_ctx *ctx;
    akin_events *e;
    const json_t *json;
    akin_event event;
    akin_rows *row;
    int64_t *ids[N_LISTS], n[N_LISTS];
} line;

static akin_status check_keys(const line *l)
{
    const char *key;
    const json_t *value;
    json_object_foreach((json_t *)(uintptr_t)l->json, key, value)
    {
        bool known = false;
        for (int k = 0; k < N_LISTS; ++k)
            known = known || strcmp(key, list_keys[k]) == 0;
        for (size_t k = 0; k < sizeof other_keys / sizeof *other_keys; ++k)
            known = known || strcmp(key, other_keys[k]) == 0;
        if (!known)
            return ak_fail(l->ctx, AKIN_EFORMAT,
                           "unknown key \"%.60s\" (expected key, query, good, "
                           "bad, shown, clicked, user or features)",
                           key);
    }
    return AKIN_OK;
}

/* A text under a key, NULL: there is none. */
static akin_status take_text(const line *l, const char *key, const char **out)
{
    const json_t *v = json_object_get(l->json, key);
    *out = NULL;
    if (v == NULL || json_is_null(v))
        return AKIN_OK;
    if (!json_is_string(v) || json_string_length(v) == 0 ||
        strlen(json_string_value(v)) != json_string_length(v))
        return ak_fail(l->ctx, AKIN_EFORMAT, "\"%s\" is not a text", key);
    *out = json_string_value(v);
    return AKIN_OK;
}

/* An item by its name or id. */
static akin_status take_item(const line *l, const json_t *v, const char *key,
                             int64_t *id)
{
    if (json_is_integer(v)) {
        *id = json_integer_value(v);
        return AKIN_OK;
    }
    if (!json_is_string(v) ||
        strlen(json_string_value(v)) != json_string_length(v))
        return ak_fail(l->ctx, AKIN_EFORMAT,
                       "\"%s\" has an item that is neither a name nor an id",
                       key);
    return ak_item_find(&l->e->catalog, l->ctx, json_string_value(v), id);
}

static akin_status take_list(line *l, int k)
{
    const json_t *v = json_object_get(l->json, list_keys[k]), *item;
    size_t i;
    if (v == NULL || json_is_null(v))
        return AKIN_OK;
    if (!json_is_array(v))
        return ak_fail(l->ctx, AKIN_EFORMAT, "\"%s\" is not a list",
                       list_keys[k]);
    AK_CHECK(AK_SCRATCH(l->ctx, (int64_t)json_array_size(v), &l->ids[k]));
    json_array_foreach(v, i, item)
        AK_CHECK(take_item(l, item, list_keys[k], &l->ids[k][l->n[k]++]));
    return AKIN_OK;
}

/* The values of a list of numbers. */
static akin_status take_values(const line *l, const json_t *v, float **out)
{
    const json_t *x;
    size_t i;
    AK_CHECK(AK_SCRATCH(l->ctx, (int64_t)json_array_size(v), out));
    json_array_foreach(v, i, x)
    {
        (*out)[i] = (float)json_number_value(x);
        if (!json_is_number(x) || !isfinite((*out)[i]))
            return ak_fail(l->ctx, AKIN_EFORMAT,
                           "\"features\" has a value that is not a number");
    }
    return AKIN_OK;
}

static akin_status take_columns(const line *l, const json_t *v, int64_t d,
                                int32_t **out)
{
    const json_t *x;
    size_t i;
    AK_CHECK(AK_SCRATCH(l->ctx, (int64_t)json_array_size(v), out));
    json_array_foreach(v, i, x)
    {
        const int64_t j = json_is_integer(x) ? json_integer_value(x) : -1;
        if (j < (i ? (*out)[i - 1] + 1 : 0) || j >= d)
            return ak_fail(l->ctx, AKIN_EFORMAT,
                           "\"features\": columns must increase, from 0 to "
                           "%" PRId64,
                           d - 1);
        (*out)[i] = (int32_t)j;
    }
    return AKIN_OK;
}

/* The columns of terms, increasing, and their values; terms that the collection
 * does not have are left out. */
static akin_status take_terms(const line *l, const json_t *v, float *vals,
                              int32_t **cols, int64_t *n)
{
    const json_t *x;
    size_t i;
    *n = 0;
    AK_CHECK(AK_SCRATCH(l->ctx, (int64_t)json_array_size(v), cols));
    json_array_foreach(v, i, x)
    {
        const float value = vals[i];
        int64_t number, at = *n;
        if (!json_is_string(x))
            return ak_fail(l->ctx, AKIN_EFORMAT,
                           "\"features\" has a term that is not a text");
        AK_CHECK(ak_terms_find(&l->e->catalog, l->ctx, json_string_value(x),
                               &number));
        if (number < 0)
            continue;
        for (; at > 0 && (*cols)[at - 1] > number; --at) {
            (*cols)[at] = (*cols)[at - 1];
            vals[at] = vals[at - 1];
        }
        if (at > 0 && (*cols)[at - 1] == number)
            return ak_fail(l->ctx, AKIN_EFORMAT,
                           "\"features\" has the term \"%.60s\" twice",
                           json_string_value(x));
        (*cols)[at] = (int32_t)number;
        vals[at] = value;
        ++*n;
    }
    return AKIN_OK;
}

/* Their lists: values, and where rows are sparse as many columns or terms. */
static akin_status check_lists(const line *l, const ak_space *space,
                               const json_t *values, const json_t *columns)
{
    const bool sparse = space->form != AK_FORM_DENSE;
    if (json_is_array(values) && (columns != NULL) == sparse &&
        (!sparse || (json_is_array(columns) &&
                     json_array_size(columns) == json_array_size(values))))
        return AKIN_OK;
    return ak_fail(l->ctx, AKIN_EFORMAT, "\"features\": %s need a list of %s",
                   space->name,
                   sparse ? "columns and one of as many values" : "values");
}

static akin_status take_features(line *l)
{
    const json_t *f = json_object_get(l->json, "features");
    const json_t *kind = json_object_get(f, "kind");
    const json_t *values = json_object_get(f, "values");
    const json_t *columns = json_object_get(f, "columns");
    const json_t *terms = json_object_get(f, ak_space_terms);
    int64_t n = (int64_t)json_array_size(values);
    ak_space space;
    float *vals;
    int32_t *cols;
    if (f == NULL || json_is_null(f))
        return AKIN_OK;
    if (kind != NULL && !json_is_string(kind))
        return ak_fail(l->ctx, AKIN_EFORMAT, "\"kind\" is not a text");
    l->event.features = json_string_value(kind);
    AK_CHECK(ak_event_space(&l->e->catalog, l->ctx, l->event.features, &space));
    const bool by_term = terms != NULL &&
                         strcmp(space.name, ak_space_terms) == 0;
    AK_CHECK(check_lists(l, &space, values, by_term ? terms : columns));
    AK_CHECK(take_values(l, values, &vals));
    if (space.form == AK_FORM_DENSE)
        return akin_rows_new_dense(&l->row, l->ctx, 1, n, vals);
    AK_CHECK(by_term ? take_terms(l, terms, vals, &cols, &n)
                     : take_columns(l, columns, space.dim, &cols));
    const int64_t offsets[2] = {0, n};
    return akin_rows_new_sparse(&l->row, l->ctx, 1, space.dim, offsets, cols,
                                vals);
}

/* Features, an item, or a file or text. */
static akin_status take_query(line *l)
{
    const json_t *q = json_object_get(l->json, "query");
    AK_CHECK(take_features(l));
    if (l->row != NULL)
        return take_text(l, "query", &l->event.query);
    if (q == NULL)
        return ak_fail(l->ctx, AKIN_EFORMAT, "there is no \"query\"");
    const akin_status st = take_item(l, q, "query", &l->event.item);
    if (st != AKIN_EINVAL)
        return st;
    l->event.item = -1;
    l->event.query = json_string_value(q);
    return AKIN_OK;
}

/* Was it exported after its query, or all of its answers, had been removed? */
static bool is_left_over(const line *l)
{
    bool empty = true;
    for (int k = 0; k < N_LISTS; ++k)
        empty = empty &&
                json_array_size(json_object_get(l->json, list_keys[k])) == 0;
    return json_object_get(l->json, "number") != NULL &&
           (empty || json_object_get(l->json, "query") == NULL);
}

static akin_status take_line(line *l, int64_t *number)
{
    akin_event *v = &l->event;
    AK_CHECK(check_keys(l));
    *number = 0;
    if (is_left_over(l))
        return AKIN_OK;
    AK_CHECK(take_text(l, "key", &v->key));
    AK_CHECK(take_text(l, "user", &v->user));
    AK_CHECK(take_query(l));
    for (int k = 0; k < N_LISTS; ++k)
        AK_CHECK(take_list(l, k));
    v->row = l->row;
    v->good = l->ids[GOOD];
    v->n_good = l->n[GOOD];
    v->bad = l->ids[BAD];
    v->n_bad = l->n[BAD];
    v->shown = l->ids[SHOWN];
    v->n_shown = l->n[SHOWN];
    v->clicked = l->ids[CLICKED];
    v->n_clicked = l->n[CLICKED];
    return ak_event_store(l->e, l->ctx, v,
                          json_is_true(json_object_get(l->json, "undone")),
                          number);
}

akin_status akin_events_add_json(int64_t *number, akin_ctx *ctx, akin_events *e,
                                 const char *text, uint64_t size)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    json_error_t why;
    json_t *json = json_loadb(text, size, JSON_REJECT_DUPLICATES, &why);
    line l = {.ctx = ctx, .e = e, .json = json, .event = AKIN_EVENT_INIT};
    akin_status st = AKIN_OK;
    if (json == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "not JSON: %s", why.text));
    if (!json_is_object(json))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "not an object {…}"));
    AK_TRY(take_line(&l, number));
done:
    json_decref(json);
    akin_rows_free(l.row);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- a line is written ---- */

typedef struct writer {
    akin_ctx *ctx;
    const ak_catalog *c;
    sqlite3_stmt *q;  // the event
    json_t *json;
} writer;

static akin_status put(const writer *w, const char *key, json_t *value)
{
    if (value == NULL || json_object_set_new(w->json, key, value) != 0)
        return ak_nomem(w->ctx, 0);
    return AKIN_OK;
}

/* A text of the catalogue, which is UTF-8 unless the file was damaged. */
static akin_status text_json(const writer *w, const char *text, json_t **out)
{
    *out = text ? json_string(text) : NULL;
    if (*out != NULL)
        return AKIN_OK;
    if (text == NULL || ak_utf8_span(text, strlen(text)) == strlen(text))
        return ak_nomem(w->ctx, 0);
    return ak_fail(w->ctx, AKIN_EFORMAT,
                   "%s: damaged: a text of an event is not UTF-8",
                   w->c->sql.path);
}

static akin_status put_text(const writer *w, const char *key, const char *text)
{
    json_t *value;
    AK_CHECK(text_json(w, text, &value));
    return put(w, key, value);
}

/* The name of an item where it is a text that no other item has, else its id;
 * NULL: it was removed. */
static akin_status item_json(const writer *w, int64_t id, json_t **out)
{
    sqlite3_stmt *q = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    *out = NULL;
    AK_TRY(ak_sql_ask(&w->c->sql, w->ctx, &q,
                      "SELECT name, (SELECT COUNT(*) FROM items o WHERE o.name "
                      "= i.name) FROM items i WHERE id = ?",
                      "i", id));
    AK_TRY(ak_sql_next(&w->c->sql, w->ctx, q, &found));
    if (!found)
        goto done;
    const char *name = sqlite3_column_blob(q, 0);
    const size_t n = (size_t)sqlite3_column_bytes(q, 0);
    if (sqlite3_column_int64(q, 1) == 1 && n > 0)
        *out = json_stringn(name, n);  // NULL where it is not UTF-8
    if (*out == NULL)
        *out = json_integer(id);
    if (*out == NULL)
        st = ak_nomem(w->ctx, 0);
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status put_list(const writer *w, const char *key, int column)
{
    const int n = sqlite3_column_bytes(w->q, column) / (int)sizeof(int64_t);
    const char *bytes = sqlite3_column_blob(w->q, column);
    json_t *list = json_array();
    akin_status st = AKIN_OK;
    if (n == 0) {
        json_decref(list);
        return AKIN_OK;
    }
    for (int i = 0; i < n; ++i) {
        json_t *item;
        int64_t id;
        memcpy(&id, bytes + (size_t)i * sizeof id, sizeof id);
        AK_TRY(item_json(w, id, &item));
        if (item != NULL && json_array_append_new(list, item) != 0)
            AK_TRY(ak_nomem(w->ctx, 0));
    }
    return put(w, key, list);
done:
    json_decref(list);
    return st;
}

/* The term of a column; or the column, where columns have no terms. */
static akin_status column_json(const writer *w, const ak_space *space,
                               int64_t column, json_t **out)
{
    sqlite3_stmt *q = NULL;
    bool found = true;
    akin_status st = AKIN_OK;
    *out = NULL;
    if (strcmp(space->name, ak_space_terms) != 0)
        *out = json_integer(column);
    else {
        AK_TRY(ak_sql_ask(&w->c->sql, w->ctx, &q,
                          "SELECT term FROM terms WHERE number = ?", "i",
                          column));
        AK_TRY(ak_sql_next(&w->c->sql, w->ctx, q, &found));
        if (found)
            AK_TRY(text_json(w, (const char *)sqlite3_column_text(q, 0), out));
    }
    if (!found)
        AK_TRY(ak_fail(w->ctx, AKIN_EFORMAT, "%s: no term %" PRId64,
                       w->c->sql.path, column));
    if (*out == NULL)
        st = ak_nomem(w->ctx, 0);
done:
    sqlite3_finalize(q);
    return st;
}

static akin_status features_json(const writer *w, const ak_space *space,
                                 const akin_rows *row, json_t **out)
{
    const bool by_term = strcmp(space->name, ak_space_terms) == 0;
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, row, 0);
    json_t *columns = json_array(), *values = json_array(), *column;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k) {
        json_array_append_new(values, json_real((double)vals[k]));
        if (cols == NULL)
            continue;
        AK_TRY(column_json(w, space, cols[k], &column));
        json_array_append_new(columns, column);
    }
    *out = json_pack("{s:s, s:O}", "kind", space->name, "values", values);
    if (cols != NULL)
        json_object_set(*out, by_term ? "terms" : "columns", columns);
done:
    json_decref(columns);
    json_decref(values);
    return st;
}

/* A query from outside: its name and its features. */
static akin_status put_query(const writer *w, int64_t id)
{
    sqlite3_stmt *q = NULL;
    ak_space space;
    akin_rows *row = NULL;
    json_t *features = NULL;
    bool found = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sql_ask(&w->c->sql, w->ctx, &q,
                      "SELECT space, name FROM queries WHERE id = ?", "i", id));
    AK_TRY(ak_sql_next(&w->c->sql, w->ctx, q, &found));
    if (!found)
        AK_TRY(ak_fail(w->ctx, AKIN_EFORMAT, "%s: no query %" PRId64,
                       w->c->sql.path, id));
    AK_TRY(ak_space_get(w->c, w->ctx, sqlite3_column_int64(q, 0), &space));
    AK_TRY(ak_derive_query(&row, w->ctx, w->c, &space, id));
    json_t *name = json_stringn(sqlite3_column_blob(q, 1),
                                (size_t)sqlite3_column_bytes(q, 1));
    if (name != NULL && json_string_length(name) > 0)
        AK_TRY(put(w, "query", name));
    else
        json_decref(name);
    AK_TRY(features_json(w, &space, row, &features));
    AK_TRY(put(w, "features", features));
done:
    akin_rows_free(row);
    sqlite3_finalize(q);
    return st;
}

static akin_status put_event(const writer *w)
{
    const char *key = (const char *)sqlite3_column_text(w->q, 1);
    const int64_t item = sqlite3_column_int64(w->q, 2);
    const char *user = (const char *)sqlite3_column_text(w->q, 4);
    json_t *query = NULL;
    AK_CHECK(put(w, "number", json_integer(sqlite3_column_int64(w->q, 0))));
    if (key != NULL)
        AK_CHECK(put_text(w, "key", key));
    if (item < 0)
        AK_CHECK(put_query(w, sqlite3_column_int64(w->q, 3)));
    else
        AK_CHECK(item_json(w, item, &query));
    if (query != NULL)
        AK_CHECK(put(w, "query", query));
    for (int k = 0; k < N_LISTS; ++k)
        AK_CHECK(put_list(w, list_keys[k], 5 + k));
    if (user != NULL && user[0] != '\0')
        AK_CHECK(put_text(w, "user", user));
    if (sqlite3_column_int64(w->q, 9) != 0)
        AK_CHECK(put(w, "undone", json_true()));
    return AKIN_OK;
}

#define EVENT                                                            \
    "SELECT number, key, item, query, user, good, bad, shown, clicked, " \
    "undone "                                                            \
    "FROM events WHERE "

/* The event that the statement finds; NULL: there is none. */
static akin_status event_line(writer *w, char **text, int64_t *number)
{
    bool found = false;
    akin_status st = AKIN_OK;
    char *made = NULL;
    *text = NULL;
    w->json = json_object();
    if (w->json == NULL)
        AK_TRY(ak_nomem(w->ctx, 0));
    AK_TRY(ak_sql_next(&w->c->sql, w->ctx, w->q, &found));
    if (!found)
        goto done;
    *number = sqlite3_column_int64(w->q, 0);
    AK_TRY(put_event(w));
    made = json_dumps(w->json, JSON_COMPACT | JSON_REAL_PRECISION(9));
    if (made == NULL)
        AK_TRY(ak_nomem(w->ctx, 0));
    AK_TRY(ak_strdup(w->ctx, made, text));
done:
    free(made);
    json_decref(w->json);
    return st;
}

akin_status akin_events_next(char **text, int64_t *number, akin_ctx *ctx,
                             akin_events *e, int64_t after)
{
    writer w = {ctx, &e->catalog, NULL, NULL};
    akin_status st = AKIN_OK;
    *text = NULL;
    AK_TRY(ak_sql_ask(&w.c->sql, ctx, &w.q,
                      EVENT "number > ? ORDER BY number LIMIT 1", "i", after));
    AK_TRY(event_line(&w, text, number));
done:
    sqlite3_finalize(w.q);
    return st;
}

akin_status akin_events_previous(char **text, int64_t *number, akin_ctx *ctx,
                                 akin_events *e, int64_t before, int64_t item)
{
    writer w = {ctx, &e->catalog, NULL, NULL};
    akin_status st = AKIN_OK;
    *text = NULL;
    if (before == 0)
        before = INT64_MAX;
    if (item < 0)
        AK_TRY(ak_sql_ask(&w.c->sql, ctx, &w.q,
                          EVENT "number < ? ORDER BY number DESC LIMIT 1", "i",
                          before));
    else
        AK_TRY(ak_sql_ask(&w.c->sql, ctx, &w.q,
                          EVENT "item = ? AND number < ? ORDER BY number DESC "
                                "LIMIT 1",
                          "ii", item, before));
    AK_TRY(event_line(&w, text, number));
done:
    sqlite3_finalize(w.q);
    return st;
}
