/* Search in an inverted index: queries, memory, workers. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/inverted/measure.h"
#include "index/inverted/pass.h"
#include "model/compare.h"

typedef struct search_job {
    const akin_index *x;
    const ak_search *w;
    ak_inverted v;  // with norms, unless by dot product
    const ak_entries *entries;
    bool shared;             // all workers work at each query
    ak_score_factors other;  // when the search uses another comparison
    ak_pass *workers;
} search_job;

/* The factor g of (1): a count of 1 in a row of sum 1. */
static double unit(const ak_inverted *v, int64_t j)
{
    return v->recipe ? ak_recipe_entry(v->recipe, 1.0, 1.0, j) : 1.0;
}

static void add_query_term(ak_pass *p, int64_t j, double wq)
{
    const ak_inverted *v = p->v;
    const int64_t t = wq == 0.0 ? -1 : ak_postings_term(&v->p, j);
    if (t < 0)
        return;
    const double g = wq * unit(v, j);
    p->non_negative = p->non_negative && wq > 0.0;
    p->safe = p->safe && (g == 0.0 || (fabs(g) > 1e-12 && fabs(g) < 1e12));
    p->terms[p->n_terms++] = (ak_query_term){t, j, wq, (float)g, 0.0, 0};
}

/* Find the terms of the query. All lookups are prefetched together, because
 * each touches memory far from the others. */
static void find_terms(ak_pass *p, ak_row row)
{
    const ak_inverted *v = p->v;
    for (int step = 0; step < 2; ++step)
        for (int64_t k = 0; k < row.n; ++k)
            ak_postings_fetch_column(&v->p, ak_row_col(&row, k), step);
    for (int64_t k = 0; k < row.n; ++k) {
        const int64_t j = ak_row_col(&row, k);
        add_query_term(p, j, ak_inverted_w(v, j) * (double)row.vals[k]);
    }
    for (int step = 0; step < 2; ++step)
        for (int64_t k = 0; k < p->n_terms; ++k)
            ak_postings_fetch_term(&v->p, p->terms[k].t, step);
    for (int64_t k = 0; k < p->n_terms; ++k)
        p->postings += v->p.counts[p->terms[k].t];
}

/* Bound the contribution of each column. */
static void bound_terms(ak_pass *p)
{
    const bool cosine = p->factors->by == AKIN_BY_COSINE;
    const double times = p->factors->by == AKIN_BY_DISTANCE ? 2.0 : 1.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        ak_query_term *q = &p->terms[k];
        q->bound = times * fabs(q->wq) *
                   (double)p->v->most[2 * q->t + (cosine ? 1 : 0)];
    }
}

/* The same bound for dot products, from the length of rows alone. */
static double largest_by_length(const ak_pass *p)
{
    double squares = 0.0;
    for (int64_t k = 0; k < p->n_terms; ++k)
        squares += p->terms[k].wq * p->terms[k].wq;
    return p->factors->by == AKIN_BY_DOT ? sqrt(squares) * p->v->length
                                         : INFINITY;
}

/* Is underflow, a part of a rounding for each number, small beside E? Needed
 * where norms, which tell that, are unknown. */
static bool is_error_safe(const ak_pass *p)
{
    const double parts = (double)p->n_terms * (double)p->factors->fastest;
    return isfinite(p->factors->largest) || p->error > 1e-36 * (parts + 1.0);
}

/* Set up query t. */
static void load_query(ak_pass *p, int64_t t)
{
    const akin_rows *rows = p->w->queries;
    const ak_inverted *v = p->v;
    const ak_row row = ak_row_of(rows, t);
    p->n_terms = p->postings = 0;
    p->non_negative = v->p.plain;
    p->safe = p->factors->safe;
    p->norm = ak_weighted_norm(v->w, rows, t, true);
    p->self = v->self ? ak_weighted_norm(v->w, rows, t, false) : p->norm;
    find_terms(p, row);
    /* By Cauchy-Schwarz the absolute contributions sum to at most the product
     * of the norms; ten roundings for each, plus those of the sum. */
    const double size =
        fmin(sqrt(p->norm) * p->factors->largest, largest_by_length(p));
    const double eps = (double)FLT_EPSILON * (double)(p->n_terms + 10);
    p->error = eps * size;
    if (p->factors->by == AKIN_BY_DISTANCE)
        p->error = 2.0 * eps *
                   (size + p->factors->largest * p->factors->largest);
    p->safe = p->safe && size < 1e12 && p->w->top > 0 && is_error_safe(p);
}

/* Order the columns for the first pass; pays where postings are many. */
static void order_terms(ak_pass *p)
{
    if (p->postings > p->x->n / 2)
        bound_terms(p);
    if (p->n_terms > 0)
        memcpy(p->order, p->terms, (size_t)p->n_terms * sizeof *p->terms);
    if (ak_pass_is_banded(p))
        ak_pass_order_by_band(p);
    else if (p->postings > p->x->n / 2)
        ak_pass_order_by_bound(p);
}

static bool find_best(ak_pass *p)
{
    bool done = false;
    if (ak_pass_suits_entries(p)) {
        ak_pass_by_entries(p);
        return true;
    }
    if (ak_pass_suits_impact(p) && !ak_pass_by_impact(p, &done))
        return false;
    if (done)
        return true;
    order_terms(p);
    return ak_pass_first(p) && ak_pass_second(p);
}

static akin_status search_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const search_job *a = arg;
    ak_pass *p = &a->workers[worker];
    for (int64_t t = begin; t < end; ++t) {
        load_query(p, t);
        ak_search_flag_excluded(a->w, t, p->flags, 1);
        const bool ok = find_best(p);
        ak_search_flag_excluded(a->w, t, p->flags, 0);
        if (!ok)
            return AKIN_EFORMAT;
        ak_search_store(a->w, t, p->best, p->n_best);
    }
    return AKIN_OK;
}

static int64_t widest(const akin_rows *rows)
{
    int64_t most = 0;
    for (int64_t t = 0; t < rows->n; ++t)
        most = ak_max_i64(most, ak_row_of(rows, t).n);
    return most;
}

/* Bytes of a worker's arrays: those that are zero between queries, and the
 * others. */
static int64_t zeroed_bytes(int64_t n)
{
    return (9 * n + 63) / 64 * 64;
}

static int64_t scratch_bytes(int64_t n)
{
    return (16 * n + 63) / 64 * 64;
}

static void divide_arrays(ak_pass *p, char *zeros, char *scratch)
{
    const int64_t n = p->x->n;
    p->sums = (float *)zeros;
    p->slots = (int32_t *)(zeros + 4 * n);
    p->flags = (unsigned char *)(zeros + 8 * n);
    p->exact = (double *)scratch;
    p->parts = (ak_posting_part *)scratch;
    p->candidates.rows = (int32_t *)(scratch + 8 * n);
    p->candidates.scores = (float *)(scratch + 12 * n);
    p->candidates.top = p->w->top;
    p->candidates.known = -INFINITY;
    p->candidates.room = n;
}

/* Flag the rows that no query finds, or clear all flags. */
static void set_excluded(ak_pass *p, bool clear)
{
    const unsigned char *exclude = p->w->exclude;
    for (int64_t i = 0; exclude && i < p->x->n; ++i)
        p->flags[i] = !clear && exclude[i];
}

/* Counts under the recipe's weights. */
static void fill_shapes(ak_pass *p)
{
    const akin_recipe *r = p->v->recipe;
    for (int c = 0; c < AK_SHAPES; ++c)
        p->shapes[c] =
            ak_shape(r ? r->weights : AK_WEIGHTS_NONE, (float)(c + 1));
}

static akin_status begin_worker(const search_job *a, akin_ctx *ctx, ak_pass *p,
                                char *zeros, char *scratch)
{
    const int64_t n = a->x->n, n_terms = widest(a->w->queries);
    *p = (ak_pass){.x = a->x, .v = &a->v, .w = a->w, .end = n};
    p->entries = a->entries;
    p->factors = a->other.times ? &a->other : &a->v.factors;
    fill_shapes(p);
    AK_CHECK(AK_SCRATCH(ctx, 1, &p->split));
    p->split->n_parts = a->shared ? ak_workers(ctx) : 1;
    AK_CHECK(AK_SCRATCH(ctx, p->split->n_parts, &p->split->parts));
    p->split->ctx = a->shared ? ctx : NULL;
    divide_arrays(p, zeros, scratch);
    set_excluded(p, false);
    AK_CHECK(AK_SCRATCH(ctx, n_terms, &p->terms));
    AK_CHECK(AK_SCRATCH(ctx, n_terms, &p->order));
    if (ak_pass_has_rows(p)) {
        AK_CHECK(AK_SCRATCH(ctx, ak_index_dim(a->x) / 64 + 1, &p->marks));
        AK_CHECK(AK_SCRATCH(ctx, n_terms, &p->gains));
    }
    AK_CHECK(AK_SCRATCH(ctx, (n >> AK_BUCKET_BITS) + 1, &p->buckets));
    return AK_SCRATCH(ctx, a->w->top, &p->best);
}

static akin_status begin_workers(search_job *a, akin_ctx *ctx, int64_t workers,
                                 char **zeros, char **scratch)
{
    const int64_t n = a->x->n;
    AK_CHECK(AK_SCRATCH(ctx, workers, &a->workers));
    AK_CHECK(
        ak_kept_take(ctx, AK_KEPT_ZEROS, workers * zeroed_bytes(n), zeros));
    AK_CHECK(
        ak_kept_take(ctx, AK_KEPT_ROUGH, workers * scratch_bytes(n), scratch));
    for (int64_t k = 0; k < workers; ++k)
        AK_CHECK(begin_worker(a, ctx, &a->workers[k],
                              *zeros + k * zeroed_bytes(n),
                              *scratch + k * scratch_bytes(n)));
    return AKIN_OK;
}

akin_status ak_inverted_search(const akin_index *x, akin_ctx *ctx,
                               const ak_search *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_inverted *v = ak_inverted_of(x);
    const bool shared = akin_ctx_ranks(ctx) == 1 &&
                        w->queries->n < ak_workers(ctx);
    const int64_t workers = shared ? 1 : ak_workers(ctx);
    const bool unmeasured = v->norm == NULL && w->by != AKIN_BY_DOT;
    search_job a = {.x = x, .w = w, .v = *v, .shared = shared};
    char *zeros = NULL, *scratch = NULL;
    ak_sizes sizes;
    akin_status st = AKIN_OK;
    if (unmeasured)
        AK_TRY(ak_inverted_measure(&a.v, ctx, ak_index_dim(x), false));
    sizes = ak_inverted_sizes(&a.v);
    if (w->by != v->factors.by)
        AK_TRY(ak_score_factors_make(&a.other, ctx, x, &sizes, w->by));
    AK_TRY(ak_entries_of(&a.entries, ctx, v, w->queries->n));
    AK_TRY(begin_workers(&a, ctx, workers, &zeros, &scratch));
    st = shared ? search_block(&a, 0, w->queries->n, 0)
                : ak_search_run(ctx, w, 1, search_block, &a);
    if (st == AKIN_EFORMAT)
        st = ak_inverted_fail(v, ctx);
    AK_TRY(st);
    for (int64_t k = 0; k < workers; ++k)
        set_excluded(&a.workers[k], true);
    ak_kept_give(ctx, AK_KEPT_ZEROS, workers * zeroed_bytes(x->n), zeros);
    ak_kept_give(ctx, AK_KEPT_ROUGH, workers * scratch_bytes(x->n), scratch);
    zeros = scratch = NULL;
done:
    if (unmeasured)
        ak_inverted_unmeasure(&a.v, false);
    akin_free(zeros);
    akin_free(scratch);
    ak_score_factors_free(&a.other);
    ak_scratch_end(ctx, mark);
    return st;
}
