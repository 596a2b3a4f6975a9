#include "cli/lesson.h"

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
     .max = 9e15, .zero = "auto"},
    {"passes", "N", APP_FIELD(sample_flags, passes),
     .help = "how often to go over the examples", .min = 1, .max = 1e9},
    {"sampler", "uniform|warp", APP_FIELD(sample_flags, sampler),
     .help = "negatives drawn all alike, or until one is ranked too high, "
             "weighted by how soon one came"},
};

const app_group cli_sample_group =
    APP_GROUP("Examples", sample_options,
              (&(const sample_flags){.passes = 1, .sampler = "uniform"}));

/* What only a beginning looks at, or only a learner of one by one. */
static akin_status check_given(app *a, const cli_lesson *l)
{
    for (int i = 0; l->resume != NULL && l->given[i] != NULL; ++i)
        if (strncmp(l->given[i], "start", 5) == 0)
            return app_fail(a, AKIN_EINVAL,
                            "--resume and --%s exclude each other (a model "
                            "goes on from what it has learned)",
                            a->others[i].name);
    if (!l->learner->is_online && app_was_given(a, "passes"))
        return app_fail(a, AKIN_EINVAL,
                        "%s takes all examples at once (leave out --passes)",
                        l->learner->name);
    if (l->learner->takes == AKIN_NOTHING && app_was_given(a, "sample"))
        return app_fail(a, AKIN_EINVAL,
                        "%s learns from the rows alone (leave out --sample)",
                        l->learner->name);
    return AKIN_OK;
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
    }
    APP_TRY(cli_parameters_set(a, l->options, l->learner, l->given));
    APP_TRY(check_given(a, l));
done:
    return st;
}

static bool any_recipe_flag(const recipe_flags *f)
{
    return f->center || f->scale || f->weights || f->norm;
}

static akin_status check_recipe_flags(app *a, const cli_lesson *l,
                                      const recipe_flags *f)
{
    const char *other = f->recipe ? "--recipe" : "--resume";
    if (l->resume != NULL && f->recipe != NULL)
        return app_fail(a, AKIN_EINVAL,
                        "--resume and --recipe exclude each other (a model "
                        "goes on with its own recipe)");
    if ((l->resume != NULL || f->recipe != NULL) && any_recipe_flag(f))
        return app_fail(a, AKIN_EINVAL,
                        "%s brings its own recipe (leave out --weights, "
                        "--center, --scale and --norm)",
                        other);
    return AKIN_OK;
}

/* The learner's own recipe, where no flag says otherwise. */
static akin_status fit_recipe(app *a, cli_lesson *l, const recipe_flags *f,
                              const akin_rows *raw)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    if (l->learner->recipe != NULL)
        o = *l->learner->recipe;
    if (f->center)
        o.center = 1;
    if (f->scale != NULL)
        o.scale = f->scale;
    if (f->weights != NULL)
        o.weights = f->weights;
    if (f->norm != NULL)
        o.norm = f->norm;
    const akin_status st = akin_recipe_fit(&l->own_recipe, a->ctx, raw, &o);
    l->recipe = l->own_recipe;
    return st;
}

/* A recipe alone, or that of a model. */
static akin_status load_recipe(app *a, cli_lesson *l, const char *path)
{
    akin_status st = akin_recipe_load(&l->own_recipe, a->ctx, path);
    l->recipe = l->own_recipe;
    if (st != AKIN_EFORMAT)
        return st;
    st = akin_model_load(&l->recipe_model, a->ctx, path);
    if (st != AKIN_OK)
        return st;
    l->recipe = akin_model_recipe(l->recipe_model, AKIN_LEFT);
    if (l->recipe == NULL)
        return app_fail(a, AKIN_EINVAL, "%s: the model has no recipe", path);
    return AKIN_OK;
}

/* The model remembers what was decided here, so it is worth a line. */
static void tell_index_base(app *a, const lesson_input *in,
                            const akin_rows *rows)
{
    const int64_t base = akin_rows_index_base(rows);
    if (base != AKIN_BASE_AUTO && strcmp(in->reading->index_base, "auto") == 0)
        app_remark(a, "%s: columns are numbered from %d", in->lesson->data,
                   base == AKIN_BASE_1);
}

static akin_status open_rows(app *a, cli_lesson *l, const lesson_input *in)
{
    akin_rows *raw = NULL;
    cli_shape shape = {0, 0};
    akin_status st = AKIN_OK;
    APP_TRY(check_recipe_flags(a, l, in->recipe));
    if (l->resume != NULL)
        shape = cli_shape_of_model(l->resume, AKIN_LEFT, false);
    if (in->recipe->recipe != NULL) {
        APP_TRY(load_recipe(a, l, in->recipe->recipe));
        shape = cli_shape_of_recipe(l->recipe);
    }
    APP_TRY(cli_read_rows(a, &raw, in->lesson->data, in->reading, shape));
    if (akin_rows_count(raw) > 0 && akin_rows_nonzeros(raw) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: every row is empty",
                         in->lesson->data));
    if (shape.index_base == AKIN_BASE_AUTO)
        tell_index_base(a, in, raw);
    if (l->resume != NULL)
        l->recipe = akin_model_recipe(l->resume, AKIN_LEFT);
    else if (l->recipe == NULL)
        APP_TRY(fit_recipe(a, l, in->recipe, raw));
    if (l->recipe != NULL) {
        APP_TRY(akin_recipe_apply(&l->rows, a->ctx, l->recipe, raw));
    } else {
        l->rows = raw;
        raw = NULL;
    }
done:
    akin_rows_free(raw);
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
    if (app_was_given(a, "sample"))
        return app_fail(a, AKIN_EINVAL,
                        "--sample and --triplets exclude each other (all that "
                        "are given are used)");
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
    if (app_was_given(a, "passes"))
        return app_fail(a, AKIN_EINVAL,
                        "a stream is read once (leave out --passes)");
    return AKIN_OK;
}

akin_status cli_no_examples(app *a, akin_knowledge kind, const char *path)
{
    char what[32];
    cli_knowledge_words(kind, what, sizeof what);
    return app_fail(a, AKIN_EFORMAT, "%s: there are no %s",
                    strcmp(path, "-") == 0 ? "standard input" : path, what);
}

static akin_status open_known(app *a, cli_lesson *l, const lesson_input *in)
{
    akin_status st = AKIN_OK;
    if (l->streams)
        APP_TRY(cli_forget_labels(a, l->rows));  // the stream says all
    APP_TRY(akin_supervision_new(&l->known, a->ctx, l->rows, NULL, l->recipe));
    if (l->file == NULL) {
        APP_TRY(check_kind(a, l, akin_supervision_kind(l->known),
                           in->lesson->data));
    } else if (l->file_kind == AKIN_LABELS) {
        APP_TRY(akin_supervision_labelled(l->known, a->ctx, l->file));
    } else if (!l->streams) {
        APP_TRY(akin_supervision_read(l->known, a->ctx, l->file_kind, l->file));
        if (akin_supervision_examples(l->known) == 0)
            APP_TRY(cli_no_examples(a, l->file_kind, l->file));
    }
    akin_supervision_name(l->known, l->file ? l->file : in->lesson->data);
    akin_supervision_sample(l->known, in->sample->sample, in->sample->passes);
    if (strcmp(in->sample->sampler, "warp") == 0)
        akin_supervision_sampling(l->known, AKIN_WARP);
done:
    return st;
}

akin_status cli_lesson_open(app *a, cli_lesson *l, const lesson_input *in)
{
    akin_status st = AKIN_OK;
    *l = (cli_lesson){0};
    APP_TRY(cli_knowledge_given(a, in->knowledge, &l->file_kind, &l->file));
    APP_TRY(open_learner(a, l, in));
    if (l->file != NULL) {
        APP_TRY(check_kind(a, l, l->file_kind, in->lesson->data));
        APP_TRY(check_triplets(a, l, in));
    }
    APP_TRY(open_rows(a, l, in));
    APP_TRY(open_known(a, l, in));
done:
    return st;
}

void cli_lesson_close(app *a, cli_lesson *l)
{
    akin_supervision_free(l->known);
    akin_rows_free(l->rows);
    akin_recipe_free(l->own_recipe);
    akin_options_free(l->options, a->ctx);
    akin_model_free(l->recipe_model);
    akin_model_free(l->resume);
}
