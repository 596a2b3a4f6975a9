/* Similarity in the space of a kernel: on either side x goes to
 *
 *   e(x) = F'k(x) - offset,  k(x)_i = k(x, support row i)                (1)
 *
 * a few numbers each, and those are compared by dot product, cosine or
 * distance. The sides have kernels, support rows and factors of their own. In
 * a file a side is "left." or "right." and
 *   dense                     F32 n x d, or
 *   offsets columns values    I64 n + 1, I32, F32
 *   factors offset            F64 n x rank, F64 rank
 *   kernel                    F64, its number, gamma, coef and degree */
#include "model/kernel.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/io/formats.h"
#include "la/dense.h"
#include "model/compare.h"
#include "model/sparse_rows.h"

enum { AT_ONCE = 64, NAME_SIZE = 32 };

/* ---- support rows and factors of one side ---- */

void ak_support_place(const ak_support *s, int64_t k, const akin_rows *rows,
                      int64_t i, int64_t first, int64_t n, double *out)
{
    for (int64_t c = 0; c < n; ++c)
        out[c] = -s->offset[first + c];
    for (int64_t j = 0; j < s->rows->n; ++j) {
        const double v = ak_kernel_value(&s->kernel, rows, i, s->rows, j);
        const double *f = s->F + j * k + first;
        for (int64_t c = 0; c < n; ++c)
            out[c] += v * f[c];
    }
}

/* Copies of the factors of a side. */
static akin_status set_factors(ak_support *s, akin_ctx *ctx, int64_t n,
                               int64_t k, const double *F, const double *offset)
{
    AK_CHECK(ak_alloc(ctx, n, (size_t)k * sizeof *F, &s->F));
    AK_CHECK(AK_NEW(ctx, k, &s->offset));
    memcpy(s->F, F, (size_t)(n * k) * sizeof *F);
    memcpy(s->offset, offset, (size_t)k * sizeof *offset);
    return AKIN_OK;
}

akin_status ak_support_set(ak_support *s, akin_ctx *ctx,
                           const ak_kernel_part *part, int64_t k)
{
    s->kernel = part->kernel;
    AK_CHECK(akin_rows_select(&s->rows, ctx, part->rows, part->which, part->n));
    return set_factors(s, ctx, part->n, k, part->F, part->offset);
}

void ak_support_free(ak_support *s)
{
    akin_rows_free(s->rows);
    akin_free(s->F);
    akin_free(s->offset);
}

int64_t ak_support_nonzeros(const ak_support *s, int64_t k)
{
    return ak_sparse_rows_nonzeros(s->F, s->rows->n * k) +
           ak_sparse_rows_nonzeros(s->offset, k);
}

static const char *named(char name[NAME_SIZE], const char *prefix,
                         const char *what)
{
    snprintf(name, NAME_SIZE, "%s%s", prefix, what);
    return name;
}

akin_status ak_support_put(const ak_support *s, akin_ctx *ctx, ak_tensors *t,
                           const char *prefix, int64_t k)
{
    const double numbers[4] = {(double)s->kernel.kind, s->kernel.gamma,
                               s->kernel.coef, (double)s->kernel.degree};
    char name[NAME_SIZE];
    AK_CHECK(ak_rows_values_put(t, ctx, prefix, s->rows));
    AK_CHECK(ak_tensors_put(t, ctx,
                            (ak_tensor){named(name, prefix, "factors"),
                                        AK_DTYPE_F64,
                                        2,
                                        {s->rows->n, k},
                                        s->F}));
    AK_CHECK(ak_tensors_put_vector(t, ctx, named(name, prefix, "offset"),
                                   AK_DTYPE_F64, k, s->offset));
    return ak_tensors_put_copy(
        t, ctx,
        (ak_tensor){
            named(name, prefix, "kernel"), AK_DTYPE_F64, 1, {4}, numbers});
}

/* A kernel by its four numbers. */
static bool take_kernel(ak_kernel *k, const ak_tensor *x)
{
    const double *v = x->data;
    if (x->shape[0] != 4 || !ak_are_finite(4, v) || v[0] < 0.0 ||
        v[0] >= (double)AK_KERNEL_COUNT || v[0] != floor(v[0]) || v[1] < 0.0 ||
        v[3] < 0.0 || v[3] > 1000.0 || v[3] != floor(v[3]))
        return false;
    *k = (ak_kernel){(ak_kernel_kind)v[0], v[1], v[2], (int64_t)v[3]};
    return true;
}

akin_status ak_support_take(ak_support *s, akin_ctx *ctx, const ak_tensors *t,
                            const char *prefix, int64_t d, int64_t *k)
{
    const ak_tensor *F, *offset, *numbers;
    char name[NAME_SIZE];
    AK_CHECK(ak_tensors_need(t, ctx, named(name, prefix, "factors"),
                             AK_DTYPE_F64, 2, &F));
    AK_CHECK(ak_tensors_need(t, ctx, named(name, prefix, "offset"),
                             AK_DTYPE_F64, 1, &offset));
    AK_CHECK(ak_tensors_need(t, ctx, named(name, prefix, "kernel"),
                             AK_DTYPE_F64, 1, &numbers));
    AK_CHECK(ak_rows_values_take(&s->rows, ctx, t, prefix, d));
    *k = *k < 0 ? F->shape[1] : *k;
    if (*k < 1 || F->shape[1] != *k || F->shape[0] != s->rows->n ||
        offset->shape[0] != *k || !ak_are_finite(F->shape[0] * *k, F->data) ||
        !ak_are_finite(*k, offset->data) || !take_kernel(&s->kernel, numbers))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: kernel, rows and factors of \"%s\" do not match",
                       ak_tensors_path(t), prefix);
    return set_factors(s, ctx, F->shape[0], *k, F->data, offset->data);
}

/* ---- the model ---- */

typedef struct kernel {
    int64_t k;
    ak_support part[2];
} kernel;

static const char *const prefixes[2] = {"left.", "right."};

static const kernel *params(const akin_model *m)
{
    return m->params;
}

static void kernel_embed(const akin_model *m, const akin_rows *rows, int64_t i,
                         akin_side side, double *out)
{
    ak_support_place(&params(m)->part[side], params(m)->k, rows, i, 0,
                     params(m)->k, out);
}

static void kernel_place(const akin_model *m, const akin_rows *rows, int64_t i,
                         akin_side side, int64_t first, int64_t n, double *out)
{
    ak_support_place(&params(m)->part[side], params(m)->k, rows, i, first, n,
                     out);
}

static int64_t kernel_rank(const akin_model *m)
{
    return params(m)->k;
}

static double kernel_score(const akin_model *m, const akin_rows *left,
                           int64_t i, const akin_rows *right, int64_t j,
                           akin_compare by)
{
    const kernel *b = params(m);
    double x[AT_ONCE], y[AT_ONCE];
    ak_sums s = {0};
    for (int64_t first = 0; first < b->k; first += AT_ONCE) {
        const int64_t n = ak_min_i64(AT_ONCE, b->k - first);
        ak_support_place(&b->part[0], b->k, left, i, first, n, x);
        ak_support_place(&b->part[1], b->k, right, j, first, n, y);
        for (int64_t c = 0; c < n; ++c)
            ak_sums_add(&s, x[c], y[c]);
    }
    return ak_sums_compare(&s, by);
}

/* A kernel is no sum over features: all of them together. */
static int64_t kernel_explain(const akin_model *m, const akin_rows *left,
                              int64_t i, const akin_rows *right, int64_t j,
                              akin_compare by, akin_reason *reasons)
{
    if (reasons != NULL)
        reasons[0] = (akin_reason){-1, kernel_score(m, left, i, right, j, by)};
    return 1;
}

static int64_t kernel_parameters(const akin_model *m)
{
    const kernel *b = params(m);
    return b->k * (b->part[0].rows->n + b->part[1].rows->n + 2);
}

static int64_t kernel_nonzeros(const akin_model *m)
{
    const kernel *b = params(m);
    int64_t n = 0;
    for (int side = 0; side < 2; ++side)
        n += ak_support_nonzeros(&b->part[side], b->k);
    return n;
}

static void kernel_free(akin_model *m)
{
    kernel *b = m->params;
    if (b == NULL)
        return;
    for (int side = 0; side < 2; ++side)
        ak_support_free(&b->part[side]);
    akin_free(b);
}

akin_status ak_kernel_model_new(akin_model **out, akin_ctx *ctx,
                                const ak_kernel_part given[2], int64_t rank,
                                akin_compare by)
{
    akin_model *m = NULL;
    kernel *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, &ak_kind_kernel, given[0].rows->d,
                        given[1].rows->d, by));
    AK_TRY(AK_NEW(ctx, 1, &b));
    m->params = b;
    b->k = rank;
    for (int side = 0; side < 2; ++side)
        AK_TRY(ak_support_set(&b->part[side], ctx, &given[side], rank));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static akin_status kernel_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    for (int side = 0; side < 2; ++side)
        AK_CHECK(ak_support_put(&params(m)->part[side], ctx, t, prefixes[side],
                                params(m)->k));
    return AKIN_OK;
}

static akin_status kernel_take(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    kernel *b = NULL;
    AK_CHECK(AK_NEW(ctx, 1, &b));
    m->params = b;
    b->k = -1;
    for (int side = 0; side < 2; ++side)
        AK_CHECK(ak_support_take(&b->part[side], ctx, t, prefixes[side],
                                 m->d[side], &b->k));
    return AKIN_OK;
}

static void kernel_turn(akin_model *m)
{
    kernel *b = m->params;
    const ak_support left = b->part[0];
    b->part[0] = b->part[1];
    b->part[1] = left;
}

const ak_model_kind ak_kind_kernel = {
    .name = "kernel",
    .score = kernel_score,
    .embed = kernel_embed,
    .embed_dim = kernel_rank,
    .place = kernel_place,
    .explain = kernel_explain,
    .turn = kernel_turn,
    .nonzeros = kernel_nonzeros,
    .parameters = kernel_parameters,
    .rank = kernel_rank,
    .put = kernel_put,
    .take = kernel_take,
    .free = kernel_free,
};
