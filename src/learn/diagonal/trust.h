/* learn/diagonal/trust.h - how far to go from the weights where learning began
 * to those that it found. */
#ifndef AK_LEARN_DIAGONAL_TRUST_H
#define AK_LEARN_DIAGONAL_TRUST_H

#include "learn/learner.h"

/* By the rule of learn/trust.h, of
 *
 *   w0 + share (w - w0)                                   (1)
 *
 * Writes (1) to w, and *share. w0 NULL: ones. */
akin_status ak_trust(double *share, akin_ctx *ctx, const akin_supervision *data,
                     akin_compare by, int64_t d, const double *w0, double *w);

#endif
