/* Triplets (q, p, n) by number: given, or drawn from labels or pairs.
 *
 * From labels: q is uniform over the rows that have both a partner and a
 * negative; p uniform over the other rows of one of q's labels, which is drawn
 * uniformly among those with another row; n uniform over the labelled rows that
 * share no label with q. Rows without a label are not used. n takes rejection,
 * and after many rejections a scan; both are uniform. Where no row has several
 * labels, the same is done faster.
 *
 * From pairs: a positive pair is drawn uniformly among those whose first row
 * also has negative pairs, then one of these. Without right-hand rows a pair
 * is used in both orders. */
#include <assert.h>
#include <string.h>

#include "base/rng.h"
#include "data/supervision/supervision.h"

/* The automatic number of triplets in a pass: so many for each row that can
 * come first (or each positive pair), within limits. */
enum { PER_ANCHOR = 20, LEAST = 10000, MOST = 1000000, REJECTIONS = 64 };

struct ak_sampler {
    ak_rng root;
    const akin_rows *rows;   // borrowed
    const akin_rows *right;  // borrowed, may be NULL
    int64_t pass;

    /* One triplet; NULL: they are given. */
    void (*draw)(const ak_sampler *s, ak_rng *r, int64_t *triplet);
    void (*positives)(const ak_sampler *s, unsigned char *flags);
    /* A negative of q, and how many it has (more or less). */
    int64_t (*negative)(const ak_sampler *s, ak_rng *r, int64_t q);
    int64_t (*negatives)(const ak_sampler *s, int64_t q);

    const int64_t *given;  // triplets, n_given of them
    int64_t n_given;
    int64_t *owned;  // memory of `given` where they were converted

    int64_t *anchors;   // labels: rows that can come first (single: their
    int64_t n_anchors;  // places); pairs: positive pairs, 2 numbers each
    int64_t *pool;      // labels: rows with a label, increasing
    int64_t n_pool;
    int64_t n_labels;
    int64_t *offsets;   // labels: of each label in members; pairs: of each row
    int64_t *members;   // labels: rows; pairs: negatives
    int32_t *label_at;  // single: label of members
};

/* ---- from labels ---- */

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
    AK_CHECK(AK_NEW(ctx, n, &s->pool));
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

/* ---- from labels, where no row has several ----
 *
 * The labelled rows are sorted by class. Then the position of q gives its
 * class, its partners are the rest of that block, and the negatives all other
 * blocks: three draws, and no more than four places in memory. */

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

static int64_t draw_single_negative(const ak_sampler *s, ak_rng *r, int64_t q)
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

static akin_status make_single(ak_sampler *s, akin_ctx *ctx)
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
    s->negative = draw_single_negative;
    return AKIN_OK;
}

static akin_status from_labels(ak_sampler *s, akin_ctx *ctx,
                               const akin_supervision *of)
{
    bool several = false;

    if (s->right != NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "triplets cannot be drawn from labels of two files "
                       "(expected pairs or triplets)");
    AK_CHECK(keep_classes(s, ctx, of));
    AK_CHECK(fill_pool(s, ctx, of, &several));
    AK_CHECK(AK_NEW(ctx, s->n_pool, &s->anchors));
    for (int64_t i = 0; i < s->n_pool; ++i)
        if (has_partner(s, s->pool[i]) && has_negative(s, s->pool[i]))
            s->anchors[s->n_anchors++] = s->pool[i];
    if (s->n_anchors == 0)
        return nothing_to_draw(ctx, s);
    s->draw = draw_several;
    s->positives = label_positives;
    s->negative = draw_negative;
    s->negatives = count_negatives;
    if (!several)
        AK_CHECK(make_single(s, ctx));
    return AKIN_OK;
}

/* ---- from pairs ---- */

static int64_t count_pair_negatives(const ak_sampler *s, int64_t q)
{
    return s->offsets[q + 1] - s->offsets[q];
}

static int64_t draw_pair_negative(const ak_sampler *s, ak_rng *r, int64_t q)
{
    return s
        ->members[s->offsets[q] + ak_rng_below(r, count_pair_negatives(s, q))];
}

static void draw_of_pairs(const ak_sampler *s, ak_rng *r, int64_t *triplet)
{
    const int64_t *pair = s->anchors + 2 * ak_rng_below(r, s->n_anchors);
    triplet[0] = pair[0];
    triplet[1] = pair[1];
    triplet[2] = draw_pair_negative(s, r, pair[0]);
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

    AK_CHECK(AK_NEW(ctx, n + 2, &s->offsets));
    for (int64_t i = 0; i < of->count; ++i)
        for (int turn = 0; turn < turns; ++turn)
            if (pair_of(of, i, turn, -1, pair))
                ++s->offsets[pair[0] + 2];
    for (int64_t i = 1; i <= n + 1; ++i)
        s->offsets[i] += s->offsets[i - 1];
    AK_CHECK(AK_NEW(ctx, s->offsets[n + 1], &s->members));
    for (int64_t i = 0; i < of->count; ++i)
        for (int turn = 0; turn < turns; ++turn)
            if (pair_of(of, i, turn, -1, pair))
                s->members[s->offsets[pair[0] + 1]++] = pair[1];
    return AKIN_OK;
}

static akin_status from_pairs(ak_sampler *s, akin_ctx *ctx,
                              const akin_supervision *of)
{
    const int turns = s->right ? 1 : 2;

    AK_CHECK(keep_negatives(s, ctx, of, turns));
    AK_CHECK(AK_NEW(ctx, 2 * turns * of->count, &s->anchors));
    for (int64_t i = 0; i < of->count; ++i)
        for (int turn = 0; turn < turns; ++turn) {
            int64_t *pair = s->anchors + 2 * s->n_anchors;
            const bool positive = pair_of(of, i, turn, 1, pair);
            if (positive && s->offsets[pair[0]] < s->offsets[pair[0] + 1])
                ++s->n_anchors;
        }
    if (s->n_anchors == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "no row has both a positive and a negative pair: no "
                       "triplet can be made of the pairs");
    s->draw = draw_of_pairs;
    s->positives = pair_positives;
    s->negative = draw_pair_negative;
    s->negatives = count_pair_negatives;
    return AKIN_OK;
}

/* ---- any source ---- */

static akin_status from_quadruplets(ak_sampler *s, akin_ctx *ctx,
                                    const akin_supervision *of)
{
    AK_CHECK(AK_NEW(ctx, 3 * of->count, &s->owned));
    for (int64_t i = 0; i < of->count; ++i) {
        const int64_t *x = of->numbers + 4 * i;
        if (x[0] != x[2])
            return ak_fail(ctx, AKIN_EINVAL,
                           "quadruplet %" PRId64 ": rows %" PRId64
                           " and %" PRId64 " come first (a triplet needs one)",
                           i, x[0], x[2]);
        memcpy(s->owned + 3 * i, (int64_t[]){x[0], x[1], x[3]}, 3 * sizeof *x);
    }
    s->given = s->owned;
    s->n_given = of->count;
    return AKIN_OK;
}

static akin_status from_any(ak_sampler *s, akin_ctx *ctx,
                            const akin_supervision *of)
{
    switch (of->kind) {
    case AKIN_LABELS:
        return from_labels(s, ctx, of);
    case AKIN_PAIRS:
        return from_pairs(s, ctx, of);
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
