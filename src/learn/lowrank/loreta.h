/* learn/lowrank/loreta.h - what the low-rank learners from triplets share.
 *   [1] Shalit, Weinshall, Chechik. Online learning in the embedded manifold of
 *       low-rank matrices. JMLR 13:429-458, 2012.
 *
 *   S(x, y) = x' W y,  W of rank k                       (1)
 *   D       = x+ - x-                                    (2)
 *   loss    = max(0, 1 - x' W D)                         (3)
 *   -grad   = x D' where the loss is not 0               (4)
 */
#ifndef AK_LEARN_LOWRANK_LORETA_H
#define AK_LEARN_LOWRANK_LORETA_H

#include "learn/average.h"
#include "learn/learner.h"
#include "learn/lowrank/factor.h"
#include "model/prototypes.h"

/* A triplet as the two vectors of (4), in memory of its own, and its loss. */
typedef struct ak_lesson {
    int32_t *q_cols, *D_cols;
    double *q_vals, *D_vals;
    int64_t q_room, D_room;
    ak_spvec q, D;
    double q2, D2;  // squared lengths
    double loss;
} ak_lesson;

akin_status ak_lesson_set(ak_lesson *l, akin_ctx *ctx, const akin_rows *rows,
                          const int64_t *triplet);
void ak_lesson_free(ak_lesson *l);

/* What sets a low-rank learner apart: the margin x' W D of a lesson, and the
 * step after it when the loss is not 0. */
typedef struct ak_loreta_rule {
    double (*margin)(void *state, const ak_lesson *l);
    akin_status (*step)(void *state, akin_ctx *ctx, ak_lesson *l);
    /* Ask memory for what a triplet will need, while another is learned from;
     * NULL: it is at hand. */
    void (*fetch)(const void *state, const akin_rows *rows,
                  const int64_t *triplet);
} ak_loreta_rule;

/* What every low-rank state begins with. */
typedef struct ak_loreta_head {
    const ak_loreta_rule *rule;
    ak_lesson lesson;
    /* After every round, whatever its loss; may be NULL. */
    akin_status (*after)(void *state, akin_ctx *ctx);
    double step_scale;  // multiplies the length of steps; 1 by default
} ak_loreta_head;

static inline ak_loreta_head ak_loreta_head_of(const ak_loreta_rule *rule)
{
    return (ak_loreta_head){.rule = rule, .step_scale = 1.0};
}

/* ak_online.observe for states that begin with a head. */
akin_status ak_loreta_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                              const int64_t *triplets, int64_t count,
                              akin_learn_info *info);

/* ak_online.score and set_step_scale for these. */
akin_status ak_loreta_score(void *state, akin_ctx *ctx, const akin_rows *rows,
                            int64_t x, int64_t y, double *score);
void ak_loreta_set_step_scale(void *state, double scale);

/* How a trained model compares: "dot" or "cosine". */
akin_compare ak_loreta_compare(const char *score);

/* ESHAPE unless a model in a file has these columns and this rank. */
akin_status ak_loreta_start_fits(const akin_model *m, akin_ctx *ctx,
                                 const char *path, akin_side side, int64_t n,
                                 int64_t k);

/* Where to begin: "identity" (NULL), "gauss" (N(0, 1) by the seed, `side` 0 or
 * 1), or a model's factor; n x k, scratch of the context. ESHAPE when a model
 * does not fit; EINVAL when k is more than n. */
akin_status ak_loreta_start(double **A, akin_ctx *ctx, const char *start,
                            akin_side side, int64_t n, int64_t k);

/* The same where one factor stands on both sides; EINVAL when those of a model
 * differ. */
akin_status ak_loreta_start_psd(double **Y, akin_ctx *ctx, const char *start,
                                int64_t n, int64_t k);

/* Rows of the option tables; starts: the words of `start`. */
#define AK_RANK_OPTION(type)                                                   \
    AK_OPTION_GRID(type, rank, 0, 1e6,                                         \
                   "rank of W; 0 = auto (30, or as many as there are columns " \
                   "or labels)",                                               \
                   10, 30, 50, 100)
#define AK_STARTS_OPTIONS(type, starts, text)                              \
    AK_OPTION_WORD(type, start, starts, text),                             \
        AK_OPTION_WORD_IF(type, score, "dot|cosine", "task=similarity",    \
                          "how rows are compared once learned"),           \
        AK_OPTION(type, prototypes, 0, AK_PROTOTYPES_MOST,                 \
                  "compare by the nearest of the heaps that learned rows " \
                  "stand in, found among so many; 0 = no")
#define AK_START_OPTIONS(type)                                             \
    AK_STARTS_OPTIONS(type, "identity|gauss|FILE",                         \
                      "begin with the first columns alone, at random, or " \
                      "at a model")
#define AK_LORETA_OPTIONS(type)                                                \
    AK_RANK_OPTION(type),                                                      \
        AK_OPTION_GRID(type, eta, 1e-12, 1e6, "size of a step", 0.1, 1.0, 3.0, \
                       10.0),                                                  \
        AK_LORETA_MORE(type)
#define AK_LORETA_MORE(type)                                                  \
    AK_OPTION(                                                                \
        type, max_s, 0.0, 1e6,                                                \
        "a step that is longer in the learned space is cut to this, so that " \
        "no rank is lost; 0 = never"),                                        \
        AK_STARTS_OPTIONS(type, "identity|zero|gauss|FILE",                   \
                          "begin with the first columns alone, with a full "  \
                          "matrix for 2 RANK mistakes, at random, or at a "   \
                          "model"),                                           \
        AK_OPTION_WORD(type, form, "auto|sparse|dense",                       \
                       "what a step works on: the columns that a row has, "   \
                       "or all; auto takes the faster, and both learn the "   \
                       "same")

/* Documents: counts by tf-idf, other numbers as they are; rows of length 1. */
extern const akin_recipe_options ak_recipe_text;

#endif
