/* The first pass by sums, column by column or by bands of columns. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/inverted/pass.h"
#include "la/clones.h"

enum {
    LONG = 1 << 14,   // postings of a column
    RANGE = 1 << 17,  // rows that are summed together
    TRIES = 4,        // attempts to end early
    SHARE = 256,      // end early with one candidate in 256 rows at most
};

/* Prefetch the words of a block further on, be it of another column. */
static void fetch_block(const ak_postings *p, int64_t k)
{
    if (k >= p->n_blocks)
        return;
    const char *words = (const char *)(p->words + p->at[k]);
    const char *end = (const char *)(p->words + ak_postings_end(p, k));
    for (; words < end; words += 64)
        __builtin_prefetch(words);
}

/* Add a block that also has rows of other workers. */
static void add_own(const ak_pass *p, const ak_posting_block *b,
                    const float *parts)
{
    for (int64_t i = 0; i < b->n; ++i)
        if (b->rows[i] >= p->begin && b->rows[i] < p->end)
            p->sums[b->rows[i]] += parts[i];
}

/* (1) of one column. */
static bool add_term(ak_pass *p, const ak_query_term *q)
{
    const ak_postings *all = &p->v->p;
    const int64_t end = all->blocks[q->t + 1];
    float *restrict sums = p->sums;
    ak_posting_block b;
    float parts[AK_PACK_BLOCK];
    for (int64_t k =
             ak_block_of(all, end, all->blocks[q->t], (int32_t)p->begin);
         k < end && all->first[k] < p->end; ++k) {
        fetch_block(all, k + 6);
        if (!ak_pass_block(p, q, k, &b, parts))
            return false;
        if (all->first[k] < p->begin || b.last >= p->end)
            add_own(p, &b, parts);
        else
            for (int64_t i = 0; i < b.n; ++i)
                sums[b.rows[i]] += parts[i];
    }
    return true;
}

/* Those that have so many postings, or the others. */
static bool add_some(ak_pass *p, const ak_query_term *terms, int64_t n,
                     bool many)
{
    for (int64_t k = 0; k < n; ++k)
        if ((p->v->p.counts[terms[k].t] >= LONG) == many &&
            !add_term(p, &terms[k]))
            return false;
    return true;
}

/* Long columns range by range of rows, whose sums stay in the near cache. */
bool ak_pass_add_terms(const ak_pass *p, const ak_query_term *terms, int64_t n)
{
    ak_pass range = *p;
    bool ok = add_some(&range, terms, n, false);
    for (int64_t i = p->begin; i < p->end && ok; i = range.end) {
        range.begin = i;
        range.end = ak_min_i64(i + RANGE, p->end);
        ok = add_some(&range, terms, n, true);
    }
    return ok;
}

/* The candidates among all rows, when `rest` may still be added. */
void ak_pass_select(ak_pass *p, double rest)
{
    ak_candidates *c = &p->candidates;
    c->slack = rest + 2.0 * p->error;
    ak_candidates_clear(c);
    ak_candidates_rows(c, p->begin, p->end - p->begin, p->sums + p->begin,
                       p->factors->times + p->begin,
                       p->factors->plus + p->begin, p->flags + p->begin);
    ak_candidates_filter(c);
}

static int by_bound(const void *left, const void *right)
{
    const ak_query_term *a = left, *b = right;
    if (a->bound != b->bound)
        return a->bound > b->bound ? -1 : 1;
    return (a->j > b->j) - (a->j < b->j);
}

void ak_pass_order_by_bound(ak_pass *p)
{
    qsort(p->order, (size_t)p->n_terms, sizeof *p->order, by_bound);
}

/* Sum column by column; *early tells that the candidates are known before the
 * last column. */
static bool sum_columns(ak_pass *p, bool *early)
{
    double rest = 0.0, next;
    int64_t left = p->postings, tries = 0;
    const ak_candidates *c = &p->candidates;
    for (int64_t k = 0; k < p->n_terms; ++k)
        rest += p->order[k].bound;
    next = rest / 2.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        ak_pass_fetch_ahead(p, p->order, k);
        if (!add_term(p, &p->order[k]))
            return false;
        rest -= p->order[k].bound;
        left -= p->v->p.counts[p->order[k].t];
        if (!p->non_negative || rest > next || tries == TRIES ||
            left < p->x->n / 2)
            continue;
        ++tries;
        next = rest / 2.0;
        rest = rest < 0.0 ? 0.0 : rest;
        ak_pass_select(p, rest * (1.0 + 1e-9));
        *early = c->n_rows < (p->end - p->begin) / SHARE &&
                 (double)c->bar > rest * 1.001 + 2.0 * p->error;
        if (*early)
            return true;
    }
    return true;
}

/* ---- first pass by bands of columns --------------------------------------
 *
 * Frequent columns have most postings and small weights. By Cauchy and Schwarz
 * they add at most |wq| |x_i| to a dot product, both without the other columns,
 * and the index knows a bound of the latter for each row. Negative weights and
 * rare columns are summed first. Once few rows can still be among the best,
 * they are listed, and frequent columns are looked up for these rows alone. */

enum {
    LOOKUP = 48,     // one takes the time of so many postings
    LISTED = 32,     // list one row in 32 at most
    SAMPLE = 64,     // chunks that tell how many that would be
    LOOK_ROWS = 128  // rows of a chunk
};

bool ak_pass_is_banded(const ak_pass *p)
{
    return p->v->bands && p->v->p.plain && p->postings > p->x->n &&
           p->factors->by != AKIN_BY_COSINE;
}

static int by_band(const void *left, const void *right)
{
    const ak_query_term *a = left, *b = right;
    if (a->band != b->band)
        return b->band - a->band;
    return (a->j > b->j) - (a->j < b->j);
}

/* Order the columns by band, the rarest first. The bound of each becomes what
 * it and those behind it add to a score, for a row's byte of 1. */
void ak_pass_order_by_band(ak_pass *p)
{
    const double times = p->factors->by == AKIN_BY_DISTANCE ? 2.0 : 1.0;
    double squares = 0.0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        ak_query_term *q = &p->order[k];
        q->band = q->wq < 0.0 ? AK_BANDS : ak_inverted_band(&p->v->p, q->t);
    }
    qsort(p->order, (size_t)p->n_terms, sizeof *p->order, by_band);
    for (int64_t k = p->n_terms - 1; k >= 0; --k) {
        ak_query_term *q = &p->order[k];
        squares += q->wq * q->wq;
        q->bound = times * sqrt(squares) * p->v->length / 255.0 * (1.0 + 1e-6);
    }
}

/* Flags the rows that may reach the cut. */
AK_CLONES static void may_reach(const float *sums, const float *times,
                                const float *plus, const uint8_t *bands,
                                const unsigned char *flags, int64_t n,
                                float rest, float cut, float *scores,
                                unsigned char *reach)
{
    for (int64_t i = 0; i < n; ++i) {
        scores[i] = sums[i] * times[i] + plus[i];
        reach[i] = (scores[i] + rest * (float)bands[i] >= cut) & !flags[i];
    }
}

/* Append the rows from `at` on that may be among the best, of one chunk, when
 * the columns from q on are left. */
static void list_rows(ak_pass *p, const ak_query_term *q, int64_t at)
{
    ak_candidates *c = &p->candidates;
    const int64_t n = ak_min_i64(LOOK_ROWS, p->end - at);
    float scores[LOOK_ROWS];
    unsigned char reach[LOOK_ROWS];
    may_reach(p->sums + at, p->factors->times + at, p->factors->plus + at,
              p->v->bands + q->band * p->x->n + at, p->flags + at, n,
              (float)q->bound, c->cut, scores, reach);
    for (int64_t i = 0; i < n; ++i) {
        c->rows[c->n_rows] = (int32_t)(at + i);
        c->scores[c->n_rows] = scores[i];
        c->n_rows += reach[i];
    }
}

/* List the rows that may be among the best when the columns from q on are
 * left; false: too many. The bar of the candidates is set. */
static bool list_all(ak_pass *p, const ak_query_term *q)
{
    ak_candidates *c = &p->candidates;
    const int64_t chunks = (p->end - p->begin) / LOOK_ROWS;
    const int64_t step = ak_max_i64(chunks / SAMPLE, 1);
    c->n_rows = 0;
    for (int64_t k = 0; k < chunks; k += step)
        list_rows(p, q, p->begin + k * LOOK_ROWS);
    const bool few = c->n_rows * step < (p->end - p->begin) / LISTED;
    c->n_rows = 0;
    for (int64_t at = p->begin; at < p->end && few; at += LOOK_ROWS)
        list_rows(p, q, at);
    return few;
}

/* (1) of the rows found in a column. */
static void add_parts(const ak_pass *p, const ak_query_term *q,
                      const int32_t *rows, int64_t n, const float *values,
                      double *to)
{
    const ak_weights weights = p->v->recipe ? p->v->recipe->weights
                                            : AK_WEIGHTS_NONE;
    (void)to;
    for (int64_t i = 0; i < n; ++i)
        if (values[i] != 0.0F)
            p->sums[rows[i]] += q->g * ak_shape(weights, values[i]);
}

/* (1) of columns, for the candidates alone. */
static bool add_found(ak_pass *p, const ak_query_term *terms, int64_t n_terms)
{
    const ak_candidates *c = &p->candidates;
    for (int64_t at = 0; at < c->n_rows; at += AK_LOOK_UP)
        if (!ak_pass_look_up(p, terms, n_terms, c->rows + at,
                             ak_min_i64(AK_LOOK_UP, c->n_rows - at), add_parts,
                             NULL))
            return false;
    return true;
}

/* Drop the candidates that the columns from q on (NULL: none) cannot bring
 * among the best. */
static void drop(ak_pass *p, const ak_query_term *q)
{
    ak_candidates *c = &p->candidates;
    const float rest = q ? (float)q->bound : 0.0F;
    const uint8_t *bands = p->v->bands + (q ? q->band : 0) * p->x->n;
    int64_t n = 0;
    for (int64_t k = 0; k < c->n_rows; ++k) {
        const int32_t i = c->rows[k];
        c->scores[k] = p->sums[i] * p->factors->times[i] + p->factors->plus[i];
    }
    ak_candidates_raise(c);
    for (int64_t k = 0; k < c->n_rows; ++k) {
        c->rows[n] = c->rows[k];
        c->scores[n] = c->scores[k];
        n += c->scores[k] + rest * (float)bands[c->rows[k]] >= c->cut;
    }
    c->n_rows = n;
}

/* Columns of one band, as many as pay before candidates are chosen again. */
typedef struct band_step {
    int64_t begin, end;  // in p->order
    int64_t postings;
} band_step;

static band_step next_step(const ak_pass *p, int64_t begin, int64_t left)
{
    const int64_t enough = ak_max_i64(left / 8, p->x->n);
    band_step s = {begin, begin, 0};
    while (s.end < p->n_terms && s.postings < enough &&
           p->order[s.end].band == p->order[begin].band)
        s.postings += p->v->p.counts[p->order[s.end++].t];
    return s;
}

static bool add_step(ak_pass *p, const band_step *s, bool listed)
{
    const double share = (double)(p->end - p->begin) / (double)p->x->n;
    const double lookups = (double)p->candidates.n_rows *
                           (double)(s->end - s->begin);
    const bool found = listed && LOOKUP * lookups < share * (double)s->postings;
    if (found)
        return add_found(p, p->order + s->begin, s->end - s->begin);
    return ak_pass_add_terms(p, p->order + s->begin, s->end - s->begin);
}

/* Sum the columns, or those that matter; *listed: the candidates are known. */
static bool sum_bands(ak_pass *p, bool *listed)
{
    int64_t left = p->postings, since = INT64_MAX / 2;
    for (band_step s = {0}; s.end < p->n_terms;) {
        s = next_step(p, s.end, left);
        if (!add_step(p, &s, *listed))
            return false;
        left -= s.postings;
        since += s.postings;
        const ak_query_term *q = s.end < p->n_terms ? &p->order[s.end] : NULL;
        if (*listed) {
            drop(p, q);
        } else if (q && q->band < AK_BANDS && left > p->x->n) {
            if (since > 4 * p->x->n) {
                ak_pass_select(p, 0.0);
                since = 0;
            }
            *listed = list_all(p, q);
        }
    }
    return true;
}

bool ak_pass_by_sums(ak_pass *p)
{
    bool early = false;
    const bool ok = ak_pass_is_banded(p) ? sum_bands(p, &early)
                                         : sum_columns(p, &early);
    if (ok && !early)
        ak_pass_select(p, 0.0);
    memset(p->sums + p->begin, 0,
           (size_t)(p->end - p->begin) * sizeof *p->sums);
    return ok;
}
