/* akin train: learn a similarity, from files or from a stream. */
#include <akin/tune.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/training/auto.h"
#include "cli/training/checking.h"
#include "cli/training/parameters.h"
#include "cli/training/training.h"

enum { STREAM_BLOCK = 4096 };
/* Numbers of the rows before their recipe that a verdict may keep in memory. */
enum { MOST_RAW = 20000000 };

typedef struct own_flags {
    const char *resume, *guard, *save_every, *checkpoint;
    int64_t every;
} own_flags;

typedef struct stop_flags {
    const char *validate, *measure;
    int64_t patience, check_every;
} stop_flags;

typedef struct train_flags {
    training_flags training;
    auto_flags race;
    own_flags own;
    stop_flags stop;
    check_flags check;
    knowledge_flags knowledge;
    sample_flags sample;
    right_flags right;
    recipe_flags recipe;
    reading_flags reading;
} train_flags;

static const app_option own_options[] = {
    {"resume", "MODEL", APP_FIELD(own_flags, resume),
     .help = "continue this model with its recipe, options and seed",
     .flags = APP_REPLACED,
     .excludes = "recipe weights center scale norm as-is start start-weight"},
    {"guard", "auto|none|FILE", APP_FIELD(own_flags, guard),
     .help = "learn only as much of the new examples as does not make a "
             "held-out part of them worse (auto), or earlier ones of the same "
             "kind (FILE); or all of them (none)",
     .needs = "resume", .advanced = true},
    {"save-every", "N|Ns", APP_FIELD(own_flags, save_every),
     .help = "write the model to --out after every N examples, or N seconds, "
             "of an online learner",
     .excludes = "validate", .advanced = true},
    {"checkpoint", "FILE", APP_FIELD(own_flags, checkpoint),
     .help = "write the state of the run to this file while it learns, and "
             "continue from it where it exists; it is removed at the end",
     .flags = APP_OUTPUT | APP_BINARY,
     .excludes = "resume save-every validate triplets=-", .advanced = true},
    {"every", "N", APP_FIELD(own_flags, every),
     .help = "iterations between checkpoints, or examples of an online "
             "learner; auto: 10, or 100,000",
     .min = 1, .max = 9e15, .zero = "auto", .needs = "checkpoint",
     .advanced = true},
};

static const app_group own_group =
    APP_GROUP("Resuming", own_options, (&(const own_flags){.guard = "auto"}));

static const app_option stop_options[] = {
    {"validate", "FRACTION|FILE", APP_FIELD(stop_flags, validate),
     .help = CLI_VALIDATE_HELP "; the model that scores best there is kept",
     .excludes = "triplets=-", .advanced = true},
    {"measure", "map|error|accuracy|auc", APP_FIELD(stop_flags, measure),
     .help = "what to optimise; without it, what fits the supervision",
     .needs = "validate", .advanced = true},
    {"patience", "N", APP_FIELD(stop_flags, patience),
     .help = "checks without improvement before learning stops", .min = 1,
     .max = 1e9, .needs = "validate", .advanced = true},
    {"check-every", "N", APP_FIELD(stop_flags, check_every),
     .help = "examples between checks; auto: 20 checks in all, or in each pass "
             "where --passes is auto",
     .min = 1, .max = 9e15, .zero = "auto", .needs = "validate",
     .advanced = true},
};

static const app_group stop_group = APP_GROUP(
    "Stopping early", stop_options, (&(const stop_flags){.patience = 5}));

/* When the model is written while it is learned; both 0: at the end alone. */
typedef struct saving {
    int64_t examples;
    double seconds;
} saving;

/* "10000": examples; "30s": seconds. */
static akin_status parse_saving(app *a, const char *text, saving *out)
{
    char *end = "";
    const double x = text != NULL ? strtod(text, &end) : 0.0;
    const bool by_clock = strcmp(end, "s") == 0;
    *out = (saving){0};
    if (text == NULL)
        return AKIN_OK;
    if (end == text || (end[0] != '\0' && !by_clock) ||
        !(x > 0.0 && x <= 9e15) || (!by_clock && x != floor(x)))
        return app_fail(a, AKIN_EINVAL,
                        "--save-every %s is not a number of examples, such as "
                        "10000, or of seconds, such as 30s",
                        app_shown(text));
    out->seconds = by_clock ? x : 0.0;
    out->examples = by_clock ? 0 : (int64_t)x;
    return AKIN_OK;
}

/* Wait until there is something to learn from, and write the model when it is
 * time to. */
static akin_status wait_and_save(app *a, akin_stream *stream,
                                 akin_learning *learning)
{
    int64_t ready = 0;
    akin_status st = AKIN_OK;
    while (st == AKIN_OK && !ready) {
        st = akin_stream_wait(&ready, a->ctx, stream,
                              akin_learning_save_in(learning));
        if (st == AKIN_OK && !ready)
            st = akin_learning_save(a->ctx, learning);
    }
    return st;
}

/* Learn from a stream of triplets until it ends. */
static akin_status observe_stream(app *a, const cli_training *training,
                                  akin_learning *learning,
                                  akin_stream_check *check)
{
    const int64_t n = akin_rows_count(training->left.rows);
    akin_stream *stream = NULL;
    akin_progress now = {.what = "triplets"};
    akin_learn_info info;
    akin_status st = AKIN_OK;
    APP_TRY(
        akin_stream_open(&stream, a->ctx, AKIN_TRIPLETS, training->file, n, n));
    for (;;) {
        const int64_t *triplets;
        int64_t count;
        APP_TRY(wait_and_save(a, stream, learning));
        APP_TRY(
            akin_stream_next(&triplets, &count, a->ctx, stream, STREAM_BLOCK));
        if (count == 0)
            break;
        APP_TRY(akin_stream_check_observe(a->ctx, check, learning, triplets,
                                          count));
        akin_learning_info(&info, learning);
        now.done += count;
        now.loss = info.loss;
        if (app_progress_show(&a->progress, &now) != 0)
            APP_TRY(app_fail(a, AKIN_ECANCELLED, "interrupted"));
    }
    if (now.done == 0)
        APP_TRY(cli_no_examples(a, AKIN_TRIPLETS, training->file));
done:
    akin_stream_close(stream);
    return st;
}

/* In pieces: a stream, or on from a model. As akin_learn does, this gives the
 * last finite model when a value is not finite, and the model so far when the
 * run is interrupted. */
static akin_status learn_online(app *a, const cli_training *training,
                                const train_flags *f,
                                const akin_supervision *known,
                                akin_stream_check *check, akin_model **out,
                                akin_learn_info *info)
{
    akin_learning *learning = NULL;
    saving every;
    akin_status st = parse_saving(a, f->own.save_every, &every);
    if (st == AKIN_OK)
        st = akin_learning_begin(&learning, a->ctx, training->options, known,
                                 training->resume);
    if (st == AKIN_OK && f->own.save_every != NULL)
        st = akin_learning_save_every(a->ctx, learning, f->training.out,
                                      every.examples, every.seconds);
    if (st == AKIN_OK) {
        st = check != NULL ? observe_stream(a, training, learning, check)
                           : akin_learning_observe_all(a->ctx, learning);
        akin_learning_info(info, learning);
    }
    if (st == AKIN_ENUMERIC && a->message[0] == '\0')
        app_fail(a, st, "%s", akin_ctx_message(a->ctx));
    if (st == AKIN_ECANCELLED)
        akin_ctx_set_progress(a->ctx, NULL, NULL);  // what is left is short
    if (st == AKIN_OK || st == AKIN_ENUMERIC ||
        (st == AKIN_ECANCELLED && info->examples > 0)) {
        const akin_status made = akin_learning_model(out, a->ctx, learning);
        if (st == AKIN_OK)
            st = made;
    }
    akin_learning_free(learning);
    return st;
}

/* The model to resume, `before`, takes the place of the learned one. */
static void keep_model(akin_model **before, akin_model **model,
                       akin_learn_info *info)
{
    akin_model_free(*model);
    *model = *before;
    *before = NULL;
    *info = (akin_learn_info){.loss = NAN, .objective = NAN};
}

static bool is_guarded(const cli_training *training, const train_flags *f)
{
    return training->resume != NULL && strcmp(f->own.guard, "none") != 0;
}

/* Is the guard a file of examples? */
static bool has_earlier(const train_flags *f)
{
    return strcmp(f->own.guard, "auto") != 0 &&
           strcmp(f->own.guard, "none") != 0;
}

/* A stream is checked while it is learned. */
static akin_status learn_stream(app *a, const cli_training *training,
                                const train_flags *f, akin_model **model,
                                akin_verdict *verdict, akin_learn_info *info)
{
    akin_stream_check *check = NULL;
    akin_model *before = NULL;
    akin_status st = AKIN_OK;
    if (has_earlier(f))
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--guard %s has no effect on a stream (it is checked "
                         "by its own examples as they come)",
                         f->own.guard));
    if (is_guarded(training, f))  // before its file is replaced
        APP_TRY(akin_model_load(&before, a->ctx, f->own.resume));
    APP_TRY(
        akin_stream_check_new(&check, a->ctx, training->known, training->resume,
                              cli_fixed_score(a, training, &f->check, NULL)));
    APP_TRY(learn_online(a, training, f, training->known, check, model, info));
    APP_TRY(akin_stream_check_verdict(verdict, a->ctx, check));
    if (verdict->kept == 0.0 && is_guarded(training, f))
        keep_model(&before, model, info);
    else if (training->resume != NULL)
        verdict->kept = 1.0;
done:
    akin_stream_check_free(check);
    akin_model_free(before);
    return st;
}

/* The model before tells triplets and pairs worse than by chance: they say the
 * opposite of what it learned from. */
static void warn_contrary(app *a, const cli_training *training,
                          const akin_verdict *v)
{
    if (training->file == NULL || training->file_kind == AKIN_LABELS ||
        isnan(v->baseline) || v->baseline >= 0.5 - 2.0 * v->baseline_se)
        return;
    app_warn(a,
             "%s: the model before has %s %.3f on these examples, worse than "
             "chance (are their sides swapped?)",
             app_shown(training->file), v->measure, v->baseline);
}

/* On from a model, with as many of the examples as do no harm. */
static akin_status learn_further(app *a, const cli_training *training,
                                 const train_flags *f, akin_model **model,
                                 akin_verdict *verdict, akin_learn_info *info)
{
    akin_check_options o = AKIN_CHECK_DEFAULTS;
    akin_supervision *part = NULL;
    akin_model *before = NULL;
    cli_held_out earlier = {0};
    akin_status st = AKIN_OK;
    if (has_earlier(f))
        APP_TRY(cli_held_out_read(a, &earlier, training, f->reading, "guard",
                                  f->own.guard));
    o.held = earlier.known;
    if (is_guarded(training, f) || cli_verdict_wanted(&f->check))
        APP_TRY(akin_guard(verdict, a->ctx, training->options, training->known,
                           training->resume, &o));
    if (!has_earlier(f))
        warn_contrary(a, training, verdict);
    if (!is_guarded(training, f))
        verdict->kept = 1.0;
    if (verdict->kept == 0.0) {
        APP_TRY(akin_model_load(&before, a->ctx, f->own.resume));
        keep_model(&before, model, info);
        goto done;
    }
    if (verdict->kept < 1.0)
        APP_TRY(akin_supervision_share(&part, a->ctx, training->known,
                                       training->options, verdict->kept));
    APP_TRY(learn_online(a, training, f, part ? part : training->known, NULL,
                         model, info));
done:
    akin_supervision_free(part);
    cli_held_out_close(&earlier);
    return st;
}

static akin_status learn_validated(app *a, const cli_training *training,
                                   const train_flags *f, akin_model **model,
                                   akin_validation *v, akin_learn_info *info)
{
    akin_validate_options o = AKIN_VALIDATE_DEFAULTS;
    cli_held_out held = {0};
    akin_status st = AKIN_OK;
    APP_TRY(
        cli_held_out_open(a, &held, training, &f->reading, f->stop.validate));
    o.fraction = held.fraction;
    o.held = held.known;
    o.measure = f->stop.measure;
    o.every = f->stop.check_every;
    o.patience = f->stop.patience;
    APP_TRY(akin_learn_validated(model, v, a->ctx, training->options,
                                 training->known, training->resume, &o, info));
done:
    cli_held_out_close(&held);
    return st;
}

static akin_status learn(app *a, const cli_training *training,
                         const train_flags *f, akin_model **model,
                         akin_validation *v, akin_verdict *verdict,
                         int64_t *continued, akin_learn_info *info)
{
    akin_checkpoint_options o = AKIN_CHECKPOINT_DEFAULTS;
    o.path = f->own.checkpoint;
    o.every = f->own.every;
    if (o.path != NULL)
        return akin_learn_checkpointed(model, continued, a->ctx,
                                       training->options, training->known, &o,
                                       info);
    if (f->stop.validate != NULL)
        return learn_validated(a, training, f, model, v, info);
    if (training->streams)
        return learn_stream(a, training, f, model, verdict, info);
    if (training->resume != NULL)
        return learn_further(a, training, f, model, verdict, info);
    if (f->own.save_every != NULL)
        return learn_online(a, training, f, training->known, NULL, model, info);
    return akin_learn(model, a->ctx, training->options, training->known, info);
}

static json_t *validation_json(const akin_validation *v)
{
    return APP_OBJECT(APP_KEY("measure", v->measure),
                      APP_KEY("score", cli_shown_score(v->measure, v->score)),
                      APP_KEY("checks", v->checks),
                      APP_KEY("examples", v->examples),
                      APP_KEY("stopped", (bool)v->stopped));
}

/* "held out: map 0.8123 after 40,000 examples, the best of 12 checks". */
static akin_status print_validation(app *a, const akin_validation *v)
{
    return app_report(a, "held out: %s %.4f after %s, the best of %s\n",
                      v->measure, cli_shown_score(v->measure, v->score),
                      app_counted(v->examples, "example").text,
                      app_counted(v->checks, "check").text);
}

static akin_status report(app *a, const cli_training *training,
                          const train_flags *f, const akin_model *m,
                          const akin_validation *v, const akin_verdict *verdict,
                          int64_t continued, const akin_learn_info *info)
{
    const char *path = f->training.out;
    akin_status st = AKIN_OK;
    app_progress_clear(&a->progress);
    cli_training_warn(a, training, info);
    cli_verdict_warn(a, verdict, training->learner->name);
    if (a->common.json) {
        json_t *all =
            cli_training_json(a, training, training->options, m, info, path);
        if (v->measure != NULL)
            json_object_set_new(all, "validation", validation_json(v));
        if (f->own.checkpoint != NULL)
            json_object_set_new(all, "continued_at", json_integer(continued));
        cli_verdict_json(all, verdict);
        return app_json_print(a, all);
    }
    APP_TRY(cli_training_print(a, training, m, info, path));
    if (v->measure != NULL)
        APP_TRY(print_validation(a, v));
    APP_TRY(cli_verdict_print(a, verdict, &f->check));
done:
    return st;
}

static akin_status run(app *a, const void *flags)
{
    const train_flags *f = flags;
    const training_input in = {
        &cmd_train, &f->training,
        &f->right,  &f->reading,
        &f->recipe, &f->knowledge,
        &f->sample, f->own.resume,
        true,       cli_verdict_wanted(&f->check) ? MOST_RAW : 0};
    cli_training training;
    akin_model *m = NULL;
    akin_validation v = {0};
    akin_verdict verdict = {0};
    akin_learn_info info = {0};
    int64_t continued = 0;
    akin_status st = AKIN_OK;

    if (cli_is_auto(f->training.learner))
        return cli_auto_run(a, &f->training, &f->race,
                            &(known_input){f->training.data, &f->right,
                                           &f->reading, &f->knowledge,
                                           f->recipe.recipe});
    APP_TRY(cli_training_open(a, &training, &in));
    APP_TRY(cli_check_prepare(a, &training, &f->check));
    app_let_step_finish(!training.streams);
    st = learn(a, &training, f, &m, &v, &verdict, &continued, &info);
    APP_TRY(cli_training_keep(a, st, m, f->training.out,
                              f->own.save_every != NULL));
    APP_TRY(cli_check_and_save(a, &verdict, &training, &f->check,
                               training.options, f->stop.measure, m, &info,
                               f->training.out));
    app_let_step_finish(false);
    if (f->own.checkpoint != NULL && a->rank == 0)
        unlink(f->own.checkpoint);
    APP_TRY(report(a, &training, f, m, &v, &verdict, continued, &info));
done:
    akin_model_free(m);
    cli_training_close(&training);
    return st;
}

static akin_status check_others(app *a, const void *flags)
{
    const train_flags *f = flags;
    saving unused;
    akin_status st = cli_is_auto(f->training.learner)
                         ? cli_auto_check(a)
                         : cli_training_check(a, flags);
    return st == AKIN_OK ? parse_saving(a, f->own.save_every, &unused) : st;
}

const app_command cmd_train = {
    .name = "train",
    .section = "learn",
    .first_usage = "akin train auto --data FILE --out MODEL",
    .first_summary = "the best similarity for this data; the one to begin with",
    .summary = "learn a similarity with one learner",
    .about =
        "Learn a similarity from rows and supervision, and write a model. "
        "Begin with akin train auto: it finds the best learner, or plain "
        "measure, for this data.\n"
        "train auto compares plain measures, learners, recipes and settings on "
        "held-out parts of the data, as akin compare does, and trains the best "
        "on everything; where no learner is better than a plain measure, that "
        "is the model. Ctrl-C before the last training writes nothing.\n"
        "Without a file of supervision, rows with the same label are similar.\n"
        "With --triplets - the examples come on standard input, and the model "
        "is written when that ends. A wrong line ends the run without a model "
        "and leaves an existing file as it was.\n"
        "Ctrl-C ends the run with exit 130 and writes the best model so far, a "
        "value that is not finite ends it with exit 1 and writes the last "
        "finite model: to --out, or, where that file exists already, to a new "
        "file beside it that ends in .last.\n"
        "--save-every writes the model to --out while it is learned, in place "
        "of an existing file, so that a run that is killed loses the examples "
        "since then at most: --resume goes on from there (akin info says how "
        "many examples the model has seen). What is learned does not depend on "
        "it. A guard decides at the end.\n"
        "--checkpoint keeps the state of the run in a file. After a kill, an "
        "interrupt or a crash, the same command continues there and writes the "
        "bytes of one run without interruption, also with other --threads or "
        "another number of MPI ranks. A file of another run, with other data, "
        "options, seed or version, is an error and stays as it is. akin "
        "learners LEARNER says whether it has checkpoints.\n"
        "--resume continues the sampler too. It is exact for --triplets, for "
        "streams and for --sample or --passes 1: to learn A and then B writes "
        "the bytes of "
        "one run over both, as long as the guard keeps all of B and both runs "
        "choose the same --score. It is not exact for --pairs in parts "
        "(triplets "
        "are drawn from the pairs of one run) nor for --start, which is where "
        "the first run began; a mask is not widened by later "
        "examples.\n"
        "The last line compares the learned similarity with the plain measure "
        "it began from, on held-out examples; the model does not depend on "
        "it.\n" CLI_VALIDATE_ABOUT,
    .examples =
        "akin train auto --data train.csv --out m.safetensors\n"
        "akin train solis-ada --data train.svm --sample 1e6 --eta 0.1 --out "
        "m.safetensors\n"
        "akin train solis-ada --data train.svm --triplets t.txt --out "
        "m.safetensors\n"
        "akin train solis-ada --resume m.safetensors --data train.svm "
        "--triplets - \\\n"
        "    --out m.safetensors",
    .size = sizeof(train_flags),
    APP_PARTS({&cli_training_group, offsetof(train_flags, training)},
              {&cli_auto_group, offsetof(train_flags, race)},
              {&cli_right_group, offsetof(train_flags, right)},
              {&cli_knowledge_group, offsetof(train_flags, knowledge)},
              {&cli_sample_group, offsetof(train_flags, sample)},
              {&own_group, offsetof(train_flags, own)},
              {&stop_group, offsetof(train_flags, stop)},
              {&cli_check_group, offsetof(train_flags, check)},
              {&cli_recipe_group, offsetof(train_flags, recipe)},
              {&cli_reading_group, offsetof(train_flags, reading)}),
    .excludes = CLI_ONE_KNOWLEDGE,
    .takes_others = true,
    .check_others = check_others,
    .shared = true,
    .alone = "save-every",  // by a clock, ranks would not agree
    .run = run,
    .more_help = cli_learners_help,
};
