/* OpenSearch and Elasticsearch: the body that creates an index, lines for
 * _bulk, a search template, and the change of an alias.
 *
 * A sparse item is a field rank_features, which Lucene stores with 9
 * significant bits. A query is a sum of clauses rank_feature: weights above 0
 * find items, those below 0 are subtracted from the first `window` of them.
 * Scores of vectors must not be negative: s becomes s + 1, or 1 / (1 - s). */
#include <float.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/io/number.h"
#include "data/io/source.h"
#include "export/export.h"
#include "export/manifest.h"

/* ---- what is put into the engine ---- */

static bool is_opensearch(const ak_export *e)
{
    return e->engine == &ak_engine_opensearch;
}

static json_t *field_of(const ak_export *e)
{
    const json_int_t dim = e->dim;
    if (e->sparse)
        return json_pack("{s:s}", "type", "rank_features");
    if (is_opensearch(e))
        return json_pack("{s:s, s:I, s:{s:s, s:s, s:s}}", "type", "knn_vector",
                         "dimension", dim, "method", "name", "hnsw", "engine",
                         "faiss", "space_type",
                         e->distance ? "l2" : "innerproduct");
    return json_pack("{s:s, s:I, s:b, s:s}", "type", "dense_vector", "dims",
                     dim, "index", 1, "similarity",
                     e->distance ? "l2_norm" : "max_inner_product");
}

static json_t *index_of(const ak_export *e)
{
    json_t *body = json_object();
    if (is_opensearch(e) && !e->sparse)
        json_object_set_new(body, "settings",
                            json_pack("{s:{s:b}}", "index", "knn", 1));
    json_object_set_new(
        body, "mappings",
        json_pack("{s:{s:{s:s}, s:o}}", "properties", "name", "type", "keyword",
                  e->sparse ? "features" : "embedding", field_of(e)));
    return body;
}

/* The source of a search template: mustache, not JSON. */
static const char *source_of(const ak_export *e)
{
    if (e->sparse)
        return "{\"size\": {{top}}, \"query\": {\"bool\": {\"should\": "
               "{{#toJson}}plus{{/toJson}}}}{{#subtract}}, \"rescore\": "
               "{\"window_size\": {{window}}, \"query\": {\"rescore_query\": "
               "{\"bool\": {\"should\": {{#toJson}}minus{{/toJson}}}}, "
               "\"query_weight\": 1, \"rescore_query_weight\": -1, "
               "\"score_mode\": \"total\"}}{{/subtract}}}";
    if (is_opensearch(e))
        return e->distance
                   ? "{\"size\": {{top}}, \"query\": {\"script_score\": "
                     "{\"query\": {\"match_all\": {}}, \"script\": "
                     "{\"lang\": \"knn\", \"source\": \"knn_score\", "
                     "\"params\": {\"field\": \"embedding\", \"query_value\": "
                     "{{#toJson}}vector{{/toJson}}, \"space_type\": \"l2\"}}}}}"
                   : "{\"size\": {{top}}, \"query\": {\"script_score\": "
                     "{\"query\": {\"match_all\": {}}, \"script\": "
                     "{\"lang\": \"knn\", \"source\": \"knn_score\", "
                     "\"params\": {\"field\": \"embedding\", \"query_value\": "
                     "{{#toJson}}vector{{/toJson}}, \"space_type\": "
                     "\"innerproduct\"}}}}}";
    return e->distance
               ? "{\"size\": {{top}}, \"query\": {\"script_score\": "
                 "{\"query\": {\"match_all\": {}}, \"script\": {\"source\": "
                 "\"return 1 / (1 + l2norm(params.q, 'embedding'));\", "
                 "\"params\": {\"q\": {{#toJson}}vector{{/toJson}}}}}}}"
               : "{\"size\": {{top}}, \"query\": {\"script_score\": "
                 "{\"query\": {\"match_all\": {}}, \"script\": {\"source\": "
                 "\"double s = dotProduct(params.q, 'embedding'); return s < "
                 "0 ? 1 / (1 - s) : s + 1;\", \"params\": {\"q\": "
                 "{{#toJson}}vector{{/toJson}}}}}}}";
}

/* To remove an alias that no index has is no error beside another action. */
static json_t *switch_of(const ak_export *e, const char *index)
{
    char all[80];
    snprintf(all, sizeof all, "%s_v*", e->name);
    return json_pack("{s:[{s:{s:s, s:s}}, {s:{s:s, s:s}}]}", "actions",
                     "remove", "index", all, "alias", e->name, "add", "index",
                     index, "alias", e->name);
}

/* ---- lines for _bulk ---- */

static akin_status put_text(ak_sink *s, akin_ctx *ctx, const char *text)
{
    json_t *value = json_string(text ? text : "");
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    const akin_status st = quoted ? ak_sink_text(s, ctx, quoted)
                                  : ak_nomem(ctx, 0);
    free(quoted);
    json_decref(value);
    return st;
}

static akin_status put_numbers(ak_sink *s, akin_ctx *ctx, const akin_rows *rows,
                               int64_t i)
{
    const float *vals;
    const int32_t *cols;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    bool first = true;
    AK_CHECK(ak_sink_text(s, ctx,
                          cols ? ", \"features\": {" : ", \"embedding\": ["));
    for (int64_t k = 0; k < n; ++k) {
        char text[AK_NUMBER_SIZE];
        if (cols && vals[k] < FLT_MIN)
            continue;
        if (!first)
            AK_CHECK(ak_sink_text(s, ctx, ", "));
        first = false;
        if (cols)
            AK_CHECK(ak_export_print(s, ctx, "\"f%" PRId32 "\": ", cols[k]));
        AK_CHECK(ak_sink_put(s, ctx, text, ak_number_write(text, vals[k])));
    }
    return ak_sink_text(s, ctx, cols ? "}}\n" : "]}\n");
}

static akin_status put_items(ak_sink *s, akin_ctx *ctx, const ak_items *items)
{
    for (int64_t i = 0; i < items->n; ++i) {
        AK_CHECK(ak_export_print(
            s, ctx, "{\"index\": {\"_id\": \"%" PRId64 "\"}}\n{\"name\": ",
            items->ids[i]));
        AK_CHECK(put_text(s, ctx, ak_columns_name(&items->names, i)));
        AK_CHECK(put_numbers(s, ctx, items->rows, i));
        AK_CHECK(ak_ctx_poll(ctx));
    }
    return AKIN_OK;
}

static akin_status put_bulk(const ak_export *e, akin_ctx *ctx, const char *file,
                            const ak_items *items, const int64_t *removed,
                            int64_t n_removed)
{
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_export_sink(e, ctx, file, &s));
    for (int64_t k = 0; k < n_removed; ++k)
        AK_TRY(ak_export_print(
            s, ctx, "{\"delete\": {\"_id\": \"%" PRId64 "\"}}\n", removed[k]));
    AK_TRY(put_items(s, ctx, items));
done:
    return ak_sink_close(s, ctx, st);
}

/* rank_features takes nothing below 0. */
static akin_status check_signs(const ak_export *e, akin_ctx *ctx)
{
    const akin_rows *rows = e->items.rows;
    int64_t negative = 0;
    for (int64_t k = 0; e->sparse && k < rows->offsets[rows->n]; ++k)
        negative += rows->vals[k] < 0.0F;
    if (negative == 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "%" PRId64
                   " values of items are below 0 (rank_features of %s takes "
                   "positive values alone)",
                   negative, e->engine->name);
}

static akin_status engine_write(ak_export *e, akin_ctx *ctx)
{
    char index[80];
    snprintf(index, sizeof index, "%s_v%" PRId64, e->name, e->version);
    AK_CHECK(check_signs(e, ctx));
    AK_CHECK(ak_export_put_json(e, ctx, "index.json", index_of(e)));
    AK_CHECK(ak_export_put_json(e, ctx, "search.json",
                                json_pack("{s:{s:s, s:s}}", "script", "lang",
                                          "mustache", "source", source_of(e))));
    AK_CHECK(ak_export_put_json(e, ctx, "switch.json", switch_of(e, index)));
    AK_CHECK(put_bulk(e, ctx, "items.ndjson", &e->items, NULL, 0));
    if (e->changes.rows != NULL)
        AK_CHECK(put_bulk(e, ctx, "changes.ndjson", &e->changes, e->removed,
                          e->n_removed));
    return ak_export_put_program(e, ctx);
}

/* What the engine makes of the score s of akin. */
static const char *score_text(const ak_export *e)
{
    if (!e->distance)
        return "s + 1, or 1 / (1 - s) where s is negative";
    return is_opensearch(e) ? "1 / (1 - s)" : "1 / (1 + sqrt(-s))";
}

static void engine_limits(ak_export *e)
{
    if (!e->sparse) {
        ak_export_limit(e,
                        "%s: at most %" PRId64 " numbers; items have "
                        "%" PRId64,
                        is_opensearch(e) ? "knn_vector" : "dense_vector",
                        e->engine->most_dim, e->dim);
        ak_export_limit(e, "scores: %s", score_text(e));
        return;
    }
    ak_export_limit(e, "rank_features: positive values, 9 significant bits "
                       "(relative error below 1/256)");
    ak_export_limit(e, "weights below 0 are subtracted from the first 1,000 "
                       "results of those above 0 (rescore)");
    ak_export_limit(e, "items without any feature of positive weight are not "
                       "found; a query has at most 1,024 clauses by default");
}

/* ---- reading ---- */

typedef struct bulk {
    ak_export *e;
    akin_ctx *ctx;
    ak_source *source;
    int64_t id_room;
    ak_filling vectors;
} bulk;

static akin_status bad(const bulk *b, const char *what)
{
    return ak_fail(b->ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s",
                   ak_source_name(b->source), ak_source_line_number(b->source),
                   what);
}

/* The next line as an object; NULL at the end. */
static akin_status next_object(const bulk *b, json_t **out)
{
    char *line = NULL;
    size_t n = 0;
    *out = NULL;
    AK_CHECK(ak_source_line(b->source, b->ctx, &line, &n));
    if (line == NULL)
        return AKIN_OK;
    *out = json_loadb(line, n, JSON_REJECT_DUPLICATES, NULL);
    return json_is_object(*out) ? AKIN_OK : bad(b, "not a JSON object");
}

static akin_status add_number(bulk *b, int64_t column, double x)
{
    const float value = (float)x;
    if (!(value >= -FLT_MAX && value <= FLT_MAX))
        return bad(b, "a number is not finite in single precision");
    return ak_filling_add(&b->vectors, b->ctx, (int32_t)column, value);
}

static akin_status take_features(bulk *b, json_t *features)
{
    const char *key;
    json_t *value;
    int64_t last = -1;
    json_object_foreach(features, key, value)
    {
        char *end = NULL;
        const int64_t j = key[0] == 'f' ? strtoll(key + 1, &end, 10) : -1;
        if (end == NULL || *end != '\0' || j <= last || j >= b->e->dim ||
            !json_is_number(value))
            return bad(b, "features must be f0, f1, ... in increasing order");
        AK_CHECK(add_number(b, j, json_number_value(value)));
        last = j;
    }
    return AKIN_OK;
}

static akin_status take_document(bulk *b, const json_t *head,
                                 const json_t *document)
{
    ak_items *items = &b->e->items;
    const json_t *id = json_object_get(json_object_get(head, "index"), "_id");
    const json_t *name = json_object_get(document, "name");
    json_t *vector = json_object_get(document, "embedding");
    json_t *features = json_object_get(document, "features");
    int64_t number = -1;
    if (json_is_string(id) && json_string_length(id) < 19 &&
        json_string_length(id) > 0 &&
        strspn(json_string_value(id), "0123456789") == json_string_length(id))
        number = strtoll(json_string_value(id), NULL, 10);
    if (number < 0 || (items->n > 0 && number <= items->ids[items->n - 1]))
        return bad(b, "ids must be numbers that increase");
    if (!json_is_string(name) ||
        strlen(json_string_value(name)) != json_string_length(name) ||
        (b->e->sparse ? !json_is_object(features)
                      : (int64_t)json_array_size(vector) != b->e->dim))
        return bad(b, "not a document of this export");
    AK_CHECK(ak_items_add(items, b->ctx, &b->id_room, number,
                          json_string_value(name), json_string_length(name)));
    for (size_t c = 0; !b->e->sparse && c < json_array_size(vector); ++c) {
        const json_t *x = json_array_get(vector, c);
        if (!json_is_number(x))
            return bad(b, "not a document of this export");
        AK_CHECK(add_number(b, 0, json_number_value(x)));
    }
    if (b->e->sparse)
        AK_CHECK(take_features(b, features));
    return ak_filling_end_row(&b->vectors, b->ctx);
}

static akin_status engine_read(ak_export *e, akin_ctx *ctx)
{
    bulk b = {.e = e, .ctx = ctx};
    json_t *head = NULL, *document = NULL;
    char path[PATH_MAX];
    akin_status st = AKIN_OK;
    AK_TRY(ak_folder_join(path, ctx, e->folder, "items.ndjson"));
    AK_TRY(ak_source_open(&b.source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_filling_begin(&b.vectors, ctx, e));
    for (;;) {
        AK_TRY(next_object(&b, &head));
        if (head == NULL)
            break;
        AK_TRY(next_object(&b, &document));
        if (document == NULL)
            AK_TRY(bad(&b, "a document is missing"));
        AK_TRY(take_document(&b, head, document));
        json_decref(head);
        json_decref(document);
        head = document = NULL;
    }
done:
    json_decref(head);
    json_decref(document);
    ak_source_close(b.source);
    return st;
}

const ak_engine ak_engine_opensearch = {
    .name = "opensearch",
    .has_sparse = true,
    .has_sync = true,
    .most_dim = 16000,
    .write = engine_write,
    .read = engine_read,
    .limits = engine_limits,
};

const ak_engine ak_engine_elasticsearch = {
    .name = "elasticsearch",
    .has_sparse = true,
    .has_sync = true,
    .most_dim = 4096,
    .write = engine_write,
    .read = engine_read,
    .limits = engine_limits,
};
