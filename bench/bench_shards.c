/* An index, in shards or not, searched by one query at a time on one thread:
 *   bench_shards INDEX QUERIES.svm [ROUNDS]
 * Times are those of the processor, the least of some rounds for each query, so
 * that other work on the machine counts little. */
#include <akin/index.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

#include "timing.h"

enum { TOP = 10 };

static double search_one(akin_ctx *ctx, const akin_index *x,
                         const akin_rows *query)
{
    const akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t *rows = NULL;
    double *scores = NULL;
    const double start = now();
    if (akin_index_search(&rows, &scores, ctx, x, query, &o) != AKIN_OK) {
        fprintf(stderr, "%s\n", akin_ctx_message(ctx));
        exit(1);
    }
    const double seconds = now() - start;
    akin_free(rows);
    akin_free(scores);
    return seconds;
}

/* Least times of all queries, increasing. */
static void measure(akin_ctx *ctx, const akin_index *x,
                    const akin_rows *queries, int rounds, double *least)
{
    const int64_t n = akin_rows_count(queries);
    for (int r = 0; r < rounds; ++r)
        for (int64_t t = 0; t < n; ++t) {
            akin_rows *one = NULL;
            if (akin_rows_select(&one, ctx, queries, &t, 1) != AKIN_OK)
                exit(1);
            const double seconds = search_one(ctx, x, one);
            least[t] = r == 0 || seconds < least[t] ? seconds : least[t];
            akin_rows_free(one);
        }
    qsort(least, (size_t)n, sizeof *least, by_value);
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    akin_index *x = NULL;
    akin_rows *queries = NULL;
    akin_read_options o = AKIN_READ_DEFAULTS;
    struct rusage used;
    if (argc < 3 || akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 2;
    akin_ctx_set_threads(ctx, 1);
    const double start = now();
    if (akin_index_load(&x, ctx, argv[1]) != AKIN_OK)
        return fprintf(stderr, "%s\n", akin_ctx_message(ctx)), 1;
    const double loading = now() - start;
    o.index_base = akin_index_base(x);
    o.dim = akin_model_dim(akin_index_model(x), AKIN_LEFT);
    if (akin_rows_read(&queries, ctx, argv[2], &o) != AKIN_OK)
        return fprintf(stderr, "%s\n", akin_ctx_message(ctx)), 1;
    const int64_t n = akin_rows_count(queries);
    double *least = calloc((size_t)n, sizeof *least);
    measure(ctx, x, queries, argc > 3 ? atoi(argv[3]) : 3, least);
    getrusage(RUSAGE_SELF, &used);
    printf("{\"rows\": %lld, \"postings\": %lld, \"queries\": %lld, "
           "\"load_seconds\": %.3f, \"p50_ms\": %.3f, \"p99_ms\": %.3f, "
           "\"peak_rss_mib\": %.1f}\n",
           (long long)akin_index_count(x), (long long)akin_index_postings(x),
           (long long)n, loading, 1e3 * least[n / 2], 1e3 * least[n * 99 / 100],
           (double)used.ru_maxrss / 1024.0);
    free(least);
    akin_rows_free(queries);
    akin_index_free(x);
    akin_ctx_free(ctx);
    return 0;
}
