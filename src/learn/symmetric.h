/* learn/symmetric.h - one space for both rows that a bilinear similarity
 * compares.
 *
 * Rows of one kind have no sides: x and y are as similar as y and x, and a row
 * is most similar to itself. A learned W of x'W y knows neither; as a dot
 * product it prefers the rows that lie far out, whatever the query. Its
 * symmetric part has a positive part of rank k at most,
 *
 *   (W + W') / 2 = V L V',  Y = V_k max(L_k, 0)^1/2 R          (1)
 *
 * the rotation R being the one that brings Y closest to the start Y0 (a full W
 * has Y0 = I and Y = V max(L, 0)^1/2 V'). Rows are compared as Y'x and Y'y, by
 * their cosine unless told otherwise. Then learn/trust.h goes back towards the
 * start, if that is better for the labelled rows:
 *
 *   Y0 + share (Y - Y0)                                        (2)
 */
#ifndef AK_LEARN_SYMMETRIC_H
#define AK_LEARN_SYMMETRIC_H

#include "learn/learner.h"

/* Replace *m (full, metric with its M, factored or psd, neither recipe nor
 * state yet) by (2). Y0
 * is n x k, NULL: the first columns of the identity. `trusts`: the share is 1.
 * What was factored stays so, with the same factor twice; a metric stays one;
 * full becomes psd. */
akin_status ak_symmetric_model(akin_model **m, akin_ctx *ctx,
                               const akin_supervision *data, const double *Y0,
                               bool trusts, akin_compare by);

/* A row of the option tables. */
#define AK_SYMMETRY_OPTION(type)                                           \
    AK_OPTION_WORD(type, symmetry, "auto|positive|none",                   \
                   "compare rows by the positive part of W + W', or by W " \
                   "as published; auto: positive for dense rows")

#endif
