/* bench_rsl - trust regions on the manifold of fixed rank, one JSON line a
 * measurement.
 *
 *   bench_rsl dense [DIR [STARTS [LAMBDA]]]
 *       5,000 pairs of their own rows, 50 and 100 columns, rank 5, log loss, to
 *       a gradient of 1e-6 of the first, from STARTS [9] random starts and as
 *       often from the spectral one, one thread, CPU seconds. Rows
 *       are planted, or left.npy and right.npy of DIR with the signs in
 *       pairs.txt; factors.txt is then written there: U diag(s) and V, a row
 *       a line, of the last start.
 *   bench_rsl sparse [PAIRS [REPETITIONS]]
 *       PAIRS [100000] pairs over sparse rows of 50,000 and 20,000 columns,
 *       rank 20: four iterations by one thread and by two in turn, wall-clock
 *       seconds, and the peak memory. */
#include <akin/akin.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "learn/cross/rsl.h"
#include "timing.h"

enum { STARTS = 9, MOST = 101, TOPICS = 20, NONZEROS = 60 };

static double lambda = 2e-4;  // the printed 1 for rows of unit variance

typedef struct problem {
    akin_rows *rows[2];
    int64_t *which;    // 0, 1, 2, ...
    int64_t *numbers;  // of the pairs
    int64_t pairs;
} problem;

static akin_status make_problem(problem *p, akin_ctx *ctx, int64_t rows,
                                int64_t pairs)
{
    akin_status st = AKIN_OK;
    p->pairs = pairs;
    AK_TRY(AK_SCRATCH(ctx, rows, &p->which));
    AK_TRY(AK_SCRATCH(ctx, 3 * pairs, &p->numbers));
    for (int64_t i = 0; i < rows; ++i)
        p->which[i] = i;
done:
    return st;
}

/* x'W y of planted rank 5 decides, with noise. */
static akin_status plant(problem *p, akin_ctx *ctx)
{
    enum { N = 5000, K = 5 };
    static const int64_t d[2] = {50, 100};
    ak_rng rng = ak_rng_new(1, AK_STREAM_SYNTH);
    double *W[2], *score = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_problem(p, ctx, N, N));
    AK_TRY(AK_SCRATCH(ctx, 2 * N * K, &score));
    for (int side = 0; side < 2; ++side) {
        float *X = NULL;
        AK_TRY(AK_SCRATCH(ctx, N * d[side], &X));
        AK_TRY(AK_SCRATCH(ctx, d[side] * K, &W[side]));
        for (int64_t i = 0; i < d[side] * K; ++i)
            W[side][i] = ak_rng_normal(&rng);
        for (int64_t i = 0; i < N * d[side]; ++i)
            X[i] = (float)(ak_rng_normal(&rng) / sqrt((double)d[side]));
        for (int64_t i = 0; i < N; ++i)
            for (int64_t j = 0; j < d[side] * K; ++j)
                score[(side * N + i) * K + j % K] +=
                    (double)X[i * d[side] + j / K] * W[side][j];
        AK_TRY(akin_rows_new_dense(&p->rows[side], ctx, N, d[side], X));
    }
    for (int64_t i = 0; i < N; ++i) {
        double f = ak_rng_normal(&rng);
        for (int64_t c = 0; c < K; ++c)
            f += score[i * K + c] * score[(N + i) * K + c];
        p->numbers[3 * i] = p->numbers[3 * i + 1] = i;
        p->numbers[3 * i + 2] = f > 0.0 ? 1 : -1;
    }
done:
    return st;
}

static akin_status read_problem(problem *p, akin_ctx *ctx, const char *dir)
{
    char path[3][4096];
    akin_stream *stream = NULL;
    const int64_t *some = NULL;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    snprintf(path[0], sizeof path[0], "%s/left.npy", dir);
    snprintf(path[1], sizeof path[1], "%s/right.npy", dir);
    snprintf(path[2], sizeof path[2], "%s/pairs.txt", dir);
    for (int side = 0; side < 2; ++side)
        AK_TRY(akin_rows_read(&p->rows[side], ctx, path[side], NULL));
    const int64_t n = akin_rows_count(p->rows[0]);
    AK_TRY(make_problem(p, ctx, n, n));
    AK_TRY(akin_stream_open(&stream, ctx, AKIN_PAIRS, path[2], n, n));
    for (int64_t at = 0; at < n; at += count) {
        AK_TRY(akin_stream_next(&some, &count, ctx, stream, n - at));
        if (count == 0)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL, "too few pairs"));
        memcpy(p->numbers + 3 * at, some, (size_t)(3 * count) * sizeof *some);
    }
done:
    akin_stream_close(stream);
    return st;
}

static akin_status begin(ak_rsl *r, akin_ctx *ctx, const problem *p, int64_t k,
                         bool prepared)
{
    const double one = 1.0 / (double)p->pairs, weight[2] = {one, one};
    akin_status st = AKIN_OK;
    *r = (ak_rsl){.lambda = lambda, .loss = AK_RSL_LOG};
    for (int side = 0; side < 2; ++side) {
        AK_TRY(ak_rsl_side_rows(&r->side[side], ctx, p->rows[side], p->which,
                                p->rows[side]->n));
        if (prepared)
            AK_TRY(ak_rsl_side_center(&r->side[side], ctx));
        if (prepared)
            ak_rsl_side_scale(&r->side[side]);
    }
    r->shape = (ak_fixed_rank){r->side[0].n, r->side[1].n, k};
    AK_TRY(ak_rsl_list(&r->pairs, ctx, r->side[0].N, r->side[1].N, p->numbers,
                       p->pairs, weight));
    AK_TRY(ak_rsl_begin(r, ctx));
done:
    return st;
}

static akin_status solve(ak_rsl *r, akin_ctx *ctx, int64_t iterations,
                         ak_trust_info *info)
{
    const ak_objective J = ak_rsl_objective(r);
    const double most = (double)((r->shape.m + r->shape.n) * r->shape.k);
    const ak_trust_options o = {.tol = 1e-6,
                                .relative = true,
                                .max_iterations = iterations,
                                .radius = fmin(most / 4.0, 4.0 * J.norm(r)),
                                .radius_max = most};
    return ak_trust_region(ctx, &J, &o, info);
}

static akin_status write_factors(const ak_rsl *r, akin_ctx *ctx,
                                 const char *dir)
{
    const ak_fixed_rank k = r->shape;
    char path[4096];
    snprintf(path, sizeof path, "%s/factors.txt", dir);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return ak_fail(ctx, AKIN_EIO, "%s: cannot be written", path);
    for (int64_t i = 0; i < (k.m + k.n) * k.k; ++i)
        fprintf(out, "%.17g%c",
                i < k.m * k.k ? r->now.x.U[i] * r->now.x.s[i % k.k]
                              : r->now.x.V[i - k.m * k.k],
                i % k.k == k.k - 1 ? '\n' : ' ');
    return fclose(out) == 0 ? AKIN_OK : ak_fail(ctx, AKIN_EIO, "%s", path);
}

static akin_status dense(akin_ctx *ctx, const char *dir, int starts)
{
    problem p = {0};
    ak_rsl r;
    double seconds[2][MOST], value[MOST];
    int64_t products[2] = {0, 0};
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(dir ? read_problem(&p, ctx, dir) : plant(&p, ctx));
    AK_TRY(begin(&r, ctx, &p, 5, false));
    for (int i = 0; i < 2 * starts; ++i) {
        const int spectral = i >= starts;
        ak_rng rng = ak_rng_new((uint64_t)i, AK_STREAM_START);
        ak_trust_info info;
        const double from = now();
        AK_TRY(spectral ? ak_rsl_spectral(&r, ctx, &rng)
                        : ak_rsl_random(&r, ctx, &rng));
        AK_TRY(solve(&r, ctx, 300, &info));
        seconds[spectral][i % starts] = now() - from;
        products[spectral] += info.products;
        if (!spectral)
            value[i] = info.value;
        if (info.end != AK_TRUST_GRADIENT)
            AK_TRY(ak_fail(ctx, AKIN_ENUMERIC, "start %d did not converge", i));
    }
    if (dir != NULL)
        AK_TRY(write_factors(&r, ctx, dir));
    printf("{\"bench\": \"rsl\", \"what\": \"dense\", \"pairs\": %" PRId64
           ", \"dims\": [%" PRId64 ", %" PRId64
           "], \"rank\": 5, \"lambda\": %g, \"starts\": %d, \"objectives\": [",
           p.pairs, r.shape.m, r.shape.n, lambda, starts);
    for (int i = 0; i < starts; ++i)
        printf("%s%.12f", i ? ", " : "", value[i]);
    printf("], \"products\": %.1f, \"seconds\": %.4f, \"random_products\": "
           "%.1f, \"random_seconds\": %.4f}\n",
           (double)products[1] / starts, median(starts, seconds[1]),
           (double)products[0] / starts, median(starts, seconds[0]));
done:
    akin_rows_free(p.rows[0]);
    akin_rows_free(p.rows[1]);
    return st;
}

/* Rows of TOPICS; a word in two is of the row's topic. */
static akin_status topic_rows(akin_rows **out, akin_ctx *ctx, ak_rng *rng,
                              int64_t n, int64_t d)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t part = d / NONZEROS;
    int64_t *offsets = NULL;
    int32_t *cols = NULL;
    float *vals = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, n * NONZEROS, &cols));
    AK_TRY(AK_SCRATCH(ctx, n * NONZEROS, &vals));
    for (int64_t i = 0; i < n; ++i) {
        offsets[i + 1] = (i + 1) * NONZEROS;
        for (int64_t k = 0; k < NONZEROS; ++k) {
            int64_t j = ak_rng_below(rng, part);
            if (ak_rng_unit(rng) < 0.5)
                j = j / TOPICS * TOPICS + i % TOPICS;
            cols[i * NONZEROS + k] =
                (int32_t)(k * part + (j < part ? j : part - 1));
            vals[i * NONZEROS + k] = (float)(0.5 + ak_rng_unit(rng));
        }
    }
    AK_TRY(akin_rows_new_sparse(out, ctx, n, d, offsets, cols, vals));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status make_sparse(problem *p, akin_ctx *ctx, int64_t pairs)
{
    ak_rng rng = ak_rng_new(2, AK_STREAM_SYNTH);
    const int64_t n = pairs / 5;
    akin_status st = AKIN_OK;
    AK_TRY(topic_rows(&p->rows[0], ctx, &rng, n, 50000));
    AK_TRY(topic_rows(&p->rows[1], ctx, &rng, n, 20000));
    AK_TRY(make_problem(p, ctx, n, pairs));
    for (int64_t t = 0; t < pairs; ++t) {
        const int64_t i = ak_rng_below(&rng, n);
        int64_t j = ak_rng_below(&rng, n);
        if (t % 2 == 0)  // of the same topic
            j = ak_min_i64(j / TOPICS * TOPICS + i % TOPICS, n - 1);
        p->numbers[3 * t] = i;
        p->numbers[3 * t + 1] = j;
        p->numbers[3 * t + 2] = i % TOPICS == j % TOPICS ? 1 : -1;
    }
done:
    return st;
}

static akin_status sparse(akin_ctx *ctx, int64_t pairs, int repetitions)
{
    problem p = {0};
    ak_rsl r;
    ak_trust_info info;
    double seconds[2][MOST], value[2];
    struct rusage use;
    akin_status st = AKIN_OK;
    AK_TRY(make_sparse(&p, ctx, pairs));
    AK_TRY(begin(&r, ctx, &p, 20, true));
    for (int i = 0; i < repetitions; ++i)
        for (int way = 0; way < 2; ++way) {
            ak_rng rng = ak_rng_new(1, AK_STREAM_START);
            akin_ctx_set_threads(ctx, way + 1);
            const double from = seconds_of(CLOCK_MONOTONIC);
            AK_TRY(ak_rsl_spectral(&r, ctx, &rng));
            AK_TRY(solve(&r, ctx, 4, &info));
            seconds[way][i] = seconds_of(CLOCK_MONOTONIC) - from;
            value[way] = info.value;
        }
    getrusage(RUSAGE_SELF, &use);
    const double one = median(repetitions, seconds[0]);
    const double two = median(repetitions, seconds[1]);
    printf("{\"bench\": \"rsl\", \"what\": \"sparse\", \"pairs\": %" PRId64
           ", \"rows\": %" PRId64 ", \"nonzeros\": %" PRId64
           ", \"dims\": [50000, 20000], \"rank\": 20, \"products\": %" PRId64
           ", \"objective\": %.12f, \"seconds_1\": %.3f, \"seconds_2\": %.3f, "
           "\"times_faster\": %.2f, \"same\": %s, \"peak_mib\": %.0f}\n",
           pairs, p.rows[0]->n, 2 * p.rows[0]->n * NONZEROS, info.products,
           info.value, one, two, one / two,
           value[0] == value[1] ? "true" : "false",
           (double)use.ru_maxrss / 1024.0);
done:
    akin_rows_free(p.rows[0]);
    akin_rows_free(p.rows[1]);
    return st;
}

int main(int argc, char **argv)
{
    akin_ctx *ctx = NULL;
    const char *what = argc > 1 ? argv[1] : "";
    akin_status st = akin_ctx_new(&ctx, NULL);
    if (argc > 4)
        lambda = atof(argv[4]);
    if (st == AKIN_OK && strcmp(what, "dense") == 0)
        st = dense(ctx, argc > 2 ? argv[2] : NULL,
                   argc > 3 ? atoi(argv[3]) : STARTS);
    else if (st == AKIN_OK && strcmp(what, "sparse") == 0)
        st = sparse(ctx, argc > 2 ? atoll(argv[2]) : 100000,
                    argc > 3 ? atoi(argv[3]) : 9);
    else
        fprintf(stderr,
                "usage: bench_rsl dense [DIR [STARTS [LAMBDA]]] | sparse "
                "[PAIRS [REPETITIONS]]\n");
    if (st != AKIN_OK)
        fprintf(stderr, "bench_rsl: %s\n", akin_ctx_message(ctx));
    akin_ctx_free(ctx);
    return st != AKIN_OK;
}
