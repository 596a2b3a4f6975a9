/* learn/captions/rounds.h - what is convex once the labels that fit are fixed:
 * fix them, take steps, and again. asml and mms learn in this way.
 *
 *   x <- x - slope / (sigma (t + t0)),  t = 1, 2, ...                     (1)
 *
 * on some of the photos at a time. A round begins with a large t0: t = 1 would
 * forget where it began. */
#ifndef AK_LEARN_CAPTIONS_ROUNDS_H
#define AK_LEARN_CAPTIONS_ROUNDS_H

#include "base/ctx.h"
#include "learn/learner.h"

typedef struct ak_rounds {
    void *arg;
    int64_t size;  // numbers in x
    int64_t m;     // photos
    double sigma;  // weight of |x|^2 / 2, by which steps shorten
    /* The value at x; the labels that fit are then those that fit best. */
    akin_status (*objective)(double *out, void *arg, akin_ctx *ctx,
                             const double *x);
    /* One step of this length on `n` photos, with the labels as they are. */
    akin_status (*step)(double *x, void *arg, akin_ctx *ctx,
                        const int64_t *which, int64_t n, double eta);
} ak_rounds;

typedef struct ak_rounds_params {
    int64_t outer;   // rounds
    int64_t epochs;  // passes over the photos in each
    int64_t batch;   // photos a step; 0: all
    double eps;      // |x - x_prev| at which it ends
} ak_rounds_params;

/* The same as options of a learner; `x` is what changes. */
#define AK_ROUNDS_OPTIONS(struct_, x)                               \
    AK_OPTION(struct_, outer, 1, 1e6,                               \
              "rounds, each with the labels that fit best"),        \
        AK_OPTION(struct_, epochs, 1, 1e6,                          \
                  "passes over the photos in a round"),             \
        AK_OPTION(struct_, batch, 0, 1e9, "photos a step; 0: all"), \
        AK_OPTION(struct_, eps, 0.0, 1.0,                           \
                  "change of the " x " in a round that ends it")

typedef struct ak_rounds_result {
    double objective;
    int64_t outer;
    bool converged;
} ak_rounds_result;

/* (1) on `batch` of the photos in `order` after the other. */
akin_status ak_rounds_steps(double *x, const ak_rounds *r, akin_ctx *ctx,
                            const int64_t *order, int64_t n_order,
                            int64_t batch, double t0);
/* From x on; the best x seen is kept. */
akin_status ak_rounds_fit(ak_rounds_result *out, double *x, const ak_rounds *r,
                          akin_ctx *ctx, const ak_rounds_params *p);

#endif
