/* Rows: making, selecting, looking at them. Labels are in labels.c. */
#include "data/rows.h"

#include <math.h>
#include <string.h>

akin_status ak_rows_new(akin_rows **out, akin_ctx *ctx, int64_t n, int64_t d)
{
    akin_rows *r;
    AK_CHECK(AK_NEW(ctx, 1, &r));
    r->n = n;
    r->d = d;
    *out = r;
    return AKIN_OK;
}

void akin_rows_free(akin_rows *r)
{
    if (r == NULL)
        return;
    for (int64_t k = 0; k < r->n_label_names; ++k)
        akin_free(r->label_names[k]);
    akin_free(r->label_names);
    akin_free(r->label_column);
    if (!(r->lent & AK_LENT_OFFSETS))
        akin_free(r->offsets);
    if (!(r->lent & AK_LENT_COLS))
        akin_free(r->cols);
    if (!(r->lent & AK_LENT_VALS))
        akin_free(r->vals);
    if (r->release != NULL)
        r->release(r->release_user);
    akin_free(r->label_offsets);
    akin_free(r->labels);
    akin_free(r->groups);
    akin_free(r->raw_sums);
    ak_columns_free(&r->columns);
    akin_free(r);
}

akin_status ak_rows_check_shape(akin_ctx *ctx, int64_t n, int64_t d)
{
    if (n < 0 || d < 0 || d > INT32_MAX)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " rows of %" PRId64
                       " columns is out of range (at most 2147483647 columns)",
                       n, d);
    return AKIN_OK;
}

akin_status akin_rows_widen(akin_ctx *ctx, akin_rows *r, int64_t dim)
{
    if (dim == r->d)
        return AKIN_OK;
    if (r->offsets == NULL || dim < r->d || dim > INT32_MAX)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " columns cannot become %" PRId64, r->d, dim);
    r->d = dim;
    return AKIN_OK;
}

akin_status ak_rows_not_finite(akin_ctx *ctx, int64_t row, int64_t column)
{
    return ak_fail(ctx, AKIN_EINVAL,
                   "row %" PRId64 ", column %" PRId64 " is not finite", row,
                   column);
}

akin_status akin_rows_new_dense(akin_rows **out, akin_ctx *ctx, int64_t n,
                                int64_t d, const float *values)
{
    akin_rows *r = NULL;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_check_shape(ctx, n, d));
    if (!ak_mul_i64(n, d, &count))
        AK_TRY(ak_nomem(ctx, SIZE_MAX));
    for (int64_t k = 0; k < count; ++k)
        if (!isfinite(values[k]))
            AK_TRY(ak_rows_not_finite(ctx, k / d, k % d));
    AK_TRY(ak_rows_new(&r, ctx, n, d));
    AK_TRY(AK_NEW(ctx, count, &r->vals));
    if (count > 0)
        memcpy(r->vals, values, (size_t)count * sizeof *values);
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

/* Offsets start at 0 and do not fall, columns rise below d, values finite. */
static akin_status check_sparse(akin_ctx *ctx, int64_t n, int64_t d,
                                const int64_t *offsets, const int32_t *columns,
                                const float *values)
{
    if (offsets[0] != 0)
        return ak_fail(ctx, AKIN_EINVAL, "the first offset is not 0");
    for (int64_t i = 0; i < n; ++i) {
        if (offsets[i + 1] < offsets[i])
            return ak_fail(ctx, AKIN_EINVAL,
                           "the offsets must increase (row %" PRId64 ")",
                           i + 1);
        for (int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
            const int32_t least = k > offsets[i] ? columns[k - 1] + 1 : 0;
            if (columns[k] < least || columns[k] >= d)
                return ak_fail(ctx, AKIN_EINVAL,
                               "row %" PRId64 " has column %" PRId32
                               " out of order or outside %" PRId64 " columns",
                               i, columns[k], d);
            if (!isfinite(values[k]))
                return ak_rows_not_finite(ctx, i, columns[k]);
        }
    }
    return AKIN_OK;
}

akin_status akin_rows_new_sparse(akin_rows **out, akin_ctx *ctx, int64_t n,
                                 int64_t d, const int64_t *offsets,
                                 const int32_t *columns, const float *values)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_check_shape(ctx, n, d));
    AK_TRY(check_sparse(ctx, n, d, offsets, columns, values));
    AK_TRY(ak_rows_new(&r, ctx, n, d));
    AK_TRY(AK_NEW(ctx, n + 1, &r->offsets));
    AK_TRY(AK_NEW(ctx, offsets[n], &r->cols));
    AK_TRY(AK_NEW(ctx, offsets[n], &r->vals));
    int64_t at = 0;
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
            r->cols[at] = columns[k];
            r->vals[at] = values[k];
            at += values[k] != 0.0F;  // no explicit zeros
        }
        r->offsets[i + 1] = at;
    }
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

static akin_status select_sparse(akin_rows *r, akin_ctx *ctx,
                                 const akin_rows *from, const int64_t *which)
{
    AK_CHECK(AK_NEW(ctx, r->n + 1, &r->offsets));
    for (int64_t i = 0; i < r->n; ++i)
        r->offsets[i + 1] = r->offsets[i] + ak_rows_sparse(from, which[i]).n;
    AK_CHECK(AK_NEW(ctx, r->offsets[r->n], &r->cols));
    AK_CHECK(AK_NEW(ctx, r->offsets[r->n], &r->vals));
    for (int64_t i = 0; i < r->n; ++i) {
        const ak_sparse x = ak_rows_sparse(from, which[i]);
        const int64_t at = r->offsets[i];
        memcpy(r->cols + at, x.cols, (size_t)x.n * sizeof *x.cols);
        memcpy(r->vals + at, x.vals, (size_t)x.n * sizeof *x.vals);
    }
    return AKIN_OK;
}

static akin_status select_dense(akin_rows *r, akin_ctx *ctx,
                                const akin_rows *from, const int64_t *which)
{
    int64_t count;
    if (!ak_mul_i64(r->n, r->d, &count))
        return ak_nomem(ctx, SIZE_MAX);
    const akin_status st = AK_NEW(ctx, count, &r->vals);
    const size_t bytes = (size_t)r->d * sizeof *r->vals;
    for (int64_t i = 0; i < r->n && st == AKIN_OK; ++i)
        memcpy(r->vals + i * r->d, ak_rows_dense(from, which[i]), bytes);
    return st;
}

akin_status ak_rows_copy_groups(akin_rows *to, akin_ctx *ctx,
                                const akin_rows *from, const int64_t *which)
{
    if (from->groups == NULL)
        return AKIN_OK;
    const akin_status st = AK_NEW(ctx, to->n, &to->groups);
    for (int64_t i = 0; i < to->n && st == AKIN_OK; ++i)
        to->groups[i] = from->groups[which ? which[i] : i];
    return st;
}

static akin_status copy_sums(akin_rows *to, akin_ctx *ctx,
                             const akin_rows *from, const int64_t *which)
{
    if (from->raw_sums == NULL)
        return AKIN_OK;
    const akin_status st = AK_NEW(ctx, to->n, &to->raw_sums);
    for (int64_t i = 0; i < to->n && st == AKIN_OK; ++i)
        to->raw_sums[i] = from->raw_sums[which[i]];
    return st;
}

akin_status akin_rows_select(akin_rows **out, akin_ctx *ctx,
                             const akin_rows *rows, const int64_t *which,
                             int64_t count)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    if (count < 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " rows: the count is negative", count));
    for (int64_t i = 0; i < count; ++i)
        if (which[i] < 0 || which[i] >= rows->n)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "there is no row %" PRId64 " (of %" PRId64 " rows)",
                           which[i], rows->n));
    AK_TRY(ak_rows_new(&r, ctx, count, rows->d));
    r->index_base = rows->index_base;
    memcpy(r->prepared, rows->prepared, sizeof r->prepared);
    if (rows->offsets != NULL)
        AK_TRY(select_sparse(r, ctx, rows, which));
    else
        AK_TRY(select_dense(r, ctx, rows, which));
    AK_TRY(copy_sums(r, ctx, rows, which));
    AK_TRY(ak_rows_copy_groups(r, ctx, rows, which));
    AK_TRY(ak_rows_copy_labels(r, ctx, rows, which));
    AK_TRY(ak_columns_copy(&r->columns, ctx, &rows->columns));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

int64_t akin_rows_count(const akin_rows *r)
{
    return r->n;
}

int64_t akin_rows_dim(const akin_rows *r)
{
    return r->d;
}

int64_t akin_rows_nonzeros(const akin_rows *r)
{
    if (r->offsets != NULL)
        return r->offsets[r->n];
    int64_t count = 0;
    for (int64_t k = 0; k < r->n * r->d; ++k)
        count += r->vals[k] != 0.0F;
    return count;
}

int akin_rows_is_sparse(const akin_rows *r)
{
    return r->offsets != NULL;
}

int64_t akin_rows_index_base(const akin_rows *r)
{
    return r->index_base;
}

const char *akin_rows_recipe(const akin_rows *r)
{
    return r->prepared[0] != '\0' ? r->prepared : NULL;
}

akin_status akin_rows_set_columns(akin_ctx *ctx, akin_rows *r,
                                  const char *const *names, int64_t n_names)
{
    ak_columns columns = {0};
    akin_status st = AKIN_OK;
    if (n_names < 0 || n_names > r->d)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " names for %" PRId64 " columns", n_names,
                       r->d));
    for (int64_t j = 0; j < n_names; ++j)
        AK_TRY(ak_columns_add(&columns, ctx, names[j], strlen(names[j])));
    ak_columns_free(&r->columns);
    r->columns = columns;
    columns = (ak_columns){0};
done:
    ak_columns_free(&columns);
    return st;
}

const char *akin_rows_column_name(const akin_rows *r, int64_t j)
{
    return ak_columns_name(&r->columns, j);
}

int64_t akin_rows_row(const int32_t **columns, const float **values,
                      const akin_rows *r, int64_t i)
{
    if (r->offsets == NULL) {
        *columns = NULL;
        *values = ak_rows_dense(r, i);
        return r->d;
    }
    const ak_sparse x = ak_rows_sparse(r, i);
    *columns = x.cols;
    *values = x.vals;
    return x.n;
}

int64_t akin_rows_arrays(const int64_t **offsets, const int32_t **columns,
                         const float **values, const akin_rows *r)
{
    *offsets = r->offsets;
    *columns = r->cols;
    *values = r->vals;
    return r->offsets != NULL ? r->offsets[r->n] : r->n * r->d;
}

static akin_status check_range(akin_ctx *ctx, const akin_rows *r, int64_t first,
                               int64_t count)
{
    if (first < 0 || count < 0 || first > r->n || count > r->n - first)
        return ak_fail(ctx, AKIN_EINVAL,
                       "there are no %" PRId64 " rows from row %" PRId64
                       " on (of %" PRId64 " rows)",
                       count, first, r->n);
    return AKIN_OK;
}

akin_status akin_rows_copy_float(float *values, akin_ctx *ctx,
                                 const akin_rows *r, int64_t first,
                                 int64_t count)
{
    AK_CHECK(check_range(ctx, r, first, count));
    for (int64_t i = 0; i < count && r->d > 0; ++i) {
        float *to = values + i * r->d;
        const float *x = ak_rows_full(r, first + i, to);
        if (x != to)
            memcpy(to, x, (size_t)r->d * sizeof *to);
    }
    return AKIN_OK;
}

akin_status akin_rows_copy_double(double *values, akin_ctx *ctx,
                                  const akin_rows *r, int64_t first,
                                  int64_t count)
{
    AK_CHECK(check_range(ctx, r, first, count));
    for (int64_t i = 0; i < count && r->d > 0; ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, r, first + i);
        double *to = values + i * r->d;
        if (cols != NULL)
            memset(to, 0, (size_t)r->d * sizeof *to);
        for (int64_t k = 0; k < n; ++k)
            to[cols != NULL ? cols[k] : k] = (double)vals[k];
    }
    return AKIN_OK;
}

const float *ak_rows_full(const akin_rows *r, int64_t i, float *room)
{
    if (r->offsets == NULL)
        return ak_rows_dense(r, i);
    const ak_sparse x = ak_rows_sparse(r, i);
    memset(room, 0, (size_t)r->d * sizeof *room);
    for (int64_t k = 0; k < x.n; ++k)
        room[x.cols[k]] = x.vals[k];
    return room;
}

/* ---- one after another ---- */

/* Shape of the parts together. */
typedef struct joined_shape {
    int64_t n, d, values;
    bool sparse, any;
} joined_shape;

static akin_status add_shape(joined_shape *s, akin_ctx *ctx, const akin_rows *r)
{
    const bool sparse = r->offsets != NULL;
    if (s->any && (sparse != s->sparse || (!sparse && r->d != s->d)))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "rows of different forms cannot be joined");
    s->any = true;
    s->sparse = sparse;
    s->n += r->n;
    s->d = ak_max_i64(s->d, r->d);
    s->values += sparse ? r->offsets[r->n] : r->n * r->d;
    return AKIN_OK;
}

static void append_rows(akin_rows *to, int64_t *n, int64_t *at,
                        const akin_rows *from)
{
    const int64_t values = from->offsets ? from->offsets[from->n]
                                         : from->n * from->d;
    for (int64_t i = 0; from->offsets && i < from->n; ++i)
        to->offsets[*n + i + 1] = *at + from->offsets[i + 1];
    if (values > 0 && from->offsets)
        memcpy(to->cols + *at, from->cols, (size_t)values * sizeof *to->cols);
    if (values > 0)
        memcpy(to->vals + *at, from->vals, (size_t)values * sizeof *to->vals);
    *n += from->n;
    *at += values;
}

akin_status ak_rows_join(akin_rows **out, akin_ctx *ctx,
                         const akin_rows *const *parts, int64_t n_parts)
{
    joined_shape s = {0};
    akin_rows *r = NULL;
    int64_t n = 0, at = 0;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < n_parts; ++i)
        if (parts[i] != NULL)
            AK_TRY(add_shape(&s, ctx, parts[i]));
    AK_TRY(ak_rows_new(&r, ctx, s.n, s.d));
    if (s.sparse) {
        AK_TRY(AK_NEW(ctx, s.n + 1, &r->offsets));
        AK_TRY(AK_NEW(ctx, s.values, &r->cols));
    }
    AK_TRY(AK_NEW(ctx, s.values, &r->vals));
    for (int64_t i = 0; i < n_parts; ++i)
        if (parts[i] != NULL)
            append_rows(r, &n, &at, parts[i]);
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}
