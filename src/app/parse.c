/* Parse a command line by the option tables. */
#include <stdio.h>
#include <string.h>

#include "app/app.h"
#include "app/nearest.h"

typedef struct line {
    app *a;
    const app_command *command;
    char **words;
    int n, at;  // words, and the next to read
    void *flags;
    const app_option *from_stdin;  // the option that was given "-"
    int n_arguments;               // read so far
    bool no_flags;                 // behind --
} line;

const app_group *app_group_at(const app_command *command, int64_t i,
                              size_t *offset)
{
    if (offset != NULL)
        *offset = i < command->n_parts ? command->parts[i].offset : 0;
    if (i < command->n_parts)
        return command->parts[i].group;
    return i == command->n_parts ? &app_common_group : NULL;
}

/* Where the struct of group i lies: the common one in the app. */
static unsigned char *group_base(const line *l, int64_t i)
{
    if (i == l->command->n_parts)
        return (unsigned char *)&l->a->common;
    return (unsigned char *)l->flags + l->command->parts[i].offset;
}

const app_option *app_option_at(const app_command *command, int64_t k,
                                const app_group **group, size_t *offset)
{
    const app_group *g;
    size_t base;
    for (int64_t i = 0; (g = app_group_at(command, i, &base)) != NULL; ++i) {
        if (k < g->n_options) {
            if (group != NULL)
                *group = g;
            if (offset != NULL)
                *offset = base + g->options[k].offset;
            return &g->options[k];
        }
        k -= g->n_options;
    }
    return NULL;
}

bool app_was_given(const app *a, const char *name)
{
    for (int64_t i = 0; i < a->n_given; ++i)
        if (strcmp(a->given[i], name) == 0)
            return true;
    return false;
}

const char *app_value_at(const app *a, const char *name, int64_t k)
{
    for (int64_t i = 0; i < a->n_given; ++i)
        if (strcmp(a->given[i], name) == 0 && k-- == 0)
            return a->values[i];
    return NULL;
}

static akin_status note_given(app *a, const char *name, bool many)
{
    if (!many && app_was_given(a, name))
        return app_fail(a, AKIN_EINVAL, "--%s is given twice", name);
    if (a->n_given == APP_MOST_WORDS)
        return app_fail(a, AKIN_EINVAL, "too many options");
    a->given[a->n_given++] = name;
    return AKIN_OK;
}

/* The flag of that name (by length), or the k-th argument; and its field. */
static const app_option *find(const line *l, const char *name, size_t n, int k,
                              void **field)
{
    const app_option *o;
    const app_group *g;
    size_t offset;
    for (int64_t i = 0; (o = app_option_at(l->command, i, &g, &offset)); ++i) {
        const bool argument = o->flags & APP_ARGUMENT;
        *field = (unsigned char *)(g == &app_common_group ? &l->a->common
                                                          : l->flags) +
                 offset;
        if (name == NULL && argument && (k-- == 0 || o->flags & APP_MANY))
            return o;
        if (name != NULL && !argument && strlen(o->name) == n &&
            memcmp(o->name, name, n) == 0)
            return o;
    }
    return NULL;
}

static akin_status unknown(const line *l, const char *name, size_t n)
{
    char word[64];
    snprintf(word, sizeof word, "%.*s", (int)n, name);
    app_nearest near = {.word = word};
    app_nearest_flag(&near, l->command);
    return app_fail(l->a, AKIN_EINVAL, "%s has no option --%s%s",
                    l->command->name, word, app_nearest_hint(&near, "--").text);
}

static akin_status store(line *l, const app_option *o, const char *text,
                         void *field)
{
    if (strcmp(text, "-") == 0 && !(o->flags & APP_OUTPUT)) {
        if (l->from_stdin != NULL)
            return app_fail(l->a, AKIN_EINVAL,
                            "%s%s and %s%s cannot both be standard input",
                            app_option_dashes(l->from_stdin),
                            l->from_stdin->name, app_option_dashes(o), o->name);
        l->from_stdin = o;
    }
    /* A column of a file may well have no name. */
    if (text[0] == '\0' && (!o->argument || !strstr(o->argument, "NAME")))
        return app_fail(l->a, AKIN_EINVAL, "%s%s is empty%s%s%s",
                        app_option_dashes(o), o->name, o->argument ? " (" : "",
                        o->argument ? o->argument : "", o->argument ? ")" : "");
    return app_option_set(l->a, o, text, field);
}

/* Values may start with one dash, as -1 does, but not with two. */
static const char *next_value(line *l)
{
    if (l->at == l->n || strncmp(l->words[l->at], "--", 2) == 0)
        return NULL;
    return l->words[l->at++];
}

static akin_status read_flag(line *l, const app_option *o, const char *value,
                             unsigned char *field)
{
    akin_status st = note_given(l->a, o->name, o->flags & APP_MANY);
    if (st != AKIN_OK)
        return st;
    if (o->type == APP_SWITCH) {
        *(bool *)field = true;
        if (value != NULL)
            return app_fail(l->a, AKIN_EINVAL, "--%s takes no value", o->name);
        return AKIN_OK;
    }
    const int values = o->type == APP_TEXTS ? 2 : 1;
    for (int i = 0; i < values && st == AKIN_OK; ++i) {
        if (value == NULL)
            value = next_value(l);
        if (value == NULL)
            return app_fail(l->a, AKIN_EINVAL, "--%s needs %s (%s)", o->name,
                            values == 1 ? "a value" : "two values",
                            o->argument);
        st = store(l, o, value, field + (size_t)i * sizeof(char *));
        l->a->values[l->a->n_given - 1] = value;
        value = NULL;
    }
    return st;
}

static akin_status keep_other(line *l, const char *name, const char *value)
{
    app *a = l->a;
    char *equals = strchr(name, '=');
    if (equals != NULL)
        *equals = '\0';  // the words are ours to cut
    const akin_status st = note_given(a, name, false);
    if (st != AKIN_OK)
        return st;
    if (value == NULL)
        value = next_value(l);
    a->others[a->n_others++] = (app_other){name, value};
    return AKIN_OK;
}

static akin_status read_word(line *l, const char *word)
{
    void *field;
    if (!l->no_flags && strcmp(word, "--") == 0) {
        l->no_flags = true;
        return AKIN_OK;
    }
    if (l->no_flags || word[0] != '-' || word[1] == '\0') {
        const app_option *o = find(l, NULL, 0, l->n_arguments++, &field);
        if (o == NULL)
            return app_fail(l->a, AKIN_EINVAL, "%s does not take '%s'",
                            l->command->name, word);
        const akin_status st = note_given(l->a, o->name, true);
        if (st != AKIN_OK)
            return st;
        l->a->values[l->a->n_given - 1] = word;
        return store(l, o, word, field);
    }
    if (word[1] != '-')
        return app_fail(l->a, AKIN_EINVAL,
                        "there is no option %s (options start with --)", word);
    const char *name = word + 2;
    const size_t n = strcspn(name, "=");
    const char *value = name[n] == '=' ? name + n + 1 : NULL;
    const app_option *o = find(l, name, n, 0, &field);
    if (o != NULL)
        return read_flag(l, o, value, field);
    if (l->command->takes_others)
        return keep_other(l, name, value);
    return unknown(l, name, n);
}

static akin_status check_needed(const line *l)
{
    const app_option *o;
    for (int64_t i = 0; (o = app_option_at(l->command, i, NULL, NULL)); ++i) {
        const bool is_flag = !(o->flags & APP_ARGUMENT);
        if (o->flags & APP_NEEDED && !app_was_given(l->a, o->name))
            return app_fail(l->a, AKIN_EINVAL,
                            "%s needs %s%s%s%s (see akin help %s)",
                            l->command->name, app_option_dashes(o), o->name,
                            is_flag ? " " : "", is_flag ? o->argument : "",
                            l->command->name);
    }
    return AKIN_OK;
}

akin_status app_parse(app *a, const app_command *command, int n, char **words,
                      void *flags)
{
    line l = {
        .a = a, .command = command, .words = words, .n = n, .flags = flags};
    akin_status st = AKIN_OK;
    const app_group *g;
    a->command = command;
    for (int64_t i = 0; (g = app_group_at(command, i, NULL)) != NULL; ++i)
        memcpy(group_base(&l, i), g->defaults, g->size);
    while (l.at < n && st == AKIN_OK)
        st = read_word(&l, words[l.at++]);
    /* A wrong argument explains wrong flags better than they do. */
    if (command->check_arguments != NULL &&
        command->check_arguments(a) != AKIN_OK)
        return AKIN_EINVAL;
    APP_TRY(st);
    if (a->n_others > 0 && command->check_others != NULL)
        APP_TRY(command->check_others(a, flags));
    APP_TRY(check_needed(&l));
    APP_TRY(app_check_conflicts(a, flags));
done:
    return st;
}
