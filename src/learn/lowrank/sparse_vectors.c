#include "learn/lowrank/sparse_vectors.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "la/clones.h"

enum { NAME_SIZE = 48 };

/* ---- vectors ---------------------------------------------------------- */

double ak_small_dot(int64_t k, const double *x, const double *y)
{
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t i = 0;
    for (; i + 4 <= k; i += 4)
        for (int l = 0; l < 4; ++l)
            s[l] += x[i + l] * y[i + l];
    for (; i < k; ++i)
        s[0] += x[i] * y[i];
    return (s[0] + s[2]) + (s[1] + s[3]);
}

double ak_spvec_dot(ak_spvec p, ak_spvec q)
{
    double sum = 0.0;
    for (int64_t i = 0, j = 0; i < p.n && j < q.n;) {
        if (p.cols[i] == q.cols[j])
            sum += p.vals[i] * q.vals[j];
        const int32_t c = p.cols[i], d = q.cols[j];
        i += c <= d;
        j += d <= c;
    }
    return sum;
}

double ak_spvec_norm2(ak_spvec p)
{
    double sum = 0.0;
    for (int64_t i = 0; i < p.n; ++i)
        sum += p.vals[i] * p.vals[i];
    return sum;
}

AK_CLONES
void ak_rows_project(int64_t k, const double *H, ak_spvec p, double *out)
{
    for (int64_t j = 0; j < k; ++j)
        out[j] = 0.0;
    for (int64_t i = 0; i < p.n; ++i) {
        const double *row = H + p.cols[i] * k, v = p.vals[i];
        for (int64_t j = 0; j < k; ++j)
            out[j] += v * row[j];
    }
}

AK_CLONES
void ak_rows_add(int64_t k, double *H, ak_spvec p, double y, const double *r)
{
    for (int64_t i = 0; i < p.n; ++i) {
        double *row = H + p.cols[i] * k;
        const double v = y * p.vals[i];
        for (int64_t j = 0; j < k; ++j)
            row[j] += v * r[j];
    }
}

akin_status ak_spvec_reserve(ak_spvec_buffer *b, akin_ctx *ctx, int64_t n)
{
    akin_status st = AKIN_OK;
    if (n <= b->room)
        return st;
    AK_TRY(ak_resize(ctx, 2 * n, sizeof *b->cols, &b->cols));
    AK_TRY(ak_resize(ctx, 2 * n, sizeof *b->vals, &b->vals));
    b->room = 2 * n;
done:
    return st;
}

akin_status ak_spvec_take_row(ak_spvec *x, akin_ctx *ctx, ak_spvec_buffer *b,
                              const akin_rows *rows, int64_t i)
{
    const int32_t *cols;
    const float *vals;
    const int64_t n = akin_rows_row(&cols, &vals, rows, i);
    AK_CHECK(ak_spvec_reserve(b, ctx, n));
    for (int64_t k = 0; k < n; ++k) {
        b->cols[k] = cols ? cols[k] : (int32_t)k;
        b->vals[k] = (double)vals[k];
    }
    *x = (ak_spvec){n, b->cols, b->vals};
    return AKIN_OK;
}

void ak_spvec_buffer_free(ak_spvec_buffer *b)
{
    akin_free(b->cols);
    akin_free(b->vals);
}

/* ---- lists ------------------------------------------------------------ */

void ak_splist_free(ak_splist *l)
{
    akin_free(l->start);
    akin_free(l->cols);
    akin_free(l->vals);
}

static akin_status reserve(ak_splist *l, akin_ctx *ctx, int64_t count,
                           int64_t size)
{
    if (count + 1 > l->n_room) {
        AK_CHECK(ak_resize(ctx, 2 * count + 2, sizeof *l->start, &l->start));
        l->n_room = 2 * count + 2;
    }
    if (size > l->room) {
        AK_CHECK(ak_resize(ctx, 2 * size, sizeof *l->cols, &l->cols));
        AK_CHECK(ak_resize(ctx, 2 * size, sizeof *l->vals, &l->vals));
        l->room = 2 * size;
    }
    return AKIN_OK;
}

akin_status ak_splist_put(ak_splist *l, akin_ctx *ctx, int64_t i, double eta,
                          ak_spvec v)
{
    const int64_t at = i == 0 ? 0 : l->start[i];
    AK_CHECK(reserve(l, ctx, i + 1, at + v.n));
    for (int64_t j = 0; j < v.n; ++j) {
        l->cols[at + j] = v.cols[j];
        l->vals[at + j] = eta * v.vals[j];
    }
    l->start[i] = at;
    l->start[i + 1] = at + v.n;
    return AKIN_OK;
}

ak_spvec ak_splist_at(const ak_splist *l, int64_t i)
{
    const int64_t at = l->start[i];
    return (ak_spvec){l->start[i + 1] - at, l->cols + at, l->vals + at};
}

/* ---- lists in a file ---------------------------------------------------- */

static void name_parts(const char *name, char start[NAME_SIZE],
                       char cols[NAME_SIZE])
{
    snprintf(start, NAME_SIZE, "%s.start", name);
    snprintf(cols, NAME_SIZE, "%s.cols", name);
}

akin_status ak_splist_save(const ak_splist *l, akin_ctx *ctx, ak_tensors *t,
                           const char *name, int64_t count)
{
    static const int64_t none = 0;
    const int64_t size = count ? l->start[count] : 0;
    const int64_t *offsets = count ? l->start : &none;
    char start[NAME_SIZE], cols[NAME_SIZE];
    name_parts(name, start, cols);
    AK_CHECK(ak_tensors_put_copy(
        t, ctx, (ak_tensor){name, AK_DTYPE_F64, 1, {size}, l->vals}));
    AK_CHECK(ak_tensors_put_copy(
        t, ctx, (ak_tensor){cols, AK_DTYPE_I32, 1, {size}, l->cols}));
    return ak_tensors_put_copy(
        t, ctx, (ak_tensor){start, AK_DTYPE_I64, 1, {count + 1}, offsets});
}

/* Offsets increase from 0 to the end, columns are in range, values are finite.
 */
static bool is_sound(const ak_tensor *start, const ak_tensor *cols,
                     const ak_tensor *vals, int64_t n)
{
    const int64_t *s = start->data, count = start->shape[0] - 1;
    const int32_t *c = cols->data;
    const double *v = vals->data;
    if (count < 0 || s[0] != 0 || s[count] != cols->shape[0] ||
        cols->shape[0] != vals->shape[0])
        return false;
    for (int64_t i = 0; i < count; ++i)
        if (s[i] > s[i + 1])
            return false;
    for (int64_t i = 0; i < cols->shape[0]; ++i)
        if (c[i] < 0 || c[i] >= n || !isfinite(v[i]))
            return false;
    return true;
}

akin_status ak_splist_load(ak_splist *l, akin_ctx *ctx, const ak_tensors *t,
                           const char *name, int64_t n, int64_t *count)
{
    char start_name[NAME_SIZE], cols_name[NAME_SIZE];
    const ak_tensor *start = NULL, *cols = NULL, *vals = NULL;
    name_parts(name, start_name, cols_name);
    AK_CHECK(ak_tensors_need(t, ctx, start_name, AK_DTYPE_I64, 1, &start));
    AK_CHECK(ak_tensors_need(t, ctx, cols_name, AK_DTYPE_I32, 1, &cols));
    AK_CHECK(ak_tensors_need(t, ctx, name, AK_DTYPE_F64, 1, &vals));
    if (!is_sound(start, cols, vals, n))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: tensor '%s' does not fit the model",
                       ak_tensors_path(t), name);
    *count = start->shape[0] - 1;
    l->n_room = *count + 1;
    l->room = cols->shape[0];
    AK_CHECK(AK_NEW(ctx, l->n_room, &l->start));
    AK_CHECK(AK_NEW(ctx, l->room, &l->cols));
    AK_CHECK(AK_NEW(ctx, l->room, &l->vals));
    memcpy(l->start, start->data, (size_t)l->n_room * sizeof *l->start);
    memcpy(l->cols, cols->data, (size_t)l->room * sizeof *l->cols);
    memcpy(l->vals, vals->data, (size_t)l->room * sizeof *l->vals);
    return AKIN_OK;
}
