#include "index/score_factors.h"

#include <math.h>

void ak_score_factors_free(ak_score_factors *r)
{
    akin_free(r->times);
    akin_free(r->plus);
    akin_free(r->best);
    *r = (ak_score_factors){0};
}

/* 0, or a size whose products stay well inside the range of float. */
static bool is_safe(double v)
{
    return v == 0.0 || (fabs(v) > 1e-12 && fabs(v) < 1e12);
}

static void set_rate(ak_score_factors *r, const ak_sizes *s, int64_t i,
                     bool gone)
{
    const double norm = s->norm ? s->norm[i] : 0.0, root = sqrt(norm);
    const double self = s->self ? s->self[i] : norm;
    double times = s->scale ? s->scale[i] : 1.0;
    if (s->sum)
        times = s->sum[i] > 0.0 ? times / s->sum[i] : 0.0;
    if (r->by == AKIN_BY_COSINE)
        times = root > 0.0 ? times / root : 0.0;
    if (r->by == AKIN_BY_DISTANCE) {
        times *= 2.0;
        r->plus[i] = (float)-self;
        r->safe = r->safe && is_safe(self);
    }
    if (gone)
        r->plus[i] = -INFINITY;
    r->times[i] = gone ? 0.0F : (float)times;
    r->safe = r->safe && is_safe(times) && is_safe(root);
    if (r->by != AKIN_BY_COSINE && !gone)
        r->largest = fmax(r->largest, root);
}

akin_status ak_score_factors_make(ak_score_factors *r, akin_ctx *ctx,
                                  const akin_index *x, const ak_sizes *sizes,
                                  akin_compare by)
{
    akin_status st = AKIN_OK;
    *r = (ak_score_factors){.by = by, .safe = true};
    r->largest = by == AKIN_BY_COSINE ? 1.0 : 0.0;
    AK_TRY(AK_NEW(ctx, x->n, &r->times));
    AK_TRY(AK_NEW(ctx, x->n, &r->plus));
    AK_TRY(AK_NEW(ctx, (x->n >> AK_BUCKET_BITS) + 1, &r->best));
    for (int64_t i = 0; i < x->n; ++i) {
        float *best = &r->best[i >> AK_BUCKET_BITS];
        set_rate(r, sizes, i, x->gone[i]);
        *best = fmaxf(*best, r->times[i]);
        r->fastest = fmaxf(r->fastest, r->times[i]);
    }
    if (sizes->norm == NULL)
        r->largest = INFINITY;
done:
    if (st != AKIN_OK)
        ak_score_factors_free(r);
    return st;
}
