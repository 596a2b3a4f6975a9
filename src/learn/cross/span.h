/* learn/cross/span.h - the rows of one side as vectors to learn from, and the
 * learned function as a model of the rows.
 *
 *   z(x) = P'x                           plain rows, P a basis of them      (1)
 *   z(x) = scale (T'k(x) - mean)         by a kernel                        (2)
 *
 * so that a learned function A'z(x) is F'x, or F'k(x) - offset. */
#ifndef AK_LEARN_CROSS_SPAN_H
#define AK_LEARN_CROSS_SPAN_H

#include "data/supervision/pairs.h"
#include "learn/cross/kernel_map.h"
#include "model/ranker.h"

/* Numbers in a matrix, at most: 2 GiB. */
enum { AK_SIDE_MOST = 1 << 28 };

/* Rows which[0..n) of one side (NULL: the first n) as an n x d matrix, scratch.
 * ESHAPE: more than `most` numbers. */
akin_status ak_side_matrix(double **out, akin_ctx *ctx, const akin_rows *rows,
                           const int64_t *which, int64_t n, int64_t most);

/* ESHAPE unless both sides have the same columns, which `what` requires. */
akin_status ak_side_check_columns(akin_ctx *ctx, const ak_pairs *p,
                                  const char *what);

typedef struct ak_span {
    ak_kernel_map map;
    int64_t n, r;
    double *Z;     // n x r
    double *P;     // d x r, orthonormal; NULL: the identity, or a kernel
    double *mean;  // r; NULL: 0
    double scale;
} ak_span;

typedef struct ak_span_options {
    ak_kernel_choice kernel;
    int64_t support;              // of a kernel; 0: all rows, at most 4000
    const char *origin, *length;  // of a kernel: "mean", "one"
    bool reduce;  // plain rows fewer than columns by as many numbers
} ak_span_options;

/* From the options of a learner. */
#define AK_SPAN_OPTIONS(o, right, fewer)                            \
    {                                                               \
        {(o)->kernel, (right), (o)->gamma, (o)->coef, (o)->degree}, \
            (o)->support, (o)->origin, (o)->length, (fewer)         \
    }

/* The rows of one side of a grid. All memory is scratch of the caller. */
akin_status ak_span_open(ak_span *s, akin_ctx *ctx, const akin_rows *rows,
                         const ak_grid_side *side, const ak_span_options *o);
/* All rows of both sides of pairs, or those that have labels. */
akin_status ak_span_open_sides(ak_span s[2], akin_ctx *ctx, const ak_pairs *p,
                               bool labelled, const ak_span_options *o);
/* Both sides, A[0]'z(x) compared with A[1]'z(y). */
akin_status ak_span_model(akin_model **out, akin_ctx *ctx, const ak_span s[2],
                          int64_t k, double *const A[2], akin_compare by);
/* Ranks labels by A'z(x) + b, a column of A for each label; b NULL: 0. */
akin_status ak_span_ranker(akin_model **out, akin_ctx *ctx, const ak_span *s,
                           ak_labels labels, const double *A, const double *b);

#endif
