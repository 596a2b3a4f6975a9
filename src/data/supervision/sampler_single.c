/* Triplets from labels where no row has several.
 *
 * The labelled rows stand sorted by class. Then the position of q says its
 * class, its partners are the rest of that block, and the negatives all other
 * blocks: three draws, and no more than four places in memory. */
#include "data/supervision/sampler.h"

static void draw_single(const ak_sampler *s, ak_rng *r, int64_t *triplet)
{
    const int64_t a = ak_rng_below(r, s->n_anchors);
    const int64_t at = s->anchors ? s->anchors[a] : a;
    const int32_t label = s->label_at[at];
    const int64_t begin = s->offsets[label];
    const int64_t size = s->offsets[label + 1] - begin;
    const int64_t p = begin + ak_rng_below(r, size - 1);
    const int64_t n = ak_rng_below(r, s->n_pool - size);
    triplet[0] = s->members[at];
    triplet[1] = s->members[p + (p >= at)];
    triplet[2] = s->members[n + (n >= begin ? size : 0)];
}

static int64_t draw_negative(const ak_sampler *s, ak_rng *r, int64_t q)
{
    const int32_t label = s->rows->labels[s->rows->label_offsets[q]];
    const int64_t begin = s->offsets[label];
    const int64_t size = s->offsets[label + 1] - begin;
    const int64_t n = ak_rng_below(r, s->n_pool - size);
    return s->members[n + (n >= begin ? size : 0)];
}

static void single_positives(const ak_sampler *s, unsigned char *flags)
{
    for (int64_t i = 0; i < s->n_anchors; ++i)
        flags[s->members[s->anchors ? s->anchors[i] : i]] = 1;
}

akin_status ak_sampler_make_single(ak_sampler *s, akin_ctx *ctx)
{
    const akin_status st = AK_NEW(ctx, s->n_pool, &s->label_at);
    if (st != AKIN_OK)
        return st;
    int64_t n = 0;
    for (int32_t k = 0; k < s->n_labels; ++k)
        for (int64_t at = s->offsets[k]; at < s->offsets[k + 1]; ++at) {
            s->label_at[at] = k;
            if (s->offsets[k + 1] - s->offsets[k] > 1)
                s->anchors[n++] = at;  // positions, not rows
        }
    if (n == s->n_pool) {
        akin_free(s->anchors);
        s->anchors = NULL;  // each its own
    }
    s->draw = draw_single;
    s->positives = single_positives;
    s->negative = draw_negative;
    return AKIN_OK;
}
