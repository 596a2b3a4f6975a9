/* learn/prototypes.h - centres of the clusters of a learned space.
 *
 * In a learned space the training rows form clusters, about one for each kind
 * of row, and the cluster of a row says more than its exact position. The rows
 * are embedded, scaled to length 1 and clustered by cosine: k-means from seeded
 * starts that are far from each other. Centres with a cosine above 0.7 are then
 * merged until there are no such pairs. At most `most` centres remain. Labels
 * are not used. */
#ifndef AK_LEARN_PROTOTYPES_H
#define AK_LEARN_PROTOTYPES_H

#include "learn/learner.h"

/* Replace *m, of kind factored or psd, by a model of kind prototypes. *m stays
 * if all rows are embedded at 0. */
akin_status ak_prototypes_learn(akin_model **m, akin_ctx *ctx,
                                const akin_supervision *data, int64_t most);

#endif
