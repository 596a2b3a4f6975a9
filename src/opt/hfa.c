/* Alternately the machines for a given H and H for given machines.
 *
 *   x_i  = (I + H)^1/2 z_i, w_c the machine on these, G = (I + H)^1/2 W     (1)
 *   H    = U diag(h) U' with G = U diag(s) V' and
 *          1 + h_k = max(1, s_k / mu), mu such that sum h = lambda          (2)
 *   dual = sum_c (sum_i alpha_ic [- alpha_ic^2 / 4C])
 *          - (|B|_F^2 + lambda |B|_2^2) / 2,  b_c = sum_i alpha_ic y_ic z_i (3)
 *
 * Both steps lower (1) of the header, (2) by a closed form; (3) is a bound from
 * below for any alpha in range, so that the gap says how far it is. H has as
 * many directions as there are labels at the most, and one that is lost may
 * come back, since I + H keeps it. */
#include "opt/hfa.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

akin_status ak_hfa_room(ak_hfa *p, akin_ctx *ctx)
{
    const int64_t n = p->set.n, d = p->set.d, L = p->set.labels;
    akin_status st = AKIN_OK;
    p->q = ak_min_i64(d, L);
    AK_TRY(ak_svm_set_room(&p->set, ctx));
    AK_TRY(AK_SCRATCH(ctx, n * d, &p->X));
    AK_TRY(AK_SCRATCH(ctx, n * p->q, &p->ZU));
    AK_TRY(AK_SCRATCH(ctx, d * L, &p->G));
    AK_TRY(AK_SCRATCH(ctx, d * L, &p->W));
    AK_TRY(AK_SCRATCH(ctx, p->q * L, &p->M));
    AK_TRY(AK_SCRATCH(ctx, p->q * L, &p->Vt));
    AK_TRY(AK_SCRATCH(ctx, d * p->q, &p->U));
    AK_TRY(AK_SCRATCH(ctx, p->q, &p->h));
    AK_TRY(AK_SCRATCH(ctx, p->q, &p->s));
    p->set.X = p->X;
done:
    return st;
}

void ak_hfa_fill(int64_t q, const double *s, double lambda, double *h)
{
    double sum = 0.0, mu = 0.0;
    for (int64_t k = 0; k < q; ++k) {
        const double next = (sum + s[k]) / (lambda + (double)(k + 1));
        if (!(s[k] > next))
            break;
        sum += s[k];
        mu = next;
    }
    for (int64_t k = 0; k < q; ++k)
        h[k] = mu > 0.0 ? fmax(0.0, s[k] / mu - 1.0) : 0.0;
}

/* X = Z (I + H)^1/2. */
static akin_status transform_rows(ak_hfa *p, akin_ctx *ctx)
{
    const int64_t n = p->set.n, d = p->set.d, q = p->q;
    akin_status st = AKIN_OK;
    AK_TRY(ak_gemm(ctx, false, false, n, q, d, 1.0, p->Z, d, p->U, q, 0.0,
                   p->ZU, q));
    for (int64_t i = 0; i < n * q; ++i)
        p->ZU[i] *= sqrt(1.0 + p->h[i % q]) - 1.0;
    memcpy(p->X, p->Z, (size_t)(n * d) * sizeof *p->X);
    AK_TRY(ak_gemm(ctx, false, true, n, d, q, 1.0, p->ZU, q, p->U, q, 1.0, p->X,
                   d));
done:
    return st;
}

/* out = (I + H)^power W, of the machines as they are. */
static akin_status transform_machines(ak_hfa *p, akin_ctx *ctx, double power,
                                      double *out)
{
    const int64_t d = p->set.d, q = p->q, L = p->set.labels;
    akin_status st = AKIN_OK;
    for (int64_t c = 0; c < L; ++c)
        for (int64_t j = 0; j < d; ++j)
            out[j * L + c] = p->set.w[c * d + j];
    AK_TRY(
        ak_gemm(ctx, true, false, q, L, d, 1.0, p->U, q, out, L, 0.0, p->M, L));
    for (int64_t i = 0; i < q * L; ++i)
        p->M[i] *= pow(1.0 + p->h[i / L], power) - 1.0;
    AK_TRY(ak_gemm(ctx, false, false, d, L, q, 1.0, p->U, q, p->M, L, 1.0, out,
                   L));
done:
    return st;
}

/* (3); the value of a machine has |w|^2 / 2 taken off. */
static akin_status find_dual(ak_hfa *p, akin_ctx *ctx, double *U)
{
    const int64_t d = p->set.d, L = p->set.labels;
    akin_status st = AKIN_OK;
    AK_TRY(transform_machines(p, ctx, -0.5, p->W));
    p->dual = -0.5 * ak_dot(d * L, p->W, p->W);
    for (int64_t c = 0; c < L; ++c) {
        const double *w = p->set.w + c * d;
        p->dual += p->set.dual[c] + 0.5 * ak_dot(d, w, w);
    }
    AK_TRY(ak_svd(ctx, d, L, p->W, p->s, U, p->Vt));
    p->dual -= 0.5 * p->lambda * p->s[0] * p->s[0];
done:
    return st;
}

/* (2), and the objective with it. */
static akin_status find_transform(ak_hfa *p, akin_ctx *ctx)
{
    const int64_t d = p->set.d, L = p->set.labels;
    akin_status st = AKIN_OK;
    AK_TRY(transform_machines(p, ctx, 0.5, p->G));
    memcpy(p->W, p->G, (size_t)(d * L) * sizeof *p->W);
    AK_TRY(ak_svd(ctx, d, L, p->W, p->s, p->U, p->Vt));
    ak_hfa_fill(p->q, p->s, p->lambda, p->h);
    p->objective = 0.0;
    for (int64_t c = 0; c < L; ++c) {
        const double *w = p->set.w + c * d;
        p->objective += p->set.primal[c] - 0.5 * ak_dot(d, w, w);
    }
    for (int64_t k = 0; k < p->q; ++k)
        p->objective += 0.5 * p->s[k] * p->s[k] / (1.0 + p->h[k]);
done:
    return st;
}

akin_status ak_hfa_solve(ak_hfa *p, akin_ctx *ctx)
{
    double *room;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->set.d * p->q, &room));
    p->converged = false;
    p->iterations = 0;
    AK_TRY(ak_ctx_tick(ctx, "iterations", 0, 0, p->objective));
    while (p->iterations < p->max_iterations && !p->converged &&
           !ak_ctx_stopped(ctx)) {
        AK_TRY(transform_rows(p, ctx));
        AK_TRY(ak_svm_set_solve(&p->set, ctx));
        AK_TRY(find_dual(p, ctx, room));
        AK_TRY(find_transform(p, ctx));
        ++p->iterations;
        p->converged = p->objective - p->dual <= p->tol * p->objective;
        AK_TRY(ak_ctx_step(ctx, "iterations", p->iterations, p->max_iterations,
                           p->objective));
    }
done:
    return st;
}
