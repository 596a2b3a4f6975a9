/* learn/prototypes.h - what a learned space gathers around.
 *
 * The rows that were learned from stand in heaps there, more or less one for
 * each kind of them, and a row says more by which heap it belongs to than by
 * where it stands. Their places, at length 1, are clustered by cosine (k-means
 * from seeded starts far from each other), and centres closer than a cosine of
 * 0.7 are made one, until there are none: as many are left as there are heaps,
 * if not more than `most`. No label is looked at. */
#ifndef AK_LEARN_PROTOTYPES_H
#define AK_LEARN_PROTOTYPES_H

#include "learn/learner.h"

/* *m, of kind factored or psd, is replaced by one of kind prototypes; it stays
 * where all rows come out as 0. */
akin_status ak_prototypes_learn(akin_model **m, akin_ctx *ctx,
                                const akin_supervision *data, int64_t most);

#endif
