#include "data/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "la/clones.h"

enum { LANES = 8, ROW_BLOCK = 16, MEDIAN_PAIRS = 2000 };

const char *const ak_kernel_words[AK_KERNEL_COUNT] = {
    "linear", "rbf", "poly", "chi2", "intersection", "laplacian"};

ak_kernel_kind ak_kernel_find(const char *word)
{
    int k = 0;
    while (k < AK_KERNEL_COUNT && strcmp(word, ak_kernel_words[k]) != 0)
        ++k;
    return (ak_kernel_kind)k;
}

/* The sum under a kernel, term by term; 0 where both numbers are 0. */
static inline double term(ak_kernel_kind kind, double x, double y)
{
    switch (kind) {
    case AK_KERNEL_RBF:
    case AK_KERNEL_LAPLACIAN:
        return (x - y) * (x - y);
    case AK_KERNEL_CHI2:
        return x + y > 0.0 ? (x - y) * (x - y) / (x + y) : 0.0;
    case AK_KERNEL_INTERSECTION:
        return x < y ? x : y;
    default:
        return x * y;
    }
}

/* Sums of eight, so that the compiler need not reorder to be quick. */
#define DEFINE_DENSE(name, kind)                                            \
    AK_CLONES static double name(int64_t n, const float *x, const float *y) \
    {                                                                       \
        double s[LANES] = {0}, rest = 0.0;                                  \
        int64_t i = 0;                                                      \
        for (; i + LANES <= n; i += LANES)                                  \
            for (int l = 0; l < LANES; ++l)                                 \
                s[l] += term(kind, (double)x[i + l], (double)y[i + l]);     \
        for (; i < n; ++i)                                                  \
            rest += term(kind, (double)x[i], (double)y[i]);                 \
        return ((s[0] + s[4]) + (s[2] + s[6])) +                            \
               ((s[1] + s[5]) + (s[3] + s[7])) + rest;                      \
    }

DEFINE_DENSE(dense_dot, AK_KERNEL_LINEAR)
DEFINE_DENSE(dense_distance, AK_KERNEL_RBF)
DEFINE_DENSE(dense_chi2, AK_KERNEL_CHI2)
DEFINE_DENSE(dense_min, AK_KERNEL_INTERSECTION)

static double dense_sum(ak_kernel_kind kind, int64_t n, const float *x,
                        const float *y)
{
    switch (kind) {
    case AK_KERNEL_RBF:
    case AK_KERNEL_LAPLACIAN:
        return dense_distance(n, x, y);
    case AK_KERNEL_CHI2:
        return dense_chi2(n, x, y);
    case AK_KERNEL_INTERSECTION:
        return dense_min(n, x, y);
    default:
        return dense_dot(n, x, y);
    }
}

/* Two rows column by column where one of them is sparse. */
static double merged_sum(ak_kernel_kind kind, const akin_rows *a, int64_t i,
                         const akin_rows *b, int64_t j)
{
    const int32_t *xc, *yc;
    const float *xv, *yv;
    const int64_t nx = akin_rows_row(&xc, &xv, a, i);
    const int64_t ny = akin_rows_row(&yc, &yv, b, j);
    int64_t p = 0, q = 0;
    double sum = 0.0;
    while (p < nx || q < ny) {
        const int64_t cx = p < nx ? (xc ? xc[p] : p) : INT64_MAX;
        const int64_t cy = q < ny ? (yc ? yc[q] : q) : INT64_MAX;
        const double x = cx <= cy ? (double)xv[p++] : 0.0;
        const double y = cy <= cx ? (double)yv[q++] : 0.0;
        sum += term(kind, x, y);
    }
    return sum;
}

static double pair_sum(ak_kernel_kind kind, const akin_rows *a, int64_t i,
                       const akin_rows *b, int64_t j)
{
    if (a->offsets == NULL && b->offsets == NULL && a->d == b->d)
        return dense_sum(kind, a->d, ak_rows_dense(a, i), ak_rows_dense(b, j));
    return merged_sum(kind, a, i, b, j);
}

double ak_kernel_value(const ak_kernel *k, const akin_rows *a, int64_t i,
                       const akin_rows *b, int64_t j)
{
    const double sum = pair_sum(k->kind, a, i, b, j);
    double base, power = 1.0;
    switch (k->kind) {
    case AK_KERNEL_RBF:
    case AK_KERNEL_CHI2:
        return exp(-k->gamma * sum);
    case AK_KERNEL_LAPLACIAN:
        return exp(-k->gamma * sqrt(sum));
    case AK_KERNEL_POLY:
        base = k->gamma * sum + k->coef;
        for (int64_t e = 0; e < k->degree; ++e)
            power *= base;
        return power;
    default:
        return sum;
    }
}

static int by_value(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* The median of what is under the kernel over pairs of rows that differ. */
static akin_status median(double *out, akin_ctx *ctx, ak_kernel_kind kind,
                          const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_KERNEL);
    double *sums = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, MEDIAN_PAIRS, &sums));
    for (int64_t t = 0; t < MEDIAN_PAIRS && rows->n > 0; ++t) {
        const int64_t i = ak_rng_below(&rng, rows->n);
        const int64_t j = ak_rng_below(&rng, rows->n);
        sums[n] = pair_sum(kind, rows, i, rows, j);
        n += sums[n] > 0.0;
    }
    qsort(sums, (size_t)n, sizeof *sums, by_value);
    *out = n > 0 ? sums[n / 2] : 1.0;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static double mean_square(const akin_rows *rows)
{
    double sum = 0.0;
    for (int64_t i = 0; i < rows->n; ++i)
        sum += pair_sum(AK_KERNEL_LINEAR, rows, i, rows, i);
    return sum > 0.0 ? sum / (double)rows->n : 1.0;
}

static akin_status check_rows(const ak_kernel *k, akin_ctx *ctx,
                              const akin_rows *rows)
{
    if (k->kind != AK_KERNEL_CHI2 && k->kind != AK_KERNEL_INTERSECTION)
        return AKIN_OK;
    for (int64_t i = 0; i < rows->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t j = 0; j < n; ++j)
            if (vals[j] < 0.0f)
                return ak_fail(ctx, AKIN_EINVAL,
                               "row %" PRId64 " has %g in column %" PRId64
                               " (the %s kernel needs numbers of 0 or more)",
                               i, (double)vals[j], cols ? cols[j] : j,
                               ak_kernel_words[k->kind]);
    }
    return AKIN_OK;
}

akin_status ak_kernel_fit(ak_kernel *k, akin_ctx *ctx, const akin_rows *rows)
{
    double middle = 1.0;
    AK_CHECK(check_rows(k, ctx, rows));
    if (k->gamma != 0.0)
        return AKIN_OK;
    if (k->kind == AK_KERNEL_RBF || k->kind == AK_KERNEL_CHI2 ||
        k->kind == AK_KERNEL_LAPLACIAN)
        AK_CHECK(median(&middle, ctx, k->kind, rows));
    else if (k->kind == AK_KERNEL_POLY)
        middle = mean_square(rows);
    k->gamma = k->kind == AK_KERNEL_LAPLACIAN ? 0.5 / sqrt(middle)
                                              : 1.0 / middle;
    return AKIN_OK;
}

typedef struct job {
    const ak_kernel *k;
    const akin_rows *a, *b;
    double *K;
} job;

static akin_status matrix_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const job *w = arg;
    const akin_rows *b = w->b ? w->b : w->a;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t most = w->b ? b->n : i + 1;
        for (int64_t j = 0; j < most; ++j)
            w->K[i * b->n + j] = ak_kernel_value(w->k, w->a, i, b, j);
    }
    return AKIN_OK;
}

akin_status ak_kernel_matrix(double *K, akin_ctx *ctx, const ak_kernel *k,
                             const akin_rows *a, const akin_rows *b)
{
    job w = {k, a, b, K};
    const akin_status st =
        ak_parallel_for(ctx, a->n, ROW_BLOCK, matrix_block, &w);
    for (int64_t i = 0; b == NULL && i < a->n; ++i)
        for (int64_t j = 0; j < i; ++j)
            K[j * a->n + i] = K[i * a->n + j];
    return st;
}

akin_status ak_kernel_given(double *K, akin_ctx *ctx, const akin_rows *rows)
{
    const int64_t n = rows->n;
    if (rows->d != n && (rows->offsets == NULL || rows->d > n))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "a kernel matrix of %" PRId64 " rows and %" PRId64
                       " columns (expected a square matrix)",
                       n, rows->d);
    memset(K, 0, (size_t)(n * n) * sizeof *K);
    for (int64_t i = 0; i < n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t m = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t j = 0; j < m; ++j)
            K[i * n + (cols ? cols[j] : j)] = (double)vals[j];
    }
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < i; ++j) {
            const double a = K[i * n + j], b = K[j * n + i];
            if (fabs(a - b) > 1e-5 * fmax(fabs(a), fabs(b)) + 1e-12)
                return ak_fail(ctx, AKIN_EINVAL,
                               "a kernel matrix is not symmetric: %g in row "
                               "%" PRId64 ", column %" PRId64
                               ", and %g in row %" PRId64 ", column %" PRId64,
                               a, i, j, b, j, i);
            K[i * n + j] = K[j * n + i] = 0.5 * (a + b);
        }
    return AKIN_OK;
}
