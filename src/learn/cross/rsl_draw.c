/* Pairs drawn from a grid, for grids of too many pairs.
 *
 * The n matching pairs of a grid, left sample by left sample, are cut into m
 * parts of equal length, and one pair of each part is drawn:
 *
 *   part t = pairs [t n / m, (t + 1) n / m),  weight = its length        (1)
 *
 * So every pair has the chance 1 / length and the weight length: the mean of a
 * sum over the list is the sum over the grid. Every left sample has its share
 * of the list, no pair is in it twice, and with m = n it is the whole grid. The
 * pairs that do not match are drawn in the same way. Half of the list matches,
 * because the weights of a grid are balanced so. */
#include <stdlib.h>
#include <string.h>

#include "learn/cross/rsl.h"

/* The right samples of each label, and the union of those of one left sample.
 */
typedef struct partners {
    const ak_pairs *grid;
    int64_t *at;  // of label k: of[at[k]..at[k + 1]), increasing
    int32_t *of;
    int32_t *all;  // room for a union
} partners;

static akin_status find_partners(partners *p, akin_ctx *ctx,
                                 const ak_pairs *grid)
{
    const ak_grid_side *right = &grid->side[1];
    const int64_t total = right->offsets[right->n];
    int64_t *at = NULL;
    p->grid = grid;
    AK_CHECK(AK_SCRATCH(ctx, grid->n_labels + 2, &p->at));
    AK_CHECK(AK_SCRATCH(ctx, total, &p->of));
    AK_CHECK(AK_SCRATCH(ctx, total, &p->all));
    at = p->at + 1;  // one place ahead while they are filled
    for (int64_t i = 0; i < total; ++i)
        ++at[right->labels[i] + 1];
    for (int64_t k = 0; k < grid->n_labels; ++k)
        at[k + 1] += at[k];
    for (int64_t b = 0; b < right->n; ++b)
        for (int64_t i = right->offsets[b]; i < right->offsets[b + 1]; ++i)
            p->of[at[right->labels[i]]++] = (int32_t)b;
    return AKIN_OK;
}

static int by_number(const void *x, const void *y)
{
    const int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* The right samples that match left sample a, increasing; returns how many. */
static int64_t partners_of(const partners *p, int64_t a, const int32_t **out)
{
    const ak_grid_side *left = &p->grid->side[0];
    const int64_t from = left->offsets[a], to = left->offsets[a + 1];
    int64_t n = 0, distinct = 0;
    if (to - from == 1) {
        const int32_t label = left->labels[from];
        *out = p->of + p->at[label];
        return p->at[label + 1] - p->at[label];
    }
    for (int64_t i = from; i < to; ++i) {
        const int32_t label = left->labels[i];
        const int64_t some = p->at[label + 1] - p->at[label];
        memcpy(p->all + n, p->of + p->at[label], (size_t)some * sizeof *p->of);
        n += some;
    }
    qsort(p->all, (size_t)n, sizeof *p->all, by_number);
    for (int64_t i = 0; i < n; ++i)
        if (i == 0 || p->all[i] != p->all[i - 1])
            p->all[distinct++] = p->all[i];
    *out = p->all;
    return distinct;
}

/* Number r of the right samples that are not among n increasing ones. */
static int64_t other(const int32_t *sorted, int64_t n, int64_t r)
{
    int64_t low = 0, high = n;
    while (low < high) {  // how many of them lie before it
        const int64_t middle = (low + high) / 2;
        if (sorted[middle] - middle <= r)
            low = middle + 1;
        else
            high = middle;
    }
    return r + low;
}

/* (1): one draw of each of `parts` parts of `all` pairs, in order. */
typedef struct draws {
    ak_rng rng;
    int64_t all, parts;
    int64_t part;    // the next one
    int64_t pair;    // drawn from the part before, or INT64_MAX at the end
    int64_t length;  // of that part
    int64_t before;  // pairs of the left samples before the current one
} draws;

static void draw_next(draws *d)
{
    d->pair = INT64_MAX;
    if (d->part == d->parts)
        return;
    const ak_u128 all = (ak_u128)d->all, parts = (ak_u128)d->parts;
    const ak_u128 t = (ak_u128)d->part++;
    const int64_t from = (int64_t)(t * all / parts);
    d->length = (int64_t)((t + 1) * all / parts) - from;
    d->pair = from + ak_rng_below(&d->rng, d->length);
}

static draws draw_begin(ak_rng rng, int64_t all, int64_t parts)
{
    draws d = {.rng = rng, .all = all, .parts = parts};
    draw_next(&d);
    return d;
}

/* Append what is drawn among the `n` pairs of the current left sample; number r
 * of them has right sample of[r], or where they do not match `other`. */
static void take(ak_rsl_pairs *q, draws *d, int64_t *at, bool match, int64_t n,
                 const int32_t *of, int64_t n_of, double weight)
{
    for (; d->pair < d->before + n; draw_next(d)) {
        const int64_t r = d->pair - d->before;
        q->right_of[*at] = match ? of[r] : (int32_t)other(of, n_of, r);
        q->w[(*at)++] = (match ? weight : -weight) * (double)d->length;
    }
    d->before += n;
}

akin_status ak_rsl_draw(ak_rsl_pairs *out, akin_ctx *ctx, const ak_pairs *grid,
                        const double weight[2], int64_t count, ak_rng rng)
{
    const int64_t n_left = grid->side[0].n, n_right = grid->side[1].n;
    const int64_t n_other = grid->count - grid->n_match;
    const int64_t m_other =
        ak_min_i64(n_other, count - ak_min_i64(count / 2, grid->n_match));
    const int64_t m_match = ak_min_i64(grid->n_match, count - m_other);
    partners p = {0};
    int64_t at = 0;
    draws match = draw_begin(ak_rng_split(rng, 0), grid->n_match, m_match);
    draws others = draw_begin(ak_rng_split(rng, 1), n_other, m_other);
    AK_CHECK(ak_rsl_list_room(out, ctx, n_left, n_right, m_match + m_other));
    AK_CHECK(find_partners(&p, ctx, grid));
    for (int64_t a = 0; a < n_left; ++a) {
        const int32_t *of = NULL;
        const int64_t n = partners_of(&p, a, &of);
        take(out, &match, &at, true, n, of, n, weight[1]);
        take(out, &others, &at, false, n_right - n, of, n, weight[0]);
        out->left_at[a + 1] = at;
    }
    ak_rsl_list_by_right(out, n_left, n_right);
    return AKIN_OK;
}
