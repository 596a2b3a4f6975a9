/* The affinity of all points, row by row; see learn/sparse/affinity.h.
 *
 * Column i of W* is u = (1 - alpha) sum_t (alpha P)^t w0_i, row i is
 * v = (1 - alpha) sum_t (alpha P')^t e_i, times W0. Both begin with few entries
 * and reach few others (learn/sparse/reach.h). Of what may stay in W, few
 * again, the entries are then taken from those two steps around,
 *
 *   u_j = share sum_l in near(j) u_l,  v_j = share sum_l: j in near(l) v_l  (1)
 *
 * for j other than i, share = alpha / k: each step halves what is missing. */
#include "learn/sparse/affinity_parts.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"

enum { CHUNK = 4096, ROWS = 16, TILE = 32, DEPTH = 2 };

/* Entries this much below theta are taken from (1) before they are left out. */
static const double slack = 0.1;

typedef struct desk {
    ak_reach column, row;  // u and v
    ak_reach pairs;        // of v W0, the points in pairs that share no column
    ak_reach groups;       // of v, the sums of the groups
    int32_t *at;           // the entries of a row of W
    double *w;
    int64_t count;
} desk;

/* The column of W* that the group of i shares, at j. */
static double shared_at(const ak_propagation *a, int64_t i, int64_t j)
{
    return a->columns[j * a->n_shared + a->shared[a->group[i]]];
}

static void take_column(const ak_propagation *a, ak_reach *u, int64_t i)
{
    ak_reach_clear(u);
    for (int64_t j = 0; j < a->n; ++j)
        if (shared_at(a, i, j) != 0.0)
            ak_reach_add(u, (int32_t)j, shared_at(a, i, j));
}

/* pairs = v W0 where W* has no shared column; the points of a group have one
 * row in W0. */
static void row_through_w0(const ak_propagation *a, desk *w)
{
    ak_reach_clear(&w->pairs);
    if (a->n_shared == a->n_groups)
        return;
    for (int64_t c = 0; c < w->row.count; ++c) {
        const int32_t j = w->row.at[c];
        if (a->group[j] >= 0)
            ak_reach_add(&w->groups, a->group[j], ak_reach_get(&w->row, j));
    }
    for (int64_t c = 0; c < w->groups.count; ++c) {
        const int32_t g = w->groups.at[c];
        ak_propagation_add_w0(a, a->first[g], ak_reach_get(&w->groups, g),
                              &w->pairs);
    }
    ak_reach_clear(&w->groups);
}

static void spread(const ak_propagation *a, desk *w, int64_t i)
{
    if (ak_propagation_shares(a, i))
        take_column(a, &w->column, i);
    else
        ak_propagation_spread_column(a, &w->column, i);
    ak_reach_clear(&w->row);
    ak_reach_add(&w->row, (int32_t)i, 1.0 - a->alpha);
    ak_reach_spread(&w->row, ak_propagation_share(a), NULL, a->near, a->k);
    row_through_w0(a, w);
}

/* W*'s row i at j. */
static double row_at(const ak_propagation *a, const desk *w, int64_t i,
                     int64_t j)
{
    return a->group[j] < 0               ? ak_reach_get(&w->row, j)
           : ak_propagation_shares(a, j) ? shared_at(a, j, i)
                                         : ak_reach_get(&w->pairs, j);
}

/* (1) of u at j, of what was found `depth` steps around it. */
static double gather_u(const ak_propagation *a, const desk *w, int64_t i,
                       int64_t j, int depth)
{
    double sum = 0.0;
    if (depth == 0 || i == j)
        return ak_reach_get(&w->column, j);
    for (int64_t e = j * a->k; e < (j + 1) * a->k; ++e)
        sum += gather_u(a, w, i, a->near[e], depth - 1);
    return ak_propagation_share(a) * sum;
}

/* The same of v. */
static double gather_v(const ak_propagation *a, const desk *w, int64_t i,
                       int64_t j, int depth)
{
    double sum = 0.0;
    if (depth == 0 || i == j)
        return ak_reach_get(&w->row, j);
    for (int64_t e = a->in_at[j]; e < a->in_at[j + 1]; ++e)
        sum += gather_v(a, w, i, a->in[e], depth - 1);
    return ak_propagation_share(a) * sum;
}

/* (4) at j of row i. */
static void keep(const ak_propagation *a, desk *w, int64_t i, int64_t j)
{
    double x = ak_reach_get(&w->column, j) + row_at(a, w, i, j);
    if (fabs(0.5 * x) < (1.0 - slack) * a->theta)
        return;
    x = (a->group[i] < 0 ? gather_u(a, w, i, j, DEPTH)
                         : ak_reach_get(&w->column, j)) +
        (a->group[j] < 0 ? gather_v(a, w, i, j, DEPTH) : row_at(a, w, i, j));
    if (fabs(0.5 * x) >= a->theta) {
        w->at[w->count] = (int32_t)j;
        w->w[w->count++] = 0.5 * x;
    }
}

/* Row i of W. Where it is large, W*_ji is, or W*_ij: for j in no pair, by v W0
 * or in a shared column. */
static void row_of_W(const ak_propagation *a, desk *w, int64_t i)
{
    const double large = (1.0 - slack) * a->theta;
    const ak_reach *u = &w->column, *v = &w->row, *p = &w->pairs;
    spread(a, w, i);
    w->count = 0;
    for (int64_t c = 0; c < u->count; ++c)
        if (fabs(ak_reach_get(u, u->at[c])) >= large)
            keep(a, w, i, u->at[c]);
    for (int64_t c = 0; c < v->count; ++c)
        if (ak_reach_get(v, v->at[c]) >= large && a->group[v->at[c]] < 0 &&
            fabs(ak_reach_get(u, v->at[c])) < large)
            keep(a, w, i, v->at[c]);
    for (int64_t c = 0; c < p->count; ++c)
        if (fabs(ak_reach_get(p, p->at[c])) >= large &&
            !ak_propagation_shares(a, p->at[c]) &&
            fabs(ak_reach_get(u, p->at[c])) < large)
            keep(a, w, i, p->at[c]);
    for (int64_t g = 0; g < a->n_shared; ++g)
        if (fabs(a->columns[i * a->n_shared + g]) >= large)
            for (int64_t c = a->member_at[g]; c < a->member_at[g + 1]; ++c)
                if (fabs(ak_reach_get(u, a->members[c])) < large)
                    keep(a, w, i, a->members[c]);
}

static akin_status new_desk(desk *w, akin_ctx *ctx, const ak_propagation *a)
{
    const bool lone = a->n_shared < a->n_groups;
    akin_status st = AKIN_OK;
    AK_TRY(ak_reach_new(&w->column, ctx, a->n, a->drop));
    AK_TRY(ak_reach_new(&w->row, ctx, a->n, a->drop));
    AK_TRY(ak_reach_new(&w->pairs, ctx, a->n, INFINITY));
    AK_TRY(ak_reach_new(&w->groups, ctx, lone ? a->n_groups : 0, INFINITY));
    AK_TRY(AK_SCRATCH(ctx, a->n, &w->at));
    AK_TRY(AK_SCRATCH(ctx, a->n, &w->w));
done:
    return st;
}

akin_status ak_propagation_row(const ak_propagation *a, akin_ctx *ctx,
                               int64_t i, double *row)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    desk w = {0};
    akin_status st = AKIN_OK;
    AK_TRY(new_desk(&w, ctx, a));
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

/* ---- T ------------------------------------------------------------------ */

typedef struct sum {
    const ak_propagation *a;
    akin_ctx *ctx;
    desk *desks;
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
    desk *w = &s->desks[worker];
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

akin_status ak_propagation_sum_rows(const ak_propagation *a, akin_ctx *ctx,
                                    double *T)
{
    const int64_t workers = ak_workers(ctx);
    sum s = {.a = a, .ctx = ctx, .T = T};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, workers, &s.desks));
    for (int64_t w = 0; w < workers; ++w)
        AK_TRY(new_desk(&s.desks[w], ctx, a));
    AK_TRY(AK_SCRATCH(ctx, ak_min_i64(CHUNK, a->n) * a->d, &s.X));
    AK_TRY(AK_SCRATCH(ctx, ak_min_i64(CHUNK, a->n) * a->d, &s.Z));
    for (; s.from < a->n; s.from += CHUNK) {
        s.count = ak_min_i64(CHUNK, a->n - s.from);
        AK_TRY(ak_parallel_for(ctx, s.count, ROWS, rows_block, &s));
        AK_TRY(ak_parallel_for(ctx, a->d, TILE, product_block, &s));
        AK_TRY(ak_ctx_tick(ctx, "affinities", s.from + s.count, a->n, NAN));
    }
done:
    return st;
}
