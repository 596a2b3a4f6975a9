/* PostgreSQL with pgvector: a schema for each version of the model, the query
 * side as a function, items as vector, halfvec or sparsevec. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/export.h"
#include "export/pgvector_index.h"
#include "export/pgvector_load.h"
#include "export/pgvector_schema.h"
#include "export/pgvector_shards.h"
#include "export/pgvector_switch.h"
#include "export/pgvector_sync.h"

enum {
    MOST_DIM = 16000,    // of a vector or halfvec, and non-zeros of a sparsevec
    HNSW_VECTOR = 2000,  // numbers of a vector in an HNSW index
    HNSW_HALF = 4000,    // of a halfvec
    HNSW_SPARSE = 1000,  // non-zeros of a sparsevec
    TEXT = 256,
};

static const char *type_name(const ak_export *e)
{
    return e->sparse ? "sparsevec" : e->half ? "halfvec" : "vector";
}

static int64_t hnsw_most(const ak_export *e)
{
    return e->sparse ? HNSW_SPARSE : e->half ? HNSW_HALF : HNSW_VECTOR;
}

static void limits(ak_export *e)
{
    if (e->sparse)
        ak_export_limit(e,
                        "sparsevec: at most %d non-zeros; items have up to "
                        "%" PRId64,
                        MOST_DIM, e->most);
    else
        ak_export_limit(e, "%s: at most %d numbers; items have %" PRId64,
                        type_name(e), MOST_DIM, e->dim);
    ak_export_limit(e, "HNSW on %s: at most %" PRId64 " %s: %s", type_name(e),
                    hnsw_most(e), e->sparse ? "non-zeros" : "numbers",
                    e->most > hnsw_most(e) ? "no index can be created"
                                           : "an index can be created");
    if (e->half)
        ak_export_limit(e, "halfvec: 11 significant bits of each number");
}

/* g of query_side.h. */
static const char *g_of(const ak_query_side *q)
{
    switch (q->weights) {
    case AK_WEIGHTS_BINARY:
        return "CASE WHEN r.val IS NULL THEN 0 ELSE 1 END";
    case AK_WEIGHTS_TF:
        return "coalesce(r.val / total.s, 0)";
    case AK_WEIGHTS_SQRT:
        return "sqrt(coalesce(r.val, 0))";
    case AK_WEIGHTS_LOG:
        return "ln(1 + coalesce(r.val, 0))";
    default:
        return "coalesce(r.val, 0)";
    }
}

/* Lines of a comment. */
static akin_status comment_of(const ak_export *e, akin_ctx *ctx, char **out)
{
    const size_t n = strlen(e->limits);
    AK_CHECK(AK_SCRATCH(ctx, 4 * (int64_t)n + 8, out));
    char *to = *out;
    to += sprintf(to, "-- ");
    for (const char *at = e->limits; *at != '\0'; ++at)
        to += sprintf(to, *at == '\n' ? "\n-- " : "%c", *at);
    return AKIN_OK;
}

/* "0.5,0" */
static akin_status offset_of(const ak_query_side *q, akin_ctx *ctx, char **out)
{
    enum { NUMBER = 26 };
    AK_CHECK(AK_SCRATCH(ctx, NUMBER * q->dim + 1, out));
    char *to = *out;
    for (int64_t c = 0; q->axes && c < q->dim; ++c)
        to += sprintf(to, "%s%.17g", c > 0 ? "," : "",
                      q->offset ? q->offset[c] : 0.0);
    return AKIN_OK;
}

/* The best of each shard, between UNION ALL. */
static akin_status union_of(const ak_export *e, akin_ctx *ctx, char **out)
{
    const char *op = e->distance ? "<->" : "<#>";
    AK_CHECK(AK_SCRATCH(ctx, TEXT * e->shards, out));
    char *to = *out;
    for (int64_t k = 0; k < e->shards; ++k)
        to += sprintf(to,
                      "%s        (SELECT * FROM %s_v%" PRId64 ".items_%" PRId64
                      " s\n            ORDER BY s.embedding %s query, s.id "
                      "LIMIT top)",
                      k > 0 ? "\n        UNION ALL\n" : "", e->name, e->version,
                      k, op);
    return AKIN_OK;
}

enum { MOST_VARIABLES = 40 };

/* The variables of all templates. */
typedef struct setting {
    ak_variable v[MOST_VARIABLES];
    size_t n;
    char schema[TEXT], type[TEXT], dim[TEXT], global[TEXT], score[TEXT],
        version[TEXT], shards[TEXT], last[TEXT], ops[TEXT], too_long[TEXT];
    char *limits, *offset, *union_all;
} setting;

static void set(setting *s, const char *key, const char *value)
{
    s->v[s->n++] = (ak_variable){key, value};
}

static void set_flag(setting *s, const char *key, bool value)
{
    set(s, key, value ? "1" : "");
}

static void set_words(setting *s, const ak_export *e)
{
    const char *type = type_name(e);
    const bool long_ones = e->most > hnsw_most(e);
    snprintf(s->schema, TEXT, "%s_v%" PRId64, e->name, e->version);
    snprintf(s->type, TEXT, "%s(%" PRId64 ")", type, e->dim);
    snprintf(s->dim, TEXT, "%" PRId64, e->dim);
    snprintf(s->global, TEXT, "%.17g::double precision", e->query.global);
    snprintf(s->version, TEXT, "%" PRId64, e->version);
    snprintf(s->shards, TEXT, "%" PRId64, e->shards);
    snprintf(s->last, TEXT, "%" PRId64, e->shards - 1);
    snprintf(s->ops, TEXT, "%s_%s_ops", type, e->distance ? "l2" : "ip");
    snprintf(s->score, TEXT,
             e->distance ? "-((i.embedding <-> query) ^ 2)"
                         : "-(i.embedding <#> query)");
    if (long_ones)
        snprintf(s->too_long, TEXT,
                 "an item has %" PRId64 " %s, and an HNSW index takes %" PRId64,
                 e->most, e->sparse ? "non-zeros" : "numbers", hnsw_most(e));
    set(s, "schema", s->schema);
    set(s, "name", e->name);
    set(s, "version", s->version);
    set(s, "type", s->type);
    set(s, "plain", type);
    set(s, "dim", s->dim);
    set(s, "global", s->global);
    set(s, "op", e->distance ? "<->" : "<#>");
    set(s, "ops", s->ops);
    set(s, "score", s->score);
    set(s, "shards", s->shards);
    set(s, "last", s->last);
    set(s, "too_long", s->too_long);
}

static void set_query(setting *s, const ak_query_side *q, bool sparse)
{
    const bool known = q->known, full = known && ak_query_side_fills(q);
    set(s, "g", known ? g_of(q) : "");
    set_flag(s, "known", known);
    set_flag(s, "sum", known && q->weights == AK_WEIGHTS_TF);
    set_flag(s, "full_row", full);
    set_flag(s, "sparse_row", known && !full);
    set_flag(s, "unit", known && q->unit);
    set_flag(s, "not_unit", known && !q->unit);
    set_flag(s, "axes", known && q->axes);
    set_flag(s, "diagonal", known && !q->axes && !sparse);
    set_flag(s, "sparse", known && sparse);
    set_flag(s, "dense", known && !sparse);
    set_flag(s, "vector_length", known && q->length == AK_LENGTH_VECTOR);
    set_flag(s, "weighted_length", known && q->length == AK_LENGTH_WEIGHTED);
    set_flag(s, "no_length", known && q->length == AK_LENGTH_NONE);
}

#define WRITE(e, ctx, file, lines, s)                                       \
    ak_template_write(e, ctx, file, lines, sizeof(lines) / sizeof *(lines), \
                      (s)->v, (s)->n)

/* "items.csv", or "items.N.csv" for shard N. */
static const char *part_name(const ak_export *e, char to[TEXT],
                             const char *base, int64_t part, const char *ext)
{
    if (e->shards > 1)
        snprintf(to, TEXT, "%s.%" PRId64 ".%s", base, part, ext);
    else
        snprintf(to, TEXT, "%s.%s", base, ext);
    return to;
}

/* A table of items, and the script that takes it. */
static akin_status write_part(const ak_export *e, akin_ctx *ctx,
                              const setting *base, const ak_items *items,
                              int64_t part)
{
    const bool all = items == &e->items;
    setting s = *base;
    char table[TEXT], script[TEXT];
    part_name(e, table, all ? "items" : "changes", part, "csv");
    part_name(e, script, all ? "load" : "sync", part, "sql");
    set(&s, "items", table);
    set(&s, "file", script);
    AK_CHECK(ak_items_write_csv(e, ctx, items, table, true, part, e->shards));
    return all ? WRITE(e, ctx, script, pgvector_load, &s)
               : WRITE(e, ctx, script, pgvector_sync, &s);
}

static akin_status pgvector_write(ak_export *e, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    setting s = {0};
    akin_status st = AKIN_OK;
    if (e->sparse && e->most > MOST_DIM)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "an item has %" PRId64
                       " non-zeros (sparsevec takes at most %d)",
                       e->most, MOST_DIM));
    AK_TRY(comment_of(e, ctx, &s.limits));
    AK_TRY(offset_of(&e->query, ctx, &s.offset));
    AK_TRY(union_of(e, ctx, &s.union_all));
    set_words(&s, e);
    set_query(&s, &e->query, e->sparse);
    set(&s, "limits", s.limits);
    set(&s, "offset", s.offset);
    set(&s, "union", s.union_all);
    AK_TRY(WRITE(e, ctx, "schema.sql", pgvector_schema, &s));
    AK_TRY(WRITE(e, ctx, "index.sql", pgvector_index, &s));
    AK_TRY(WRITE(e, ctx, "switch.sql", pgvector_switch, &s));
    if (e->shards > 1)
        AK_TRY(WRITE(e, ctx, "shards.sql", pgvector_shards, &s));
    for (int64_t k = 0; k < e->shards; ++k) {
        AK_TRY(write_part(e, ctx, &s, &e->items, k));
        if (e->changes.rows != NULL)
            AK_TRY(write_part(e, ctx, &s, &e->changes, k));
    }
    if (e->changes.rows != NULL)
        AK_TRY(ak_export_put_removed(e, ctx));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status pgvector_read(ak_export *e, akin_ctx *ctx)
{
    return ak_items_read_csv(e, ctx, true, e->shards);
}

const ak_engine ak_engine_pgvector = {
    .name = "pgvector",
    .has_sparse = true,
    .has_gaps = true,
    .has_sync = true,
    .most_dim = MOST_DIM,
    .write = pgvector_write,
    .read = pgvector_read,
    .limits = limits,
};
