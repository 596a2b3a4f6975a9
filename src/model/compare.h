/* model/compare.h - two rows side by side, sparse or dense, column by column;
 * and two embedded rows, compared coordinate by coordinate. */
#ifndef AK_MODEL_COMPARE_H
#define AK_MODEL_COMPARE_H

#include <akin/model.h>
#include <math.h>

#include "data/rows.h"

/* A row of either kind, borrowed; cols is NULL when dense. */
typedef struct ak_row {
    int64_t n;
    const int32_t *cols;
    const float *vals;
} ak_row;

static inline ak_row ak_row_of(const akin_rows *rows, int64_t i)
{
    if (rows->offsets == NULL)
        return (ak_row){rows->d, NULL, ak_rows_dense(rows, i)};
    const ak_sparse x = ak_rows_sparse(rows, i);
    return (ak_row){x.n, x.cols, x.vals};
}

static inline int64_t ak_row_col(const ak_row *r, int64_t k)
{
    return r->cols ? r->cols[k] : k;
}

/* The columns that x or y has, increasing, with both values. Begin with the
 * rows alone: `ak_walk w = {.row = {x, y}}`. */
typedef struct ak_walk {
    ak_row row[2];
    int64_t at[2];
    int64_t col;
    double x, y;
} ak_walk;

static inline double ak_walk_step(ak_walk *w, int side, int64_t col)
{
    return col == w->col ? (double)w->row[side].vals[w->at[side]++] : 0.0;
}

static inline bool ak_walk_next(ak_walk *w)
{
    int64_t col[2];
    for (int side = 0; side < 2; ++side)
        col[side] = w->at[side] < w->row[side].n
                        ? ak_row_col(&w->row[side], w->at[side])
                        : INT64_MAX;
    w->col = ak_min_i64(col[0], col[1]);
    if (w->col == INT64_MAX)
        return false;
    w->x = ak_walk_step(w, 0, col[0]);
    w->y = ak_walk_step(w, 1, col[1]);
    return true;
}

/* Sums over the coordinates x and y of two embedded rows. */
typedef struct ak_sums {
    double xy, xx, yy, gap;
} ak_sums;

static inline void ak_sums_add(ak_sums *s, double x, double y)
{
    s->xy += x * y;
    s->xx += x * x;
    s->yy += y * y;
    s->gap += (x - y) * (x - y);
}

static inline double ak_sums_compare(const ak_sums *s, akin_compare by)
{
    if (by == AKIN_BY_DISTANCE)
        return -s->gap;
    if (by == AKIN_BY_COSINE)
        return s->xx > 0.0 && s->yy > 0.0 ? s->xy / (sqrt(s->xx) * sqrt(s->yy))
                                          : 0.0;
    return s->xy;
}

#endif
