/* Metrics from raw rows, on one thread: CPU seconds, the objective, and M.
 *
 *   bench_metric itml ROWS.npy PAIRS [OPTION=VALUE ...]
 *   bench_metric lmnn ROWS.npy LABELS [OPTION=VALUE ...]
 *
 * rivals/metric_numpy.py writes the files and compares. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "akin/akin.h"
#include "model/metric.h"
#include "timing.h"

static void print(const char *learner, const akin_model *m,
                  const akin_learn_info *info, double seconds)
{
    const int64_t d = akin_model_dim(m, AKIN_LEFT);
    printf("{\"bench\": \"%s\", \"seconds\": %.4f, \"objective\": %.12g, "
           "\"iterations\": %lld, \"converged\": %s, \"M\": [",
           learner, seconds, info->objective, (long long)info->iterations,
           info->outcome == AKIN_CONVERGED ? "true" : "false");
    for (int64_t k = 0; k < d * d; ++k)
        printf("%s%.17g", k ? "," : "", ak_metric_M(m)[k]);
    printf("]}\n");
}

/* One OPTION=VALUE; the argument is split in place. */
static akin_status set(akin_options *o, akin_ctx *ctx, char *word)
{
    char *value = strchr(word, '=');
    if (value == NULL)
        return AKIN_EINVAL;
    *value = '\0';
    return akin_options_set(ctx, o, word, value + 1);
}

static akin_status learn(akin_ctx *ctx, const akin_supervision *data,
                         const char *learner, char **words)
{
    akin_options *o = NULL;
    akin_model *m = NULL;
    akin_learn_info info;
    double seconds = 0.0;
    akin_status st = akin_options_new(&o, ctx, learner);
    for (; st == AKIN_OK && *words != NULL; ++words)
        st = set(o, ctx, *words);
    if (st == AKIN_OK) {
        const double began = now();
        st = akin_learn(&m, ctx, o, data, &info);
        seconds = now() - began;
    }
    if (st == AKIN_OK)
        print(learner, m, &info, seconds);
    akin_model_free(m);
    akin_options_free(o);
    return st;
}

static akin_status run(akin_ctx *ctx, char **argv)
{
    const int pairs = strcmp(argv[1], "itml") == 0;
    akin_read_options read = AKIN_READ_DEFAULTS;
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    if (!pairs)
        read.labels = argv[3];
    akin_status st = akin_rows_read(&rows, ctx, argv[2], &read);
    if (st == AKIN_OK)
        st = akin_supervision_new(&data, ctx, rows, NULL, NULL);
    if (st == AKIN_OK && pairs)
        st = akin_supervision_read(ctx, data, AKIN_PAIRS, argv[3]);
    if (st == AKIN_OK)
        st = learn(ctx, data, argv[1], argv + 4);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    if (argc < 4 || akin_ctx_new(&ctx, NULL) != AKIN_OK) {
        fprintf(stderr, "usage: bench_metric itml|lmnn ROWS.npy FILE ...\n");
        return 2;
    }
    akin_ctx_set_threads(ctx, 1);
    const akin_status st = run(ctx, argv);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_metric: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
