/* Retrieval of sparse rows among themselves: mean average precision by cosine.
 *
 *   bench_eval [ROWS [DIM [WORDS [THREADS [FILE.svm]]]]]
 *
 * Bags of WORDS words, as akin_synth_bags draws them: frequencies are a power
 * law, f(rank) ~ 1 / (rank + 10), and there are 100 classes. The default,
 * 20000 bags of 430 words out of 100000, has 300 different words in a bag.
 * FILE.svm is where the rows are written, for rivals/eval_scipy.py. */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>

static int64_t argument(int argc, char **argv, int i, int64_t otherwise)
{
    return argc > i ? atoll(argv[i]) : otherwise;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static akin_status measure(akin_ctx *ctx, const akin_synth_bags_options *o,
                           const char *path)
{
    akin_rows *rows = NULL;
    akin_model *m = NULL;
    akin_retrieval got;
    struct rusage used;
    double start = 0.0;
    akin_status st = akin_synth_bags(&rows, ctx, NULL, o);
    if (st == AKIN_OK && path)
        st = akin_rows_write(ctx, rows, path);
    if (st == AKIN_OK)
        st = akin_model_builtin(&m, ctx, "cosine", rows);
    start = now();
    if (st == AKIN_OK)
        st = akin_eval_retrieval(&got, NULL, ctx, m, rows, NULL);
    getrusage(RUSAGE_SELF, &used);
    if (st == AKIN_OK)
        printf("{\"bench\": \"eval\", \"rows\": %lld, \"dim\": %lld, "
               "\"nonzeros\": %lld, \"threads\": %lld, \"seconds\": %.3f, "
               "\"peak_rss_mib\": %.0f, \"map\": %.10f}\n",
               (long long)o->rows, (long long)o->dim,
               (long long)akin_rows_nonzeros(rows),
               (long long)akin_ctx_threads(ctx), now() - start,
               (double)used.ru_maxrss / 1024.0, got.map);
    akin_rows_free(rows);
    akin_model_free(m);
    return st;
}

int main(int argc, char **argv)
{
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_ctx *ctx = NULL;
    o.rows = argument(argc, argv, 1, 20000);
    o.dim = argument(argc, argv, 2, 100000);
    o.words = argument(argc, argv, 3, 430);
    o.classes = 100;
    if (akin_ctx_new(&ctx, NULL) != AKIN_OK)
        return 1;
    akin_ctx_set_threads(ctx, argument(argc, argv, 4, 2));
    const akin_status st = measure(ctx, &o, argc > 5 ? argv[5] : NULL);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_eval: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
