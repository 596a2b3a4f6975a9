/* akin help: the overview, one command, or all tables as JSON. */
#include <string.h>

#include "app/help.h"
#include "app/json.h"
#include "cli/commands.h"
#include "cli/name.h"

typedef struct help_flags {
    const char *command;
} help_flags;

static const app_option options[] = {
    {"COMMAND", NULL, APP_FIELD(help_flags, command),
     .help = "what to say more about; without it, the overview",
     .flags = APP_ARGUMENT},
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
        const bool same = strcmp(section, c->section) == 0;
        app_usage(c, usage, sizeof usage);
        st = app_print(a, "  %-12s %-46s %s\n", same ? "" : c->section, usage,
                       c->summary);
        section = c->section;
    }
    if (st == AKIN_OK)
        st = app_print(a, "\nakin help COMMAND says more; akin learners lists "
                          "what can be learned.\n");
    return st;
}

static json_t *option_json(const app_group *g, const app_option *o)
{
    char range[256], value[64];
    const unsigned char *defaults = g->defaults;
    app_option_range(o, range, sizeof range);
    app_option_text(o, defaults + o->offset, value, sizeof value);
    return json_pack("{s:s, s:s?, s:s, s:s?, s:s?, s:b, s:b}", "name", o->name,
                     "argument", o->argument, "help", o->help, "default",
                     value[0] ? value : NULL, "range", range[0] ? range : NULL,
                     "needed", o->flags & APP_NEEDED, "positional",
                     o->flags & APP_ARGUMENT);
}

static json_t *group_json(const app_group *g)
{
    json_t *rows = json_array();
    for (int64_t i = 0; i < g->n_options; ++i)
        json_array_append_new(rows, option_json(g, &g->options[i]));
    return json_pack("{s:s, s:o}", "title", g->title, "options", rows);
}

static json_t *command_json(const app_command *c)
{
    char usage[128];
    const app_group *g;
    json_t *groups = json_array();
    for (int64_t i = 0; (g = app_group_at(c, i, NULL)) != NULL; ++i)
        json_array_append_new(groups, group_json(g));
    app_usage(c, usage, sizeof usage);
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s?, s:b, s:o}", "name",
                     c->name, "section", c->section, "usage", usage, "summary",
                     c->summary, "about", c->about, "examples", c->examples,
                     "takes_parameters", c->takes_others, "groups", groups);
}

static akin_status all_json(app *a)
{
    const app_command *c;
    json_t *list = json_array();
    for (int64_t i = 0; (c = cli_command_at(i)) != NULL; ++i)
        json_array_append_new(list, command_json(c));
    return app_json_print(a, json_pack("{s:s, s:o, s:o}", "version",
                                       akin_version(), "commands", list,
                                       "naming_methods", name_methods_json()));
}

static akin_status run(app *a, const void *flags)
{
    const help_flags *f = flags;
    if (f->command == NULL)
        return a->common.json ? all_json(a) : overview(a);
    const app_command *c = cli_command_find(a, f->command);
    if (c == NULL)
        return AKIN_EINVAL;
    return a->common.json ? app_json_print(a, command_json(c))
                          : app_help_command(a, c);
}

const app_command cmd_help = {
    .name = "help",
    .section = "help",
    .summary = "this overview, or all about one command",
    .about = "Without COMMAND, the overview of all commands. With --json, the "
             "tables that this help, the man page and shell completion are "
             "made from.",
    .size = sizeof(help_flags),
    APP_PARTS({&group, 0}),
    .run = run,
};
