/* The low-rank part of rLRR without full matrices: (3) of
 * learn/captions/rlrr.c. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/captions/rlrr_work.h"

void ak_low_rank_free(ak_low_rank *p, akin_ctx *ctx)
{
    ak_release(ctx, p->A);
    ak_release(ctx, p->B);
    *p = (ak_low_rank){0};
}

/* Memory for p->k columns, and some more where there is none. */
static akin_status pair_reserve(ak_low_rank *p, akin_ctx *ctx, int64_t n)
{
    const int64_t k = p->k;
    akin_status st = AKIN_OK;
    if (k <= p->room && p->A != NULL)
        return AKIN_OK;
    ak_low_rank_free(p, ctx);
    AK_TRY(AK_NEW(ctx, n * (k + k / 4), &p->A));
    AK_TRY(AK_NEW(ctx, n * (k + k / 4), &p->B));
    p->k = k;
    p->room = k + k / 4;
done:
    return st;
}

/* [rho U (sigma - 1/rho), c A] and [V, B]: rho J + c M as one pair. */
static akin_status join(const ak_rlrr_work *w, akin_ctx *ctx, ak_low_rank *out)
{
    const int64_t n = w->x->n, k = w->J.k, wide = w->J.width, m = w->M.k;
    const double c = w->step.base / (w->rho_prev + w->step.base);
    akin_status st = AKIN_OK;
    out->k = k + (c > 0.0 ? m : 0);
    AK_TRY(AK_SCRATCH(ctx, n * out->k, &out->A));
    AK_TRY(AK_SCRATCH(ctx, n * out->k, &out->B));
    for (int64_t i = 0; i < n; ++i) {
        double *A = out->A + i * out->k, *B = out->B + i * out->k;
        for (int64_t t = 0; t < k; ++t) {
            A[t] = (w->rho * w->J.sigma[t] - 1.0) * w->J.U[i * wide + t];
            B[t] = w->J.V[i * wide + t];
        }
        for (int64_t t = k; t < out->k; ++t) {
            A[t] = c * w->M.A[i * m + t - k];
            B[t] = w->M.B[i * m + t - k];
        }
    }
done:
    return st;
}

/* Fewer columns for the same product: QR of both, SVD of what is left, where
 * values below a share of the largest are dropped. */
static akin_status compress(akin_ctx *ctx, int64_t n, const ak_low_rank *in,
                            double least_share, ak_low_rank *out)
{
    const int64_t k = in->k;
    double *Ra, *Rb, *C, *U, *Vt, *s;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &Ra));
    AK_TRY(AK_SCRATCH(ctx, k * k, &Rb));
    AK_TRY(AK_SCRATCH(ctx, k * k, &C));
    AK_TRY(AK_SCRATCH(ctx, k * k, &U));
    AK_TRY(AK_SCRATCH(ctx, k * k, &Vt));
    AK_TRY(AK_SCRATCH(ctx, k, &s));
    AK_TRY(ak_qr(ctx, n, k, in->A, Ra));
    AK_TRY(ak_qr(ctx, n, k, in->B, Rb));
    AK_TRY(ak_gemm(ctx, false, true, k, k, k, 1.0, Ra, k, Rb, k, 0.0, C, k));
    AK_TRY(ak_svd(ctx, k, k, C, s, U, Vt));
    out->k = 0;
    while (out->k < k && s[out->k] > least_share * s[0])
        ++out->k;
    AK_TRY(pair_reserve(out, ctx, n));
    for (int64_t t = 0; t < k * k; ++t)
        U[t] *= s[t % k];
    AK_TRY(ak_gemm(ctx, false, false, n, out->k, k, 1.0, in->A, k, U, k, 0.0,
                   out->A, out->k));
    AK_TRY(ak_gemm(ctx, false, true, n, out->k, k, 1.0, in->B, k, Vt, k, 0.0,
                   out->B, out->k));
done:
    return st;
}

/* The pair as it is. */
static akin_status copy(akin_ctx *ctx, int64_t n, const ak_low_rank *in,
                        ak_low_rank *out)
{
    const size_t bytes = (size_t)(n * in->k) * sizeof *in->A;
    akin_status st = AKIN_OK;
    out->k = in->k;
    AK_TRY(pair_reserve(out, ctx, n));
    memcpy(out->A, in->A, bytes);
    memcpy(out->B, in->B, bytes);
done:
    return st;
}

akin_status ak_rlrr_next_M(ak_rlrr_work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = w->x->n;
    ak_low_rank joined = {0};
    akin_status st = AKIN_OK;
    AK_TRY(join(w, ctx, &joined));
    if (joined.k <= n)
        AK_TRY(
            compress(ctx, n, &joined, fmax(1e-12, 1e-3 * w->p->eps), &w->next));
    else
        AK_TRY(copy(ctx, n, &joined, &w->next));
    const ak_low_rank before = w->M;
    w->M = w->next;
    w->next = before;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
