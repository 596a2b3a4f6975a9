/* Residuals of rLRR without full matrices; learn/captions/rlrr.c. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/sparse.h"
#include "learn/captions/rlrr_gap.h"
#include "learn/captions/rlrr_work.h"

typedef struct gap_job {
    const ak_rlrr_work *w;
    const double *A, *B;  // n x k
    int64_t k;
} gap_job;

/* 2 <S_w, A B'> + |S_w|^2 of a block. */
static akin_status gap_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const gap_job *g = arg;
    const ak_rlrr_work *w = g->w;
    double sum = 0.0;
    (void)worker;
    for (int64_t j = begin; j < end; ++j) {
        const int32_t *peers;
        const int64_t m = ak_peers_get(w->peers, j, &peers);
        const double *B = g->B + j * g->k, *S = w->Sw + w->peers->start[j];
        for (int64_t i = 0; i < m; ++i) {
            const double *A = g->A + peers[i] * g->k;
            const double low = ak_dot8(g->k, A, B);
            sum += S[i] * (2.0 * low + S[i]);
        }
    }
    w->sums[begin / AK_RLRR_BLOCK * 2] = sum;
    return AKIN_OK;
}

/* |W - J|_F. */
static akin_status gap_norm(double *out, ak_rlrr_work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = w->x->n, r = w->x->r, m = w->M.k;
    const int64_t kj = w->J.k, k = m + r + kj;
    const double by = 1.0 / (w->rho + w->step.base);
    double *A, *B, norm = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * k, &A));
    AK_TRY(AK_SCRATCH(ctx, n * k, &B));
    for (int64_t i = 0; i < n; ++i) {
        double *a = A + i * k, *b = B + i * k;
        for (int64_t t = 0; t < m; ++t)
            a[t] = by * w->M.A[i * m + t];
        memcpy(b, w->M.B + i * m, (size_t)m * sizeof *b);
        memcpy(a + m, w->x->V + i * r, (size_t)r * sizeof *a);
        memcpy(b + m, w->Psi + i * r, (size_t)r * sizeof *b);
        for (int64_t t = 0; t < kj; ++t) {
            a[m + r + t] = -(w->J.sigma[t] - 1.0 / w->rho) *
                           w->J.U[i * w->J.width + t];
            b[m + r + t] = w->J.V[i * w->J.width + t];
        }
    }
    gap_job job = {w, A, B, k};
    AK_TRY(ak_pair_norm(&norm, ctx, n, k, A, B));
    AK_TRY(ak_parallel_for(ctx, n, AK_RLRR_BLOCK, gap_block, &job));
    for (int64_t b = 0; b * AK_RLRR_BLOCK < n; ++b)
        norm += w->sums[2 * b];
    *out = sqrt(fmax(norm, 0.0));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rlrr_measure(ak_rlrr_work *w, akin_ctx *ctx, ak_rlrr_result *out)
{
    double all[2] = {0.0, 0.0}, gap = 0.0, size = 0.0;
    akin_status st = AKIN_OK;
    for (int64_t b = 0; b * AK_RLRR_BLOCK < w->x->n; ++b) {
        all[0] += w->sums[2 * b];
        all[1] += w->sums[2 * b + 1];
    }
    out->r1 = sqrt(all[0]) / sqrt(fmax(all[1], 1e-300));
    out->r2 = INFINITY;
    if (out->r1 > w->p->eps)  // the other one is dear
        return isfinite(out->r1)
                   ? AKIN_OK
                   : ak_fail(ctx, AKIN_ENUMERIC,
                             "a value is not finite (iteration %" PRId64 ")",
                             out->iterations);
    AK_TRY(gap_norm(&gap, w, ctx));
    for (int64_t t = 0; t < w->J.k; ++t)
        size += pow(w->J.sigma[t] - 1.0 / w->rho, 2.0);
    out->r2 = gap / fmax(sqrt(size), 1.0);
done:
    return st;
}
