/* The query side as a table, a feature on each line; axes are an array as
 * PostgreSQL writes one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/io/csv_cells.h"
#include "data/io/sink.h"
#include "export/query_side.h"

enum { FIELDS = 4, NUMBER = 40 };

static akin_status put_number(ak_sink *s, akin_ctx *ctx, const char *before,
                              double x)
{
    char text[NUMBER];
    AK_CHECK(ak_sink_text(s, ctx, before));
    for (int digits = 15; digits <= 17; ++digits) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (strtod(text, NULL) == x)
            break;
    }
    return ak_sink_text(s, ctx, text);
}

static akin_status put_feature(const ak_query_side *q, akin_ctx *ctx,
                               ak_sink *s, int64_t j)
{
    const double *fields[FIELDS] = {q->idf, q->shift, q->factor, q->weight};
    char text[NUMBER];
    snprintf(text, sizeof text, "%" PRId64 ",%" PRId32, j, q->source[j]);
    AK_CHECK(ak_sink_text(s, ctx, text));
    for (int k = 0; k < FIELDS; ++k)
        AK_CHECK(put_number(s, ctx, ",", fields[k][j]));
    AK_CHECK(ak_sink_text(s, ctx, ",\"{"));
    for (int64_t c = 0; q->axes && c < q->dim; ++c)
        AK_CHECK(put_number(s, ctx, c > 0 ? "," : "", q->axes[j * q->dim + c]));
    return ak_sink_text(s, ctx, "}\"\n");
}

akin_status ak_query_side_write(const ak_query_side *q, akin_ctx *ctx,
                                const char *path)
{
    ak_sink *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sink_open(&s, ctx, path));
    AK_TRY(
        ak_sink_text(s, ctx, "feature,source,idf,shift,factor,weight,axes\n"));
    for (int64_t j = 0; j < q->d; ++j)
        AK_TRY(put_feature(q, ctx, s, j));
done:
    return ak_sink_close(s, ctx, st);
}

/* The number at *at, and what follows it: a comma, or the end. */
static bool read_number(const char **at, const char *end, double *out)
{
    char *next = NULL;
    if (**at == '\0' || strchr("-.0123456789", **at) == NULL)
        return false;
    *out = strtod(*at, &next);
    if (next == *at || next > end || !isfinite(*out) ||
        (next < end && *next != ','))
        return false;
    *at = next < end ? next + 1 : next;
    return true;
}

static bool read_axes(ak_query_side *q, const ak_cell *cell, int64_t j)
{
    const char *at = cell->text + 1, *end = cell->text + cell->n - 1;
    if (cell->n < 2 || cell->text[0] != '{' || *end != '}')
        return false;
    for (int64_t c = 0; q->axes && c < q->dim; ++c)
        if (at == end || !read_number(&at, end, &q->axes[j * q->dim + c]))
            return false;
    return at == end;
}

static akin_status read_feature(ak_query_side *q, akin_ctx *ctx, ak_cells *c,
                                int64_t j)
{
    double *fields[] = {NULL, NULL, q->idf, q->shift, q->factor, q->weight};
    const int n = sizeof fields / sizeof *fields;
    for (int k = 0; k <= n; ++k) {
        ak_cell cell = {0};
        double x = 0.0;
        bool ok = c->at != NULL;
        if (ok)
            AK_CHECK(ak_cells_next(c, ctx, &cell));
        const char *at = cell.text;
        if (ok && k < n)
            ok = cell.n > 0 && read_number(&at, at + cell.n, &x) &&
                 at == cell.text + cell.n;
        if (k < n && fields[k] != NULL)
            fields[k][j] = x;
        if (k == 0)
            ok = ok && x == (double)j;
        if (k == 1) {
            ok = ok && x >= 0.0 && x < INT32_MAX && x == floor(x) &&
                 (j == 0 || x > q->source[j - 1]);
            q->source[j] = ok ? (int32_t)x : 0;
        }
        if (k == n)
            ok = ok && c->at == NULL && read_axes(q, &cell, j);
        if (!ok)
            return ak_cells_bad(c, ctx, cell.text ? cell.text : c->line,
                                "not a feature of this export");
    }
    return AKIN_OK;
}

akin_status ak_query_side_read(ak_query_side *q, akin_ctx *ctx,
                               const char *path)
{
    ak_cells c = {.delimiter = ','};
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&c.source, ctx, path, AK_SOURCE_TEXT));
    AK_TRY(ak_cells_line(&c, ctx));  // the header
    for (int64_t j = 0; j < q->d; ++j) {
        AK_TRY(ak_cells_line(&c, ctx));
        if (c.line == NULL)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: %" PRId64 " features (expected %" PRId64 ")",
                           path, j, q->d));
        AK_TRY(read_feature(q, ctx, &c, j));
    }
    AK_TRY(ak_cells_line(&c, ctx));
    if (c.line != NULL)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: more than %" PRId64 " features",
                       path, q->d));
done:
    ak_source_close(c.source);
    return st;
}
