/* akin/tune.h - hyper-parameters, when to stop, and whether learning helped, by
 * validation. */
#ifndef AKIN_TUNE_H
#define AKIN_TUNE_H

#include <akin/eval.h>
#include <akin/learn.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a similarity is for, which decides how it is measured: finding rows of
 * the same label (map), giving a row the label of its nearest one (accuracy),
 * telling pairs that match from others (auc), ranking labels (map of the
 * labels). AKIN_FOR_AUTO: what the supervision suggests. Triplets and
 * quadruplets are measured by the share in the right order. */
typedef enum akin_purpose {
    AKIN_FOR_AUTO,
    AKIN_FOR_SEARCH,
    AKIN_FOR_CLASSIFY,
    AKIN_FOR_VERIFY,
    AKIN_FOR_RANK
} akin_purpose;

typedef struct akin_tune_options {
    uint64_t size; /* sizeof(akin_tune_options) */
    /* How many sets of options to try; the first is the one given, the others
     * are drawn from the grids. */
    int64_t trials;
    /* What decides: map, error, accuracy or auc; NULL: what fits the
     * supervision. */
    const char *measure;
    /* Share of the supervision that is held out, where `held` is NULL. */
    double fraction;
    /* Held-out supervision, of rows like those of `raw` where there are any;
     * NULL: a part of the data. */
    const akin_supervision *held;
    /* Not used any more. */
    int64_t keep;
    /* The rows before their recipe; NULL: recipes are not searched. */
    const akin_rows *raw, *raw_right;
    /* The recipe to keep; NULL: the learner's own, and others are tried. */
    const akin_recipe_options *recipe;
    /* What the similarity is for, unless `measure` says what to measure. */
    akin_purpose purpose;
    /* 1: the number of passes is not searched. */
    int64_t fixed_passes;
    /* The read-out; AKIN_BY_DEFAULT: it is chosen. */
    akin_compare by;
} akin_tune_options;

#define AKIN_TUNE_DEFAULTS                                                 \
    {                                                                      \
        .size = sizeof(akin_tune_options), .trials = 16, .fraction = 0.25, \
        .keep = 4,                                                         \
    }

typedef struct akin_trial {
    const akin_options *options; /* borrowed from the result */
    double score;                /* higher is better; error counts as minus */
    double seconds;
    int64_t examples;
    int64_t rung; /* how far it came */
    akin_status status;
} akin_trial;

typedef struct akin_tuning akin_tuning;
typedef struct akin_race akin_race;

/* Successive halving over seeded draws from the grids of the learner's option
 * table, its starts, passes and recipes, beginning with `base`
 * (options that the caller fixed are named in `fixed`, a NULL-ended list, and
 * are not searched). The best is learned again on everything. The same result
 * for any number of threads. */
AKIN_API akin_status akin_tune(akin_tuning **out, akin_model **model,
                               akin_ctx *ctx, const akin_options *base,
                               const char *const *fixed,
                               const akin_supervision *data,
                               const akin_tune_options *options,
                               akin_learn_info *info);
AKIN_API int64_t akin_tuning_count(const akin_tuning *t);
AKIN_API akin_trial akin_tuning_trial(const akin_tuning *t, int64_t i);
AKIN_API int64_t akin_tuning_best(const akin_tuning *t);
AKIN_API const char *akin_tuning_measure(const akin_tuning *t);
/* The comparison behind it, with the plain measures; borrowed. And its row of
 * trial i. */
AKIN_API const akin_race *akin_tuning_race(const akin_tuning *t);
AKIN_API int64_t akin_tuning_row(const akin_tuning *t, int64_t i);
AKIN_API void akin_tuning_free(akin_tuning *t);

/* ---- races ---- */

typedef struct akin_race_options {
    uint64_t size; /* sizeof(akin_race_options) */
    /* What the similarity is for; it decides what is measured. */
    akin_purpose purpose;
    /* What is measured instead: map, error, accuracy or auc; NULL: what fits
     * the purpose. */
    const char *measure;
    /* 1 to 5: how many rows, splits and sets of options. */
    int64_t effort;
    /* Only these learners and plain measures, a NULL-ended list; NULL: all
     * that fit. */
    const char *const *methods;
    /* 1: successive halving over recipes and options, too. 0: each learner
     * over its own recipe, all of them on the same splits. */
    int64_t halving;
    /* Sets of options drawn for each learner beside its defaults. */
    int64_t draws;
    /* Supervision of raw rows to score on; NULL: held-out parts of the data. */
    const akin_supervision *test;
    /* Share to hold out in a split; 0: what fits the number of examples. */
    double fraction;
    /* 1: the rows went through their recipe already, which is that of the
     * supervision, and none is searched. */
    int64_t as_is;
    /* One learner, beginning with these options, and the plain measures to
     * compare it with; NULL: all learners. */
    const akin_options *base;
    /* Options of `base` that are not searched, a NULL-ended list; NULL: none.
     */
    const char *const *fixed;
    /* The recipe of `base`; NULL: its own, and others are tried. */
    const akin_recipe_options *recipe;
    /* 1: the number of passes is not searched. */
    int64_t fixed_passes;
    /* The read-out of learners; AKIN_BY_DEFAULT: it is chosen. */
    akin_compare by;
} akin_race_options;

#define AKIN_RACE_DEFAULTS                                           \
    {                                                                \
        .size = sizeof(akin_race_options), .effort = 2, .halving = 1 \
    }

/* A plain measure, or a learner with its options, over a recipe. */
typedef struct akin_race_row {
    int64_t number; /* in the order in which candidates were listed */
    const char *method;
    const akin_options *options;       /* NULL: a plain measure */
    const akin_recipe_options *recipe; /* as it was asked for */
    const char *recipe_text; /* "scale=minmax"; borrowed, as all of these */
    int64_t is_plain;        /* 1: a measure without learning */
    double score, se;        /* of the held-out rows or examples; NAN: none */
    double gain, gain_se;    /* over the baseline on the same ones; NAN: none */
    double seconds;          /* to learn it once, mean over the splits */
    int64_t model_bytes;
    int64_t examples;     /* that it learned from in a split */
    int64_t passes;       /* over the examples; 0: as the data say */
    int64_t splits, rows; /* it was learned and scored on, the last time */
    int64_t rung;         /* how far it came */
    akin_compare by;      /* the read-out of its model */
    akin_status status;
    const char *message; /* why it failed or was left out; "" */
} akin_race_row;

/* Compare plain measures and learners on repeated splits of what is known about
 * raw rows (a supervision without a recipe), and learn the best again on
 * everything. The same result for any number of threads.
 *   model  NULL: nothing is learned after the comparison
 *   info   NULL, or filled with how learning the best ended
 * A candidate that fails is a row with its reason; AKIN_EINVAL: none fits, or
 * all failed. */
AKIN_API akin_status akin_race_run(akin_race **out, akin_model **model,
                                   akin_ctx *ctx, const akin_supervision *data,
                                   const akin_race_options *options,
                                   akin_learn_info *info);
/* Best first. */
AKIN_API int64_t akin_race_count(const akin_race *r);
AKIN_API akin_race_row akin_race_at(const akin_race *r, int64_t i);
/* The row that is the model, and the best plain measure; -1: none. */
AKIN_API int64_t akin_race_best(const akin_race *r);
AKIN_API int64_t akin_race_baseline(const akin_race *r);
AKIN_API const char *akin_race_measure(const akin_race *r);
/* "better", "same" or "worse" than the baseline, NULL: there is none. */
AKIN_API const char *akin_race_verdict(const akin_race *r);
/* Why the best was chosen, as a sentence. */
AKIN_API const char *akin_race_reason(const akin_race *r);
AKIN_API void akin_race_free(akin_race *r);

/* ---- verdicts ---- */

typedef enum akin_verdict_word {
    AKIN_NO_VERDICT,
    AKIN_BETTER,
    AKIN_SAME,
    AKIN_WORSE
} akin_verdict_word;
/* "better", "same", "worse"; NULL: there is none. */
AKIN_API const char *akin_verdict_text(akin_verdict_word word);

/* A learned similarity against the plain measure that it began from, on
 * supervision that was not learned from. Numbers are NAN where there are
 * none. */
typedef struct akin_verdict {
    akin_verdict_word word;
    const char *measure;          /* map, accuracy or auc; NULL: none */
    const char *baseline_measure; /* "cosine", "euclidean"; NULL: none */
    double held_out, held_out_se; /* of the learned, with standard errors */
    double baseline, baseline_se; /* of the plain measure */
    double difference;            /* on the same queries */
    double difference_se;
    int64_t queries;       /* or pairs, triplets, quadruplets */
    const char *fell;      /* the second measure, where that is worse */
    const char *reason;    /* why there is no verdict; else NULL */
    akin_compare read_out; /* how the model compares rows */
    double kept;           /* of an update: the share of its examples that is
                              learned from; NAN: it is not one */
    /* The model itself on examples it learned from, and the plain measure on
     * the same; NAN: not measured. */
    double on_learned, on_learned_baseline;
    /* Another plain measure, and the recipe of its rows, "none": as they are;
     * set where it is better than the learned on the same examples by more than
     * two standard errors, and better than the baseline; else NULL. */
    const char *plain_measure;
    char plain_recipe[96];
    double plain, plain_se;
} akin_verdict;

typedef struct akin_check_options {
    uint64_t size;        /* sizeof(akin_check_options) */
    akin_purpose purpose; /* which decides the measure */
    const char *measure;  /* instead: map, accuracy, error or auc; or NULL */
    int64_t verdict;      /* 0: choose the read-out alone */
    akin_compare by;      /* the read-out; AKIN_BY_DEFAULT: it is chosen */
    /* The rows before their recipe, over which other plain measures are tried,
     * too; NULL: over the prepared rows alone. */
    const akin_rows *raw, *raw_right;
    /* akin_guard: what must not become worse, of the kind of the new examples;
     * NULL: a part of these is held out. */
    const akin_supervision *held;
} akin_check_options;

#define AKIN_CHECK_DEFAULTS                               \
    {                                                     \
        .size = sizeof(akin_check_options), .verdict = 1, \
        .purpose = AKIN_FOR_AUTO, .by = AKIN_BY_DEFAULT,  \
    }

/* Check a model that was learned from `data` with these options: hold out a
 * part of the supervision, learn from the rest or from less, and score that.
 * Sets the read-out of the model: the learner's own, unless another comparison
 * did better by more than a standard error. Better or worse: by more than one
 * standard error of the difference; also worse where precision at 1 (or map)
 * fell by more than two, and where the model itself is worse on what it learned
 * from. The verdict depends on counts alone, not on time or
 * threads. AKIN_ECANCELLED: the model is as it was. */
AKIN_API akin_status akin_check(akin_verdict *verdict, akin_ctx *ctx,
                                akin_model *m, const akin_options *options,
                                const akin_supervision *data,
                                const akin_learn_info *info,
                                const akin_check_options *check_options);

/* An update of a model by further examples: how much of them can be learned
 * without making things worse? A part of them is held out; the baseline is the
 * model before. `kept` is the largest of 1, 0.5, 0.25 and 0.1 with which the
 * held-out part, or `held` of the options, is not worse than before by more
 * than a standard error, and 0 if there is none. Too few examples to say are
 * kept. */
AKIN_API akin_status akin_guard(akin_verdict *verdict, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_supervision *data,
                                const akin_model *before,
                                const akin_check_options *check_options);
/* The same knowledge, with this share of the examples in a pass. */
AKIN_API akin_status akin_supervision_share(akin_supervision **out,
                                            akin_ctx *ctx,
                                            const akin_supervision *data,
                                            const akin_options *options,
                                            double share);

/* A stream of triplets: some are scored by the model as it is before it learns
 * from them (progressive validation), beside the model to resume (`before`) or,
 * without one, a plain measure. `by`: the read-out; AKIN_BY_DEFAULT: it is
 * chosen, and set by akin_check with this comparison. `data` and `before` are
 * borrowed. `kept` of the verdict is 0 where the stream made a resumed model
 * worse. The verdict depends on the triplets alone, not on how they come. */
typedef struct akin_stream_check akin_stream_check;
AKIN_API akin_status akin_stream_check_new(akin_stream_check **out,
                                           akin_ctx *ctx,
                                           const akin_supervision *data,
                                           const akin_model *before,
                                           akin_compare by);
/* akin_learning_observe, checked. */
AKIN_API akin_status akin_stream_check_observe(akin_ctx *ctx,
                                               akin_stream_check *c,
                                               akin_learning *l,
                                               const int64_t *triplets,
                                               int64_t count);
AKIN_API akin_status akin_stream_check_verdict(akin_verdict *verdict,
                                               akin_ctx *ctx,
                                               akin_stream_check *c);
AKIN_API void akin_stream_check_free(akin_stream_check *c);

/* ---- when to stop ---- */

typedef struct akin_validate_options {
    uint64_t size; /* sizeof(akin_validate_options) */
    /* Share of the supervision that is held out, where `held` is NULL. */
    double fraction;
    /* Held-out supervision; NULL: a part of the data. */
    const akin_supervision *held;
    /* What decides: map, error, accuracy or auc; NULL: what fits the
     * supervision. */
    const char *measure;
    /* Examples between two checks; 0: 20 checks in all, or in each pass where
     * passes are automatic. */
    int64_t every;
    /* Checks without improvement before learning stops. */
    int64_t patience;
} akin_validate_options;

#define AKIN_VALIDATE_DEFAULTS                                   \
    {                                                            \
        .size = sizeof(akin_validate_options), .fraction = 0.25, \
        .patience = 5,                                           \
    }

typedef struct akin_validation {
    const char *measure;
    double score; /* of the model that is kept; higher is better, an error
                     counts as minus */
    int64_t checks;
    int64_t examples; /* of this run that the model kept has seen */
    int64_t stopped;  /* 1: before all examples were seen */
} akin_validation;

/* Learn online from a part of `data`, score the held-out rest every so many
 * examples, and return the model that did best there. It can be resumed, as
 * any; `resume` is NULL or such a model. */
AKIN_API akin_status akin_learn_validated(
    akin_model **out, akin_validation *validation, akin_ctx *ctx,
    const akin_options *options, const akin_supervision *data,
    const akin_model *resume, const akin_validate_options *validate,
    akin_learn_info *info);

#ifdef __cplusplus
}
#endif
#endif
