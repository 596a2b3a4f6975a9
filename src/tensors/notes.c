/* Notes of a set: strings by key, and numbers in them. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tensors/set.h"

static ak_note *find(const ak_tensors *t, const char *key)
{
    for (int64_t i = 0; i < t->n_notes; ++i)
        if (strcmp(t->notes[i].key, key) == 0)
            return &t->notes[i];
    return NULL;
}

akin_status ak_tensors_append_note(ak_tensors *t, akin_ctx *ctx,
                                   const char *key, const char *value)
{
    ak_note note = {NULL, NULL};
    akin_status st = AKIN_OK;
    if (t->n_notes == t->room_notes) {
        const int64_t room = 2 * t->room_notes + 8;
        AK_TRY(ak_resize(ctx, room, sizeof *t->notes, &t->notes));
        t->room_notes = room;
    }
    AK_TRY(ak_strdup(ctx, key, &note.key));
    AK_TRY(ak_strdup(ctx, value, &note.value));
    t->notes[t->n_notes++] = note;
    note = (ak_note){NULL, NULL};
done:
    akin_free(note.key);
    akin_free(note.value);
    return st;
}

akin_status ak_tensors_note(ak_tensors *t, akin_ctx *ctx, const char *key,
                            const char *value)
{
    ak_note *old = find(t, key);
    char *copy;
    if (ak_note_is_reserved(key))
        return ak_fail(ctx, AKIN_EINVAL, "a note cannot be called '%s'", key);
    if (old == NULL)
        return ak_tensors_append_note(t, ctx, key, value);
    const akin_status st = ak_strdup(ctx, value, &copy);
    if (st != AKIN_OK)
        return st;
    akin_free(old->value);
    old->value = copy;
    return AKIN_OK;
}

akin_status ak_tensors_note_i64(ak_tensors *t, akin_ctx *ctx, const char *key,
                                int64_t value)
{
    char text[32];
    snprintf(text, sizeof text, "%" PRId64, value);
    return ak_tensors_note(t, ctx, key, text);
}

/* Swap the decimal point of the locale, if it is one byte, with ours. */
static void swap_point(char *text, char from, char to)
{
    char *at = strchr(text, from);
    if (at != NULL)
        *at = to;
}

akin_status ak_tensors_note_f64(ak_tensors *t, akin_ctx *ctx, const char *key,
                                double value)
{
    char text[40];
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, value);
        if (strtod(text, NULL) == value)
            break;
    }
    swap_point(text, *localeconv()->decimal_point, '.');
    return ak_tensors_note(t, ctx, key, text);
}

const char *ak_tensors_get_note(const ak_tensors *t, const char *key)
{
    const ak_note *note = find(t, key);
    return note ? note->value : NULL;
}

int64_t ak_tensors_note_count(const ak_tensors *t)
{
    return t->n_notes;
}

void ak_tensors_note_at(const ak_tensors *t, int64_t i, const char **key,
                        const char **value)
{
    *key = t->notes[i].key;
    *value = t->notes[i].value;
}

bool ak_tensors_is_ours(const ak_tensors *t)
{
    const char *format = ak_tensors_get_note(t, "format");
    return format != NULL && strcmp(format, "akin") == 0;
}

akin_status ak_tensors_need_ours(const ak_tensors *t, akin_ctx *ctx)
{
    if (ak_tensors_is_ours(t))
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: not a file of akin's (its note 'format' is not "
                   "'akin')",
                   ak_tensors_path(t));
}

static akin_status not_a_number(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, const char *value)
{
    if (value == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: there is no note '%s'",
                       ak_tensors_path(t), key);
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: note '%s' is '%.40s' (expected a number)",
                   ak_tensors_path(t), key, value);
}

akin_status ak_tensors_need_i64(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, int64_t *value)
{
    const char *text = ak_tensors_get_note(t, key);
    char back[32];
    if (text == NULL)
        return not_a_number(t, ctx, key, text);
    const int64_t number = strtoll(text, NULL, 10);
    snprintf(back, sizeof back, "%" PRId64, number);
    if (strcmp(text, back) != 0)  // signs, spaces and overflow with it
        return not_a_number(t, ctx, key, text);
    *value = number;
    return AKIN_OK;
}

akin_status ak_tensors_need_f64(const ak_tensors *t, akin_ctx *ctx,
                                const char *key, double *value)
{
    const char *text = ak_tensors_get_note(t, key);
    char copy[40], *end;
    if (text == NULL || text[0] == '\0' || strlen(text) >= sizeof copy)
        return not_a_number(t, ctx, key, text);
    strcpy(copy, text);
    swap_point(copy, '.', *localeconv()->decimal_point);
    const double number = strtod(copy, &end);
    if (*end != '\0')
        return not_a_number(t, ctx, key, text);
    *value = number;
    return AKIN_OK;
}
