/* learn/metric/logdet.h - what the LogDet learners share: a triplet is two
 * steps, (q, p) towards the distance y_sim, then (q, n) towards y_dis. */
#ifndef AK_LEARN_METRIC_LOGDET_H
#define AK_LEARN_METRIC_LOGDET_H

#include "learn/learner.h"

/* What every such state begins with. */
typedef struct ak_logdet {
    double eta, y_sim, y_dis;
    bool inequality;  // a pair that is on the right side already is left alone
    int32_t *cols;    // z = x - y of the pair, n entries of `room`
    double *z;
    int64_t n, room;
    double distance[2];  // of the last triplet's pairs, before their steps
    akin_status (*step)(void *state, double y, int side, double *distance,
                        bool *moved);
} ak_logdet;

akin_status ak_logdet_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                              const int64_t *triplets, int64_t count,
                              akin_learn_info *info);
/* Is the distance, of a pair that should be near (side 1) or far (-1), or at y
 * (0), fine as it is? */
static inline bool ak_logdet_is_fine(double distance, double y, int side)
{
    return (side > 0 && distance <= y) || (side < 0 && distance >= y);
}

/* eta, y_sim, y_dis, targets of the options. */
void ak_logdet_set(ak_logdet *l, const akin_options *options);
void ak_logdet_free(ak_logdet *l, akin_ctx *ctx);

#define AK_LOGDET_OPTIONS(type)                                               \
    AK_OPTION_GRID(type, eta, 1e-12, 1e12,                                    \
                   "weight of the wanted distance against staying", 1e-3,     \
                   1e-2, 1e-1, 1.0),                                          \
        AK_OPTION_GRID(type, y_sim, 0.0, 1e12,                                \
                       "wanted squared distance of a similar pair", 0.5, 1.0, \
                       1.5),                                                  \
        AK_OPTION_GRID(type, y_dis, 0.0, 1e12,                                \
                       "wanted squared distance of a dissimilar pair", 1.8,   \
                       1.9, 2.0),                                             \
        AK_OPTION_WORD(type, targets, "equality|inequality",                  \
                       "reach the targets, or only the right side of them")

#endif
