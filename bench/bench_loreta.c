/* bench_loreta - low-rank learners, one JSON line a measurement, one thread,
 * medians of interleaved repetitions.
 *
 *   bench_loreta [REPETITIONS]
 *       Triplets of rows with 60 non-zeros each, so that x has 60 and D has
 *       120, all with a loss: merged, scored and learned from through the
 *       public interface. Also the lower limit, which is to read and write the
 *       touched rows of the factors once, and the dense form.
 *   bench_loreta count LEARNER DIM RANK TRIPLETS
 *       The same without a clock, for loreta_instructions.sh. */
#include <akin/akin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "learn/learner.h"
#include "timing.h"

enum {
    ROWS = 4096,
    NONZEROS = 60,
    TRIPLETS = 20000,
    DENSE_TRIPLETS = 20,
    MAX_REPS = 101,
};

typedef struct setting {
    const char *learner, *form;
    int64_t dim, rank, triplets;
} setting;

static const setting settings[] = {
    {"loreta-1", "sparse", 10000, 10, TRIPLETS},
    {"loreta-1", "sparse", 50000, 10, TRIPLETS},
    {"loreta-1", "sparse", 1000000, 10, TRIPLETS},
    {"loreta-1", "sparse", 16660, 30, TRIPLETS},
    {"loreta-psd", "sparse", 50000, 10, TRIPLETS},
    {"loreta-psd", "sparse", 16660, 30, TRIPLETS},
    {"loreta", "sparse", 50000, 10, TRIPLETS},
    {"loreta-1", "dense", 50000, 10, DENSE_TRIPLETS},
    {"loreta-psd", "dense", 50000, 10, DENSE_TRIPLETS},
};

/* Words drawn uniformly, so that rows of a factor are not cached by chance, and
 * with small weights, so that every triplet has a loss. */
static akin_status make_rows(akin_rows **out, akin_ctx *ctx, int64_t dim)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_rng r = ak_rng_new(1, AK_STREAM_SYNTH);
    int64_t *offsets = NULL;
    int32_t *cols = NULL;
    float *vals = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ROWS + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, ROWS * NONZEROS, &cols));
    AK_TRY(AK_SCRATCH(ctx, ROWS * NONZEROS, &vals));
    for (int64_t i = 0; i < ROWS; ++i) {
        offsets[i + 1] = (i + 1) * NONZEROS;
        for (int64_t j = 0; j < NONZEROS; ++j) {  // one word of each interval
            const int64_t from = j * dim / NONZEROS;
            cols[i * NONZEROS + j] =
                (int32_t)(from +
                          ak_rng_below(&r, (j + 1) * dim / NONZEROS - from));
            vals[i * NONZEROS + j] = 0.01F;
        }
    }
    AK_TRY(akin_rows_new_sparse(out, ctx, ROWS, dim, offsets, cols, vals));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

typedef struct bench {
    const setting *s;
    akin_rows *rows;
    akin_supervision *data;
    akin_options *options;
    akin_learning *learning;
    int64_t *triplets;
    double *A;  // dim x rank, for the limit
    double learn[MAX_REPS], limit[MAX_REPS];
    double checksum;
} bench;

/* eta so small that every triplet keeps its loss. */
static akin_status bench_begin(bench *b, akin_ctx *ctx, const setting *s)
{
    char rank[32];
    ak_rng r = ak_rng_new(2, AK_STREAM_SYNTH);
    akin_status st = AKIN_OK;
    b->s = s;
    snprintf(rank, sizeof rank, "%lld", (long long)s->rank);
    AK_TRY(make_rows(&b->rows, ctx, s->dim));
    AK_TRY(akin_supervision_new(&b->data, ctx, b->rows, NULL, NULL));
    AK_TRY(akin_options_new(&b->options, ctx, s->learner));
    AK_TRY(akin_options_set(ctx, b->options, "rank", rank));
    AK_TRY(akin_options_set(ctx, b->options, "eta", "1e-5"));
    AK_TRY(akin_options_set(ctx, b->options, "start", "gauss"));
    AK_TRY(akin_options_set(ctx, b->options, "form", s->form));
    AK_TRY(akin_learning_begin(&b->learning, ctx, b->options, b->data, NULL));
    AK_TRY(AK_NEW(ctx, 3 * s->triplets, &b->triplets));
    AK_TRY(AK_NEW(ctx, 2 * s->dim * s->rank, &b->A));
    for (int64_t i = 0; i < 3 * s->triplets; ++i)
        b->triplets[i] = ak_rng_below(&r, ROWS);
done:
    return st;
}

static void bench_end(bench *b, akin_ctx *ctx)
{
    akin_free(b->A);
    akin_free(b->triplets);
    akin_learning_free(b->learning);
    akin_options_free(b->options);
    akin_supervision_free(b->data);
    akin_rows_free(b->rows);
}

static akin_status time_learning(bench *b, akin_ctx *ctx, double *seconds)
{
    const double start = now();
    const akin_status st =
        akin_learning_observe(ctx, b->learning, b->triplets, b->s->triplets);
    *seconds = now() - start;
    return st;
}

/* Row by row: read, and write back with something added. */
static void touch(bench *b, double *A, int64_t row)
{
    const int64_t k = b->s->rank;
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, b->rows, row);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < k; ++j)
            A[cols[i] * k + j] += 1.0;
    b->checksum += A[cols[0] * k];
}

static void time_limit(bench *b, double *seconds)
{
    double *B = b->A + b->s->dim * b->s->rank;
    const double start = now();
    for (int64_t t = 0; t < b->s->triplets; ++t) {
        touch(b, b->A, b->triplets[3 * t]);
        touch(b, B, b->triplets[3 * t + 1]);
        touch(b, B, b->triplets[3 * t + 2]);
    }
    *seconds = now() - start;
}

static void print(bench *b, int reps)
{
    const setting *s = b->s;
    akin_learn_info info;
    akin_learning_info(&info, b->learning);
    const double learn = median(reps, b->learn) / (double)s->triplets;
    const double limit = median(reps, b->limit) / (double)s->triplets;
    printf("{\"bench\": \"loreta\", \"learner\": \"%s\", \"form\": \"%s\", "
           "\"dim\": %lld, \"rank\": %lld, \"nonzeros\": %d, "
           "\"updates\": %lld, \"us_per_update\": %.2f, "
           "\"us_of_limit\": %.2f, \"times_limit\": %.2f}\n",
           s->learner, s->form, (long long)s->dim, (long long)s->rank,
           3 * NONZEROS, (long long)info.updates, 1e6 * learn, 1e6 * limit,
           learn / limit);
    fflush(stdout);
}

static akin_status measure(akin_ctx *ctx, const setting *s, int reps)
{
    bench *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &b));
    AK_TRY(bench_begin(b, ctx, s));
    for (int i = 0; i < reps; ++i) {
        AK_TRY(time_learning(b, ctx, &b->learn[i]));
        time_limit(b, &b->limit[i]);
    }
    print(b, reps);
done:
    if (b != NULL)
        bench_end(b, ctx);
    akin_free(b);
    return st;
}

static akin_status count(akin_ctx *ctx, char **argv)
{
    const setting s = {argv[2], "sparse", atoll(argv[3]), atoll(argv[4]),
                       atoll(argv[5])};
    bench b = {0};
    double unused;
    akin_status st = bench_begin(&b, ctx, &s);
    if (st == AKIN_OK)
        st = time_learning(&b, ctx, &unused);
    bench_end(&b, ctx);
    return st;
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    int reps = argc == 2 ? atoi(argv[1]) : 7;
    akin_status st = akin_ctx_new(&ctx, NULL);
    reps = reps < 1 ? 1 : reps > MAX_REPS ? MAX_REPS : reps;
    if (st == AKIN_OK && argc == 6 && strcmp(argv[1], "count") == 0)
        st = count(ctx, argv);
    else
        for (size_t i = 0;
             st == AKIN_OK && i < sizeof settings / sizeof settings[0]; ++i)
            st = measure(ctx, &settings[i], reps);
    if (st != AKIN_OK)
        fprintf(stderr, "bench_loreta: %s\n",
                ctx ? akin_ctx_message(ctx) : akin_status_name(st));
    akin_ctx_free(ctx);
    return st != AKIN_OK;
}
