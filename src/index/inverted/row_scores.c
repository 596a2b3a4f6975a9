/* Scores of a few rows, from the rows themselves. */
#include <string.h>

#include "index/inverted/pass.h"
#include "la/clones.h"

/* Rows that a worker takes at a time, and those that are prefetched. */
enum { ROWS = 32, AHEAD = 4 };

bool ak_pass_has_rows(const ak_pass *p)
{
    return p->v->rows.at != NULL;
}

void ak_pass_mark_columns(ak_pass *p)
{
    const int64_t words = ak_index_dim(p->x) / 64 + 1;
    int32_t before = 0;
    memset(p->marks, 0, (size_t)words * sizeof *p->marks);
    for (int64_t k = 0; k < p->n_terms; ++k) {
        p->marks[p->terms[k].j / 64].columns |= UINT64_C(1)
                                                << p->terms[k].j % 64;
        p->gains[k] = p->terms[k].g;
    }
    for (int64_t k = 0; k < words; ++k) {
        p->marks[k].before = before;
        before += __builtin_popcountll(p->marks[k].columns);
    }
}

double ak_pass_entry(const ak_pass *p, const ak_query_term *q, int64_t row,
                     float value)
{
    return (double)(float)ak_inverted_entry(p->v, (double)value, row, q->j) *
           q->wq;
}

/* Entries of a row that the query has too. */
typedef struct shared {
    int64_t n;
    int32_t entries[AK_PACK_BLOCK];  // numbers in the row
    int32_t terms[AK_PACK_BLOCK];    // and in the query
} shared;

AK_CLONES static void find_shared(const ak_column_marks *marks,
                                  const uint32_t *columns, int64_t n,
                                  int32_t first, shared *s)
{
    int64_t found = 0;
    for (int64_t k = 0; k < n; ++k) {
        s->entries[found] = (int32_t)k;
        found +=
            (int64_t)(marks[columns[k] / 64].columns >> columns[k] % 64 & 1);
    }
    for (int64_t k = 0; k < found; ++k) {
        const uint32_t column = columns[s->entries[k]];
        const ak_column_marks *m = &marks[column / 64];
        const uint64_t below = (UINT64_C(1) << column % 64) - 1;
        s->terms[k] = m->before +
                      (int32_t)__builtin_popcountll(m->columns & below);
        s->entries[k] += first;
    }
    s->n = found;
}

/* The next of them; false: damaged. */
static bool next_shared(const ak_pass *p, int64_t i, ak_forward_row *row,
                        shared *s)
{
    const int64_t first = row->done;
    uint32_t columns[AK_PACK_BLOCK];
    int64_t n;
    if (!ak_forward_next(&p->v->rows, i, row, columns, &n))
        return false;
    find_shared(p->marks, columns, n, (int32_t)first, s);
    return true;
}

/* Rows to score; one of the results is NULL. */
typedef struct scoring {
    const ak_pass *p;
    const int32_t *rows;
    int64_t n;
    double *dots;   // exact
    float *scores;  // in float, as (2) of pass.h
} scoring;

static bool score_exactly(const ak_pass *p, int64_t i, double *dot)
{
    ak_forward_row row;
    shared s;
    *dot = 0.0;
    if (!ak_forward_begin(&p->v->rows, i, &row))
        return false;
    while (row.done < row.n) {
        if (!next_shared(p, i, &row, &s))
            return false;
        for (int64_t k = 0; k < s.n; ++k)
            *dot += ak_pass_entry(p, &p->terms[s.terms[k]], i,
                                  ak_forward_value(&row, s.entries[k]));
    }
    return true;
}

static bool score_roughly(const ak_pass *p, int64_t i, float *score)
{
    const ak_weights weights = p->v->recipe ? p->v->recipe->weights
                                            : AK_WEIGHTS_NONE;
    ak_forward_row row;
    shared s;
    float sum = 0.0F;
    if (!ak_forward_begin(&p->v->rows, i, &row))
        return false;
    const bool small = row.value_bits <= AK_SHAPE_BITS;
    while (row.done < row.n) {
        if (!next_shared(p, i, &row, &s))
            return false;
        for (int64_t k = 0; k < s.n; ++k) {
            const float c = ak_forward_value(&row, s.entries[k]);
            sum += p->gains[s.terms[k]] *
                   (small ? p->shapes[(int)c - 1] : ak_shape(weights, c));
        }
    }
    *score = sum * p->factors->times[i] + p->factors->plus[i];
    return true;
}

static akin_status score_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const scoring *s = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k) {
        if (k + AHEAD < s->n)
            ak_forward_fetch(&s->p->v->rows, s->rows[k + AHEAD]);
        if (!(s->dots ? score_exactly(s->p, s->rows[k], &s->dots[k])
                      : score_roughly(s->p, s->rows[k], &s->scores[k])))
            return AKIN_EFORMAT;
    }
    return AKIN_OK;
}

static bool score_all(scoring *s)
{
    akin_ctx *ctx = s->p->split->ctx;
    const akin_status st =
        ctx && s->n > ROWS ? ak_parallel_for(ctx, s->n, ROWS, score_block, s)
                           : score_block(s, 0, s->n, 0);
    return st == AKIN_OK;
}

bool ak_pass_score_rows(const ak_pass *p, const int32_t *rows, int64_t n,
                        double *dots)
{
    return score_all(&(scoring){p, rows, n, dots, NULL});
}

bool ak_pass_estimate_rows(const ak_pass *p, const int32_t *rows, int64_t n,
                           float *scores)
{
    return score_all(&(scoring){p, rows, n, NULL, scores});
}
