/* Rows as akin's own file, kind "rows":
 *   dense                     F32, n x d
 *   offsets columns values    I64 n + 1, I32, F32: sparse rows instead
 *   label_offsets labels      I64 n + 1, I32
 *   groups                    I64 n
 *   column_names              U8, each name closed by a zero byte
 * with the notes dim, index_base, label_names (separated by newlines) and
 * recipe, if the rows went through one. */
#include <stdio.h>
#include <string.h>

#include "data/io/csr.h"
#include "data/io/formats.h"
#include "data/io/row_builder.h"
#include "data/labels.h"
#include "data/recipe/fingerprint.h"
#include "tensors/tensors.h"

enum { NAME_SIZE = 48 };

/* ---- writing ---- */

/* A tensor's name behind a prefix. */
static const char *named(char name[NAME_SIZE], const char *prefix,
                         const char *what)
{
    snprintf(name, NAME_SIZE, "%s%s", prefix, what);
    return name;
}

akin_status ak_rows_values_put(ak_tensors *t, akin_ctx *ctx, const char *prefix,
                               const akin_rows *r)
{
    char name[NAME_SIZE];
    if (r->offsets == NULL) {
        const ak_tensor dense = {named(name, prefix, "dense"),
                                 AK_DTYPE_F32,
                                 2,
                                 {r->n, r->d},
                                 r->vals};
        return ak_tensors_put(t, ctx, dense);
    }
    AK_CHECK(ak_tensors_put_vector(t, ctx, named(name, prefix, "offsets"),
                                   AK_DTYPE_I64, r->n + 1, r->offsets));
    AK_CHECK(ak_tensors_put_vector(t, ctx, named(name, prefix, "columns"),
                                   AK_DTYPE_I32, r->offsets[r->n], r->cols));
    return ak_tensors_put_vector(t, ctx, named(name, prefix, "values"),
                                 AK_DTYPE_F32, r->offsets[r->n], r->vals);
}

akin_status ak_safetensors_write(akin_ctx *ctx, const akin_rows *r,
                                 const char *path)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_new(&t, ctx));
    AK_TRY(ak_tensors_note(t, ctx, "kind", "rows"));
    AK_TRY(ak_tensors_note_i64(t, ctx, "dim", r->d));
    AK_TRY(ak_tensors_note_i64(t, ctx, "index_base", r->index_base));
    if (r->prepared[0] != '\0')
        AK_TRY(ak_tensors_note(t, ctx, "recipe", r->prepared));
    AK_TRY(ak_rows_values_put(t, ctx, "", r));
    if (r->label_offsets != NULL) {
        AK_TRY(ak_tensors_put_vector(t, ctx, "label_offsets", AK_DTYPE_I64,
                                     r->n + 1, r->label_offsets));
        AK_TRY(ak_tensors_put_vector(t, ctx, "labels", AK_DTYPE_I32,
                                     r->label_offsets[r->n], r->labels));
        AK_TRY(ak_label_names_put(t, ctx, r->n_label_names, r->label_names));
    }
    if (r->groups != NULL)
        AK_TRY(ak_tensors_put_vector(t, ctx, "groups", AK_DTYPE_I64, r->n,
                                     r->groups));
    AK_TRY(ak_columns_put(&r->columns, ctx, t, "column_names"));
    AK_TRY(ak_tensors_write(t, ctx, path));
done:
    ak_tensors_free(t);
    return st;
}

/* ---- reading ---- */

static akin_status bad(const ak_tensors *t, akin_ctx *ctx, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: %s", ak_tensors_path(t), what);
}

/* A copy of a vector, of `n` elements unless n is below 0. */
static akin_status take_vector(const ak_tensors *t, akin_ctx *ctx,
                               const char *name, ak_dtype dtype, int64_t n,
                               void *out, int64_t *count)
{
    const ak_tensor *x;
    void *copy;
    AK_CHECK(ak_tensors_need(t, ctx, name, dtype, 1, &x));
    if (n >= 0 && x->shape[0] != n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: tensor %s has %" PRId64
                       " elements (expected %" PRId64 ")",
                       ak_tensors_path(t), name, x->shape[0], n);
    *count = x->shape[0];
    AK_CHECK(ak_alloc(ctx, *count, ak_dtype_size(dtype), &copy));
    memcpy(out, &copy, sizeof copy);
    if (*count > 0)
        memcpy(copy, x->data, (size_t)*count * ak_dtype_size(dtype));
    return AKIN_OK;
}

static akin_status take_dense(akin_rows **out, akin_ctx *ctx,
                              const ak_tensors *t, const char *prefix,
                              int64_t d)
{
    const ak_tensor *x;
    char name[NAME_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, named(name, prefix, "dense"), AK_DTYPE_F32,
                           2, &x));
    if (x->shape[1] != d)
        AK_TRY(bad(
            t, ctx,
            "tensor dense does not have as many columns as note dim states"));
    AK_TRY(akin_rows_new_dense(out, ctx, x->shape[0], d, x->data));
done:
    if (st == AKIN_EINVAL)  // a value that is not finite
        st = bad(t, ctx, "tensor dense has a value that is not finite");
    return st;
}

static akin_status take_sparse(akin_rows **out, akin_ctx *ctx,
                               const ak_tensors *t, const char *prefix,
                               int64_t d)
{
    ak_csr c = {.d = d};
    char name[NAME_SIZE];
    int64_t starts;
    akin_status st = AKIN_OK;
    AK_TRY(take_vector(t, ctx, named(name, prefix, "offsets"), AK_DTYPE_I64, -1,
                       &c.starts, &starts));
    if (starts < 1)
        AK_TRY(bad(t, ctx, "tensor offsets is empty"));
    c.n = starts - 1;
    AK_TRY(take_vector(t, ctx, named(name, prefix, "columns"), AK_DTYPE_I32, -1,
                       &c.index, &c.count));
    AK_TRY(take_vector(t, ctx, named(name, prefix, "values"), AK_DTYPE_F32,
                       c.count, &c.vals, &c.count));
    AK_TRY(ak_rows_from_csr(out, ctx, ak_tensors_path(t), &c));
done:
    ak_csr_free(&c);
    return st;
}

akin_status ak_rows_values_take(akin_rows **out, akin_ctx *ctx,
                                const ak_tensors *t, const char *prefix,
                                int64_t d)
{
    char name[NAME_SIZE];
    return ak_tensors_find(t, named(name, prefix, "offsets")) != NULL
               ? take_sparse(out, ctx, t, prefix, d)
               : take_dense(out, ctx, t, prefix, d);
}

/* Offsets rise from 0 to the end, labels within each row and below n_names. */
static bool labels_are_good(const akin_rows *r, int64_t count, int64_t n_names)
{
    const int64_t *at = r->label_offsets;
    bool good = at[0] == 0 && at[r->n] == count;
    for (int64_t i = 0; i < r->n && good; ++i)
        good = at[i] <= at[i + 1] && at[i + 1] <= count;
    for (int64_t i = 0; i < r->n && good; ++i)
        for (int64_t k = at[i]; k < at[i + 1] && good; ++k)
            good = r->labels[k] >= 0 && r->labels[k] < n_names &&
                   (k == at[i] || r->labels[k] > r->labels[k - 1]);
    return good;
}

static akin_status take_labels(akin_rows *r, akin_ctx *ctx, const ak_tensors *t)
{
    int64_t count;
    if (ak_tensors_find(t, "label_offsets") == NULL)
        return AKIN_OK;
    AK_CHECK(
        take_vector(t, ctx, "labels", AK_DTYPE_I32, -1, &r->labels, &count));
    const int64_t n_labels = count;
    AK_CHECK(take_vector(t, ctx, "label_offsets", AK_DTYPE_I64, r->n + 1,
                         &r->label_offsets, &count));
    AK_CHECK(ak_label_names_take(&r->label_names, &r->n_label_names, ctx, t));
    if (!labels_are_good(r, n_labels, r->n_label_names))
        return bad(t, ctx,
                   "the labels do not match the rows and the label names");
    return AKIN_OK;
}

static akin_status take_notes(const ak_tensors *t, akin_ctx *ctx, int64_t *d,
                              int64_t *base)
{
    const char *kind = ak_tensors_get_note(t, "kind");
    if (kind == NULL || strcmp(kind, "rows") != 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: has no rows (its kind is %.40s)",
                       ak_tensors_path(t), kind ? kind : "none");
    AK_CHECK(ak_tensors_need_i64(t, ctx, "dim", d));
    AK_CHECK(ak_tensors_need_i64(t, ctx, "index_base", base));
    if (*d < 0 || *d > INT32_MAX || *base < AKIN_BASE_AUTO ||
        *base > AKIN_BASE_1)
        return bad(t, ctx, "note dim or index_base is out of range");
    return AKIN_OK;
}

akin_status ak_rows_take(akin_rows **out, akin_ctx *ctx, const ak_tensors *t)
{
    akin_rows *r = NULL;
    int64_t d, base, count;
    akin_status st = AKIN_OK;
    AK_TRY(take_notes(t, ctx, &d, &base));
    AK_TRY(ak_rows_values_take(&r, ctx, t, "", d));
    r->index_base = base;
    const char *recipe = ak_tensors_get_note(t, "recipe");
    if (recipe != NULL &&
        !ak_prepared_take(recipe, strlen(recipe), r->prepared))
        AK_TRY(bad(t, ctx, "note recipe is not a recipe"));
    AK_TRY(take_labels(r, ctx, t));
    if (ak_tensors_find(t, "groups") != NULL)
        AK_TRY(take_vector(t, ctx, "groups", AK_DTYPE_I64, r->n, &r->groups,
                           &count));
    AK_TRY(ak_columns_take(&r->columns, ctx, t, "column_names", r->d));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

akin_status ak_safetensors_read(akin_rows **out, akin_ctx *ctx,
                                const char *path, const akin_read_options *o)
{
    ak_tensors *t = NULL;
    akin_status st = AKIN_OK;
    (void)o;
    AK_TRY(ak_tensors_read(&t, ctx, path));
    AK_TRY(ak_tensors_need_ours(t, ctx));
    AK_TRY(ak_rows_take(out, ctx, t));
done:
    ak_tensors_free(t);
    return st;
}
