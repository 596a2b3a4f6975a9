/* Which flags go together: the columns `excludes`, `needs` and `needed_by`. */
#include <stdio.h>
#include <string.h>

#include "app/app.h"

/* Where conditions find the values of flags. */
typedef struct scope {
    app *a;
    app_value_fn value;
    const void *from;
} scope;

typedef struct phrase {
    char text[256];
} phrase;

/* The row of that name in the tables of the command, and its field. */
static const app_option *find_row(const app *a, const char *name,
                                  const void *flags, const void **field)
{
    const app_option *o;
    size_t offset;
    for (int64_t i = 0; (o = app_option_at(a->command, i, NULL, &offset)); ++i)
        if (strcmp(o->name, name) == 0) {
            if (field != NULL)
                *field = (const char *)flags + offset;
            return o;
        }
    return NULL;
}

typedef struct tables {
    const app *a;
    const void *flags;
} tables;

static const char *table_value(const void *from, const char *name)
{
    const tables *t = from;
    const void *field;
    const app_option *o = find_row(t->a, name, t->flags, &field);
    return o && o->type == APP_TEXT ? *(const char *const *)field : NULL;
}

/* Cut the next item off a list; false behind the last. */
static bool next_item(const char **list, const char *separator, phrase *item)
{
    if (*list == NULL || **list == '\0')
        return false;
    const size_t n = strcspn(*list, separator);
    snprintf(item->text, sizeof item->text, "%.*s", (int)n, *list);
    *list += n;
    *list += **list != '\0';
    return true;
}

/* Cut "task=knn,cross" in two; NULL without values. */
static const char *cut_values(phrase *condition)
{
    char *equals = strchr(condition->text, '=');
    if (equals == NULL)
        return NULL;
    *equals = '\0';
    return equals + 1;
}

static bool holds(const scope *s, phrase condition)
{
    const char *values = cut_values(&condition);
    phrase word;
    if (values == NULL)
        return app_was_given(s->a, condition.text);
    const char *now = s->value(s->from, condition.text);
    while (now != NULL && next_item(&values, ",", &word))
        if (strcmp(word.text, now) == 0)
            return true;
    return false;
}

static void append(phrase *p, const char *text)
{
    const size_t at = strlen(p->text);
    snprintf(p->text + at, sizeof p->text - at, "%s", text);
}

/* "a", then "a, b", then "a, b or c", where `last_joint` is " or ". */
static void append_choice(phrase *p, const char *text, bool first, bool last,
                          const char *last_joint)
{
    append(p, first ? "" : last ? last_joint : ", ");
    append(p, text);
}

/* "--right", "--task knn or cross", "KIND bags". */
static phrase shown(const scope *s, phrase condition)
{
    phrase p = {""}, word;
    const char *values = cut_values(&condition);
    const app_option *o = find_row(s->a, condition.text, NULL, NULL);
    append(&p, o ? app_option_dashes(o) : "--");
    append(&p, condition.text);
    if (values != NULL)
        append(&p, " ");
    for (bool first = true; next_item(&values, ",", &word); first = false)
        append_choice(&p, word.text, first, *values == '\0', " or ");
    return p;
}

static phrase shown_row(const app_option *o)
{
    phrase p = {""};
    append(&p, app_option_dashes(o));
    append(&p, o->name);
    return p;
}

static akin_status check_excludes(const scope *s, const app_option *o)
{
    const char *rest = o->excludes;
    phrase condition;
    while (next_item(&rest, " ", &condition))
        if (holds(s, condition))
            return app_fail(s->a, AKIN_EINVAL, "%s and %s exclude each other",
                            shown_row(o).text, shown(s, condition).text);
    return AKIN_OK;
}

/* The first of `conditions` that does not hold; false: all hold. */
static bool find_unmet(const scope *s, const char *conditions, phrase *unmet)
{
    phrase clause, condition;
    while (next_item(&conditions, " ", &clause)) {
        const char *rest = clause.text;
        const char *joint = strchr(rest, '=') ? ", or " : " or ";
        bool met = false;
        *unmet = (phrase){""};
        for (bool first = true; next_item(&rest, "|", &condition);
             first = false) {
            met = met || holds(s, condition);
            append_choice(unmet, shown(s, condition).text, first, *rest == '\0',
                          joint);
        }
        if (!met)
            return true;
    }
    return false;
}

static akin_status check_needs(const scope *s, const app_option *o,
                               const char *needs)
{
    phrase unmet;
    if (!find_unmet(s, needs, &unmet))
        return AKIN_OK;
    return app_fail(s->a, AKIN_EINVAL, "%s needs %s", shown_row(o).text,
                    unmet.text);
}

static akin_status check_needed(const scope *s, const app_option *o)
{
    phrase condition = {""};
    const char *rest = o->needed_by;
    if (!next_item(&rest, " ", &condition) || !holds(s, condition))
        return AKIN_OK;
    const char *now =
        cut_values(&condition) != NULL ? s->value(s->from, condition.text) : "";
    return app_fail(s->a, AKIN_EINVAL, "%s%s%s needs --%s %s",
                    shown(s, condition).text, *now ? " " : "", now, o->name,
                    o->argument);
}

akin_status app_check_row(app *a, const app_option *o, app_value_fn value,
                          const void *from)
{
    const scope s = {a, value, from};
    const akin_status st = check_excludes(&s, o);
    return st == AKIN_OK ? check_needs(&s, o, o->needs) : st;
}

/* Lists of flags of which one at most is given. */
static akin_status check_lists(const scope *s, const char *lists)
{
    phrase list, name;
    while (next_item(&lists, " ", &list)) {
        const char *rest = list.text;
        phrase first = {""};
        while (next_item(&rest, "|", &name)) {
            if (!holds(s, name))
                continue;
            if (first.text[0] != '\0')
                return app_fail(s->a, AKIN_EINVAL,
                                "%s and %s exclude each other",
                                shown(s, first).text, shown(s, name).text);
            first = name;
        }
    }
    return AKIN_OK;
}

/* Each option that was given. */
static akin_status check_given(const scope *s)
{
    const app_option *o;
    const app_group *g;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; (o = app_option_at(s->a->command, i, &g, NULL)); ++i)
        if (app_was_given(s->a, o->name)) {
            APP_TRY(check_needs(s, o, g->needs));
            APP_TRY(app_check_row(s->a, o, s->value, s->from));
        }
done:
    return st;
}

/* Each option that was not. */
static akin_status check_missing(const scope *s)
{
    const app_option *o;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; (o = app_option_at(s->a->command, i, NULL, NULL)); ++i)
        if (!app_was_given(s->a, o->name))
            APP_TRY(check_needed(s, o));
done:
    return st;
}

akin_status app_check_conflicts(app *a, const void *flags)
{
    const tables t = {a, flags};
    const scope s = {a, table_value, &t};
    phrase unmet;
    akin_status st = AKIN_OK;
    APP_TRY(check_lists(&s, a->command->excludes));
    APP_TRY(check_given(&s));
    if (find_unmet(&s, a->command->needs, &unmet))
        APP_TRY(app_fail(a, AKIN_EINVAL, "%s needs %s (see akin help %s)",
                         a->command->name, unmet.text, a->command->name));
    APP_TRY(check_missing(&s));
done:
    return st;
}
