/* cli/training.h - what train and tune share: a learner with its options, rows
 * through a recipe, supervision, a held-out part of it, and the report. */
#ifndef CLI_TRAINING_H
#define CLI_TRAINING_H

#include <akin/learn.h>
#include <jansson.h>

#include "app/app.h"
#include "cli/flags.h"

typedef struct training_flags {
    const char *learner;
    const char *data;
    const char *out;
    bool as_published;
} training_flags;
extern const app_group cli_training_group;

typedef struct sample_flags {
    int64_t sample;
    int64_t passes;
    const char *sampler, *pair_weights;
} sample_flags;
extern const app_group cli_sample_group;

/* Rows through a recipe. */
typedef struct cli_side {
    akin_rows *rows;            // NULL: this side is not there
    const akin_recipe *recipe;  // ours, or that of a model
    akin_recipe *own;
    akin_model *model;  // --recipe may also name a model
    akin_rows *raw;     // before the recipe; NULL: not kept
} cli_side;
/* The recipe of a file, or of a model. */
akin_status cli_load_recipe(app *a, cli_side *side, const char *path,
                            akin_side which);
/* The rows of `raw` through it. EINVAL: nothing is left of them. */
akin_status cli_apply_recipe(app *a, cli_side *side, const akin_rows *raw,
                             const char *path);
void cli_side_close(cli_side *side);
/* The rows before the recipe, which are the rows where there is none; NULL:
 * they were not kept. */
const akin_rows *cli_raw_rows(const cli_side *side);

typedef struct cli_training {
    const akin_learner_info *learner;
    akin_options *options;
    const char *given[APP_MOST_WORDS + 2];  // options by flag, NULL-ended
    akin_model *resume;                     // NULL: from the start
    const char *data;                       // the path of the rows
    cli_side left, right;
    akin_supervision *known;
    bool all_pairs;            // --pairs all: the labels decide
    akin_knowledge file_kind;  // of the file of examples, and its path
    const char *file;
    bool streams;  // examples come one by one, on standard input
    bool as_published;
} cli_training;

typedef struct training_input {
    const app_command *command;
    const training_flags *training;
    const right_flags *right;
    const reading_flags *reading;
    const recipe_flags *recipe;
    const knowledge_flags *knowledge;
    const sample_flags *sample;
    const char *resume;  // a model, or NULL
    bool may_stream;
    int64_t keeps_raw;  // the rows before the recipe, too, if they have no more
                        // numbers than this
} training_input;

/* EINVAL for a flag that neither the command nor the learner has. `flags` begin
 * with training_flags. */
akin_status cli_training_check(app *a, const void *flags);
akin_status cli_training_open(app *a, cli_training *training,
                              const training_input *in);
void cli_training_close(cli_training *training);
/* Prepare the rows, which were kept, by the recipe of this model instead. */
akin_status cli_training_adopt(app *a, cli_training *training,
                               const training_input *in, const akin_model *m);

/* Does the model rank labels, and so keep their names? */
bool cli_ranks_labels(app *a, const cli_training *training);

#define CLI_VALIDATE_HELP \
    "share of the supervision to hold out, or a file of the same kind"
/* A paragraph of `about`. */
#define CLI_VALIDATE_ABOUT                                                  \
    "--validate: each held-out row is a query over all rows, the training " \
    "rows included. With --right, left rows are held out and query "        \
    "the right ones; where labels are ranked, right rows are held out."

/* What a validation measures: a held-out part, or a file of its own. */
typedef struct cli_held_out {
    double fraction;          // 0: there is a file
    akin_supervision *known;  // of the file
    akin_rows *rows;
} cli_held_out;

/* A file of the kind that is learned from, which a flag names. */
akin_status cli_held_out_read(app *a, cli_held_out *h,
                              const cli_training *training,
                              reading_flags reading, const char *flag,
                              const char *path);
/* `validate` is a fraction or a file; EINVAL for a fraction out of range. */
akin_status cli_held_out_open(app *a, cli_held_out *h,
                              const cli_training *training,
                              const reading_flags *reading,
                              const char *validate);
void cli_held_out_close(cli_held_out *h);

/* As it is shown: an error is small when it is good. */
double cli_shown_score(const char *measure, double score);

/* What is left of a run that failed: writes the model there is, if any, when it
 * was interrupted or a value was not finite, and says so. It goes to `path`, or
 * beside it where there is a file that it does not replace. Returns `st`. */
akin_status cli_training_keep(app *a, akin_status st, const akin_model *m,
                              const char *path, bool replaces);

/* What a run and its model m are, as keys of APP_OBJECT. */
#define CLI_RUN_KEYS(m, info)                                             \
    APP_KEY("dim", akin_model_dim(m, AKIN_LEFT)),                         \
        APP_KEY("examples", (info)->examples),                            \
        APP_KEY("updates", (info)->updates),                              \
        APP_KEY("seconds", (info)->seconds),                              \
        APP_KEY("peak_rss_mib", round(10.0 * app_peak_rss_mib()) / 10.0), \
        APP_KEY("loss", (info)->loss),                                    \
        APP_KEY("objective", (info)->objective),                          \
        APP_KEY("iterations", (info)->iterations),                        \
        APP_KEY("converged", (bool)((info)->outcome == AKIN_CONVERGED)),  \
        APP_KEY("nonzeros", akin_model_nonzeros(m)),                      \
        APP_KEY("rank", akin_model_rank(m))

/* A run that stopped before it converged is worth a warning. */
void cli_training_warn(app *a, const cli_training *training,
                       const akin_learn_info *info);
/* What a run came to: one JSON object of all that matters (NULL when memory
 * runs out), or the line that training ends with. */
json_t *cli_training_json(app *a, const cli_training *training,
                          const akin_options *options, const akin_model *m,
                          const akin_learn_info *info, const char *path);
akin_status cli_training_print(app *a, const cli_training *training,
                               const akin_model *m, const akin_learn_info *info,
                               const char *path);

/* A section of help: the learners that akin train can make, with one line on
 * when to use each. */
akin_status cli_learners_help(app *a);

#endif
