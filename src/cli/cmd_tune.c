/* akin tune: train, choosing the hyper-parameters by validation. */
#include <akin/tune.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/judge.h"
#include "cli/parameters.h"
#include "cli/tune_command.h"

typedef struct judge_flags {
    const char *validate;
} judge_flags;

typedef struct tune_flags {
    lesson_flags lesson;
    akin_tune_options tune;
    judge_flags judge;
    knowledge_flags knowledge;
    sample_flags sample;
    right_flags right;
    recipe_flags recipe;
    reading_flags reading;
} tune_flags;

static const akin_tune_options standard = AKIN_TUNE_DEFAULTS;

static const app_option tune_options[] = {
    {"trials", "N", APP_FIELD(akin_tune_options, trials),
     .help = "settings to try; the first has the learner's defaults", .min = 1,
     .max = 1e6},
    {"measure", "map|error|accuracy|auc", APP_FIELD(akin_tune_options, measure),
     .help = "what decides; without it, what fits the supervision"},
};

static const app_group tune_group =
    APP_GROUP("Tuning", tune_options, &standard);

static const app_option judge_options[] = {
    {"validate", "FRACTION|FILE", APP_FIELD(judge_flags, validate),
     .help = CLI_VALIDATE_HELP},
};

static const app_group judge_group = APP_GROUP(
    "Judging", judge_options, (&(const judge_flags){.validate = "0.25"}));

static double shown_score(const akin_tuning *t, double score)
{
    return cli_judge_shown(akin_tuning_measure(t), score);
}

/* Options that differ between trials. */
static bool is_searched(const cli_lesson *l, const akin_option *o)
{
    return o->n_grid > 0 && !cli_lesson_was_given(l, o);
}

static akin_status print_trial(app *a, const cli_lesson *l,
                               const akin_tuning *t, int64_t i)
{
    char text[128];
    const akin_trial trial = akin_tuning_trial(t, i);
    akin_status st = AKIN_OK;
    snprintf(text, sizeof text, "%.4f", shown_score(t, trial.score));
    if (trial.status != AKIN_OK)
        snprintf(text, sizeof text, "failed");
    APP_TRY(app_print(a, "%5lld %9s %12s %10s", (long long)i, text,
                      app_count(trial.examples).text,
                      app_seconds(trial.seconds).text));
    for (int64_t k = 0; k < l->learner->n_options; ++k) {
        const akin_option *o = &l->learner->options[k];
        if (!is_searched(l, o))
            continue;
        APP_TRY(akin_options_get(text, a->ctx, trial.options, o->name,
                                 sizeof text));
        APP_TRY(app_print(a, " %9s", app_real(strtod(text, NULL)).text));
    }
    APP_TRY(app_print(a, "%s\n", i == akin_tuning_best(t) ? "  <- best" : ""));
done:
    return st;
}

static akin_status print_trials(app *a, const cli_lesson *l,
                                const akin_tuning *t)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, "trial %9s %12s %10s", akin_tuning_measure(t),
                      "examples", "time"));
    for (int64_t k = 0; k < l->learner->n_options; ++k)
        if (is_searched(l, &l->learner->options[k]))
            APP_TRY(app_print(a, " %9s", l->learner->options[k].name));
    APP_TRY(app_print(a, "\n"));
    for (int64_t i = 0; i < akin_tuning_count(t); ++i)
        APP_TRY(print_trial(a, l, t, i));
done:
    return st;
}

static json_t *trial_json(app *a, const cli_lesson *l, const akin_tuning *t,
                          int64_t i)
{
    const akin_trial trial = akin_tuning_trial(t, i);
    const bool ok = trial.status == AKIN_OK;
    return json_pack(
        "{s:o, s:o, s:o, s:I, s:s}", "params",
        cli_parameters_json(a, trial.options, l->learner, NULL), "score",
        ok ? app_json_real(shown_score(t, trial.score)) : json_null(),
        "seconds", app_json_real(trial.seconds), "examples",
        (json_int_t)trial.examples, "status",
        ok ? "ok" : akin_status_meaning(trial.status));
}

static akin_status print_json(app *a, const cli_lesson *l, const akin_tuning *t,
                              const akin_model *m, const akin_learn_info *info,
                              const char *path, const char *command)
{
    const int64_t best = akin_tuning_best(t);
    const akin_trial trial = akin_tuning_trial(t, best);
    json_t *rows = json_array();
    json_t *all = cli_lesson_json(a, l, trial.options, m, info, path);
    for (int64_t i = 0; i < akin_tuning_count(t); ++i)
        json_array_append_new(rows, trial_json(a, l, t, i));
    json_t *more = json_pack("{s:s, s:o, s:o, s:o}", "measure",
                             akin_tuning_measure(t), "trials", rows, "best",
                             trial_json(a, l, t, best), "command",
                             app_json_string(command));
    json_object_update(all, more);
    json_decref(more);
    return app_json_print(a, all);
}

static akin_status print_all(app *a, const cli_lesson *l, const akin_tuning *t,
                             const akin_model *m, const akin_learn_info *info,
                             const tune_flags *f)
{
    const akin_trial best = akin_tuning_trial(t, akin_tuning_best(t));
    const char *path = f->lesson.out;
    char *command = cli_tune_command(a, l, f, best.options);
    akin_status st = AKIN_OK;
    app_progress_clear(&a->progress);
    cli_lesson_warn(a, l, info);
    if (command == NULL) {
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    } else if (a->common.json) {
        st = print_json(a, l, t, m, info, path, command);
    } else {
        APP_TRY(print_trials(a, l, t));
        APP_TRY(app_print(a, "\nbest: %s\n", command));
        APP_TRY(cli_lesson_print(a, l, m, info, path));
    }
done:
    free(command);
    return st;
}

static akin_status check_others(app *a, const void *flags)
{
    const tune_flags *f = flags;
    return cli_parameters_known(a, f->lesson.learner, &cmd_tune);
}

static akin_status run(app *a, const void *flags)
{
    const tune_flags *f = flags;
    const lesson_input in = {&cmd_tune,   &f->lesson, &f->right,
                             &f->reading, &f->recipe, &f->knowledge,
                             &f->sample,  NULL,       false};
    akin_tune_options o = f->tune;
    cli_lesson l;
    cli_judge j = {0};
    akin_tuning *t = NULL;
    akin_model *m = NULL;
    akin_learn_info info = {0};
    akin_status st = AKIN_OK;

    APP_TRY(cli_lesson_open(a, &l, &in));
    APP_TRY(cli_judge_open(a, &j, &l, &f->reading, f->judge.validate));
    o.fraction = j.fraction;
    o.held = j.known;
    app_be_patient(true);
    st = akin_tune(&t, &m, a->ctx, l.options, l.given, l.known, &o, &info);
    app_be_patient(false);
    APP_TRY(cli_lesson_keep(a, st, m, f->lesson.out));
    APP_TRY(akin_model_save(a->ctx, m, f->lesson.out));
    APP_TRY(print_all(a, &l, t, m, &info, f));
done:
    akin_model_free(m);
    akin_tuning_free(t);
    cli_judge_close(&j);
    cli_lesson_close(&l);
    return st;
}

const app_command cmd_tune = {
    .name = "tune",
    .section = "learn",
    .summary = "the same, choosing the hyper-parameters by validation",
    .about =
        "Try settings drawn from the values that each parameter's table holds, "
        "judge them on a part of the supervision that is kept back, let the "
        "better ones go on with more examples, and learn the best again from "
        "everything. A parameter given as a flag is not searched. The line "
        "`best:` is the command that trains the same model again.",
    .examples = "akin tune solis-ada --data train.svm --trials 32 --out "
                "m.safetensors\n"
                "akin tune solis-ada --data train.svm --eta 0.1 --measure map "
                "--out m.safetensors",
    .size = sizeof(tune_flags),
    APP_PARTS({&cli_lesson_group, offsetof(tune_flags, lesson)},
              {&tune_group, offsetof(tune_flags, tune)},
              {&judge_group, offsetof(tune_flags, judge)},
              {&cli_right_group, offsetof(tune_flags, right)},
              {&cli_knowledge_group, offsetof(tune_flags, knowledge)},
              {&cli_sample_group, offsetof(tune_flags, sample)},
              {&cli_recipe_group, offsetof(tune_flags, recipe)},
              {&cli_reading_group, offsetof(tune_flags, reading)}),
    .excludes = CLI_ONE_KNOWLEDGE,
    .takes_others = true,
    .check_others = check_others,
    .run = run,
    .more_help = cli_learners_help,
};
