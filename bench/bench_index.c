/* Searching an inverted index.
 *
 *   bench_index inverted [ROWS [DIM [LAW [FOLDER]]]]    [200000 1000000 oxford]
 *   bench_index search INDEX QUERIES [ROUNDS]           [5]
 *   bench_index answer INDEX QUERIES
 *   bench_index keep FOLDER [ROWS [DIM [LAW]]]           [200000 100000 zipf]
 *   bench_index like FOLDER [ROUNDS [THREADS [quick]]]   [5 1]
 *
 * Bags have 300 different words. LAW is the law of word frequencies, as in
 * bench_solis: f(rank) ~ (rank + shift)^-exponent, oxford or zipf. The models
 * are tfidf and one with 99 % zeros. Queries are bags that are not in the
 * index, one at a time, the best 100 of each. ROWS 1000000 is the full size: 4
 * GiB, two minutes. FOLDER keeps rows, queries and indexes. `search` opens such
 * an index and reports the first round, in which blocks are read and compared
 * with their checksums, and the later ones. `answer` reads numbers of queries
 * from standard input, and prints the seconds of each and the rows found, for
 * rivals/index_scipy.py. `keep` writes an index of counts by square root and
 * idf, and 7 of its rows for each of 50 queries; LAW `topics` is zipf with a
 * fifth of a bag drawn from the words of one of 2000 topics, and the 7 rows are
 * of one topic; `flat` has words that are all as frequent. `like` opens it and
 * searches for the mean of each 7 rows, the best 20, then puts other weights
 * into it; with `quick` rows may be missed, and `recall` is the share of those
 * found. Times are CPU times on one thread;
 * "wall" is wall-clock time. */
#include <akin/akin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "index/inverted/inverted.h"
#include "model/diagonal.h"
#include "timing.h"

enum { TOP = 100, QUERIES = 200 };

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

/* Bags of about 300 different words; `topics`: with labels. */
static akin_status make_bags(akin_rows **out, akin_ctx *ctx, int64_t n,
                             int64_t d, const char *law, int64_t topics,
                             uint64_t seed)
{
    const bool zipf = strcmp(law, "zipf") == 0 || strcmp(law, "topics") == 0;
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    o.rows = n;
    o.dim = d;
    o.classes = topics;
    o.signal = 0.2;
    o.words = zipf ? 430 : 375;
    o.exponent = zipf ? 1.0 : strcmp(law, "flat") == 0 ? 0.0 : 0.25;
    o.shift = zipf ? 10.0 : 100.0;
    akin_ctx_set_seed(ctx, seed);
    return akin_synth_bags(out, ctx, NULL, &o);
}

/* Bytes of the file; it is kept if a folder is given. */
static int64_t size_of(const akin_index *x, akin_ctx *ctx, const char *folder,
                       const char *name)
{
    char path[512] = "/tmp/bench-index-XXXXXX";
    struct stat s = {0};
    const int fd = folder ? -1 : mkstemp(path);
    if (folder)
        snprintf(path, sizeof path, "%s/%s.index", folder, name);
    else if (fd < 0)
        return 0;
    if (akin_index_save(ctx, x, path) != AKIN_OK || stat(path, &s) != 0)
        s.st_size = 0;
    if (fd >= 0) {
        close(fd);
        unlink(path);
    }
    return (int64_t)s.st_size;
}

/* Peak memory so far, in MiB. */
static double peak(void)
{
    struct rusage u;
    getrusage(RUSAGE_SELF, &u);
    return (double)u.ru_maxrss / 1024.0;
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

/* CPU seconds and wall-clock seconds. */
typedef struct spent {
    double processor, wall;
} spent;

static spent spent_now(void)
{
    return (spent){now(), seconds_of(CLOCK_MONOTONIC)};
}

static akin_status search_one(akin_ctx *ctx, const akin_index *x,
                              const akin_rows *queries, int64_t t,
                              spent *seconds, int64_t **found)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *one = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    o.top = TOP;
    AK_TRY(akin_rows_select(&one, ctx, queries, &t, 1));
    const spent start = spent_now();
    AK_TRY(akin_index_search(found, &scores, ctx, x, one, &o));
    const spent end = spent_now();
    *seconds = (spent){end.processor - start.processor, end.wall - start.wall};
done:
    akin_free(scores);
    akin_rows_free(one);
    return st;
}

/* One query at a time. */
static akin_status search_one_by_one(akin_ctx *ctx, const akin_index *x,
                                     const akin_rows *queries,
                                     double *processor, double *wall)
{
    akin_status st = AKIN_OK;
    for (int64_t t = 0; t < queries->n && st == AKIN_OK; ++t) {
        int64_t *rows = NULL;
        spent s = {0};
        st = search_one(ctx, x, queries, t, &s, &rows);
        processor[t] = s.processor;
        wall[t] = s.wall;
        akin_free(rows);
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
    akin_free(rows);
    akin_free(scores);
    return st;
}

static void print_times(int64_t n, double *processor, double *wall)
{
    const double middle = median((int)n, processor);  // which sorts
    const double by_clock = median((int)n, wall);
    printf("\"median_ms\": %.3f, \"p99_ms\": %.3f, \"wall_median_ms\": %.3f, "
           "\"wall_p99_ms\": %.3f",
           1e3 * middle, 1e3 * processor[n * 99 / 100], 1e3 * by_clock,
           1e3 * wall[n * 99 / 100]);
}

static akin_status bench_model(akin_ctx *ctx, const char *name,
                               const akin_model *m, const akin_rows *rows,
                               const akin_rows *queries, const char *folder)
{
    double seconds[QUERIES], wall[QUERIES], all = 0.0;
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    o.prune = strcmp(name, "tfidf") != 0;
    const double start = now();
    AK_TRY(akin_index_build(&x, ctx, m, rows, &o));
    const double built = now() - start;
    const double memory = peak();
    const double per_query = (double)touched(x, ctx, queries) / QUERIES;
    const double count = (double)ak_inverted_of(x)->p.count;
    AK_TRY(search_one_by_one(ctx, x, queries, seconds, wall));
    AK_TRY(search_at_once(ctx, x, queries, &all));
    printf("{\"bench\": \"index_inverted\", \"model\": \"%s\", \"rows\": %lld, "
           "\"postings\": %.0f, \"bytes_per_posting\": %.3f, "
           "\"build_postings_per_second\": %.3g, \"peak_mib\": %.0f, "
           "\"postings_per_query\": %.0f, ",
           name, (long long)akin_rows_count(rows), count,
           (double)size_of(x, ctx, folder, name) / count,
           (double)akin_rows_nonzeros(rows) / built, memory, per_query);
    print_times(QUERIES, seconds, wall);
    printf(", \"batch_ms\": %.3f, \"batch_postings_per_second\": %.3g}\n",
           1e3 * all / QUERIES, per_query * QUERIES / all);
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
    akin_free(w);
    return st;
}

static akin_status bench_inverted(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t n = argument(argc, argv, 2, 200000);
    const int64_t d = argument(argc, argv, 3, 1000000);
    const char *law = argc > 4 ? argv[4] : "oxford";
    const char *folder = argc > 5 ? argv[5] : NULL;
    akin_rows *rows = NULL, *queries = NULL;
    akin_model *tfidf = NULL, *sparse = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_bags(&rows, ctx, n, d, law, 0, 1));
    AK_TRY(make_bags(&queries, ctx, QUERIES, d, law, 0, 2));
    AK_TRY(leave(ctx, rows, folder, "rows.npz"));
    AK_TRY(leave(ctx, queries, folder, "queries.npz"));
    AK_TRY(akin_model_builtin(&tfidf, ctx, "tfidf", rows));
    AK_TRY(bench_model(ctx, "tfidf", tfidf, rows, queries, folder));
    AK_TRY(thin_out(&sparse, ctx, tfidf));
    AK_TRY(bench_model(ctx, "sparse", sparse, rows, queries, folder));
done:
    akin_model_free(tfidf);
    akin_model_free(sparse);
    akin_rows_free(rows);
    akin_rows_free(queries);
    return st;
}

static akin_status open_both(akin_ctx *ctx, char **argv, akin_index **x,
                             akin_rows **queries)
{
    akin_read_options o = AKIN_READ_DEFAULTS;
    akin_status st = AKIN_OK;
    AK_TRY(akin_index_load(x, ctx, argv[2]));
    o.dim = akin_model_dim(akin_index_model(*x), AKIN_LEFT);
    AK_TRY(akin_rows_read(queries, ctx, argv[3], &o));
done:
    return st;
}

static void print_round(const char *round, int64_t n, double *times)
{
    printf("{\"bench\": \"index_search\", \"round\": \"%s\", ", round);
    print_times(n, times, times + n);
    printf("}\n");
}

/* The minimum of each query over the rounds after the first: its time on an
 * idle machine. */
static akin_status bench_search(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t rounds = argument(argc, argv, 4, 5);
    double *times = NULL, *least = NULL;  // CPU, then wall-clock
    akin_rows *queries = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    const double start = now();
    AK_TRY(open_both(ctx, argv, &x, &queries));
    printf("{\"bench\": \"index_open\", \"seconds\": %.3f}\n", now() - start);
    const int64_t n = queries->n;
    AK_TRY(AK_NEW(ctx, 2 * n, &times));
    AK_TRY(AK_NEW(ctx, 2 * n, &least));
    for (int64_t k = 0; k < rounds; ++k) {
        AK_TRY(search_one_by_one(ctx, x, queries, times, times + n));
        for (int64_t t = 0; t < 2 * n; ++t)
            least[t] = k < 2 ? times[t] : fmin(least[t], times[t]);
        if (k < 2)
            print_round(k == 0 ? "first" : "second", n, times);
    }
    print_round("least", n, least);
done:
    akin_free(times);
    akin_free(least);
    akin_index_free(x);
    akin_rows_free(queries);
    return st;
}

static akin_status answer(akin_ctx *ctx, char **argv)
{
    akin_rows *queries = NULL;
    akin_index *x = NULL;
    long long t;
    akin_status st = AKIN_OK;
    AK_TRY(open_both(ctx, argv, &x, &queries));
    while (scanf("%lld", &t) == 1 && t >= 0 && t < queries->n) {
        int64_t *rows = NULL;
        spent s = {0};
        AK_TRY(search_one(ctx, x, queries, t, &s, &rows));
        printf("%.9f %.9f", s.processor, s.wall);
        for (int k = 0; k < TOP; ++k)
            printf(" %lld", (long long)rows[k]);
        printf("\n");
        fflush(stdout);
        akin_free(rows);
    }
done:
    akin_index_free(x);
    akin_rows_free(queries);
    return st;
}

/* ---- queries of several rows ---- */

enum { LIKES = 50, EXAMPLES = 7, LIKE_TOP = 20 };

static int64_t topic_of(const akin_rows *rows, int64_t i)
{
    const int32_t *labels;
    return akin_rows_labels(&labels, rows, i) > 0 ? labels[0] : 0;
}

/* The rows of all queries: any, or of one topic for each query. */
static void choose_examples(const akin_rows *rows, bool topics, int64_t *which)
{
    ak_rng rng = ak_rng_new(11, AK_STREAM_SYNTH);
    const int64_t n = akin_rows_count(rows);
    for (int64_t t = 0; t < LIKES; ++t) {
        int64_t at = ak_rng_below(&rng, n);
        const int64_t topic = topics ? topic_of(rows, at) : 0;
        for (int k = 0; k < EXAMPLES; ++k) {
            while (topics && topic_of(rows, at) != topic)
                at = (at + 1) % n;
            which[t * EXAMPLES + k] = at;
            at = topics ? (at + 1) % n : ak_rng_below(&rng, n);
        }
    }
}

static akin_status sqrt_idf(akin_model **out, akin_ctx *ctx,
                            const akin_rows *rows)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_recipe *recipe = NULL;
    akin_status st = AKIN_OK;
    o.weights = "sqrt-idf";
    o.norm = "l2";
    AK_TRY(akin_recipe_fit(&recipe, ctx, rows, &o));
    AK_TRY(ak_diagonal_new(out, ctx, akin_rows_dim(rows), NULL, AKIN_BY_DOT));
    AK_TRY(ak_model_set_recipe(*out, ctx, AKIN_LEFT, recipe));
done:
    akin_recipe_free(recipe);
    return st;
}

static akin_status keep(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t n = argument(argc, argv, 3, 200000);
    const int64_t d = argument(argc, argv, 4, 100000);
    const char *law = argc > 5 ? argv[5] : "zipf";
    const bool topics = strcmp(law, "topics") == 0;
    int64_t which[LIKES * EXAMPLES];
    akin_rows *rows = NULL, *queries = NULL;
    akin_model *m = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_bags(&rows, ctx, n, d, law, topics ? 2000 : 0, 1));
    choose_examples(rows, topics, which);
    AK_TRY(akin_rows_select(&queries, ctx, rows, which, LIKES * EXAMPLES));
    AK_TRY(leave(ctx, queries, argv[2], "examples.npz"));
    AK_TRY(sqrt_idf(&m, ctx, rows));
    const double start = now();
    AK_TRY(akin_index_build(&x, ctx, m, rows, NULL));
    printf("{\"bench\": \"index_keep\", \"law\": \"%s\", \"rows\": %lld, "
           "\"dim\": %lld, \"postings\": %lld, \"build_seconds\": %.1f, "
           "\"bytes\": %lld}\n",
           law, (long long)n, (long long)d, (long long)akin_index_postings(x),
           now() - start, (long long)size_of(x, ctx, argv[2], "like"));
done:
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(queries);
    return st;
}

/* The mean of the examples of query t; `best` gets the rows found. */
static akin_status search_like(akin_ctx *ctx, const akin_index *x,
                               const akin_rows *examples, int64_t t, bool quick,
                               int64_t *best, spent *seconds)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t which[EXAMPLES], *found = NULL;
    akin_rows *some = NULL;
    double *scores = NULL;
    akin_status st = AKIN_OK;
    for (int k = 0; k < EXAMPLES; ++k)
        which[k] = t * EXAMPLES + k;
    AK_TRY(akin_rows_select(&some, ctx, examples, which, EXAMPLES));
    o.top = LIKE_TOP;
    o.like_rows = some;
    o.approximate = quick;
    const spent start = spent_now();
    AK_TRY(akin_index_search(&found, &scores, ctx, x, NULL, &o));
    const spent end = spent_now();
    *seconds = (spent){end.processor - start.processor, end.wall - start.wall};
    memcpy(best, found, LIKE_TOP * sizeof *best);
done:
    akin_free(found);
    akin_free(scores);
    akin_rows_free(some);
    return st;
}

/* Other weights, and how they get into the index. */
static akin_status bench_swap(akin_ctx *ctx, akin_index *x)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(thin_out(&m, ctx, akin_index_model(x)));
    const spent start = spent_now();
    AK_TRY(akin_index_set_model(ctx, x, m));
    const spent end = spent_now();
    printf("{\"bench\": \"index_set_model\", \"ms\": %.3f, "
           "\"wall_ms\": %.3f}\n",
           1e3 * (end.processor - start.processor),
           1e3 * (end.wall - start.wall));
done:
    akin_model_free(m);
    return st;
}

/* The share of the best rows that a search finds which may miss some. */
static akin_status bench_recall(akin_ctx *ctx, const akin_index *x,
                                const akin_rows *examples)
{
    int64_t same = 0;
    for (int64_t t = 0; t < LIKES; ++t) {
        int64_t exact[LIKE_TOP], found[LIKE_TOP];
        spent s;
        AK_CHECK(search_like(ctx, x, examples, t, false, exact, &s));
        AK_CHECK(search_like(ctx, x, examples, t, true, found, &s));
        for (int i = 0; i < LIKE_TOP; ++i)
            for (int k = 0; k < LIKE_TOP; ++k)
                same += exact[i] == found[k];
    }
    printf("{\"bench\": \"index_recall\", \"recall\": %.4f}\n",
           (double)same / (LIKES * LIKE_TOP));
    return AKIN_OK;
}

/* As bench_search: the minimum over the rounds after the first. */
static akin_status bench_like(akin_ctx *ctx, int argc, char **argv)
{
    const int64_t rounds = argument(argc, argv, 3, 5);
    const int64_t threads = argument(argc, argv, 4, 1);
    const bool quick = argc > 5 && strcmp(argv[5], "quick") == 0;
    double times[2 * LIKES], least[2 * LIKES];
    int64_t best[LIKE_TOP];
    akin_read_options o = AKIN_READ_DEFAULTS;
    char path[512];
    akin_rows *examples = NULL;
    akin_index *x = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, (int)threads);
    snprintf(path, sizeof path, "%s/like.index", argv[2]);
    const spent start = spent_now();
    AK_TRY(akin_index_load(&x, ctx, path));
    printf("{\"bench\": \"index_open\", \"wall_seconds\": %.3f}\n",
           spent_now().wall - start.wall);
    o.dim = akin_model_dim(akin_index_model(x), AKIN_LEFT);
    snprintf(path, sizeof path, "%s/examples.npz", argv[2]);
    AK_TRY(akin_rows_read(&examples, ctx, path, &o));
    for (int64_t k = 0; k < rounds; ++k) {
        for (int64_t t = 0; t < LIKES; ++t) {
            spent s = {0};
            AK_TRY(search_like(ctx, x, examples, t, quick, best, &s));
            times[t] = s.processor;
            times[LIKES + t] = s.wall;
        }
        for (int64_t t = 0; t < 2 * LIKES; ++t)
            least[t] = k < 2 ? times[t] : fmin(least[t], times[t]);
        if (k < 2)
            print_round(k == 0 ? "first" : "second", LIKES, times);
    }
    print_round("least", LIKES, least);
    if (quick)
        AK_TRY(bench_recall(ctx, x, examples));
    AK_TRY(bench_swap(ctx, x));
done:
    akin_index_free(x);
    akin_rows_free(examples);
    return st;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "inverted";
    akin_ctx *ctx = NULL;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_threads(ctx, 1);
    akin_status st = AKIN_EINVAL;
    if (strcmp(what, "inverted") == 0)
        st = bench_inverted(ctx, argc, argv);
    else if (strcmp(what, "search") == 0 && argc > 3)
        st = bench_search(ctx, argc, argv);
    else if (strcmp(what, "answer") == 0 && argc > 3)
        st = answer(ctx, argv);
    else if (strcmp(what, "keep") == 0 && argc > 2)
        st = keep(ctx, argc, argv);
    else if (strcmp(what, "like") == 0 && argc > 2)
        st = bench_like(ctx, argc, argv);
    else
        ak_fail(ctx, st,
                "inverted, search, answer, keep or like (see the "
                "source)");
    if (st != AKIN_OK)
        fprintf(stderr, "bench_index: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
