#include "learn/metric/principal.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/lanczos.h"
#include "la/shared.h"
#include "learn/two_way.h"

/* Rows are of 32 bits: squares of smaller ratios are rounding. */
static const double LEAST = 1e-12;

static bool is_constant(int64_t n, int64_t d, const double *x)
{
    for (int64_t i = 1; i < n; ++i)
        if (x[i * d] != x[0])
            return false;
    return true;
}

void ak_center_rows(int64_t n, int64_t d, double *X, double *mean)
{
    memset(mean, 0, (size_t)d * sizeof *mean);
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(d, 1.0 / (double)n, X + i * d, mean);
    for (int64_t j = 0; j < d && n > 0; ++j)
        if (is_constant(n, d, X + j))
            mean[j] = X[j];
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(d, -1.0, mean, X + i * d);
}

/* The columns of G (m x m, eigenvectors by rising value) in decreasing order,
 * those above rounding. */
static akin_status largest(ak_axes *out, akin_ctx *ctx, int64_t m,
                           const double *G, const double *values, double **U)
{
    int64_t k = 0;
    while (k < m && values[m - 1 - k] > LEAST * values[m - 1])
        ++k;
    *out = (ak_axes){.k = k, .converged = true};
    for (int64_t c = 0; c < m; ++c)
        out->all += fmax(values[c], 0.0);
    AK_CHECK(AK_SCRATCH(ctx, k, &out->spread));
    AK_CHECK(AK_SCRATCH(ctx, m * k, U));
    for (int64_t c = 0; c < k; ++c) {
        out->spread[c] = values[m - 1 - c];
        for (int64_t i = 0; i < m; ++i)
            (*U)[i * k + c] = G[i * m + m - 1 - c];
    }
    return AKIN_OK;
}

akin_status ak_axes_of(ak_axes *out, akin_ctx *ctx, int64_t n, int64_t d,
                       const double *X)
{
    const bool by_rows = n < d;
    const int64_t m = by_rows ? n : d;
    double *G, *values, *U;
    AK_CHECK(AK_SCRATCH(ctx, m * m, &G));
    AK_CHECK(AK_SCRATCH(ctx, m, &values));
    AK_CHECK(ak_shared_gram(ctx, !by_rows, m, by_rows ? d : n, X, d, G));
    AK_CHECK(ak_check_finite(ctx, m * m, G));
    AK_CHECK(ak_eigh(ctx, m, G, values));
    AK_CHECK(largest(out, ctx, m, G, values, &U));
    if (!by_rows) {
        out->V = U;
        return AKIN_OK;
    }
    for (int64_t i = 0; i < n; ++i)  // V = X'U diag(1/s)
        for (int64_t c = 0; c < out->k; ++c)
            U[i * out->k + c] /= sqrt(out->spread[c]);
    AK_CHECK(AK_SCRATCH(ctx, d * out->k, &out->V));
    return ak_shared_cross(ctx, n, d, 1.0, X, out->k, U, out->V);
}

/* ---- sparse rows ---- */

/* How far an axis may be from an eigenvector, and the columns of the basis at
 * most: for each axis, and in any case. */
static const double AXIS_TOL = 1e-2;
enum { BASIS_EACH = 10, BASIS = 1000 };

/* Sparse rows minus their mean: Xc = X - 1 mean'. */
typedef struct centred {
    ak_two_way X;
    double *mean;    // u
    bool by_rows;    // the operator is Xc Xc', not Xc'Xc
    double *middle;  // the product before the last
} centred;

/* Y (n x b) -= a v', v of b numbers; a NULL: ones. */
static void subtract_outer(int64_t n, int64_t b, const double *a,
                           const double *v, double *Y)
{
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(b, a ? -a[i] : -1.0, v, Y + i * b);
}

/* v (b) = a'Y, Y n x b; a NULL: ones. */
static void sum_rows(int64_t n, int64_t b, const double *a, const double *Y,
                     double *v)
{
    memset(v, 0, (size_t)b * sizeof *v);
    for (int64_t i = 0; i < n; ++i)
        ak_axpy(b, a ? a[i] : 1.0, Y + i * b, v);
}

/* Y (n x b) = Xc W */
static akin_status times(akin_ctx *ctx, const centred *c, int64_t b,
                         const double *W, double *Y)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *v;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, b, &v));
    memset(Y, 0, (size_t)(c->X.n * b) * sizeof *Y);
    AK_TRY(ak_two_way_add(ctx, &c->X, b, W, Y));
    sum_rows(c->X.u, b, c->mean, W, v);
    subtract_outer(c->X.n, b, NULL, v, Y);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* G (u x b) = Xc'Z */
static akin_status cross(akin_ctx *ctx, const centred *c, int64_t b,
                         const double *Z, double *G)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *v;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, b, &v));
    AK_TRY(ak_two_way_cross(ctx, &c->X, b, Z, G));
    sum_rows(c->X.n, b, NULL, Z, v);
    subtract_outer(c->X.u, b, c->mean, v, G);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status gram_product(const void *arg, akin_ctx *ctx, int64_t b,
                                const double *Q, double *Y)
{
    const centred *c = arg;
    AK_CHECK((c->by_rows ? cross : times)(ctx, c, b, Q, c->middle));
    return (c->by_rows ? times : cross)(ctx, c, b, c->middle, Y);
}

/* The rows, their mean, and the sum of squares around it. */
static akin_status center_sparse(centred *c, akin_ctx *ctx,
                                 const akin_rows *rows, double *all)
{
    int64_t *which;
    AK_CHECK(AK_SCRATCH(ctx, rows->n, &which));
    for (int64_t i = 0; i < rows->n; ++i)
        which[i] = i;
    AK_CHECK(ak_two_way_of(&c->X, ctx, rows, which, rows->n));
    AK_CHECK(AK_SCRATCH(ctx, c->X.u, &c->mean));
    *all = ak_two_way_mean(&c->X, c->mean);
    return AKIN_OK;
}

akin_status ak_axes_of_sparse(ak_axes *out, akin_ctx *ctx,
                              const akin_rows *rows, int64_t most)
{
    centred c = {0};
    double *V;
    *out = (ak_axes){0};
    AK_CHECK(center_sparse(&c, ctx, rows, &out->all));
    c.by_rows = c.X.n < c.X.u;
    ak_lanczos p = {.m = ak_min_i64(c.X.n, c.X.u), .tol = AXIS_TOL};
    p.k = ak_min_i64(most, p.m);
    p.most = ak_max_i64(BASIS_EACH * p.k, BASIS);
    AK_CHECK(ak_scratch(ctx, ak_max_i64(c.X.n, c.X.u),
                        AK_LANCZOS_BLOCK * sizeof *c.middle, &c.middle));
    AK_CHECK(ak_lanczos_run(&p, ctx, gram_product, &c));
    out->converged = p.converged;
    out->spread = p.values;
    while (out->k < p.k && p.values[out->k] > LEAST * p.values[0])
        ++out->k;
    V = p.U;
    if (c.by_rows) {  // V = Xc'U diag(1/s)
        for (int64_t i = 0; i < p.m * p.k; ++i)
            if (i % p.k < out->k)
                p.U[i] /= sqrt(p.values[i % p.k]);
        AK_CHECK(AK_SCRATCH(ctx, c.X.u * p.k, &V));
        AK_CHECK(cross(ctx, &c, p.k, p.U, V));
    }
    AK_CHECK(AK_SCRATCH(ctx, rows->d * out->k, &out->V));
    for (int64_t j = 0; j < c.X.u; ++j)
        memcpy(out->V + c.X.columns[j] * out->k, V + j * p.k,
               (size_t)out->k * sizeof *V);
    return AKIN_OK;
}
