/* Searching: inverted indexes, vectors, graphs.
 *
 *   bench_index inverted [ROWS [DIM [LAW [FOLDER]]]]    [200000 1000000 oxford]
 *   bench_index dense [ROWS [DIM]]                      [100000 128]
 *   bench_index hnsw [ROWS [DIM [FOLDER]]]              [20000 128]
 *
 * Bags have 300 different words; LAW is how often words are, as in bench_solis:
 * f(rank) ~ (rank + shift)^-exponent, oxford or zipf. The model is tfidf, then
 * one of 99 % zeros; queries are bags that are not in the index, one at a time,
 * the best 100 of each. ROWS 1000000 is the full size: 5 GiB, some minutes.
 * Times are those of the processor, on one thread. FOLDER is where rows and
 * queries are left for rivals/index_scipy.py. */
#include <akin/akin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "index/inverted.h"
#include "la/dense.h"
#include "model/diagonal.h"
#include "timing.h"

enum { TOP = 100, QUERIES = 200, BATCH = 256 };

static int64_t argument(int argc, char **argv, int i, int64_t otherwise)
{
    return argc > i ? atoll(argv[i]) : otherwise;
}

static akin_status leave(akin_ctx *ctx, const akin_rows *rows,
                         const char *folder, const char *name)
{
    char path[512];
    if (folder == NULL)
        return AKIN_OK;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return akin_rows_write(ctx, rows, path);
}

/* Bags of about 300 different words. */
static akin_status make_bags(akin_rows **out, akin_ctx *ctx, int64_t n,
                             int64_t d, bool zipf, uint64_t seed)
{
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    o.rows = n;
    o.dim = d;
    o.classes = 0;
    o.words = zipf ? 430 : 375;
    o.exponent = zipf ? 1.0 : 0.25;
    o.shift = zipf ? 10.0 : 100.0;
    akin_ctx_set_seed(ctx, seed);
    return akin_synth_bags(out, ctx, &o, NULL);
}

static int64_t size_of(const akin_index *x, akin_ctx *ctx)
{
    char path[] = "/tmp/bench-index-XXXXXX";
    struct stat s = {0};
    const int fd = mkstemp(path);
    if (fd < 0)
        return 0;
    close(fd);
    if (akin_index_save(ctx, x, path) != AKIN_OK || stat(path, &s) != 0)
        s.st_size = 0;
    unlink(path);
    return (int64_t)s.st_size;
}

/* Postings in the lists of a query's words that have a weight. */
static int64_t touched(const akin_index *x, akin_ctx *ctx,
                       const akin_rows *queries)
{
    const ak_inverted *v = ak_inverted_of(x);
    akin_rows *ready = NULL;
    int64_t n = 0;
    if (akin_model_prepare(&ready, ctx, akin_index_model(x), queries,
                           AKIN_LEFT) != AKIN_OK)
        return 0;
    for (int64_t k = 0; k < ready->offsets[ready->n]; ++k) {
        const int64_t t = ak_postings_term(&v->p, ready->cols[k]);
        if (t >= 0 && ak_inverted_w(v, ready->cols[k]) != 0.0)
            n += v->p.counts[t];
    }
    akin_rows_free(ready);
    return n;
}

/* Each query by itself; seconds[t]. */
static akin_status search_one_by_one(akin_ctx *ctx, const akin_index *x,
                                     const akin_rows *queries, double *seconds)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_status st = AKIN_OK;
    o.top = TOP;
    for (int64_t t = 0; t < queries->n && st == AKIN_OK; ++t) {
        akin_rows *one = NULL;
        int64_t *rows = NULL;
        double *scores = NULL;
        st = akin_rows_select(&one, ctx, queries, &t, 1);
        const double start = now();
        if (st == AKIN_OK)
            st = akin_index_search(&rows, &scores, ctx, x, one, &o);
        seconds[t] = now() - start;
        akin_free(ctx, rows);
        akin_free(ctx, scores);
        akin_rows_free(one);
    }
    return st;
}

static akin_status search_at_once(akin_ctx *ctx, const akin_index *x,
                                  const akin_rows *queries, double *seconds)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t *rows = NULL;
    double *scores = NULL;
    o.top = TOP;
    const double start = now();
    const akin_status st =
        akin_index_search(&rows, &scores, ctx, x, queries, &o);
    *seconds = now() - start;
    akin_free(ctx, rows);
    akin_free(ctx, scores);
    return st;
}

static akin_status bench_model(akin_ctx *ctx, const char *name,
                               const akin_model *m, const akin_rows *rows,
                               const akin_rows *queries)
{
    double seconds[QUERIES], all = 0.0;
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    o.prune = strcmp(name, "tfidf") != 0;
    const double start = now();
    AK_TRY(akin_index_build(&x, ctx, m, rows, &o));
    const double built = now() - start;
    const double per_query = (double)touched(x, ctx, queries) / QUERIES;
    const double count = (double)ak_inverted_of(x)->p.count;
    AK_TRY(search_one_by_one(ctx, x, queries, seconds));
    AK_TRY(search_at_once(ctx, x, queries, &all));
    const double middle = median(QUERIES, seconds);  // which sorts
    printf("{\"bench\": \"index_inverted\", \"model\": \"%s\", \"rows\": %lld, "
           "\"postings\": %.0f, \"bytes_per_posting\": %.3f, "
           "\"build_postings_per_second\": %.3g, \"postings_per_query\": %.0f, "
           "\"median_ms\": %.3f, \"p99_ms\": %.3f, \"batch_ms\": %.3f, "
           "\"batch_postings_per_second\": %.3g}\n",
           name, (long long)akin_rows_count(rows), count,
           (double)size_of(x, ctx) / count,
           (double)akin_rows_nonzeros(rows) / built, per_query, 1e3 * middle,
           1e3 * seconds[QUERIES * 99 / 100], 1e3 * all / QUERIES,
           per_query * QUERIES / all);
    fflush(stdout);
done:
    akin_index_free(x);
    return st;
}

/* tfidf with all but one weight in a hundred zero. */
static akin_status thin_out(akin_model **out, akin_ctx *ctx,
                            const akin_model *tfidf)
{
    ak_rng rng = ak_rng_new(5, AK_STREAM_SYNTH);
    const int64_t d = akin_model_dim(tfidf, AKIN_LEFT);
    double *w = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, d, &w));
    for (int64_t j = 0; j < d; ++j)
        w[j] = ak_rng_unit(&rng) < 0.01 ? ak_rng_unit(&rng) : 0.0;
    AK_TRY(ak_diagonal_new(out, ctx, d, w, AKIN_BY_DOT));
    AK_TRY(ak_model_set_recipe(*out, ctx, AKIN_LEFT,
                               akin_model_recipe(tfidf, AKIN_LEFT)));
done:
    ak_release(ctx, w);
    return st;
}

static akin_status bench_inverted(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t n = argument(argc, argv, 2, 200000);
    const int64_t d = argument(argc, argv, 3, 1000000);
    const bool zipf = argc > 4 && strcmp(argv[4], "zipf") == 0;
    const char *folder = argc > 5 ? argv[5] : NULL;
    akin_rows *rows = NULL, *queries = NULL;
    akin_model *tfidf = NULL, *sparse = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_bags(&rows, ctx, n, d, zipf, 1));
    AK_TRY(make_bags(&queries, ctx, QUERIES, d, zipf, 2));
    AK_TRY(leave(ctx, rows, folder, "rows.npz"));
    AK_TRY(leave(ctx, queries, folder, "queries.npz"));
    AK_TRY(akin_model_builtin(&tfidf, ctx, "tfidf", rows));
    AK_TRY(bench_model(ctx, "tfidf", tfidf, rows, queries));
    AK_TRY(thin_out(&sparse, ctx, tfidf));
    AK_TRY(bench_model(ctx, "sparse", sparse, rows, queries));
done:
    akin_model_free(tfidf);
    akin_model_free(sparse);
    akin_rows_free(rows);
    akin_rows_free(queries);
    return st;
}

/* Rows in 100 heaps. */
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
    ak_release(ctx, x);
    ak_release(ctx, c);
    return st;
}

/* The products alone, as large at once as they can be. */
static akin_status products(akin_ctx *ctx, const akin_rows *q,
                            const akin_rows *rows, double *seconds)
{
    float *C = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 64 * rows->n, &C));
    const double start = now();
    for (int64_t t = 0; t < q->n; t += 64)
        AK_TRY(ak_gemm_f32(ctx, 64, rows->n, rows->d, q->vals + t * q->d, q->d,
                           rows->vals, rows->d, C, rows->n));
    *seconds = now() - start;
done:
    ak_release(ctx, C);
    return st;
}

static akin_status bench_dense(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t n = argument(argc, argv, 2, 100000);
    const int64_t d = argument(argc, argv, 3, 128);
    akin_rows *rows = NULL, *q = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    double mine[3], theirs[3];
    akin_status st = AKIN_OK;
    AK_TRY(make_heaps(&rows, ctx, n, d, 1));
    AK_TRY(make_heaps(&q, ctx, BATCH, d, 2));
    AK_TRY(akin_model_builtin(&m, ctx, "euclidean", rows));
    AK_TRY(akin_index_build(&x, ctx, m, rows, NULL));
    for (int k = 0; k < 3; ++k) {
        AK_TRY(products(ctx, q, rows, &theirs[k]));
        AK_TRY(search_at_once(ctx, x, q, &mine[k]));
    }
    const double a = median(3, mine), b = median(3, theirs);
    printf("{\"bench\": \"index_dense\", \"rows\": %lld, \"dim\": %lld, "
           "\"queries\": %d, \"seconds\": %.4f, \"sgemm_seconds\": %.4f, "
           "\"of_sgemm\": %.3f}\n",
           (long long)n, (long long)d, BATCH, a, b, b / a);
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

static akin_status bench_hnsw(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t n = argument(argc, argv, 2, 20000);
    const int64_t d = argument(argc, argv, 3, 128);
    const char *folder = argc > 4 ? argv[4] : NULL;
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_rows *rows = NULL, *q = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL, *exact = NULL;
    int64_t *found[2] = {NULL};
    double *scores[2] = {NULL}, seconds[5];
    akin_status st = AKIN_OK;
    AK_TRY(make_heaps(&rows, ctx, n, d, 1));
    AK_TRY(make_heaps(&q, ctx, 1000, d, 2));
    AK_TRY(leave(ctx, rows, folder, "rows.fvecs"));
    AK_TRY(leave(ctx, q, folder, "queries.fvecs"));
    AK_TRY(akin_model_builtin(&m, ctx, "euclidean", rows));
    AK_TRY(akin_index_build(&exact, ctx, m, rows, NULL));
    o.approximate = "hnsw";
    double start = now();
    AK_TRY(akin_index_build(&x, ctx, m, rows, &o));
    const double built = now() - start;
    for (int k = 0; k < 5; ++k) {
        akin_free(ctx, found[0]);
        akin_free(ctx, scores[0]);
        start = now();
        AK_TRY(akin_index_search(&found[0], &scores[0], ctx, x, q, NULL));
        seconds[k] = now() - start;
    }
    AK_TRY(akin_index_search(&found[1], &scores[1], ctx, exact, q, NULL));
    printf("{\"bench\": \"index_hnsw\", \"rows\": %lld, \"dim\": %lld, "
           "\"build_seconds\": %.2f, \"queries_per_second\": %.0f, "
           "\"recall_at_10\": %.4f}\n",
           (long long)n, (long long)d, built, 1000.0 / median(5, seconds),
           recall(found[0], found[1], 1000, 10));
done:
    for (int k = 0; k < 2; ++k) {
        akin_free(ctx, found[k]);
        akin_free(ctx, scores[k]);
    }
    akin_index_free(x);
    akin_index_free(exact);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(q);
    return st;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "inverted";
    akin_ctx *ctx = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_threads(ctx, 1);
    const akin_status st = strcmp(what, "dense") == 0
                               ? bench_dense(ctx, argc, argv)
                           : strcmp(what, "hnsw") == 0
                               ? bench_hnsw(ctx, argc, argv)
                               : bench_inverted(ctx, argc, argv);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_index: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
