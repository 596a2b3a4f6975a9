/* Candidates, exactly. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/inverted/passes.h"
#include "la/clones.h"

/* A column is short with fewer rows than this for each candidate. */
enum { SHORT = 8 };

static int rising(const void *left, const void *right)
{
    const int32_t a = *(const int32_t *)left, b = *(const int32_t *)right;
    return (a > b) - (a < b);
}

/* The block of a column that would have this row, at or behind block k. */
static int64_t block_of(const ak_postings *p, int64_t end, int64_t k,
                        int32_t row)
{
    int64_t step = 1, high;
    while (k + step < end && p->first[k + step] <= row) {
        k += step;
        step *= 2;
    }
    high = ak_min_i64(k + step, end);
    while (high - k > 1) {  // first[k] <= row, as far as any is
        const int64_t mid = k + (high - k) / 2;
        if (p->first[mid] <= row)
            k = mid;
        else
            high = mid;
    }
    return k;
}

static void add_entry(ak_pass *p, const ak_query_term *q, int64_t c,
                      const ak_posting_block *b, int64_t at)
{
    const float x = (float)ak_inverted_entry(
        p->v, (double)ak_posting_value(b, at), p->found.rows[c], q->j);
    p->exact[c] += (double)x * q->wq;
}

static inline uint32_t in_sieve(const uint32_t *sieve, uint32_t row)
{
    return sieve[row % AK_SIEVE / 32] >> row % 32 & 1;
}

AK_CLONES static uint32_t any_in_sieve(const uint32_t *sieve, int64_t n,
                                       const uint32_t *rows)
{
    uint32_t any = 0;
    for (int64_t i = 0; i < n; ++i)
        any |= in_sieve(sieve, rows[i]);
    return any;
}

/* A short column: every row of it may be a candidate. */
static bool look_through(ak_pass *p, const ak_query_term *q)
{
    const ak_postings *all = &p->v->p;
    ak_posting_block b;
    for (int64_t k = all->blocks[q->t]; k < all->blocks[q->t + 1]; ++k) {
        if (!ak_postings_rows(all, q->t, k, &b))
            return false;
        if (!any_in_sieve(p->sieve, b.n, b.rows))
            continue;
        if (!ak_postings_values(all, k, &b))
            return false;
        for (int64_t i = 0; i < b.n; ++i)
            if (in_sieve(p->sieve, b.rows[i]) && p->slots[b.rows[i]] > 0)
                add_entry(p, q, p->slots[b.rows[i]] - 1, &b, i);
    }
    return true;
}

/* A long column: each candidate in turn; both rise. */
static bool look_up(ak_pass *p, const ak_query_term *q)
{
    const ak_postings *all = &p->v->p;
    const int64_t end = all->blocks[q->t + 1];
    ak_posting_block b;
    int64_t k = all->blocks[q->t], unpacked = -1;
    for (int64_t c = 0; c < p->found.n_rows; ++c) {
        const int32_t row = p->found.rows[c];
        k = block_of(all, end, k, row);
        if (all->first[k] > row)
            continue;
        if (k != unpacked && !ak_postings_block(all, q->t, k, &b))
            return false;
        unpacked = k;
        const int64_t at =
            row > (int32_t)b.last ? -1 : ak_posting_find(&b, (uint32_t)row);
        if (at >= 0)
            add_entry(p, q, c, &b, at);
    }
    return true;
}

/* What all columns have for the candidates, which rise. */
static bool look_all_up(ak_pass *p)
{
    const ak_select *c = &p->found;
    bool ok = true;
    memset(p->sieve, 0, sizeof p->sieve);
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const uint32_t row = (uint32_t)c->rows[k];
        p->slots[row] = (int32_t)(k + 1);
        p->sieve[row % AK_SIEVE / 32] |= UINT32_C(1) << row % 32;
    }
    for (int64_t k = 0; k < p->n_terms && ok; ++k) {
        const ak_query_term *q = &p->terms[k];
        const bool is_short = p->v->p.counts[q->t] < SHORT * c->n_rows;
        ok = is_short ? look_through(p, q) : look_up(p, q);
    }
    for (int64_t k = 0; k < c->n_rows; ++k)
        p->slots[c->rows[k]] = 0;
    return ok;
}

/* What the dot product means. */
static double finish(const ak_pass *p, int64_t i, double dot)
{
    const ak_inverted *v = p->v;
    if (p->rates->by == AKIN_BY_COSINE) {
        const double size = sqrt(p->norm) * sqrt(v->norm[i]);
        return size > 0.0 ? dot / size : 0.0;
    }
    if (p->rates->by == AKIN_BY_DOT)
        return dot;
    const double minus = (2.0 * dot - p->self) -
                         (v->self ? v->self[i] : v->norm[i]);
    return !v->self && minus > 0.0 ? 0.0 : minus;
}

bool ak_pass_second(ak_pass *p)
{
    ak_select *c = &p->found;
    if (c->n_rows > 1)
        qsort(c->rows, (size_t)c->n_rows, sizeof *c->rows, rising);
    memset(p->exact, 0, (size_t)c->n_rows * sizeof *p->exact);
    if (!look_all_up(p))
        return false;
    p->n_best = 0;
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const int64_t i = c->rows[k];
        p->n_best = ak_hits_offer(p->best, p->n_best, c->top,
                                  (ak_hit){finish(p, i, p->exact[k]), i});
    }
    ak_hits_sort(p->best, p->n_best);
    return true;
}
