/* Sparse rows to text. Columns and dimension come back as they were: where no
 * entry tells them, the first row carries an explicit zero. */
#include <string.h>

#include "data/io/formats.h"
#include "data/io/number.h"
#include "data/io/sink.h"

typedef struct printer {
    ak_sink *sink;
    const akin_rows *rows;
    int64_t base;
    bool zero_first, zero_last;  // mark column 0 and d - 1 in the first row
} printer;

static bool can_be_label(const char *name)
{
    if (name[0] == '\0' || strcmp(name, "?") == 0)
        return false;
    for (; *name; ++name)
        if ((unsigned char)*name <= ' ' || strchr(",:#\x7f", *name) != NULL)
            return false;
    return true;
}

static akin_status check_labels(akin_ctx *ctx, const akin_rows *r,
                                const char *path)
{
    for (int64_t k = 0; k < r->n_label_names; ++k)
        if (!can_be_label(r->label_names[k]))
            return ak_fail(ctx, AKIN_EINVAL,
                           "%s: the label \"%s\" cannot stand in svmlight "
                           "(no blanks, commas, colons, #)",
                           path, r->label_names[k]);
    return AKIN_OK;
}

static void find_marks(printer *p)
{
    bool first = false, last = false;
    for (int64_t i = 0; i < p->rows->n; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, p->rows, i);
        if (n == 0)
            continue;
        first |= cols ? cols[0] == 0 : vals[0] != 0;
        last |= cols ? cols[n - 1] == p->rows->d - 1 : vals[n - 1] != 0;
    }
    p->zero_first = p->base == 0 && !first && p->rows->d > 0;
    p->zero_last = !last && p->rows->d > p->zero_first;
}

static akin_status put_labels(const printer *p, akin_ctx *ctx, int64_t i)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, p->rows, i);
    akin_status st = AKIN_OK;
    if (n == 0)
        AK_TRY(ak_sink_text(p->sink, ctx, "?"));
    for (int64_t k = 0; k < n; ++k) {
        if (k > 0)
            AK_TRY(ak_sink_text(p->sink, ctx, ","));
        AK_TRY(ak_sink_text(p->sink, ctx, p->rows->label_names[labels[k]]));
    }
    if (p->rows->groups != NULL && p->rows->groups[i] >= 0) {
        char text[32] = " qid:";
        const size_t at = strlen(text);
        AK_TRY(
            ak_sink_put(p->sink, ctx, text,
                        at + ak_integer_write(text + at, p->rows->groups[i])));
    }
done:
    return st;
}

static akin_status put_entry(const printer *p, akin_ctx *ctx, int64_t column,
                             float value)
{
    char text[2 * AK_NUMBER_SIZE];
    char *to = text;
    *to++ = ' ';
    to += ak_integer_write(to, column + p->base);
    *to++ = ':';
    to += ak_number_write(to, value);
    return ak_sink_put(p->sink, ctx, text, (size_t)(to - text));
}

static akin_status put_row(const printer *p, akin_ctx *ctx, int64_t i)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, p->rows, i);
    akin_status st = AKIN_OK;
    AK_TRY(put_labels(p, ctx, i));
    if (i == 0 && p->zero_first)
        AK_TRY(put_entry(p, ctx, 0, 0.0F));
    for (int64_t k = 0; k < n; ++k)
        if (vals[k] != 0.0F)
            AK_TRY(put_entry(p, ctx, cols ? cols[k] : k, vals[k]));
    if (i == 0 && p->zero_last)
        AK_TRY(put_entry(p, ctx, p->rows->d - 1, 0.0F));
    AK_TRY(ak_sink_text(p->sink, ctx, "\n"));
done:
    return st;
}

akin_status ak_svmlight_write(akin_ctx *ctx, const akin_rows *rows,
                              const char *path)
{
    printer p = {.rows = rows, .base = rows->index_base != AKIN_BASE_0};
    ak_sink *sink = NULL;
    akin_status st = AKIN_OK;
    find_marks(&p);
    AK_TRY(check_labels(ctx, rows, path));
    AK_TRY(ak_sink_open(&p.sink, ctx, path));
    for (int64_t i = 0; i < rows->n; ++i)
        AK_TRY(put_row(&p, ctx, i));
    sink = p.sink;
    p.sink = NULL;
    AK_TRY(ak_sink_commit(sink, ctx));
done:
    ak_sink_abort(p.sink);
    return st;
}
