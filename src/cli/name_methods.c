/* The methods of akin name, and which flags go with which. */
#include <stdio.h>
#include <string.h>

#include "app/help.h"
#include "app/nearest.h"
#include "cli/name.h"

enum { INDENT = 12, FIELD_SIZE = 64 };

akin_status name_methods_help(app *a)
{
    const akin_naming_method *m;
    akin_status st = app_help_title(a, "Methods, and when to use each");
    for (int64_t i = 0; st == AKIN_OK; ++i) {
        m = akin_naming_method_at(i);
        if (m == NULL)
            break;
        st = app_help_row(a, INDENT, m->name, m->summary);
        if (st == AKIN_OK)
            st = app_help_row(a, INDENT, "", m->when);
    }
    return st;
}

static const akin_naming_method *find_method(app *a, const char *name)
{
    const akin_naming_method *m;
    app_nearest near = {.word = name};
    for (int64_t i = 0; (m = akin_naming_method_at(i)) != NULL; ++i) {
        if (strcmp(m->name, name) == 0)
            return m;
        app_nearest_try(&near, m->name);
    }
    app_fail(a, AKIN_EINVAL, "there is no method '%s'%s", name,
             near.best[0] ? app_nearest_hint(&near, "").text
                          : " (akin help name lists them)");
    return NULL;
}

/* " delta_rho " of the flag delta-rho, as `takes` has it. */
static void field_of(const char *flag, char field[FIELD_SIZE])
{
    snprintf(field, FIELD_SIZE, " %s ", flag);
    for (char *s = field; *s; ++s)
        if (*s == '-')
            *s = '_';
}

/* The methods that heed a flag: "rlrr, rlrrml". */
static void list_takers(const char *field, char *text, size_t size)
{
    const akin_naming_method *m;
    size_t at = 0;
    text[0] = '\0';
    for (int64_t i = 0; (m = akin_naming_method_at(i)) != NULL; ++i)
        if (strstr(m->takes, field) != NULL && at < size)
            at += (size_t)snprintf(text + at, size - at, "%s%s",
                                   at > 0 ? ", " : "", m->name);
}

/* `method` NULL: names come by a model. */
static akin_status check_flag(app *a, const akin_naming_method *method,
                              const char *flag)
{
    char field[FIELD_SIZE], takers[256];
    field_of(flag, field);
    list_takers(field, takers, sizeof takers);
    if (!app_was_given(a, flag) || takers[0] == '\0' ||
        (method != NULL && strstr(method->takes, field) != NULL))
        return AKIN_OK;
    if (method == NULL)
        return app_fail(a, AKIN_EINVAL, "--%s has no effect with --model",
                        flag);
    return app_fail(a, AKIN_EINVAL,
                    "--%s has no effect with --method %s (it has with %s)",
                    flag, method->name, takers);
}

/* Where flags stand that some methods heed. */
static const app_group *const groups[] = {&name_own_group, &name_naming_group,
                                          &name_names_group};
enum { N_GROUPS = sizeof groups / sizeof *groups };

static json_t *flags_json(const akin_naming_method *m)
{
    char field[FIELD_SIZE];
    json_t *list = json_array();
    for (int g = 0; g < N_GROUPS; ++g)
        for (int64_t i = 0; i < groups[g]->n_options; ++i) {
            const char *flag = groups[g]->options[i].name;
            field_of(flag, field);
            if (strstr(m->takes, field) != NULL)
                json_array_append_new(list, json_string(flag));
        }
    return list;
}

json_t *name_methods_json(void)
{
    const akin_naming_method *m;
    json_t *list = json_array();
    for (int64_t i = 0; (m = akin_naming_method_at(i)) != NULL; ++i)
        json_array_append_new(list,
                              json_pack("{s:s, s:s, s:s, s:o}", "name", m->name,
                                        "summary", m->summary, "when", m->when,
                                        "flags", flags_json(m)));
    return list;
}

akin_status name_check_method(app *a, const name_flags *f)
{
    const akin_naming_method *m = NULL;
    akin_status st = AKIN_OK;
    if (f->own.model == NULL) {
        m = find_method(a, f->naming.method);
        if (m == NULL)
            return AKIN_EINVAL;
    }
    for (int g = 0; g < N_GROUPS; ++g)
        for (int64_t i = 0; i < groups[g]->n_options; ++i)
            APP_TRY(check_flag(a, m, groups[g]->options[i].name));
done:
    return st;
}
