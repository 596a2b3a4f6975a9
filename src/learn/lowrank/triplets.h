/* learn/lowrank/triplets.h - learning a bilinear similarity from one triplet
 * after the other: the loop that these learners share.
 *   [1] Shalit, Weinshall, Chechik. Online learning in the embedded manifold of
 *       low-rank matrices. JMLR 13:429-458, 2012.
 *
 *   S(x, y) = x' W y                                     (1)
 *   D       = x+ - x-                                    (2)
 *   loss    = max(0, u - x' W D)                         (3)  [1]: u = 1
 *   -grad   = x D' where the loss is not 0               (4)
 *
 * With units "absolute", u = 1 and the length of a step is in units of r = 1,
 * as in [1]. With "relative" they are what the triplets so far, this one
 * included, have shown:
 *
 *   u = mean of |x' D|                                   (5)
 *   r = u / mean of |x|^2 |D|^2                          (6)
 *
 * so that the start has a margin of about 1 in units of u, a step of length 1
 * changes a margin by about as much, and rows times a constant give the same W.
 */
#ifndef AK_LEARN_LOWRANK_TRIPLETS_H
#define AK_LEARN_LOWRANK_TRIPLETS_H

#include "learn/learner.h"
#include "learn/lowrank/sparse_vectors.h"

/* A triplet as the two vectors of (4), and its loss. */
typedef struct ak_example {
    ak_spvec x, D;
    double x2, D2;  // squared norms
    double loss;
    ak_spvec_buffer x_memory, D_memory;
} ak_example;

/* What one learner provides. */
typedef struct ak_triplet_rule {
    /* x' W D */
    double (*margin)(void *state, const ak_example *e);
    /* The step after it when the loss is not 0. */
    akin_status (*step)(void *state, akin_ctx *ctx, const ak_example *e);
    /* After every triplet, with or without a loss; may be NULL. */
    akin_status (*after)(void *state, akin_ctx *ctx);
    /* Prefetch what a later triplet needs; may be NULL. */
    void (*fetch)(const void *state, const akin_rows *rows,
                  const int64_t *triplet);
} ak_triplet_rule;

/* First member of every state. */
typedef struct ak_triplet_head {
    const ak_triplet_rule *rule;
    double step_scale;         // multiplies the length of steps; 1 at the start
    bool relative;             // units
    double margins, products;  // sums of |x'D| and |x|^2 |D|^2
    int64_t seen;              // triplets in them
    double margin, step;       // u and r
    double before[3];          // the sums and `seen` at the last merge
    ak_example example;
} ak_triplet_head;

/* `units` is the option, or, with a state to resume, what that has. */
akin_status ak_triplet_head_begin(ak_triplet_head *h, akin_ctx *ctx,
                                  const ak_triplet_rule *rule,
                                  const char *units, const ak_tensors *resume);
akin_status ak_triplet_head_save(const ak_triplet_head *h, akin_ctx *ctx,
                                 ak_tensors *t);
/* What an option for the length of steps is in the rows' units. */
double ak_triplet_step(const ak_triplet_head *h, double length);
/* Several ranks: the triplets of all count into (5) and (6). */
void ak_triplet_head_divide(ak_triplet_head *h);
akin_status ak_triplet_head_merge(ak_triplet_head *h, akin_ctx *ctx);
void ak_triplet_head_end(ak_triplet_head *h);

/* For ak_online. */
akin_status ak_triplet_observe(void *state, akin_ctx *ctx,
                               const akin_rows *rows, const int64_t *triplets,
                               int64_t count, akin_learn_info *info);
akin_status ak_triplet_score(void *state, akin_ctx *ctx, const akin_rows *rows,
                             int64_t x, int64_t y, double *score);
void ak_triplet_set_step_scale(void *state, double scale);
#define AK_TRIPLET_ONLINE                                     \
    .observe = ak_triplet_observe, .score = ak_triplet_score, \
    .set_step_scale = ak_triplet_set_step_scale

/* What the entries of the methods of [1] share; `kind` is that of the model. */
#define AK_TRIPLET_ENTRY(kind)                                          \
    .paper = "shalit2012loreta",                                        \
    .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS, .makes = (kind), \
    .is_online = 1, .recipe = &ak_recipe_text

#endif
