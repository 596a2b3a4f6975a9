/* learn/diagonal/solis.h - what the four SOLIS learners share.
 *   [1] Gao, Hoi, Zhang, Zhou, Wan, Chen, Li, Zhu. SOLIS: Sparse Online
 *       Learning of Image Similarity. ACM TIST 8(5), 2017.
 *
 *   S(x, y) = sum_j w_j x_j y_j                         (1)
 *   v       = x * (x+ - x-), elementwise                (2)
 *   loss    = max(0, 1 - w.v)                           (3)  [1] eq. 7
 *   g       = -v if loss > 0, else 0                    (4)  subgradient of (3)
 *
 * A round with loss > 0 is active. All four keep their state lazily: a round
 * reads and writes the coordinates of v alone, and yet gives the weights that
 * a pass over all coordinates would give, because
 * soft(soft(x, a), b) = soft(x, a + b).
 *
 * Counters: t rounds so far; N steps so far (active rounds, or all rounds when
 * the clock is "all"); T the round of the last step. With a start w0 the
 * similarity is w0 + w, and w is what is learned and kept sparse. */
#ifndef AK_LEARN_DIAGONAL_SOLIS_H
#define AK_LEARN_DIAGONAL_SOLIS_H

#include <math.h>

#include "la/clones.h"
#include "learn/learner.h"

typedef struct ak_solis ak_solis;

/* What one of the four provides. */
typedef struct ak_solis_rule {
    int64_t width;  // doubles of state a coordinate
    /* One round on v, given on its n non-zeros; returns the loss before it. */
    double (*round)(ak_solis *s, int64_t n, const int32_t *cols,
                    const double *v);
    /* w_j as of now from the state of a coordinate. */
    double (*value)(const ak_solis *s, const double *cell);
    /* Recompute what a cell caches after a resume; NULL: nothing. */
    void (*refresh)(const ak_solis *s, double *cell);
} ak_solis_rule;

struct ak_solis {
    const ak_solis_rule *rule;
    int64_t d;
    double eta, lambda, delta, gamma, rho;
    bool every_round;  // clock "all"
    int64_t t, N, T;
    double *cells;  // d x rule->width, in memory
    void *memory;
    double *w0;     // d; NULL: zero
    double *w;      // scratch of a round: weights, and G and 1 / H of the
    double *G, *h;  // adaptive two; `room` doubles each, in one allocation
    int64_t room;
    struct ak_hadamards *block;
};

/* sign(x) max(|x| - a, 0); no fmax, which is a call. */
static inline double ak_soft(double x, double a)
{
    const double rest = fabs(x) - a;
    return copysign(rest > 0.0 ? rest : 0.0, x);
}

/* 1 / (delta + sqrt G) of the adaptive two; 0 for a coordinate that was never
 * touched when delta = 0. */
static inline double ak_solis_inverse_H(double delta, double G)
{
    const double H = delta + sqrt(G);
    return H > 0.0 ? 1.0 / H : 0.0;
}

/* h = 1 / H of n coordinates side by side, where root and quotient can be taken
 * several at a time. */
void ak_solis_inverse_Hs(double delta, int64_t n, const double *G, double *h);

/* The loss (3) from the weights of v's coordinates in s->w, before the start
 * is added; -1 stands for a value that is not finite. */
double ak_solis_loss(const ak_solis *s, int64_t n, const int32_t *cols,
                     const double *v);

/* Count the round; `active` says whether it was. */
static inline void ak_solis_advance(ak_solis *s, bool active)
{
    ++s->t;
    if (active || s->every_round) {
        ++s->N;
        s->T = s->t;
    }
}

/* The functions of ak_online, the same for all four; the rule is the table's.
 */
akin_status ak_solis_begin(void **state, akin_ctx *ctx,
                           const ak_online_input *in);
akin_status ak_solis_observe(void *state, akin_ctx *ctx, const akin_rows *rows,
                             const int64_t *triplets, int64_t count,
                             akin_learn_info *info);
akin_status ak_solis_model(akin_model **out, akin_ctx *ctx, void *state);
akin_status ak_solis_save(const void *state, akin_ctx *ctx, ak_tensors *t);
void ak_solis_free(void *state, akin_ctx *ctx);
/* Rounds on vectors v that are given, for measurements. */
akin_status ak_solis_rounds(ak_solis *s, akin_ctx *ctx, int64_t count,
                            const int64_t *offsets, const int64_t *counts,
                            const int32_t *cols, const double *vals,
                            akin_learn_info *info);

/* Rows of the option tables that all four have. */
#define AK_SOLIS_OPTIONS(type)                                             \
    AK_OPTION_WORD(type, clock, "active|all",                              \
                   "which rounds are steps: those with a loss, or all"),   \
        AK_OPTION_WORD(type, start, "zero|mask|FILE",                      \
                       "begin at zero, at the words of the positives, or " \
                       "at a model's weights; what is learned is added"),  \
        AK_OPTION(type, start_weight, 0.0, 1e6,                            \
                  "weight of the words of the positives with --start mask")
#define AK_SOLIS_LAMBDA(type)                  \
    AK_OPTION_GRID(type, lambda, 0.0, 1e6,     \
                   "how strongly weights are " \
                   "drawn to zero",            \
                   1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3)
#define AK_SOLIS_ETA(type)                                                    \
    AK_OPTION_GRID(type, eta, 1e-12, 1e6, "size of a step", 1e-3, 1e-2, 3e-2, \
                   1e-1, 1.0)
#define AK_SOLIS_DELTA(type)                   \
    AK_OPTION_GRID(type, delta, 0.0, 1e6,      \
                   "damps the first steps of " \
                   "a coordinate",             \
                   1e-4, 3e-3, 1e-2, 1e-1)

#define AK_SOLIS_ONLINE(rule_)                                                 \
    {                                                                          \
        .rule = (rule_), .begin = ak_solis_begin, .observe = ak_solis_observe, \
        .model = ak_solis_model, .save = ak_solis_save, .free = ak_solis_free, \
    }
/* What all four take, make and cite. */
#define AK_SOLIS_ENTRY                                                      \
    .paper = "gao2017solis",                                                \
    .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS, .makes = "diagonal", \
    .is_online = 1, .recipe = &ak_recipe_counts

#endif
