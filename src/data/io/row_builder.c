#include "data/io/row_builder.h"

#include <string.h>

#include "base/utf8.h"

akin_status ak_row_builder_begin(ak_row_builder *b, akin_ctx *ctx, bool sparse)
{
    *b = (ak_row_builder){.sparse = sparse};
    return ak_rows_new(&b->rows, ctx, 0, 0);
}

/* One more offset and group, which start with those of row 0. */
static akin_status room_for_row(ak_row_builder *b, akin_ctx *ctx)
{
    akin_rows *r = b->rows;
    const int64_t n = r->n + 2;
    int64_t room = b->room_rows;
    AK_CHECK(
        ak_grow(ctx, n, &room, sizeof *r->label_offsets, &r->label_offsets));
    room = b->room_rows;
    if (b->sparse)
        AK_CHECK(ak_grow(ctx, n, &room, sizeof *r->offsets, &r->offsets));
    AK_CHECK(ak_grow(ctx, n, &b->room_rows, sizeof *r->groups, &r->groups));
    r->label_offsets[0] = 0;
    if (b->sparse)
        r->offsets[0] = 0;
    return AKIN_OK;
}

akin_status ak_row_builder_room(ak_row_builder *b, akin_ctx *ctx,
                                int64_t values)
{
    akin_rows *r = b->rows;
    int64_t wanted;
    AK_CHECK(room_for_row(b, ctx));
    if (!ak_add_i64(b->n_vals, values, &wanted))
        return ak_nomem(ctx, SIZE_MAX);
    int64_t room = b->room_vals;
    if (b->sparse)
        AK_CHECK(ak_grow(ctx, wanted, &room, sizeof *r->cols, &r->cols));
    return ak_grow(ctx, wanted, &b->room_vals, sizeof *r->vals, &r->vals);
}

/* One label; *again when the row has it already. */
static akin_status add_label(ak_row_builder *b, akin_ctx *ctx, const char *text,
                             size_t len, bool *again)
{
    akin_rows *r = b->rows;
    int32_t label;
    AK_CHECK(ak_names_add_label(&b->names, ctx, text, len, &label));
    AK_CHECK(ak_grow(ctx, b->n_labels + 1, &b->room_labels, sizeof *r->labels,
                     &r->labels));
    int64_t k = b->n_labels;
    while (k > b->row_labels && r->labels[k - 1] > label)
        --k;
    *again = k > b->row_labels && r->labels[k - 1] == label;
    if (*again)
        return AKIN_OK;
    const size_t behind = (size_t)(b->n_labels - k);
    memmove(r->labels + k + 1, r->labels + k, behind * sizeof *r->labels);
    r->labels[k] = label;
    ++b->n_labels;
    return AKIN_OK;
}

static bool has_control(const char *p, const char *end, const char **where)
{
    for (; p < end; ++p)
        if ((unsigned char)*p < ' ' || *p == 0x7f) {
            *where = p;
            return true;
        }
    return false;
}

static bool is_utf8(const char *p, const char *end, const char **where)
{
    *where = p + ak_utf8_span(p, (size_t)(end - p));
    return *where == end;
}

akin_status ak_row_builder_labels(ak_row_builder *b, akin_ctx *ctx,
                                  const char *text, size_t len, char delimiter,
                                  const char **where, const char **why)
{
    const char *end = text + len;
    *why = NULL;
    for (const char *next; text <= end && *why == NULL; text = next + 1) {
        bool again = false;
        next = memchr(text, delimiter, (size_t)(end - text));
        if (next == NULL)
            next = end;
        *where = text;
        if (next == text)
            *why = "empty label";
        else if (has_control(text, next, where))
            *why = "control character in a label";
        else if (b->utf8_labels && !is_utf8(text, next, where))
            *why = "label is not UTF-8 (safetensors files need UTF-8)";
        else
            AK_CHECK(add_label(b, ctx, text, (size_t)(next - text), &again));
        if (again)
            *why = "repeated label";
    }
    return AKIN_OK;
}

void ak_row_builder_row(ak_row_builder *b, int64_t group)
{
    akin_rows *r = b->rows;
    r->groups[r->n] = group;
    b->any_group |= group >= 0;
    ++r->n;
    r->label_offsets[r->n] = b->n_labels;
    b->row_labels = b->n_labels;
    if (b->sparse)
        r->offsets[r->n] = b->n_vals;
}

static void forget(void *array)
{
    void *p;
    memcpy(&p, array, sizeof p);
    akin_free(p);
    memset(array, 0, sizeof p);
}

/* Give back what was taken in advance. */
static akin_status trim(ak_row_builder *b, akin_ctx *ctx)
{
    akin_rows *r = b->rows;
    AK_CHECK(ak_resize(ctx, b->n_vals, sizeof *r->vals, &r->vals));
    if (b->sparse) {
        AK_CHECK(ak_resize(ctx, b->n_vals, sizeof *r->cols, &r->cols));
        AK_CHECK(ak_resize(ctx, r->n + 1, sizeof *r->offsets, &r->offsets));
    }
    if (b->names.n == 0) {
        forget(&r->label_offsets);
        forget(&r->labels);
    }
    if (!b->any_group)
        forget(&r->groups);
    return AKIN_OK;
}

akin_status ak_row_builder_end(ak_row_builder *b, akin_ctx *ctx,
                               akin_rows **out)
{
    akin_rows *r = b->rows;
    akin_status st = AKIN_OK;
    AK_TRY(
        ak_row_builder_room(b, ctx, 0));  // also of no rows there is an offset
    AK_TRY(trim(b, ctx));
    if (b->names.n > 0) {
        r->label_names = b->names.texts;
        r->n_label_names = b->names.n;
        b->names.texts = NULL;
        b->names.n = 0;
    }
    *out = r;
    b->rows = NULL;
done:
    ak_row_builder_drop(b);
    return st;
}

void ak_row_builder_drop(ak_row_builder *b)
{
    akin_rows_free(b->rows);
    ak_names_free(&b->names);
    *b = (ak_row_builder){0};
}
