/* The affinity of all points, row by row; see learn/affinity.h.
 *
 * Column i of W* is (1 - alpha) sum_t (alpha P)^t w0_i, row i is that of
 * (1 - alpha) sum_t (alpha P')^t e_i, times W0. Both begin with few entries
 * and reach few others before they are forgotten: what is dropped in one of T
 * terms changes an entry by less than T times `drop`. */
#include "learn/affinity.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/neighbours.h"

enum { CHUNK = 4096, ROWS = 16, TILE = 32, EXACT = 1000 };

/* A vector with few entries that are not zero. */
typedef struct few {
    double *x;  // n
    int32_t *at;
    int64_t count;
    unsigned char *is_in;  // n
} few;

typedef struct desk {
    few term, next, column, row;
    few groups;
} desk;

static void add_to(few *v, int32_t i, double x)
{
    if (!v->is_in[i]) {
        v->is_in[i] = 1;
        v->at[v->count++] = i;
    }
    v->x[i] += x;
}

static void clear(few *v)
{
    for (int64_t c = 0; c < v->count; ++c) {
        v->x[v->at[c]] = 0.0;
        v->is_in[v->at[c]] = 0;
    }
    v->count = 0;
}

/* v += W0's row i times x. */
static void add_w0(const ak_affinity *a, int32_t i, double x, few *v)
{
    add_to(v, i, x);
    for (int64_t c = a->w_at[i]; c < a->w_at[i + 1]; ++c)
        add_to(v, a->w_cols[c], x * a->w[c]);
}

/* next = alpha P term, or alpha P' term. */
static void step(const ak_affinity *a, bool back, const few *term, few *next)
{
    const double share = a->alpha / (double)a->k;
    for (int64_t c = 0; c < term->count; ++c) {
        const int32_t i = term->at[c];
        const double x = term->x[i];
        if (fabs(x) < a->drop)
            continue;
        const int32_t *to = back ? a->near + i * a->k : a->in + a->in_at[i];
        const int64_t count = back ? a->k : a->in_at[i + 1] - a->in_at[i];
        for (int64_t e = 0; e < count; ++e)
            add_to(next, to[e], share * x);
    }
}

/* sum = the series that begins with term, which is used up. */
static void sum_series(const ak_affinity *a, desk *w, bool back, few *sum)
{
    while (w->term.count > 0) {
        for (int64_t c = 0; c < w->term.count; ++c)
            if (w->term.x[w->term.at[c]] != 0.0)
                add_to(sum, w->term.at[c], w->term.x[w->term.at[c]]);
        step(a, back, &w->term, &w->next);
        clear(&w->term);
        const few old = w->term;
        w->term = w->next;
        w->next = old;
    }
}

/* W*'s column i before it is taken from a group. */
static void spread_column(const ak_affinity *a, desk *w, int64_t i)
{
    clear(&w->column);
    add_w0(a, (int32_t)i, 1.0 - a->alpha, &w->term);
    sum_series(a, w, false, &w->column);
}

static void take_column(const ak_affinity *a, desk *w, const double *of)
{
    clear(&w->column);
    for (int64_t j = 0; j < a->n; ++j)
        if (of[j] != 0.0)
            add_to(&w->column, (int32_t)j, of[j]);
}

/* next = row times W0, of which the points of a group have one row. */
static void row_through_w0(const ak_affinity *a, desk *w)
{
    for (int64_t c = 0; c < w->row.count; ++c) {
        const int32_t j = w->row.at[c];
        if (a->group[j] >= 0)
            add_to(&w->groups, a->group[j], w->row.x[j]);
        else
            add_to(&w->next, j, w->row.x[j]);
    }
    for (int64_t c = 0; c < w->groups.count; ++c) {
        const int32_t g = w->groups.at[c];
        add_w0(a, a->first[g], w->groups.x[g], &w->next);
    }
    clear(&w->groups);
}

/* column = W*'s column i; row = its row i. */
static void spread(const ak_affinity *a, desk *w, int64_t i)
{
    const int32_t g = a->group[i];
    if (g >= 0 && a->column[g] != NULL)
        take_column(a, w, a->column[g]);
    else
        spread_column(a, w, i);
    clear(&w->row);
    add_to(&w->term, (int32_t)i, 1.0 - a->alpha);
    sum_series(a, w, true, &w->row);
    row_through_w0(a, w);
    clear(&w->row);
    const few old = w->row;
    w->row = w->next;
    w->next = old;
}

/* (4) of row i: the entries that stay are left in column. */
static void cut(const ak_affinity *a, desk *w)
{
    for (int64_t c = 0; c < w->row.count; ++c)
        add_to(&w->column, w->row.at[c], w->row.x[w->row.at[c]]);
    for (int64_t c = 0; c < w->column.count; ++c) {
        double *x = &w->column.x[w->column.at[c]];
        *x = fabs(0.5 * *x) >= a->theta ? 0.5 * *x : 0.0;
    }
}

static akin_status new_few(few *v, akin_ctx *ctx, int64_t n)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &v->x));
    AK_TRY(AK_SCRATCH(ctx, n, &v->at));
    AK_TRY(AK_SCRATCH(ctx, n, &v->is_in));
done:
    return st;
}

static akin_status new_desk(desk *w, akin_ctx *ctx, const ak_affinity *a)
{
    const int64_t n = a->n;
    akin_status st = AKIN_OK;
    AK_TRY(new_few(&w->groups, ctx, a->n_groups));
    AK_TRY(new_few(&w->term, ctx, n));
    AK_TRY(new_few(&w->next, ctx, n));
    AK_TRY(new_few(&w->column, ctx, n));
    AK_TRY(new_few(&w->row, ctx, n));
done:
    return st;
}

akin_status ak_affinity_row(const ak_affinity *a, akin_ctx *ctx, int64_t i,
                            double *row)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    desk w = {0};
    akin_status st = AKIN_OK;
    AK_TRY(new_desk(&w, ctx, a));
    spread(a, &w, i);
    cut(a, &w);
    memcpy(row, w.column.x, (size_t)a->n * sizeof *row);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- T ------------------------------------------------------------------ */

typedef struct sum {
    const ak_affinity *a;
    akin_ctx *ctx;
    desk *desks;
    int64_t from, count;  // the rows of this chunk
    double *Z;            // count x d: (diag(W 1) - W) X
    double *T;
} sum;

static akin_status rows_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    sum *s = arg;
    const int64_t d = s->a->d;
    desk *w = &s->desks[worker];
    for (int64_t r = begin; r < end; ++r) {
        double *z = s->Z + r * d, degree = 0.0;
        spread(s->a, w, s->from + r);
        cut(s->a, w);
        memset(z, 0, (size_t)d * sizeof *z);
        for (int64_t c = 0; c < w->column.count; ++c) {
            const int64_t j = w->column.at[c];
            const double x = w->column.x[j];
            if (x == 0.0 || j == s->from + r)  // the diagonal cancels
                continue;
            degree += x;
            ak_axpy(d, -x, s->a->X + j * d, z);
        }
        ak_axpy(d, degree, s->a->X + (s->from + r) * d, z);
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
                   s->a->X + s->from * d + begin, d, s->Z, d, 1.0,
                   s->T + begin * d, d);
}

akin_status ak_affinity_sum_rows(const ak_affinity *a, akin_ctx *ctx, double *T)
{
    const int64_t workers = ak_workers(ctx);
    sum s = {.a = a, .ctx = ctx, .T = T};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, workers, &s.desks));
    for (int64_t w = 0; w < workers; ++w)
        AK_TRY(new_desk(&s.desks[w], ctx, a));
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

/* ---- beginning ---------------------------------------------------------- */

typedef struct shared {
    const ak_affinity *a;
    desk *desks;
} shared;

static akin_status column_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const shared *s = arg;
    desk *w = &s->desks[worker];
    for (int64_t g = begin; g < end; ++g) {
        if (s->a->column[g] == NULL)
            continue;
        spread_column(s->a, w, s->a->first[g]);
        memcpy(s->a->column[g], w->column.x,
               (size_t)s->a->n * sizeof *w->column.x);
    }
    return AKIN_OK;
}

/* The columns of groups of two or more, as far as a GiB goes. */
static akin_status share_columns(ak_affinity *a, akin_ctx *ctx)
{
    const int64_t workers = ak_workers(ctx);
    int64_t *size, left = (INT64_C(1) << 27) / a->n;
    shared s = {.a = a};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, a->n_groups, &size));
    for (int64_t i = 0; i < a->n; ++i)
        if (a->group[i] >= 0)
            ++size[a->group[i]];
    for (int64_t g = 0; g < a->n_groups; ++g)
        if (size[g] > 1 && left-- > 0)
            AK_TRY(AK_SCRATCH(ctx, a->n, &a->column[g]));
    const ak_mark mark = ak_scratch_begin(ctx);
    st = AK_SCRATCH(ctx, workers, &s.desks);
    for (int64_t w = 0; st == AKIN_OK && w < workers; ++w)
        st = new_desk(&s.desks[w], ctx, a);
    if (st == AKIN_OK)
        st = ak_parallel_for(ctx, a->n_groups, 1, column_block, &s);
    ak_scratch_end(ctx, mark);
done:
    return st;
}

akin_status ak_affinity_begin(ak_affinity *a, akin_ctx *ctx, int64_t n,
                              int64_t d, const double *X, const ak_links *pairs,
                              double far)
{
    akin_status st = AKIN_OK;
    a->n = n;
    a->d = d;
    a->X = X;
    a->k = ak_min_i64(a->k, n - 1);
    /* Few points: to rounding. Many: W to about a thousandth of theta. */
    a->drop = n <= EXACT ? 1e-14 : 1e-4 * a->theta;
    AK_TRY(AK_SCRATCH(ctx, n * a->k, &a->near));
    AK_TRY(ak_neighbours(ctx, n, d, X, a->k, a->near));
    AK_TRY(ak_affinity_graph(a, ctx, pairs, far));
    if (a->theta > 0.0)
        AK_TRY(share_columns(a, ctx));
done:
    return st;
}
