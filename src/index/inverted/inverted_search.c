/* Queries through an inverted index, each by one worker. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "data/recipe/recipe_body.h"
#include "index/inverted/passes.h"
#include "model/walk.h"

typedef struct job {
    const akin_index *x;
    const ak_wanted *w;
    ak_rates other;  // where the search compares by something else
    ak_pass *workers;
} job;

/* The factor g of (1): what a count of 1 becomes in a row of sum 1. */
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
    p->plain = p->plain && wq > 0.0;
    p->safe = p->safe && (g == 0.0 || (fabs(g) > 1e-12 && fabs(g) < 1e12));
    p->terms[p->n_terms++] = (ak_query_term){t, j, wq, (float)g, 0.0};
}

/* The columns that the query has, and all that is needed to go through them:
 * asked of the memory for all at once, as each is far from the others. */
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

/* What each column can add to a score; worth while where postings are many. */
static void bound_terms(ak_pass *p)
{
    const bool cosine = p->rates->by == AKIN_BY_COSINE;
    const double times = p->rates->by == AKIN_BY_DISTANCE ? 2.0 : 1.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        ak_query_term *q = &p->terms[k];
        q->bound = times * fabs(q->wq) *
                   (double)p->v->most[2 * q->t + (cosine ? 1 : 0)];
    }
}

/* Query t. */
static void load(ak_pass *p, int64_t t)
{
    const akin_rows *rows = p->w->queries;
    const ak_inverted *v = p->v;
    const ak_row row = ak_row_of(rows, t);
    p->n_terms = p->postings = 0;
    p->plain = v->p.plain;
    p->safe = p->rates->safe;
    p->norm = ak_weighted_norm(v->w, rows, t, true);
    p->self = v->self ? ak_weighted_norm(v->w, rows, t, false) : p->norm;
    find_terms(p, row);
    if (p->postings > p->x->n / 2)
        bound_terms(p);
    if (!ak_pass_fits(p))
        memcpy(p->order, p->terms, (size_t)p->n_terms * sizeof *p->terms);
    /* By Cauchy and Schwarz the parts of a score add up, by size, to the
     * product of the norms at most; ten roundings for each, and the sum's. */
    const double size = sqrt(p->norm) * p->rates->largest;
    const double eps = (double)FLT_EPSILON * (double)(p->n_terms + 10);
    p->error = eps * size;
    if (p->rates->by == AKIN_BY_DISTANCE)
        p->error = 2.0 * eps * (size + p->rates->largest * p->rates->largest);
    p->safe = p->safe && size < 1e12 && p->w->top > 0;
}

static akin_status search_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const job *a = arg;
    ak_pass *p = &a->workers[worker];
    for (int64_t t = begin; t < end; ++t) {
        load(p, t);
        ak_wanted_flag(a->w, t, p->flags, 1);
        const bool ok = ak_pass_first(p) && ak_pass_second(p);
        ak_wanted_flag(a->w, t, p->flags, 0);
        if (!ok)
            return AKIN_EFORMAT;
        ak_wanted_give(a->w, t, p->best, p->n_best);
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

/* Bytes of a worker's arrays, of which some are zero between queries. */
static int64_t zeros_of(int64_t n)
{
    return (9 * n + 63) / 64 * 64;
}

static int64_t rough_of(int64_t n)
{
    return (16 * n + 63) / 64 * 64;
}

static void share_out(ak_pass *p, char *zeros, char *rough)
{
    const int64_t n = p->x->n;
    p->sums = (float *)zeros;
    p->slots = (int32_t *)(zeros + 4 * n);
    p->flags = (unsigned char *)(zeros + 8 * n);
    p->exact = (double *)rough;
    p->posted = (ak_posted *)rough;
    p->found.rows = (int32_t *)(rough + 8 * n);
    p->found.scores = (float *)(rough + 12 * n);
    p->found.top = p->w->top;
    p->found.room = n;
}

static akin_status take_memory(job *a, akin_ctx *ctx, int64_t workers,
                               char **zeros, char **rough)
{
    const ak_inverted *v = ak_inverted_of(a->x);
    const int64_t n = a->x->n, n_terms = widest(a->w->queries);
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, workers, &a->workers));
    AK_TRY(ak_kept_take(ctx, AK_KEPT_ZEROS, workers * zeros_of(n), zeros));
    AK_TRY(ak_kept_take(ctx, AK_KEPT_ROUGH, workers * rough_of(n), rough));
    for (int64_t k = 0; k < workers; ++k) {
        ak_pass *p = &a->workers[k];
        *p = (ak_pass){.x = a->x, .v = v, .w = a->w};
        p->rates = a->other.times ? &a->other : &v->rates;
        share_out(p, *zeros + k * zeros_of(n), *rough + k * rough_of(n));
        AK_TRY(AK_SCRATCH(ctx, n_terms, &p->terms));
        AK_TRY(AK_SCRATCH(ctx, n_terms, &p->order));
        AK_TRY(AK_SCRATCH(ctx, (n >> AK_HEAP_BITS) + 1, &p->heaps));
        AK_TRY(AK_SCRATCH(ctx, a->w->top, &p->best));
    }
done:
    return st;
}

akin_status ak_inverted_search(const akin_index *x, akin_ctx *ctx,
                               const ak_wanted *w)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_inverted *v = ak_inverted_of(x);
    const int64_t workers = ak_min_i64(ak_workers(ctx), w->queries->n);
    const ak_sizes sizes = ak_inverted_sizes(v);
    job a = {.x = x, .w = w};
    char *zeros = NULL, *rough = NULL;
    akin_status st = AKIN_OK;
    if (w->by != v->rates.by)
        AK_TRY(ak_rates_make(&a.other, ctx, x, &sizes, w->by));
    AK_TRY(take_memory(&a, ctx, workers, &zeros, &rough));
    st = ak_parallel_for(ctx, w->queries->n, 1, search_block, &a);
    if (st == AKIN_EFORMAT)
        st = ak_postings_fail(&v->p, ctx);
    AK_TRY(st);
    ak_kept_give(ctx, AK_KEPT_ZEROS, workers * zeros_of(x->n), zeros);
    ak_kept_give(ctx, AK_KEPT_ROUGH, workers * rough_of(x->n), rough);
    zeros = rough = NULL;
done:
    ak_release(ctx, zeros);
    ak_release(ctx, rough);
    ak_rates_free(&a.other, x);
    ak_scratch_end(ctx, mark);
    return st;
}
