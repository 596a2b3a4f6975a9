/* An export from an index: items, query side, the files of the engine, and
 * what is different from an earlier export. */
#include "export/export.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "export/manifest.h"
#include "index/index.h"

static const ak_engine *const engines[] = {
    &ak_engine_pgvector, &ak_engine_opensearch, &ak_engine_elasticsearch,
    &ak_engine_faiss,    &ak_engine_hnswlib,    &ak_engine_numpy,
    &ak_engine_csv};

const ak_engine *ak_engine_find(const char *name)
{
    for (size_t k = 0; k < sizeof engines / sizeof *engines; ++k)
        if (strcmp(engines[k]->name, name) == 0)
            return engines[k];
    return NULL;
}

void ak_export_free(ak_export *e)
{
    ak_query_side_free(&e->query);
    ak_items_free(&e->items);
    ak_items_free(&e->changes);
    akin_free(e->removed);
    e->removed = NULL;
}

/* ---- text ---- */

akin_status ak_export_sink(const ak_export *e, akin_ctx *ctx, const char *name,
                           ak_sink **out)
{
    char path[PATH_MAX];
    AK_CHECK(ak_folder_join(path, ctx, e->folder, name));
    return ak_sink_open(out, ctx, path);
}

akin_status ak_export_print(ak_sink *s, akin_ctx *ctx, const char *format, ...)
{
    char text[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    return ak_sink_text(s, ctx, text);
}

akin_status ak_export_text(akin_ctx *ctx, const char *name, char **out)
{
    static const char unknown[] = "\xef\xbf\xbd";
    size_t n = name ? strlen(name) : 0;
    AK_CHECK(AK_SCRATCH(ctx, 3 * (int64_t)n + 1, out));
    for (char *to = *out; n > 0;) {
        const size_t len = ak_utf8_length(name, n);
        const char *from = len > 0 ? name : unknown;
        const size_t used = len > 0 ? len : 3;
        memcpy(to, from, used);
        to += used;
        name += len > 0 ? len : 1;
        n -= len > 0 ? len : 1;
    }
    return AKIN_OK;
}

void ak_export_limit(ak_export *e, const char *format, ...)
{
    const size_t n = strlen(e->limits);
    va_list args;
    va_start(args, format);
    if (n > 0)
        e->limits[n] = '\n';
    vsnprintf(e->limits + n + (n > 0), sizeof e->limits - n - 1, format, args);
    va_end(args);
}

/* ---- since an earlier export ---- */

static bool is_same_item(const ak_items *a, int64_t i, const ak_items *b,
                         int64_t j)
{
    const char *name = ak_columns_name(&a->names, i);
    const char *other = ak_columns_name(&b->names, j);
    const float *x, *y;
    const int32_t *cols, *others;
    const int64_t n = akin_rows_row(&cols, &x, a->rows, i);
    if (strcmp(name ? name : "", other ? other : "") != 0 ||
        akin_rows_row(&others, &y, b->rows, j) != n)
        return false;
    return memcmp(x, y, (size_t)n * sizeof *x) == 0 &&
           (cols == NULL ||
            memcmp(cols, others, (size_t)n * sizeof *cols) == 0);
}

/* Does a query become the same vector? */
static bool is_same_query(const ak_query_side *a, const ak_query_side *b)
{
    const size_t d = (size_t)a->d * sizeof(double),
                 dim = (size_t)a->dim * sizeof(double);
    if (a->known != b->known || a->d != b->d || a->dim != b->dim ||
        (a->axes == NULL) != (b->axes == NULL) ||
        (a->offset == NULL) != (b->offset == NULL))
        return false;
    if (!a->known)
        return true;
    return a->weights == b->weights && a->unit == b->unit &&
           a->length == b->length && a->global == b->global &&
           memcmp(a->idf, b->idf, d) == 0 &&
           memcmp(a->shift, b->shift, d) == 0 &&
           memcmp(a->factor, b->factor, d) == 0 &&
           memcmp(a->weight, b->weight, d) == 0 &&
           (!a->axes || memcmp(a->axes, b->axes, d * (size_t)a->dim) == 0) &&
           (!a->offset || memcmp(a->offset, b->offset, dim) == 0);
}

static akin_status check_same_model(const ak_export *e, akin_ctx *ctx,
                                    const ak_export *old)
{
    if (e->engine != old->engine || e->half != old->half ||
        strcmp(e->name, old->name) != 0 || e->version != old->version ||
        e->shards != old->shards)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`since`: %s was exported with other options (engine, "
                       "name, version, shards or half)",
                       old->folder);
    if (e->sparse != old->sparse || e->distance != old->distance ||
        e->dim != old->dim || !is_same_query(&e->query, &old->query))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`since`: the model changed after %s (export another "
                       "`version` and switch to it)",
                       old->folder);
    return AKIN_OK;
}

/* What is different from the items of `old`. */
static akin_status find_changes(ak_export *e, akin_ctx *ctx,
                                const ak_export *old)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_items *a = &e->items, *b = &old->items;
    int64_t *which = NULL, n = 0, j = 0;
    akin_status st = AKIN_OK;
    AK_TRY(check_same_model(e, ctx, old));
    AK_TRY(AK_SCRATCH(ctx, a->n, &which));
    AK_TRY(AK_NEW(ctx, b->n, &e->removed));
    AK_TRY(AK_NEW(ctx, a->n, &e->changes.ids));
    for (int64_t i = 0; i < a->n; ++i) {
        for (; j < b->n && b->ids[j] < a->ids[i]; ++j)
            e->removed[e->n_removed++] = b->ids[j];
        const bool there = j < b->n && b->ids[j] == a->ids[i];
        if (!there || !is_same_item(a, i, b, j))
            which[n++] = i;
        j += there;
    }
    for (; j < b->n; ++j)
        e->removed[e->n_removed++] = b->ids[j];
    for (int64_t k = 0; k < n; ++k) {
        const char *name = ak_columns_name(&a->names, which[k]);
        e->changes.ids[e->changes.n++] = a->ids[which[k]];
        AK_TRY(ak_columns_add(&e->changes.names, ctx, name ? name : "",
                              name ? strlen(name) : 0));
    }
    AK_TRY(akin_rows_select(&e->changes.rows, ctx, a->rows, which, n));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status look_back(ak_export *e, akin_ctx *ctx, const char *since)
{
    ak_export old = {0};
    akin_status st = AKIN_OK;
    if (!e->engine->has_sync)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`since`: %s has no changes to apply (load its file "
                       "again)",
                       e->engine->name);
    AK_TRY(ak_export_open(&old, ctx, since));
    AK_TRY(find_changes(e, ctx, &old));
done:
    ak_export_free(&old);
    return st;
}

/* ---- the whole ---- */

static akin_status check_options(ak_export *e, akin_ctx *ctx,
                                 const akin_export_options *o)
{
    e->engine = ak_engine_find(o->to);
    if (e->engine == NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`to` is '%s' (expected pgvector, opensearch, "
                       "elasticsearch, faiss, hnswlib, numpy or csv)",
                       o->to);
    const size_t n = strlen(o->name);
    if (n == 0 || n > 40 || o->name[0] < 'a' || o->name[0] > 'z' ||
        strspn(o->name, "abcdefghijklmnopqrstuvwxyz0123456789_") != n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`name` is '%s' (expected at most 40 small letters, "
                       "digits and _)",
                       o->name);
    const bool pgvector = e->engine == &ak_engine_pgvector;
    if (o->version < 0 || o->shards < 1 || o->shards > 1024)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`version` must be at least 0, `shards` 1 to 1024");
    if (!pgvector && (o->half || o->shards > 1))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`half` and `shards` are for pgvector alone");
    strcpy(e->name, o->name);
    e->version = o->version;
    e->shards = o->shards;
    e->half = o->half != 0;
    return AKIN_OK;
}

static akin_status check_vectors(const ak_export *e, akin_ctx *ctx)
{
    if (e->sparse && !e->engine->has_sparse)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s takes dense vectors, and the items are sparse "
                       "(pgvector, opensearch, elasticsearch, numpy and csv "
                       "take sparse ones)",
                       e->engine->name);
    if (e->sparse && e->distance && !e->engine->has_gaps)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s has no distance of sparse vectors (compare by dot "
                       "or cosine)",
                       e->engine->name);
    if (e->sparse && e->half)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`half` needs embeddings, and the items are sparse");
    if (!e->sparse && e->dim > e->engine->most_dim)
        return ak_fail(ctx, AKIN_EINVAL,
                       "vectors of %" PRId64 " numbers (%s takes at most "
                       "%" PRId64 ")",
                       e->dim, e->engine->name, e->engine->most_dim);
    return AKIN_OK;
}

static akin_status check_ids(akin_ctx *ctx, const akin_index *x,
                             const int64_t *ids)
{
    for (int64_t i = 0; ids && i < x->n; ++i)
        if (ids[i] < 0 || (i > 0 && ids[i] <= ids[i - 1]))
            return ak_fail(ctx, AKIN_EINVAL,
                           "`ids` must increase (row %" PRId64 ")", i);
    return AKIN_OK;
}

/* Shards are indexes of their own, which may be exported one by one. */
static akin_status check_whole(akin_ctx *ctx, const akin_index *x)
{
    return akin_index_shard(x, 0) == NULL
               ? AKIN_OK
               : ak_fail(ctx, AKIN_EINVAL,
                         "an index in shards is not exported (export an index "
                         "of all rows)");
}

static void fill_info(akin_export_info *info, const ak_export *e)
{
    *info = (akin_export_info){.items = e->items.n,
                               .dim = e->dim,
                               .is_sparse = e->sparse,
                               .most = e->most,
                               .has_query = e->query.known,
                               .changed = e->changes.n,
                               .removed = e->n_removed};
    strcpy(info->limits, e->limits);
}

akin_status akin_export(akin_ctx *ctx, const akin_index *x, const char *folder,
                        const akin_export_options *options,
                        akin_export_info *info)
{
    akin_export_options o = AKIN_EXPORT_DEFAULTS;
    ak_export e = {0};
    ak_new_folder f = {0};
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    const akin_compare by = o.by == AKIN_BY_DEFAULT ? x->by : o.by;
    AK_TRY(check_options(&e, ctx, &o));
    AK_TRY(check_whole(ctx, x));
    AK_TRY(check_ids(ctx, x, o.ids));
    AK_TRY(ak_export_items(&e, ctx, x, o.ids, by));
    AK_TRY(check_vectors(&e, ctx));
    AK_TRY(ak_query_side_make(&e.query, ctx, x, e.sparse, by));
    if (o.since != NULL)
        AK_TRY(look_back(&e, ctx, o.since));
    if (!e.query.known)
        ak_export_limit(&e, "queries: the vector of a raw query comes from "
                            "akin embed --side left");
    e.engine->limits(&e);
    AK_TRY(ak_folder_begin(&f, ctx, folder, ak_manifest_is, "an export"));
    strcpy(e.folder, f.made);
    AK_TRY(e.engine->write(&e, ctx));
    AK_TRY(ak_export_put_manifest(&e, ctx));
    if (info != NULL)
        fill_info(info, &e);
done:
    st = ak_folder_end(&f, ctx, st);
    ak_export_free(&e);
    return st;
}
