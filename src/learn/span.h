/* learn/span.h - the rows of one side as numbers to learn from, and what was
 * learned of these as a model of the rows.
 *
 *   z(x) = P'x                           plain rows, P a basis of them      (1)
 *   z(x) = scale (T'k(x) - mean)         by a kernel                        (2)
 *
 * so that a function A'z(x) of what is learned is F'x, or F'k(x) - offset. */
#ifndef AK_LEARN_SPAN_H
#define AK_LEARN_SPAN_H

#include "data/pairs.h"
#include "learn/kernel_map.h"
#include "model/ranker.h"

typedef struct ak_span {
    ak_kernel_map map;  // way and kernel are set before it is opened
    int64_t n, r;
    double *Z;     // n x r
    double *P;     // d x r, orthonormal; NULL: the identity, or a kernel
    double *mean;  // r; NULL: 0
    double scale;
} ak_span;

typedef struct ak_span_options {
    int64_t support;  // of a kernel; 0: as many as there are, at most 4000
    bool center;      // a kernel: from the mean of the rows
    bool unit;        // a kernel: of mean square length 1
    bool reduce;      // plain rows fewer than columns by as many numbers
} ak_span_options;

/* Rows which[0..n) of `rows`; NULL: all. Scratch of the caller. */
akin_status ak_span_open(ak_span *s, akin_ctx *ctx, const akin_rows *rows,
                         int64_t *which, int64_t n, const ak_span_options *o);
/* F and offset (NULL: 0) of A, r x k. */
akin_status ak_span_factors(double **F, double **offset, akin_ctx *ctx,
                            const ak_span *s, int64_t k, const double *A);
/* Both sides, A[0]'z(x) compared with A[1]'z(y). */
akin_status ak_span_model(akin_model **out, akin_ctx *ctx, const ak_span s[2],
                          int64_t k, double *const A[2], akin_compare by);
/* Labels in order of A'z(x), a column of A for each. */
akin_status ak_span_ranker(akin_model **out, akin_ctx *ctx, const ak_span *s,
                           ak_labels labels, const double *A);

#endif
