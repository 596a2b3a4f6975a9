/* learn/lowrank/plain.h - low-rank learners that keep their factors as they
 * are: W = A B', or Y Y'. A step changes the rows in the supports of x and D
 * alone, at the cost of their non-zeros times k. learn/lowrank/loreta.h has (1)
 * to (4). */
#ifndef AK_LEARN_LOWRANK_PLAIN_H
#define AK_LEARN_LOWRANK_PLAIN_H

#include "learn/lowrank/loreta.h"

typedef struct ak_plain {
    ak_loreta_head head;
    int64_t n, k;
    double *A, *B;    // n x k; B is A where there is one Y
    double *Aq, *BD;  // A'x and B'D of the lesson, k each
    double eta, C;    // what the learner has of these
    bool at_once;     // order "simultaneous"
    bool psd;
    akin_compare by;
} ak_plain;

/* What sets a learner apart, for ak_online.rule. */
typedef struct ak_plain_rule {
    ak_loreta_rule rule;  // `margin` is ak_plain_margin
    bool psd;
} ak_plain_rule;

double ak_plain_margin(void *state, const ak_lesson *l);

/* What the options say, and room for Aq and BD; into zeroed memory. */
akin_status ak_plain_options(ak_plain *s, akin_ctx *ctx,
                             const akin_options *options);
/* A factor, n x k: a copy of `start` (NULL: the identity), or as `resume` has
 * it by name. */
akin_status ak_plain_factor(double **A, akin_ctx *ctx, int64_t n, int64_t k,
                            const double *start, const char *name,
                            const ak_tensors *resume);
/* What it holds, not itself. */
void ak_plain_end(ak_plain *s);

/* The functions of ak_online. */
akin_status ak_plain_begin(void **state, akin_ctx *ctx,
                           const ak_online_input *in);
akin_status ak_plain_model(akin_model **out, akin_ctx *ctx, void *state);
akin_status ak_plain_save(const void *state, akin_ctx *ctx, ak_tensors *t);
void ak_plain_free(void *state);

#define AK_PLAIN_ONLINE(rule_)                                               \
    {                                                                        \
        .rule = (rule_), .begin = ak_plain_begin,                            \
        .observe = ak_loreta_observe, .score = ak_loreta_score,              \
        .set_step_scale = ak_loreta_set_step_scale, .model = ak_plain_model, \
        .save = ak_plain_save, .free = ak_plain_free                         \
    }

#endif
