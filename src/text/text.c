#include "text/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"

static const char not_utf8[] = "\xef\xbf\xbd";  // U+FFFD
enum { WIDEST = sizeof not_utf8 - 1 };

akin_status ak_text_begin(ak_text *t, akin_ctx *ctx, const char *where,
                          int64_t n)
{
    t->where = where;
    t->path = NULL;
    t->name = t->text = (ak_bytes){"", 0};
    t->n_labels = t->n_fields = t->n_written = 0;
    return ak_grow(ctx, n, &t->room_written, 1, &t->written);
}

int64_t ak_text_label_room(size_t n)
{
    return WIDEST * (int64_t)n + (int64_t)n + 1;
}

static ak_bytes written(ak_text *t, int n)
{
    const ak_bytes s = {t->written + t->n_written, (size_t)n};
    t->n_written += n + 1;
    return s;
}

ak_bytes ak_text_number(ak_text *t, int64_t x)
{
    return written(
        t, snprintf(t->written + t->n_written, AK_NUMBER_ROOM, "%" PRId64, x));
}

/* With as few digits as give the number back. */
ak_bytes ak_text_real(ak_text *t, double x)
{
    char *to = t->written + t->n_written;
    int n = 0;
    for (int digits = 15; digits <= 17; ++digits) {
        n = snprintf(to, AK_NUMBER_ROOM, "%.*g", digits, x);
        if (strtod(to, NULL) == x)
            break;
    }
    return written(t, n);
}

/* ---- labels ---- */

/* svmlight and lists of labels know some as something else. */
static bool may_stand(const ak_text *t, char c)
{
    if ((unsigned char)c < ' ' || c == 0x7f)
        return false;
    return t->any_labels || strchr(" ,:#", c) == NULL;
}

/* The label as any format can hold it; "?" is a folder, and means none in
 * files. */
static ak_bytes clean(ak_text *t, ak_bytes label)
{
    const bool unknown = label.n == 1 && label.text[0] == '?';
    char *begin = t->written + t->n_written, *to = begin;
    for (size_t k = 0, len; k < label.n; k += len) {
        const char *at = label.text + k;
        const size_t size = ak_utf8_length(at, label.n - k);
        len = may_stand(t, *at) && size > 0 ? size : 1;
        if (!may_stand(t, *at) || unknown)
            *to++ = '_';
        else if (size > 0)
            to = (char *)memcpy(to, at, len) + len;
        else
            to = (char *)memcpy(to, not_utf8, WIDEST) + WIDEST;
    }
    *to = '\0';
    return written(t, (int)(to - begin));
}

static bool are_equal(ak_bytes a, ak_bytes b)
{
    return a.n == b.n && memcmp(a.text, b.text, a.n) == 0;
}

static bool has_label(const ak_text *t, ak_bytes label)
{
    int64_t k = 0;
    while (k < t->n_labels && !are_equal(t->labels[k], label))
        ++k;
    return k < t->n_labels;
}

/* Add a label that stands for `label`; `*is_new`: no document had it. */
static akin_status add_clean(ak_text *t, akin_ctx *ctx, ak_bytes label,
                             ak_bytes *stands, const char *all, bool *is_new)
{
    const int64_t known = t->known.n;
    int32_t number;
    *stands = clean(t, label);
    if (label.n == 0 || has_label(t, *stands))
        return ak_fail(ctx, AKIN_EFORMAT, "%s: %s label ('%s')", t->where,
                       label.n == 0 ? "empty" : "repeated", all);
    AK_CHECK(ak_grow(ctx, t->n_labels + 1, &t->room_labels, sizeof *t->labels,
                     &t->labels));
    t->labels[t->n_labels++] = *stands;
    AK_CHECK(ak_names_add(&t->known, ctx, stands->text, stands->n, &number));
    *is_new = t->known.n > known;
    if (*is_new && !are_equal(*stands, label))
        return ak_warnings_add(t->warnings, ctx, AK_RENAMED,
                               "%s: class '%.*s' is renamed '%s' (labels are "
                               "UTF-8 without %s)",
                               t->where, (int)label.n, label.text, stands->text,
                               t->any_labels ? "control characters"
                                             : "blanks, commas, colons and #");
    return AKIN_OK;
}

akin_status ak_text_label(ak_text *t, akin_ctx *ctx, ak_bytes label,
                          const char *all)
{
    ak_bytes stands;
    bool is_new;
    return add_clean(t, ctx, label, &stands, all, &is_new);
}

akin_status ak_text_label_list(ak_text *t, akin_ctx *ctx, ak_bytes list)
{
    const char *at = list.text, *end = at + list.n;
    if (list.n == 0 || are_equal(list, (ak_bytes){"?", 1}))
        return AKIN_OK;
    for (const char *stop; at <= end; at = stop + 1) {
        stop = memchr(at, ';', (size_t)(end - at));
        if (stop == NULL)
            stop = end;
        AK_CHECK(ak_text_label(t, ctx, (ak_bytes){at, (size_t)(stop - at)},
                               list.text));
    }
    return AKIN_OK;
}

akin_status ak_text_folder_label(ak_text *t, akin_ctx *ctx, const char *name,
                                 bool first)
{
    ak_bytes stands;
    bool is_new;
    AK_CHECK(add_clean(t, ctx, (ak_bytes){name, strlen(name)}, &stands, name,
                       &is_new));
    if (first && !is_new)
        return ak_warnings_add(t->warnings, ctx, AK_RENAMED,
                               "%s: class '%s' is renamed '%s', which another "
                               "folder is called too",
                               t->where, name, stands.text);
    return AKIN_OK;
}

/* ---- fields ---- */

akin_status ak_text_add_field(ak_text *t, akin_ctx *ctx, const char *name,
                              ak_bytes value)
{
    AK_CHECK(ak_grow(ctx, t->n_fields + 1, &t->room_fields, sizeof *t->fields,
                     &t->fields));
    t->fields[t->n_fields++] = (ak_text_field){name, value};
    return AKIN_OK;
}

void ak_text_free(ak_text *t)
{
    akin_free(t->labels);
    akin_free(t->fields);
    akin_free(t->written);
    ak_names_free(&t->known);
}
