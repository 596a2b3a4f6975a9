/* The sequence of tags with the best score:
 *   score(tags) = sum_i w[tag_i] . f(i) + T[tag_{i-1}, tag_i]      (1)
 * found by Viterbi's recursion forwards, and backwards for the margins: what
 * the best sequence with another tag at i loses.                   (2) */
#include "text/persons/tagger.h"

#include <float.h>
#include <math.h>

/* A name goes on only where one has begun. */
static bool is_allowed(int from, int to)
{
    return to != AK_TAG_NEXT || from != AK_TAG_OUT;
}

static const double never = -1e300;

/* best[i, y] = score[i, y] + max over x of best[i - 1, x] + T[x, y] */
static void run_forwards(const float *T, const float *score, int64_t n,
                         double *best, uint8_t *back)
{
    for (int y = 0; y < AK_TAGS; ++y)
        best[y] = y == AK_TAG_NEXT
                      ? never
                      : (double)score[y] + (double)T[AK_TAG_OUT * AK_TAGS + y];
    for (int64_t i = 1; i < n; ++i)
        for (int y = 0; y < AK_TAGS; ++y) {
            double top = never;
            int from = AK_TAG_OUT;
            for (int x = 0; x < AK_TAGS; ++x) {
                const double value = is_allowed(x, y)
                                         ? best[(i - 1) * AK_TAGS + x] +
                                               (double)T[x * AK_TAGS + y]
                                         : never;
                if (value > top) {
                    top = value;
                    from = x;
                }
            }
            best[i * AK_TAGS + y] = top + (double)score[i * AK_TAGS + y];
            back[i * AK_TAGS + y] = (uint8_t)from;
        }
}

/* rest[i, x]: the best that tokens behind i add after tag x. */
static void run_backwards(const float *T, const float *score, int64_t n,
                          double *rest)
{
    for (int64_t i = n - 2; i >= 0; --i)
        for (int x = 0; x < AK_TAGS; ++x) {
            double top = never;
            for (int y = 0; y < AK_TAGS; ++y) {
                const int64_t next = (i + 1) * AK_TAGS + y;
                const double value = is_allowed(x, y)
                                         ? (double)T[x * AK_TAGS + y] +
                                               (double)score[next] + rest[next]
                                         : never;
                top = fmax(top, value);
            }
            rest[i * AK_TAGS + x] = top;
        }
}

static int best_of(const double *x)
{
    int best = 0;
    for (int y = 1; y < AK_TAGS; ++y)
        if (x[y] > x[best])
            best = y;
    return best;
}

akin_status ak_tagger_decode(ak_tagging *out, akin_ctx *ctx,
                             const float *transition, const float *score,
                             int64_t n)
{
    double *best = NULL, *rest = NULL;
    uint8_t *back = NULL;
    if (n == 0)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, n * AK_TAGS, &best));
    AK_CHECK(AK_SCRATCH(ctx, n * AK_TAGS, &rest));
    AK_CHECK(AK_SCRATCH(ctx, n * AK_TAGS, &back));
    run_forwards(transition, score, n, best, back);
    run_backwards(transition, score, n, rest);
    int tag = best_of(best + (n - 1) * AK_TAGS);
    const double top = best[(n - 1) * AK_TAGS + tag];
    for (int64_t i = n - 1; i >= 0; --i) {
        double other = never;
        for (int y = 0; y < AK_TAGS; ++y)
            if (y != tag)
                other =
                    fmax(other, best[i * AK_TAGS + y] + rest[i * AK_TAGS + y]);
        out->tag[i] = (uint8_t)tag;
        out->margin[i] = (float)(top - other);
        tag = back[i * AK_TAGS + tag];
    }
    return AKIN_OK;
}

akin_status ak_tagger_tag(ak_tagging *out, akin_ctx *ctx, const akin_tagger *g,
                          const ak_tokens *t, const ak_repeats *r)
{
    ak_hashed f = {.bits = AK_TAG_BITS};
    float *score = NULL;
    AK_CHECK(AK_SCRATCH(ctx, t->n + 1, &out->tag));
    AK_CHECK(AK_SCRATCH(ctx, t->n + 1, &out->margin));
    AK_CHECK(AK_SCRATCH(ctx, t->n * AK_TAGS + 1, &score));
    for (int64_t i = 0; i < t->n; ++i) {
        float *s = score + i * AK_TAGS;
        ak_features_of_token(&f, t, r, i);
        for (int k = 0; k < f.n; ++k)
            for (int y = 0; y < AK_TAGS; ++y)
                s[y] += g->tag[f.at[k] * AK_TAGS + (uint32_t)y];
    }
    return ak_tagger_decode(out, ctx, g->transition, score, t->n);
}

double ak_tagger_probability(const akin_tagger *g, double margin)
{
    return 1.0 / (1.0 + exp(-(g->slope * margin + g->offset)));
}
