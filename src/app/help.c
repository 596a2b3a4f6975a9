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
    const app_group *g;
    for (int64_t i = 0; (g = app_group_at(command, i, NULL)) != NULL; ++i)
        for (int64_t j = 0; j < g->n_options; ++j) {
            const app_option *o = &g->options[j];
            const bool needed = o->flags & APP_NEEDED;
            if (o->flags & APP_ARGUMENT) {
                snprintf(word, sizeof word, needed ? "%s" : "[%s]", o->name);
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

static akin_status paragraphs(app *a, const char *text)
{
    akin_status st = app_print(a, "\n");
    while (st == AKIN_OK && *text != '\0') {
        const char *next;
        const size_t n = app_wrap(text, WIDTH, &next);
        st = app_print(a, "%.*s\n", (int)n, text);
        text = next;
    }
    return st;
}

static akin_status help_group(app *a, const app_group *g)
{
    akin_status st = app_help_title(a, g->title);
    for (int64_t j = 0; j < g->n_options && st == AKIN_OK; ++j)
        st = help_option(a, g, &g->options[j]);
    return st;
}

static akin_status help_examples(app *a, const char *text)
{
    akin_status st = app_help_title(a, "Examples");
    while (st == AKIN_OK && *text != '\0') {
        const size_t n = strcspn(text, "\n");
        st = app_print(a, "  %.*s\n", (int)n, text);
        text += n + (text[n] == '\n');
    }
    return st;
}

akin_status app_help_command(app *a, const app_command *command)
{
    char usage[256];
    const app_group *g;
    app_usage(command, usage, sizeof usage);
    akin_status st = app_print(a, "%s [OPTION...]\n", usage);
    if (st == AKIN_OK)
        st = paragraphs(a, command->about);
    for (int64_t i = 0; st == AKIN_OK; ++i) {
        g = app_group_at(command, i, NULL);
        if (g == NULL)
            break;
        st = help_group(a, g);
    }
    if (st == AKIN_OK && command->more_help != NULL)
        st = command->more_help(a);
    if (st == AKIN_OK && command->examples != NULL)
        st = help_examples(a, command->examples);
    return st;
}
