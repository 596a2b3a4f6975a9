/* learn/diagonal/trust.h - how far to go from the weights where learning began
 * to those that it found. */
#ifndef AK_LEARN_DIAGONAL_TRUST_H
#define AK_LEARN_DIAGONAL_TRUST_H

#include "learn/learner.h"

/* Triplets of a class say what makes two rows of it alike; the nearest row may
 * depend on other columns. So the labelled rows, a sample of them, query each
 * other under
 *
 *   w0 + share (w - w0),  share = 1, 1/2, 1/4, 1/8 or 0   (1)
 *
 * and the share with the best sum of mean average precision and precision at 1
 * is it, among those that have neither more than a standard error below that of
 * w0. Writes (1) to w, and *share. Without labels to learn from the share is 1.
 * w0 NULL: ones. */
akin_status ak_trust(double *share, akin_ctx *ctx, const akin_supervision *data,
                     akin_compare by, int64_t d, const double *w0, double *w);

#endif
