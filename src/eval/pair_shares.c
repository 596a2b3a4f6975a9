/* The area under the ROC curve, pair by pair. */
#include <stdlib.h>

#include "base/ctx.h"
#include "eval/queries.h"

typedef struct place {
    double score;
    int64_t pair;
} place;

static int by_score(const void *left, const void *right)
{
    const double a = ((const place *)left)->score;
    const double b = ((const place *)right)->score;
    return (a > b) - (a < b);
}

/* Give the pairs that tie, x[begin..end), their shares: `below` counts pairs of
 * either kind with lower scores, `all` counts all. */
static void share_ties(const place *x, int64_t begin, int64_t end,
                       const int64_t *pairs, int64_t below[2],
                       const int64_t all[2], double *shares)
{
    int64_t here[2] = {0, 0};
    for (int64_t i = begin; i < end; ++i)
        ++here[pairs[3 * x[i].pair + 2] > 0];
    for (int64_t i = begin; i < end; ++i) {
        const int kind = pairs[3 * x[i].pair + 2] > 0, other = 1 - kind;
        const double lower = (double)below[other] + 0.5 * (double)here[other];
        const double share = lower / (double)all[other];
        shares[x[i].pair] = kind ? share : 1.0 - share;
    }
    below[0] += here[0];
    below[1] += here[1];
}

akin_status ak_eval_pair_shares(double *shares, akin_ctx *ctx,
                                const double *scores, const int64_t *pairs,
                                int64_t count)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t below[2] = {0, 0}, all[2] = {0, 0};
    place *x;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, count, &x));
    for (int64_t t = 0; t < count; ++t) {
        x[t] = (place){scores[t], t};
        ++all[pairs[3 * t + 2] > 0];
    }
    if (all[0] == 0 || all[1] == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "expected pairs that match and pairs that do not"));
    qsort(x, (size_t)count, sizeof *x, by_score);
    for (int64_t i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && x[end].score == x[i].score;)
            ++end;
        share_ties(x, i, end, pairs, below, all, shares);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}
