/* The affinity of all points, row by row; see learn/sparse/affinity.h.
 *
 * Column i of W* is u = (1 - alpha) sum_t (alpha P)^t w0_i, row i is v = (1 -
 * alpha) sum_t (alpha P')^t e_i, times W0. Both start with few entries and
 * reach few others. Few of these can stay in W; their entries are then
 * recomputed from those two steps around,
 *
 *   u_j = share sum_l in near(j) u_l,  v_j = share sum_l: j in near(l) v_l  (1)
 *
 * for j other than i, share = alpha / k: each step halves what is missing. */
#include "learn/sparse/affinity.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/sparse/neighbours.h"

enum {
    EXACT = 1000,  // points up to which W is exact to rounding
    REGION = 512,  // points numbered together
    CHUNK = 4096,
    ROWS = 16,
    TILE = 32,
    DEPTH = 2,   // steps of (1)
    WIDTH = 16,  // columns of X at a time, where theta is 0
    SERIES_ROWS = 256,
};

/* ---- spreading few numbers along a graph -----------------------------------
 *
 *   v = sum_t (alpha P)^t v0,  or with P' for P                          (2)
 *
 * Each point has an amount that it passed on and one that rests with it. It
 * passes on to its neighbours once the rest is `drop` or more. The sum of both
 * is v up to sum_t>0 (alpha P)^t of the rests, an error below drop alpha / (1 -
 * alpha); with P', times the number of points that have it as a neighbour. */

typedef struct spread_point {
    double passed, rest;
} spread_point;

typedef struct reach {
    int64_t n;
    double drop;
    spread_point *point;   // n
    unsigned char *state;  // n
    int32_t *at;           // n + 1: the points that are not zero
    int64_t count;
    int32_t *queue;  // n + 1, a ring: those that have to pass on
    int64_t head, tail;
} reach;

enum { LISTED = 1, WAITS = 2 };

/* Scratch memory, zeros. */
static akin_status reach_new(reach *r, akin_ctx *ctx, int64_t n, double drop)
{
    r->n = n;
    r->drop = drop;
    AK_CHECK(AK_SCRATCH(ctx, n, &r->point));
    AK_CHECK(AK_SCRATCH(ctx, n, &r->state));
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &r->at));
    return AK_SCRATCH(ctx, n + 1, &r->queue);
}

static void reach_clear(reach *r)
{
    for (int64_t c = 0; c < r->count; ++c) {
        r->point[r->at[c]] = (spread_point){0};
        r->state[r->at[c]] = 0;
    }
    r->count = r->head = r->tail = 0;
}

/* Without branches, which would be mispredicted half of the time: an entry that
 * does not belong at the end of a list is overwritten by the next. */
static inline void reach_add(reach *r, int32_t i, double x)
{
    const unsigned state = r->state[i];
    const double rest = r->point[i].rest + x;
    const unsigned full = fabs(rest) >= r->drop;
    const int64_t tail = r->tail + ((full & ~(state >> 1)) & 1);
    r->point[i].rest = rest;
    r->at[r->count] = i;
    r->count += ~state & 1;
    r->queue[r->tail] = i;
    r->tail = tail > r->n ? 0 : tail;
    r->state[i] = (unsigned char)(state | LISTED | full << 1);
}

static inline double reach_get(const reach *r, int64_t i)
{
    return r->point[i].passed + r->point[i].rest;
}

/* (2) of what was added: point i passes `share` of what it has on to each of
 * to[at[i]] to to[at[i + 1]], without `at` to each of `k` from to[k i] on. */
static void reach_spread(reach *r, double share, const int64_t *at,
                         const int32_t *to, int64_t k)
{
    reach v = *r;  // in registers
    while (v.head != v.tail) {
        const int32_t i = v.queue[v.head];
        const double x = v.point[i].rest;
        const int64_t from = at ? at[i] : i * k;
        const int64_t end = at ? at[i + 1] : from + k;
        v.head = v.head == v.n ? 0 : v.head + 1;
        v.state[i] = LISTED;
        v.point[i].passed += x;
        v.point[i].rest = 0.0;
        for (int64_t e = from; e < end; ++e)
            reach_add(&v, to[e], share * x);
    }
    *r = v;
}

static double share_of(const ak_propagation *a)
{
    return a->alpha / (double)a->k;
}

/* Is the column of i among a->columns? */
static bool has_shared_column(const ak_propagation *a, int64_t i)
{
    return a->group[i] >= 0 && a->shared[a->group[i]] >= 0;
}

/* r += W0's row i times x. */
static void add_w0(const ak_propagation *a, int32_t i, double x, reach *r)
{
    reach_add(r, i, x);
    for (int64_t c = a->w_at[i]; c < a->w_at[i + 1]; ++c)
        reach_add(r, a->w_cols[c], x * a->w[c]);
}

/* u = column i of W*. */
static void spread_column(const ak_propagation *a, reach *u, int64_t i)
{
    reach_clear(u);
    add_w0(a, (int32_t)i, 1.0 - a->alpha, u);
    reach_spread(u, share_of(a), a->in_at, a->in, 0);
}

/* ---- the graph -------------------------------------------------------------
 *
 * The affinity is spread along the neighbours, in both directions. Points with
 * the same row in W0, as those of one class have, form a group. */

/* The pattern of P'. */
static akin_status turn_around(ak_propagation *a, akin_ctx *ctx)
{
    const int64_t n = a->n, k = a->k;
    AK_CHECK(AK_SCRATCH(ctx, n + 2, &a->in_at));
    AK_CHECK(AK_SCRATCH(ctx, n * k, &a->in));
    for (int64_t e = 0; e < n * k; ++e)
        ++a->in_at[a->near[e] + 2];
    for (int64_t i = 1; i <= n + 1; ++i)
        a->in_at[i] += a->in_at[i - 1];
    for (int64_t e = 0; e < n * k; ++e)
        a->in[a->in_at[a->near[e] + 1]++] = (int32_t)(e / k);
    return AKIN_OK;
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

/* Regions of near points; each starts beside a previous one. */
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

/* Renumber the points so that near ones are close in memory, in the neighbours
 * and in the pairs. */
static akin_status order_points(ak_propagation *a, akin_ctx *ctx,
                                ak_constraints *pairs)
{
    const int64_t n = a->n, k = a->k;
    numbering o = {0};
    int32_t *near;
    int64_t *ij;
    AK_CHECK(AK_SCRATCH(ctx, n, &o.order));
    AK_CHECK(AK_SCRATCH(ctx, n, &o.place));
    AK_CHECK(AK_SCRATCH(ctx, n, &o.edge));
    AK_CHECK(AK_SCRATCH(ctx, n * k, &near));
    AK_CHECK(AK_SCRATCH(ctx, 2 * pairs->count, &ij));
    grow_regions(a, &o);
    a->order = o.order;
    for (int64_t e = 0; e < n * k; ++e)
        near[e] = o.place[a->near[a->order[e / k] * k + e % k]];
    a->near = near;
    for (int64_t e = 0; e < 2 * pairs->count; ++e)
        ij[e] = o.place[pairs->ij[e]];
    pairs->ij = ij;
    return AKIN_OK;
}

/* W0, both triangles. */
static akin_status take_pairs(ak_propagation *a, akin_ctx *ctx,
                              const ak_constraints *pairs, double far)
{
    const int64_t n = a->n, count = pairs->count;
    AK_CHECK(AK_SCRATCH(ctx, n + 2, &a->w_at));
    AK_CHECK(AK_SCRATCH(ctx, 2 * count, &a->w_cols));
    AK_CHECK(AK_SCRATCH(ctx, 2 * count, &a->w));
    for (int64_t e = 0; e < 2 * count; ++e)
        ++a->w_at[pairs->ij[e] + 2];
    for (int64_t i = 1; i <= n + 1; ++i)
        a->w_at[i] += a->w_at[i - 1];
    for (int64_t e = 0; e < 2 * count; ++e) {
        const int64_t to = a->w_at[pairs->ij[e] + 1]++;
        a->w_cols[to] = (int32_t)pairs->ij[e ^ 1];
        a->w[to] = e / 2 < pairs->similar ? 1.0 : -far;
    }
    return AKIN_OK;
}

/* The content of a row of W0 with the 1 on its diagonal, in any order. */
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
    AK_CHECK(AK_SCRATCH(ctx, a->n, &a->group));
    AK_CHECK(AK_SCRATCH(ctx, a->n, &all));
    for (int64_t i = 0; i < a->n; ++i) {
        a->group[i] = -1;
        if (a->w_at[i + 1] > a->w_at[i])
            all[count++] = content_of(a, i);
    }
    qsort(all, (size_t)count, sizeof *all, by_content);
    AK_CHECK(AK_SCRATCH(ctx, count, &a->first));
    for (int64_t c = 0; c < count; ++c) {
        if (c == 0 || all[c].hash != all[c - 1].hash ||
            all[c].count != all[c - 1].count)
            a->first[a->n_groups++] = all[c].row;
        a->group[all[c].row] = (int32_t)(a->n_groups - 1);
    }
    return AKIN_OK;
}

static akin_status make_graph(ak_propagation *a, akin_ctx *ctx,
                              const ak_constraints *pairs, double far)
{
    AK_CHECK(turn_around(a, ctx));
    AK_CHECK(take_pairs(a, ctx, pairs, far));
    return find_groups(a, ctx);
}

/* ---- columns of W* that points share ------------------------------------- */

typedef struct sharing {
    const ak_propagation *a;
    reach *reach;    // of each worker
    int32_t *first;  // of each shared column, a point of its group
} sharing;

static akin_status column_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const sharing *s = arg;
    const ak_propagation *a = s->a;
    reach *u = &s->reach[worker];
    for (int64_t g = begin; g < end; ++g) {
        spread_column(a, u, s->first[g]);
        for (int64_t c = 0; c < u->count; ++c)
            a->columns[u->at[c] * a->n_shared + g] = reach_get(u, u->at[c]);
    }
    return AKIN_OK;
}

/* Every shared column, more precise than the others because many points use it.
 */
static akin_status spread_shared(ak_propagation *a, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t workers = ak_workers(ctx);
    sharing s = {.a = a};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, a->n_shared, &s.first));
    for (int64_t g = 0; g < a->n_groups; ++g)
        if (a->shared[g] >= 0)
            s.first[a->shared[g]] = a->first[g];
    AK_TRY(AK_SCRATCH(ctx, workers, &s.reach));
    for (int64_t w = 0; w < workers; ++w)
        AK_TRY(reach_new(&s.reach[w], ctx, a->n, 0.1 * a->drop));
    AK_TRY(ak_parallel_for(ctx, a->n_shared, 1, column_block, &s));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The members of the groups that share, group after group. */
static akin_status list_members(ak_propagation *a, akin_ctx *ctx)
{
    AK_CHECK(AK_SCRATCH(ctx, a->n_shared + 2, &a->member_at));
    AK_CHECK(AK_SCRATCH(ctx, a->n, &a->members));
    for (int64_t i = 0; i < a->n; ++i)
        if (has_shared_column(a, i))
            ++a->member_at[a->shared[a->group[i]] + 2];
    for (int64_t g = 1; g <= a->n_shared + 1; ++g)
        a->member_at[g] += a->member_at[g - 1];
    for (int64_t i = 0; i < a->n; ++i)
        if (has_shared_column(a, i))
            a->members[a->member_at[a->shared[a->group[i]] + 1]++] = (int32_t)i;
    return AKIN_OK;
}

/* The columns of groups of two or more, up to one GiB. */
static akin_status share_columns(ak_propagation *a, akin_ctx *ctx)
{
    const int64_t most = (INT64_C(1) << 27) / a->n;
    int64_t *size;
    AK_CHECK(AK_SCRATCH(ctx, a->n_groups, &size));
    AK_CHECK(AK_SCRATCH(ctx, a->n_groups, &a->shared));
    for (int64_t i = 0; i < a->n; ++i)
        if (a->group[i] >= 0)
            ++size[a->group[i]];
    for (int64_t g = 0; g < a->n_groups; ++g)
        a->shared[g] =
            size[g] > 1 && a->n_shared < most ? (int32_t)a->n_shared++ : -1;
    AK_CHECK(AK_SCRATCH(ctx, a->n * a->n_shared, &a->columns));
    AK_CHECK(list_members(a, ctx));
    return spread_shared(a, ctx);
}

akin_status ak_propagation_begin(ak_propagation *a, akin_ctx *ctx, int64_t n,
                                 int64_t d, const double *X,
                                 const ak_constraints *pairs, double far)
{
    a->n = n;
    a->d = d;
    a->X = X;
    a->k = ak_min_i64(a->k, n - 1);
    /* Few points: to rounding. Many: W to a thousandth of theta. */
    a->drop = n <= EXACT ? 1e-14 : 1e-3 * a->theta;
    AK_CHECK(AK_SCRATCH(ctx, n * a->k, &a->near));
    AK_CHECK(ak_neighbours(ctx, n, d, X, a->k, a->near));
    ak_constraints placed = *pairs;
    if (a->theta > 0.0)
        AK_CHECK(order_points(a, ctx, &placed));
    AK_CHECK(make_graph(a, ctx, &placed, far));
    if (a->theta > 0.0)
        AK_CHECK(share_columns(a, ctx));
    return AKIN_OK;
}

/* ---- rows of W ----------------------------------------------------------- */

/* Entries down to this share below theta are recomputed by (1) before they are
 * dropped. */
static const double slack = 0.1;

typedef struct row_work {
    reach column, row;  // u and v
    reach pairs;        // of v W0, the points in pairs that share no column
    reach groups;       // of v, the sums of the groups
    int32_t *at;        // the entries of a row of W
    double *w;
    int64_t count;
} row_work;

/* The column of W* that the group of i shares, at j. */
static double shared_at(const ak_propagation *a, int64_t i, int64_t j)
{
    return a->columns[j * a->n_shared + a->shared[a->group[i]]];
}

static void take_column(const ak_propagation *a, reach *u, int64_t i)
{
    reach_clear(u);
    for (int64_t j = 0; j < a->n; ++j)
        if (shared_at(a, i, j) != 0.0)
            reach_add(u, (int32_t)j, shared_at(a, i, j));
}

/* pairs = v W0 where W* has no shared column; the points of a group have one
 * row in W0. */
static void row_through_w0(const ak_propagation *a, row_work *w)
{
    reach_clear(&w->pairs);
    if (a->n_shared == a->n_groups)
        return;
    for (int64_t c = 0; c < w->row.count; ++c) {
        const int32_t j = w->row.at[c];
        if (a->group[j] >= 0)
            reach_add(&w->groups, a->group[j], reach_get(&w->row, j));
    }
    for (int64_t c = 0; c < w->groups.count; ++c) {
        const int32_t g = w->groups.at[c];
        add_w0(a, a->first[g], reach_get(&w->groups, g), &w->pairs);
    }
    reach_clear(&w->groups);
}

static void spread(const ak_propagation *a, row_work *w, int64_t i)
{
    if (has_shared_column(a, i))
        take_column(a, &w->column, i);
    else
        spread_column(a, &w->column, i);
    reach_clear(&w->row);
    reach_add(&w->row, (int32_t)i, 1.0 - a->alpha);
    reach_spread(&w->row, share_of(a), NULL, a->near, a->k);
    row_through_w0(a, w);
}

/* W*'s row i at j. */
static double row_at(const ak_propagation *a, const row_work *w, int64_t i,
                     int64_t j)
{
    return a->group[j] < 0           ? reach_get(&w->row, j)
           : has_shared_column(a, j) ? shared_at(a, j, i)
                                     : reach_get(&w->pairs, j);
}

/* (1) of u at j, of what was found `depth` steps around it. */
static double gather_u(const ak_propagation *a, const row_work *w, int64_t i,
                       int64_t j, int depth)
{
    double sum = 0.0;
    if (depth == 0 || i == j)
        return reach_get(&w->column, j);
    for (int64_t e = j * a->k; e < (j + 1) * a->k; ++e)
        sum += gather_u(a, w, i, a->near[e], depth - 1);
    return share_of(a) * sum;
}

/* The same of v. */
static double gather_v(const ak_propagation *a, const row_work *w, int64_t i,
                       int64_t j, int depth)
{
    double sum = 0.0;
    if (depth == 0 || i == j)
        return reach_get(&w->row, j);
    for (int64_t e = a->in_at[j]; e < a->in_at[j + 1]; ++e)
        sum += gather_v(a, w, i, a->in[e], depth - 1);
    return share_of(a) * sum;
}

/* The entry of W at j of row i. */
static void keep(const ak_propagation *a, row_work *w, int64_t i, int64_t j)
{
    double x = reach_get(&w->column, j) + row_at(a, w, i, j);
    if (fabs(0.5 * x) < (1.0 - slack) * a->theta)
        return;
    x = (a->group[i] < 0 ? gather_u(a, w, i, j, DEPTH)
                         : reach_get(&w->column, j)) +
        (a->group[j] < 0 ? gather_v(a, w, i, j, DEPTH) : row_at(a, w, i, j));
    if (fabs(0.5 * x) >= a->theta) {
        w->at[w->count] = (int32_t)j;
        w->w[w->count++] = 0.5 * x;
    }
}

/* Row i of W. Where it is large, W*_ji is, or W*_ij: for j in no pair, by v W0
 * or in a shared column. */
static void row_of_W(const ak_propagation *a, row_work *w, int64_t i)
{
    const double large = (1.0 - slack) * a->theta;
    const reach *u = &w->column, *v = &w->row, *p = &w->pairs;
    spread(a, w, i);
    w->count = 0;
    for (int64_t c = 0; c < u->count; ++c)
        if (fabs(reach_get(u, u->at[c])) >= large)
            keep(a, w, i, u->at[c]);
    for (int64_t c = 0; c < v->count; ++c)
        if (reach_get(v, v->at[c]) >= large && a->group[v->at[c]] < 0 &&
            fabs(reach_get(u, v->at[c])) < large)
            keep(a, w, i, v->at[c]);
    for (int64_t c = 0; c < p->count; ++c)
        if (fabs(reach_get(p, p->at[c])) >= large &&
            !has_shared_column(a, p->at[c]) &&
            fabs(reach_get(u, p->at[c])) < large)
            keep(a, w, i, p->at[c]);
    for (int64_t g = 0; g < a->n_shared; ++g)
        if (fabs(a->columns[i * a->n_shared + g]) >= large)
            for (int64_t c = a->member_at[g]; c < a->member_at[g + 1]; ++c)
                if (fabs(reach_get(u, a->members[c])) < large)
                    keep(a, w, i, a->members[c]);
}

static akin_status new_row_work(row_work *w, akin_ctx *ctx,
                                const ak_propagation *a)
{
    const bool lone = a->n_shared < a->n_groups;
    AK_CHECK(reach_new(&w->column, ctx, a->n, a->drop));
    AK_CHECK(reach_new(&w->row, ctx, a->n, a->drop));
    AK_CHECK(reach_new(&w->pairs, ctx, a->n, INFINITY));
    AK_CHECK(reach_new(&w->groups, ctx, lone ? a->n_groups : 0, INFINITY));
    AK_CHECK(AK_SCRATCH(ctx, a->n, &w->at));
    return AK_SCRATCH(ctx, a->n, &w->w);
}

akin_status ak_propagation_row(const ak_propagation *a, akin_ctx *ctx,
                               int64_t i, double *row)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    row_work w = {0};
    akin_status st = AKIN_OK;
    AK_TRY(new_row_work(&w, ctx, a));
    int64_t at = 0;
    while (ak_propagation_point(a, at) != i)
        ++at;
    row_of_W(a, &w, at);
    memset(row, 0, (size_t)a->n * sizeof *row);
    for (int64_t c = 0; c < w.count; ++c)
        row[ak_propagation_point(a, w.at[c])] = w.w[c];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

typedef struct sum {
    const ak_propagation *a;
    akin_ctx *ctx;
    row_work *work;       // of each worker
    int64_t from, count;  // the rows of this chunk
    double *X;            // count x d: the points of the chunk
    double *Z;            // count x d: (diag(W 1) - W) X
    double *T;
} sum;

static const double *point(const ak_propagation *a, int64_t at)
{
    return a->X + ak_propagation_point(a, at) * a->d;
}

static akin_status rows_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    sum *s = arg;
    const int64_t d = s->a->d;
    row_work *w = &s->work[worker];
    for (int64_t r = begin; r < end; ++r) {
        const int64_t i = s->from + r;
        double *x = s->X + r * d, *z = s->Z + r * d, degree = 0.0;
        row_of_W(s->a, w, i);
        memcpy(x, point(s->a, i), (size_t)d * sizeof *x);
        memset(z, 0, (size_t)d * sizeof *z);
        for (int64_t c = 0; c < w->count; ++c) {
            if (w->at[c] == i)  // the diagonal cancels
                continue;
            degree += w->w[c];
            ak_axpy(d, -w->w[c], point(s->a, w->at[c]), z);
        }
        ak_axpy(d, degree, x, z);
    }
    return AKIN_OK;
}

/* Some rows of T += X' Z. */
static akin_status product_block(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    sum *s = arg;
    const int64_t d = s->a->d;
    (void)worker;
    return ak_gemm(s->ctx, true, false, end - begin, d, s->count, 1.0,
                   s->X + begin, d, s->Z, d, 1.0, s->T + begin * d, d);
}

/* T += (5) of affinity.h before it is made symmetric, from the rows of W. */
static akin_status sum_rows(const ak_propagation *a, akin_ctx *ctx, double *T)
{
    const int64_t workers = ak_workers(ctx);
    sum s = {.a = a, .ctx = ctx, .T = T};
    AK_CHECK(AK_SCRATCH(ctx, workers, &s.work));
    for (int64_t w = 0; w < workers; ++w)
        AK_CHECK(new_row_work(&s.work[w], ctx, a));
    AK_CHECK(AK_SCRATCH_EACH(ctx, ak_min_i64(CHUNK, a->n) * a->d, &s.X, &s.Z));
    for (; s.from < a->n; s.from += CHUNK) {
        s.count = ak_min_i64(CHUNK, a->n - s.from);
        AK_CHECK(ak_parallel_for(ctx, s.count, ROWS, rows_block, &s));
        AK_CHECK(ak_parallel_for(ctx, a->d, TILE, product_block, &s));
        AK_CHECK(ak_ctx_tick(ctx, "affinities", s.from + s.count, a->n, NAN));
    }
    return AKIN_OK;
}

/* ---- the whole affinity ----------------------------------------------------
 *
 * T where theta = 0 and of the pairs alone, without rows of W. With Q = (I -
 * alpha P)^-T X,
 *
 *   r = (1 - alpha) (I - alpha P)^-1 W0 1
 *   c = (1 - alpha) W0 (I - alpha P)^-T 1
 *   T = X' diag((r + c)/2) X - (B + B')/2,  B = (1 - alpha) Q' W0 X      (3)
 *
 * by the series, which converges like alpha^t for any points. */

/* The series of n x width numbers. */
typedef struct series {
    const ak_propagation *a;
    int64_t width;
    bool back;                // P', not P
    double *term, *next, *Q;  // n x width
} series;

static akin_status step_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const series *s = arg;
    const ak_propagation *a = s->a;
    const double share = a->alpha / (double)a->k;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *of = s->back ? a->in + a->in_at[i] : a->near + i * a->k;
        const int64_t count = s->back ? a->in_at[i + 1] - a->in_at[i] : a->k;
        double *x = s->next + i * s->width;
        memset(x, 0, (size_t)s->width * sizeof *x);
        for (int64_t e = 0; e < count; ++e)
            for (int64_t j = 0; j < s->width; ++j)
                x[j] += s->term[of[e] * s->width + j];
        for (int64_t j = 0; j < s->width; ++j) {
            x[j] *= share;
            s->Q[i * s->width + j] += x[j];
        }
    }
    return AKIN_OK;
}

/* Q = the series that begins with term. */
static void sum_series(series *s, akin_ctx *ctx, bool back)
{
    const int64_t n = s->a->n;
    s->back = back;
    memcpy(s->Q, s->term, (size_t)(n * s->width) * sizeof *s->Q);
    for (double left = s->a->alpha; left > 1e-17; left *= s->a->alpha) {
        ak_parallel_for(ctx, n, SERIES_ROWS, step_block, s);
        double *old = s->term;
        s->term = s->next;
        s->next = old;
    }
}

/* Y = W0 X of n x width numbers. */
static void apply_w0(const ak_propagation *a, int64_t width, const double *X,
                     double *Y)
{
    memcpy(Y, X, (size_t)(a->n * width) * sizeof *Y);
    for (int64_t i = 0; i < a->n; ++i)
        for (int64_t c = a->w_at[i]; c < a->w_at[i + 1]; ++c)
            ak_axpy(width, a->w[c], X + a->w_cols[c] * width, Y + i * width);
}

/* degree = (r + c)/2. */
static void degrees(const ak_propagation *a, akin_ctx *ctx, series *s,
                    double *degree)
{
    const double half = 0.5 * (1.0 - a->alpha);
    s->width = 1;
    for (int64_t i = 0; i < a->n; ++i)
        degree[i] = 1.0;
    apply_w0(a, 1, degree, s->term);
    sum_series(s, ctx, false);
    memcpy(degree, s->Q, (size_t)a->n * sizeof *degree);
    for (int64_t i = 0; i < a->n; ++i)
        s->term[i] = 1.0;
    sum_series(s, ctx, true);
    apply_w0(a, 1, s->Q, s->term);
    for (int64_t i = 0; i < a->n; ++i)
        degree[i] = half * (degree[i] + s->term[i]);
}

/* Some columns of X at a time: T -= B, row by row of B. */
static akin_status subtract_B(const ak_propagation *a, akin_ctx *ctx, series *s,
                              const double *Y, double *T)
{
    const int64_t n = a->n, d = a->d;
    for (int64_t from = 0; from < d; from += WIDTH) {
        s->width = ak_min_i64(WIDTH, d - from);
        for (int64_t i = 0; i < n; ++i)
            memcpy(s->term + i * s->width, a->X + i * d + from,
                   (size_t)s->width * sizeof *a->X);
        sum_series(s, ctx, true);
        AK_CHECK(ak_gemm(ctx, true, false, s->width, d, n, a->alpha - 1.0, s->Q,
                         s->width, Y, d, 1.0, T + from * d, d));
        AK_CHECK(ak_ctx_tick(ctx, "columns", from + s->width, d, NAN));
    }
    return AKIN_OK;
}

/* (3). */
static akin_status whole(const ak_propagation *a, akin_ctx *ctx, double *T)
{
    const int64_t n = a->n, d = a->d;
    series s = {.a = a};
    double *Y, *degree;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * WIDTH, &s.term, &s.next, &s.Q));
    AK_CHECK(AK_SCRATCH(ctx, n * d, &Y));
    AK_CHECK(AK_SCRATCH(ctx, n, &degree));
    degrees(a, ctx, &s, degree);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < d; ++j)
            Y[i * d + j] = degree[i] * a->X[i * d + j];
    AK_CHECK(ak_gemm(ctx, true, false, d, d, n, 1.0, a->X, d, Y, d, 0.0, T, d));
    apply_w0(a, d, a->X, Y);
    return subtract_B(a, ctx, &s, Y, T);
}

akin_status ak_propagation_T(const ak_propagation *a, akin_ctx *ctx, double *T)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    memset(T, 0, (size_t)(a->d * a->d) * sizeof *T);
    AK_TRY(a->theta > 0.0 ? sum_rows(a, ctx, T) : whole(a, ctx, T));
    ak_symmetrize(a->d, T);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
