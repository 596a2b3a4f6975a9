/* Sparse inverse covariance: the value, and bounds of the minimum; see
 * learn/sparse/sice.h for the problem. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/sparse/sice_parts.h"

static double sum_of_penalties(const ak_sice *p, const double *M)
{
    const int64_t m = p->m;
    double sum = 0.0, diag = 0.0;
    for (int64_t k = 0; k < m * m; ++k)
        sum += fabs(M[k]);
    for (int64_t i = 0; i < m; ++i)
        diag += fabs(M[i * (m + 1)]);
    return p->rho * (sum - diag) + p->rho_diag * diag;
}

double ak_sice_linear(const ak_sice *p, const double *M)
{
    return ak_dot(p->m * p->m, p->Sigma, M) + sum_of_penalties(p, M);
}

/* log det A, minus infinity unless A > 0. */
static double logdet(akin_ctx *ctx, int64_t m, const double *A, double *room)
{
    double sum = 0.0;
    memcpy(room, A, (size_t)(m * m) * sizeof *room);
    if (ak_cholesky(ctx, m, room) != AKIN_OK)
        return -INFINITY;
    for (int64_t i = 0; i < m; ++i)
        sum += 2.0 * log(room[i * (m + 1)]);
    return sum;
}

double ak_sice_value(akin_ctx *ctx, const ak_sice *p, const double *M,
                     double *room)
{
    return ak_sice_linear(p, M) - logdet(ctx, p->m, M, room);
}

double ak_sice_dual(akin_ctx *ctx, int64_t m, const double *Z, double *room)
{
    return logdet(ctx, m, Z, room) + (double)m;
}

void ak_sice_dual_point(const ak_sice *p, const double *W, double *Z)
{
    const int64_t m = p->m;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j) {
            const int64_t k = i * m + j;
            Z[k] = p->Sigma[k] +
                   ak_clip(W[k] - p->Sigma[k], i == j ? p->rho_diag : p->rho);
        }
}

/* log det Z grows with the diagonal, so that goes to the end of its box. */
double ak_sice_bound(akin_ctx *ctx, const ak_sice *p, const double *W,
                     double *Z, double *room)
{
    ak_sice_dual_point(p, W, Z);
    for (int64_t i = 0; i < p->m; ++i)
        Z[i * (p->m + 1)] = p->Sigma[i * (p->m + 1)] + p->rho_diag;
    return ak_sice_dual(ctx, p->m, Z, room);
}

double ak_sice_bound_at(akin_ctx *ctx, const ak_sice *p, const double *M,
                        const double *W, double *Z, double *room)
{
    const int64_t m = p->m;
    ak_sice_dual_point(p, W, Z);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j) {
            const int64_t k = i * m + j;
            if (i == j)
                Z[k] = p->Sigma[k] + p->rho_diag;
            else if (M[k] != 0.0)
                Z[k] = p->Sigma[k] + copysign(p->rho, M[k]);
        }
    const double bound = ak_sice_dual(ctx, m, Z, room);
    return bound > -INFINITY ? bound : ak_sice_bound(ctx, p, W, Z, room);
}

akin_status ak_sice_invert(akin_ctx *ctx, const ak_sice *p, const double *M,
                           double *W, double *F)
{
    double log_det = 0.0;
    akin_status st = AKIN_OK;
    memcpy(W, M, (size_t)(p->m * p->m) * sizeof *W);
    AK_TRY(ak_spd_inverse_logdet(ctx, p->m, W, &log_det));
    *F = ak_sice_linear(p, M) - log_det;
done:
    return st;
}
