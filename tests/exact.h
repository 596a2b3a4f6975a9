/* tests/exact.h - rows and scores in quarters, small enough that sums and
 * products in double are exact: any order of adding gives the same bits, and a
 * tie is a tie. */
#ifndef AKIN_TESTS_EXACT_H
#define AKIN_TESTS_EXACT_H

#include <math.h>

#include <akin/model.h>

#include "support.h"

/* None, one or two labels a row. */
static inline void exact_labels(akin_ctx *ctx, akin_rows *r, int32_t classes,
                                ak_rng *rng)
{
    const char *names[] = {"a", "b", "c", "d", "e", "f", "g", "h"};
    int32_t *labels = calloc((size_t)r->n, sizeof *labels);
    assert_int_equal(akin_rows_set_labels(ctx, r, labels, names, classes),
                     AKIN_OK);
    free(labels);
    assert_int_equal(ak_resize(ctx, 2 * r->n, sizeof *r->labels, &r->labels),
                     AKIN_OK);
    int64_t at = 0;
    for (int64_t i = 0; i < r->n; ++i) {
        const int32_t first = (int32_t)ak_rng_below(rng, classes);
        const int64_t count = ak_rng_below(rng, 8);
        if (count > 0)
            r->labels[at++] = first;
        if (count == 7 && first + 1 < classes)
            r->labels[at++] = first + 1;
        r->label_offsets[i + 1] = at;
    }
}

/* Rows of which some are equal; low columns are common, high ones rare. Every
 * tenth is empty. */
static inline akin_rows *exact_rows(akin_ctx *ctx, uint64_t seed, int64_t n,
                                    int64_t d, bool sparse, int32_t classes)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    akin_rows *r = NULL;
    float *x = calloc((size_t)(n * d), sizeof *x);
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < d && i % 10 != 9; ++j) {
            const double p = 1.5 / (1.0 + 0.1 * (double)(j * j));
            if (i % 7 == 6)
                x[i * d + j] = x[(i / 2) * d + j];
            else if (ak_rng_unit(&rng) < p)
                x[i * d + j] = 0.25f * (float)(ak_rng_below(&rng, 9) - 3);
        }
    int64_t *offsets = calloc((size_t)n + 1, sizeof *offsets), at = 0;
    int32_t *cols = calloc((size_t)(n * d), sizeof *cols);
    float *vals = calloc((size_t)(n * d), sizeof *vals);
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t j = 0; j < d; ++j)
            if (x[i * d + j] != 0.0f) {
                cols[at] = (int32_t)j;
                vals[at++] = x[i * d + j];
            }
        offsets[i + 1] = at;
    }
    const akin_status st =
        sparse ? akin_rows_new_sparse(&r, ctx, n, d, offsets, cols, vals)
               : akin_rows_new_dense(&r, ctx, n, d, x);
    assert_int_equal(st, AKIN_OK);
    free(x);
    free(offsets);
    free(cols);
    free(vals);
    if (classes > 0)
        exact_labels(ctx, r, classes, &rng);
    return r;
}

/* Weights in quarters: NULL, positive, or of any sign with zeros. */
static inline const double *exact_weights(int64_t d, int kind, double *w)
{
    for (int64_t j = 0; j < d; ++j)
        w[j] = kind == 1 ? 0.25 * (double)(1 + j % 5)
                         : 0.25 * (double)(j % 7 - 3);
    return kind == 0 ? NULL : w;
}

static inline double exact_value(const akin_rows *r, int64_t i, int64_t j)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, r, i);
    for (int64_t k = 0; k < n; ++k)
        if ((cols ? cols[k] : k) == j)
            return vals[k];
    return 0.0;
}

/* The definition, over all columns. */
static inline double exact_score(const akin_rows *a, int64_t i,
                                 const akin_rows *b, int64_t k, const double *w,
                                 akin_compare by)
{
    double dot = 0.0, na = 0.0, nb = 0.0, distance = 0.0;
    for (int64_t j = 0; j < a->d; ++j) {
        const double x = exact_value(a, i, j), y = exact_value(b, k, j);
        const double wj = w ? w[j] : 1.0;
        dot += wj * x * y;
        na += fabs(wj) * x * x;
        nb += fabs(wj) * y * y;
        distance += wj * (x - y) * (x - y);
    }
    if (by == AKIN_BY_DISTANCE)
        return -distance;
    if (by == AKIN_BY_DOT)
        return dot;
    const double size = sqrt(na) * sqrt(nb);
    return size > 0.0 ? dot / size : 0.0;
}

#endif
