/* cli/lesson.h - what train and tune share: a learner with its options, rows
 * through a recipe, and what is known about them. */
#ifndef CLI_LESSON_H
#define CLI_LESSON_H

#include <akin/learn.h>
#include <jansson.h>

#include "app/app.h"
#include "cli/flags.h"

typedef struct lesson_flags {
    const char *learner;
    const char *data;
    const char *out;
} lesson_flags;
extern const app_group cli_lesson_group;

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
} cli_side;
void cli_side_close(cli_side *side);

typedef struct cli_lesson {
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
} cli_lesson;

typedef struct lesson_input {
    const app_command *command;
    const lesson_flags *lesson;
    const right_flags *right;
    const reading_flags *reading;
    const recipe_flags *recipe;
    const knowledge_flags *knowledge;
    const sample_flags *sample;
    const char *resume;  // a model, or NULL
    bool may_stream;
} lesson_input;

akin_status cli_lesson_open(app *a, cli_lesson *l, const lesson_input *in);
void cli_lesson_close(cli_lesson *l);
/* The part of it that reads rows. */
akin_status cli_lesson_rows(app *a, cli_lesson *l, const lesson_input *in);
/* What is known of these rows before any file of examples. */
akin_status cli_lesson_known(app *a, const cli_lesson *l, akin_rows *left,
                             akin_supervision **out);

/* EFORMAT: "x.txt: there are no triplets". */
akin_status cli_no_examples(app *a, akin_knowledge kind, const char *path);

/* What is left of a run that failed: writes the model there is, if any, when it
 * was interrupted or a value was not finite, and says so. Returns `st`. */
akin_status cli_lesson_keep(app *a, akin_status st, const akin_model *m,
                            const char *path);

/* A run that stopped before it converged is worth a warning. */
void cli_lesson_warn(app *a, const cli_lesson *l, const akin_learn_info *info);
/* What a run came to: one JSON object of all that matters (NULL when memory
 * runs out), or the line that training ends with. */
json_t *cli_lesson_json(app *a, const cli_lesson *l,
                        const akin_options *options, const akin_model *m,
                        const akin_learn_info *info, const char *path);
akin_status cli_lesson_print(app *a, const cli_lesson *l, const akin_model *m,
                             const akin_learn_info *info, const char *path);

/* The learners, with one line on when to use each. */
akin_status cli_learners_help(app *a);

#endif
