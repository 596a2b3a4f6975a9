/* Which feature of one row meets which feature of another, and what each such
 * pair adds to their score.
 *
 * Where a row x is embedded linearly, as A'x, the dot product is a sum over
 * pairs of features,
 *
 *   (A'x).(B'y) = sum_ab x_a y_b (A_a . B_b),                            (1)
 *
 * the cosine is (1) over both lengths, and minus the squared distance is twice
 * (1) less both squared lengths. The rest belongs to no pair. A term of (1) is
 * the score of two rows of one feature each, less what offsets add to it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/blend.h"
#include "model/compare.h"
#include "model/model.h"
#include "model/prototypes.h"

enum { ROOM_LEAST = 4096 };

/* Two rows, prepared. */
typedef struct two_rows {
    const akin_rows *left, *right;
    int64_t i, j;
} two_rows;

/* The share of pairs in a score: `factor` times (1) under `linear`, and `own`
 * times x_a y_a where both features are the same. */
typedef struct pair_share {
    const akin_model *linear;
    double factor, own;
} pair_share;

static bool is_linear(const akin_model *m)
{
    return m->kind == &ak_kind_factored || m->kind == &ak_kind_psd ||
           m->kind == &ak_kind_metric || m->kind == &ak_kind_full;
}

int akin_model_has_pairs(const akin_model *m)
{
    while (m->kind->learned != NULL)
        m = m->kind->learned(m);
    return is_linear(m);
}

static double score(const akin_model *m, const two_rows *r, akin_compare by)
{
    return m->kind->score(m, r->left, r->i, r->right, r->j, by);
}

static akin_status length_of(double *out, akin_ctx *ctx, const akin_model *m,
                             const akin_rows *rows, int64_t i, akin_side side)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = m->kind->embed_dim(m);
    double *e, square = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k, &e));
    m->kind->embed(m, rows, i, side, e);
    for (int64_t c = 0; c < k; ++c)
        square += e[c] * e[c];
    *out = sqrt(square);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status share_of_linear(pair_share *out, akin_ctx *ctx,
                                   const akin_model *m, const two_rows *r,
                                   akin_compare by)
{
    double x = 1.0, y = 1.0;
    if (by == AKIN_BY_COSINE) {
        AK_CHECK(length_of(&x, ctx, m, r->left, r->i, AKIN_LEFT));
        AK_CHECK(length_of(&y, ctx, m, r->right, r->j, AKIN_RIGHT));
    }
    *out = (pair_share){m, 0.0, 0.0};
    if (x > 0.0 && y > 0.0)
        out->factor = by == AKIN_BY_DISTANCE ? 2.0 : 1.0 / (x * y);
    return AKIN_OK;
}

static double ratio(double a, double b)
{
    return b != 0.0 ? a / b : 0.0;
}

/* A blend adds the cosine of the rows themselves; the shares of prototypes are
 * no sum over features, and the pairs are scaled to add up to the score. */
static akin_status share_of(pair_share *out, akin_ctx *ctx, const akin_model *m,
                            const two_rows *r, akin_compare by)
{
    if (is_linear(m))
        return share_of_linear(out, ctx, m, r, by);
    const akin_model *learned = m->kind->learned(m);
    if (m->kind->own == NULL) {
        AK_CHECK(share_of(out, ctx, learned, r, AKIN_BY_DOT));
        out->factor *= ratio(score(m, r, by), score(learned, r, AKIN_BY_DOT));
        return AKIN_OK;
    }
    const double f = by == AKIN_BY_DISTANCE
                         ? 2.0
                         : ratio(score(m, r, by), score(m, r, AKIN_BY_DOT));
    AK_CHECK(share_of(out, ctx, learned, r, AKIN_BY_COSINE));
    out->factor *= f / (1.0 + ak_blend_alpha(m));
    out->own += f * m->kind->own(m, r->left, r->i) *
                m->kind->own(m, r->right, r->j);
    return AKIN_OK;
}

/* ---- one feature a row ---- */

/* The features of row i, each as a row of its own, and a row of none. */
static akin_status features_of(akin_rows **out, akin_ctx *ctx,
                               const akin_rows *rows, int64_t i)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_row x = ak_row_of(rows, i);
    int64_t *offsets, n = 0;
    int32_t *cols;
    float *vals;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, x.n + 2, &offsets));
    AK_TRY(AK_SCRATCH(ctx, x.n, &cols));
    AK_TRY(AK_SCRATCH(ctx, x.n, &vals));
    for (int64_t k = 0; k < x.n; ++k)
        if (x.vals[k] != 0.0F) {
            cols[n] = (int32_t)ak_row_col(&x, k);
            vals[n] = x.vals[k];
            offsets[n] = n;
            ++n;
        }
    offsets[n] = offsets[n + 1] = n;
    AK_TRY(akin_rows_new_sparse(out, ctx, n + 1, rows->d, offsets, cols, vals));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static int by_size(const void *left, const void *right)
{
    const akin_pair_reason *a = left, *b = right;
    const double x = fabs(a->contribution), y = fabs(b->contribution);
    if (x != y)
        return x > y ? -1 : 1;
    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    return (a->right > b->right) - (a->right < b->right);
}

/* The `top` largest pairs so far, and some more. */
typedef struct largest {
    akin_pair_reason *at;
    int64_t n, room, top;
    double size;  // of all that were added
    bool cut;
} largest;

static void sort_pairs(largest *l)
{
    if (l->n > 0)
        qsort(l->at, (size_t)l->n, sizeof *l->at, by_size);
    l->cut |= l->n > l->top;
    l->n = ak_min_i64(l->n, l->top);
}

static void add_pair(largest *l, int64_t a, int64_t b, double contribution)
{
    if (contribution == 0.0)
        return;
    if (l->n == l->room)
        sort_pairs(l);
    l->at[l->n++] = (akin_pair_reason){a, b, contribution};
    l->size += fabs(contribution);
}

/* All terms of (1), of which the last row on each side is the row of none. */
static void add_pairs(largest *l, const pair_share *s, const akin_rows *x,
                      const akin_rows *y)
{
    const akin_model *m = s->linear;
    const int64_t n = x->n - 1, k = y->n - 1;
    const two_rows nothing = {x, y, n, k};
    const double none = score(m, &nothing, AKIN_BY_DOT);
    for (int64_t a = 0; a < n; ++a) {
        const two_rows left = {x, y, a, k};
        const double of_left = score(m, &left, AKIN_BY_DOT);
        for (int64_t b = 0; b < k; ++b) {
            const two_rows both = {x, y, a, b}, right = {x, y, n, b};
            double p = score(m, &both, AKIN_BY_DOT);
            if (none != 0.0)
                p += none - of_left - score(m, &right, AKIN_BY_DOT);
            p *= s->factor;
            if (x->cols[a] == y->cols[b])
                p += s->own * (double)x->vals[a] * (double)y->vals[b];
            add_pair(l, x->cols[a], y->cols[b], p);
        }
    }
}

/* What no pair that is listed has. */
static void add_others(akin_pair_reason *reasons, int64_t *count,
                       const largest *l, double all)
{
    const double rounding = 1e-12 * l->size;
    double others = all;
    for (int64_t k = 0; k < *count; ++k)
        others -= reasons[k].contribution;
    if (l->cut || fabs(others) > rounding)
        reasons[(*count)++] = (akin_pair_reason){-1, -1, others};
}

static akin_status check(akin_ctx *ctx, const akin_model *m, const two_rows *r,
                         int64_t top)
{
    AK_CHECK(ak_model_check_compares(m, ctx));
    AK_CHECK(ak_model_check_rows(m, ctx, r->left, AKIN_LEFT));
    AK_CHECK(ak_model_check_rows(m, ctx, r->right, AKIN_RIGHT));
    AK_CHECK(ak_model_check_pair(ctx, r->left, r->i, r->right, r->j));
    if (!akin_model_has_pairs(m))
        return ak_fail(ctx, AKIN_EINVAL,
                       "a model of kind %s has no pairs of features (expected "
                       "a low-rank, full or metric one)",
                       m->kind->name);
    if (top < 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`top` is %" PRId64 " (must not be negative)", top);
    return AKIN_OK;
}

akin_status akin_model_explain_pairs(akin_pair_reason *reasons, int64_t *count,
                                     akin_ctx *ctx, const akin_model *m,
                                     const akin_rows *left, int64_t i,
                                     const akin_rows *right, int64_t j,
                                     int64_t top, akin_compare by)
{
    const two_rows r = {left, right, i, j};
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_rows *x = NULL, *y = NULL;
    largest l = {.top = top};
    pair_share share;
    akin_status st = AKIN_OK;
    if (by == AKIN_BY_DEFAULT)
        by = m->by;
    AK_TRY(check(ctx, m, &r, top));
    AK_TRY(share_of(&share, ctx, m, &r, by));
    AK_TRY(features_of(&x, ctx, left, i));
    AK_TRY(features_of(&y, ctx, right, j));
    l.room = ak_min_i64(2 * top, (x->n - 1) * (y->n - 1)) + ROOM_LEAST;
    AK_TRY(AK_SCRATCH(ctx, l.room, &l.at));
    add_pairs(&l, &share, x, y);
    sort_pairs(&l);
    *count = l.n;
    memcpy(reasons, l.at, (size_t)l.n * sizeof *l.at);
    add_others(reasons, count, &l, score(m, &r, by));
done:
    akin_rows_free(x);
    akin_rows_free(y);
    ak_scratch_end(ctx, mark);
    return st;
}
