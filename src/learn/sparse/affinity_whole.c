/* T of the whole affinity (theta = 0) and of the pairs alone, without rows
 * of W. With Q = (I - alpha P)^-T X,
 *
 *   r = (1 - alpha) (I - alpha P)^-1 W0 1,  c = (1 - alpha) W0 (I - alpha P)^-T
 * 1 T = X' diag((r + c)/2) X - (B + B')/2,  B = (1 - alpha) Q' W0 X      (1)
 *
 * by the series, which ends like alpha^t whatever the points are. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/sparse/affinity.h"

enum { WIDTH = 16, ROWS = 256 };

/* n x width numbers that the series is summed of. */
typedef struct series {
    const ak_propagation *a;
    int64_t width;
    bool back;                // P', not P
    double *term, *next, *Q;  // n x width
} series;

static akin_status step_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const series *s = arg;
    const ak_propagation *a = s->a;
    const double share = a->alpha / (double)a->k;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *of = s->back ? a->in + a->in_at[i] : a->near + i * a->k;
        const int64_t count = s->back ? a->in_at[i + 1] - a->in_at[i] : a->k;
        double *x = s->next + i * s->width;
        memset(x, 0, (size_t)s->width * sizeof *x);
        for (int64_t e = 0; e < count; ++e)
            for (int64_t j = 0; j < s->width; ++j)
                x[j] += s->term[of[e] * s->width + j];
        for (int64_t j = 0; j < s->width; ++j) {
            x[j] *= share;
            s->Q[i * s->width + j] += x[j];
        }
    }
    return AKIN_OK;
}

/* Q = the series that begins with term. */
static void sum_series(series *s, akin_ctx *ctx, bool back)
{
    const int64_t n = s->a->n;
    s->back = back;
    memcpy(s->Q, s->term, (size_t)(n * s->width) * sizeof *s->Q);
    for (double left = s->a->alpha; left > 1e-17; left *= s->a->alpha) {
        ak_parallel_for(ctx, n, ROWS, step_block, s);
        double *old = s->term;
        s->term = s->next;
        s->next = old;
    }
}

/* Y = W0 X of n x width numbers. */
static void apply_w0(const ak_propagation *a, int64_t width, const double *X,
                     double *Y)
{
    memcpy(Y, X, (size_t)(a->n * width) * sizeof *Y);
    for (int64_t i = 0; i < a->n; ++i)
        for (int64_t c = a->w_at[i]; c < a->w_at[i + 1]; ++c)
            ak_axpy(width, a->w[c], X + a->w_cols[c] * width, Y + i * width);
}

/* degree = (r + c)/2. */
static void degrees(const ak_propagation *a, akin_ctx *ctx, series *s,
                    double *degree)
{
    const double half = 0.5 * (1.0 - a->alpha);
    s->width = 1;
    for (int64_t i = 0; i < a->n; ++i)
        degree[i] = 1.0;
    apply_w0(a, 1, degree, s->term);
    sum_series(s, ctx, false);
    memcpy(degree, s->Q, (size_t)a->n * sizeof *degree);
    for (int64_t i = 0; i < a->n; ++i)
        s->term[i] = 1.0;
    sum_series(s, ctx, true);
    apply_w0(a, 1, s->Q, s->term);
    for (int64_t i = 0; i < a->n; ++i)
        degree[i] = half * (degree[i] + s->term[i]);
}

/* Some columns of X at a time: T -= B, row by row of B. */
static akin_status subtract_B(const ak_propagation *a, akin_ctx *ctx, series *s,
                              const double *Y, double *T)
{
    const int64_t n = a->n, d = a->d;
    akin_status st = AKIN_OK;
    for (int64_t from = 0; from < d; from += WIDTH) {
        s->width = ak_min_i64(WIDTH, d - from);
        for (int64_t i = 0; i < n; ++i)
            memcpy(s->term + i * s->width, a->X + i * d + from,
                   (size_t)s->width * sizeof *a->X);
        sum_series(s, ctx, true);
        AK_TRY(ak_gemm(ctx, true, false, s->width, d, n, a->alpha - 1.0, s->Q,
                       s->width, Y, d, 1.0, T + from * d, d));
        AK_TRY(ak_ctx_tick(ctx, "columns", from + s->width, d, NAN));
    }
done:
    return st;
}

/* (1). */
static akin_status whole(const ak_propagation *a, akin_ctx *ctx, double *T)
{
    const int64_t n = a->n, d = a->d;
    series s = {.a = a};
    double *Y, *degree;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * WIDTH, &s.term));
    AK_TRY(AK_SCRATCH(ctx, n * WIDTH, &s.next));
    AK_TRY(AK_SCRATCH(ctx, n * WIDTH, &s.Q));
    AK_TRY(AK_SCRATCH(ctx, n * d, &Y));
    AK_TRY(AK_SCRATCH(ctx, n, &degree));
    degrees(a, ctx, &s, degree);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < d; ++j)
            Y[i * d + j] = degree[i] * a->X[i * d + j];
    AK_TRY(ak_gemm(ctx, true, false, d, d, n, 1.0, a->X, d, Y, d, 0.0, T, d));
    apply_w0(a, d, a->X, Y);
    AK_TRY(subtract_B(a, ctx, &s, Y, T));
done:
    return st;
}

akin_status ak_propagation_T(const ak_propagation *a, akin_ctx *ctx, double *T)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    memset(T, 0, (size_t)(a->d * a->d) * sizeof *T);
    AK_TRY(a->theta > 0.0 ? ak_propagation_sum_rows(a, ctx, T)
                          : whole(a, ctx, T));
    ak_symmetrize(a->d, T);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
