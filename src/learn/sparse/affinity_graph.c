/* What the affinity is spread along: the neighbours both ways, and W0, of
 * which points that have the same row, as those of one class have, are taken
 * together. */
#include <stdlib.h>
#include <string.h>

#include "learn/sparse/affinity.h"

enum { REGION = 512 };

/* The pattern of P'. */
static akin_status turn_around(ak_propagation *a, akin_ctx *ctx)
{
    const int64_t n = a->n, k = a->k;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n + 2, &a->in_at));
    AK_TRY(AK_SCRATCH(ctx, n * k, &a->in));
    for (int64_t e = 0; e < n * k; ++e)
        ++a->in_at[a->near[e] + 2];
    for (int64_t i = 1; i <= n + 1; ++i)
        a->in_at[i] += a->in_at[i - 1];
    for (int64_t e = 0; e < n * k; ++e)
        a->in[a->in_at[a->near[e] + 1]++] = (int32_t)(e / k);
done:
    return st;
}

typedef struct numbering {
    int32_t *order, *place;  // place[order[c]] = c, -1: has none yet
    int32_t *edge;           // n: points beside those that have a place
    int64_t count, head, tail, next;
} numbering;

static void number(numbering *o, int32_t i)
{
    if (o->place[i] >= 0)
        return;
    o->place[i] = (int32_t)o->count;
    o->order[o->count++] = i;
}

/* From one point on to its neighbours and theirs, REGION in all. */
static void grow_region(const ak_propagation *a, numbering *o)
{
    const int64_t k = a->k, end = o->count + REGION;
    int64_t c = o->count;
    number(o, o->head < o->tail ? o->edge[o->head] : (int32_t)o->next);
    for (; c < o->count && o->count < end; ++c)
        for (int64_t e = 0; e < k; ++e)
            number(o, a->near[o->order[c] * k + e]);
    for (; c < o->count && o->tail < a->n; ++c)
        o->edge[o->tail++] = a->near[o->order[c] * k];
}

/* Regions of near points, each from beside one that is there. */
static void grow_regions(const ak_propagation *a, numbering *o)
{
    for (int64_t i = 0; i < a->n; ++i)
        o->place[i] = -1;
    while (o->count < a->n) {
        grow_region(a, o);
        while (o->head < o->tail && o->place[o->edge[o->head]] >= 0)
            ++o->head;
        while (o->next < a->n && o->place[o->next] >= 0)
            ++o->next;
    }
}

akin_status ak_propagation_order(ak_propagation *a, akin_ctx *ctx,
                                 ak_constraints *pairs)
{
    const int64_t n = a->n, k = a->k;
    numbering o = {0};
    int32_t *near;
    int64_t *ij;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &o.order));
    AK_TRY(AK_SCRATCH(ctx, n, &o.place));
    AK_TRY(AK_SCRATCH(ctx, n, &o.edge));
    AK_TRY(AK_SCRATCH(ctx, n * k, &near));
    AK_TRY(AK_SCRATCH(ctx, 2 * pairs->count, &ij));
    grow_regions(a, &o);
    a->order = o.order;
    for (int64_t e = 0; e < n * k; ++e)
        near[e] = o.place[a->near[a->order[e / k] * k + e % k]];
    a->near = near;
    for (int64_t e = 0; e < 2 * pairs->count; ++e)
        ij[e] = o.place[pairs->ij[e]];
    pairs->ij = ij;
done:
    return st;
}

/* (2), both triangles. */
static akin_status take_pairs(ak_propagation *a, akin_ctx *ctx,
                              const ak_constraints *pairs, double far)
{
    const int64_t n = a->n, count = pairs->count;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n + 2, &a->w_at));
    AK_TRY(AK_SCRATCH(ctx, 2 * count, &a->w_cols));
    AK_TRY(AK_SCRATCH(ctx, 2 * count, &a->w));
    for (int64_t e = 0; e < 2 * count; ++e)
        ++a->w_at[pairs->ij[e] + 2];
    for (int64_t i = 1; i <= n + 1; ++i)
        a->w_at[i] += a->w_at[i - 1];
    for (int64_t e = 0; e < 2 * count; ++e) {
        const int64_t to = a->w_at[pairs->ij[e] + 1]++;
        a->w_cols[to] = (int32_t)pairs->ij[e ^ 1];
        a->w[to] = e / 2 < pairs->similar ? 1.0 : -far;
    }
done:
    return st;
}

/* What a row of W0 holds, with the 1 on the diagonal, in any order. */
typedef struct content {
    uint64_t hash;
    int64_t count;
    int32_t row;
} content;

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

static uint64_t entry(int32_t col, double w)
{
    uint64_t bits;
    memcpy(&bits, &w, sizeof bits);
    return mix(mix((uint64_t)col + 1) ^ bits);
}

static content content_of(const ak_propagation *a, int64_t i)
{
    content c = {entry((int32_t)i, 1.0), a->w_at[i + 1] - a->w_at[i],
                 (int32_t)i};
    for (int64_t e = a->w_at[i]; e < a->w_at[i + 1]; ++e)
        c.hash += entry(a->w_cols[e], a->w[e]);
    return c;
}

static int by_content(const void *x, const void *y)
{
    const content *a = x, *b = y;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static akin_status find_groups(ak_propagation *a, akin_ctx *ctx)
{
    content *all;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, a->n, &a->group));
    AK_TRY(AK_SCRATCH(ctx, a->n, &all));
    for (int64_t i = 0; i < a->n; ++i) {
        a->group[i] = -1;
        if (a->w_at[i + 1] > a->w_at[i])
            all[count++] = content_of(a, i);
    }
    qsort(all, (size_t)count, sizeof *all, by_content);
    AK_TRY(AK_SCRATCH(ctx, count, &a->first));
    for (int64_t c = 0; c < count; ++c) {
        if (c == 0 || all[c].hash != all[c - 1].hash ||
            all[c].count != all[c - 1].count)
            a->first[a->n_groups++] = all[c].row;
        a->group[all[c].row] = (int32_t)(a->n_groups - 1);
    }
done:
    return st;
}

akin_status ak_propagation_graph(ak_propagation *a, akin_ctx *ctx,
                                 const ak_constraints *pairs, double far)
{
    akin_status st = AKIN_OK;
    AK_TRY(turn_around(a, ctx));
    AK_TRY(take_pairs(a, ctx, pairs, far));
    AK_TRY(find_groups(a, ctx));
done:
    return st;
}
