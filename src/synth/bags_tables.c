/* Word frequencies and the words of classes. */
#include <math.h>

#include "synth/bags.h"

/* 0 .. n-1 in an order drawn by generator number `which`. */
static akin_status permutation(const ak_synth *w, akin_ctx *ctx, int64_t n,
                               uint64_t which, int64_t **out)
{
    ak_rng r = ak_rng_split(w->root, which);
    const akin_status st = AK_SCRATCH(ctx, n, out);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < n; ++i)
        (*out)[i] = i;
    ak_rng_shuffle(&r, n, *out);
    return AKIN_OK;
}

/* f(rank) = (rank + shift)^-exponent, ranks from 1, words in any order. */
static akin_status power_law(ak_synth *w, akin_ctx *ctx, double *weights)
{
    int64_t *word;
    const akin_status st = permutation(w, ctx, w->o.dim, 0, &word);
    if (st != AKIN_OK)
        return st;
    /* Relative to the first, so that no power underflows all of them. */
    const double first = 1.0 + w->o.shift;
    for (int64_t i = 0; i < w->o.dim; ++i)
        weights[word[i]] = pow(((double)i + first) / first, -w->o.exponent);
    w->longest = w->o.words + w->o.words / 2;
    return AKIN_OK;
}

/* Each class takes the next words of a random order, round and round. */
static akin_status share_words(ak_synth *w, akin_ctx *ctx)
{
    const int64_t n = w->o.classes * w->o.class_words;
    int64_t *word;
    akin_status st = AKIN_OK;

    AK_TRY(permutation(w, ctx, w->o.dim, 1, &word));
    AK_TRY(AK_SCRATCH(ctx, n, &w->class_words));
    for (int64_t k = 0; k < n; ++k)
        w->class_words[k] = (int32_t)word[k % w->o.dim];
done:
    return st;
}

akin_status ak_synth_prepare(ak_synth *w, akin_ctx *ctx, const akin_rows *like)
{
    double *weights;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, w->o.dim, &weights));
    AK_TRY(like ? ak_synth_measure(w, ctx, like, weights)
                : power_law(w, ctx, weights));
    AK_TRY(ak_alias_new(&w->words, ctx, w->o.dim, weights));
    if (w->o.classes > 0)
        AK_TRY(share_words(w, ctx));
done:
    return st;
}
