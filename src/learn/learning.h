/* learn/learning.h - inside of akin_learning: an online learner at work. */
#ifndef AK_LEARN_LEARNING_H
#define AK_LEARN_LEARNING_H

#include "data/supervision/order.h"
#include "learn/average.h"
#include "learn/learner.h"

struct akin_learning {
    const ak_learner *learner;
    const ak_online *online;       // of the task
    int64_t width;                 // numbers in an example
    akin_options *options;         // a copy
    const akin_supervision *data;  // borrowed
    ak_sampler *sampler;           // of triplets, or
    ak_order *order;               // of rows with labels; neither: the
                                   // examples only come by observe
    void *state;
    int64_t seen;  // examples in all runs
    uint64_t seed;
    akin_learn_info info;
    ak_watch_fn watch;  // NULL: nobody looks
    void *watch_arg;
    int64_t watch_every;
    ak_average average;
};

/* Seconds, from some moment on. */
double ak_learning_now(void);

#endif
