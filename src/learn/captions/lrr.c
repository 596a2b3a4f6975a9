/* LRR in r x n form: the answer of (1) of learn/captions/rlrr.h with gamma = 0
 * lies in the row space of X, W = V Z, and |W|_* = |Z|_*, X W = Q diag(s) Z. So
 *
 *   min |J|_* + lambda |E|_{2,1},  B = diag(s) Z + E,  Z = J,  B = diag(s) V'
 *
 * by alternating steps with multipliers U and Y:
 *
 *   J = (Z + Y/rho), singular values lowered by 1/rho                  (1)
 *   Z = (s^2 + 1)^-1 (J - Y/rho + s (B - E + U/rho))                   (2)
 *   e_j = q_j max(0, 1 - lambda / (rho |q_j|)),  q = B - s Z + U/rho   (3)
 *
 * All are held transposed, a row a face. (1) costs n r^2, the rest n r. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/captions/rlrr.h"

enum { BLOCK = 128 };

typedef struct lrr {
    const ak_faces_svd *x;
    double lambda, rho;
    double *Z, *J, *Y, *E, *U;  // n x r
    double *A, *C, *F, *G;      // n x r, r x r
    double *values;             // r
    double *sums;               // 4 a block: of squares
    int64_t rank;
} lrr;

static akin_status lrr_begin(lrr *w, akin_ctx *ctx, const ak_faces_svd *x)
{
    const int64_t size = x->n * x->r, blocks = (x->n + BLOCK - 1) / BLOCK;
    w->x = x;
    AK_CHECK(AK_SCRATCH_EACH(ctx, size, &w->J, &w->Y, &w->E, &w->U, &w->A));
    AK_CHECK(AK_SCRATCH_EACH(ctx, x->r * x->r, &w->C, &w->F, &w->G));
    AK_CHECK(AK_SCRATCH(ctx, x->r, &w->values));
    AK_CHECK(AK_SCRATCH(ctx, 4 * blocks, &w->sums));
    for (int64_t k = 0; k < size; ++k)
        w->E[k] = x->s[k % x->r] * x->V[k];  // B
    return AKIN_OK;
}

/* (1): J = A f(A'A), f(sigma^2) = max(0, 1 - 1/(rho sigma)). */
static akin_status lrr_lower(lrr *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n, r = w->x->r;
    for (int64_t k = 0; k < n * r; ++k)
        w->A[k] = w->Z[k] + w->Y[k] / w->rho;
    AK_CHECK(ak_gram(ctx, true, r, n, w->A, r, w->C));
    AK_CHECK(ak_eigh(ctx, r, w->C, w->values));
    w->rank = 0;
    for (int64_t c = 0; c < r; ++c) {
        const double sigma = sqrt(fmax(w->values[c], 0.0));
        const double keep = sigma * w->rho > 1.0 ? 1.0 - 1.0 / (w->rho * sigma)
                                                 : 0.0;
        w->rank += keep > 0.0;
        w->values[c] = keep;
    }
    for (int64_t k = 0; k < r * r; ++k)
        w->F[k] = w->values[k % r] * w->C[k];
    AK_CHECK(ak_gemm(ctx, false, true, r, r, r, 1.0, w->F, r, w->C, r, 0.0,
                     w->G, r));
    return ak_gemm(ctx, false, false, n, r, r, 1.0, w->A, r, w->G, r, 0.0, w->J,
                   r);
}

/* (2), (3) and the multipliers of a block of faces; sums of squares of both
 * residuals, of Z and of B. */
static akin_status lrr_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const lrr *w = arg;
    const int64_t r = w->x->r;
    const double *s = w->x->s, rho = w->rho;
    double *sums = w->sums + begin / BLOCK * 4;
    (void)worker;
    memset(sums, 0, 4 * sizeof *sums);
    for (int64_t j = begin; j < end; ++j) {
        const double *V = w->x->V + j * r, *J = w->J + j * r;
        double *Z = w->Z + j * r, *Y = w->Y + j * r;
        double *E = w->E + j * r, *U = w->U + j * r, norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double B = s[c] * V[c];
            Z[c] = (J[c] - Y[c] / rho + s[c] * (B - E[c] + U[c] / rho)) /
                   (s[c] * s[c] + 1.0);
            E[c] = B - s[c] * Z[c] + U[c] / rho;  // q
            norm += E[c] * E[c];
        }
        const double size = sqrt(norm), bound = w->lambda / rho;
        const double keep = size > bound ? 1.0 - bound / size : 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double B = s[c] * V[c];
            E[c] *= keep;
            const double r1 = B - s[c] * Z[c] - E[c], r2 = Z[c] - J[c];
            U[c] += rho * r1;
            Y[c] += rho * r2;
            sums[0] += r1 * r1;
            sums[1] += r2 * r2;
            sums[2] += Z[c] * Z[c];
            sums[3] += B * B;
        }
    }
    return AKIN_OK;
}

static akin_status lrr_step(lrr *w, akin_ctx *ctx, ak_rlrr_result *out)
{
    const int64_t blocks = (w->x->n + BLOCK - 1) / BLOCK;
    double all[4] = {0.0};
    AK_CHECK(lrr_lower(w, ctx));
    AK_CHECK(ak_parallel_for(ctx, w->x->n, BLOCK, lrr_block, w));
    for (int64_t b = 0; b < 4 * blocks; ++b)
        all[b % 4] += w->sums[b];
    out->r1 = sqrt(all[0]) / sqrt(fmax(all[3], 1e-300));
    out->r2 = sqrt(all[1]) / fmax(sqrt(all[2]), 1.0);
    if (!isfinite(out->r1) || !isfinite(out->r2))
        return ak_fail(ctx, AKIN_ENUMERIC,
                       "a value is not finite (iteration "
                       "%" PRId64 ")",
                       out->iterations);
    return AKIN_OK;
}

/* The value at Z, and a bound below the least value: U scaled until |X'U|_2 <=
 * 1 and |u_j| <= lambda. */
static akin_status certify(const lrr *w, akin_ctx *ctx, ak_rlrr_result *out)
{
    const int64_t n = w->x->n, r = w->x->r;
    double inner = 0.0, by = 1.0;
    out->value = 0.0;
    AK_CHECK(ak_gram(ctx, true, r, n, w->Z, r, w->C));
    AK_CHECK(ak_eigh(ctx, r, w->C, w->values));
    for (int64_t c = 0; c < r; ++c)
        out->value += sqrt(fmax(w->values[c], 0.0));
    for (int64_t j = 0; j < n; ++j) {
        const double *U = w->U + j * r;
        double norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double s = w->x->s[c], B = s * w->x->V[j * r + c];
            const double E = B - s * w->Z[j * r + c];
            norm += E * E;
            inner += U[c] * B;
            w->A[j * r + c] = s * U[c];
        }
        out->value += w->lambda * sqrt(norm);
        by = fmax(by, sqrt(ak_dot(r, U, U)) / w->lambda);
    }
    AK_CHECK(ak_gram(ctx, true, r, n, w->A, r, w->C));
    AK_CHECK(ak_eigh(ctx, r, w->C, w->values));
    by = fmax(by, sqrt(fmax(w->values[r - 1], 0.0)));
    out->bound = inner / by;
    return AKIN_OK;
}

akin_status ak_lrr_solve(ak_rlrr_result *out, akin_ctx *ctx,
                         const ak_faces_svd *x, const ak_rlrr_params *p)
{
    lrr w = {.lambda = p->lambda, .rho = p->rho};
    double *Z;
    akin_status st = AKIN_OK;
    *out = (ak_rlrr_result){0};
    AK_TRY(AK_SCRATCH(ctx, x->n * x->r, &Z));  // outlives the rest
    const ak_mark mark = ak_scratch_begin(ctx);
    w.Z = Z;
    st = lrr_begin(&w, ctx, x);
    while (st == AKIN_OK && out->iterations < p->most && !out->converged) {
        ++out->iterations;
        st = lrr_step(&w, ctx, out);
        if (st == AKIN_OK && p->gap > 0.0)
            st = certify(&w, ctx, out);
        out->converged = (out->r1 <= p->eps && out->r2 <= p->eps) ||
                         ak_rlrr_is_close(out, p);
        w.rho = fmin(w.rho * (1.0 + p->delta_rho), p->rho_max);
        if (st == AKIN_OK)
            st = ak_ctx_step(ctx, "iterations", out->iterations, p->most,
                             out->r2);
    }
    st = st == AKIN_OK ? certify(&w, ctx, out) : st;
    out->rank = w.rank;
    ak_scratch_end(ctx, mark);
    out->W = (ak_representation){x->n, x->r, x->V, Z, NULL, NULL};
done:
    return st;
}
