/* Search among vectors, exact and by a graph.
 *
 *   bench_dense exact [ROWS [DIM [QUERIES]]]        [100000 128 256]
 *   bench_dense hnsw [ROWS [DIM]]                   [20000 128]
 *
 * Vectors form 100 clusters. `exact` finds the best 10 and the best 100. It
 * compares with sgemm alone, without selection: 64 queries with all rows at
 * once, and 256 queries with 1024 rows at a time, as the search does. `hnsw`
 * compares with hnswlib called directly with the same vectors, links and effort
 * (hnsw_direct.cc); the two alternate. Times are CPU times on one thread.
 */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "data/rows.h"
#include "hnsw_direct.h"
#include "la/dense.h"
#include "timing.h"

enum { TOP = 10, TURNS = 15, ASKED = 1000 };

static int64_t argument(int argc, char **argv, int i, int64_t otherwise)
{
    return argc > i ? atoll(argv[i]) : otherwise;
}

/* Rows in 100 clusters. */
static akin_status make_heaps(akin_rows **out, akin_ctx *ctx, int64_t n,
                              int64_t d, uint64_t seed)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    ak_rng centres = ak_rng_new(99, AK_STREAM_SYNTH);
    float *x = NULL, *c = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n * d, &x));
    AK_TRY(AK_NEW(ctx, 100 * d, &c));
    for (int64_t i = 0; i < 100 * d; ++i)
        c[i] = (float)ak_rng_normal(&centres);
    for (int64_t i = 0; i < n; ++i) {
        const int64_t heap = ak_rng_below(&rng, 100);
        for (int64_t j = 0; j < d; ++j)
            x[i * d + j] = c[heap * d + j] + (float)(0.7 * ak_rng_normal(&rng));
    }
    AK_TRY(akin_rows_new_dense(out, ctx, n, d, x));
done:
    akin_free(x);
    akin_free(c);
    return st;
}

/* The matrix products alone, in blocks of queries and rows. */
static akin_status products(akin_ctx *ctx, const akin_rows *q,
                            const akin_rows *rows, int64_t queries,
                            int64_t chunk, double *seconds)
{
    float *C = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, queries * chunk, &C));
    memset(C, 1, (size_t)(queries * chunk) * sizeof *C);  // touches the pages
    const double start = now();
    for (int64_t t = 0; t < q->n; t += queries)
        for (int64_t i = 0; i < rows->n; i += chunk)
            AK_TRY(ak_gemm_f32(ctx, ak_min_i64(queries, q->n - t),
                               ak_min_i64(chunk, rows->n - i), rows->d,
                               q->vals + t * q->d, q->d, rows->vals + i * q->d,
                               q->d, C, chunk));
    *seconds = now() - start;
done:
    akin_free(C);
    return st;
}

/* The ratio within each turn: a disturbance affects both sides. */
static double median_ratio(const double *theirs, const double *mine)
{
    double ratio[TURNS];
    for (int k = 0; k < TURNS; ++k)
        ratio[k] = theirs[k] / mine[k];
    return median(TURNS, ratio);
}

/* The nearest rows of all queries by the index. */
static akin_status search(akin_ctx *ctx, const akin_index *x,
                          const akin_rows *queries, int64_t top, int64_t *found,
                          double *seconds)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t *rows = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    o.top = top;
    const double start = now();
    AK_TRY(akin_index_search(&rows, &scores, ctx, x, queries, &o));
    *seconds = now() - start;
    if (found != NULL)
        memcpy(found, rows,
               (size_t)(akin_rows_count(queries) * top) * sizeof *rows);
done:
    akin_free(rows);
    akin_free(scores);
    return st;
}

static akin_status bench_exact(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t n = argument(argc, argv, 2, 100000);
    const int64_t d = argument(argc, argv, 3, 128);
    const int64_t asked = argument(argc, argv, 4, 256);
    akin_rows *rows = NULL, *q = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    double mine[TURNS], whole[TURNS], chunks[TURNS];
    akin_status st = AKIN_OK;
    AK_TRY(make_heaps(&rows, ctx, n, d, 1));
    AK_TRY(make_heaps(&q, ctx, asked, d, 2));
    AK_TRY(akin_model_builtin(&m, ctx, "euclidean", rows));
    AK_TRY(akin_index_build(&x, ctx, m, rows, NULL));
    for (int64_t top = 10; top <= 100; top *= 10) {
        for (int k = 0; k < TURNS; ++k) {
            AK_TRY(products(ctx, q, rows, 64, n, &whole[k]));
            AK_TRY(search(ctx, x, q, top, NULL, &mine[k]));
            AK_TRY(products(ctx, q, rows, 256, 1024, &chunks[k]));
        }
        printf("{\"bench\": \"dense_exact\", \"rows\": %lld, \"dim\": %lld, "
               "\"queries\": %lld, \"top\": %lld, \"of_sgemm\": %.3f, "
               "\"of_sgemm_in_chunks\": %.3f, \"seconds\": %.4f}\n",
               (long long)n, (long long)d, (long long)asked, (long long)top,
               median_ratio(whole, mine), median_ratio(chunks, mine),
               median(TURNS, mine));
    }
done:
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(q);
    return st;
}

static double recall(const int64_t *a, const int64_t *b, int64_t n, int64_t top)
{
    int64_t hits = 0;
    for (int64_t i = 0; i < n * top; ++i)
        for (int64_t j = i / top * top; j < i / top * top + top; ++j)
            hits += a[i] == b[j];
    return (double)hits / (double)(n * top);
}

/* The graph of akin, that of hnswlib, and exact search. */
typedef struct graphs {
    akin_rows *rows, *queries;
    akin_model *m;
    akin_index *x, *exact;
    hnsw_direct *direct;
    double built, built_direct;
    int64_t found[3][ASKED * TOP];
} graphs;

static akin_status build_graphs(graphs *g, akin_ctx *ctx, int64_t n, int64_t d)
{
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_status st = AKIN_OK;
    AK_TRY(make_heaps(&g->rows, ctx, n, d, 1));
    AK_TRY(make_heaps(&g->queries, ctx, ASKED, d, 2));
    AK_TRY(akin_model_builtin(&g->m, ctx, "euclidean", g->rows));
    AK_TRY(akin_index_build(&g->exact, ctx, g->m, g->rows, NULL));
    o.approximate = "hnsw";
    double start = now();
    AK_TRY(akin_index_build(&g->x, ctx, g->m, g->rows, &o));
    g->built = now() - start;
    start = now();
    g->direct = hnsw_direct_new(d, n, g->rows->vals, o.links, o.effort);
    g->built_direct = now() - start;
done:
    return st;
}

static akin_status bench_hnsw(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t n = argument(argc, argv, 2, 20000);
    const int64_t d = argument(argc, argv, 3, 128);
    static graphs g;
    double mine[TURNS], theirs[TURNS], ignored;
    akin_status st = AKIN_OK;
    AK_TRY(build_graphs(&g, ctx, n, d));
    AK_TRY(search(ctx, g.exact, g.queries, TOP, g.found[2], &ignored));
    for (int k = 0; k < TURNS; ++k) {
        AK_TRY(search(ctx, g.x, g.queries, TOP, g.found[0], &mine[k]));
        const double start = now();
        hnsw_direct_search(g.direct, ASKED, g.queries->vals, TOP, 128,
                           g.found[1]);
        theirs[k] = now() - start;
    }
    const double ratio = median_ratio(theirs, mine);
    printf("{\"bench\": \"dense_hnsw\", \"rows\": %lld, \"dim\": %lld, "
           "\"build_seconds\": %.2f, \"queries_per_second\": %.0f, "
           "\"recall_at_10\": %.4f, \"direct_build_seconds\": %.2f, "
           "\"direct_queries_per_second\": %.0f, "
           "\"direct_recall_at_10\": %.4f, \"of_direct\": %.3f}\n",
           (long long)n, (long long)d, g.built, ASKED / median(TURNS, mine),
           recall(g.found[0], g.found[2], ASKED, TOP), g.built_direct,
           ASKED / median(TURNS, theirs),
           recall(g.found[1], g.found[2], ASKED, TOP), ratio);
done:
    hnsw_direct_free(g.direct);
    akin_index_free(g.x);
    akin_index_free(g.exact);
    akin_model_free(g.m);
    akin_rows_free(g.rows);
    akin_rows_free(g.queries);
    return st;
}

int main(int argc, char **argv)
{
    const bool graph = argc > 1 && strcmp(argv[1], "hnsw") == 0;
    akin_ctx *ctx = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_threads(ctx, 1);
    const akin_status st = graph ? bench_hnsw(ctx, argc, argv)
                                 : bench_exact(ctx, argc, argv);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_dense: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
