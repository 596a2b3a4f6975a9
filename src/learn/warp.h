/* learn/warp.h - draw triplets whose negative is ranked too high.
 *   [1] Weston, Bengio, Usunier. WSABIE: scaling up to large vocabulary image
 *       annotation. IJCAI 2011.
 *
 * For a pair (q, p), negatives n are drawn until one violates the margin under
 * the current model: S(q, n) > S(q, p) - 1. If that took N draws and there are
 * P negatives, about P/N of them rank above p. The step is weighted by
 *
 *   L(P/N) / L(P),   L(r) = 1 + 1/2 + ... + 1/r           (1)  [1] eq. 3
 *
 * so that mistakes at the top of a ranking count most. If 32 draws find no
 * violation, there is no step. */
#ifndef AK_LEARN_WARP_H
#define AK_LEARN_WARP_H

#include "learn/learner.h"

/* (1) after N draws of P. */
double ak_warp_weight(int64_t P, int64_t N);

/* Draw example t: the triplet, and the weight of its step. The weight is 0 if
 * no negative violates the margin. */
akin_status ak_warp_draw(const ak_online *online, void *state, akin_ctx *ctx,
                         const ak_sampler *sampler, const akin_rows *rows,
                         int64_t t, int64_t *triplet, double *weight);

#endif
