/* learn/warp.h - triplets whose negative is ranked too high.
 *   [1] Weston, Bengio, Usunier. WSABIE: scaling up to large vocabulary image
 *       annotation. IJCAI 2011.
 *
 * For (q, p) negatives are drawn until one violates the margin, S(q, n) >
 * S(q, p) - 1, under the model as it is. If that took N draws out of the P
 * there are, about P/N of them rank above p, and the step is weighted by
 *
 *   L(P/N) / L(P),   L(r) = 1 + 1/2 + ... + 1/r           (1)  [1] eq. 3
 *
 * so that mistakes at the top of a ranking count most. Without a violation in
 * so many draws there is no step. */
#ifndef AK_LEARN_WARP_H
#define AK_LEARN_WARP_H

#include "learn/learner.h"

/* (1) after N draws of P. */
double ak_warp_weight(int64_t P, int64_t N);

/* Example t: the triplet, and its weight in steps; 0: no negative was found. */
akin_status ak_warp_draw(const ak_online *online, void *state, akin_ctx *ctx,
                         const ak_sampler *sampler, const akin_rows *rows,
                         int64_t t, int64_t *triplet, double *weight);

#endif
