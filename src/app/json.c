#include "app/json.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/text.h"

akin_status app_json_set(app *a, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new(object, key, value) != 0)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    return AKIN_OK;
}

/* Bytes of the character that `s` begins with, 0 when it is none; 4 at the
 * most, and none of them ends the text. */
static size_t character(const char *s)
{
    for (size_t n = 1; n <= strnlen(s, 4); ++n) {
        json_t *v = json_stringn(s, n);
        json_decref(v);
        if (v != NULL)
            return n;
    }
    return 0;
}

json_t *app_json_string(const char *text)
{
    static const char unknown[] = "\xef\xbf\xbd";
    json_t *v = json_string(text);
    char *copy = v ? NULL : malloc(3 * strlen(text) + 1), *to = copy;
    if (copy == NULL)
        return v;
    while (*text != '\0') {
        const size_t n = character(text);
        memcpy(to, n ? text : unknown, n ? n : 3);
        to += n ? n : 3;
        text += n ? n : 1;
    }
    *to = '\0';
    v = json_string(copy);
    free(copy);
    return v;
}

json_t *app_json_real(double x)
{
    return isfinite(x) ? json_real(x) : json_null();
}

json_t *app_json_bool(bool x)
{
    return json_boolean(x);
}

json_t *app_json_integer(int64_t x)
{
    return json_integer(x);
}

json_t *app_json_text_or_null(const char *text)
{
    return text != NULL ? app_json_string(text) : json_null();
}

json_t *app_json_value(json_t *x)
{
    return x;
}

json_t *app_json_object(const app_field *fields, size_t n)
{
    json_t *object = json_object();
    bool failed = object == NULL;
    for (size_t i = 0; i < n; ++i)
        if (json_object_set_new(object, fields[i].key, fields[i].value) != 0)
            failed = true;
    if (!failed)
        return object;
    json_decref(object);
    return NULL;
}

json_t *app_json_guess(const char *text)
{
    json_t *v = json_loads(text, JSON_DECODE_ANY, NULL);
    if (json_is_number(v))
        return v;
    json_decref(v);
    return app_json_string(text);
}

static void put_value(FILE *f, const json_t *value, int level);

static void put_break(FILE *f, int level)
{
    fprintf(f, "\n%*s", 2 * level, "");
}

static void put_array(FILE *f, const json_t *array, int level)
{
    const size_t n = json_array_size(array);
    /* Rows of a table, one per line; plain numbers all on one. */
    const int nested = n > 0 && (json_is_object(json_array_get(array, 0)) ||
                                 json_is_array(json_array_get(array, 0)));
    fputc('[', f);
    for (size_t i = 0; i < n; ++i) {
        if (nested)
            put_break(f, level + 1);
        put_value(f, json_array_get(array, i), level + 1);
        if (i + 1 < n)
            fputs(nested ? "," : ", ", f);
    }
    if (nested)
        put_break(f, level);
    fputc(']', f);
}

static void put_object(FILE *f, const json_t *object, int level)
{
    json_t *o = (json_t *)object;  // the iterator wants it, and changes nothing
    const char *key;
    json_t *value;
    int first = 1;
    fputc('{', f);
    json_object_foreach(o, key, value)
    {
        fputs(first ? "" : ",", f);
        first = 0;
        put_break(f, level + 1);
        json_t *name = json_string(key);
        put_value(f, name, 0);
        json_decref(name);
        fputs(": ", f);
        put_value(f, value, level + 1);
    }
    if (!first)
        put_break(f, level);
    fputc('}', f);
}

static void put_value(FILE *f, const json_t *value, int level)
{
    if (json_is_object(value))
        put_object(f, value, level);
    else if (json_is_array(value))
        put_array(f, value, level);
    else if (json_is_real(value))
        fputs(app_real(json_real_value(value)).text, f);
    else
        json_dumpf(value, f, JSON_ENCODE_ANY);
}

char *app_json_text(const json_t *value)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = value ? open_memstream(&text, &size) : NULL;
    if (f == NULL)
        return NULL;
    put_value(f, value, 0);
    fputc('\n', f);
    const int failed = ferror(f);
    if (fclose(f) != 0 || failed) {
        free(text);
        return NULL;
    }
    return text;
}

akin_status app_json_print(app *a, json_t *object)
{
    if (a->ranks > 1) {
        json_object_set_new(object, "ranks", app_json_integer(a->ranks));
        json_object_set_new(object, "communicated_bytes",
                            app_json_integer(akin_ctx_communicated(a->ctx)));
    }
    char *text = app_json_text(object);
    json_decref(object);
    if (text == NULL)
        return app_fail(a, AKIN_ENOMEM, "out of memory");
    a->json_printed = true;
    app_interrupt_as_json(false);
    const akin_status st = app_print(a, "%s", text);
    free(text);
    return st;
}

void app_json_add_text(json_t *object, const char *key, const char *text)
{
    if (text != NULL)
        json_object_set_new(object, key, app_json_string(text));
}

akin_status app_json_report(app *a, json_t *figures, const char *folder)
{
    char path[PATH_MAX], *text = NULL;
    akin_status st = AKIN_OK;
    app_json_add_text(figures, "report", folder);
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return app_fail(a, AKIN_EIO, "%s: %s", folder, strerror(errno));
    APP_TRY(app_path_in(a, path, folder, APP_FIGURES));
    text = app_json_text(figures);
    if (text == NULL)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(akin_output_write(a->ctx, path, text));
done:
    free(text);
    return st;
}
