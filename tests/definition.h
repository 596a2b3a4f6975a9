/* tests/definition.h - scores and reasons of a model against what two vectors
 * in the learned space come to by definition. */
#ifndef TESTS_DEFINITION_H
#define TESTS_DEFINITION_H

#include <math.h>

#include <akin/model.h>

#include "support.h"

static inline double compare_by_definition(int64_t n, const double *x,
                                           const double *y, akin_compare by)
{
    double xy = 0.0, xx = 0.0, yy = 0.0, gap = 0.0;
    for (int64_t c = 0; c < n; ++c) {
        xy += x[c] * y[c];
        xx += x[c] * x[c];
        yy += y[c] * y[c];
        gap += (x[c] - y[c]) * (x[c] - y[c]);
    }
    if (by == AKIN_BY_DISTANCE)
        return -gap;
    if (by == AKIN_BY_COSINE)
        return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : 0.0;
    return xy;
}

/* Two rows of two files, and how a model is to compare them. */
typedef struct asked {
    akin_ctx *ctx;
    const akin_model *m;
    const akin_rows *left, *right;
    int64_t i, j;
    akin_compare by;
} asked;

enum { MOST_REASONS = 64 };

/* The score is `want`, and so is the sum of the reasons if `adds_up`. */
static inline void assert_scored(const asked *a, double want, double tolerance,
                                 bool adds_up)
{
    const int64_t ij[2] = {a->i, a->j};
    const double off = tolerance * (1.0 + fabs(want));
    akin_reason reasons[MOST_REASONS];
    int64_t count = 0;
    double score = 0.0, sum = 0.0;
    assert_int_equal(
        akin_model_score(&score, a->ctx, a->m, a->left, a->right, ij, 1, a->by),
        AKIN_OK);
    assert_true(fabs(score - want) <= off);
    assert_int_equal(akin_model_explain(reasons, &count, a->ctx, a->m, a->left,
                                        a->i, a->right, a->j, MOST_REASONS - 1,
                                        a->by),
                     AKIN_OK);
    for (int64_t k = 0; k < count; ++k)
        sum += reasons[k].contribution;
    assert_true(!adds_up || fabs(sum - want) <= off);
}

#endif
