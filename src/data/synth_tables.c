/* Word frequencies, sizes of bags and the words of classes. */
#include <math.h>

#include "data/synth.h"

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

/* Frequencies and sizes of the bags of `like`. */
static akin_status measure(ak_synth *w, akin_ctx *ctx, const akin_rows *like,
                           double *weights)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, like->n, &w->sizes));
    w->n_sizes = like->n;
    for (int64_t i = 0; i < like->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(like, i, &cols, &vals);
        double sum = 0.0;
        for (int64_t k = 0; k < n; ++k) {
            const double c = (double)vals[k];
            if (c < 0.0)
                AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                               "row %" PRId64 " has a negative count", i));
            weights[cols ? cols[k] : k] += c;
            sum += c;
        }
        if (sum > AK_SYNTH_MOST_WORDS)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "row %" PRId64
                           " has %g words (expected %d or fewer)",
                           i, sum, AK_SYNTH_MOST_WORDS));
        w->sizes[i] = (int64_t)(sum + 0.5);
        w->longest = ak_max_i64(w->longest, w->sizes[i]);
    }
    if (w->longest == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "the rows to be like have no words"));
done:
    return st;
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
    AK_TRY(like ? measure(w, ctx, like, weights) : power_law(w, ctx, weights));
    AK_TRY(ak_alias_new(&w->words, ctx, w->o.dim, weights));
    if (w->o.classes > 0)
        AK_TRY(share_words(w, ctx));
done:
    return st;
}
