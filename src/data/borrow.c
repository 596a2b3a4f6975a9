/* Rows over arrays of the caller. An array is used where it is if it has the
 * form that rows have anyway (data/rows.h); otherwise it is converted once. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "data/io/csr.h"
#include "data/rows.h"

static bool is_aligned(const void *p, size_t size)
{
    return (uintptr_t)p % size == 0;
}

/* The arrays are read only: a row never writes to what is lent. */
static void *lent(const void *p)
{
    return (void *)(uintptr_t)p;
}

static akin_status check_type(akin_ctx *ctx, const char *what, akin_number type,
                              akin_number a, akin_number b)
{
    if (type == a || type == b)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL, "`%s` must be %s or %s", what,
                   a == AKIN_FLOAT32 ? "float32" : "int32",
                   b == AKIN_FLOAT64 ? "float64" : "int64");
}

/* In 32 bits. */
static bool fits(double x)
{
    return fabs(x) <= (double)FLT_MAX;
}

static double number_at(const unsigned char *p, akin_number type)
{
    double x;
    float y;
    if (type == AKIN_FLOAT64) {
        memcpy(&x, p, sizeof x);
        return x;
    }
    memcpy(&y, p, sizeof y);
    return (double)y;
}

/* The first of n floats that is not finite, n: none. A block is looked at as
 * bits, without a branch for each number. */
static int64_t find_not_finite(const float *values, int64_t n)
{
    enum { BLOCK = 4096 };
    const uint32_t exponent = 0x7f800000;
    for (int64_t at = 0; at < n; at += BLOCK) {
        const int64_t end = ak_min_i64(n, at + BLOCK);
        uint32_t bad = 0;
        for (int64_t k = at; k < end; ++k) {
            uint32_t bits;
            memcpy(&bits, &values[k], sizeof bits);
            bad |= (bits & exponent) == exponent;
        }
        for (int64_t k = at; bad && k < end; ++k)
            if (!isfinite(values[k]))
                return k;
    }
    return n;
}

/* Let the rows call `release` when they are freed; at once if nothing is lent
 * to them. */
static void settle(akin_rows *r, void (*release)(void *), void *user)
{
    if (release == NULL)
        return;
    if (r != NULL && r->lent != 0) {
        r->release = release;
        r->release_user = user;
        return;
    }
    release(user);
}

int akin_rows_borrows(const akin_rows *r)
{
    return (r->lent & AK_LENT_VALS) != 0;
}

/* ---- dense ---- */

static bool is_plain(const akin_dense_array *a)
{
    return a->type == AKIN_FLOAT32 && is_aligned(a->values, sizeof(float)) &&
           (a->d <= 1 || a->column_step == (int64_t)sizeof(float)) &&
           (a->n <= 1 || a->row_step == a->d * (int64_t)sizeof(float));
}

static akin_status convert_dense(akin_rows *r, akin_ctx *ctx,
                                 const akin_dense_array *a, int64_t count)
{
    AK_CHECK(AK_NEW(ctx, count, &r->vals));
    for (int64_t i = 0; i < a->n; ++i) {
        const unsigned char *row = (const unsigned char *)a->values +
                                   i * a->row_step;
        for (int64_t j = 0; j < a->d; ++j) {
            const double x = number_at(row + j * a->column_step, a->type);
            if (!fits(x))
                return ak_rows_not_finite(ctx, i, j);
            r->vals[i * a->d + j] = (float)x;
        }
    }
    return AKIN_OK;
}

static akin_status lend_dense(akin_rows *r, akin_ctx *ctx,
                              const akin_dense_array *a, int64_t count)
{
    const int64_t bad = find_not_finite(a->values, count);
    if (bad < count)
        return ak_rows_not_finite(ctx, bad / a->d, bad % a->d);
    r->vals = lent(a->values);
    r->lent = AK_LENT_VALS;
    return AKIN_OK;
}

akin_status akin_rows_borrow_dense(akin_rows **out, akin_ctx *ctx,
                                   const akin_dense_array *array)
{
    akin_dense_array a = AKIN_DENSE_ARRAY_DEFAULTS;
    akin_rows *r = NULL;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    ak_options_take(&a, sizeof a, array);
    AK_TRY(check_type(ctx, "type", a.type, AKIN_FLOAT32, AKIN_FLOAT64));
    AK_TRY(ak_rows_check_shape(ctx, a.n, a.d));
    if (!ak_mul_i64(a.n, a.d, &count))
        AK_TRY(ak_nomem(ctx, SIZE_MAX));
    AK_TRY(ak_rows_new(&r, ctx, a.n, a.d));
    if (count > 0 && is_plain(&a))
        AK_TRY(lend_dense(r, ctx, &a, count));
    else
        AK_TRY(convert_dense(r, ctx, &a, count));
    settle(r, a.release, a.user);
    a.release = NULL;
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    settle(NULL, a.release, a.user);
    return st;
}

/* ---- sparse ----
 *
 * Each of the three arrays is lent or converted by itself; then the whole is
 * looked at, and copied where rows have to be put in order. */

static akin_status take_offsets(akin_rows *r, akin_ctx *ctx,
                                const akin_csr_array *a)
{
    if (a->offset_type == AKIN_INT64 &&
        is_aligned(a->offsets, sizeof(int64_t))) {
        r->offsets = lent(a->offsets);
        r->lent |= AK_LENT_OFFSETS;
    } else {
        AK_CHECK(AK_NEW(ctx, a->n + 1, &r->offsets));
        const unsigned char *p = a->offsets;
        for (int64_t i = 0; i <= a->n; ++i) {
            int32_t narrow;
            if (a->offset_type == AKIN_INT64) {
                memcpy(&r->offsets[i], p + i * 8, 8);
                continue;
            }
            memcpy(&narrow, p + i * 4, 4);
            r->offsets[i] = narrow;
        }
    }
    if (r->offsets[0] != 0)
        return ak_fail(ctx, AKIN_EINVAL, "the first offset is not 0");
    for (int64_t i = 0; i < a->n; ++i)
        if (r->offsets[i + 1] < r->offsets[i])
            return ak_fail(ctx, AKIN_EINVAL,
                           "the offsets must increase (row %" PRId64 ")",
                           i + 1);
    if (r->offsets[a->n] > a->count)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the last offset is %" PRId64 " (there are %" PRId64
                       " columns and values)",
                       r->offsets[a->n], a->count);
    return AKIN_OK;
}

static akin_status bad_column(const akin_rows *r, akin_ctx *ctx, int64_t k,
                              int64_t column)
{
    int64_t i = 0;
    while (r->offsets[i + 1] <= k)
        ++i;
    return ak_fail(ctx, AKIN_EINVAL,
                   "row %" PRId64 " has column %" PRId64 " outside %" PRId64
                   " columns",
                   i, column, r->d);
}

static akin_status take_columns(akin_rows *r, akin_ctx *ctx,
                                const akin_csr_array *a, int64_t count)
{
    const bool narrow = a->column_type == AKIN_INT32;
    if (narrow && count > 0 && is_aligned(a->columns, sizeof(int32_t))) {
        r->cols = lent(a->columns);
        r->lent |= AK_LENT_COLS;
        for (int64_t k = 0; k < count; ++k)
            if (r->cols[k] < 0 || r->cols[k] >= r->d)
                return bad_column(r, ctx, k, r->cols[k]);
        return AKIN_OK;
    }
    AK_CHECK(AK_NEW(ctx, count, &r->cols));
    const unsigned char *p = a->columns;
    for (int64_t k = 0; k < count; ++k) {
        int64_t column = 0;
        int32_t short_column = 0;
        if (narrow) {
            memcpy(&short_column, p + 4 * k, 4);
            column = short_column;
        } else {
            memcpy(&column, p + 8 * k, 8);
        }
        if (column < 0 || column >= r->d)
            return bad_column(r, ctx, k, column);
        r->cols[k] = (int32_t)column;
    }
    return AKIN_OK;
}

static akin_status bad_value(const akin_rows *r, akin_ctx *ctx, int64_t k)
{
    int64_t i = 0;
    while (r->offsets[i + 1] <= k)
        ++i;
    return ak_rows_not_finite(ctx, i, r->cols[k]);
}

static akin_status take_values(akin_rows *r, akin_ctx *ctx,
                               const akin_csr_array *a, int64_t count)
{
    const unsigned char *p = a->values;
    const int64_t size = a->value_type == AKIN_FLOAT32 ? 4 : 8;
    if (a->value_type == AKIN_FLOAT32 && count > 0 &&
        is_aligned(p, sizeof(float))) {
        r->vals = lent(a->values);
        r->lent |= AK_LENT_VALS;
        const int64_t bad = find_not_finite(r->vals, count);
        return bad < count ? bad_value(r, ctx, bad) : AKIN_OK;
    }
    AK_CHECK(AK_NEW(ctx, count, &r->vals));
    for (int64_t k = 0; k < count; ++k) {
        const double x = number_at(p + size * k, a->value_type);
        if (!fits(x))
            return bad_value(r, ctx, k);
        r->vals[k] = (float)x;
    }
    return AKIN_OK;
}

/* Do columns rise within each row, without a value that is 0? */
static bool is_tidy(const akin_rows *r)
{
    for (int64_t i = 0; i < r->n; ++i)
        for (int64_t k = r->offsets[i]; k < r->offsets[i + 1]; ++k)
            if (r->vals[k] == 0.0F ||
                (k > r->offsets[i] && r->cols[k] <= r->cols[k - 1]))
                return false;
    return true;
}

/* Other rows with the same values, put in order; nothing of them is lent. */
static akin_status put_in_order(akin_rows **out, akin_ctx *ctx,
                                const akin_rows *r)
{
    const int64_t count = r->offsets[r->n];
    ak_csr c = {.n = r->n, .d = r->d, .count = count};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, r->n + 1, &c.starts));
    AK_TRY(AK_NEW(ctx, count, &c.index));
    AK_TRY(AK_NEW(ctx, count, &c.vals));
    memcpy(c.starts, r->offsets, (size_t)(r->n + 1) * sizeof *c.starts);
    memcpy(c.index, r->cols, (size_t)count * sizeof *c.index);
    memcpy(c.vals, r->vals, (size_t)count * sizeof *c.vals);
    st = ak_rows_from_csr(out, ctx, "sparse rows", &c);
    return st == AKIN_EFORMAT ? AKIN_EINVAL : st;
done:
    ak_csr_free(&c);
    return st;
}

akin_status akin_rows_borrow_csr(akin_rows **out, akin_ctx *ctx,
                                 const akin_csr_array *array)
{
    akin_csr_array a = AKIN_CSR_ARRAY_DEFAULTS;
    akin_rows *r = NULL, *tidied = NULL;
    akin_status st = AKIN_OK;
    ak_options_take(&a, sizeof a, array);
    AK_TRY(
        check_type(ctx, "offset_type", a.offset_type, AKIN_INT32, AKIN_INT64));
    AK_TRY(
        check_type(ctx, "column_type", a.column_type, AKIN_INT32, AKIN_INT64));
    AK_TRY(check_type(ctx, "value_type", a.value_type, AKIN_FLOAT32,
                      AKIN_FLOAT64));
    AK_TRY(ak_rows_check_shape(ctx, a.n, a.d));
    if (a.n == INT64_MAX)
        AK_TRY(ak_nomem(ctx, SIZE_MAX));
    AK_TRY(ak_rows_new(&r, ctx, a.n, a.d));
    AK_TRY(take_offsets(r, ctx, &a));
    AK_TRY(take_columns(r, ctx, &a, r->offsets[a.n]));
    AK_TRY(take_values(r, ctx, &a, r->offsets[a.n]));
    if (!is_tidy(r)) {
        AK_TRY(put_in_order(&tidied, ctx, r));
        akin_rows_free(r);
        r = tidied;
    }
    settle(r, a.release, a.user);
    a.release = NULL;
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    settle(NULL, a.release, a.user);
    return st;
}
