#include "app/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "app/text.h"

enum { WIDTH = 80 };

/* What to show for a value: its own words where it has only those. */
static void placeholder(const app_option *o, char *text, size_t size)
{
    if (strchr(o->argument, '|') == NULL) {
        snprintf(text, size, "%s", o->argument);
        return;
    }
    snprintf(text, size, "%s", o->name);
    for (char *s = text; *s; ++s)
        *s = (char)toupper((unsigned char)*s);
}

static size_t add(char *text, size_t size, size_t at, const char *more)
{
    const int n = snprintf(text + at, size - at, " %s", more);
    return at + (size_t)n < size ? at + (size_t)n : size - 1;
}

void app_usage(const app_command *command, char *text, size_t size)
{
    char word[64], value[48];
    size_t at = (size_t)snprintf(text, size, "akin %s", command->name);
    const app_option *o;
    for (int64_t i = 0; (o = app_option_at(command, i, NULL, NULL)); ++i) {
        const bool needed = o->flags & APP_NEEDED;
        if (o->flags & APP_ARGUMENT) {
            snprintf(word, sizeof word, needed ? "%s" : "[%s%s]", o->name,
                     o->flags & APP_MANY ? "..." : "");
        } else if (needed) {
            placeholder(o, value, sizeof value);
            snprintf(word, sizeof word, "--%s %.*s", o->name, 40, value);
        } else {
            continue;
        }
        at = add(text, size, at, word);
    }
}

void app_option_left(const app_option *o, char *text, size_t size)
{
    if (o->flags & APP_ARGUMENT)
        snprintf(text, size, "%s", o->name);
    else if (o->argument == NULL)
        snprintf(text, size, "--%s", o->name);
    else
        snprintf(text, size, "--%s %s", o->name, o->argument);
}

akin_status app_help_title(app *a, const char *title)
{
    return app_print(a, "\n%s\n", title);
}

akin_status app_help_row(app *a, int indent, const char *left,
                         const char *right)
{
    const bool fits = (int)strlen(left) + 4 <= indent;
    akin_status st = fits ? app_print(a, "  %-*s", indent - 2, left)
                          : app_print(a, "  %s\n%*s", left, indent, "");
    while (st == AKIN_OK) {
        const char *next;
        const size_t n = app_wrap(right, (size_t)(WIDTH - indent), &next);
        st = app_print(a, "%.*s\n", (int)n, right);
        if (*next == '\0')
            break;
        right = next;
        if (st == AKIN_OK)
            st = app_print(a, "%*s", indent, "");
    }
    return st;
}

static akin_status help_option(app *a, const app_group *g, const app_option *o)
{
    char left[96], value[64], right[512];
    const unsigned char *defaults = g->defaults;
    app_option_left(o, left, sizeof left);
    app_option_text(o, defaults + o->offset, value, sizeof value);
    if (value[0] != '\0')
        snprintf(right, sizeof right, "%s [%s]", o->help, value);
    else
        snprintf(right, sizeof right, "%s", o->help);
    return app_help_row(a, APP_HELP_LEFT, left, right);
}

/* The first, or all of them. */
static akin_status paragraphs(app *a, const char *text, bool all)
{
    akin_status st = app_print(a, "\n");
    while (st == AKIN_OK && *text != '\0') {
        const char *next;
        const size_t n = app_wrap(text, WIDTH, &next);
        st = app_print(a, "%.*s\n", (int)n, text);
        if (next[-1] == '\n' && !all)
            break;
        text = next;
    }
    return st;
}

/* A group under its title, or the rows of it that most users need. */
static akin_status help_group(app *a, const app_group *g, bool all)
{
    akin_status st = all ? app_help_title(a, g->title) : AKIN_OK;
    for (int64_t j = 0; j < g->n_options && st == AKIN_OK; ++j)
        if (all || !g->options[j].advanced)
            st = help_option(a, g, &g->options[j]);
    return st;
}

/* "--seed --threads --quiet --json", in one line. */
static akin_status help_common(app *a)
{
    char names[64] = "";
    size_t at = 0;
    for (int64_t j = 0; j < app_common_group.n_options; ++j) {
        char flag[32];
        app_option_left(&app_common_group.options[j], flag, sizeof flag);
        at = add(names, sizeof names, at, flag);
    }
    return app_print(a, "\n%s:%s\n", app_common_group.title, names);
}

enum { SOME_EXAMPLES = 2 };

/* A line that ends in a backslash goes on in the next. */
static akin_status help_examples(app *a, const char *text, bool all)
{
    akin_status st = app_help_title(a, "Examples");
    for (int k = 0; st == AKIN_OK && *text != '\0';) {
        const size_t n = strcspn(text, "\n");
        if (k == SOME_EXAMPLES && !all)
            break;
        st = app_print(a, "  %.*s\n", (int)n, text);
        k += n == 0 || text[n - 1] != '\\';
        text += n + (text[n] == '\n');
    }
    return st;
}

/* Say how many options are not shown, and where they are. */
static akin_status help_rest(app *a, const app_command *command)
{
    const app_option *o;
    int64_t n = 0;
    for (int64_t i = 0; (o = app_option_at(command, i, NULL, NULL)); ++i)
        n += o->advanced;
    if (n == 0)
        return app_print(a, "akin help %s --all says more.\n", command->name);
    return app_print(a, "akin help %s --all has %s more option%s.\n",
                     command->name, app_count(n).text, n == 1 ? "" : "s");
}

/* What several processes do of it. */
static akin_status help_ranks(app *a, const app_command *command)
{
    return app_print(a, "\nUnder mpirun, %s.\n",
                     command->shared ? "ranks share the work; rank 0 prints "
                                       "and writes"
                                     : "rank 0 does the work");
}

akin_status app_help_command(app *a, const app_command *command, bool all)
{
    char usage[256];
    const app_group *g;
    akin_status st = AKIN_OK;
    a->help_all = all;
    app_usage(command, usage, sizeof usage);
    APP_TRY(app_print(a, "%s [OPTION...]\n", usage));
    APP_TRY(paragraphs(a, command->about, all));
    if (!all)
        APP_TRY(app_print(a, "\n"));
    for (int64_t i = 0; (g = app_group_at(command, i, NULL)) != NULL; ++i)
        if (all || g != &app_common_group)
            APP_TRY(help_group(a, g, all));
    if (command->more_help != NULL)
        APP_TRY(command->more_help(a));
    if (command->examples != NULL)
        APP_TRY(help_examples(a, command->examples, all));
    if (all) {
        APP_TRY(help_ranks(a, command));
    } else {
        APP_TRY(help_common(a));
        APP_TRY(help_rest(a, command));
    }
done:
    return st;
}
