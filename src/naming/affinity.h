/* naming/affinity.h - how alike two faces are, for faces that can be the same
 * person. Others are never compared when faces are named, so no matrix of all
 * faces by all faces is held. */
#ifndef AK_NAMING_AFFINITY_H
#define AK_NAMING_AFFINITY_H

#include "data/captions/peers.h"
#include "learn/captions/representation.h"

/* values[peers->start[i] + k]: affinity of face i and its peer number k. */
typedef struct ak_affinity {
    const ak_peers *peers;
    double *values;  // scratch
} ak_affinity;

akin_status ak_affinity_new(ak_affinity *out, akin_ctx *ctx,
                            const ak_peers *peers);

/* How a representation W becomes an affinity in [0, 1]: A = (W + W') / 2, then
 * (A - min) / (max - min) over all pairs of faces; or negative ones cut off; or
 * |W| in the place of W. */
typedef enum {
    AK_AFFINITY_MINMAX,
    AK_AFFINITY_CLIP,
    AK_AFFINITY_ABS
} ak_affinity_mode;

akin_status ak_affinity_of(ak_affinity *a, akin_ctx *ctx,
                           const ak_representation *W, ak_affinity_mode mode);

/* K = exp(-d / sqrt(mean d^2)), d the distance of two of the n points (d
 * numbers each, in the space of the metric), the mean over all pairs. */
akin_status ak_affinity_kernel(ak_affinity *a, akin_ctx *ctx, int64_t d,
                               const double *points);

/* a = (1 - alpha) a + alpha b, of the same peers. */
void ak_affinity_fuse(ak_affinity *a, const ak_affinity *b, double alpha);

#endif
