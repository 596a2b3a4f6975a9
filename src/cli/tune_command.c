/* The command that trains what akin tune found best. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/parameters.h"
#include "cli/tune_command.h"

/* A word as a shell takes it. */
static void put_word(FILE *f, const char *word)
{
    bool plain = word[0] != '\0';
    for (const char *s = word; *s && plain; ++s)
        plain = isalnum((unsigned char)*s) || strchr("_./,:=+@%-", *s);
    if (plain) {
        fputs(word, f);
        return;
    }
    fputc('\'', f);
    for (const char *s = word; *s; ++s)
        fputs(*s == '\'' ? "'\\''" : (const char[]){*s, '\0'}, f);
    fputc('\'', f);
}

static void put_flag(FILE *f, const app_option *o, const void *field)
{
    char text[64];
    fprintf(f, " --%s", o->name);
    if (o->type == APP_SWITCH)
        return;
    fputc(' ', f);
    app_option_text(o, field, text, sizeof text);
    put_word(f, o->type == APP_TEXT ? *(const char *const *)field : text);
}

static bool train_has(const app_group *g)
{
    const app_group *other;
    for (int64_t i = 0; (other = app_group_at(&cmd_train, i, NULL)); ++i)
        if (other == g)
            return true;
    return false;
}

/* What was given to akin tune and means the same to akin train. */
static void put_given(FILE *f, const app *a, const void *flags)
{
    size_t offset;
    const app_group *g;
    for (int64_t i = 0; (g = app_group_at(&cmd_tune, i, &offset)); ++i)
        for (int64_t j = 0; j < g->n_options && train_has(g); ++j) {
            const app_option *o = &g->options[j];
            const bool common = g == &app_common_group;
            const unsigned char *base = common ? (const void *)&a->common
                                               : (const unsigned char *)flags +
                                                     offset;
            if (app_was_given(a, o->name) && !(o->flags & APP_ARGUMENT) &&
                (!common || strcmp(o->name, "seed") == 0))
                put_flag(f, o, base + o->offset);
        }
}

bool cli_lesson_was_given(const cli_lesson *l, const akin_option *o)
{
    for (int i = 0; l->given[i] != NULL; ++i)
        if (strcmp(l->given[i], o->name) == 0)
            return true;
    return false;
}

char *cli_tune_command(app *a, const cli_lesson *l, const void *flags,
                       const akin_options *best)
{
    char *command = NULL, text[512];
    size_t size = 0;
    cli_parameter p;
    FILE *f = open_memstream(&command, &size);
    if (f == NULL)
        return NULL;
    fprintf(f, "akin train %s", l->learner->name);
    put_given(f, a, flags);
    for (int64_t k = 0; k < l->learner->n_options; ++k) {
        const akin_option *o = &l->learner->options[k];
        if (!cli_lesson_was_given(l, o) && o->n_grid == 0)
            continue;
        cli_parameter_of(&p, o);
        akin_options_get(text, a->ctx, best, o->name, sizeof text);
        fprintf(f, " --%s ", p.flag);
        put_word(f, text);
    }
    if (fclose(f) == 0)
        return command;
    free(command);
    return NULL;
}
