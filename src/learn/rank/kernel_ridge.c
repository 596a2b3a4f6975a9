/* Kernel ridge regression: a row becomes the probabilities of its labels, by
 * the labelled rows around it.
 *   [1] Saunders, Gammerman, Vovk. Ridge regression learning algorithm in dual
 *       variables. ICML 1998.
 *   [2] Rifkin, Lippert. Notes on regularized least squares. MIT 2007.
 *
 *   A = (K + lambda I)^-1 (Y - 1 m'),  f(x) = m + A'k(x)                   (1)
 *
 * where K_ij = k(x_i, x_j), y_i is 1 at the label of row i, and 1/q at each of
 * q labels, and m is the mean of the y_i. Without row i it would be [2]
 *
 *   f_-i(x_i) = y_i - (A_i / ((K + lambda I)^-1)_ii)'                      (2)
 *
 * and the logits of the labels are s f(x) with the s that makes the y_i most
 * likely by (2). Of more rows than `support`, so many are drawn, S:
 *
 *   G = K_S'K_S + lambda K_SS,  A = G^-1 K_S'(Y - 1 m'),  f = m + A'k_S    (3)
 *   f_-i(x_i) = y_i - (y_i - f(x_i)) / (1 - h_i),  h_i = k_S(x_i)'G^-1 k_S(x_i)
 *
 * where row i of K_S is k_S(x_i); with all rows (3) is (1). */
#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "la/dense.h"
#include "learn/learner.h"
#include "model/posterior.h"

enum { BLOCK = 256, MOST_CHECKED = 2000 };

typedef struct problem {
    const akin_rows *rows;
    int64_t *which;  // the n labelled rows, support rows first
    int64_t n, m;    // all, and those that are support
    int64_t L;
    double *Y;     // n x L, less the mean
    double *mean;  // L
    double *A;     // m x L
    double *left;  // of `checked` rows: f without the row, less the mean
    int64_t checked;
    ak_kernel kernel;
    double lambda;
} problem;

/* ---- rows and labels ---- */

/* The labels that rows have, and Y. EINVAL: fewer than two. */
static akin_status take_labels(problem *p, akin_ctx *ctx, ak_labels *out)
{
    const int64_t all = p->rows->n_label_names;
    const int32_t *labels;
    int32_t *number;
    char **names;
    AK_CHECK(AK_SCRATCH(ctx, all, &number));
    AK_CHECK(AK_SCRATCH(ctx, all, &names));
    for (int64_t i = 0; i < p->n; ++i) {
        const int64_t q = akin_rows_labels(&labels, p->rows, p->which[i]);
        for (int64_t l = 0; l < q; ++l)
            number[labels[l]] = 1;
    }
    for (int64_t l = 0; l < all; ++l)
        if (number[l] != 0) {
            number[l] = (int32_t)p->L;
            names[p->L++] = p->rows->label_names[l];
        }
    *out = (ak_labels){p->L, names};
    if (p->L < 2)
        return ak_fail(ctx, AKIN_EINVAL,
                       "kernel-ridge needs rows of two labels or more (there "
                       "are %" PRId64 ")",
                       p->L);
    AK_CHECK(ak_scratch(ctx, p->n, (size_t)p->L * sizeof *p->Y, &p->Y));
    AK_CHECK(AK_SCRATCH(ctx, p->L, &p->mean));
    for (int64_t i = 0; i < p->n; ++i) {
        const int64_t q = akin_rows_labels(&labels, p->rows, p->which[i]);
        for (int64_t l = 0; l < q; ++l)
            p->Y[i * p->L + number[labels[l]]] = 1.0 / (double)q;
        ak_axpy(p->L, 1.0 / (double)p->n, p->Y + i * p->L, p->mean);
    }
    for (int64_t i = 0; i < p->n; ++i)
        ak_axpy(p->L, -1.0, p->mean, p->Y + i * p->L);
    return AKIN_OK;
}

/* At most so many support rows, drawn to the front of the others. */
static void choose_support(problem *p, akin_ctx *ctx, int64_t most)
{
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_KERNEL);
    p->m = ak_min_i64(p->n, most > 0 ? most : AK_KEPT_ROWS);
    if (p->m < p->n)
        ak_rng_shuffle(&rng, p->n, p->which);
}

/* Kernels of the rows [first, first + n) of those in order with the support
 * rows, n x m. */
static akin_status kernels(double *K, akin_ctx *ctx, const problem *p,
                           const akin_rows *support, int64_t first, int64_t n)
{
    akin_rows *block = NULL;
    akin_status st =
        akin_rows_select(&block, ctx, p->rows, p->which + first, n);
    if (st == AKIN_OK)
        st = ak_kernel_matrix(K, ctx, &p->kernel, block, support);
    akin_rows_free(block);
    return st;
}

/* ---- the solution ---- */

/* (1) and (2). */
static akin_status solve_all(problem *p, akin_ctx *ctx,
                             const akin_rows *support)
{
    const int64_t n = p->n, L = p->L;
    double *K;
    AK_CHECK(ak_scratch(ctx, n, (size_t)n * sizeof *K, &K));
    AK_CHECK(ak_kernel_matrix(K, ctx, &p->kernel, support, NULL));
    for (int64_t i = 0; i < n; ++i)
        K[i * n + i] += p->lambda;
    AK_CHECK(ak_ctx_tick(ctx, "steps", 1, 2, NAN));
    AK_CHECK(ak_spd_inverse(ctx, n, K));
    AK_CHECK(
        ak_gemm(ctx, false, false, n, L, n, 1.0, K, n, p->Y, L, 0.0, p->A, L));
    for (int64_t i = 0; i < p->checked; ++i)
        for (int64_t c = 0; c < L; ++c)
            p->left[i * L + c] = p->Y[i * L + c] -
                                 p->A[i * L + c] / K[i * n + i];
    return AKIN_OK;
}

/* f without the row, of the rows [first, first + n) with kernels K and G^-1. */
static akin_status leave_out(problem *p, akin_ctx *ctx, const double *inverse,
                             const double *K, int64_t first, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t m = p->m, L = p->L;
    double *H, *f = p->left + first * L;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * m, &H));
    AK_TRY(
        ak_gemm(ctx, false, false, n, m, m, 1.0, K, m, inverse, m, 0.0, H, m));
    AK_TRY(ak_gemm(ctx, false, false, n, L, m, 1.0, K, m, p->A, L, 0.0, f, L));
    for (int64_t i = 0; i < n; ++i) {
        const double *y = p->Y + (first + i) * L;
        const double h = ak_dot(m, H + i * m, K + i * m);
        const double rest = fmax(1.0 - h, 1e-6);
        for (int64_t c = 0; c < L; ++c)
            f[i * L + c] = y[c] - (y[c] - f[i * L + c]) / rest;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* (3), block by block of the rows. */
static akin_status solve_some(problem *p, akin_ctx *ctx,
                              const akin_rows *support)
{
    const int64_t m = p->m, L = p->L;
    double *G, *K, *B, trace = 0.0;
    AK_CHECK(AK_SCRATCH(ctx, m * m, &G));
    AK_CHECK(AK_SCRATCH(ctx, BLOCK * m, &K));
    AK_CHECK(AK_SCRATCH(ctx, m * L, &B));
    AK_CHECK(ak_kernel_matrix(G, ctx, &p->kernel, support, NULL));
    for (int64_t i = 0; i < m * m; ++i)
        G[i] *= p->lambda;
    for (int64_t first = 0; first < p->n; first += BLOCK) {
        const int64_t n = ak_min_i64(BLOCK, p->n - first);
        AK_CHECK(kernels(K, ctx, p, support, first, n));
        AK_CHECK(
            ak_gemm(ctx, true, false, m, m, n, 1.0, K, m, K, m, 1.0, G, m));
        AK_CHECK(ak_gemm(ctx, true, false, m, L, n, 1.0, K, m, p->Y + first * L,
                         L, 1.0, B, L));
        AK_CHECK(ak_ctx_tick(ctx, "rows", first + n, p->n, NAN));
    }
    for (int64_t i = 0; i < m; ++i)
        trace += G[i * m + i];
    for (int64_t i = 0; i < m; ++i)  // what rounding may have taken
        G[i * m + i] += 1e-12 * trace;
    ak_symmetrize(m, G);
    AK_CHECK(ak_spd_inverse(ctx, m, G));
    AK_CHECK(
        ak_gemm(ctx, false, false, m, L, m, 1.0, G, m, B, L, 0.0, p->A, L));
    for (int64_t first = 0; first < p->checked; first += BLOCK) {
        const int64_t n = ak_min_i64(BLOCK, p->checked - first);
        AK_CHECK(kernels(K, ctx, p, support, first, n));
        AK_CHECK(leave_out(p, ctx, G, K, first, n));
    }
    return AKIN_OK;
}

/* ---- probabilities ---- */

/* -sum_i sum_c y_ic log softmax(s f_-i(x_i))_c */
static double loss(const problem *p, double s)
{
    const int64_t L = p->L;
    double sum = 0.0;
    for (int64_t i = 0; i < p->checked; ++i) {
        const double *f = p->left + i * L, *y = p->Y + i * L;
        double most = -INFINITY, all = 0.0;
        for (int64_t c = 0; c < L; ++c)
            most = fmax(most, s * (f[c] + p->mean[c]));
        for (int64_t c = 0; c < L; ++c)
            all += exp(s * (f[c] + p->mean[c]) - most);
        for (int64_t c = 0; c < L; ++c)
            sum += (y[c] + p->mean[c]) *
                   (most + log(all) - s * (f[c] + p->mean[c]));
    }
    return sum;
}

/* The s of the least loss from 1 to 128, by golden sections of its logarithm;
 * the loss is convex in s, so there is one. */
static double most_likely(const problem *p)
{
    static const double GOLDEN = 0.6180339887498949;
    double a = 0.0, b = log(128.0);
    double u = b - GOLDEN * (b - a), v = a + GOLDEN * (b - a);
    double f_u = loss(p, exp(u)), f_v = loss(p, exp(v));
    while (b - a > 1e-3)
        if (f_u <= f_v) {
            b = v;
            v = u;
            f_v = f_u;
            u = b - GOLDEN * (b - a);
            f_u = loss(p, exp(u));
        } else {
            a = u;
            u = v;
            f_u = f_v;
            v = a + GOLDEN * (b - a);
            f_v = loss(p, exp(v));
        }
    return exp(0.5 * (a + b));
}

/* ---- the run ---- */

static akin_status make_model(akin_model **out, akin_ctx *ctx, problem *p,
                              ak_labels labels, double sharpness)
{
    const double s = most_likely(p);
    for (int64_t i = 0; i < p->m * p->L; ++i)
        p->A[i] *= s;
    for (int64_t c = 0; c < p->L; ++c)
        p->mean[c] *= -s;
    AK_CHECK(ak_check_finite(ctx, p->m * p->L, p->A));
    const ak_kernel_part part = {p->kernel, p->rows, p->which,
                                 p->m,      p->A,    p->mean};
    return ak_posterior_new_kernel(out, ctx, labels, &part, sharpness);
}

static akin_status kernel_ridge_learn(akin_model **out, akin_ctx *ctx,
                                      const akin_options *head,
                                      const akin_supervision *data,
                                      akin_learn_info *info)
{
    const akin_kernel_ridge_options *o =
        (const akin_kernel_ridge_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    problem p = {.rows = data->rows,
                 .lambda = o->lambda,
                 .kernel = {ak_kernel_find(o->kernel), 0.0, 0.0, 0}};
    akin_rows *support = NULL;
    ak_labels labels;
    akin_status st = AKIN_OK;
    AK_TRY(ak_supervision_labelled(&p.which, &p.n, ctx, data));
    choose_support(&p, ctx, o->support);
    AK_TRY(take_labels(&p, ctx, &labels));
    p.checked = ak_min_i64(p.n, MOST_CHECKED);
    AK_TRY(AK_SCRATCH(ctx, p.checked * p.L, &p.left));
    AK_TRY(AK_SCRATCH(ctx, p.m * p.L, &p.A));
    AK_TRY(akin_rows_select(&support, ctx, p.rows, p.which, p.m));
    AK_TRY(ak_kernel_fit(&p.kernel, ctx, support));
    p.kernel.gamma *= o->narrow;
    AK_TRY(p.m < p.n ? solve_some(&p, ctx, support)
                     : solve_all(&p, ctx, support));
    AK_TRY(make_model(out, ctx, &p, labels, o->sharpness));
    info->examples = p.n;
    info->outcome = AKIN_CONVERGED;
done:
    akin_rows_free(support);
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_WORD(akin_kernel_ridge_options, kernel, "laplacian|rbf",
                   "falls with the distance of rows, or with its square"),
    AK_OPTION_GRID(akin_kernel_ridge_options, narrow, 1e-6, 1e6,
                   "how narrow the kernel is, relative to the median distance",
                   0.5, 1.0, 2.0, 4.0),
    AK_OPTION_GRID(akin_kernel_ridge_options, lambda, 1e-9, 1e9,
                   "strength of the penalty", 0.03, 0.1, 0.3),
    AK_OPTION(akin_kernel_ridge_options, support, 0, 20000,
              "rows that the model keeps; 0: all, at most 2000"),
    AK_OPTION_GRID(akin_kernel_ridge_options, sharpness, 1e-3, 1e3,
                   "rows are compared by this power of their probabilities",
                   1.0, 2.0, 4.0),
};

const ak_learner ak_learner_kernel_ridge = {
    .info =
        {
            .name = "kernel-ridge",
            .summary = "probabilities of labels by the labelled rows around",
            .when = "labels, dense rows, classes of any shape; names labels, "
                    "too",
            .paper = "saunders1998ridge",
            .takes = AKIN_LABELS,
            .makes = "posterior",
            .takes_all = 1,
            .recipe = &ak_recipe_standard,
            AK_OPTION_ROWS(akin_kernel_ridge_options,
                           AKIN_KERNEL_RIDGE_DEFAULTS, options),
        },
    .is_closed_form = true,
    .learn = kernel_ridge_learn,
};
