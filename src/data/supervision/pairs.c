/* Pairs of a supervision, and how much each counts. */
#include "data/supervision/pairs.h"

#include <string.h>

#include "data/labels.h"

/* Numbers of the right labels among the left ones, new ones behind them. */
static akin_status match_names(akin_ctx *ctx, ak_pairs *p, int32_t **map)
{
    const akin_rows *l = p->left, *r = p->right;
    bool shared = false;
    p->n_labels = l->n_label_names;
    AK_CHECK(ak_label_map(ctx, r->n_label_names, r->label_names,
                          l->n_label_names, l->label_names, map));
    for (int64_t k = 0; k < r->n_label_names; ++k) {
        shared = shared || (*map)[k] >= 0;
        if ((*map)[k] < 0)
            (*map)[k] = (int32_t)p->n_labels++;
    }
    if (!shared && r->n_label_names > 0 && l->n_label_names > 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the two sides share no label (the left has \"%s\", the "
                       "right \"%s\")",
                       l->label_names[0], r->label_names[0]);
    return AKIN_OK;
}

/* Few labels a row: an insertion is enough. */
static void insert(int32_t *labels, int64_t n, int32_t label)
{
    while (n > 0 && labels[n - 1] > label) {
        labels[n] = labels[n - 1];
        --n;
    }
    labels[n] = label;
}

/* `known` rows of `rows` that have labels, numbered by `map` (NULL: as they
 * are). */
static akin_status fill_side(ak_grid_side *side, akin_ctx *ctx,
                             const akin_rows *rows, const int64_t *known,
                             int64_t n_known, const int32_t *map)
{
    const int64_t n = known ? n_known : rows->n;
    int64_t total = rows->label_offsets ? rows->label_offsets[rows->n] : 0;
    bool single = true;
    AK_CHECK(AK_SCRATCH(ctx, n, &side->rows));
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &side->offsets));
    AK_CHECK(AK_SCRATCH(ctx, total, &side->labels));
    total = 0;
    for (int64_t i = 0; i < n; ++i) {
        const int64_t row = known ? known[i] : i;
        const int32_t *labels;
        const int64_t count = akin_rows_labels(&labels, rows, row);
        if (count == 0)
            continue;
        for (int64_t k = 0; k < count; ++k)
            insert(side->labels + total, k, map ? map[labels[k]] : labels[k]);
        single = single && count == 1;
        total += count;
        side->rows[side->n++] = row;
        side->offsets[side->n] = total;
    }
    if (single)
        side->classes = side->labels;
    return AKIN_OK;
}

/* By label where each row has one, else by looking at every pair. */
static akin_status count_matches(ak_pairs *p, akin_ctx *ctx)
{
    const ak_grid_side *x = &p->side[0], *y = &p->side[1];
    int64_t *of_label = NULL;
    if (x->classes == NULL || y->classes == NULL) {
        for (int64_t a = 0; a < x->n; ++a)
            for (int64_t b = 0; b < y->n; ++b)
                p->n_match += ak_pairs_match(p, a, b);
        return AKIN_OK;
    }
    AK_CHECK(AK_SCRATCH(ctx, p->n_labels, &of_label));
    for (int64_t b = 0; b < y->n; ++b)
        ++of_label[y->classes[b]];
    for (int64_t a = 0; a < x->n; ++a)
        p->n_match += of_label[x->classes[a]];
    return AKIN_OK;
}

static akin_status make_grid(ak_pairs *p, akin_ctx *ctx,
                             const akin_supervision *s)
{
    int32_t *map = NULL;
    p->is_grid = true;
    p->n_labels = s->rows->n_label_names;
    if (s->right != NULL)
        AK_CHECK(match_names(ctx, p, &map));
    AK_CHECK(fill_side(&p->side[0], ctx, p->left, s->known, s->n_known, NULL));
    if (s->right != NULL)
        AK_CHECK(fill_side(&p->side[1], ctx, p->right, s->right_known,
                           s->n_right_known, map));
    else
        p->side[1] = p->side[0];
    for (int side = 0; side < 2; ++side)
        if (p->side[side].n == 0)
            return ak_fail(ctx, AKIN_EINVAL, "the %s have no labels",
                           s->right == NULL ? "rows"
                           : side == 0      ? "left rows"
                                            : "right rows");
    if (p->side[0].n > INT64_MAX / p->side[1].n)
        return ak_fail(ctx, AKIN_ESHAPE, "too many pairs");
    p->count = p->side[0].n * p->side[1].n;
    return count_matches(p, ctx);
}

static void take_given(ak_pairs *p, const akin_supervision *s)
{
    p->numbers = s->numbers;
    p->count = s->count;
    for (int64_t t = 0; t < s->count; ++t)
        p->n_match += s->numbers[3 * t + 2] > 0;
}

/* Of labels of two sides the message says which; no one file is to blame. */
static akin_status blame(akin_status st, akin_ctx *ctx,
                         const akin_supervision *s)
{
    return s->kind == AKIN_LABELS && s->right != NULL
               ? st
               : ak_supervision_blame(st, ctx, s);
}

akin_status ak_pairs_matching(ak_pairs *out, akin_ctx *ctx,
                              const akin_supervision *s)
{
    ak_pairs p = {.left = s->rows, .right = s->right ? s->right : s->rows};
    akin_status st = AKIN_OK;
    if (s->kind == AKIN_LABELS)
        AK_TRY(make_grid(&p, ctx, s));
    else if (s->kind == AKIN_PAIRS)
        take_given(&p, s);
    if (p.count == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "there are no pairs to learn from"));
    if (p.n_match == 0)
        AK_TRY(
            ak_fail(ctx, AKIN_EINVAL, "no pair matches (at least one must)"));
    for (int match = 0; match < 2; ++match) {
        const int64_t n = match ? p.n_match : p.count - p.n_match;
        p.weight[match] = s->pair_weights == AKIN_PRINTED || n == 0
                              ? 1.0
                              : 0.5 * (double)p.count / (double)n;
    }
    *out = p;
done:
    return blame(st, ctx, s);
}

/* Do all rows have the labels of the first? */
static bool of_one_class(const ak_grid_side *x)
{
    const int64_t count = x->offsets[1];
    for (int64_t a = 1; a < x->n; ++a)
        if (x->offsets[a + 1] - x->offsets[a] != count ||
            memcmp(x->labels + x->offsets[a], x->labels,
                   (size_t)count * sizeof *x->labels) != 0)
            return false;
    return true;
}

akin_status ak_pairs_differ(const ak_pairs *p, akin_ctx *ctx)
{
    for (int side = 0; p->is_grid && side < 2; ++side)
        if (of_one_class(&p->side[side]))
            return ak_fail(ctx, AKIN_EINVAL,
                           "all %s rows are of one class (expected two or "
                           "more)",
                           ak_side_name(side));
    return AKIN_OK;
}

akin_status ak_pairs_of(ak_pairs *out, akin_ctx *ctx, const akin_supervision *s)
{
    akin_status st = ak_pairs_matching(out, ctx, s);
    if (st != AKIN_OK || out->n_match < out->count)
        return st;
    st = out->is_grid && of_one_class(&out->side[0])
             ? ak_fail(ctx, AKIN_EINVAL,
                       "all rows are of one class (expected two or more)")
             : ak_fail(ctx, AKIN_EINVAL,
                       "every pair matches (at least one must not)");
    return blame(st, ctx, s);
}

akin_status ak_grid_side_of(ak_grid_side *out, akin_ctx *ctx,
                            const akin_supervision *s)
{
    *out = (ak_grid_side){0};
    AK_CHECK(fill_side(out, ctx, s->rows, s->known, s->n_known, NULL));
    if (out->n == 0)
        return ak_fail(ctx, AKIN_EINVAL, "the rows have no labels");
    return AKIN_OK;
}
