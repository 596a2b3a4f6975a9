/* akin help: the overview, one command, or all tables as JSON. */
#include <string.h>

#include "app/help.h"
#include "app/json.h"
#include "app/nearest.h"
#include "cli/commands.h"
#include "cli/naming/name.h"
#include "cli/training/auto.h"
#include "cli/training/parameters.h"

typedef struct help_flags {
    const char *command;
    bool all;
} help_flags;

static const app_option options[] = {
    {"COMMAND", NULL, APP_FIELD(help_flags, command),
     .help = "a command, or a learner; without it, the overview",
     .flags = APP_ARGUMENT},
    {"all", NULL, APP_FIELD(help_flags, all),
     .help = "all options of the command, not only those that most users need"},
};

static const app_group group =
    APP_GROUP("Arguments", options, (&(const help_flags){0}));

static akin_status overview(app *a)
{
    char usage[128];
    const app_command *c;
    const char *section = "";
    akin_status st =
        app_print(a, "akin - learn what similar means, then search by it\n\n");
    for (int64_t i = 0; st == AKIN_OK; ++i) {
        c = cli_command_at(i);
        if (c == NULL)
            break;
        const char *shown = strcmp(section, c->section) == 0 ? "" : c->section;
        if (c->first_usage != NULL) {
            st = app_print(a, "  %-12s %-46s %s\n", shown, c->first_usage,
                           c->first_summary);
            shown = "";
        }
        app_usage(c, usage, sizeof usage);
        if (st == AKIN_OK)
            st = app_print(a, "  %-12s %-46s %s\n", shown, usage, c->summary);
        section = c->section;
    }
    if (st == AKIN_OK)
        st = app_print(a, "\nakin help COMMAND and akin help LEARNER say more; "
                          "akin learners lists what can be learned.\n");
    return st;
}

static json_t *option_json(const app_group *g, const app_option *o)
{
    char range[256], value[64];
    const unsigned char *defaults = g->defaults;
    app_option_range(o, range, sizeof range);
    app_option_text(o, defaults + o->offset, value, sizeof value);
    return APP_OBJECT(
        APP_KEY("name", o->name), APP_KEY("argument", o->argument),
        APP_KEY("help", o->help), APP_KEY("default", value[0] ? value : NULL),
        APP_KEY("range", range[0] ? range : NULL),
        APP_KEY("needed", (bool)(o->flags & APP_NEEDED)),
        APP_KEY("positional", (bool)(o->flags & APP_ARGUMENT)),
        APP_KEY("advanced", o->advanced));
}

static json_t *group_json(const app_group *g)
{
    json_t *rows = json_array();
    for (int64_t i = 0; i < g->n_options; ++i)
        json_array_append_new(rows, option_json(g, &g->options[i]));
    return APP_OBJECT(APP_KEY("title", g->title), APP_KEY("options", rows));
}

static json_t *command_json(const app_command *c)
{
    char usage[128];
    const app_group *g;
    json_t *groups = json_array();
    for (int64_t i = 0; (g = app_group_at(c, i, NULL)) != NULL; ++i)
        json_array_append_new(groups, group_json(g));
    app_usage(c, usage, sizeof usage);
    return APP_OBJECT(APP_KEY("name", c->name), APP_KEY("section", c->section),
                      APP_KEY("usage", usage), APP_KEY("summary", c->summary),
                      APP_KEY("about", c->about),
                      APP_KEY("examples", c->examples),
                      APP_KEY("takes_parameters", c->takes_others),
                      APP_KEY("groups", groups));
}

static akin_status all_json(app *a)
{
    const app_command *c;
    json_t *list = json_array();
    for (int64_t i = 0; (c = cli_command_at(i)) != NULL; ++i)
        json_array_append_new(list, command_json(c));
    return app_json_print(
        a, APP_OBJECT(APP_KEY("version", akin_version()),
                      APP_KEY("commands", list),
                      APP_KEY("naming_methods", name_methods_json())));
}

/* A command; else the nearest of commands and learners. */
static const app_command *find_command(app *a, const char *name)
{
    const akin_learner_info *l;
    const app_command *c;
    app_nearest near = {.word = name};
    for (int64_t i = 0; (c = cli_command_at(i)) != NULL; ++i) {
        if (strcmp(c->name, name) == 0)
            return c;
        app_nearest_try(&near, c->name);
    }
    for (int64_t i = 0; (l = akin_learner_at(i)) != NULL; ++i)
        app_nearest_try(&near, l->name);
    app_fail(a, AKIN_EINVAL, "there is no command or learner '%s'%s", name,
             near.best[0] ? app_nearest_hint(&near, "").text
                          : " (akin help and akin learners list them)");
    return NULL;
}

static akin_status run(app *a, const void *flags)
{
    const help_flags *f = flags;
    if (f->command == NULL)
        return a->common.json ? all_json(a) : overview(a);
    const char *name = cli_is_auto(f->command) ? "train" : f->command;
    const akin_learner_info *l = akin_learner_find(name);
    const app_command *c = l ? NULL : find_command(a, name);
    if (l != NULL)
        return cli_learner_show(a, l);
    if (c == NULL)
        return AKIN_EINVAL;
    return a->common.json ? app_json_print(a, command_json(c))
                          : app_help_command(a, c, f->all);
}

const app_command cmd_help = {
    .name = "help",
    .section = "help",
    .summary = "this overview, a command, or a learner",
    .about = "Without COMMAND, list all commands. Of a command, show the "
             "options that most users need, or with --all every option; of a "
             "learner, what akin learners LEARNER shows. With --json, print "
             "the tables that help, man page and shell completion are made "
             "from.",
    .examples = "akin help train\nakin help train --all\nakin help lmnn",
    .size = sizeof(help_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
