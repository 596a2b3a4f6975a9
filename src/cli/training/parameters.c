#include "cli/training/parameters.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "app/nearest.h"
#include "cli/commands.h"
#include "cli/training/auto.h"

const akin_learner_info *cli_learner_find(app *a, const char *name)
{
    const akin_learner_info *l = akin_learner_find(name);
    if (l != NULL)
        return l;
    app_nearest near = {.word = name};
    for (int64_t i = 0; (l = akin_learner_at(i)) != NULL; ++i)
        app_nearest_try(&near, l->name);
    if (a->command == &cmd_train)
        app_nearest_try(&near, CLI_AUTO);
    app_fail(a, AKIN_EINVAL, "there is no learner '%s'%s", name,
             near.best[0] ? app_nearest_hint(&near, "").text
                          : " (akin learners lists them)");
    return NULL;
}

const akin_learner_info *cli_trainable_find(app *a, const char *name)
{
    const akin_learner_info *l = cli_learner_find(a, name);
    if (l == NULL || l->names_faces < 2)
        return l;
    app_fail(a, AKIN_EINVAL,
             "%s names faces and trains no model: use akin name --method %s",
             name, name);
    return NULL;
}

/* An option of a struct as a flag: "start_weight" is --start-weight. */
static void use_dashes(char *name)
{
    for (char *s = name; *s; ++s)
        if (*s == '_')
            *s = '-';
}

void cli_parameter_of(cli_parameter *out, const akin_option *o)
{
    snprintf(out->flag, sizeof out->flag, "%s", o->name);
    use_dashes(out->flag);
    out->row = (app_option){.name = out->flag, .help = o->help};
    switch (o->type) {
    case AKIN_F64:
        out->row.type = APP_REAL;
        out->row.argument = "X";
        break;
    case AKIN_I64:
        out->row.type = APP_INT;
        out->row.argument = "N";
        break;
    case AKIN_STRING:
        out->row.type = APP_TEXT;
        out->row.argument = o->choices ? o->choices : "TEXT";
        return;
    }
    out->row.zero = o->zero;
    out->row.min = o->min;
    out->row.max = o->max;
}

/* Is the option a yes or no? */
static bool is_switch(const akin_option *o)
{
    return o->type == AKIN_I64 && o->min == 0.0 && o->max == 1.0;
}

/* Does the option apply to this use? */
static bool is_for(const akin_option *o, akin_option_use use)
{
    return o->use == AKIN_ANY_USE || o->use == use;
}

akin_status cli_parameter_unknown(app *a, const char *name,
                                  const akin_learner_info *learner,
                                  akin_option_use use,
                                  const app_command *command)
{
    app_nearest near = {.word = name};
    cli_parameter p;
    for (int64_t i = 0; i < learner->n_options; ++i) {
        cli_parameter_of(&p, &learner->options[i]);
        if (is_for(&learner->options[i], use))
            app_nearest_try(&near, p.flag);
    }
    app_nearest_flag(&near, command);
    const char *method = use == AKIN_NAMING ? " --method" : "";
    return app_fail(a, AKIN_EINVAL, "%s%s %s has no option --%s%s",
                    command->name, method, learner->name, name,
                    app_nearest_hint(&near, "--").text);
}

const akin_option *cli_parameter_find(const akin_learner_info *learner,
                                      akin_option_use use, const char *flag,
                                      cli_parameter *p)
{
    for (int64_t i = 0; i < learner->n_options; ++i) {
        cli_parameter_of(p, &learner->options[i]);
        if (strcmp(p->flag, flag) == 0 && is_for(&learner->options[i], use))
            return &learner->options[i];
    }
    return NULL;
}

akin_status cli_parameters_known(app *a, const char *learner,
                                 const app_command *command)
{
    cli_parameter p;
    const akin_learner_info *l = learner ? cli_trainable_find(a, learner)
                                         : NULL;
    if (l == NULL)
        return learner ? AKIN_EINVAL : AKIN_OK;
    for (int64_t i = 0; i < a->n_others; ++i)
        if (cli_parameter_find(l, AKIN_TRAINING, a->others[i].name, &p) == NULL)
            return cli_parameter_unknown(a, a->others[i].name, l, AKIN_TRAINING,
                                         command);
    return AKIN_OK;
}

/* Where conditions find the values of a learner's options. */
typedef struct lookup {
    app *a;
    const akin_options *options;
    const akin_learner_info *learner;
    akin_option_use use;
    char *text;
    uint64_t size;
} lookup;

static const char *value_of(const void *from, const char *name)
{
    const lookup *l = from;
    cli_parameter p;
    const akin_option *o = cli_parameter_find(l->learner, l->use, name, &p);
    return o != NULL && akin_options_get(l->text, l->a->ctx, l->options,
                                         o->name, l->size) == AKIN_OK
               ? l->text
               : NULL;
}

/* The alternatives of a condition that the learner has, as flags. */
static void known_needs(const akin_learner_info *learner, akin_option_use use,
                        const char *needs, char *text, size_t size)
{
    cli_parameter p;
    char name[48];
    size_t at = 0;
    text[0] = '\0';
    while (needs != NULL && *needs != '\0') {
        const size_t n = strcspn(needs, "|");
        const size_t length = strcspn(needs, "=|");
        snprintf(name, sizeof name, "%.*s", (int)length, needs);
        use_dashes(name);
        if (cli_parameter_find(learner, use, name, &p) != NULL && at < size)
            at += (size_t)snprintf(text + at, size - at, "%s%s%.*s",
                                   at ? "|" : "", name, (int)(n - length),
                                   needs + length);
        needs += n + (needs[n] == '|');
    }
}

/* Check the `needs` of the learner's flags against its other options. */
static akin_status check_needs(app *a, const akin_options *options,
                               const akin_learner_info *learner,
                               akin_option_use use)
{
    char text[512], needs[128];
    cli_parameter p;
    const lookup from = {a, options, learner, use, text, sizeof text};
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < a->n_others && st == AKIN_OK; ++i) {
        const akin_option *o =
            cli_parameter_find(learner, use, a->others[i].name, &p);
        known_needs(learner, use, o->needs, needs, sizeof needs);
        p.row.needs = needs;
        st = app_check_row(a, &p.row, value_of, &from);
    }
    return st;
}

akin_status cli_parameters_set(app *a, akin_options *options,
                               const akin_learner_info *learner,
                               akin_option_use use, const char **given)
{
    akin_status st = AKIN_OK;
    cli_parameter p;
    for (int64_t i = 0; i < a->n_others; ++i) {
        const app_other *other = &a->others[i];
        const akin_option *o =
            cli_parameter_find(learner, use, other->name, &p);
        assert(o != NULL);  // the command has checked them
        const char *value = other->value;
        if (value == NULL && is_switch(o))
            value = "1";  // the flag alone is a yes
        if (value == NULL)
            return app_fail(a, AKIN_EINVAL, "--%s needs a value (%s)", p.flag,
                            p.row.argument);
        st = app_option_set(a, &p.row, value, NULL);
        if (st == AKIN_OK)
            st = akin_options_set(a->ctx, options, o->name, value);
        if (st != AKIN_OK)
            return st;
        if (given != NULL)
            given[i] = o->name;
    }
    if (given != NULL)
        given[a->n_others] = NULL;
    return check_needs(a, options, learner, use);
}

/* Is `word` one of "a|b"? */
static bool is_word(const char *words, const char *word)
{
    const size_t n = strlen(word);
    for (const char *p = words; p != NULL; p = strchr(p, '|')) {
        p += *p == '|';
        if (strcspn(p, "|") == n && strncmp(p, word, n) == 0)
            return true;
    }
    return false;
}

static akin_status take_rank(app *a, akin_options *options, const char *path,
                             int64_t rank, const char **given)
{
    char text[32];
    int64_t n = 0;
    bool is_given = false;
    for (; given[n] != NULL; ++n)
        is_given = is_given || strcmp(given[n], "rank") == 0;
    if (!is_given) {
        snprintf(text, sizeof text, "%lld", (long long)rank);
        given[n] = "rank";
        given[n + 1] = NULL;
        return akin_options_set(a->ctx, options, "rank", text);
    }
    akin_options_get(text, a->ctx, options, "rank", sizeof text);
    if (rank == strtoll(text, NULL, 10))
        return AKIN_OK;
    return app_fail(a, AKIN_EINVAL,
                    "%s: the start has rank %lld, --rank says %s", path,
                    (long long)rank, text);
}

akin_status cli_parameters_start(app *a, akin_options *options,
                                 const akin_learner_info *learner,
                                 const char **given)
{
    cli_parameter p;
    char path[4096];
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    const akin_option *start =
        cli_parameter_find(learner, AKIN_TRAINING, "start", &p);
    if (start == NULL ||
        cli_parameter_find(learner, AKIN_TRAINING, "rank", &p) == NULL)
        return AKIN_OK;
    APP_TRY(akin_options_get(path, a->ctx, options, "start", sizeof path));
    if (is_word(start->choices, path))
        return AKIN_OK;
    /* The learner says what is wrong with a file that is no model. */
    if (akin_model_load(&m, a->ctx, path) == AKIN_OK && akin_model_rank(m) > 0)
        APP_TRY(take_rank(a, options, path, akin_model_rank(m), given));
done:
    akin_model_free(m);
    return st;
}

/* The value of an option that the model was trained with, or NULL. */
static const char *noted(const akin_model *m, const char *name)
{
    char key[64];
    snprintf(key, sizeof key, "option.%s", name);
    return m ? akin_model_note(m, key) : NULL;
}

akin_status cli_parameters_resume(app *a, akin_options *options,
                                  const akin_learner_info *learner,
                                  const akin_model *m)
{
    akin_status st = AKIN_OK;
    if (strcmp(akin_model_learner(m), learner->name) != 0)
        return app_fail(a, AKIN_EINVAL,
                        "--resume: the model was trained by %s, not by %s",
                        akin_model_learner(m), learner->name);
    if (!akin_model_can_resume(m))
        return app_fail(
            a, AKIN_EINVAL,
            "--resume: %s cannot resume: it takes all examples at once",
            learner->name);
    for (int64_t i = 0; i < learner->n_options && st == AKIN_OK; ++i) {
        const char *name = learner->options[i].name;
        const char *value = noted(m, name);
        if (value != NULL)
            st = akin_options_set(a->ctx, options, name, value);
    }
    return st;
}

json_t *cli_parameters_json(app *a, const akin_options *options,
                            const akin_learner_info *learner,
                            const akin_model *m)
{
    char text[512];
    json_t *object = json_object();
    for (int64_t i = 0; i < learner->n_options; ++i) {
        const akin_option *o = &learner->options[i];
        json_t *value = NULL;
        if (!is_for(o, AKIN_TRAINING))
            continue;
        if (akin_options_get(text, a->ctx, options, o->name, sizeof text) ==
            AKIN_OK)
            value = o->type == AKIN_STRING ? app_json_string(text)
                    : is_switch(o)
                        ? json_boolean(strcmp(text, "0") != 0)
                        : app_json_guess(noted(m, o->name) ? noted(m, o->name)
                                                           : text);
        json_object_set_new(object, o->name, value);
    }
    return object;
}
