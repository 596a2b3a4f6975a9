/* Exact scores of a few rows, from the rows themselves. */
#include <string.h>

#include "index/inverted/pass.h"

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
    for (int64_t k = 0; k < p->n_terms; ++k)
        p->marks[p->terms[k].j / 64].columns |= UINT64_C(1)
                                                << p->terms[k].j % 64;
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

/* The places among `columns` of those that the query has. */
static int64_t find_marked(const ak_pass *p, const uint32_t *columns, int64_t n,
                           int32_t *places)
{
    int64_t found = 0;
    for (int64_t k = 0; k < n; ++k) {
        places[found] = (int32_t)k;
        found +=
            (int64_t)(p->marks[columns[k] / 64].columns >> columns[k] % 64 & 1);
    }
    return found;
}

static const ak_query_term *term_of(const ak_pass *p, uint32_t column)
{
    const ak_column_marks *m = &p->marks[column / 64];
    const uint64_t below = (UINT64_C(1) << column % 64) - 1;
    return &p->terms[m->before + __builtin_popcountll(m->columns & below)];
}

static bool score_row(const ak_pass *p, int64_t i, double *dot)
{
    const ak_forward *f = &p->v->rows;
    ak_forward_row row;
    uint32_t columns[AK_PACK_BLOCK];
    int32_t places[AK_PACK_BLOCK];
    int64_t n;
    *dot = 0.0;
    if (!ak_forward_begin(f, i, &row))
        return false;
    while (row.done < row.n) {
        const int64_t first = row.done;
        if (!ak_forward_next(f, i, &row, columns, &n))
            return false;
        const int64_t found = find_marked(p, columns, n, places);
        for (int64_t k = 0; k < found; ++k)
            *dot += ak_pass_entry(p, term_of(p, columns[places[k]]), i,
                                  ak_forward_value(&row, first + places[k]));
    }
    return true;
}

typedef struct scoring {
    const ak_pass *p;
    const int32_t *rows;
    int64_t n;
    double *dots;
} scoring;

static akin_status score_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const scoring *s = arg;
    (void)worker;
    for (int64_t k = begin; k < end; ++k) {
        if (k + AHEAD < s->n)
            ak_forward_fetch(&s->p->v->rows, s->rows[k + AHEAD]);
        if (!score_row(s->p, s->rows[k], &s->dots[k]))
            return AKIN_EFORMAT;
    }
    return AKIN_OK;
}

bool ak_pass_score_rows(const ak_pass *p, const int32_t *rows, int64_t n,
                        double *dots)
{
    scoring s = {p, rows, n, dots};
    const akin_status st =
        p->split->ctx ? ak_parallel_for(p->split->ctx, n, ROWS, score_block, &s)
                      : score_block(&s, 0, n, 0);
    return st == AKIN_OK;
}
