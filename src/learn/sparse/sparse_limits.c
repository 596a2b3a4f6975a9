#include "learn/sparse/sparse_limits.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "la/dense.h"
#include "learn/metric/full_metric.h"
#include "model/metric.h"

enum { MOST_EXACT = 500 };  // columns for which the smallest rho is looked for

akin_status ak_beta_limits_of(ak_beta_limits *out, akin_ctx *ctx, int64_t d,
                              const double *S, const double *T)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A, *B, *TB, *values;
    int64_t r;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &A));
    AK_TRY(AK_SCRATCH(ctx, d * d, &B));
    AK_TRY(AK_SCRATCH(ctx, d * d, &TB));
    AK_TRY(AK_SCRATCH(ctx, d, &values));
    memcpy(A, S, (size_t)(d * d) * sizeof *A);
    AK_TRY(ak_psd_root(ctx, d, A, true, B, &r));  // S^-1 = B B'
    AK_TRY(ak_gemm(ctx, false, false, d, r, d, 1.0, T, d, B, d, 0.0, TB, r));
    AK_TRY(ak_gemm(ctx, true, false, r, r, d, 1.0, B, d, TB, r, 0.0, A, r));
    AK_TRY(ak_eigh(ctx, r, A, values));
    out->lost = d - r;
    out->largest = r > 0 ? fmax(values[r - 1], -values[0]) : 0.0;
    /* What rounding leaves of a zero is no reason to fear. */
    const double noise = 1e-12 * out->largest;
    out->most = r > 0 && values[0] < -noise ? -1.0 / values[0] : INFINITY;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ", --rho above 0.1", or nothing where none helps. Where Sigma is singular
 * and no worse, any helps, but a tiny one makes a problem that is hard. */
static akin_status print_safe_rho(akin_ctx *ctx, const ak_sice *p, bool diag,
                                  bool singular, char *text, size_t size)
{
    ak_sice_edge e = {.diag = diag, .tol = 5e-3};
    akin_status st = AKIN_OK;
    if (p->m > MOST_EXACT)
        e.tol = INFINITY;
    text[0] = '\0';
    AK_TRY(ak_sice_least_rho(ctx, p, &e));
    if (isfinite(e.above) && singular)
        snprintf(text, size, ", --rho auto");
    else if (isfinite(e.above))
        snprintf(text, size, ", %s--rho above %.6g",
                 p->m > MOST_EXACT ? "surely " : "",
                 ak_printed_above(fmax(1.002 * e.above, 1.009 * e.below), 6));
done:
    return st;
}

akin_status ak_refuse_unbounded(akin_ctx *ctx, const ak_sice *p, bool diag,
                                const ak_beta_limits *limits, double beta)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A, *values;
    char rho[64];
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->m * p->m, &A));
    AK_TRY(AK_SCRATCH(ctx, p->m, &values));
    memcpy(A, p->Sigma, (size_t)(p->m * p->m) * sizeof *A);
    AK_TRY(ak_eigh(ctx, p->m, A, values));
    const bool singular = limits->lost > 0 && beta < limits->most;
    AK_TRY(print_safe_rho(ctx, p, diag, singular, rho, sizeof rho));
    if (limits->lost > 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "the problem has no minimum with --rho %.6g: the "
                       "covariance is singular, in %" PRId64 " of %" PRId64
                       " directions the rows do not vary (safe are --start "
                       "identity%s%s)",
                       p->rho, limits->lost, p->m,
                       singular ? "" : " with --beta auto", rho));
    AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                   "the problem has no minimum with --beta %.6g --rho %.6g: "
                   "the smallest eigenvalue of Sigma is %.6g (safe are "
                   "--beta below %.6g%s)",
                   beta, p->rho, values[0], ak_printed_below(limits->most, 6),
                   rho));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_refuse_large(akin_ctx *ctx, const ak_beta_limits *limits,
                            double beta)
{
    if (isfinite(limits->most))
        return ak_fail(ctx, AKIN_EINVAL,
                       "--beta %g is too large: the problem has no minimum "
                       "(safe are --beta below %.6g)",
                       beta, ak_printed_below(limits->most, 6));
    return ak_fail(ctx, AKIN_EINVAL,
                   "--beta %g is too large to compute with (at %.6g the pairs "
                   "weigh as much as the start)",
                   beta, 1.0 / limits->largest);
}
