/* learn/metric/logdet.h - what lego and lego-diag share: a triplet is two
 * steps, (q, p) towards the distance y_sim, then (q, n) towards y_dis. */
#ifndef AK_LEARN_METRIC_LOGDET_H
#define AK_LEARN_METRIC_LOGDET_H

#include <string.h>

#include "learn/learner.h"

/* First member of the state of each of them. */
typedef struct ak_logdet {
    double eta, y_sim, y_dis;
    bool inequality;  // pairs on the right side of their target are skipped
    int32_t *cols;    // z = x - y of the pair, n entries
    double *z;
    int64_t n, capacity;
    double distance[2];  // of the last triplet's pairs, before their steps
    akin_status (*step)(void *state, double y, int side, double *distance,
                        bool *moved);
} ak_logdet;

akin_status ak_logdet_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                              const int64_t *triplets, int64_t count,
                              akin_learn_info *info);
/* Is the distance of a pair on the right side of its target y: below it (side
 * 1) or above it (-1)? Never where the target is an equality (0). */
static inline bool ak_logdet_satisfied(double distance, double y, int side)
{
    return (side > 0 && distance <= y) || (side < 0 && distance >= y);
}

/* The state of options `o` that has the fields eta, y_sim, y_dis, targets. */
#define AK_LOGDET_OF(o, step_)                                                 \
    {                                                                          \
        .eta = (o)->eta, .y_sim = (o)->y_sim, .y_dis = (o)->y_dis,             \
        .inequality = strcmp((o)->targets, "inequality") == 0, .step = (step_) \
    }
void ak_logdet_free(ak_logdet *l);

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
