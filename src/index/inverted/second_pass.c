/* The second pass: the scores of the candidates, exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/inverted/pass.h"
#include "la/clones.h"

static int by_row(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* A column is short when it has fewer rows than this per candidate. */
enum { SHORT = 8 };

static inline uint32_t in_filter(const uint32_t *filter, uint32_t row)
{
    return filter[row % AK_FILTER / 32] >> row % 32 & 1;
}

AK_CLONES static uint32_t any_in_sieve(const uint32_t *filter, int64_t n,
                                       const uint32_t *rows)
{
    uint32_t any = 0;
    for (int64_t i = 0; i < n; ++i)
        any |= in_filter(filter, rows[i]);
    return any;
}

/* A short column: test every row. */
static bool scan_column(ak_pass *p, const ak_query_term *q)
{
    const ak_postings *all = &p->v->p;
    ak_posting_block b;
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!ak_postings_rows(all, q->t, k, &b))
            return false;
        if (!any_in_sieve(p->filter, b.n, b.rows))
            continue;
        if (!ak_postings_values(all, k, &b))
            return false;
        for (int64_t i = 0; i < b.n; ++i)
            if (in_filter(p->filter, b.rows[i]) && p->slots[b.rows[i]] > 0)
                p->exact[p->slots[b.rows[i]] - 1] +=
                    ak_pass_entry(p, q, b.rows[i], ak_posting_value(&b, i));
    }
    return true;
}

/* Exact entries of the rows found in a column. */
static void add_entries(const ak_pass *p, const ak_query_term *q,
                        const int32_t *rows, int64_t n, const float *values,
                        double *to)
{
    for (int64_t i = 0; i < n; ++i)
        if (values[i] != 0.0F)
            to[i] += ak_pass_entry(p, q, rows[i], values[i]);
}

/* A long column: find each candidate; both increase. */
static bool look_up(ak_pass *p, const ak_query_term *terms, int64_t n_terms)
{
    const ak_candidates *c = &p->candidates;
    for (int64_t at = 0; at < c->n_rows; at += AK_LOOK_UP)
        if (!ak_pass_look_up(p, terms, n_terms, c->rows + at,
                             ak_min_i64(AK_LOOK_UP, c->n_rows - at),
                             add_entries, p->exact + at))
            return false;
    return true;
}

/* Sum all columns over the candidates, which increase. */
static bool look_up_all(ak_pass *p)
{
    const ak_candidates *c = &p->candidates;
    bool ok = true;
    if (c->n_rows <= AK_LOOK_UP)
        return look_up(p, p->terms, p->n_terms);
    memset(p->filter, 0, sizeof p->filter);
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const uint32_t row = (uint32_t)c->rows[k];
        p->slots[row] = (int32_t)(k + 1);
        p->filter[row % AK_FILTER / 32] |= UINT32_C(1) << row % 32;
    }
    for (int64_t k = 0; k < p->n_terms && ok; ++k) {
        const ak_query_term *q = &p->terms[k];
        const bool is_short = p->v->p.counts[q->t] < SHORT * c->n_rows;
        ok = is_short ? scan_column(p, q) : look_up(p, q, 1);
    }
    for (int64_t k = 0; k < c->n_rows; ++k)
        p->slots[c->rows[k]] = 0;
    return ok;
}

static akin_status look_up_parts(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const ak_split *s = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k)
        if (!look_up_all(&s->parts[k]))
            return AKIN_EFORMAT;
    return AKIN_OK;
}

/* The candidates of the whole in parts, too. */
static bool look_up_by_parts(const ak_pass *p)
{
    const ak_split *s = p->split;
    const int64_t n = p->candidates.n_rows;
    for (int64_t k = 0; k < s->n_parts; ++k) {
        const int64_t begin = n * k / s->n_parts;
        ak_pass *q = &s->parts[k];
        *q = *p;
        q->candidates.rows += begin;
        q->candidates.n_rows = n * (k + 1) / s->n_parts - begin;
        q->exact += begin;
    }
    return ak_parallel_for(s->ctx, s->n_parts, 1, look_up_parts, p->split) ==
           AKIN_OK;
}

/* The score from the dot product. */
static double score_of(const ak_pass *p, int64_t i, double dot)
{
    const ak_inverted *v = p->v;
    if (p->factors->by == AKIN_BY_COSINE) {
        const double size = sqrt(p->norm) * sqrt(v->norm[i]);
        return size > 0.0 ? dot / size : 0.0;
    }
    if (p->factors->by == AKIN_BY_DOT)
        return dot;
    const double minus = (2.0 * dot - p->self) -
                         (v->self ? v->self[i] : v->norm[i]);
    return !v->self && minus > 0.0 ? 0.0 : minus;
}

static void rank(ak_pass *p)
{
    const ak_candidates *c = &p->candidates;
    p->n_best = 0;
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const int64_t i = c->rows[k];
        p->n_best = ak_hits_offer(p->best, p->n_best, c->top,
                                  (ak_hit){score_of(p, i, p->exact[k]), i});
    }
    ak_hits_sort(p->best, p->n_best);
}

/* By the rows themselves, or by columns where these are few. */
static bool find_exact(ak_pass *p)
{
    enum { FEW = 16 };
    const ak_candidates *c = &p->candidates;
    if (ak_pass_has_rows(p) && p->n_terms > FEW) {
        ak_pass_mark_columns(p);
        return ak_pass_score_rows(p, c->rows, c->n_rows, p->exact);
    }
    memset(p->exact, 0, (size_t)c->n_rows * sizeof *p->exact);
    return p->split->ctx && p->postings >= AK_PARTS_LEAST ? look_up_by_parts(p)
                                                          : look_up_all(p);
}

bool ak_pass_second(ak_pass *p)
{
    ak_candidates *c = &p->candidates;
    if (c->n_rows > 1)
        qsort(c->rows, (size_t)c->n_rows, sizeof *c->rows, by_row);
    if (!find_exact(p))
        return false;
    rank(p);
    return true;
}

/* ---- both at once ---- */

bool ak_pass_suits_entries(const ak_pass *p)
{
    return p->entries != NULL && p->postings >= p->x->n;
}

/* Columns increase, so that sums are those of the second pass. */
void ak_pass_by_entries(ak_pass *p)
{
    const ak_entries *x = p->entries;
    const ak_candidates *c = &p->candidates;
    double *dots = p->exact;
    memset(dots, 0, (size_t)p->x->n * sizeof *dots);
    for (int64_t k = 0; k < p->n_terms; ++k) {
        const ak_query_term *q = &p->terms[k];
        for (int64_t i = x->at[q->t]; i < x->at[q->t + 1]; ++i)
            dots[x->rows[i]] += (double)x->values[i] * q->wq;
    }
    ak_pass_take_all(p);
    for (int64_t k = 0; k < c->n_rows; ++k)
        p->exact[k] = dots[c->rows[k]];
    rank(p);
}
