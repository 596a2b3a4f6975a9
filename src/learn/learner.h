/* learn/learner.h - what a learner is: one entry of learners.def.
 *
 * A batch learner has `learn`. An online one has the functions of ak_online
 * instead, once for each task it has, and is driven by learn/online.c, which
 * draws the examples, reports progress, and resumes. */
#ifndef AK_LEARN_LEARNER_H
#define AK_LEARN_LEARNER_H

#include <akin/learn.h>

#include "base/ctx.h"
#include "data/supervision/supervision.h"
#include "model/model.h"

/* What an online learner begins from. */
typedef struct ak_online_input {
    const akin_options *options;
    const akin_supervision *data;
    const ak_sampler *sampler;  // NULL: the examples are a stream
    const ak_tensors *resume;   // the state that `save` wrote, or NULL
} ak_online_input;

/* Learning from examples as they come: triplets, three numbers each, or rows
 * with their labels, one number each (`rank` of ak_learner). `state` is the
 * learner's own. */
typedef struct ak_online {
    akin_status (*begin)(void **state, akin_ctx *ctx,
                         const ak_online_input *in);
    /* Learn from `count` examples; adds to examples, updates and the running
     * mean loss of info. ENUMERIC at the first value that is not finite: the
     * state is then that of the last finite step. */
    akin_status (*observe)(void *state, akin_ctx *ctx, const akin_rows *rows,
                           const int64_t *examples, int64_t count,
                           akin_learn_info *info);
    akin_status (*model)(akin_model **out, akin_ctx *ctx, void *state);
    akin_status (*save)(const void *state, akin_ctx *ctx, ak_tensors *t);
    /* Called after `begin` by a learner whose state is the model itself (its
     * `save` may be NULL); NULL otherwise. */
    akin_status (*resume)(void *state, akin_ctx *ctx, const akin_model *model);
    /* x'W y of rows x and y, as learned so far; NULL where the margin of a
     * triplet is not a difference of two such scores. */
    akin_status (*score)(void *state, akin_ctx *ctx, const akin_rows *rows,
                         int64_t x, int64_t y, double *score);
    /* Multiply the length of the following steps by `scale`; a learner that
     * has `score` has this, too. */
    void (*set_step_scale)(void *state, double scale);
    /* For ranks that have examples of their own. `divide` is called where all
     * have the same state: what changes is counted from there. *divided is
     * false while all must still learn from the same examples. After `merge`
     * all have the same state again. Both NULL: they always learn from the
     * same. */
    akin_status (*divide)(void *state, akin_ctx *ctx, bool *divided);
    akin_status (*merge)(void *state, akin_ctx *ctx);
    void (*free)(void *state);
} ak_online;

/* `shares` of a learner that has `merge`. */
#define AK_SHARES_SUMS                                                    \
    "examples; the sums of their gradients are added every 64 to 16,384 " \
    "examples"
#define AK_SHARES_STEPS \
    "examples; the steps of all are added every 64 to 16,384 examples"

/* Rows that the model of kernel-ridge keeps, unless its options say more. */
enum { AK_KEPT_ROWS = 2000 };

typedef struct ak_learner {
    akin_learner_info info;
    /* Sets options left at auto that follow from other options; may be NULL.
     * Called before an online learner begins. */
    void (*derive)(akin_options *options);
    akin_status (*learn)(akin_model **out, akin_ctx *ctx,
                         const akin_options *options,
                         const akin_supervision *data, akin_learn_info *info);
    bool is_closed_form;      // `learn` has no model before its end, also when
                              // it is cancelled
    int64_t most_rank;        // by default, where a larger one takes too long;
                              // 0: no limit
    const ak_online *online;  // from triplets
    const ak_online *rank;    // from rows with labels, to rank labels; a
                              // learner with both has an option `task`
} ak_learner;

/* Whether it ranks labels, with these options, rather than compares rows. */
bool ak_learner_ranks(const ak_learner *l, const akin_options *options);
/* Its functions for these options; NULL: it learns in a batch. */
const ak_online *ak_learner_online(const ak_learner *l,
                                   const akin_options *options);

/* One row of an option table. */
#define AK_OPTION_OF(struct_, field) \
    .name = #field,                                                   \
    .type = _Generic(((const struct_ *)0)->field, double              \
                     : AKIN_F64, int64_t                              \
                     : AKIN_I64, const char *                         \
                     : AKIN_STRING),                                  \
    .offset = offsetof(struct_, field)
#define AK_OPTION(struct_, field, low, high, text)                 \
    {                                                              \
        AK_OPTION_OF(struct_, field), .min = (low), .max = (high), \
                                      .help = (text)               \
    }
/* The same with values worth trying, for akin_tune. */
#define AK_OPTION_GRID(struct_, field, low, high, text, ...)                 \
    {                                                                        \
        AK_OPTION_OF(struct_, field),                                        \
            .min = (low), .max = (high), .help = (text),                     \
            .grid = (const double[]){__VA_ARGS__},                           \
            .n_grid = sizeof((const double[]){__VA_ARGS__}) / sizeof(double) \
    }
#define AK_OPTION_WORD(struct_, field, words, text)                      \
    {                                                                    \
        AK_OPTION_OF(struct_, field), .choices = (words), .help = (text) \
    }
/* The same for options that have an effect under a condition alone. */
#define AK_OPTION_IF(struct_, field, low, high, condition, text)           \
    {                                                                      \
        AK_OPTION_OF(struct_, field), .min = (low), .max = (high),         \
                                      .help = (text), .needs = (condition) \
    }
#define AK_OPTION_WORD_IF(struct_, field, words, condition, text)         \
    {                                                                     \
        AK_OPTION_OF(struct_, field), .choices = (words), .help = (text), \
                                      .needs = (condition)                \
    }
/* The same with a word for 0. */
#define AK_OPTION_ZERO(struct_, field, word, high, text)             \
    {                                                                \
        AK_OPTION_OF(struct_, field), .max = (high), .help = (text), \
                                      .zero = (word)                 \
    }
/* The same for options of training alone, or of naming faces alone. */
#define AK_OPTION_USE(struct_, field, low, high, what, text)        \
    {                                                               \
        AK_OPTION_OF(struct_, field), .min = (low), .max = (high),  \
                                      .help = (text), .use = (what) \
    }
/* The row of `units` of online learners. */
#define AK_UNITS_OPTION(type)                                               \
    AK_OPTION_WORD(type, units, "auto|relative|absolute",                   \
                   "margin and steps relative to the triplets seen, or as " \
                   "published; auto: relative for dense rows")
/* Options of an entry: their struct, its defaults and their rows. Refuses to
 * compile when a field has no row. */
#define AK_OPTION_ROWS(struct_, defaults_, table)                          \
    .defaults = &((const struct_)defaults_).head, .options = (table),      \
    .n_options =                                                           \
        sizeof(table) / sizeof(table)[0] +                                 \
        0 * sizeof(struct {                                                \
            int covered;                                                   \
            _Static_assert(sizeof(struct_) ==                              \
                               sizeof(akin_options) +                      \
                                   8 * (sizeof(table) / sizeof(table)[0]), \
                           "every field of " #struct_ " needs a row");     \
        })

/* The default recipe of learners for bags of words: counts by "sqrt-idf",
 * other numbers as they are, rows of length 1. */
extern const akin_recipe_options ak_recipe_counts;
/* Documents: counts by tf-idf, other numbers as they are, rows of length 1. */
extern const akin_recipe_options ak_recipe_text;
/* Dense rows: columns of mean 0 and variance 1. Sparse rows: of length 1, by
 * "sqrt-idf" unless some number is negative. */
extern const akin_recipe_options ak_recipe_standard;
/* That of learners between two kinds of rows: centred, dense columns of
 * variance 1, with a mean length of 1 on either side. */
extern const akin_recipe_options ak_recipe_centred;

/* Count one example into a run's figures. */
static inline void ak_learn_count(akin_learn_info *info, double loss,
                                  bool updated)
{
    ++info->examples;
    info->updates += updated;
    info->loss += (loss - info->loss) / (double)info->examples;
}

/* A count that a state noted; EFORMAT unless it is one that a run can reach and
 * still count on from (up to 2^53). */
akin_status ak_state_count(const ak_tensors *t, akin_ctx *ctx, const char *key,
                           int64_t *count);

/* Called during akin_learning_observe_all after every `every` examples and at
 * the end; *stop ends the run. */
typedef akin_status (*ak_monitor_fn)(void *arg, akin_ctx *ctx, akin_learning *l,
                                     bool *stop);
void ak_learning_set_monitor(akin_learning *l, int64_t every, ak_monitor_fn fn,
                             void *arg);
/* Every rank learns from all examples: the model has the same bytes for any
 * number of ranks. For a learning that has begun, and for akin_learn. */
void ak_learning_keep_whole(akin_learning *l);
akin_status ak_learn_whole(akin_model **out, akin_ctx *ctx,
                           const akin_options *options,
                           const akin_supervision *data, akin_learn_info *info);
/* Examples in one pass of such a run; 0: there are none to draw. */
int64_t ak_learning_pass(const akin_learning *l);
/* Examples in such a run, at most; 0: there are none to draw. */
int64_t ak_learning_total(const akin_learning *l);

const ak_learner *ak_learner_find(const char *name);

/* The option `score`: how the model compares rows. "auto" is chosen on held-out
 * examples by akin_check; until then it is the learner's own comparison. */
#define AK_SCORE_WORDS "auto|dot|cosine|distance"
#define AK_SCORE_HELP \
    "how the model compares rows; auto: what does best on held-out examples"
akin_compare ak_compare_by(const char *score, akin_compare own);
/* The option `blend`: the weight of the cosine of the rows themselves, -1 is
 * chosen as `score` is; until then 0. */
#define AK_OPTION_BLEND(struct_)                                            \
    AK_OPTION(struct_, blend, -1.0, 1e6,                                    \
              "weight of the cosine of the rows themselves beside the "     \
              "learned score, where both sides have the same columns; -1: " \
              "for rows of one kind what does best on held-out examples")

/* Options that mean the same in every online learner that has them, and that
 * the driver applies; 0 or false where a learner has none. */
typedef struct ak_shared_options {
    int64_t rank;        // of W; 0: chosen by the driver
    int64_t batch;       // examples per step
    int64_t prototypes;  // at most so many; 0: none
    double blend;        // weight of the cosine of the rows themselves
    bool averages;       // average "tail"
    bool symmetric;      // symmetry "positive"
    const char *start;   // "auto" where there is none
    const char *score;   // the same
    bool ranks;          // task "rank"
} ak_shared_options;
ak_shared_options ak_options_shared(const akin_options *options);
/* Does nothing when the learner has no rank. */
void ak_options_set_rank(akin_options *options, int64_t rank);
/* A word that is "auto" becomes another; does nothing when the learner has no
 * such option. */
void ak_options_set_auto(akin_options *options, const char *name,
                         const char *word);

/* EINVAL, naming the option and its range. */
akin_status ak_options_check(akin_ctx *ctx, const ak_learner *learner,
                             const akin_options *options);
/* The options as notes: "option.eta" = "0.1". */
akin_status ak_options_note(ak_tensors *notes, akin_ctx *ctx,
                            const ak_learner *learner,
                            const akin_options *options);

#endif
