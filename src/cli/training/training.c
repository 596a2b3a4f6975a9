/* What train and tune share, in the order of a run: the learner and its
 * options, rows through their recipes, supervision, what is held out, and the
 * report. */
#include "cli/training/training.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/load.h"
#include "cli/training/parameters.h"

/* ---- the learner ---- */

static const app_option training_options[] = {
    {"LEARNER", NULL, APP_FIELD(training_flags, learner),
     .help = "the learner, such as lda; akin help LEARNER lists its options",
     .flags = APP_ARGUMENT | APP_NEEDED},
    {"data", "FILE", APP_FIELD(training_flags, data),
     .help = "the rows, or 'part-*.svm'; - is svm on standard input",
     .flags = APP_NEEDED},
    {"out", "MODEL", APP_FIELD(training_flags, out),
     .help = "the model to write; - is standard output",
     .flags = APP_NEEDED | APP_OUTPUT | APP_BINARY},
    {"as-published", NULL, APP_FIELD(training_flags, as_published),
     .help = "take the settings of the learner's paper where flags say nothing",
     .excludes = "resume", .advanced = true},
};

const app_group cli_training_group =
    APP_GROUP("What to learn", training_options, (&(const training_flags){0}));

static const app_option sample_options[] = {
    {"sample", "N", APP_FIELD(sample_flags, sample),
     .help = "triplets (or pairs) to draw from the labels", .min = 1,
     .max = 9e15, .zero = "auto", .excludes = "triplets"},
    {"passes", "N", APP_FIELD(sample_flags, passes),
     .help = "passes over the examples; auto: 1 for given examples, --sample "
             "or --resume, else as many as lower the loss, at most 30",
     .min = 1, .max = 1e9, .zero = "auto", .excludes = "triplets=-",
     .advanced = true},
    {"sampler", "uniform|warp", APP_FIELD(sample_flags, sampler),
     .help = "how negatives are drawn: uniformly, or until one is ranked too "
             "high, weighted by how soon that is (warp)",
     .advanced = true},
    {"pair-weights", "balanced|printed", APP_FIELD(sample_flags, pair_weights),
     .help = "matching and other pairs have the same total weight (balanced), "
             "or every pair has the same weight (printed)",
     .advanced = true},
};

const app_group cli_sample_group = APP_GROUP(
    "Which examples to draw", sample_options,
    (&(const sample_flags){.sampler = "uniform", .pair_weights = "balanced"}));

akin_status cli_training_check(app *a, const void *flags)
{
    const training_flags *f = flags;
    return cli_parameters_known(a, f->learner, a->command);
}

/* A setting of the run as the paper has it; NULL unless that is wanted. */
static const char *published(const cli_training *training, const char *setting)
{
    return training->as_published
               ? akin_learner_published(training->learner->name, setting)
               : NULL;
}

/* Refuse flags that the learner does not use. */
static akin_status check_given(app *a, const akin_learner_info *l)
{
    const struct {
        const char *flag;
        bool unused;
        const char *why;
    } flags[] = {
        {"passes", !l->is_online, "it takes all examples at once"},
        {"save-every", !l->is_online, "it takes all examples at once"},
        {"checkpoint", akin_learner_checkpoints(l) == NULL,
         "it has no checkpoints"},
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

/* Continue the seed too, so that the parts draw what one run would draw. */
static void resume_seed(app *a, const akin_model *m)
{
    const char *seed = akin_model_note(m, "seed");
    if (seed != NULL && !app_was_given(a, "seed"))
        akin_ctx_set_seed(a->ctx, (uint64_t)strtoll(seed, NULL, 10));
}

/* As it is given, or else as the model that goes on was learned; triplets of a
 * file are not drawn. */
static bool draws_by_warp(app *a, const cli_training *training,
                          const char *given)
{
    const char *was =
        training->resume ? akin_model_note(training->resume, "sampler") : NULL;
    if (was == NULL || app_was_given(a, "sampler") ||
        training->file_kind == AKIN_TRIPLETS)
        return strcmp(given, "warp") == 0;
    return strcmp(was, "warp") == 0;
}

/* As it is given, or else as the paper has it. */
static int64_t passes_of(app *a, const cli_training *training,
                         const sample_flags *f)
{
    const char *printed = published(training, "passes");
    return printed != NULL && !app_was_given(a, "passes")
               ? strtoll(printed, NULL, 10)
               : f->passes;
}

static const char *pair_weights_of(app *a, const cli_training *training,
                                   const sample_flags *f)
{
    const char *printed = published(training, "pair_weights");
    return printed != NULL && !app_was_given(a, "pair-weights")
               ? printed
               : f->pair_weights;
}

static akin_status open_learner(app *a, cli_training *training,
                                const training_input *in)
{
    akin_status st = AKIN_OK;
    training->learner = cli_trainable_find(a, in->training->learner);
    if (training->learner == NULL)
        return AKIN_EINVAL;
    APP_TRY(
        akin_options_new(&training->options, a->ctx, training->learner->name));
    if (training->as_published)
        APP_TRY(akin_options_as_published(a->ctx, training->options));
    if (in->resume != NULL) {
        APP_TRY(akin_model_load(&training->resume, a->ctx, in->resume));
        APP_TRY(cli_parameters_resume(a, training->options, training->learner,
                                      training->resume));
        resume_seed(a, training->resume);
    }
    APP_TRY(cli_parameters_set(a, training->options, training->learner,
                               AKIN_TRAINING, training->given));
    APP_TRY(check_given(a, training->learner));
    if (training->resume == NULL)
        APP_TRY(cli_parameters_start(a, training->options, training->learner,
                                     training->given));
done:
    return st;
}

/* ---- rows, on one side or two, each through a recipe of its own ---- */

/* The paper's recipe, where it is wanted and known. */
static void take_published(const cli_training *training, akin_recipe_options *o)
{
    const char *weights = published(training, "weights");
    const char *scale = published(training, "scale");
    const char *norm = published(training, "norm");
    const char *center = published(training, "center");
    if (weights != NULL)
        o->weights = weights;
    if (scale != NULL)
        o->scale = scale;
    if (norm != NULL)
        o->norm = norm;
    if (center != NULL)
        o->center = strcmp(center, "no") != 0;
}

/* The learner's own recipe, where no flag says otherwise. */
static akin_status fit_recipe(app *a, const cli_training *training,
                              cli_side *side, const recipe_flags *f,
                              const akin_rows *raw)
{
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    const akin_recipe_options *own = akin_options_recipe(training->options);
    if (own != NULL && !f->as_is) {
        o = *own;
        take_published(training, &o);
    }
    if (f->center)
        o.center = 1;
    if (f->scale != NULL)
        o.scale = f->scale;
    if (f->weights != NULL)
        o.weights = f->weights;
    if (f->norm != NULL)
        o.norm = f->norm;
    const akin_status st = akin_recipe_fit(&side->own, a->ctx, raw, &o);
    side->recipe = side->own;
    return st;
}

akin_status cli_load_recipe(app *a, cli_side *side, const char *path,
                            akin_side which)
{
    akin_status st = akin_recipe_load(&side->own, a->ctx, path);
    side->recipe = side->own;
    if (st != AKIN_EFORMAT)
        return st;
    st = akin_model_load(&side->model, a->ctx, path);
    if (st != AKIN_OK)
        return st;
    side->recipe = akin_model_recipe(side->model, which);
    if (side->recipe == NULL)
        return app_fail(a, AKIN_EINVAL, "%s: the model has no recipe", path);
    return AKIN_OK;
}

/* Does the recipe only subtract what all rows have in common? */
static bool subtracts_common_part(const char *recipe)
{
    return strstr(recipe, "weights=") == NULL &&
           (strstr(recipe, "scale=") || strstr(recipe, "center"));
}

/* Of rows that are all alike the smallest value, or the mean, is all there is;
 * and a column that is in every row weighs nothing by idf, for one. */
static akin_status check_not_empty(app *a, const cli_side *side,
                                   const char *path)
{
    const char *recipe = akin_recipe_text(side->recipe);
    if (akin_rows_count(side->rows) == 0 || akin_rows_nonzeros(side->rows) > 0)
        return AKIN_OK;
    if (akin_rows_count(side->rows) == 1 && subtracts_common_part(recipe))
        return app_fail(a, AKIN_EINVAL,
                        "%s: there is one row (expected two or more: %s leaves "
                        "nothing of one)",
                        path, recipe);
    if (subtracts_common_part(recipe))
        return app_fail(a, AKIN_EINVAL,
                        "%s: all rows are equal (%s leaves nothing of them)",
                        path, recipe);
    return app_fail(a, AKIN_EINVAL,
                    "%s: every row is empty after the recipe (%s)", path,
                    recipe);
}

akin_status cli_apply_recipe(app *a, cli_side *side, const akin_rows *raw,
                             const char *path)
{
    const akin_status st =
        akin_recipe_apply(&side->rows, a->ctx, side->recipe, raw);
    return st == AKIN_OK ? check_not_empty(a, side, path)
                         : cli_in_file(a, st, path);
}

/* Check before a recipe is fitted to so many columns. */
static akin_status check_columns(app *a, const cli_training *training,
                                 const akin_rows *raw)
{
    const int64_t most = training->learner->most_columns;
    if (most == 0 || akin_rows_dim(raw) <= most)
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "%s supports at most %lld columns (there are %lld): use "
                    "fewer, or a learner for many, such as loreta-psd",
                    training->learner->name, (long long)most,
                    (long long)akin_rows_dim(raw));
}

/* What one side is read from. */
typedef struct side_input {
    const char *path, *recipe;
    reading_flags reading;
    akin_side which;
} side_input;

static akin_status open_side(app *a, const cli_training *training,
                             cli_side *side, const training_input *in,
                             const side_input *from)
{
    akin_rows *raw = NULL;
    cli_shape shape = {0};
    akin_status st = AKIN_OK;
    if (training->resume != NULL)
        shape = cli_shape_of_model(training->resume, in->resume, from->which,
                                   false);
    if (from->recipe != NULL) {
        APP_TRY(cli_load_recipe(a, side, from->recipe, from->which));
        shape = cli_shape_of_recipe(side->recipe, from->recipe);
    }
    APP_TRY(cli_read_rows(a, &raw, from->path, &from->reading, shape));
    if (akin_rows_count(raw) > 0 && akin_rows_nonzeros(raw) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s: every row is empty", from->path));
    APP_TRY(check_columns(a, training, raw));
    if (training->resume != NULL)
        side->recipe = akin_model_recipe(training->resume, from->which);
    else if (side->recipe == NULL)
        APP_TRY(cli_in_file(a, fit_recipe(a, training, side, in->recipe, raw),
                            from->path));
    if (side->recipe != NULL) {
        APP_TRY(cli_apply_recipe(a, side, raw, from->path));
        if (akin_rows_nonzeros(raw) <= in->keeps_raw) {
            side->raw = raw;
            raw = NULL;
        }
    } else {
        side->rows = raw;
        raw = NULL;
    }
done:
    akin_rows_free(raw);
    return st;
}

const akin_rows *cli_raw_rows(const cli_side *side)
{
    return side->recipe != NULL ? side->raw : side->rows;
}

bool cli_ranks_labels(app *a, const cli_training *training)
{
    char task[32];
    return strcmp(training->learner->makes, "ranker") == 0 ||
           (akin_options_get(task, a->ctx, training->options, "task",
                             sizeof task) == AKIN_OK &&
            strcmp(task, "rank") == 0);
}

static akin_status open_rows(app *a, cli_training *training,
                             const training_input *in)
{
    const right_flags *r = in->right;
    side_input from = {in->training->data, in->recipe->recipe, *in->reading,
                       AKIN_LEFT};
    akin_status st = AKIN_OK;
    from.reading.utf8_labels = cli_ranks_labels(a, training) ||
                               strcmp(training->learner->makes, "posterior") ==
                                   0;
    APP_TRY(open_side(a, training, &training->left, in, &from));
    if (r->right == NULL)
        return AKIN_OK;
    from = (side_input){r->right, r->recipe ? r->recipe : in->recipe->recipe,
                        *in->reading, AKIN_RIGHT};
    from.reading.labels = r->labels;
    from.reading.dim = 0;  // of the left
    APP_TRY(open_side(a, training, &training->right, in, &from));
done:
    return st;
}

void cli_side_close(cli_side *side)
{
    akin_rows_free(side->rows);
    akin_rows_free(side->raw);
    akin_recipe_free(side->own);
    akin_model_free(side->model);
}

/* ---- supervision ---- */

/* Check what the learner takes before the file is read. */
static akin_status check_kind(app *a, const cli_training *training,
                              akin_knowledge kind, const char *data)
{
    char takes[96];
    const int64_t set = training->learner->takes;
    cli_knowledge_words(set, takes, sizeof takes);
    if (kind == AKIN_NOTHING && set != AKIN_NOTHING && training->file == NULL)
        return set & AKIN_LABELS
                   ? app_fail(a, AKIN_EINVAL,
                              "%s learns from %s, and %s has no labels "
                              "(--label-column or --labels says where they "
                              "are)",
                              training->learner->name, takes, data)
                   : app_fail(a, AKIN_EINVAL,
                              "%s learns from %s, and none are given",
                              training->learner->name, takes);
    if (training->file != NULL && !(set & kind))
        return app_fail(a, AKIN_EINVAL, "%s learns from %s, not from %s",
                        training->learner->name, takes,
                        cli_knowledge_flag(kind));
    return AKIN_OK;
}

/* Triplets from standard input are a stream, for online learners alone. */
static akin_status check_triplets(app *a, cli_training *training,
                                  const training_input *in)
{
    if (training->file_kind != AKIN_TRIPLETS)
        return AKIN_OK;
    training->streams = strcmp(training->file, "-") == 0;
    if (!training->streams)
        return AKIN_OK;
    if (!in->may_stream)
        return app_fail(a, AKIN_EINVAL, "%s cannot learn from a stream",
                        in->command->name);
    if (!training->learner->is_online)
        return app_fail(a, AKIN_EINVAL,
                        "%s needs all examples at once (--triplets - streams "
                        "them)",
                        training->learner->name);
    return AKIN_OK;
}

/* What is known of these rows before any file of examples. */
static akin_status new_supervision(app *a, const cli_training *training,
                                   akin_rows *left, akin_supervision **out)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_supervision_new(out, a->ctx, left, training->right.rows,
                                 training->left.recipe));
    akin_supervision_right_recipe(*out, training->right.recipe);
    if (training->all_pairs)
        APP_TRY(akin_supervision_all_pairs(a->ctx, *out));
done:
    return st;
}

static akin_status open_known(app *a, cli_training *training,
                              const training_input *in)
{
    akin_status st = AKIN_OK;
    if (training->streams)
        APP_TRY(
            cli_forget_labels(a, training->left.rows));  // the stream says all
    APP_TRY(
        new_supervision(a, training, training->left.rows, &training->known));
    if (training->file == NULL) {
        APP_TRY(check_kind(a, training, akin_supervision_kind(training->known),
                           in->training->data));
    } else if (training->file_kind == AKIN_LABELS) {
        APP_TRY(
            akin_supervision_labelled(a->ctx, training->known, training->file));
    } else if (!training->streams) {
        APP_TRY(akin_supervision_read(a->ctx, training->known,
                                      training->file_kind, training->file));
        if (akin_supervision_examples(training->known) == 0)
            APP_TRY(cli_no_examples(a, training->file_kind, training->file));
    }
    akin_supervision_name(training->known,
                          training->file ? training->file : in->training->data);
    akin_supervision_sample(training->known, in->sample->sample,
                            passes_of(a, training, in->sample));
    if (draws_by_warp(a, training, in->sample->sampler))
        akin_supervision_sampling(training->known, AKIN_WARP);
    if (strcmp(pair_weights_of(a, training, in->sample), "printed") == 0)
        akin_supervision_pair_weights(training->known, AKIN_PRINTED);
done:
    return st;
}

akin_status cli_training_open(app *a, cli_training *training,
                              const training_input *in)
{
    akin_status st = AKIN_OK;
    *training = (cli_training){.data = in->training->data,
                               .as_published = in->training->as_published};
    training->file_kind = cli_knowledge_given(in->knowledge, &training->file);
    APP_TRY(open_learner(a, training, in));
    if (cli_all_pairs(in->knowledge)) {
        APP_TRY(check_kind(a, training, AKIN_PAIRS, in->training->data));
        training->all_pairs = true;
        training->file_kind = AKIN_NOTHING;
        training->file = NULL;
    }
    if (training->file != NULL) {
        APP_TRY(
            check_kind(a, training, training->file_kind, in->training->data));
        APP_TRY(check_triplets(a, training, in));
    }
    APP_TRY(open_rows(a, training, in));
    APP_TRY(open_known(a, training, in));
done:
    return st;
}

akin_status cli_training_adopt(app *a, cli_training *training,
                               const training_input *in, const akin_model *m)
{
    cli_side *side = &training->left;
    const akin_recipe *recipe = akin_model_recipe(m, AKIN_LEFT);
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    if (side->raw == NULL || recipe == NULL ||
        strcmp(akin_recipe_text(recipe), akin_recipe_text(side->recipe)) == 0)
        return AKIN_OK;
    APP_TRY(akin_model_prepare(&rows, a->ctx, m, side->raw, AKIN_LEFT));
    akin_supervision_free(training->known);
    training->known = NULL;
    akin_rows_free(side->rows);
    side->rows = rows;
    side->recipe = recipe;
    APP_TRY(open_known(a, training, in));
done:
    return st;
}

void cli_training_close(cli_training *training)
{
    akin_supervision_free(training->known);
    cli_side_close(&training->left);
    cli_side_close(&training->right);
    akin_options_free(training->options);
    akin_model_free(training->resume);
}

/* ---- held-out supervision ---- */

akin_status cli_held_out_read(app *a, cli_held_out *h,
                              const cli_training *training,
                              reading_flags reading, const char *flag,
                              const char *path)
{
    akin_rows *raw = NULL;
    akin_status st = AKIN_OK;
    if (training->file_kind != AKIN_NOTHING &&
        training->file_kind != AKIN_LABELS) {
        APP_TRY(new_supervision(a, training, training->left.rows, &h->known));
        APP_TRY(
            akin_supervision_read(a->ctx, h->known, training->file_kind, path));
        return AKIN_OK;
    }
    reading.labels = NULL;
    APP_TRY(cli_read_rows(
        a, &raw, path, &reading,
        cli_shape_of_recipe(training->left.recipe, training->data)));
    st = akin_recipe_apply(&h->rows, a->ctx, training->left.recipe, raw);
    APP_TRY(cli_in_file(a, st, path));
    if (training->file_kind == AKIN_NOTHING &&
        training->learner->takes != AKIN_NOTHING &&
        akin_rows_label_count(raw) == 0)
        APP_TRY(app_fail(a, AKIN_EINVAL, "--%s: %s has no labels to measure by",
                         flag, path));
    APP_TRY(new_supervision(a, training, h->rows, &h->known));
done:
    akin_rows_free(raw);
    return st;
}

akin_status cli_held_out_open(app *a, cli_held_out *h,
                              const cli_training *training,
                              const reading_flags *reading,
                              const char *validate)
{
    char *end;
    const double x = strtod(validate, &end);
    if (*end != '\0' || end == validate)
        return cli_held_out_read(a, h, training, *reading, "validate",
                                 validate);
    if (!(x > 0.0 && x < 1.0))
        return app_fail(a, AKIN_EINVAL,
                        "--validate %s is out of range (a fraction above "
                        "0 and below 1, or a file)",
                        validate);
    h->fraction = x;
    return AKIN_OK;
}

void cli_held_out_close(cli_held_out *h)
{
    akin_supervision_free(h->known);
    akin_rows_free(h->rows);
}

double cli_shown_score(const char *measure, double score)
{
    return strcmp(measure, "error") == 0 ? 0.0 - score : score;
}

/* ---- the result, for people and for programs ---- */

/* Where a model that is not complete goes: to `path`, or, where that file
 * exists and may be a good model that is not to be replaced, to a new file
 * beside it. */
static akin_status place_beside(app *a, const char *path, bool replaces,
                                char out[PATH_MAX])
{
    struct stat s;
    int n = snprintf(out, PATH_MAX, "%s", path);
    const bool is_file = !replaces && stat(path, &s) == 0 && S_ISREG(s.st_mode);
    for (int i = 1; is_file && n < PATH_MAX && lstat(out, &s) == 0; ++i)
        n = i == 1 ? snprintf(out, PATH_MAX, "%s.last", path)
                   : snprintf(out, PATH_MAX, "%s.last.%d", path, i);
    return n < PATH_MAX
               ? AKIN_OK
               : app_fail(a, AKIN_EIO, "%s: %s", path, strerror(ENAMETOOLONG));
}

akin_status cli_training_keep(app *a, akin_status st, const akin_model *m,
                              const char *path, bool replaces)
{
    char why[APP_MESSAGE_SIZE], out[PATH_MAX];
    if ((st != AKIN_ENUMERIC && st != AKIN_ECANCELLED) || m == NULL)
        return st;
    const char *text = app_error_text(a, st);
    memcpy(why, text, strnlen(text, sizeof why - 1) + 1);
    why[sizeof why - 1] = '\0';
    akin_ctx_set_progress(a->ctx, NULL, NULL);
    const bool kept = place_beside(a, path, replaces, out) == AKIN_OK &&
                      akin_model_save(a->ctx, m, out) == AKIN_OK;
    return app_fail(a, st, "%s; %s %s%s", why, app_shown(out),
                    !kept                 ? "could not be written"
                    : st == AKIN_ENUMERIC ? "holds the last finite model"
                                          : "holds the best model so far",
                    strcmp(out, path) == 0 ? "" : ", the old file is kept");
}

void cli_training_warn(app *a, const cli_training *training,
                       const akin_learn_info *info)
{
    if (info->outcome != AKIN_CONVERGED)
        app_warn(a, "%s stopped before it converged", training->learner->name);
}

/* Add what the learner noted in the model: beta, gap, and so on. */
static void add_figures(json_t *all, const akin_model *m)
{
    const char *key, *value;
    for (int64_t i = 0; akin_model_note_at(&key, &value, m, i); ++i)
        if (strncmp(key, "option.", 7) != 0 && strcmp(key, "seed") != 0 &&
            json_object_get(all, key) == NULL)
            json_object_set_new(all, key, app_json_guess(value));
}

json_t *cli_training_json(app *a, const cli_training *training,
                          const akin_options *options, const akin_model *m,
                          const akin_learn_info *info, const char *path)
{
    json_t *all = APP_OBJECT(
        APP_KEY("learner", training->learner->name),
        APP_KEY("params",
                cli_parameters_json(a, options, training->learner, m)),
        APP_KEY("as_published", training->as_published),
        APP_KEY("rows", akin_rows_count(training->left.rows)),
        CLI_RUN_KEYS(m, info),
        APP_KEY("recipe", training->left.recipe
                              ? akin_recipe_text(training->left.recipe)
                              : ""),
        APP_KEY("model", path));
    if (training->right.rows != NULL) {
        json_object_set_new(
            all, "right_rows",
            json_integer(akin_rows_count(training->right.rows)));
        json_object_set_new(all, "right_dim",
                            json_integer(akin_model_dim(m, AKIN_RIGHT)));
        json_object_set_new(
            all, "right_recipe",
            json_string(akin_recipe_text(training->right.recipe)));
    }
    if (training->learner->is_online)
        json_object_set_new(all, "passes", json_integer(info->iterations));
    cli_add_reading(all, training->left.rows);
    add_figures(all, m);
    json_object_set_new(all, "out", app_json_string(path));
    return all;
}

/* "1,000,000 examples in 2 passes, 812,345 updates in 1.94 s (515 k/s)"; a
 * batch learner has no such rate. */
static akin_status print_effort(app *a, const akin_learn_info *info,
                                int64_t rows, bool is_online)
{
    akin_status st = AKIN_OK;
    if (info->examples > 0)
        APP_TRY(
            app_report(a, "%s", app_counted(info->examples, "example").text));
    else
        APP_TRY(app_report(a, "%s", app_counted(rows, "row").text));
    if (is_online && info->iterations > 1)
        APP_TRY(
            app_report(a, " in %s passes", app_count(info->iterations).text));
    if (info->examples > 0 && (is_online || info->updates > 0))
        APP_TRY(
            app_report(a, ", %s", app_counted(info->updates, "update").text));
    APP_TRY(app_report(a, " in %s", app_seconds(info->seconds).text));
    if (is_online && info->examples > 0 && info->seconds > 0.0)
        APP_TRY(app_report(
            a, " (%s/s)", app_si((double)info->examples / info->seconds).text));
done:
    return st;
}

static akin_status print_size(app *a, const akin_model *m, const char *path)
{
    struct stat s;
    const int64_t all = akin_model_parameters(m);
    const int64_t used = akin_model_nonzeros(m);
    akin_status st = AKIN_OK;
    if (akin_model_rank(m) > 0)
        APP_TRY(app_report(a, ", rank %s", app_count(akin_model_rank(m)).text));
    else if (all > 0)
        APP_TRY(app_report(a, ", %s of %s weights (%s zeros)",
                           app_count(used).text, app_count(all).text,
                           app_percent(1.0 - (double)used / (double)all).text));
    APP_TRY(app_report(a, ", %s", app_shown(path)));
    if (stat(path, &s) == 0 && S_ISREG(s.st_mode))
        APP_TRY(app_report(a, " %s", app_bytes(s.st_size).text));
    APP_TRY(app_report(a, "\n"));
done:
    return st;
}

akin_status cli_training_print(app *a, const cli_training *training,
                               const akin_model *m, const akin_learn_info *info,
                               const char *path)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_report(a, "%s: ", training->learner->name));
    APP_TRY(print_effort(a, info, akin_rows_count(training->left.rows),
                         training->learner->is_online));
    if (isfinite(info->loss) && info->examples > 0)
        APP_TRY(app_report(a, ", loss %.4g", info->loss));
    if (isfinite(info->objective))
        APP_TRY(app_report(a, ", objective %.6g", info->objective));
    APP_TRY(print_size(a, m, path));
done:
    return st;
}
