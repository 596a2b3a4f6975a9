/* Rounds of steps with labels that are fixed; learn/captions/rounds.h. */
#include "learn/captions/rounds.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"

akin_status ak_rounds_steps(double *x, const ak_rounds *r, akin_ctx *ctx,
                            const int64_t *order, int64_t n_order,
                            int64_t batch, double t0)
{
    double t = t0;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n_order; k += batch) {
        t += 1.0;
        AK_TRY(r->step(x, r->arg, ctx, order + k,
                       ak_min_i64(batch, n_order - k), 1.0 / (r->sigma * t)));
        AK_TRY(ak_ctx_tick(ctx, "photos", k, n_order, NAN));
    }
done:
    return st;
}

/* `epochs` shuffled passes over all photos. */
static akin_status draw_order(int64_t **out, akin_ctx *ctx, int64_t m,
                              int64_t epochs, uint64_t round)
{
    ak_rng rng =
        ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SHUFFLE), round);
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m * epochs, out));
    for (int64_t e = 0; e < epochs; ++e) {
        for (int64_t i = 0; i < m; ++i)
            (*out)[e * m + i] = i;
        ak_rng_shuffle(&rng, m, *out + e * m);
    }
done:
    return st;
}

/* One round from x on; *change is how far x went. */
static akin_status solve_round(double *x, const ak_rounds *r, akin_ctx *ctx,
                               const ak_rounds_params *p, int64_t round,
                               double *change)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t batch = p->batch > 0 ? p->batch : r->m;
    const int64_t steps = (r->m + batch - 1) / batch;
    double *before;
    int64_t *order;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r->size, &before));
    memcpy(before, x, (size_t)r->size * sizeof *x);
    AK_TRY(draw_order(&order, ctx, r->m, p->epochs, (uint64_t)round));
    const double t0 = round == 0 ? 1.0 : 10.0 * (double)steps;
    AK_TRY(ak_rounds_steps(x, r, ctx, order, r->m * p->epochs, batch, t0));
    *change = 0.0;
    for (int64_t k = 0; k < r->size; ++k)
        *change += (x[k] - before[k]) * (x[k] - before[k]);
    *change = sqrt(*change);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rounds_fit(ak_rounds_result *out, double *x, const ak_rounds *r,
                          akin_ctx *ctx, const ak_rounds_params *p)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t bytes = (size_t)r->size * sizeof *x;
    double *best, value = 0.0, change = INFINITY;
    akin_status st = AKIN_OK;
    *out = (ak_rounds_result){0};
    AK_TRY(AK_SCRATCH(ctx, r->size, &best));
    AK_TRY(r->objective(&out->objective, r->arg, ctx, x));
    memcpy(best, x, bytes);
    while (out->outer < p->outer && !out->converged) {
        AK_TRY(solve_round(x, r, ctx, p, out->outer++, &change));
        AK_TRY(r->objective(&value, r->arg, ctx, x));
        out->converged = change <= p->eps;
        if (!(value < out->objective))
            continue;
        out->objective = value;
        memcpy(best, x, bytes);
    }
    memcpy(x, best, bytes);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
