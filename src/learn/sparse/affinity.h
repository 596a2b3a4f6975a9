/* learn/sparse/affinity.h - the affinity of all points, spread from a few known
 * pairs.
 *
 *   P_ij  = 1/k for the k nearest points j of i                         (1)
 *   W0    = 1 on the diagonal and for similar pairs, -far for dissimilar (2)
 *   W*    = (1 - alpha) (I - alpha P)^-1 W0                             (3)
 *   W     = (W* + W*')/2, entries below theta in size left out          (4)
 *   T     = X' (diag(W 1) - W) X                                        (5)
 *
 * No n x n matrix is made, only rows of W. */
#ifndef AK_LEARN_SPARSE_AFFINITY_H
#define AK_LEARN_SPARSE_AFFINITY_H

#include "learn/metric/constraints.h"

typedef struct ak_propagation {
    int64_t n, d, k;
    const double *X;  // n x d
    int32_t *order;   // row c of all that follows is of point order[c]; NULL:
                      // of point c
    double alpha, theta;
    double drop;     // what is below this is passed on no further
    int32_t *near;   // n x k: (1)
    int64_t *in_at;  // n + 1: the rows that have a point among their nearest
    int32_t *in;
    int64_t *w_at;  // n + 1: W0 without its diagonal
    int32_t *w_cols;
    double *w;
    int32_t *group;  // n: points whose rows of W0 are the same, as labels make
                     // them, have one number; those in no pair -1
    int64_t n_groups;
    int32_t *first;   // the first point of each group
    int32_t *shared;  // the place of its column below, -1 where it has none
    int64_t n_shared;
    double *columns;     // n x n_shared: the columns of W* that the points of a
                         // group of two or more share
    int64_t *member_at;  // n_shared + 1
    int32_t *members;    // of those groups
} ak_propagation;

/* The point that has row `at`. */
static inline int64_t ak_propagation_point(const ak_propagation *a, int64_t at)
{
    return a->order ? a->order[at] : at;
}

/* Find the neighbours and W0 of the pairs; the caller sets k, alpha and theta.
 * k is cut to n - 1, n > 1. Scratch memory. */
akin_status ak_propagation_begin(ak_propagation *a, akin_ctx *ctx, int64_t n,
                                 int64_t d, const double *X,
                                 const ak_constraints *pairs, double far);

/* A row of W by itself, for tests; `row` has n numbers. theta > 0. */
akin_status ak_propagation_row(const ak_propagation *a, akin_ctx *ctx,
                               int64_t i, double *row);
/* (5), T is d x d. With theta = 0 it is solved for columns of X. */
akin_status ak_propagation_T(const ak_propagation *a, akin_ctx *ctx, double *T);

#endif
