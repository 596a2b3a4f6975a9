/* A long query, where the best rows may do without a proof.
 *
 * A query of thousands of columns has most of its postings in frequent columns,
 * which say little and for which no useful bound exists. Here the columns are
 * summed in decreasing order of |g|, what a posting adds, until the columns
 * that are left hardly matter:
 *
 *   s_i = p_i + r_i          score, its part so far, the rest          (1)
 *
 * The rows with the largest p_i are scored in all columns, which gives T, the
 * top-th best score so far. Two samples of rows, any and those that have a
 * column that comes next, tell how r_i varies: its mean m and its standard
 * deviation s, of whichever sample m + z s is larger. Rows with
 *
 *   p_i >= T - m - z s                                                 (2)
 *
 * are scored too, and the best of all are the result, with exact scores. A row
 * is missed if its r_i exceeds m by more than z standard deviations. Where (2)
 * has too many rows, more columns are summed; where that does not help, the
 * exact search takes over.
 *
 * Sums are taken in one order and decisions depend on all rows, so the result
 * is the same for any number of workers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "index/inverted/pass.h"

enum {
    LEAST = 1 << 22,  // postings from which on this is used
    SHARE = 2,        // sum one posting in two at most
    LITTLE = 5,       // of the variance: one part in five
    SAMPLE = 256,     // rows that stand for all
    NEXT = 128,       // rows that stand for those with most to get
    SCORED = 64,      // best rows that tell T, beside `top`
    LISTED = 4096,    // rows that (2) may have
    ROOM = 2 * LISTED,
    MOST_TOP = LISTED / 8,
};

/* z of (2) */
static const double deviations = 5.0;

bool ak_pass_suits_impact(const ak_pass *p)
{
    return p->w->approximate && ak_pass_has_rows(p) && p->safe &&
           p->postings >= LEAST && p->w->top <= MOST_TOP;
}

static int by_impact(const void *left, const void *right)
{
    const ak_query_term *a = left, *b = right;
    const float x = fabsf(a->g), y = fabsf(b->g);
    if (x != y)
        return x > y ? -1 : 1;
    return (a->j > b->j) - (a->j < b->j);
}

static void order_terms(ak_pass *p)
{
    memcpy(p->order, p->terms, (size_t)p->n_terms * sizeof *p->terms);
    qsort(p->order, (size_t)p->n_terms, sizeof *p->order, by_impact);
}

/* ---- sums ---- */

/* Rows and their scores. */
typedef struct sample {
    int64_t n;
    int32_t rows[SAMPLE];
    float scores[SAMPLE];
} sample;

typedef struct impact {
    ak_pass *p;
    int64_t begin, end;    // columns of p->order that are summed next
    float scored, listed;  // p_i of the last row that is scored, or listed
    sample any;            // rows that stand for all
    float whole[ROOM];     // s_i of the first rows of the list
    int64_t n_whole;
} impact;

/* Sum the next columns for the rows of one part, and list its best. */
static akin_status sum_part(void *arg, int64_t begin, int64_t end,
                            int64_t worker)
{
    const impact *a = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k) {
        ak_pass *q = &a->p->split->parts[k];
        if (!ak_pass_add_terms(q, q->order + a->begin, a->end - a->begin))
            return AKIN_EFORMAT;
        ak_pass_select(q, 0.0);
    }
    return AKIN_OK;
}

static akin_status clear_part(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const impact *a = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k) {
        const ak_pass *q = &a->p->split->parts[k];
        memset(q->sums + q->begin, 0,
               (size_t)(q->end - q->begin) * sizeof *q->sums);
    }
    return AKIN_OK;
}

static bool each_part(impact *a, ak_block_fn fn)
{
    const ak_split *s = a->p->split;
    const akin_status st = s->ctx
                               ? ak_parallel_for(s->ctx, s->n_parts, 1, fn, a)
                               : fn(a, 0, s->n_parts, 0);
    return st == AKIN_OK;
}

/* Do few of the postings matter most? Where words are all about as frequent,
 * each matters, and the exact search is quicker. The variance of a sum of
 * columns is about the sum of their g^2 times their postings. */
static bool is_uneven(const ak_pass *p)
{
    double all = 0.0, left = 0.0;
    int64_t summed = 0;
    for (int64_t k = 0; k < p->n_terms; ++k) {
        const ak_query_term *q = &p->order[k];
        const int64_t n = p->v->p.counts[q->t];
        const double part = (double)q->g * (double)q->g * (double)n;
        all += part;
        left += summed < p->postings / SHARE ? 0.0 : part;
        summed += n;
    }
    return left < all / LITTLE;
}

/* Columns until so many postings have been summed. */
static void take_columns(impact *a, int64_t *summed, int64_t goal)
{
    const ak_pass *p = a->p;
    a->begin = a->end;
    while (a->end < p->n_terms && *summed < goal)
        *summed += p->v->p.counts[p->order[a->end++].t];
}

/* ---- rows ---- */

/* The lists of the parts, as one: all rows whose p_i is a->listed or more. */
static bool join_lists(impact *a)
{
    const ak_split *s = a->p->split;
    ak_candidates *c = &a->p->candidates;
    bool full = false;
    c->n_rows = 0;
    for (int64_t k = 0; k < s->n_parts; ++k) {
        const ak_candidates *from = &s->parts[k].candidates;
        const size_t n = (size_t)from->n_rows;
        memmove(c->rows + c->n_rows, from->rows, n * sizeof *c->rows);
        memmove(c->scores + c->n_rows, from->scores, n * sizeof *c->scores);
        c->n_rows += from->n_rows;
        full = full || from->full;
    }
    a->listed = -INFINITY;
    a->scored = -INFINITY;
    if (c->n_rows > LISTED)
        a->listed = ak_nth_best(c->scores, c->n_rows, LISTED);
    if (c->n_rows > SCORED + a->p->w->top)
        a->scored = ak_nth_best(c->scores, c->n_rows, SCORED + a->p->w->top);
    return !full;
}

/* Move the rows from `first` on with p_i >= cut to the front of those; returns
 * where they end. */
static int64_t gather(ak_candidates *c, int64_t first, float cut)
{
    int64_t n = first;
    for (int64_t k = first; k < c->n_rows; ++k) {
        if (!(c->scores[k] >= cut))
            continue;
        const int32_t row = c->rows[k];
        const float score = c->scores[k];
        c->rows[k] = c->rows[n];
        c->scores[k] = c->scores[n];
        c->rows[n] = row;
        c->scores[n++] = score;
    }
    return n;
}

/* What rows have not yet got, of those that are there. */
static int64_t rests_of(const ak_pass *p, const sample *s, double *rests)
{
    int64_t n = 0;
    for (int64_t k = 0; k < s->n; ++k) {
        const int32_t i = s->rows[k];
        const float part = p->sums[i] * p->factors->times[i] +
                           p->factors->plus[i];
        if (isfinite(part))
            rests[n++] = (double)s->scores[k] - (double)part;
    }
    return n;
}

/* m + z s of (2); s is taken of the rests above their mean, which are spread
 * wider than those below. */
static double largest_rest(const ak_pass *p, const sample *from)
{
    double rests[SAMPLE], mean = 0.0, squares = 0.0, above = 0.0;
    const int64_t n = rests_of(p, from, rests);
    for (int64_t k = 0; k < n; ++k)
        mean += rests[k] / (double)n;
    for (int64_t k = 0; k < n; ++k)
        if (rests[k] > mean) {
            squares += (rests[k] - mean) * (rests[k] - mean);
            above += 1.0;
        }
    return mean + (above > 0.0 ? deviations * sqrt(squares / above) : 0.0);
}

/* Rows that stand for all, evenly spread. */
static bool sample_any(const ak_pass *p, sample *s)
{
    s->n = SAMPLE;
    for (int64_t k = 0; k < s->n; ++k)
        s->rows[k] = (int32_t)((2 * k + 1) * p->x->n / (2 * s->n));
    return ak_pass_estimate_rows(p, s->rows, s->n, s->scores);
}

/* Rows of the columns that would be summed next, one of each: where columns
 * come together, as those of a topic do, these have most to get. */
static bool sample_next(const impact *a, sample *s)
{
    const ak_pass *p = a->p;
    const ak_postings *all = &p->v->p;
    s->n = ak_min_i64(p->n_terms - a->end, NEXT);
    for (int64_t k = 0; k < s->n; ++k) {
        const int64_t t = p->order[a->end + k].t;
        s->rows[k] = all->first[(all->blocks[t] + all->blocks[t + 1]) / 2];
    }
    return ak_pass_estimate_rows(p, s->rows, s->n, s->scores);
}

/* m + z s, the larger of both samples. */
static bool find_rest(const impact *a, double *rest)
{
    const ak_pass *p = a->p;
    sample next;
    if (!sample_next(a, &next))
        return false;
    *rest = fmax(largest_rest(p, &a->any), largest_rest(p, &next));
    return true;
}

/* T; enough rows have their s_i. */
static double least_of_best(const impact *a)
{
    return (double)ak_nth_best(a->whole, a->n_whole, a->p->w->top);
}

/* Get s_i of the rows whose p_i reaches the cut; *fits: they are few enough. */
static bool score_from(impact *a, float cut, bool *fits)
{
    ak_candidates *c = &a->p->candidates;
    const int64_t n = a->n_whole, end = gather(c, n, cut);
    *fits = end <= ROOM;
    if (!*fits)
        return true;
    a->n_whole = end;
    return ak_pass_estimate_rows(a->p, c->rows + n, end - n, a->whole + n);
}

/* Get s_i of the rows of (2), those with the largest p_i first, which raise T.
 */
static bool score_rest(impact *a, double rest, bool *fits)
{
    const ak_pass *p = a->p;
    const ak_candidates *c = &p->candidates;
    float cut = (float)(least_of_best(a) - rest - p->error);
    *fits = cut >= a->listed;
    for (int64_t n = 4 * a->n_whole; *fits && n < c->n_rows; n *= 4) {
        const float nth = ak_nth_best(c->scores, c->n_rows, n);
        if (nth <= cut)
            break;
        if (!score_from(a, nth, fits))
            return false;
        cut = (float)(least_of_best(a) - rest - p->error);
    }
    return !*fits || score_from(a, cut, fits);
}

/* The rows whose s_i may be one of the best are the candidates. */
static void keep_best(impact *a)
{
    ak_candidates *c = &a->p->candidates;
    const double least = a->n_whole > a->p->w->top ? least_of_best(a)
                                                   : -INFINITY;
    c->n_rows = 0;
    for (int64_t k = 0; k < a->n_whole; ++k) {
        c->rows[c->n_rows] = c->rows[k];
        c->n_rows += (double)a->whole[k] >= least - 2.0 * a->p->error;
    }
}

/* Find the rows that may be among the best; *done: they are the candidates. */
static bool look_at_lists(impact *a, bool *done)
{
    double rest;
    *done = false;
    a->n_whole = 0;
    if (!join_lists(a))
        return true;
    if (!score_from(a, a->scored, done))
        return false;
    if (*done && a->n_whole < a->p->candidates.n_rows &&
        !(find_rest(a, &rest) && score_rest(a, rest, done)))
        return false;
    if (*done)
        keep_best(a);
    return true;
}

/* Postings to sum before the next look at rows. A look takes about as long as
 * half of a posting for each row. */
static int64_t next_goal(const ak_pass *p, int64_t goal)
{
    return goal < 8 * p->x->n ? 2 * goal : goal + goal / 2;
}

bool ak_pass_by_impact(ak_pass *p, bool *done)
{
    impact a = {.p = p};
    int64_t summed = 0;
    *done = false;
    order_terms(p);
    if (!is_uneven(p))
        return true;
    ak_pass_mark_columns(p);
    bool ok = sample_any(p, &a.any);
    p->candidates.top = LISTED;
    p->candidates.least = -INFINITY;
    ak_pass_begin_parts(p);
    for (int64_t goal = p->x->n / 2;
         goal <= p->postings / SHARE && ok && !*done;
         goal = next_goal(p, goal)) {
        take_columns(&a, &summed, goal);
        ok = each_part(&a, sum_part) && look_at_lists(&a, done);
    }
    each_part(&a, clear_part);
    p->candidates.top = p->w->top;
    return ok && (!*done || ak_pass_second(p));
}
