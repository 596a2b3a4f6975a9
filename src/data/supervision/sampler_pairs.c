/* Triplets from pairs: a positive pair is drawn uniformly among those whose
 * first row also has negative pairs, then one of these. Without right-hand rows
 * a pair stands for both orders. */
#include "data/supervision/sampler.h"

static int64_t count_negatives(const ak_sampler *s, int64_t q)
{
    return s->offsets[q + 1] - s->offsets[q];
}

static int64_t draw_negative(const ak_sampler *s, ak_rng *r, int64_t q)
{
    return s->members[s->offsets[q] + ak_rng_below(r, count_negatives(s, q))];
}

static void draw_of_pairs(const ak_sampler *s, ak_rng *r, int64_t *triplet)
{
    const int64_t *pair = s->anchors + 2 * ak_rng_below(r, s->n_anchors);
    triplet[0] = pair[0];
    triplet[1] = pair[1];
    triplet[2] = draw_negative(s, r, pair[0]);
}

static void pair_positives(const ak_sampler *s, unsigned char *flags)
{
    for (int64_t i = 0; i < s->n_anchors; ++i) {
        flags[s->anchors[2 * i]] = 1;
        if (s->right == NULL)
            flags[s->anchors[2 * i + 1]] = 1;
    }
}

/* Pair i in the order `turn`; true when it is of the sign wanted. */
static bool pair_of(const akin_supervision *of, int64_t i, int turn,
                    int64_t sign, int64_t pair[2])
{
    const int64_t *x = of->numbers + 3 * i;
    pair[0] = x[turn];
    pair[1] = x[1 - turn];
    return x[2] == sign;
}

/* The negatives of each row, as offsets and members. */
static akin_status keep_negatives(ak_sampler *s, akin_ctx *ctx,
                                  const akin_supervision *of, int turns)
{
    const int64_t n = s->rows->n;
    int64_t pair[2];
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, n + 2, &s->offsets));
    for (int64_t i = 0; i < of->count; ++i)
        for (int turn = 0; turn < turns; ++turn)
            if (pair_of(of, i, turn, -1, pair))
                ++s->offsets[pair[0] + 2];
    for (int64_t i = 1; i <= n + 1; ++i)
        s->offsets[i] += s->offsets[i - 1];
    AK_TRY(AK_NEW(ctx, s->offsets[n + 1], &s->members));
    for (int64_t i = 0; i < of->count; ++i)
        for (int turn = 0; turn < turns; ++turn)
            if (pair_of(of, i, turn, -1, pair))
                s->members[s->offsets[pair[0] + 1]++] = pair[1];
done:
    return st;
}

akin_status ak_sampler_from_pairs(ak_sampler *s, akin_ctx *ctx,
                                  const akin_supervision *of)
{
    const int turns = s->right ? 1 : 2;
    akin_status st = AKIN_OK;

    AK_TRY(keep_negatives(s, ctx, of, turns));
    AK_TRY(AK_NEW(ctx, 2 * turns * of->count, &s->anchors));
    for (int64_t i = 0; i < of->count; ++i)
        for (int turn = 0; turn < turns; ++turn) {
            int64_t *pair = s->anchors + 2 * s->n_anchors;
            const bool positive = pair_of(of, i, turn, 1, pair);
            if (positive && s->offsets[pair[0]] < s->offsets[pair[0] + 1])
                ++s->n_anchors;
        }
    if (s->n_anchors == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "no row has both a positive and a negative pair: no "
                       "triplet can be made of the pairs"));
    s->draw = draw_of_pairs;
    s->positives = pair_positives;
    s->negative = draw_negative;
    s->negatives = count_negatives;
done:
    return st;
}
