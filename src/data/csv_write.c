/* Rows to text in cells. With labels there is a header, c0 c1 ... label, and
 * several labels of a row are parted by ';'. */
#include <string.h>

#include "data/formats.h"
#include "data/number.h"
#include "data/sink.h"

typedef struct printer {
    ak_sink *sink;
    const akin_rows *rows;
    char delimiter;
    float *room;  // for a row
} printer;

static akin_status put_header(const printer *p, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < p->rows->d; ++k) {
        char text[24] = "c";
        const size_t n = 1 + ak_integer_write(text + 1, k);
        text[n] = p->delimiter;
        AK_TRY(ak_sink_put(p->sink, ctx, text, n + 1));
    }
    AK_TRY(ak_sink_text(p->sink, ctx, "label\n"));
done:
    return st;
}

/* A label, its quotes doubled. */
static akin_status put_label(const printer *p, akin_ctx *ctx, const char *text)
{
    akin_status st = AKIN_OK;
    for (const char *quote; (quote = strchr(text, '"')) != NULL;) {
        AK_TRY(ak_sink_put(p->sink, ctx, text, (size_t)(quote - text) + 1));
        AK_TRY(ak_sink_text(p->sink, ctx, "\""));
        text = quote + 1;
    }
    AK_TRY(ak_sink_text(p->sink, ctx, text));
done:
    return st;
}

static akin_status put_labels(const printer *p, akin_ctx *ctx, int64_t i)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(p->rows, i, &labels);
    char **names = p->rows->label_names;
    bool quoted = false;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k)
        quoted |= strpbrk(names[labels[k]], "\", \t") != NULL;
    if (quoted)
        AK_TRY(ak_sink_text(p->sink, ctx, "\""));
    for (int64_t k = 0; k < n; ++k) {
        if (k > 0)
            AK_TRY(ak_sink_text(p->sink, ctx, ";"));
        AK_TRY(put_label(p, ctx, names[labels[k]]));
    }
    if (quoted)
        AK_TRY(ak_sink_text(p->sink, ctx, "\""));
done:
    return st;
}

static akin_status put_row(const printer *p, akin_ctx *ctx, int64_t i)
{
    const float *vals = ak_rows_full(p->rows, i, p->room);
    const bool labels = p->rows->label_offsets != NULL;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < p->rows->d; ++k) {
        char text[AK_NUMBER_SIZE + 1];
        size_t m = ak_number_write(text, vals[k]);
        if (k + 1 < p->rows->d || labels)
            text[m++] = p->delimiter;
        AK_TRY(ak_sink_put(p->sink, ctx, text, m));
    }
    if (labels)
        AK_TRY(put_labels(p, ctx, i));
    AK_TRY(ak_sink_text(p->sink, ctx, "\n"));
done:
    return st;
}

static akin_status write_cells(akin_ctx *ctx, const akin_rows *rows,
                               const char *path, char delimiter)
{
    printer p = {.rows = rows, .delimiter = delimiter};
    ak_sink *sink = NULL;
    akin_status st = AKIN_OK;
    const ak_mark mark = ak_scratch_begin(ctx);
    AK_TRY(ak_format_check_labels(ctx, rows, path));
    AK_TRY(AK_SCRATCH(ctx, rows->d, &p.room));
    AK_TRY(ak_sink_open(&p.sink, ctx, path));
    if (rows->label_offsets != NULL)
        AK_TRY(put_header(&p, ctx));
    for (int64_t i = 0; i < rows->n; ++i)
        AK_TRY(put_row(&p, ctx, i));
    sink = p.sink;
    p.sink = NULL;
    AK_TRY(ak_sink_commit(sink, ctx));
done:
    ak_sink_abort(p.sink, ctx);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_csv_write(akin_ctx *ctx, const akin_rows *rows, const char *path)
{
    return write_cells(ctx, rows, path, ',');
}

akin_status ak_tsv_write(akin_ctx *ctx, const akin_rows *rows, const char *path)
{
    return write_cells(ctx, rows, path, '\t');
}
