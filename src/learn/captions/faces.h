/* learn/captions/faces.h - what learners from captions share: faces as doubles,
 * and who can be who. */
#ifndef AK_LEARN_CAPTIONS_FACES_H
#define AK_LEARN_CAPTIONS_FACES_H

#include "data/captions/peers.h"
#include "learn/learner.h"

typedef struct ak_faces {
    ak_peers peers;
    int64_t n, d;
    double *X;  // n x d
} ak_faces;

/* Scratch memory. EINVAL: there are no captions, or none has a name. */
akin_status ak_faces_of(ak_faces *out, akin_ctx *ctx,
                        const akin_supervision *data);
/* What a run from captions says of itself. */
void ak_faces_ended(akin_learn_info *info, bool converged, int64_t iterations,
                    int64_t examples, double objective);
/* The mean over all pairs of |x - y|^2. */
double ak_faces_spread(int64_t n, int64_t d, const double *X);

/* Principal directions by the square roots of their singular values. */
extern const akin_recipe_options ak_recipe_faces;

#endif
