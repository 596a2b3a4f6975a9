/* Triplets: how many of them the model gets in the wrong order. */
#include <math.h>

#include <akin/eval.h>

#include "base/ctx.h"

enum { AT_ONCE = 1 << 15 };  // triplets whose scores are kept

/* Wrong triplets of a few, ties as half; ij and scores hold two each. */
static akin_status count_wrong(akin_ctx *ctx, const akin_model *m,
                               const akin_rows *rows, const int64_t *triplets,
                               int64_t count, akin_compare by, int64_t *ij,
                               double *scores, int64_t *half_wrong)
{
    for (int64_t t = 0; t < count; ++t)
        for (int64_t side = 0; side < 2; ++side) {
            ij[4 * t + 2 * side] = triplets[3 * t];
            ij[4 * t + 2 * side + 1] = triplets[3 * t + 1 + side];
        }
    AK_CHECK(akin_model_score(scores, ctx, m, rows, rows, ij, 2 * count, by));
    for (int64_t t = 0; t < count; ++t) {
        const double p = scores[2 * t], n = scores[2 * t + 1];
        *half_wrong += p > n ? 0 : p == n ? 1 : 2;
    }
    return AKIN_OK;
}

akin_status akin_eval_triplets(double *error, akin_ctx *ctx,
                               const akin_model *m, const akin_rows *rows,
                               const int64_t *triplets, int64_t count,
                               akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *ij, half_wrong = 0;
    double *scores;
    akin_status st = AKIN_OK;
    if (count < 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "there are no triplets"));
    AK_TRY(AK_SCRATCH(ctx, 4 * AT_ONCE, &ij));
    AK_TRY(AK_SCRATCH(ctx, 2 * AT_ONCE, &scores));
    for (int64_t t = 0; t < count; t += AT_ONCE) {
        AK_TRY(count_wrong(ctx, m, rows, triplets + 3 * t,
                           ak_min_i64(AT_ONCE, count - t), by, ij, scores,
                           &half_wrong));
        AK_TRY(ak_ctx_tick(ctx, "triplets", t, count, NAN));
    }
    *error = 0.5 * (double)half_wrong / (double)count;
done:
    ak_scratch_end(ctx, mark);
    return st;
}
