/* naming/assign.h - Algorithm 2: names for all faces from how alike they are;
 * inside naming/ alone. Affinities are those of faces that can be the same
 * person. Others are never compared when faces are named, so no matrix of all
 * faces by all faces is held. */
#ifndef AK_NAMING_ASSIGN_H
#define AK_NAMING_ASSIGN_H

#include "data/captions/shared_names.h"
#include "learn/captions/representation.h"

/* ---- affinities ---------------------------------------------------------- */

/* values[peers->start[i] + k]: affinity of face i and its peer number k. */
typedef struct ak_affinity {
    const ak_shared_names *peers;
    double *values;    // scratch
    double low, high;  // of a representation, as ak_affinity_of has scaled it
} ak_affinity;

akin_status ak_affinity_new(ak_affinity *out, akin_ctx *ctx,
                            const ak_shared_names *peers);

/* How a representation W becomes an affinity in [0, 1]: A = (W + W') / 2, then
 * (A - min) / (max - min) over all pairs of faces; or negative ones cut off; or
 * |W| in the place of W. */
typedef enum {
    AK_AFFINITY_MINMAX,
    AK_AFFINITY_CLIP,
    AK_AFFINITY_ABS
} ak_affinity_mode;

/* Fills `count` affinities of different peers. */
akin_status ak_affinity_of(ak_affinity *const *list, int64_t count,
                           akin_ctx *ctx, const ak_representation *W,
                           ak_affinity_mode mode);

/* K = exp(-d / sqrt(mean d^2)), d the distance of two of the n points (d
 * numbers each, in the space of the metric), the mean over all pairs. */
akin_status ak_affinity_kernel(ak_affinity *a, akin_ctx *ctx, int64_t d,
                               const double *points);

/* a = (1 - alpha) a + alpha b, of the same peers. */
void ak_affinity_fuse(ak_affinity *a, const ak_affinity *b, double alpha);

/* ---- assignment ---------------------------------------------------------- */

/* The names that each face begins with: those of its caption that what was said
 * leaves it. */
typedef struct ak_start_names {
    const int64_t *counts;  // n; NULL: all names of its caption
    const int32_t **names;  // n
} ak_start_names;

typedef struct ak_assign_options {
    double theta;    // score of no name; used when count < 0
    int64_t count;   // faces to be named, confirmed ones among them; < 0: theta
    int64_t rounds;  // at most
    bool uniform;    // begin with 1/r for each of the r names of a caption
    bool minorise;   // 2 A y/s - (y'A y/s^2), monotone for a PSD affinity
    bool no_self;    // a face has no vote on its own name
    const double *prior;    // faces by names of all photos: logs of weights, of
                            // which 1 counts as one deviation of the scores;
                            // NULL: none
    const double *quality;  // of the faces: what their votes count; NULL: all 1
    ak_confirmed confirmed;  // a name that is not in the caption of its photo
                             // goes to no other face
    ak_start_names start_names;  // by `confirmed`; ak_label fills it
} ak_assign_options;

/* Scratch memory of the caller's mark. */
typedef struct ak_face_labels {
    int32_t *labels;    // n: a name, or n_names
    double *margins;    // n: what is lost by any other label for this face;
                        // INFINITY where there is none
    double theta;       // as used in the last round
    int64_t named;      // faces with a name
    int64_t reachable;  // most faces that could have one
    int64_t rounds;
    int64_t period;  // after how many rounds labels come back, 1: they stay;
                     // 0: they did not within `rounds`
    bool converged;  // nothing would change any more
} ak_face_labels;

akin_status ak_face_labels_new(ak_face_labels *out, akin_ctx *ctx,
                               const ak_shared_names *peers);

/* Fills the scores of all photos from labels, which are NULL in the first
 * round: each face then has all names of its caption that what was said leaves
 * it. */
struct ak_photos;
typedef akin_status (*ak_score_fn)(const void *arg, akin_ctx *ctx,
                                   const int32_t *labels,
                                   const ak_assign_options *o,
                                   struct ak_photos *photos);
typedef struct ak_scorer {
    const ak_shared_names *peers;
    ak_score_fn score;
    const void *arg;
    bool once;    // the scores do not depend on labels: one round
    bool blends;  // where labels go to and fro, the mean of scores decides
} ak_scorer;

/* Scores by the mean affinity to the faces that have a name. */
ak_scorer ak_votes_of(const ak_affinity *a);
/* The names that face g votes for, how many, and the weight of each. A name
 * that a person gave it although the caption has not, is no vote. */
int64_t ak_votes_get(const ak_shared_names *p, const int32_t *labels,
                     const ak_assign_options *o, int64_t g,
                     const int32_t **names, double *weight);

/* Rounds of: score each name for each face, then the best assignment of every
 * photo; until nothing changes, or labels of before come back. */
akin_status ak_label(ak_face_labels *out, akin_ctx *ctx,
                     const ak_scorer *scorer, const ak_assign_options *o);

/* theta such that ak_label names as close to `count` faces as bisection over
 * theta finds; the labels of the best one seen. */
akin_status ak_label_tuned(ak_face_labels *out, akin_ctx *ctx,
                           const ak_affinity *a, const ak_assign_options *o,
                           int64_t count);

#endif
