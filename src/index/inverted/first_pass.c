/* The first pass: by buckets, by sums, or by the sums of several workers. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "index/inverted/pass.h"

/* Fill up with the first rows that score 0 when too few score above 0. Flagged
 * rows and those already found are skipped. */
static void add_zeros(ak_pass *p)
{
    ak_candidates *c = &p->candidates;
    const int64_t found = c->n_rows;
    for (int64_t k = 0; k < found; ++k)
        p->flags[c->rows[k]] |= 2;
    for (int64_t i = 0; i < p->x->n && c->n_rows < c->top; ++i)
        if (!p->flags[i] && !p->x->gone[i])
            c->rows[c->n_rows++] = (int32_t)i;
    for (int64_t k = 0; k < found; ++k)
        p->flags[c->rows[k]] &= 1;
}

void ak_pass_take_all(ak_pass *p)
{
    ak_candidates *c = &p->candidates;
    ak_candidates_clear(c);
    for (int64_t i = 0; i < p->x->n; ++i)
        if (!p->flags[i] && !p->x->gone[i])
            c->rows[c->n_rows++] = (int32_t)i;
}

/* ---- one query by several workers ---------------------------------------
 *
 * Each sums a part of the rows and chooses candidates of it, then looks up a
 * part of all candidates. Which rows are candidates depends on the parts and on
 * their order; what is found among them does not. */

static void publish(ak_split *s, float bar)
{
    float old = atomic_load(&s->bar);
    while (bar > old && !atomic_compare_exchange_weak(&s->bar, &old, bar)) {
    }
}

static akin_status sum_parts(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    ak_split *s = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k) {
        ak_pass *p = &s->parts[k];
        p->candidates.known = atomic_load(&s->bar);
        if (!ak_pass_by_sums(p))
            return AKIN_EFORMAT;
        publish(s, p->candidates.bar);
    }
    return AKIN_OK;
}

static void begin_part(const ak_pass *p, int64_t k)
{
    const ak_split *s = p->split;
    const int64_t n = p->x->n;
    ak_pass *q = &s->parts[k];
    *q = *p;
    q->begin = n * k / s->n_parts;
    q->end = n * (k + 1) / s->n_parts;
    q->candidates.rows += q->begin;
    q->candidates.scores += q->begin;
    q->candidates.room = q->end - q->begin;
}

void ak_pass_begin_parts(const ak_pass *p)
{
    for (int64_t k = 0; k < p->split->n_parts; ++k)
        begin_part(p, k);
}

/* A part that ended early has lower scores than it will have: the slack of all
 * is the largest of any. */
static bool first_pass_by_parts(ak_pass *p)
{
    ak_split *s = p->split;
    ak_candidates *c = &p->candidates;
    atomic_store(&s->bar, -INFINITY);
    ak_pass_begin_parts(p);
    if (ak_parallel_for(s->ctx, s->n_parts, 1, sum_parts, s) != AKIN_OK)
        return false;
    c->slack = 0.0;
    ak_candidates_clear(c);
    for (int64_t k = 0; k < s->n_parts; ++k) {
        const ak_candidates *from = &s->parts[k].candidates;
        const size_t n = (size_t)from->n_rows;
        memmove(c->rows + c->n_rows, from->rows, n * sizeof *c->rows);
        memmove(c->scores + c->n_rows, from->scores, n * sizeof *c->scores);
        c->n_rows += from->n_rows;
        c->slack = fmax(c->slack, from->slack);
    }
    ak_candidates_filter(c);
    return true;
}

bool ak_pass_first(ak_pass *p)
{
    const bool zeros = p->non_negative && p->factors->by != AKIN_BY_DISTANCE;
    bool ok = true;
    p->candidates.least = zeros ? (double)FLT_MIN : -INFINITY;
    if (!p->safe)
        ak_pass_take_all(p);
    else if (zeros && ak_pass_fits_buckets(p))
        ok = ak_pass_by_buckets(p);
    else if (p->split->ctx && p->postings >= AK_PARTS_LEAST)
        ok = first_pass_by_parts(p);
    else
        ok = ak_pass_by_sums(p);
    if (p->safe && zeros && p->candidates.n_rows < p->w->top)
        add_zeros(p);
    return ok;
}
