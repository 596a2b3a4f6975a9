/* akin/learn.h - learn a similarity from examples. */
#ifndef AKIN_LEARN_H
#define AKIN_LEARN_H

#include <akin/data.h>
#include <akin/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* First member of every options struct: the learner it configures, and the
 * size of the struct the caller was compiled with. */
typedef struct akin_options {
    const char *learner; /* "oasis" */
    uint64_t size;       /* of the whole struct, in bytes */
} akin_options;

/* How a run ended. Reaching a limit is an outcome, not an error. An online
 * learner has converged when it has seen all examples it was given. */
typedef enum { AKIN_CONVERGED, AKIN_STEP_LIMIT, AKIN_STALLED } akin_outcome;

typedef struct akin_learn_info {
    akin_outcome outcome;
    int64_t examples;   /* seen in this run */
    int64_t updates;    /* of them, those that changed the model */
    int64_t iterations; /* passes or iterations, what the learner counts */
    double loss;        /* mean over the run, before each update */
    double objective;   /* NAN where there is none */
    double seconds;     /* learning, without reading and writing */
} akin_learn_info;

/* Learn a model from `data` with the learner `options` names.
 *   out      written on success; free with akin_model_free. Also written when
 *            a value is not finite (AKIN_ENUMERIC): the last finite model; and
 *            when the run is cancelled (AKIN_ECANCELLED): the best model so
 *            far, unless the first iteration was not complete.
 *   options  not used after the call
 *   info     NULL, or filled, also when the run is cancelled
 * AKIN_EINVAL: an option is out of range; akin_ctx_message(ctx) names it. */
AKIN_API akin_status akin_learn(akin_model **out, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_supervision *data,
                                akin_learn_info *info);

/* The state of a run in a file, so that a run that was killed is continued. */
typedef struct akin_checkpoint_options {
    uint64_t size;    /* sizeof(akin_checkpoint_options) */
    const char *path; /* of the file */
    int64_t every;    /* written after so many iterations, or examples of an
                         online learner; 0: 10 iterations, 100,000 examples */
} akin_checkpoint_options;

#define AKIN_CHECKPOINT_DEFAULTS                 \
    {                                            \
        .size = sizeof(akin_checkpoint_options), \
    }

/* As akin_learn, on from the state in the file where there is one. The result
 * has the bytes of a run without interruption, also where the number of ranks
 * is another. The file is replaced atomically; rank 0 alone reads and writes
 * it. It stays after the call: remove it when the model is saved. *continued is
 * where the run went on; 0: from the start.
 * AKIN_EINVAL: the learner has no checkpoints, or the file is of a run with
 * other options, data, seed or version. AKIN_EFORMAT: the file is damaged. */
AKIN_API akin_status akin_learn_checkpointed(
    akin_model **out, int64_t *continued, akin_ctx *ctx,
    const akin_options *options, const akin_supervision *data,
    const akin_checkpoint_options *checkpoint, akin_learn_info *info);

/* Online learners: learn from what comes, in pieces. A then B gives the same
 * bytes as A and B together. `resume` is NULL or a model to resume from;
 * `rows` are those that the examples refer to. */
typedef struct akin_learning akin_learning;
AKIN_API akin_status akin_learning_begin(akin_learning **out, akin_ctx *ctx,
                                         const akin_options *options,
                                         const akin_supervision *data,
                                         const akin_model *resume);
/* `examples` are triplets (3 numbers each) of rows of the supervision that
 * `begin` was given; for a learner that ranks labels, rows (1 number each). */
AKIN_API akin_status akin_learning_observe(akin_ctx *ctx, akin_learning *l,
                                           const int64_t *examples,
                                           int64_t count);
/* All examples of the supervision, sampled and repeated as it says. */
AKIN_API akin_status akin_learning_observe_all(akin_ctx *ctx, akin_learning *l);
AKIN_API void akin_learning_info(akin_learn_info *info, const akin_learning *l);
/* Write the model to `path` during learning, so that a killed run can be
 * resumed: after every `examples` examples, counted over all runs of the model
 * (0: never), and every `seconds` seconds (0: never). The result of learning
 * does not depend on it. */
AKIN_API akin_status akin_learning_save_every(akin_ctx *ctx, akin_learning *l,
                                              const char *path,
                                              int64_t examples, double seconds);
/* Seconds until it is time to write it; INFINITY: there is nothing new, or no
 * clock. A caller that waits for examples calls `save` then. */
AKIN_API double akin_learning_save_in(const akin_learning *l);
AKIN_API akin_status akin_learning_save(akin_ctx *ctx, akin_learning *l);
/* The model as it is now; learning may go on. */
AKIN_API akin_status akin_learning_model(akin_model **out, akin_ctx *ctx,
                                         akin_learning *l);
AKIN_API void akin_learning_free(akin_learning *l);

/* ---- the registry ------------------------------------------------------ */

typedef enum { AKIN_F64, AKIN_I64, AKIN_STRING } akin_option_type;
/* Where an option has an effect, of a learner that also names faces. */
typedef enum { AKIN_ANY_USE, AKIN_TRAINING, AKIN_NAMING } akin_option_use;

typedef struct akin_option {
    const char *name; /* as in the struct; the flag has '-' for '_' */
    akin_option_type type;
    uint64_t offset;
    double min, max;     /* numbers: the range, both ends included */
    const char *choices; /* strings: "active|all"; a word in capitals is free */
    const char *help;
    const double *grid; /* numbers worth trying, NULL: not worth a search */
    int64_t n_grid;
    /* Options without which it has no effect, NULL: none.
     * "kernel|kernel_right": one of these is set; "task=rank": the option has
     * that value. A learner without the option named there heeds no such
     * condition. */
    const char *needs;
    const char *zero; /* a word for 0, "auto"; NULL: none */
    akin_option_use use;
} akin_option;

typedef struct akin_learner_info {
    const char *name;
    const char *summary;    /* what it is */
    const char *when;       /* when to use it */
    const char *paper;      /* key into docs/reference/papers.md */
    int64_t takes;          /* akin_knowledge, or-ed */
    const char *makes;      /* kind of model */
    int64_t names_faces;    /* 1: also akin_naming_learn, 2: that alone */
    int64_t has_affinities; /* 1: akin_naming_fuse adds to its affinities */
    int64_t takes_right;    /* 1: also between rows of two kinds, 2: only so */
    int64_t weighs_pairs;   /* 1: sums pairs, as akin_pair_weights say */
    int64_t is_online;
    int64_t takes_all; /* 1: draws none of the examples, but takes them all */
    int64_t most_columns; /* that it can work with; 0: any number */
    const akin_recipe_options *recipe; /* its default */
    const akin_options *defaults;
    const akin_option *options;
    int64_t n_options;
    const char *shares;      /* what ranks share of learning; NULL: nothing */
    int64_t has_checkpoints; /* of iterations; online learners all have them */
} akin_learner_info;

/* The i-th learner, NULL at the end; and by name, NULL when there is none. */
AKIN_API const akin_learner_info *akin_learner_at(int64_t i);
AKIN_API const akin_learner_info *akin_learner_find(const char *name);

/* What the checkpoints of a learner count: "examples" or "iterations"; NULL: it
 * has none. */
AKIN_API const char *akin_learner_checkpoints(const akin_learner_info *l);

/* A copy of the defaults, to be changed by name. Strings are borrowed. */
AKIN_API akin_status akin_options_new(akin_options **out, akin_ctx *ctx,
                                      const char *learner);
AKIN_API akin_status akin_options_set(akin_ctx *ctx, akin_options *options,
                                      const char *name, const char *value);
/* As text, the shortest that reads back the same. */
AKIN_API akin_status akin_options_get(char *text, akin_ctx *ctx,
                                      const akin_options *options,
                                      const char *name, uint64_t size);
AKIN_API void akin_options_free(akin_options *options);
/* What the paper of a learner has for an option, as text, also where that is
 * our default; and for the settings of a run "passes", "pair_weights",
 * "weights", "scale", "norm" and "center". NULL: the paper leaves it open. */
AKIN_API const char *akin_learner_published(const char *learner,
                                            const char *setting);
/* Set every option that has such a value to it. */
AKIN_API akin_status akin_options_as_published(akin_ctx *ctx,
                                               akin_options *options);
/* The recipe that suits them: the learner's own, but with a kernel that is
 * named, which has an origin of its own, columns scaled where units differ, and
 * a kernel matrix as it is. */
AKIN_API const akin_recipe_options *
akin_options_recipe(const akin_options *options);

#include <akin/learners.h>

#ifdef __cplusplus
}
#endif
#endif
