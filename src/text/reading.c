#include "text/reading.h"

#include <string.h>

#include "base/utf8.h"

/* svmlight and lists of labels know these as something else. */
static bool may_stand(char c)
{
    return (unsigned char)c > ' ' && strchr(",:#\x7f", c) == NULL;
}

/* The labels as any format can hold them, from scratch. */
static akin_status clean(ak_reading *r, const char *label, char delimiter,
                         char **out, bool *changed)
{
    const size_t n = strlen(label);
    const bool unknown = delimiter == '\0' && strcmp(label, "?") == 0;
    char *to;
    const akin_status st = ak_scratch(r->ctx, 3 * (int64_t)n + 1, 1, &to);
    if (st != AKIN_OK)
        return st;
    *out = to;
    for (size_t k = 0, len; k < n; k += len) {
        const bool stands = may_stand(label[k]) || label[k] == delimiter;
        const size_t size = ak_utf8_length(label + k, n - k);
        len = stands && size > 0 ? size : 1;
        if (!stands || unknown)
            *to++ = '_';
        else if (size > 0 || label[k] == delimiter)
            to = (char *)memcpy(to, label + k, len) + len;
        else
            to = (char *)memcpy(to, "\xef\xbf\xbd", 3) + 3;
    }
    *changed = strcmp(*out, label) != 0;
    return AKIN_OK;
}

/* Documents come folder by folder: is this the first of its own? */
static bool is_first(const ak_reading *r, const char *label, char delimiter)
{
    return delimiter == '\0' && r->folder != label;
}

static akin_status add_label(ak_reading *r, const char *name, const char *label,
                             char delimiter)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_build *b = &r->bag.build;
    const int64_t known = b->names.n;
    const char *where, *why;
    char *text;
    bool changed;
    akin_status st = AKIN_OK;
    AK_TRY(clean(r, label, delimiter, &text, &changed));
    AK_TRY(ak_build_labels(b, r->ctx, text, strlen(text), delimiter, &where,
                           &why));
    if (why != NULL)
        AK_TRY(
            ak_fail(r->ctx, AKIN_EFORMAT, "%s: %s ('%s')", name, why, label));
    if (changed && b->names.n > known)
        AK_TRY(ak_trouble_tell(&r->trouble, r->ctx, AK_RENAMED,
                               "%s: the class '%s' is called '%s' (no blanks, "
                               "commas, colons, #; UTF-8)",
                               name, label, text));
    if (is_first(r, label, delimiter) && b->names.n == known)
        AK_TRY(ak_trouble_tell(&r->trouble, r->ctx, AK_RENAMED,
                               "%s: the class '%s' is called '%s', as that of "
                               "another folder",
                               name, label, text));
    r->folder = label;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status put_name(ak_reading *r, const char *name)
{
    akin_status st = AKIN_OK;
    for (; *name != '\0'; ++name)
        AK_TRY(ak_sink_put(r->list, r->ctx,
                           (unsigned char)*name < ' ' ? "?" : name, 1));
    AK_TRY(ak_sink_text(r->list, r->ctx, "\n"));
done:
    return st;
}

static bool is_label(const char *label, char delimiter)
{
    return label != NULL && label[0] != '\0' &&
           (delimiter == '\0' || strcmp(label, "?") != 0);
}

akin_status ak_reading_close(ak_reading *r, const char *name, const char *label,
                             char delimiter)
{
    ak_bag *b = &r->bag;
    akin_status st = AKIN_OK;
    if (b->words.n_zero > 0) {
        ak_bag_undo(b);
        return ak_trouble_tell(&r->trouble, r->ctx, AK_LEFT_OUT_BINARY,
                               "%s: has zero bytes, so it is no text in UTF-8",
                               name);
    }
    if (is_label(label, delimiter))
        AK_TRY(add_label(r, name, label, delimiter));
    AK_TRY(ak_bag_close(b));
    if (b->words.n_bad > 0)
        AK_TRY(ak_trouble_tell(
            &r->trouble, r->ctx, AK_REPAIRED,
            b->words.n_bad == 1
                ? "%s: %" PRId64 " byte is not UTF-8, it parts words"
                : "%s: %" PRId64 " bytes are not UTF-8, they part words",
            name, b->words.n_bad));
    if (ak_bag_terms(b) == 0)
        AK_TRY(ak_trouble_tell(&r->trouble, r->ctx, AK_NO_WORDS,
                               "%s: no word that counts, an empty row", name));
    if (r->list != NULL)
        AK_TRY(put_name(r, name));
done:
    return st;
}
