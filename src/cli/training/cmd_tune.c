/* akin tune: train, choosing the hyper-parameters by validation. */
#include <akin/tune.h>
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/training/checking.h"
#include "cli/training/parameters.h"
#include "cli/training/racing.h"
#include "cli/training/training.h"

typedef struct validate_flags {
    const char *validate, *purpose;
} validate_flags;

typedef struct tune_flags {
    training_flags training;
    akin_tune_options tune;
    validate_flags validate;
    check_flags check;
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
     .help = "what to optimise; without it, what fits --for"},
};

static const app_group tune_group =
    APP_GROUP("Tuning", tune_options, &standard);

static const app_option validate_options[] = {
    {"validate", "FRACTION|FILE", APP_FIELD(validate_flags, validate),
     .help = CLI_VALIDATE_HELP},
    {"for", CLI_FOR_WORDS, APP_FIELD(validate_flags, purpose),
     .help = CLI_FOR_HELP, .excludes = "measure"},
};

static const app_group validate_group =
    APP_GROUP("Validation", validate_options,
              (&(const validate_flags){.validate = "0.25"}));

/* ---- the command that trains the best again ---- */

/* Quote a word for a shell. */
static void put_word(FILE *f, const char *word)
{
    bool plain = word[0] != '\0';
    for (const char *s = word; *s && plain; ++s)
        plain = isalnum((unsigned char)*s) || strchr("_./,:=+@%-", *s);
    if (plain) {
        fputs(word, f);
        return;
    }
    fputc('\'', f);
    for (const char *s = word; *s; ++s)
        fputs(*s == '\'' ? "'\\''" : (const char[]){*s, '\0'}, f);
    fputc('\'', f);
}

static void put_flag(FILE *f, const app_option *o, const void *field)
{
    char text[64];
    fprintf(f, " --%s", o->name);
    if (o->type == APP_SWITCH)
        return;
    fputc(' ', f);
    app_option_text(o, field, text, sizeof text);
    put_word(f, o->type == APP_TEXT ? *(const char *const *)field : text);
}

static bool train_has(const app_group *g)
{
    const app_group *other;
    for (int64_t i = 0; (other = app_group_at(&cmd_train, i, NULL)); ++i)
        if (other == g)
            return true;
    return false;
}

/* The flags given to akin tune that akin train takes too. */
static void put_given(FILE *f, const app *a, const void *flags)
{
    const app_option *o;
    const app_group *g;
    size_t offset;
    for (int64_t i = 0; (o = app_option_at(&cmd_tune, i, &g, &offset)); ++i) {
        const bool common = g == &app_common_group;
        const void *base = common ? (const void *)&a->common : flags;
        if (train_has(g) && app_was_given(a, o->name) &&
            !(o->flags & APP_ARGUMENT) &&
            (!common || strcmp(o->name, "seed") == 0))
            put_flag(f, o, (const unsigned char *)base + offset);
    }
}

/* Was the learner's option on the command line? */
static bool was_given(const cli_training *training, const akin_option *o)
{
    for (int i = 0; training->given[i] != NULL; ++i)
        if (strcmp(training->given[i], o->name) == 0)
            return true;
    return false;
}

/* A recipe that is not the learner's own. */
static void put_recipe(FILE *f, const cli_training *training,
                       const akin_race_row *best)
{
    const akin_recipe_options *own = akin_options_recipe(training->options);
    const akin_recipe_options *r = best->recipe;
    if (training->left.raw == NULL || own == NULL ||
        (strcmp(own->weights, r->weights) == 0 &&
         strcmp(own->scale, r->scale) == 0 && strcmp(own->norm, r->norm) == 0))
        return;
    fprintf(f, " --weights %s --scale %s --norm %s", r->weights, r->scale,
            r->norm);
}

/* "akin train solis-ada --data x.svm --out m --eta 0.1", quoted for a shell;
 * `flags` are those of akin tune. Free with free(); NULL: out of memory. */
static char *train_command(app *a, const cli_training *training,
                           const void *flags, const akin_race_row *best)
{
    char *command = NULL, text[512], first[512];
    size_t size = 0;
    cli_parameter p;
    FILE *f = open_memstream(&command, &size);
    if (f == NULL)
        return NULL;
    fprintf(f, "akin train %s", training->learner->name);
    put_given(f, a, flags);
    put_recipe(f, training, best);
    if (best->passes > 0)
        fprintf(f, " --passes %lld", (long long)best->passes);
    for (int64_t k = 0; k < training->learner->n_options; ++k) {
        const akin_option *o = &training->learner->options[k];
        akin_options_get(text, a->ctx, best->options, o->name, sizeof text);
        akin_options_get(first, a->ctx, training->options, o->name,
                         sizeof first);
        if (!was_given(training, o) && o->n_grid == 0 &&
            strcmp(text, first) == 0)
            continue;
        cli_parameter_of(&p, o);
        fprintf(f, " --%s ", p.flag);
        put_word(f, text);
    }
    if (fclose(f) == 0)
        return command;
    free(command);
    return NULL;
}

/* ---- tables and JSON ---- */

/* Options that differ between trials. */
static bool is_searched(const cli_training *training, const akin_option *o)
{
    return o->n_grid > 0 && !was_given(training, o);
}

static akin_race_row row_of(const akin_tuning *t, int64_t i)
{
    return akin_race_at(akin_tuning_race(t), akin_tuning_row(t, i));
}

/* Words that are not those given, such as the start. */
static akin_status print_words(app *a, const cli_training *training,
                               const akin_race_row *row)
{
    char text[512], first[512];
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < training->learner->n_options; ++k) {
        const akin_option *o = &training->learner->options[k];
        if (o->type != AKIN_STRING)
            continue;
        APP_TRY(
            akin_options_get(text, a->ctx, row->options, o->name, sizeof text));
        APP_TRY(akin_options_get(first, a->ctx, training->options, o->name,
                                 sizeof first));
        if (strcmp(text, first) != 0)
            APP_TRY(app_print(a, "  %s %s", o->name, text));
    }
done:
    return st;
}

static akin_status print_trial(app *a, const cli_training *training,
                               const akin_tuning *t, int64_t i)
{
    char text[128];
    const akin_race_row row = row_of(t, i);
    akin_status st = AKIN_OK;
    snprintf(text, sizeof text, "%.4f", row.score);
    if (row.status != AKIN_OK)
        snprintf(text, sizeof text, "failed");
    APP_TRY(app_print(a, "%5lld %9s %12s %10s", (long long)i, text,
                      app_count(row.examples).text,
                      app_seconds(row.seconds).text));
    for (int64_t k = 0; k < training->learner->n_options; ++k) {
        const akin_option *o = &training->learner->options[k];
        if (!is_searched(training, o))
            continue;
        APP_TRY(
            akin_options_get(text, a->ctx, row.options, o->name, sizeof text));
        APP_TRY(app_print(a, " %9s", app_real(strtod(text, NULL)).text));
    }
    if (training->left.raw != NULL)
        APP_TRY(app_print(a, "  %s", cli_race_recipe(&row)));
    APP_TRY(print_words(a, training, &row));
    if (row.passes > 0)
        APP_TRY(app_print(a, "  passes %lld", (long long)row.passes));
    APP_TRY(app_print(a, "%s\n", i == akin_tuning_best(t) ? "  <- best" : ""));
done:
    return st;
}

/* The best plain measure on the same splits: what learning is compared with. */
static akin_status print_baseline(app *a, const akin_tuning *t)
{
    const akin_race *race = akin_tuning_race(t);
    if (akin_race_baseline(race) < 0)
        return AKIN_OK;
    const akin_race_row row = akin_race_at(race, akin_race_baseline(race));
    return app_print(a, "plain %9.4f  %s %s\n", row.score, row.method,
                     cli_race_recipe(&row));
}

static akin_status print_trials(app *a, const cli_training *training,
                                const akin_tuning *t)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, "trial %9s %12s %10s", akin_tuning_measure(t),
                      "examples", "time"));
    for (int64_t k = 0; k < training->learner->n_options; ++k)
        if (is_searched(training, &training->learner->options[k]))
            APP_TRY(app_print(a, " %9s", training->learner->options[k].name));
    APP_TRY(app_print(a, "\n"));
    for (int64_t i = 0; i < akin_tuning_count(t); ++i)
        APP_TRY(print_trial(a, training, t, i));
    APP_TRY(print_baseline(a, t));
done:
    return st;
}

static json_t *trial_json(app *a, const cli_training *training,
                          const akin_tuning *t, int64_t i)
{
    const akin_race_row row = row_of(t, i);
    const bool ok = row.status == AKIN_OK;
    return APP_OBJECT(
        APP_KEY("params",
                cli_parameters_json(a, row.options, training->learner, NULL)),
        APP_KEY("recipe", cli_race_recipe(&row)), APP_KEY("passes", row.passes),
        APP_KEY("score", ok ? row.score : (double)NAN),
        APP_KEY("se", ok ? row.se : (double)NAN),
        APP_KEY("seconds", row.seconds), APP_KEY("examples", row.examples),
        APP_KEY("status", ok ? "ok" : row.message));
}

/* The best plain measure over a recipe; null: there is none. */
static json_t *plain_json(const akin_tuning *t)
{
    const akin_race *race = akin_tuning_race(t);
    if (akin_race_baseline(race) < 0)
        return json_null();
    const akin_race_row row = akin_race_at(race, akin_race_baseline(race));
    return APP_OBJECT(APP_KEY("method", row.method),
                      APP_KEY("recipe", cli_race_recipe(&row)),
                      APP_KEY("score", row.score), APP_KEY("se", row.se));
}

static akin_status print_json(app *a, const cli_training *training,
                              const akin_tuning *t, const akin_model *m,
                              const akin_verdict *verdict,
                              const akin_learn_info *info, const char *path,
                              const char *command)
{
    const int64_t best = akin_tuning_best(t);
    const akin_trial trial = akin_tuning_trial(t, best);
    json_t *rows = json_array();
    json_t *all = cli_training_json(a, training, trial.options, m, info, path);
    for (int64_t i = 0; i < akin_tuning_count(t); ++i)
        json_array_append_new(rows, trial_json(a, training, t, i));
    json_t *more = APP_OBJECT(APP_KEY("measure", akin_tuning_measure(t)),
                              APP_KEY("trials", rows),
                              APP_KEY("best_plain", plain_json(t)),
                              APP_KEY("best", trial_json(a, training, t, best)),
                              APP_KEY("command", command));
    json_object_update(all, more);
    json_decref(more);
    cli_verdict_json(all, verdict);
    return app_json_print(a, all);
}

static akin_status print_all(app *a, const cli_training *training,
                             const akin_tuning *t, const akin_model *m,
                             const akin_verdict *verdict,
                             const akin_learn_info *info, const tune_flags *f)
{
    const akin_race_row best = row_of(t, akin_tuning_best(t));
    const char *path = f->training.out;
    char *command = train_command(a, training, f, &best);
    akin_status st = AKIN_OK;
    app_progress_clear(&a->progress);
    cli_training_warn(a, training, info);
    cli_verdict_warn(a, verdict, training->learner->name);
    if (command == NULL) {
        st = app_fail(a, AKIN_ENOMEM, "out of memory");
    } else if (a->common.json) {
        st = print_json(a, training, t, m, verdict, info, path, command);
    } else {
        APP_TRY(print_trials(a, training, t));
        APP_TRY(app_print(a, "\nbest: %s\n", command));
        APP_TRY(cli_training_print(a, training, m, info, path));
        APP_TRY(cli_verdict_print(a, verdict, &f->check));
    }
done:
    free(command);
    return st;
}

/* The verdict is that of the table where it is less favourable: there the best
 * plain measure over any recipe stands beside the learner, not only the one
 * that the learner began from. */
static void compare_with_plain(akin_verdict *v, const akin_tuning *t)
{
    const akin_race *race = akin_tuning_race(t);
    if (akin_race_baseline(race) < 0)
        return;
    const akin_race_row best = row_of(t, akin_tuning_best(t));
    const akin_race_row plain = akin_race_at(race, akin_race_baseline(race));
    const akin_verdict_word word = best.gain > best.gain_se    ? AKIN_BETTER
                                   : best.gain < -best.gain_se ? AKIN_WORSE
                                                               : AKIN_SAME;
    if (isnan(best.gain) || word <= v->word)
        return;
    v->word = word;
    v->reason = v->fell = NULL;
    v->measure = akin_tuning_measure(t);
    v->held_out = best.score;
    v->held_out_se = best.se;
    v->baseline_measure = plain.method;
    v->baseline = plain.score;
    v->baseline_se = plain.se;
    v->difference = best.gain;
    v->difference_se = best.gain_se;
    v->on_learned = v->on_learned_baseline = NAN;
}

/* Recipes are searched unless one is given. Rows of two kinds keep theirs, and
 * those that a file of held-out rows is prepared by. */
static bool searches_recipes(app *a, const tune_flags *f)
{
    static const char *const flags[] = {"recipe", "weights",     "scale",
                                        "norm",   "center",      "as-is",
                                        "right",  "as-published"};
    char *end;
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i)
        if (app_was_given(a, flags[i]))
            return false;
    strtod(f->validate.validate, &end);
    return *end == '\0';
}

static akin_status run(app *a, const void *flags)
{
    const tune_flags *f = flags;
    const training_input in = {
        &cmd_tune,  &f->training,
        &f->right,  &f->reading,
        &f->recipe, &f->knowledge,
        &f->sample, NULL,
        false,      searches_recipes(a, f) ? INT64_MAX : 0};
    akin_tune_options o = f->tune;
    cli_training training;
    cli_held_out held = {0};
    akin_tuning *t = NULL;
    akin_model *m = NULL;
    akin_verdict verdict = {0};
    akin_learn_info info = {0};
    akin_status st = AKIN_OK;

    APP_TRY(cli_training_open(a, &training, &in));
    APP_TRY(cli_check_prepare(a, &training, &f->check));
    APP_TRY(cli_held_out_open(a, &held, &training, &f->reading,
                              f->validate.validate));
    o.fraction = held.fraction;
    o.held = held.known;
    o.purpose = cli_purpose(f->validate.purpose);
    o.raw = training.left.raw;
    o.raw_right = training.right.raw;
    o.fixed_passes = app_was_given(a, "passes");
    o.by = cli_fixed_score(a, &training, &f->check, NULL);
    app_let_step_finish(true);
    st = akin_tune(&t, &m, a->ctx, training.options, training.given,
                   training.known, &o, &info);
    APP_TRY(cli_training_keep(a, st, m, f->training.out, false));
    APP_TRY(cli_training_adopt(a, &training, &in, m));
    APP_TRY(
        cli_check_and_save(a, &verdict, &training, &f->check,
                           akin_tuning_trial(t, akin_tuning_best(t)).options,
                           akin_tuning_measure(t), m, &info, f->training.out));
    app_let_step_finish(false);
    if (cli_verdict_wanted(&f->check))
        compare_with_plain(&verdict, t);
    APP_TRY(print_all(a, &training, t, m, &verdict, &info, f));
done:
    akin_model_free(m);
    akin_tuning_free(t);
    cli_held_out_close(&held);
    cli_training_close(&training);
    return st;
}

static akin_status more_help(app *a)
{
    return a->help_all ? cli_learners_help(a) : AKIN_OK;
}

const app_command cmd_tune = {
    .name = "tune",
    .section = "learn",
    .summary = "one learner, its hyper-parameters chosen by validation",
    .about =
        "Draw settings from the values that each parameter's table holds, the "
        "start, the passes and the recipe too, score them on held-out folds, "
        "continue the better ones with more rows and folds, and train the best "
        "one on everything. What is given as a flag is not searched. The first "
        "setting is kept unless another is better by more than a standard "
        "error. The line `plain` is the best measure without learning on the "
        "same folds, the line `best:` the command that trains the same model "
        "again.\n" CLI_VALIDATE_ABOUT,
    .examples = "akin tune solis-ada --data train.svm --trials 32 --out "
                "m.safetensors\n"
                "akin tune solis-ada --data train.svm --eta 0.1 --measure map "
                "--out m.safetensors",
    .size = sizeof(tune_flags),
    APP_PARTS({&cli_training_group, offsetof(tune_flags, training)},
              {&tune_group, offsetof(tune_flags, tune)},
              {&validate_group, offsetof(tune_flags, validate)},
              {&cli_check_group, offsetof(tune_flags, check)},
              {&cli_right_group, offsetof(tune_flags, right)},
              {&cli_knowledge_group, offsetof(tune_flags, knowledge)},
              {&cli_sample_group, offsetof(tune_flags, sample)},
              {&cli_recipe_group, offsetof(tune_flags, recipe)},
              {&cli_reading_group, offsetof(tune_flags, reading)}),
    .excludes = CLI_ONE_KNOWLEDGE,
    .takes_others = true,
    .check_others = cli_training_check,
    .shared = true,
    .run = run,
    .more_help = more_help,
};
