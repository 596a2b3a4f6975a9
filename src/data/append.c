#include "data/append.h"

#include <string.h>

static int64_t count_values(const akin_rows *r)
{
    return r->offsets ? r->offsets[r->n] : r->n * r->d;
}

/* ---- what parts must have in common ---- */

static akin_status check_form(const akin_rows *r, akin_ctx *ctx,
                              const akin_rows *part, const char *path,
                              const char *first)
{
    const bool sparse = part->offsets != NULL;
    if (sparse != (r->offsets != NULL))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: rows are %s (expected %s, as in "
                       "%s)",
                       path, sparse ? "sparse" : "dense",
                       sparse ? "dense" : "sparse", first);
    if (!sparse && part->d != r->d)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " columns (expected %" PRId64
                       ", as in %s)",
                       path, part->d, r->d, first);
    return AKIN_OK;
}

static akin_status check_names(const akin_rows *r, akin_ctx *ctx,
                               const akin_rows *part, const char *path,
                               const char *first)
{
    const int64_t n = ak_max_i64(r->columns.n, part->columns.n);
    for (int64_t j = 0; j < n; ++j) {
        const char *here = ak_columns_name(&part->columns, j);
        const char *there = ak_columns_name(&r->columns, j);
        if (strcmp(here ? here : "", there ? there : "") != 0)
            return ak_fail(ctx, AKIN_ESHAPE,
                           "%s: column %" PRId64
                           " is called '%s' (expected '%s', as in %s)",
                           path, j, here ? here : "", there ? there : "",
                           first);
    }
    return AKIN_OK;
}

/* ---- labels ---- */

/* `map` takes label numbers of the part to those of all. */
static akin_status map_labels(ak_appender *a, akin_ctx *ctx,
                              const akin_rows *part, int32_t **map)
{
    AK_CHECK(AK_SCRATCH(ctx, part->n_label_names, map));
    for (int64_t k = 0; k < part->n_label_names; ++k) {
        const char *name = part->label_names[k];
        AK_CHECK(ak_names_add(&a->names, ctx, name, strlen(name), &(*map)[k]));
    }
    return AKIN_OK;
}

/* Insert a label into those of a row, which begin at `from` and increase. */
static void insert_label(akin_rows *r, int64_t from, int64_t count,
                         int32_t label)
{
    int64_t k = count;
    for (; k > from && r->labels[k - 1] > label; --k)
        r->labels[k] = r->labels[k - 1];
    r->labels[k] = label;
}

static akin_status room_for_labels(ak_appender *a, akin_ctx *ctx, int64_t rows,
                                   int64_t labels)
{
    akin_rows *r = a->rows;
    const bool none = r->label_offsets == NULL;
    AK_CHECK(ak_grow(ctx, r->n + rows + 1, &a->room_label_offsets,
                     sizeof *r->label_offsets, &r->label_offsets));
    for (int64_t i = 0; none && i <= r->n; ++i)
        r->label_offsets[i] = 0;
    return ak_grow(ctx, a->n_labels + labels, &a->room_labels,
                   sizeof *r->labels, &r->labels);
}

static akin_status append_labels(ak_appender *a, akin_ctx *ctx,
                                 const akin_rows *part)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t *offsets = part->label_offsets;
    akin_rows *r = a->rows;
    int32_t *map;
    akin_status st = AKIN_OK;
    if (offsets == NULL && r->label_offsets == NULL)
        return AKIN_OK;
    AK_TRY(map_labels(a, ctx, part, &map));
    AK_TRY(room_for_labels(a, ctx, part->n, offsets ? offsets[part->n] : 0));
    for (int64_t i = 0; i < part->n; ++i) {
        const int64_t from = a->n_labels;
        for (int64_t k = offsets ? offsets[i] : 0;
             offsets && k < offsets[i + 1]; ++k)
            insert_label(r, from, a->n_labels++, map[part->labels[k]]);
        r->label_offsets[r->n + i + 1] = a->n_labels;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status append_groups(ak_appender *a, akin_ctx *ctx,
                                 const akin_rows *part)
{
    akin_rows *r = a->rows;
    const bool none = r->groups == NULL;
    if (none && part->groups == NULL)
        return AKIN_OK;
    AK_CHECK(ak_grow(ctx, r->n + part->n, &a->room_groups, sizeof *r->groups,
                     &r->groups));
    for (int64_t i = 0; none && i < r->n; ++i)
        r->groups[i] = -1;
    for (int64_t i = 0; i < part->n; ++i)
        r->groups[r->n + i] = part->groups ? part->groups[i] : -1;
    return AKIN_OK;
}

/* ---- values ---- */

static akin_status append_values(ak_appender *a, akin_ctx *ctx,
                                 const akin_rows *part)
{
    akin_rows *r = a->rows;
    const int64_t more = count_values(part), wanted = a->values + more;
    const size_t n = (size_t)more;
    AK_CHECK(ak_grow(ctx, wanted, &a->room_values, sizeof *r->vals, &r->vals));
    if (n > 0)
        memcpy(r->vals + a->values, part->vals, n * sizeof *r->vals);
    if (r->offsets != NULL) {
        AK_CHECK(ak_grow(ctx, r->n + part->n + 1, &a->room_rows,
                         sizeof *r->offsets, &r->offsets));
        AK_CHECK(
            ak_grow(ctx, wanted, &a->room_cols, sizeof *r->cols, &r->cols));
        if (n > 0)
            memcpy(r->cols + a->values, part->cols, n * sizeof *r->cols);
        for (int64_t i = 1; i <= part->n; ++i)
            r->offsets[r->n + i] = a->values + part->offsets[i];
    }
    a->values = wanted;
    return AKIN_OK;
}

/* The first part becomes the rows, without a copy. */
static akin_status begin(ak_appender *a, akin_ctx *ctx, akin_rows *part)
{
    int32_t number;
    a->rows = part;
    a->values = a->room_values = a->room_cols = count_values(part);
    a->room_rows = part->n + 1;
    if (part->label_offsets != NULL) {
        a->n_labels = a->room_labels = part->label_offsets[part->n];
        a->room_label_offsets = part->n + 1;
    }
    a->room_groups = part->groups ? part->n : 0;
    for (int64_t k = 0; k < part->n_label_names; ++k)
        AK_CHECK(ak_names_add(&a->names, ctx, part->label_names[k],
                              strlen(part->label_names[k]), &number));
    return AKIN_OK;
}

static akin_status append(ak_appender *a, akin_ctx *ctx, const akin_rows *part)
{
    akin_rows *r = a->rows;
    AK_CHECK(append_labels(a, ctx, part));
    AK_CHECK(append_groups(a, ctx, part));
    AK_CHECK(append_values(a, ctx, part));
    r->n += part->n;
    r->d = ak_max_i64(r->d, part->d);
    if (r->prepared[0] == '\0')
        memcpy(r->prepared, part->prepared, sizeof r->prepared);
    return AKIN_OK;
}

akin_status ak_append_rows(ak_appender *a, akin_ctx *ctx, akin_rows *part,
                           const char *path, const char *first)
{
    akin_status st = AKIN_OK;
    if (a->rows == NULL)
        return begin(a, ctx, part);
    AK_TRY(check_form(a->rows, ctx, part, path, first));
    AK_TRY(check_names(a->rows, ctx, part, path, first));
    AK_TRY(append(a, ctx, part));
done:
    akin_rows_free(part);
    return st;
}

static akin_status trim(ak_appender *a, akin_ctx *ctx)
{
    akin_rows *r = a->rows;
    if (a->room_values > a->values)
        AK_CHECK(ak_resize(ctx, a->values, sizeof *r->vals, &r->vals));
    if (r->offsets != NULL && a->room_cols > a->values)
        AK_CHECK(ak_resize(ctx, a->values, sizeof *r->cols, &r->cols));
    return AKIN_OK;
}

akin_status ak_append_end(ak_appender *a, akin_ctx *ctx, akin_rows **out)
{
    akin_rows *r = a->rows;
    const akin_status st = trim(a, ctx);
    if (st == AKIN_OK) {
        for (int64_t k = 0; k < r->n_label_names; ++k)
            akin_free(r->label_names[k]);
        akin_free(r->label_names);
        r->label_names = a->names.texts;
        r->n_label_names = a->names.n;
        a->names.texts = NULL;
        a->names.n = 0;
        a->rows = NULL;
        *out = r;
    }
    ak_append_drop(a);
    return st;
}

void ak_append_drop(ak_appender *a)
{
    akin_rows_free(a->rows);
    ak_names_free(&a->names);
    *a = (ak_appender){0};
}
