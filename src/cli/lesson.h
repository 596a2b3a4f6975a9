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
    const char *sampler;
} sample_flags;
extern const app_group cli_sample_group;

typedef struct cli_lesson {
    const akin_learner_info *learner;
    akin_options *options;
    const char *given[APP_MOST_WORDS + 1];  // options by flag, NULL-ended
    akin_model *resume;                     // NULL: from the start
    akin_recipe *own_recipe;
    akin_model *recipe_model;   // --recipe may also name a model
    const akin_recipe *recipe;  // ours, or that of the model
    akin_rows *rows;            // through the recipe
    akin_supervision *known;
    akin_knowledge file_kind;  // of the file of examples, and its path
    const char *file;
    bool streams;  // examples come one by one, on standard input
} cli_lesson;

typedef struct lesson_input {
    const app_command *command;
    const lesson_flags *lesson;
    const reading_flags *reading;
    const recipe_flags *recipe;
    const knowledge_flags *knowledge;
    const sample_flags *sample;
    const char *resume;  // a model, or NULL
    bool may_stream;
} lesson_input;

akin_status cli_lesson_open(app *a, cli_lesson *l, const lesson_input *in);
void cli_lesson_close(app *a, cli_lesson *l);

/* EFORMAT: "x.txt: there are no triplets". */
akin_status cli_no_examples(app *a, akin_knowledge kind, const char *path);

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
