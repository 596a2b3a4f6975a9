/* learn/metric/lego.h - what lego and lego-diag share: the current pair. */
#ifndef AK_LEARN_METRIC_LEGO_H
#define AK_LEARN_METRIC_LEGO_H

#include "learn/learner.h"

/* First member of the state of each of them. */
typedef struct ak_lego_pair {
    double eta, y_sim, y_dis;
    bool inequality;  // pairs on the right side of their target are skipped
    int32_t *cols;    // z = x - y of the pair, n entries
    double *z;
    int64_t n, capacity;
    bool relative;       // units
    double distances;    // sum of |x - y|^2 of dissimilar pairs
    int64_t seen;        // pairs in it
    double distance[2];  // of the last triplet's pairs, before their steps
    akin_status (*step)(void *state, double y, int side, double *distance,
                        bool *moved);
} ak_lego_pair;

#endif
