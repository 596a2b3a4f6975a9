/* Candidates, by sums in float. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/inverted/passes.h"

enum {
    TRIES = 4,    // to end early
    SHARE = 256,  // end early with no more candidates than a row in so many
};

/* (1) of one column. */
static bool add_term(ak_pass *p, const ak_query_term *q)
{
    const ak_postings *all = &p->v->p;
    float *restrict sums = p->sums;
    ak_posting_block b;
    float parts[AK_PACK_BLOCK];
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!ak_pass_parts(p, q, k, &b, parts))
            return false;
        for (int64_t i = 0; i < b.n; ++i)
            sums[b.rows[i]] += parts[i];
    }
    return true;
}

/* The candidates among all rows, with so much still to come. */
static void select_all(ak_pass *p, double rest)
{
    ak_select *c = &p->found;
    c->slack = rest + 2.0 * p->error;
    ak_select_clear(c);
    ak_select_rows(c, 0, p->x->n, p->sums, p->rates->times, p->rates->plus,
                   p->flags);
    ak_select_filter(c);
}

/* With fewer rows above 0 than wanted, the first ones that are 0: all that is
 * flagged is left out, and so is what is there. */
static void add_zeros(ak_pass *p)
{
    ak_select *c = &p->found;
    const int64_t found = c->n_rows;
    for (int64_t k = 0; k < found; ++k)
        p->flags[c->rows[k]] |= 2;
    for (int64_t i = 0; i < p->x->n && c->n_rows < c->top; ++i)
        if (!p->flags[i] && !p->x->gone[i])
            c->rows[c->n_rows++] = (int32_t)i;
    for (int64_t k = 0; k < found; ++k)
        p->flags[c->rows[k]] &= 1;
}

static void take_all(ak_pass *p)
{
    ak_select *c = &p->found;
    ak_select_clear(c);
    for (int64_t i = 0; i < p->x->n; ++i)
        if (!p->flags[i] && !p->x->gone[i])
            c->rows[c->n_rows++] = (int32_t)i;
}

static int by_bound(const void *left, const void *right)
{
    const ak_query_term *a = left, *b = right;
    if (a->bound != b->bound)
        return a->bound > b->bound ? -1 : 1;
    return (a->j > b->j) - (a->j < b->j);
}

/* A column at a time; true in *early when the candidates are known before the
 * last one. */
static bool add_all(ak_pass *p, bool *early)
{
    double rest = 0.0, next;
    int64_t left = p->postings, tries = 0;
    const ak_select *c = &p->found;
    for (int64_t k = 0; k < p->n_terms; ++k)
        rest += p->order[k].bound;
    next = rest / 2.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        ak_pass_fetch(p, p->order, k);
        if (!add_term(p, &p->order[k]))
            return false;
        rest -= p->order[k].bound;
        left -= p->v->p.counts[p->order[k].t];
        if (!p->plain || rest > next || tries == TRIES || left < p->x->n / 2)
            continue;
        ++tries;
        next = rest / 2.0;
        rest = rest < 0.0 ? 0.0 : rest;
        select_all(p, rest * (1.0 + 1e-9));
        *early = c->n_rows < p->x->n / SHARE &&
                 (double)c->bar > rest * 1.001 + 2.0 * p->error;
        if (*early)
            return true;
    }
    return true;
}

static bool first_of_many(ak_pass *p)
{
    bool early = false;
    if (p->postings > p->x->n / 2)
        qsort(p->order, (size_t)p->n_terms, sizeof *p->order, by_bound);
    const bool ok = add_all(p, &early);
    if (ok && !early)
        select_all(p, 0.0);
    memset(p->sums, 0, (size_t)p->x->n * sizeof *p->sums);
    return ok;
}

bool ak_pass_first(ak_pass *p)
{
    const bool zeros = p->plain && p->rates->by != AKIN_BY_DISTANCE;
    bool ok = true;
    p->found.least = zeros ? (double)FLT_MIN : -INFINITY;
    if (!p->safe)
        take_all(p);
    else if (zeros && ak_pass_fits(p))
        ok = ak_pass_heaps(p);
    else
        ok = first_of_many(p);
    if (p->safe && zeros && p->found.n_rows < p->w->top)
        add_zeros(p);
    return ok;
}
