/* akin learners: the registry, for people and as JSON. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/help.h"
#include "app/json.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/training/parameters.h"
#include "cli/training/training.h"

enum { INDENT = 15, LIST_INDENT = 20 };

typedef struct learners_flags {
    const char *learner;
} learners_flags;

static const app_option options[] = {
    {"LEARNER", NULL, APP_FIELD(learners_flags, learner),
     .help = "show its parameters: meaning, default and range",
     .flags = APP_ARGUMENT},
};

static const app_group group =
    APP_GROUP("Arguments", options, (&(const learners_flags){0}));

/* " --weights tfidf --norm l2": the parts of a recipe that do something. */
static void recipe_words(const akin_recipe_options *r, char *text, size_t size)
{
    const char *const names[] = {"weights", "scale", "norm"};
    const char *const values[] = {r ? r->weights : NULL, r ? r->scale : NULL,
                                  r ? r->norm : NULL};
    size_t at = 0;
    text[0] = '\0';
    if (r != NULL && r->center)
        at = (size_t)snprintf(text, size, " --center");
    for (int i = 0; i < 3; ++i)
        if (values[i] != NULL && values[i][0] != 'n' && at < size)
            at += (size_t)snprintf(text + at, size - at, " --%s %s", names[i],
                                   values[i]);
    if (at == 0)
        snprintf(text, size, " none");
}

/* Learners of one heading take the same supervision; those that name faces
 * have one of their own. */
static bool same_heading(const akin_learner_info *l,
                         const akin_learner_info *other)
{
    return l->names_faces || other->names_faces
               ? l->names_faces && other->names_faces
               : l->takes == other->takes;
}

/* Supervised learners first, then those of rows alone, then those of faces. */
static int place_of(const akin_learner_info *l)
{
    return l->names_faces ? 2 : l->takes == AKIN_NOTHING;
}

/* Does the list show it: all, or those that akin train can make? */
static bool is_listed(const akin_learner_info *l, bool trainable)
{
    return !trainable || l->names_faces < 2;
}

/* The heading of learner i and all learners under it; nothing where an earlier
 * learner had it. */
static akin_status list_heading(app *a, int64_t i, bool trainable)
{
    const akin_learner_info *first = akin_learner_at(i), *l;
    char takes[96];
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < i; ++j)
        if (same_heading(akin_learner_at(j), first))
            return AKIN_OK;
    cli_knowledge_words(first->takes, takes, sizeof takes);
    APP_TRY(
        app_print(a, "%sfrom %s%s\n", trainable ? "Learners " : "\n", takes,
                  first->names_faces && !trainable
                      ? ", for akin name; those marked + also for akin train"
                      : ""));
    for (int64_t j = i; (l = akin_learner_at(j)) != NULL; ++j) {
        char name[40];
        if (!same_heading(l, first) || !is_listed(l, trainable))
            continue;
        snprintf(name, sizeof name, "%s%s%s", l->name,
                 l->names_faces == 1 && !trainable ? " +" : "",
                 l->shares != NULL && !trainable ? " *" : "");
        APP_TRY(app_help_row(a, LIST_INDENT, name, l->when));
    }
done:
    return st;
}

static akin_status list_all(app *a, bool trainable)
{
    const akin_learner_info *l;
    akin_status st = AKIN_OK;
    for (int place = 0; place <= 2; ++place)
        for (int64_t i = 0; (l = akin_learner_at(i)) != NULL; ++i)
            if (st == AKIN_OK && place_of(l) == place)
                st = list_heading(a, i, trainable);
    return st;
}

akin_status cli_learners_help(app *a)
{
    const akin_status st = app_print(a, "\n");
    return st == AKIN_OK ? list_all(a, true) : st;
}

static akin_status list(app *a)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, "learners, and when to use each\n"));
    APP_TRY(list_all(a, false));
    APP_TRY(app_print(a, "\nakin learners LEARNER shows what it learns and its "
                         "parameters.\nakin train auto compares those that fit "
                         "and takes the best.\nRanks of mpirun share the "
                         "learning of those marked *.\n"));
done:
    return st;
}

/* The default as text, with numbers as short as possible. */
static akin_status default_text(app *a, const akin_learner_info *l,
                                const akin_option *o, char *text, size_t size)
{
    const akin_status st =
        akin_options_get(text, a->ctx, l->defaults, o->name, size);
    if (st == AKIN_OK && o->type == AKIN_F64)
        snprintf(text, size, "%s", app_real(strtod(text, NULL)).text);
    return st;
}

/* "; published: 0.03", where that is not the default. */
static void published_text(const akin_learner_info *l, const akin_option *o,
                           const char *value, char *text, size_t size)
{
    const char *printed = akin_learner_published(l->name, o->name);
    const bool same = printed == NULL ||
                      (o->type == AKIN_STRING
                           ? strcmp(printed, value) == 0
                           : strtod(printed, NULL) == strtod(value, NULL));
    snprintf(text, size, "%s%s",
             same ? "" : "; published: ", same ? "" : printed);
}

static akin_status show_option(app *a, const akin_learner_info *l,
                               const akin_option *o)
{
    char left[96], right[640], value[128], range[256], printed[64];
    cli_parameter p;
    cli_parameter_of(&p, o);
    app_option_left(&p.row, left, sizeof left);
    app_option_range(&p.row, range, sizeof range);
    const akin_status st = default_text(a, l, o, value, sizeof value);
    if (st != AKIN_OK)
        return st;
    published_text(l, o, value, printed, sizeof printed);
    const bool words = o->type == AKIN_STRING;  // they stand on the left
    const char *only = l->names_faces != 1       ? ""
                       : o->use == AKIN_TRAINING ? "akin train: "
                       : o->use == AKIN_NAMING   ? "akin name: "
                                                 : "";
    snprintf(right, sizeof right, "%s%s%s%s [%s%s]", only, o->help,
             range[0] && !words ? ", " : "", words ? "" : range,
             o->zero && strcmp(value, "0") == 0 ? o->zero : value, printed);
    return app_help_row(a, APP_HELP_LEFT, left, right);
}

static const char *how_it_goes_on(const akin_learner_info *l)
{
    if (l->names_faces == 2)
        return "no: new captions need a new training run";
    if (!l->is_online)
        return "no: it takes all examples at once";
    return l->takes & AKIN_TRIPLETS ? "yes: --resume, --triplets -"
                                    : "yes: --resume";
}

static const char *checkpoints_text(const akin_learner_info *l)
{
    if (akin_learner_checkpoints(l) == NULL)
        return "no";
    return l->is_online ? "yes, of examples: --checkpoint"
                        : "yes, of iterations: --checkpoint";
}

/* " --weights auto-tfidf --passes 1": what the paper sets besides options. */
static void published_run(const akin_learner_info *l, char *text, size_t size)
{
    static const char *const settings[][2] = {
        {"weights", "--weights"},
        {"center", "--center"},
        {"scale", "--scale"},
        {"norm", "--norm"},
        {"pair_weights", "--pair-weights"},
        {"passes", "--passes"}};
    size_t at = 0;
    text[0] = '\0';
    for (size_t i = 0; i < sizeof settings / sizeof settings[0]; ++i) {
        const char *value = akin_learner_published(l->name, settings[i][0]);
        if (value != NULL && at < size)
            at += (size_t)snprintf(text + at, size - at, " %s %s",
                                   settings[i][1], value);
    }
}

static akin_status show(app *a, const akin_learner_info *l)
{
    char takes[96], recipe[128], method[128], printed[128];
    akin_status st = AKIN_OK;
    snprintf(method, sizeof method, "akin name --method %s%s", l->name,
             l->names_faces == 2 ? "; --save-model keeps a model" : "");
    cli_knowledge_words(l->takes, takes, sizeof takes);
    recipe_words(l->recipe, recipe, sizeof recipe);
    APP_TRY(app_print(a, "%s - %s\n\n", l->name, l->summary));
    APP_TRY(app_help_row(a, INDENT, "use it for", l->when));
    APP_TRY(app_help_row(a, INDENT, "learns from", takes));
    if (l->takes_right)
        APP_TRY(app_help_row(a, INDENT, "",
                             "also between two kinds of rows, "
                             "--right"));
    if (l->names_faces)
        APP_TRY(app_help_row(a, INDENT, "names faces", method));
    APP_TRY(app_help_row(a, INDENT, "makes", l->makes));
    APP_TRY(app_help_row(a, INDENT, "resumes", how_it_goes_on(l)));
    if (l->names_faces < 2)
        APP_TRY(app_help_row(a, INDENT, "ranks share",
                             l->shares ? l->shares : "trials and the verdict"));
    if (l->names_faces < 2)
        APP_TRY(app_help_row(a, INDENT, "checkpoints", checkpoints_text(l)));
    APP_TRY(app_help_row(a, INDENT, "recipe", recipe + 1));
    APP_TRY(app_help_row(a, INDENT, "paper", l->paper ? l->paper : "none"));
    published_run(l, printed, sizeof printed);
    if (printed[0] != '\0')
        APP_TRY(app_help_row(a, INDENT, "published", printed + 1));
    if (l->n_options > 0)
        APP_TRY(app_help_title(a, "Parameters"));
    for (int64_t i = 0; i < l->n_options; ++i)
        APP_TRY(show_option(a, l, &l->options[i]));
done:
    return st;
}

static json_t *knowledge_json(int64_t set)
{
    char word[32];
    json_t *list_of = json_array();
    for (int64_t bit = AKIN_LABELS; bit <= AKIN_BAGS; bit *= 2) {
        if (!(set & bit))
            continue;
        cli_knowledge_words(bit, word, sizeof word);
        json_array_append_new(list_of, json_string(word));
    }
    return list_of;
}

static json_t *option_json(app *a, const akin_learner_info *l,
                           const akin_option *o)
{
    char value[128] = "";
    cli_parameter p;
    const bool words = o->type == AKIN_STRING;
    const char *printed = akin_learner_published(l->name, o->name);
    json_t *grid = json_array();
    cli_parameter_of(&p, o);
    akin_options_get(value, a->ctx, l->defaults, o->name, sizeof value);
    for (int64_t i = 0; i < o->n_grid; ++i)
        json_array_append_new(grid, app_json_real(o->grid[i]));
    return APP_OBJECT(
        APP_KEY("name", o->name), APP_KEY("flag", p.flag),
        APP_KEY("type", words                 ? "string"
                        : o->type == AKIN_I64 ? "integer"
                                              : "number"),
        APP_KEY("default", words ? json_string(value) : app_json_guess(value)),
        APP_KEY("published", words || printed == NULL
                                 ? app_json_text_or_null(printed)
                                 : app_json_guess(printed)),
        APP_KEY("min", words ? (double)NAN : o->min),
        APP_KEY("max", words ? (double)NAN : o->max),
        APP_KEY("choices", o->choices), APP_KEY("help", o->help),
        APP_KEY("grid", grid),
        APP_KEY("use", o->use == AKIN_TRAINING ? "train"
                       : o->use == AKIN_NAMING ? "name"
                                               : "any"));
}

static json_t *recipe_json(const akin_recipe_options *r)
{
    const akin_recipe_options none = AKIN_RECIPE_DEFAULTS;
    if (r == NULL)
        r = &none;
    return APP_OBJECT(APP_KEY("weights", r->weights),
                      APP_KEY("center", (bool)r->center),
                      APP_KEY("scale", r->scale), APP_KEY("norm", r->norm));
}

static json_t *learner_json(app *a, const akin_learner_info *l)
{
    json_t *rows = json_array();
    for (int64_t i = 0; i < l->n_options; ++i)
        json_array_append_new(rows, option_json(a, l, &l->options[i]));
    return APP_OBJECT(
        APP_KEY("name", l->name), APP_KEY("summary", l->summary),
        APP_KEY("when", l->when), APP_KEY("paper", l->paper),
        APP_KEY("takes", knowledge_json(l->takes)),
        APP_KEY("right", (bool)l->takes_right),
        APP_KEY("right_alone", (bool)(l->takes_right == 2)),
        APP_KEY("makes", l->makes), APP_KEY("online", (bool)l->is_online),
        APP_KEY("samples", (bool)(l->takes != AKIN_NOTHING && !l->takes_all)),
        APP_KEY("weighs_pairs", (bool)l->weighs_pairs),
        APP_KEY("trains", (bool)(l->names_faces < 2)),
        APP_KEY("names_faces", (bool)(l->names_faces > 0)),
        APP_KEY("shares", l->shares),
        APP_KEY("checkpoints", akin_learner_checkpoints(l)),
        APP_KEY("recipe", recipe_json(l->recipe)), APP_KEY("options", rows));
}

akin_status cli_learner_show(app *a, const akin_learner_info *l)
{
    return a->common.json ? app_json_print(a, learner_json(a, l)) : show(a, l);
}

static akin_status all_json(app *a)
{
    const akin_learner_info *l;
    json_t *rows = json_array();
    for (int64_t i = 0; (l = akin_learner_at(i)) != NULL; ++i)
        json_array_append_new(rows, learner_json(a, l));
    return app_json_print(a, APP_OBJECT(APP_KEY("learners", rows)));
}

static akin_status run(app *a, const void *flags)
{
    const learners_flags *f = flags;
    if (f->learner == NULL)
        return a->common.json ? all_json(a) : list(a);
    const akin_learner_info *l = cli_learner_find(a, f->learner);
    if (l == NULL)
        return AKIN_EINVAL;
    return cli_learner_show(a, l);
}

const app_command cmd_learners = {
    .name = "learners",
    .section = "learn",
    .summary = "what can be learned, from what, with which parameters",
    .about = "Without LEARNER, list all learners with one line on when to use "
             "each. With --json, print the registry: names, parameters, "
             "ranges, defaults and the values that akin tune tries.",
    .examples = "akin learners\nakin learners solis-ada",
    .size = sizeof(learners_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
