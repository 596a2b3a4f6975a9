#include <math.h>

#include "base/parallel.h"
#include "opt/svm.h"

static const int64_t MOST = INT64_C(1) << 28;  // numbers in a matrix: 2 GiB

akin_status ak_svm_set_room(ak_svm_set *s, akin_ctx *ctx)
{
    const int64_t n = s->n, L = s->labels;
    akin_status st = AKIN_OK;
    if (L > MOST / ak_max_i64(n, s->d))
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " labels of %" PRId64 " rows are too many", L,
                       n));
    AK_TRY(AK_SCRATCH(ctx, n * L, &s->y));
    AK_TRY(AK_SCRATCH(ctx, n * L, &s->alpha));
    AK_TRY(AK_SCRATCH(ctx, n * L, &s->order));
    AK_TRY(AK_SCRATCH(ctx, n, &s->weight));
    AK_TRY(AK_SCRATCH(ctx, L * s->d, &s->w));
    AK_TRY(AK_SCRATCH(ctx, L, &s->sweeps));
    AK_TRY(AK_SCRATCH(ctx, L, &s->primal));
    AK_TRY(AK_SCRATCH(ctx, L, &s->dual));
    AK_TRY(AK_SCRATCH(ctx, L, &s->converged));
    for (int64_t i = 0; i < n; ++i)
        s->weight[i] = s->C;
    for (int64_t k = 0; k < n * L; ++k)
        s->y[k] = -1.0;
done:
    return st;
}

/* The machine of label `begin`. */
static akin_status solve_label(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    ak_svm_set *s = arg;
    const int64_t n = s->n, d = s->d;
    (void)worker, (void)end;
    ak_rng rng = ak_rng_split(s->rng, (uint64_t)begin);
    ak_svm p = {.n = n,
                .d = d,
                .X = s->X,
                .y = s->y + begin * n,
                .C = s->weight,
                .squared = s->squared,
                .tol = s->tol,
                .max_sweeps = s->max_sweeps,
                .w = s->w + begin * d,
                .alpha = s->alpha + begin * n,
                .order = s->order + begin * n};
    ak_svm_solve(&p, &rng);
    s->sweeps[begin] = p.sweeps;
    s->converged[begin] = p.converged;
    s->primal[begin] = p.primal;
    s->dual[begin] = p.dual;
    return isfinite(p.primal) ? AKIN_OK : AKIN_ENUMERIC;
}

akin_status ak_svm_set_solve(ak_svm_set *s, akin_ctx *ctx)
{
    const akin_status st = ak_parallel_for(ctx, s->labels, 1, solve_label, s);
    if (st == AKIN_ENUMERIC)
        return ak_fail(ctx, st, "a value is not finite (scaled rows may help)");
    return st;
}
