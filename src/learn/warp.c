#include "learn/warp.h"

#include <math.h>

enum { MOST_DRAWS = 32 };

/* L of (1). A long sum is replaced by its asymptotic expansion. */
static double harmonic(int64_t r)
{
    enum { SUMMED = 32 };
    static const double euler = 0.57721566490153286;
    double sum = 0.0;
    if (r > SUMMED)
        return log((double)r) + euler + 0.5 / (double)r;
    for (int64_t i = 1; i <= r; ++i)
        sum += 1.0 / (double)i;
    return sum;
}

double ak_warp_weight(int64_t P, int64_t N)
{
    return harmonic(ak_max_i64(1, P / N)) / harmonic(P);
}

akin_status ak_warp_draw(const ak_online *online, void *state, akin_ctx *ctx,
                         const ak_sampler *sampler, const akin_rows *rows,
                         int64_t t, int64_t *triplet, double *weight)
{
    ak_rng r = ak_sampler_open(sampler, t, triplet);
    const int64_t q = triplet[0], P = ak_sampler_negatives(sampler, q);
    double near_score = 0.0, score = 0.0;
    *weight = 0.0;
    AK_CHECK(online->score(state, ctx, rows, q, triplet[1], &near_score));
    for (int64_t N = 1; N <= MOST_DRAWS; ++N) {
        AK_CHECK(online->score(state, ctx, rows, q, triplet[2], &score));
        /* True also if a score is not finite: the learner then fails. */
        if (!(score <= near_score - 1.0)) {
            *weight = ak_warp_weight(P, N);
            break;
        }
        triplet[2] = ak_sampler_negative(sampler, &r, q);
    }
    return AKIN_OK;
}
