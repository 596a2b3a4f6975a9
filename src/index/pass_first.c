/* Candidates, by sums in float. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "data/recipe_body.h"
#include "index/passes.h"
#include "la/clones.h"

enum {
    TRIES = 4,    // to end early
    SHARE = 256,  // end early with no more candidates than a row in so many
    FEW = 32,     // postings are few below one for so many rows
};

/* Values of whole numbers under weights that are not linear in them; the
 * factor of 1 is in g. */
static float shape(ak_weights weights, float c)
{
    switch (weights) {
    case AK_WEIGHTS_BINARY:
    case AK_WEIGHTS_BINARY_IDF:
        return 1.0F;
    case AK_WEIGHTS_SQRT:
    case AK_WEIGHTS_SQRT_IDF:
        return sqrtf(c);
    case AK_WEIGHTS_LOG:
        return (float)(log1p((double)c) / log1p(1.0));
    default:
        return c;
    }
}

static bool is_binary(ak_weights w)
{
    return w == AK_WEIGHTS_BINARY || w == AK_WEIGHTS_BINARY_IDF;
}

static bool is_linear(ak_weights w)
{
    return w == AK_WEIGHTS_NONE || w == AK_WEIGHTS_TF || w == AK_WEIGHTS_TFIDF;
}

AK_CLONES static void to_values(const uint32_t *less_one, float g, float *v)
{
    for (int i = 0; i < AK_PACK_BLOCK; ++i)
        v[i] = (float)((int32_t)less_one[i] + 1) * g;
}

static void add_alike(float *restrict sums, const ak_posting_block *b, float g)
{
    for (int64_t i = 0; i < b->n; ++i)
        sums[b->rows[i]] += g;
}

static void add_values(float *restrict sums, const ak_posting_block *b,
                       const float *v)
{
    for (int64_t i = 0; i < b->n; ++i)
        sums[b->rows[i]] += v[i];
}

static void add_shaped(float *restrict sums, const ak_posting_block *b, float g,
                       ak_weights weights)
{
    for (int64_t i = 0; i < b->n; ++i)
        sums[b->rows[i]] += g * shape(weights, ak_posting_value(b, i));
}

static bool add_block(ak_pass *p, const ak_query_term *q, int64_t k,
                      ak_posting_block *b)
{
    const ak_postings *all = &p->v->p;
    const ak_weights weights = p->v->recipe ? p->v->recipe->weights
                                            : AK_WEIGHTS_NONE;
    if (all->bits[2 * k + 1] == 0 || is_binary(weights)) {
        if (!ak_postings_rows(all, q->t, k, b))
            return false;
        add_alike(p->sums, b, q->g);
        return true;
    }
    if (!ak_postings_block(all, q->t, k, b))
        return false;
    if (is_linear(weights) && b->n == AK_PACK_BLOCK && !b->floats) {
        float v[AK_PACK_BLOCK];
        to_values(b->less_one, q->g, v);
        add_values(p->sums, b, v);
    } else {
        add_shaped(p->sums, b, q->g, weights);
    }
    return true;
}

/* (1) of one column; the rows are listed where a list is kept. */
static bool add_term(ak_pass *p, const ak_query_term *q, bool list)
{
    const ak_postings *all = &p->v->p;
    ak_posting_block b;
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!add_block(p, q, k, &b))
            return false;
        if (list) {
            memcpy(p->listed + p->n_listed, b.rows,
                   (size_t)b.n * sizeof *b.rows);
            p->n_listed += b.n;
        }
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

/* The candidates among the rows listed, some of them twice: a sum is taken
 * back to 0 when it has been seen. */
static void select_listed(ak_pass *p)
{
    ak_select *c = &p->found;
    c->slack = 2.0 * p->error;
    ak_select_clear(c);
    for (int64_t k = 0; k < p->n_listed; ++k) {
        const int64_t i = p->listed[k];
        const float s = p->sums[i] * p->rates->times[i];
        p->sums[i] = 0.0F;
        if (!p->flags[i])
            ak_select_offer(c, i, s);
    }
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
        if (!add_term(p, &p->order[k], false))
            return false;
        rest -= p->order[k].bound;
        left -= p->v->p.counts[p->order[k].t];
        if (!p->plain || rest > next || tries == TRIES || left < p->x->n / 2)
            continue;
        ++tries;
        next = rest / 2.0;
        rest = rest < 0.0 ? 0.0 : rest;
        select_all(p, rest * (1.0 + 1e-9));
        *early = c->n_best == c->top && c->n_rows < p->x->n / SHARE &&
                 c->best[0].score > rest * 1.001 + 2.0 * p->error;
        if (*early)
            return true;
    }
    return true;
}

/* Rows are listed as they come where postings are few: nothing then takes time
 * in proportion to all rows. */
static bool first_of_few(ak_pass *p)
{
    for (int64_t k = 0; k < p->n_terms; ++k)
        if (!add_term(p, &p->terms[k], true))
            return false;
    select_listed(p);
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
    p->n_listed = 0;
    p->found.least = zeros ? (double)FLT_MIN : -INFINITY;
    if (!p->safe)
        take_all(p);
    else if (zeros && p->postings < p->x->n / FEW)
        ok = first_of_few(p);
    else
        ok = first_of_many(p);
    if (p->safe && zeros && p->found.n_rows < p->w->top)
        add_zeros(p);
    return ok;
}
