#include "cli/lesson.h"

#include <stdlib.h>
#include <string.h>

#include "cli/load.h"
#include "cli/parameters.h"

static const app_option lesson_options[] = {
    {"LEARNER", NULL, APP_FIELD(lesson_flags, learner),
     .help = "what to learn with; its parameters are flags too, see akin "
             "learners LEARNER",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"data", "FILE", APP_FIELD(lesson_flags, data),
     .help = "the rows to learn from; - is svm on standard input",
     .flags = APP_NEEDED},
    {"out", "MODEL", APP_FIELD(lesson_flags, out),
     .help = "where the model goes; an old file is replaced when all is done; "
             "- is standard output",
     .flags = APP_NEEDED | APP_OUTPUT | APP_BINARY},
};

const app_group cli_lesson_group =
    APP_GROUP("What to learn", lesson_options, (&(const lesson_flags){0}));

static const app_option sample_options[] = {
    {"sample", "N", APP_FIELD(sample_flags, sample),
     .help = "triplets (or pairs) to draw from the labels", .min = 1,
     .max = 9e15, .zero = "auto", .excludes = "triplets"},
    {"passes", "N", APP_FIELD(sample_flags, passes),
     .help = "how often to go over the examples", .min = 1, .max = 1e9,
     .excludes = "triplets=-"},
    {"sampler", "uniform|warp", APP_FIELD(sample_flags, sampler),
     .help = "negatives drawn all alike, or until one is ranked too high, "
             "weighted by how soon one came"},
    {"pair-weights", "balanced|printed", APP_FIELD(sample_flags, pair_weights),
     .help = "pairs that match and pairs that do not count as much in all, or "
             "every pair counts alike"},
};

const app_group cli_sample_group = APP_GROUP(
    "Examples", sample_options,
    (&(const sample_flags){
        .passes = 1, .sampler = "uniform", .pair_weights = "balanced"}));

/* Flags that some learners have no use for. */
static akin_status check_given(app *a, const akin_learner_info *l)
{
    const struct {
        const char *flag;
        bool unused;
        const char *why;
    } flags[] = {
        {"passes", !l->is_online, "it takes all examples at once"},
        {"sample", l->takes_all, "it uses all examples and draws none"},
        {"sample", l->takes == AKIN_NOTHING, "it learns from the rows alone"},
        {"pair-weights", !l->weighs_pairs, "it does not sum pairs"},
    };
    for (size_t i = 0; i < sizeof flags / sizeof flags[0]; ++i)
        if (flags[i].unused && app_was_given(a, flags[i].flag))
            return app_fail(a, AKIN_EINVAL, "--%s has no effect with %s (%s)",
                            flags[i].flag, l->name, flags[i].why);
    return AKIN_OK;
}

/* The seed goes on too, so that the parts draw what one run would. */
static void resume_seed(app *a, const akin_model *m)
{
    const char *seed = akin_model_note(m, "seed");
    if (seed != NULL && !app_was_given(a, "seed"))
        akin_ctx_set_seed(a->ctx, (uint64_t)strtoll(seed, NULL, 10));
}

/* As it is given, or else as the model that goes on was learned; triplets of a
 * file are not drawn. */
static bool draws_by_warp(app *a, const cli_lesson *l, const char *given)
{
    const char *was = l->resume ? akin_model_note(l->resume, "sampler") : NULL;
    if (was == NULL || app_was_given(a, "sampler") ||
        l->file_kind == AKIN_TRIPLETS)
        return strcmp(given, "warp") == 0;
    return strcmp(was, "warp") == 0;
}

static akin_status open_learner(app *a, cli_lesson *l, const lesson_input *in)
{
    akin_status st = AKIN_OK;
    l->learner = cli_learner_find(a, in->lesson->learner);
    if (l->learner == NULL)
        return AKIN_EINVAL;
    APP_TRY(akin_options_new(&l->options, a->ctx, l->learner->name));
    if (in->resume != NULL) {
        APP_TRY(akin_model_load(&l->resume, a->ctx, in->resume));
        APP_TRY(cli_parameters_resume(a, l->options, l->learner, l->resume));
        resume_seed(a, l->resume);
    }
    APP_TRY(cli_parameters_set(a, l->options, l->learner, l->given));
    APP_TRY(check_given(a, l->learner));
    if (l->resume == NULL)
        APP_TRY(cli_parameters_start(a, l->options, l->learner, l->given));
done:
    return st;
}

/* What the learner can take is asked before the file is read. */
static akin_status check_kind(app *a, const cli_lesson *l, akin_knowledge kind,
                              const char *data)
{
    char takes[96];
    const int64_t set = l->learner->takes;
    cli_knowledge_words(set, takes, sizeof takes);
    if (kind == AKIN_NOTHING && set != AKIN_NOTHING && l->file == NULL)
        return app_fail(a, AKIN_EINVAL,
                        "%s learns from %s, and %s has no labels",
                        l->learner->name, takes, data);
    if (l->file != NULL && !(set & kind))
        return app_fail(a, AKIN_EINVAL, "%s learns from %s, not from %s",
                        l->learner->name, takes, cli_knowledge_flag(kind));
    return AKIN_OK;
}

/* Triplets are used as they are given; perhaps one by one. */
static akin_status check_triplets(app *a, cli_lesson *l, const lesson_input *in)
{
    if (l->file_kind != AKIN_TRIPLETS)
        return AKIN_OK;
    l->streams = strcmp(l->file, "-") == 0;
    if (!l->streams)
        return AKIN_OK;
    if (!in->may_stream)
        return app_fail(a, AKIN_EINVAL, "%s cannot learn from a stream",
                        in->command->name);
    if (!l->learner->is_online)
        return app_fail(a, AKIN_EINVAL,
                        "%s needs all examples at once (--triplets - streams "
                        "them)",
                        l->learner->name);
    return AKIN_OK;
}

akin_status cli_no_examples(app *a, akin_knowledge kind, const char *path)
{
    char what[32];
    cli_knowledge_words(kind, what, sizeof what);
    return app_fail(a, AKIN_EFORMAT, "%s: there are no %s",
                    strcmp(path, "-") == 0 ? "standard input" : path, what);
}

akin_status cli_lesson_known(app *a, const cli_lesson *l, akin_rows *left,
                             akin_supervision **out)
{
    akin_status st = AKIN_OK;
    APP_TRY(
        akin_supervision_new(out, a->ctx, left, l->right.rows, l->left.recipe));
    akin_supervision_right_recipe(*out, l->right.recipe);
    if (l->all_pairs)
        APP_TRY(akin_supervision_all_pairs(a->ctx, *out));
done:
    return st;
}

static akin_status open_known(app *a, cli_lesson *l, const lesson_input *in)
{
    akin_status st = AKIN_OK;
    if (l->streams)
        APP_TRY(cli_forget_labels(a, l->left.rows));  // the stream says all
    APP_TRY(cli_lesson_known(a, l, l->left.rows, &l->known));
    if (l->file == NULL) {
        APP_TRY(check_kind(a, l, akin_supervision_kind(l->known),
                           in->lesson->data));
    } else if (l->file_kind == AKIN_LABELS) {
        APP_TRY(akin_supervision_labelled(a->ctx, l->known, l->file));
    } else if (!l->streams) {
        APP_TRY(akin_supervision_read(a->ctx, l->known, l->file_kind, l->file));
        if (akin_supervision_examples(l->known) == 0)
            APP_TRY(cli_no_examples(a, l->file_kind, l->file));
    }
    akin_supervision_name(l->known, l->file ? l->file : in->lesson->data);
    akin_supervision_sample(l->known, in->sample->sample, in->sample->passes);
    if (draws_by_warp(a, l, in->sample->sampler))
        akin_supervision_sampling(l->known, AKIN_WARP);
    if (strcmp(in->sample->pair_weights, "printed") == 0)
        akin_supervision_pair_weights(l->known, AKIN_PRINTED);
done:
    return st;
}

akin_status cli_lesson_open(app *a, cli_lesson *l, const lesson_input *in)
{
    akin_status st = AKIN_OK;
    *l = (cli_lesson){.data = in->lesson->data};
    l->file_kind = cli_knowledge_given(in->knowledge, &l->file);
    APP_TRY(open_learner(a, l, in));
    if (cli_all_pairs(in->knowledge)) {
        APP_TRY(check_kind(a, l, AKIN_PAIRS, in->lesson->data));
        l->all_pairs = true;
        l->file_kind = AKIN_NOTHING;
        l->file = NULL;
    }
    if (l->file != NULL) {
        APP_TRY(check_kind(a, l, l->file_kind, in->lesson->data));
        APP_TRY(check_triplets(a, l, in));
    }
    APP_TRY(cli_lesson_rows(a, l, in));
    APP_TRY(open_known(a, l, in));
done:
    return st;
}

void cli_lesson_close(cli_lesson *l)
{
    akin_supervision_free(l->known);
    cli_side_close(&l->left);
    cli_side_close(&l->right);
    akin_options_free(l->options);
    akin_model_free(l->resume);
}
