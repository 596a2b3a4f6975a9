/* Index files of Faiss and hnswlib, which hold the vectors and the ids. Both
 * are little-endian, as every processor that akin runs on. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/io/source.h"
#include "export/export.h"
#include "index/dense/dense.h"
#include "index/dense/hnsw_shim.h"

/* A header is put together here, and compared when it is read. */
typedef struct bytes {
    unsigned char at[256];
    size_t n;
} bytes;

static void add(bytes *b, const void *from, size_t n)
{
    memcpy(b->at + b->n, from, n);
    b->n += n;
}

static void add_i32(bytes *b, int32_t x)
{
    add(b, &x, sizeof x);
}

static void add_u64(bytes *b, uint64_t x)
{
    add(b, &x, sizeof x);
}

static akin_status damaged(akin_ctx *ctx, const ak_source *s)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: not the index of this export",
                   ak_source_name(s));
}

static akin_status need_bytes(ak_source *s, akin_ctx *ctx, const bytes *b)
{
    unsigned char got[sizeof b->at];
    AK_CHECK(ak_source_need(s, ctx, got, b->n));
    return memcmp(got, b->at, b->n) == 0 ? AKIN_OK : damaged(ctx, s);
}

/* One vector, into row i. */
static akin_status need_vector(ak_source *s, akin_ctx *ctx, akin_rows *rows,
                               int64_t i)
{
    float *x = rows->vals + i * rows->d;
    AK_CHECK(ak_source_need(s, ctx, x, (size_t)rows->d * sizeof *x));
    for (int64_t c = 0; c < rows->d; ++c)
        if (!isfinite(x[c]))
            return damaged(ctx, s);
    return AKIN_OK;
}

/* Room for the vectors, which the file is long enough for. */
static akin_status begin_read(ak_export *e, akin_ctx *ctx, const char *name,
                              ak_source **s)
{
    char path[PATH_MAX];
    int64_t size = 0;
    bool claimed = false;
    AK_CHECK(ak_items_read_csv(e, ctx, false, 1));
    AK_CHECK(ak_folder_join(path, ctx, e->folder, name));
    AK_CHECK(ak_source_open(s, ctx, path, AK_SOURCE_BINARY));
    const int64_t left = ak_source_left(*s, &claimed);
    if (e->sparse || !ak_mul_i64(e->items.n, e->dim, &size) ||
        left / (int64_t)sizeof(float) < size)
        return damaged(ctx, *s);
    AK_CHECK(ak_rows_new(&e->items.rows, ctx, e->items.n, e->dim));
    return AK_NEW(ctx, size, &e->items.rows->vals);
}

/* ---- Faiss: an IndexIDMap over an IndexFlat ---- */

static void faiss_header(bytes *b, const ak_export *e, const char *fourcc)
{
    const uint64_t unused = UINT64_C(1) << 20;
    const unsigned char trained = 1;
    add(b, fourcc, 4);
    add_i32(b, (int32_t)e->dim);
    add_u64(b, (uint64_t)e->items.n);
    add_u64(b, unused);
    add_u64(b, unused);
    add(b, &trained, 1);
    add_i32(b, e->distance ? 1 : 0);  // METRIC_L2 or METRIC_INNER_PRODUCT
}

static bytes faiss_begin(const ak_export *e)
{
    bytes b = {.n = 0};
    faiss_header(&b, e, "IxMp");
    faiss_header(&b, e, e->distance ? "IxF2" : "IxFI");
    add_u64(&b, (uint64_t)(e->items.n * e->dim));
    return b;
}

static akin_status faiss_write(ak_export *e, akin_ctx *ctx)
{
    const bytes b = faiss_begin(e);
    const uint64_t n = (uint64_t)e->items.n;
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_export_sink(e, ctx, "items.faiss", &s));
    AK_TRY(ak_sink_put(s, ctx, b.at, b.n));
    AK_TRY(ak_sink_put(s, ctx, e->items.rows->vals,
                       (size_t)(e->items.n * e->dim) * sizeof(float)));
    AK_TRY(ak_sink_put(s, ctx, &n, sizeof n));
    AK_TRY(ak_sink_put(s, ctx, e->items.ids,
                       (size_t)e->items.n * sizeof *e->items.ids));
    st = ak_sink_close(s, ctx, st);
    s = NULL;
    AK_TRY(st);
    AK_TRY(ak_items_write_csv(e, ctx, &e->items, "items.csv", false, 0, 1));
    AK_TRY(ak_export_put_program(e, ctx));
done:
    return s ? ak_sink_close(s, ctx, st) : st;
}

static akin_status faiss_read(ak_export *e, akin_ctx *ctx)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(begin_read(e, ctx, "items.faiss", &s));
    const bytes b = faiss_begin(e);
    AK_TRY(need_bytes(s, ctx, &b));
    for (int64_t i = 0; i < e->items.n; ++i)
        AK_TRY(need_vector(s, ctx, e->items.rows, i));
    bytes end = {.n = 0};
    add_u64(&end, (uint64_t)e->items.n);
    AK_TRY(need_bytes(s, ctx, &end));
    for (int64_t i = 0; i < e->items.n; ++i) {
        bytes id = {.n = 0};
        add(&id, &e->items.ids[i], sizeof *e->items.ids);
        AK_TRY(need_bytes(s, ctx, &id));
    }
    AK_TRY(ak_source_end(s, ctx));
done:
    ak_source_close(s);
    return st;
}

static void faiss_limits(ak_export *e)
{
    ak_export_limit(e, "faiss: IndexFlat, exact; a query compares with all "
                       "items");
}

const ak_engine ak_engine_faiss = {
    .name = "faiss",
    .most_dim = INT32_MAX,
    .write = faiss_write,
    .read = faiss_read,
    .limits = faiss_limits,
};

/* ---- hnswlib: a graph under its space "ip" or "l2" ---- */

enum { LINKS = 16, EFFORT = 200 };

typedef struct graph {
    ak_hnsw *h;
    int32_t *base, *levels, *upper;
    int64_t n_upper;
} graph;

static float minus_dot(const void *a, const void *b, const void *dim)
{
    const float *x = a, *y = b;
    float sum = 0.0F;
    for (int64_t c = 0; c < *(const int64_t *)dim; ++c)
        sum += x[c] * y[c];
    return 1.0F - sum;
}

static float gap(const void *a, const void *b, const void *dim)
{
    const float *x = a, *y = b;
    float sum = 0.0F;
    for (int64_t c = 0; c < *(const int64_t *)dim; ++c)
        sum += (x[c] - y[c]) * (x[c] - y[c]);
    return sum;
}

static akin_status make_graph(graph *g, akin_ctx *ctx, const ak_export *e)
{
    const akin_rows *rows = e->items.rows;
    if (ak_hnsw_new(&g->h, e->dim, rows->n, LINKS, EFFORT,
                    e->distance ? gap : minus_dot) != 0)
        return ak_nomem(ctx, 0);
    for (int64_t i = 0; i < rows->n; ++i) {
        if (ak_hnsw_add(g->h, rows->vals + i * rows->d) != 0)
            return ak_nomem(ctx, 0);
        AK_CHECK(ak_ctx_tick(ctx, "rows", i + 1, rows->n, NAN));
    }
    g->n_upper = ak_hnsw_upper(g->h);
    AK_CHECK(AK_NEW(ctx, rows->n * AK_HNSW_BASE(LINKS), &g->base));
    AK_CHECK(AK_NEW(ctx, rows->n, &g->levels));
    AK_CHECK(AK_NEW(ctx, g->n_upper * AK_HNSW_UPPER(LINKS), &g->upper));
    ak_hnsw_give(g->h, g->base, g->levels, g->upper);
    return AKIN_OK;
}

static void free_graph(graph *g)
{
    ak_hnsw_free(g->h);
    akin_free(g->base);
    akin_free(g->levels);
    akin_free(g->upper);
}

/* What comes before the level and the entry point, and what after them. */
static bytes hnswlib_sizes(const ak_export *e)
{
    const uint64_t n = (uint64_t)e->items.n;
    const uint64_t links = AK_HNSW_BASE(LINKS) * sizeof(int32_t);
    const uint64_t data = (uint64_t)e->dim * sizeof(float);
    bytes b = {.n = 0};
    add_u64(&b, 0);  // of the lowest level in an element
    add_u64(&b, n);  // room for them
    add_u64(&b, n);
    add_u64(&b, links + data + sizeof(uint64_t));  // size of an element
    add_u64(&b, links + data);                     // of its label in it
    add_u64(&b, links);                            // of its vector
    return b;
}

static bytes hnswlib_settings(void)
{
    const double spread = 1.0 / log((double)LINKS);
    bytes b = {.n = 0};
    add_u64(&b, LINKS);
    add_u64(&b, 2 * LINKS);
    add_u64(&b, LINKS);
    add(&b, &spread, sizeof spread);
    add_u64(&b, EFFORT);
    return b;
}

static akin_status put_elements(const ak_export *e, akin_ctx *ctx, ak_sink *s,
                                const graph *g)
{
    const akin_rows *rows = e->items.rows;
    const int32_t *upper = g->upper;
    for (int64_t i = 0; i < rows->n; ++i) {
        const uint64_t label = (uint64_t)e->items.ids[i];
        AK_CHECK(ak_sink_put(s, ctx, g->base + i * AK_HNSW_BASE(LINKS),
                             AK_HNSW_BASE(LINKS) * sizeof *g->base));
        AK_CHECK(ak_sink_put(s, ctx, rows->vals + i * rows->d,
                             (size_t)rows->d * sizeof *rows->vals));
        AK_CHECK(ak_sink_put(s, ctx, &label, sizeof label));
    }
    for (int64_t i = 0; i < rows->n; ++i) {
        const int64_t n = g->levels[i] * AK_HNSW_UPPER(LINKS);
        const uint32_t size = (uint32_t)n * (uint32_t)sizeof *upper;
        AK_CHECK(ak_sink_put(s, ctx, &size, sizeof size));
        AK_CHECK(ak_sink_put(s, ctx, upper, size));
        upper += n;
    }
    return AKIN_OK;
}

static akin_status write_graph(const ak_export *e, akin_ctx *ctx,
                               const graph *g)
{
    const int64_t entry = ak_hnsw_entry(g->h);
    const bytes sizes = hnswlib_sizes(e), settings = hnswlib_settings();
    bytes place = {.n = 0};
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    add_i32(&place, entry < 0 ? -1 : g->levels[entry]);
    add_i32(&place, (int32_t)entry);
    AK_TRY(ak_export_sink(e, ctx, "items.hnsw", &s));
    AK_TRY(ak_sink_put(s, ctx, sizes.at, sizes.n));
    AK_TRY(ak_sink_put(s, ctx, place.at, place.n));
    AK_TRY(ak_sink_put(s, ctx, settings.at, settings.n));
    AK_TRY(put_elements(e, ctx, s, g));
done:
    return ak_sink_close(s, ctx, st);
}

static akin_status hnswlib_write(ak_export *e, akin_ctx *ctx)
{
    graph g = {0};
    akin_status st = AKIN_OK;
    if (!ak_graph_exists())
        AK_TRY(ak_fail(ctx, AKIN_EABSENT, "this build has no hnswlib"));
    AK_TRY(make_graph(&g, ctx, e));
    AK_TRY(write_graph(e, ctx, &g));
    AK_TRY(ak_items_write_csv(e, ctx, &e->items, "items.csv", false, 0, 1));
    AK_TRY(ak_export_put_program(e, ctx));
done:
    free_graph(&g);
    return st;
}

/* Bytes that verification has no use for. */
static akin_status skip(ak_source *s, akin_ctx *ctx, size_t n)
{
    char some[1024];
    for (; n > 0; n -= n < sizeof some ? n : sizeof some)
        AK_CHECK(
            ak_source_need(s, ctx, some, n < sizeof some ? n : sizeof some));
    return AKIN_OK;
}

static akin_status hnswlib_read(ak_export *e, akin_ctx *ctx)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(begin_read(e, ctx, "items.hnsw", &s));
    const bytes sizes = hnswlib_sizes(e), settings = hnswlib_settings();
    AK_TRY(need_bytes(s, ctx, &sizes));
    AK_TRY(skip(s, ctx, 2 * sizeof(int32_t)));
    AK_TRY(need_bytes(s, ctx, &settings));
    for (int64_t i = 0; i < e->items.n; ++i) {
        bytes label = {.n = 0};
        add(&label, &e->items.ids[i], sizeof *e->items.ids);
        AK_TRY(skip(s, ctx, AK_HNSW_BASE(LINKS) * sizeof(int32_t)));
        AK_TRY(need_vector(s, ctx, e->items.rows, i));
        AK_TRY(need_bytes(s, ctx, &label));
    }
    for (int64_t i = 0; i < e->items.n; ++i) {
        uint32_t size = 0;
        AK_TRY(ak_source_need(s, ctx, &size, sizeof size));
        AK_TRY(skip(s, ctx, size));
    }
    AK_TRY(ak_source_end(s, ctx));
done:
    ak_source_close(s);
    return st;
}

static void hnswlib_limits(ak_export *e)
{
    ak_export_limit(e,
                    "hnswlib: space %s, %d links; its search is "
                    "approximate, its vectors are exact",
                    e->distance ? "l2" : "ip", LINKS);
}

const ak_engine ak_engine_hnswlib = {
    .name = "hnswlib",
    .most_dim = INT32_MAX,
    .write = hnswlib_write,
    .read = hnswlib_read,
    .limits = hnswlib_limits,
};
