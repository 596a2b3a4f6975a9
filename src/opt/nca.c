/* Neighbourhood components analysis.
 *   [1] Goldberger, Roweis, Hinton, Salakhutdinov. Neighbourhood components
 *       analysis. NIPS 17, 2005.
 *
 *   z = B'x,  D_ij = |z_i - z_j|^2,  M = B B'                             (1)
 *   p_ij = exp(-D_ij) / sum_{k != i} exp(-D_ik),  p_ii = 0                (2)
 *   p_i  = sum_j p_ij m_ij,  m_ij = 1 where i and j share a label         (3)
 *   F(B) = -sum_i p_i / n + lambda / 2 |B|^2 / d                          (4)
 *   dF/dB = 2/n X'R + lambda/d B,
 *   R = sum_ij w_ij (e_i - e_j)(z_i - z_j)',  w_ij = p_ij (m_ij - p_i)    (5)
 *
 * p_i is the chance that i is classed rightly by a neighbour drawn by (2); not
 * convex, so that the start counts. Rows of (2) go in blocks. */
#include "opt/nca.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

enum { BLOCK = 64 };

akin_status ak_nca_begin(ak_nca *p, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->n * p->rank, &p->Z));
    AK_TRY(AK_SCRATCH(ctx, p->n * p->rank, &p->R));
    AK_TRY(AK_SCRATCH(ctx, p->n, &p->norm));
    AK_TRY(AK_SCRATCH(ctx, p->n, &p->sum));
    AK_TRY(AK_SCRATCH(ctx, BLOCK * p->n, &p->P));
done:
    return st;
}

/* Row i of w, of the products z_i'z_j in `row`; returns p_i. */
static double weigh_row(const ak_nca *s, int64_t i, double *row)
{
    double least = INFINITY, all = 0.0, same = 0.0;
    for (int64_t j = 0; j < s->n; ++j) {
        row[j] = s->norm[i] + s->norm[j] - 2.0 * row[j];
        if (j != i)
            least = fmin(least, row[j]);
    }
    for (int64_t j = 0; j < s->n; ++j) {
        row[j] = j == i ? 0.0 : exp(least - row[j]);
        all += row[j];
        if (row[j] > 0.0 && s->same(s->arg, i, j)) {
            same += row[j];
            row[j] = -row[j];  // remembered by its sign
        }
    }
    const double p = same / all;
    for (int64_t j = 0; j < s->n; ++j)
        row[j] = row[j] < 0.0 ? -row[j] / all * (1.0 - p) : -row[j] / all * p;
    return p;
}

/* R gains the rows [from, from + rows) of w. */
static akin_status add_block(ak_nca *s, akin_ctx *ctx, int64_t from,
                             int64_t rows)
{
    const int64_t n = s->n, r = s->rank;
    akin_status st = AKIN_OK;
    memset(s->sum, 0, (size_t)n * sizeof *s->sum);
    for (int64_t i = 0; i < rows; ++i) {
        double all = 0.0;
        for (int64_t j = 0; j < n; ++j) {
            all += s->P[i * n + j];
            s->sum[j] += s->P[i * n + j];
        }
        ak_axpy(r, all, s->Z + (from + i) * r, s->R + (from + i) * r);
    }
    for (int64_t j = 0; j < n; ++j)
        ak_axpy(r, s->sum[j], s->Z + j * r, s->R + j * r);
    AK_TRY(ak_gemm(ctx, false, false, rows, r, n, -1.0, s->P, n, s->Z, r, 1.0,
                   s->R + from * r, r));
    AK_TRY(ak_gemm(ctx, true, false, n, r, rows, -1.0, s->P, n, s->Z + from * r,
                   r, 1.0, s->R, r));
done:
    return st;
}

akin_status ak_nca_value(void *arg, akin_ctx *ctx, const double *B, double *F,
                         double *gradient)
{
    ak_nca *s = arg;
    const int64_t n = s->n, d = s->d, r = s->rank;
    const double lambda = s->lambda / (double)d;
    double sum = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(
        ak_gemm(ctx, false, false, n, r, d, 1.0, s->X, d, B, r, 0.0, s->Z, r));
    for (int64_t i = 0; i < n; ++i)
        s->norm[i] = ak_dot(r, s->Z + i * r, s->Z + i * r);
    memset(s->R, 0, (size_t)(n * r) * sizeof *s->R);
    for (int64_t from = 0; from < n; from += BLOCK) {
        const int64_t rows = ak_min_i64(BLOCK, n - from);
        AK_TRY(ak_gemm(ctx, false, true, rows, n, r, 1.0, s->Z + from * r, r,
                       s->Z, r, 0.0, s->P, n));
        for (int64_t i = 0; i < rows; ++i)
            sum += weigh_row(s, from + i, s->P + i * n);
        AK_TRY(add_block(s, ctx, from, rows));
    }
    *F = -sum / (double)n + 0.5 * lambda * ak_dot(d * r, B, B);
    AK_TRY(ak_gemm(ctx, true, false, d, r, n, 2.0 / (double)n, s->X, d, s->R, r,
                   0.0, gradient, r));  // (5)
    ak_axpy(d * r, lambda, B, gradient);
done:
    return st;
}
