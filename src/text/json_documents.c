#include "text/json_documents.h"

#include <string.h>

#include "data/io/header.h"
#include "text/keys.h"

enum { LONGEST = 256 << 20 };  // bytes of a line; its text is copied twice

/* "FILE:LINE: what", as EFORMAT. */
static akin_status bad(const ak_json_documents *d, akin_ctx *ctx,
                       const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: %s", d->where, what);
}

static akin_status bad_value(const ak_json_documents *d, akin_ctx *ctx,
                             int64_t key, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: \"%s\" is %s", d->where,
                   ak_columns_name(&d->keys, key), what);
}

akin_status ak_json_documents_begin(ak_json_documents *d, akin_ctx *ctx,
                                    ak_source *source, const char *path,
                                    const akin_text_options *o)
{
    if (o->header)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: `header` does not apply to JSON lines", path);
    *d = (ak_json_documents){.path = path, .source = source, .options = o};
    return ak_keys_where(ctx, path, &d->where);
}

/* ---- which key is what ---- */

static akin_status take_keys(ak_json_documents *d, akin_ctx *ctx)
{
    const char *key;
    json_t *value;
    ak_columns_free(&d->keys);
    json_object_foreach(d->object, key, value)
    {
        AK_CHECK(ak_columns_add(&d->keys, ctx, key, strlen(key)));
        AK_CHECK(ak_grow(ctx, d->keys.n, &d->room_values, sizeof *d->values,
                         &d->values));
        d->values[d->keys.n - 1] = value;
    }
    return AKIN_OK;
}

static akin_status find_text(ak_json_documents *d, akin_ctx *ctx)
{
    const char *wanted = d->options->text_column;
    d->text = wanted ? ak_header_find(&d->keys, wanted, true)
                     : ak_keys_text(&d->keys);
    if (d->text < 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: no key \"%s\" (`text_column` names the text)",
                       d->where, wanted ? wanted : "text");
    if (!json_is_string(d->values[d->text]))
        return bad_value(d, ctx, d->text, "not a string (expected the text)");
    return AKIN_OK;
}

/* A line need not have a label. */
static void find_label(ak_json_documents *d, akin_ctx *ctx)
{
    const char *wanted = d->options->label_column;
    d->label = -1;
    if (!ak_header_no_label(wanted))
        d->label = wanted ? ak_header_find(&d->keys, wanted, true)
                          : ak_keys_label(&d->keys, d->text);
    if (d->label >= 0 && wanted == NULL && !d->label_met)
        ak_header_tell_label(ctx, &d->keys, d->label, d->path, "ignores it");
    d->label_met |= d->label >= 0;
}

static akin_status find_keys(ak_json_documents *d, akin_ctx *ctx)
{
    AK_CHECK(take_keys(d, ctx));
    AK_CHECK(find_text(d, ctx));
    find_label(d, ctx);
    d->name =
        ak_keys_name(&d->keys, d->options->name_column, d->text, d->label);
    if (d->options->name_column != NULL && d->name < 0)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: no key \"%s\" (`name_column` names the name)",
                       d->where, d->options->name_column);
    return AKIN_OK;
}

/* ---- values ---- */

static ak_bytes span_of(const json_t *string)
{
    return (ak_bytes){json_string_value(string), json_string_length(string)};
}

/* A string, number or truth value as text; false for anything else. */
static bool take_scalar(ak_text *t, const json_t *value, ak_bytes *out)
{
    if (json_is_string(value))
        *out = span_of(value);
    else if (json_is_integer(value))
        *out = ak_text_number(t, json_integer_value(value));
    else if (json_is_real(value))
        *out = ak_text_real(t, json_real_value(value));
    else if (json_is_boolean(value))
        *out = json_is_true(value) ? (ak_bytes){"true", 4}
                                   : (ak_bytes){"false", 5};
    else
        return false;
    return true;
}

/* Bytes that a value may need as a label or a number. */
static int64_t room_for(const json_t *value)
{
    int64_t room = AK_NUMBER_ROOM + ak_text_label_room(AK_NUMBER_ROOM);
    if (json_is_string(value))
        room += ak_text_label_room(json_string_length(value));
    return room;
}

/* Bytes for all that is written of the line: numbers, and labels. */
static int64_t room_for_line(const ak_json_documents *d)
{
    const json_t *label = d->label >= 0 ? d->values[d->label] : NULL;
    int64_t room = d->keys.n * AK_NUMBER_ROOM;
    for (size_t k = 0; k < json_array_size(label); ++k)
        room += room_for(json_array_get(label, k));
    return room + (label != NULL ? room_for(label) : 0);
}

static akin_status add_label(const ak_json_documents *d, akin_ctx *ctx,
                             ak_text *t, const json_t *value)
{
    ak_bytes label;
    if (!take_scalar(t, value, &label))
        return bad_value(
            d, ctx, d->label,
            "not a label (expected a string, a number, or a list of "
            "them)");
    return ak_text_label(t, ctx, label, label.text);
}

/* A list of labels; or text, as in a csv cell; or a number. */
static akin_status add_labels(const ak_json_documents *d, akin_ctx *ctx,
                              ak_text *t)
{
    const json_t *value = d->label >= 0 ? d->values[d->label] : NULL;
    if (value == NULL || json_is_null(value))
        return AKIN_OK;
    if (json_is_string(value))
        return ak_text_label_list(t, ctx, span_of(value));
    if (!json_is_array(value))
        return add_label(d, ctx, t, value);
    for (size_t k = 0; k < json_array_size(value); ++k)
        AK_CHECK(add_label(d, ctx, t, json_array_get(value, k)));
    return AKIN_OK;
}

static akin_status add_name(const ak_json_documents *d, akin_ctx *ctx,
                            ak_text *t)
{
    const json_t *value = d->name >= 0 ? d->values[d->name] : NULL;
    if (value == NULL || json_is_null(value))
        return AKIN_OK;
    if (!take_scalar(t, value, &t->name))
        return bad_value(d, ctx, d->name,
                         "not a name (expected a string or a number)");
    return AKIN_OK;
}

/* Lists, objects and null are no fields. */
static akin_status add_fields(const ak_json_documents *d, akin_ctx *ctx,
                              ak_text *t)
{
    for (int64_t k = 0; k < d->keys.n; ++k) {
        const char *key = ak_columns_name(&d->keys, k);
        const bool other = k != d->text && k != d->label && k != d->name;
        ak_bytes value;
        if (other && key != NULL && take_scalar(t, d->values[k], &value) &&
            value.n > 0)
            AK_CHECK(ak_text_add_field(t, ctx, key, value));
    }
    return AKIN_OK;
}

/* ---- lines ---- */

static akin_status parse(ak_json_documents *d, akin_ctx *ctx, const char *line,
                         size_t n)
{
    json_error_t error;
    json_decref(d->object);
    d->object = NULL;
    if (n > LONGEST)
        return bad(d, ctx,
                   "line is longer than 256 MiB (a folder with a file for "
                   "each document has no limit)");
    d->object = json_loadb(
        line, n, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY | JSON_ALLOW_NUL,
        &error);
    if (d->object == NULL &&
        json_error_code(&error) == json_error_out_of_memory)
        return ak_nomem(ctx, n);
    if (d->object == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not JSON: %s", d->where,
                       error.text);
    if (!json_is_object(d->object))
        return bad(d, ctx,
                   "not an object (expected {\"text\": \"...\"} in each "
                   "line)");
    return AKIN_OK;
}

static bool is_blank(const char *line, size_t n)
{
    size_t k = 0;
    while (k < n && strchr(" \t\r", line[k]) != NULL && line[k] != '\0')
        ++k;
    return k == n;
}

/* A label that was asked for must be in some line. */
static akin_status check_end(const ak_json_documents *d, akin_ctx *ctx)
{
    const char *wanted = d->options->label_column;
    if (wanted == NULL || ak_header_no_label(wanted) || d->label_met ||
        d->object == NULL)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EFORMAT,
                   "%s: no line has a key \"%s\" (`label_column` names the "
                   "label)",
                   d->path, wanted);
}

akin_status ak_json_documents_next(ak_json_documents *d, akin_ctx *ctx,
                                   ak_text *t, bool *there)
{
    char *line;
    size_t n;
    do
        AK_CHECK(ak_source_line(d->source, ctx, &line, &n));
    while (line != NULL && is_blank(line, n));
    *there = line != NULL;
    if (!*there)
        return check_end(d, ctx);
    ak_keys_write_where(d->where, d->path, ak_source_line_number(d->source));
    AK_CHECK(parse(d, ctx, line, n));
    AK_CHECK(find_keys(d, ctx));
    AK_CHECK(ak_text_begin(t, ctx, d->where, room_for_line(d)));
    t->text = span_of(d->values[d->text]);
    AK_CHECK(add_labels(d, ctx, t));
    AK_CHECK(add_name(d, ctx, t));
    return add_fields(d, ctx, t);
}

void ak_json_documents_end(ak_json_documents *d)
{
    json_decref(d->object);
    ak_columns_free(&d->keys);
    akin_free(d->values);
    akin_free(d->where);
}
