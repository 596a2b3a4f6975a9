/* A machine for each name of labelled faces; learn/captions/lr_svm.h. */
#include <math.h>

#include "base/parallel.h"
#include "learn/captions/lr_svm.h"
#include "opt/svm.h"

typedef struct machines {
    int64_t n, d;
    const double *X;
    const int32_t *labels;
    double *W;          // (n_names + 1) x d, the last for no name
    double *C;          // n
    double *y, *alpha;  // n for each worker
    int64_t *order;
    ak_rng rng;
} machines;

static akin_status solve_machine(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const machines *s = arg;
    ak_rng rng = ak_rng_split(s->rng, (uint64_t)begin);
    ak_svm p = {.n = s->n,
                .d = s->d,
                .X = s->X,
                .C = s->C,
                .tol = 1e-3,
                .max_sweeps = 200,
                .w = s->W + begin * s->d,
                .alpha = s->alpha + worker * s->n,
                .order = s->order + worker * s->n};
    double *y = s->y + worker * s->n;
    (void)end;
    for (int64_t i = 0; i < s->n; ++i) {
        y[i] = s->labels[i] == begin ? 1.0 : -1.0;
        p.alpha[i] = 0.0;
    }
    p.y = y;
    ak_svm_solve(&p, &rng);
    return isfinite(p.primal) ? AKIN_OK : AKIN_ENUMERIC;
}

akin_status ak_lr_machines(double *W, akin_ctx *ctx, int64_t n, int64_t d,
                           const double *X, const int32_t *labels,
                           int64_t n_names, double C)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    machines s = {.n = n,
                  .d = d,
                  .X = X,
                  .labels = labels,
                  .rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER)};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, (n_names + 1) * d, &s.W));
    AK_TRY(AK_SCRATCH(ctx, n, &s.C));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.y));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.alpha));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * n, &s.order));
    for (int64_t i = 0; i < n; ++i)
        s.C[i] = C;
    st = ak_parallel_for(ctx, n_names + 1, 1, solve_machine, &s);
    if (st == AKIN_ENUMERIC)
        AK_TRY(
            ak_fail(ctx, st, "a value is not finite (scaled faces may help)"));
    AK_TRY(st);
    for (int64_t k = 0; k < n_names * d; ++k)
        W[k] = s.W[k] - s.W[n_names * d + k % d];
done:
    ak_scratch_end(ctx, mark);
    return st;
}
