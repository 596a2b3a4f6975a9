#include "collection/labels.h"

#include <string.h>

#include "base/utf8.h"
#include "data/io/header.h"
#include "data/io/source.h"
#include "text/csv_records.h"

/* Labels are text: what is not becomes U+FFFD; `delimiter` a newline. */
static void clean(const char *text, char delimiter, char *to)
{
    const size_t n = strlen(text);
    for (size_t k = 0, len; k < n; k += len) {
        const size_t size = ak_utf8_length(text + k, n - k);
        len = size ? size : 1;
        if (delimiter != '\0' && text[k] == delimiter)
            *to++ = '\n';
        else if (size > 0)
            to = (char *)memcpy(to, text + k, len) + len;
        else
            to = (char *)memcpy(to, "\xef\xbf\xbd", 3) + 3;
    }
    *to = '\0';
}

static akin_status cleaned(akin_ctx *ctx, const char *text, char delimiter,
                           char **out)
{
    const int64_t room = 3 * (int64_t)strlen(text) + 1;
    AK_CHECK(AK_SCRATCH(ctx, room, out));
    clean(text, delimiter, *out);
    return AKIN_OK;
}

/* Is a label, of those separated by newlines, empty or repeated? */
static bool are_wrong(const char *text)
{
    for (const char *at = text; *text != '\0'; ++at) {
        const size_t n = strcspn(at, "\n");
        if (n == 0)
            return true;
        for (const char *other = at + n; *other == '\n';) {
            const size_t m = strcspn(++other, "\n");
            if (m == n && memcmp(at, other, n) == 0)
                return true;
            other += m;
        }
        at += n;
        if (*at == '\0')
            break;
    }
    return false;
}

typedef struct label_reading {
    ak_picture_labels *out;
    const char *wanted;  // column; NULL: not given
    int64_t file, label;
} label_reading;

static akin_status add(void *arg, akin_ctx *ctx, const ak_csv_records *r)
{
    const label_reading *from = arg;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_picture_labels *l = from->out;
    size_t n;
    const char *name = ak_csv_records_cell(r, from->file, &n);
    int32_t number;
    char *text;
    akin_status st = AKIN_OK;
    AK_TRY(ak_names_add(&l->files, ctx, name, n, &number));
    if (number < l->n)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s:%" PRId64 ": %s occurs twice",
                       ak_source_name(r->source), r->line, name));
    AK_TRY(cleaned(ctx, ak_csv_records_cell(r, from->label, &n), ';', &text));
    if (are_wrong(text))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s:%" PRId64 ": an empty or repeated label",
                       ak_source_name(r->source), r->line));
    AK_TRY(ak_grow(ctx, l->n + 1, &l->room, sizeof *l->texts, &l->texts));
    AK_TRY(ak_strdup(ctx, text, &l->texts[l->n]));
    ++l->n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The columns `file` and `wanted`; NULL: one with a usual name of labels, which
 * is said unless it is `label`. */
static akin_status find_columns(void *arg, akin_ctx *ctx,
                                const ak_csv_records *r)
{
    label_reading *to = arg;
    const char *path = ak_source_name(r->source), *wanted = to->wanted;
    ak_columns names = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_csv_records_names(r, ctx, &names));
    to->file = ak_header_find(&names, "file", true);
    to->label = wanted ? ak_header_find(&names, wanted, true)
                       : ak_header_label(&names);
    if (to->file < 0)
        AK_TRY(ak_header_missing(ctx, &names, "file", path, 1,
                                 " (expected a header with file and label)"));
    if (to->label < 0)
        AK_TRY(ak_header_missing(ctx, &names, wanted ? wanted : "label", path,
                                 1, " (`label_column` names it)"));
    if (wanted == NULL &&
        strcmp(ak_columns_name(&names, to->label), "label") != 0)
        ak_log(ctx, AKIN_LOG_INFO,
               "%s: the labels are column '%s' (`label_column` names another)",
               path, ak_columns_name(&names, to->label));
done:
    ak_columns_free(&names);
    return st;
}

akin_status ak_picture_labels_read(ak_picture_labels *l, akin_ctx *ctx,
                                   const char *path, const char *column)
{
    static const ak_csv_table table = {find_columns, add, ""};
    label_reading r = {.out = l, .wanted = column};
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_csv_table_read(&r, ctx, s, &table));
    l->given = true;
done:
    ak_source_close(s);
    return st;
}

void ak_picture_labels_free(ak_picture_labels *l)
{
    for (int64_t i = 0; i < l->n; ++i)
        akin_free(l->texts[i]);
    akin_free(l->texts);
    ak_names_free(&l->files);
    *l = (ak_picture_labels){0};
}

akin_status ak_picture_labels_of(const ak_picture_labels *l, akin_ctx *ctx,
                                 const char *name, const char *folder,
                                 char **out)
{
    const int32_t at = l->given ? ak_names_find(&l->files, name, strlen(name))
                                : -1;
    const char *text = l->given ? at < 0 ? "" : l->texts[at]
                       : folder ? folder
                                : "";
    return cleaned(ctx, text, l->given ? '\n' : '\0', out);
}
