/* Triplets (q, p, n) from labels.
 *
 * q is uniform over the rows that have both a partner and a negative; p uniform
 * over the other rows of one of q's labels, which is drawn uniformly among
 * those with another row; n uniform over the labelled rows that share no label
 * with q. Rows without a label are not used.
 *
 * n takes rejection, and after many rejections a scan; both are uniform. Where
 * no row has several labels, sampler_single.c does the same faster. */
#include <assert.h>
#include <string.h>

#include "data/supervision/sampler.h"

enum { REJECTIONS = 64 };

static bool share_label(const akin_rows *r, int64_t i, int64_t j)
{
    return ak_rows_share_label(r, i, r, j, NULL);
}

static int64_t class_size(const ak_sampler *s, int32_t label)
{
    return s->offsets[label + 1] - s->offsets[label];
}

/* A row of the class other than q: members rise, so skipping q is a shift. */
static int64_t draw_partner(const ak_sampler *s, ak_rng *r, int64_t q,
                            int32_t label)
{
    const int64_t *m = s->members + s->offsets[label];
    const int64_t at = ak_rng_below(r, class_size(s, label) - 1);
    return m[at] < q ? m[at] : m[at + 1];
}

/* One of q's labels that another row has too. */
static int32_t draw_label(const ak_sampler *s, ak_rng *r, int64_t q)
{
    const int64_t begin = s->rows->label_offsets[q];
    const int64_t end = s->rows->label_offsets[q + 1];
    int64_t usable = 0;
    for (int64_t j = begin; j < end; ++j)
        usable += class_size(s, s->rows->labels[j]) > 1;
    int64_t k = ak_rng_below(r, usable);
    int64_t j = begin;
    for (; class_size(s, s->rows->labels[j]) < 2 || k-- > 0; ++j)
        assert(j + 1 < end);
    return s->rows->labels[j];
}

static int64_t scan_negative(const ak_sampler *s, ak_rng *r, int64_t q)
{
    int64_t count = 0, found = -1;
    for (int64_t i = 0; i < s->n_pool; ++i)
        count += !share_label(s->rows, q, s->pool[i]);
    int64_t k = ak_rng_below(r, count);
    for (int64_t i = 0; found < 0; ++i)
        if (!share_label(s->rows, q, s->pool[i]) && k-- == 0)
            found = s->pool[i];
    return found;
}

static int64_t draw_negative(const ak_sampler *s, ak_rng *r, int64_t q)
{
    for (int i = 0; i < REJECTIONS; ++i) {
        const int64_t n = s->pool[ak_rng_below(r, s->n_pool)];
        if (!share_label(s->rows, q, n))
            return n;
    }
    return scan_negative(s, r, q);
}

/* At most: rows of several of q's labels are taken off once. */
static int64_t count_negatives(const ak_sampler *s, int64_t q)
{
    int64_t largest = 0;
    for (int64_t j = s->rows->label_offsets[q];
         j < s->rows->label_offsets[q + 1]; ++j)
        largest = ak_max_i64(largest, class_size(s, s->rows->labels[j]));
    return s->n_pool - largest;
}

static void draw_several(const ak_sampler *s, ak_rng *r, int64_t *triplet)
{
    const int64_t q = s->anchors[ak_rng_below(r, s->n_anchors)];
    triplet[0] = q;
    triplet[1] = draw_partner(s, r, q, draw_label(s, r, q));
    triplet[2] = draw_negative(s, r, q);
}

/* Is there a labelled row that shares nothing with q? */
static bool has_negative(const ak_sampler *s, int64_t q)
{
    int64_t sharing = 0;
    for (int64_t j = s->rows->label_offsets[q];
         j < s->rows->label_offsets[q + 1]; ++j) {
        const int64_t size = class_size(s, s->rows->labels[j]);
        if (size == s->n_pool)
            return false;
        sharing += size;
    }
    if (sharing < s->n_pool)
        return true;
    for (int64_t i = 0; i < s->n_pool; ++i)
        if (!share_label(s->rows, q, s->pool[i]))
            return true;
    return false;
}

static bool has_partner(const ak_sampler *s, int64_t q)
{
    for (int64_t j = s->rows->label_offsets[q];
         j < s->rows->label_offsets[q + 1]; ++j)
        if (class_size(s, s->rows->labels[j]) > 1)
            return true;
    return false;
}

/* Copy the classes: drawing outlives the scratch they come from. */
static akin_status keep_classes(ak_sampler *s, akin_ctx *ctx,
                                const akin_supervision *of)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_classes c;
    akin_status st = AKIN_OK;

    AK_TRY(ak_classes_of(&c, ctx, of));
    const int64_t n = c.offsets[c.n_labels];
    s->n_labels = c.n_labels;
    AK_TRY(AK_NEW(ctx, c.n_labels + 1, &s->offsets));
    AK_TRY(AK_NEW(ctx, n, &s->members));
    memcpy(s->offsets, c.offsets,
           (size_t)(c.n_labels + 1) * sizeof *s->offsets);
    memcpy(s->members, c.rows, (size_t)n * sizeof *s->members);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The labelled rows, and whether one of them has several labels. */
static akin_status fill_pool(ak_sampler *s, akin_ctx *ctx,
                             const akin_supervision *of, bool *several)
{
    const int64_t n = ak_supervision_known(of);
    const akin_status st = AK_NEW(ctx, n, &s->pool);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t row = ak_supervision_row(of, i);
        const int64_t k = s->rows->label_offsets[row + 1] -
                          s->rows->label_offsets[row];
        if (k > 0)
            s->pool[s->n_pool++] = row;
        *several = *several || k > 1;
    }
    return AKIN_OK;
}

static akin_status nothing_to_draw(akin_ctx *ctx, const ak_sampler *s)
{
    int64_t used = 0, pairs = 0;
    for (int64_t k = 0; k < s->n_labels; ++k) {
        used += class_size(s, (int32_t)k) > 0;
        pairs += class_size(s, (int32_t)k) > 1;
    }
    if (s->n_pool == 0)
        return ak_fail(ctx, AKIN_EINVAL, "no row has a label");
    if (used < 2)
        return ak_fail(ctx, AKIN_EINVAL,
                       "all labelled rows are of one class (expected two or "
                       "more)");
    if (pairs == 0)
        return ak_fail(ctx, AKIN_EINVAL, "no two rows have the same label");
    return ak_fail(ctx, AKIN_EINVAL,
                   "no row has both a row like it and one unlike it");
}

/* The anchors, and whoever shares a label with one. */
static void label_positives(const ak_sampler *s, unsigned char *flags)
{
    enum { ANCHOR = 1, PARTNER = 2 };
    for (int64_t i = 0; i < s->n_anchors; ++i)
        flags[s->anchors[i]] = ANCHOR;
    for (int32_t k = 0; k < s->n_labels; ++k) {
        const int64_t *m = s->members + s->offsets[k];
        const int64_t n = class_size(s, k);
        bool wanted = false;
        for (int64_t i = 0; i < n && !wanted; ++i)
            wanted = n > 1 && (flags[m[i]] & ANCHOR) != 0;
        for (int64_t i = 0; i < n && wanted; ++i)
            flags[m[i]] |= PARTNER;
    }
    for (int64_t i = 0; i < s->rows->n; ++i)
        flags[i] = flags[i] != 0;
}

akin_status ak_sampler_from_labels(ak_sampler *s, akin_ctx *ctx,
                                   const akin_supervision *of)
{
    bool several = false;
    akin_status st = AKIN_OK;

    if (s->right != NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "triplets cannot be drawn from labels of two files "
                       "(expected pairs or triplets)"));
    AK_TRY(keep_classes(s, ctx, of));
    AK_TRY(fill_pool(s, ctx, of, &several));
    AK_TRY(AK_NEW(ctx, s->n_pool, &s->anchors));
    for (int64_t i = 0; i < s->n_pool; ++i)
        if (has_partner(s, s->pool[i]) && has_negative(s, s->pool[i]))
            s->anchors[s->n_anchors++] = s->pool[i];
    if (s->n_anchors == 0)
        AK_TRY(nothing_to_draw(ctx, s));
    s->draw = draw_several;
    s->positives = label_positives;
    s->negative = draw_negative;
    s->negatives = count_negatives;
    if (!several)
        AK_TRY(ak_sampler_make_single(s, ctx));
done:
    return st;
}
