/* Triplets by number: given, or drawn by what sampler_labels.c and
 * sampler_pairs.c prepare. */
#include "data/supervision/sampler.h"

#include <string.h>

/* The automatic number of triplets in a pass: so many for each row that can
 * stand first (or each positive pair), within limits. */
enum { PER_ANCHOR = 20, LEAST = 10000, MOST = 1000000 };

static akin_status from_quadruplets(ak_sampler *s, akin_ctx *ctx,
                                    const akin_supervision *of)
{
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, 3 * of->count, &s->owned));
    for (int64_t i = 0; i < of->count; ++i) {
        const int64_t *x = of->numbers + 4 * i;
        if (x[0] != x[2])
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "quadruplet %" PRId64 ": rows %" PRId64
                           " and %" PRId64 " stand first (a triplet needs one)",
                           i, x[0], x[2]));
        memcpy(s->owned + 3 * i, (int64_t[]){x[0], x[1], x[3]}, 3 * sizeof *x);
    }
    s->given = s->owned;
    s->n_given = of->count;
done:
    return st;
}

static akin_status from_any(ak_sampler *s, akin_ctx *ctx,
                            const akin_supervision *of)
{
    switch (of->kind) {
    case AKIN_LABELS:
        return ak_sampler_from_labels(s, ctx, of);
    case AKIN_PAIRS:
        return ak_sampler_from_pairs(s, ctx, of);
    case AKIN_TRIPLETS:
        s->given = of->numbers;
        s->n_given = of->count;
        return AKIN_OK;
    case AKIN_QUADRUPLETS:
        return from_quadruplets(s, ctx, of);
    default:
        return ak_fail(ctx, AKIN_EINVAL,
                       "no triplets can be drawn: the rows have no labels, "
                       "and no examples were given");
    }
}

static int64_t pass_of(const ak_sampler *s, const akin_supervision *of)
{
    if (s->draw == NULL)
        return s->n_given;
    if (of->sample > 0)
        return of->sample;
    return ak_min_i64(MOST, ak_max_i64(LEAST, PER_ANCHOR * s->n_anchors));
}

akin_status ak_sampler_new(ak_sampler **out, akin_ctx *ctx,
                           const akin_supervision *of)
{
    ak_sampler *s = NULL;
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, 1, &s));
    s->root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_TRIPLETS);
    s->rows = of->rows;
    s->right = of->right;
    AK_TRY(from_any(s, ctx, of));
    if (s->draw == NULL && s->n_given == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "there are no triplets"));
    s->pass = pass_of(s, of);
    *out = s;
    s = NULL;
done:
    ak_sampler_free(s);
    return ak_supervision_blame(st, ctx, of);
}

int64_t ak_sampler_pass(const ak_sampler *s)
{
    return s->pass;
}

bool ak_sampler_is_drawn(const ak_sampler *s)
{
    return s->draw != NULL;
}

void ak_sampler_draw(const ak_sampler *s, int64_t from, int64_t count,
                     int64_t *triplets)
{
    for (int64_t i = 0; i < count; ++i) {
        if (s->draw == NULL) {
            const int64_t t = (from + i) % s->n_given;
            memcpy(triplets + 3 * i, s->given + 3 * t, 3 * sizeof *triplets);
            continue;
        }
        ak_rng r = ak_rng_split(s->root, (uint64_t)(from + i));
        s->draw(s, &r, triplets + 3 * i);
    }
}

ak_rng ak_sampler_open(const ak_sampler *s, int64_t t, int64_t *triplet)
{
    ak_rng r = ak_rng_split(s->root, (uint64_t)t);
    s->draw(s, &r, triplet);
    return r;
}

int64_t ak_sampler_negative(const ak_sampler *s, ak_rng *r, int64_t q)
{
    return s->negative(s, r, q);
}

int64_t ak_sampler_negatives(const ak_sampler *s, int64_t q)
{
    return s->negatives(s, q);
}

void ak_sampler_positives(const ak_sampler *s, unsigned char *flags)
{
    memset(flags, 0, (size_t)s->rows->n);
    if (s->positives != NULL)
        s->positives(s, flags);
    for (int64_t i = 0; i < s->n_given; ++i) {
        flags[s->given[3 * i]] = 1;
        if (s->right == NULL)
            flags[s->given[3 * i + 1]] = 1;
    }
}

void ak_sampler_free(ak_sampler *s)
{
    if (s == NULL)
        return;
    akin_free(s->owned);
    akin_free(s->anchors);
    akin_free(s->pool);
    akin_free(s->offsets);
    akin_free(s->members);
    akin_free(s->label_at);
    akin_free(s);
}
