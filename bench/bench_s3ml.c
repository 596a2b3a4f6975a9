/* s3ml on rows of NUS-WIDE's shape, from the rows to the metric: one JSON line
 * with wall-clock and CPU seconds of each part, and the peak memory.
 *
 *   bench_s3ml [ROWS [COLUMNS [LABELLED [THREADS]]]]   [270000 225 1000 2]
 *
 * Rows of 81 classes, each a mean, FACTORS directions that all share, and
 * noise. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "akin/akin.h"
#include "base/ctx.h"
#include "base/rng.h"
#include "timing.h"

enum { CLASSES = 81, FACTORS = 20, WIDEST = 1024, PARTS = 4 };

/* Names of the parts in progress reports; the last is the rest of the run. */
static const char *const parts[PARTS] = {"neighbours", "affinities", "columns",
                                         "solve"};

typedef struct clocks {
    double clock, cpu;  // when the callback was last called
    double spent[PARTS][2];
} clocks;

static void spend(clocks *c, int part)
{
    const double clock = seconds_of(CLOCK_MONOTONIC), cpu = now();
    c->spent[part][0] += clock - c->clock;
    c->spent[part][1] += cpu - c->cpu;
    c->clock = clock;
    c->cpu = cpu;
}

static int on_progress(void *user, const akin_progress *p)
{
    for (int i = 0; i < PARTS - 1; ++i)
        if (strcmp(p->what, parts[i]) == 0)
            spend(user, i);
    return 0;
}

static void fill(int64_t n, int64_t d, float *X, int32_t *label,
                 int64_t labelled)
{
    static float mean[CLASSES][WIDEST], factor[FACTORS][WIDEST];
    ak_rng r = ak_rng_new(1, AK_STREAM_SYNTH);
    for (int64_t k = 0; k < CLASSES * WIDEST; ++k)
        mean[k / WIDEST][k % WIDEST] = (float)(0.5 * ak_rng_normal(&r));
    for (int64_t k = 0; k < FACTORS * WIDEST; ++k)
        factor[k / WIDEST][k % WIDEST] =
            (float)(ak_rng_normal(&r) / sqrt(FACTORS));
    for (int64_t i = 0; i < n; ++i) {
        float *x = X + i * d;
        const int64_t class = ak_rng_below(&r, CLASSES);
        label[i] = i < labelled ? (int32_t) class : -1;
        for (int64_t j = 0; j < d; ++j)
            x[j] = mean[class][j] + (float)(0.2 * ak_rng_normal(&r));
        for (int64_t f = 0; f < FACTORS; ++f) {
            const float z = (float)ak_rng_normal(&r);
            for (int64_t j = 0; j < d; ++j)
                x[j] += z * factor[f][j];
        }
    }
}

static akin_status draw(akin_rows **out, akin_ctx *ctx, const int64_t *size)
{
    const int64_t n = size[0], d = size[1];
    static char text[CLASSES][8];
    const char *names[CLASSES];
    float *X = NULL;
    int32_t *label = NULL;
    akin_status st = AKIN_OK;
    for (int c = 0; c < CLASSES; ++c) {
        snprintf(text[c], sizeof text[c], "c%02d", c);
        names[c] = text[c];
    }
    AK_TRY(AK_NEW(ctx, n * d, &X));
    AK_TRY(AK_NEW(ctx, n, &label));
    fill(n, d, X, label, size[2]);
    AK_TRY(akin_rows_new_dense(out, ctx, n, d, X));
    AK_TRY(akin_rows_set_labels(ctx, *out, label, names, CLASSES));
done:
    akin_free(X);
    akin_free(label);
    return st;
}

static void print(const int64_t *size, const clocks *c,
                  const akin_learn_info *info)
{
    struct rusage use;
    double clock = 0.0, cpu = 0.0;
    getrusage(RUSAGE_SELF, &use);
    printf("{\"bench\": \"s3ml\", \"rows\": %lld, \"columns\": %lld, "
           "\"labelled\": %lld, \"threads\": %lld",
           (long long)size[0], (long long)size[1], (long long)size[2],
           (long long)size[3]);
    for (int i = 0; i < PARTS; ++i) {
        if (c->spent[i][0] > 0.0)
            printf(", \"%s\": [%.2f, %.2f]", parts[i], c->spent[i][0],
                   c->spent[i][1]);
        clock += c->spent[i][0];
        cpu += c->spent[i][1];
    }
    printf(", \"seconds\": [%.2f, %.2f], \"objective\": %.12g, "
           "\"peak_mib\": %.0f}\n",
           clock, cpu, info->objective, (double)use.ru_maxrss / 1024.0);
}

static akin_status run(akin_ctx *ctx, const int64_t *size)
{
    akin_rows *rows = NULL;
    akin_supervision *data = NULL;
    akin_options *o = NULL;
    akin_model *m = NULL;
    akin_learn_info info;
    clocks c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(draw(&rows, ctx, size));
    AK_TRY(akin_supervision_new(&data, ctx, rows, NULL, NULL));
    AK_TRY(akin_options_new(&o, ctx, "s3ml"));
    akin_ctx_set_threads(ctx, size[3]);
    akin_ctx_set_progress(ctx, on_progress, &c);
    c.clock = seconds_of(CLOCK_MONOTONIC);
    c.cpu = now();
    AK_TRY(akin_learn(&m, ctx, o, data, &info));
    spend(&c, PARTS - 1);
    print(size, &c, &info);
done:
    akin_model_free(m);
    akin_options_free(o);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

int main(int argc, char **argv)
{
    int64_t size[4] = {270000, 225, 1000, 2};
    akin_ctx *ctx = NULL;
    for (int i = 0; i < 4 && i + 1 < argc; ++i)
        size[i] = atoll(argv[i + 1]);
    if (argc > 5 || size[0] < 2 || size[1] < 1 || size[1] > WIDEST ||
        akin_ctx_new(&ctx, NULL) != AKIN_OK) {
        fprintf(stderr,
                "usage: bench_s3ml [ROWS [COLUMNS [LABELLED [THREADS]]]]\n");
        return 2;
    }
    const akin_status st = run(ctx, size);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_s3ml: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return akin_status_exit(st);
}
