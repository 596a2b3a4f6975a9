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

#include "data/formats.h"
#include "model/kinds.h"
#include "model/sparse_rows.h"
#include "model/sums.h"

enum { AT_ONCE = 64, NAME_SIZE = 32 };

typedef struct part {
    ak_kernel kernel;
    akin_rows *rows;
    double *F, *offset;
} part;

typedef struct kernel {
    int64_t k;
    part part[2];
} kernel;

static const char *const prefixes[2] = {"left.", "right."};

static const kernel *body(const akin_model *m)
{
    return m->body;
}

/* Coordinates [first, first + n) of (1). */
static void place(const part *p, int64_t k, const akin_rows *rows, int64_t i,
                  int64_t first, int64_t n, double *out)
{
    for (int64_t c = 0; c < n; ++c)
        out[c] = -p->offset[first + c];
    for (int64_t s = 0; s < p->rows->n; ++s) {
        const double v = ak_kernel_value(&p->kernel, rows, i, p->rows, s);
        const double *f = p->F + s * k + first;
        for (int64_t c = 0; c < n; ++c)
            out[c] += v * f[c];
    }
}

static void kernel_embed(const akin_model *m, const akin_rows *rows, int64_t i,
                         akin_side side, double *out)
{
    place(&body(m)->part[side], body(m)->k, rows, i, 0, body(m)->k, out);
}

static int64_t kernel_rank(const akin_model *m)
{
    return body(m)->k;
}

static double kernel_score(const akin_model *m, const akin_rows *left,
                           int64_t i, const akin_rows *right, int64_t j,
                           akin_compare by)
{
    const kernel *b = body(m);
    double x[AT_ONCE], y[AT_ONCE];
    ak_sums s = {0};
    for (int64_t first = 0; first < b->k; first += AT_ONCE) {
        const int64_t n = ak_min_i64(AT_ONCE, b->k - first);
        place(&b->part[0], b->k, left, i, first, n, x);
        place(&b->part[1], b->k, right, j, first, n, y);
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
    const kernel *b = body(m);
    return b->k * (b->part[0].rows->n + b->part[1].rows->n + 2);
}

static int64_t kernel_nonzeros(const akin_model *m)
{
    const kernel *b = body(m);
    int64_t n = 0;
    for (int side = 0; side < 2; ++side) {
        const part *p = &b->part[side];
        n += ak_sparse_rows_nonzeros(p->F, p->rows->n * b->k) +
             ak_sparse_rows_nonzeros(p->offset, b->k);
    }
    return n;
}

static void kernel_free(akin_model *m)
{
    kernel *b = m->body;
    if (b == NULL)
        return;
    for (int side = 0; side < 2; ++side) {
        akin_rows_free(b->part[side].rows);
        if (b->part[side].F != NULL)
            m->allocator.release(m->allocator.user, b->part[side].F);
        if (b->part[side].offset != NULL)
            m->allocator.release(m->allocator.user, b->part[side].offset);
    }
    m->allocator.release(m->allocator.user, b);
}

/* Copies of the factors of a side. */
static akin_status set_factors(part *p, akin_ctx *ctx, int64_t n, int64_t k,
                               const double *F, const double *offset)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_alloc(ctx, n, (size_t)k * sizeof *F, &p->F));
    AK_TRY(AK_NEW(ctx, k, &p->offset));
    memcpy(p->F, F, (size_t)(n * k) * sizeof *F);
    memcpy(p->offset, offset, (size_t)k * sizeof *offset);
done:
    return st;
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
    m->body = b;
    b->k = rank;
    for (int side = 0; side < 2; ++side) {
        const ak_kernel_part *g = &given[side];
        b->part[side].kernel = g->kernel;
        AK_TRY(akin_rows_select(&b->part[side].rows, ctx, g->rows, g->which,
                                g->n));
        AK_TRY(set_factors(&b->part[side], ctx, g->n, rank, g->F, g->offset));
    }
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static const char *named(char name[NAME_SIZE], int side, const char *what)
{
    snprintf(name, NAME_SIZE, "%s%s", prefixes[side], what);
    return name;
}

static akin_status put_part(const part *p, akin_ctx *ctx, ak_tensors *t,
                            int side, int64_t k)
{
    const double numbers[4] = {(double)p->kernel.kind, p->kernel.gamma,
                               p->kernel.coef, (double)p->kernel.degree};
    char name[NAME_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_values_put(t, ctx, prefixes[side], p->rows));
    AK_TRY(ak_tensors_put(t, ctx,
                          (ak_tensor){named(name, side, "factors"),
                                      AK_DTYPE_F64,
                                      2,
                                      {p->rows->n, k},
                                      p->F}));
    AK_TRY(ak_tensors_put_vector(t, ctx, named(name, side, "offset"),
                                 AK_DTYPE_F64, k, p->offset));
    AK_TRY(ak_tensors_put_copy(
        t, ctx,
        (ak_tensor){
            named(name, side, "kernel"), AK_DTYPE_F64, 1, {4}, numbers}));
done:
    return st;
}

static akin_status kernel_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t)
{
    akin_status st = AKIN_OK;
    for (int side = 0; side < 2; ++side)
        AK_TRY(put_part(&body(m)->part[side], ctx, t, side, body(m)->k));
done:
    return st;
}

static bool are_finite(int64_t n, const double *x)
{
    for (int64_t i = 0; i < n; ++i)
        if (!isfinite(x[i]))
            return false;
    return true;
}

/* A kernel by its four numbers. */
static bool take_kernel(ak_kernel *k, const ak_tensor *x)
{
    const double *v = x->data;
    if (x->shape[0] != 4 || !are_finite(4, v) || v[0] < 0.0 ||
        v[0] >= (double)AK_KERNEL_COUNT || v[0] != floor(v[0]) || v[1] < 0.0 ||
        v[3] < 0.0 || v[3] > 1000.0 || v[3] != floor(v[3]))
        return false;
    *k = (ak_kernel){(ak_kernel_kind)v[0], v[1], v[2], (int64_t)v[3]};
    return true;
}

static akin_status take_part(part *p, akin_ctx *ctx, const ak_tensors *t,
                             int side, int64_t d, int64_t *k)
{
    const ak_tensor *F, *offset, *numbers;
    char name[NAME_SIZE];
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, named(name, side, "factors"), AK_DTYPE_F64,
                           2, &F));
    AK_TRY(ak_tensors_need(t, ctx, named(name, side, "offset"), AK_DTYPE_F64, 1,
                           &offset));
    AK_TRY(ak_tensors_need(t, ctx, named(name, side, "kernel"), AK_DTYPE_F64, 1,
                           &numbers));
    AK_TRY(ak_rows_values_take(&p->rows, ctx, t, prefixes[side], d));
    *k = *k < 0 ? F->shape[1] : *k;
    if (*k < 1 || F->shape[1] != *k || F->shape[0] != p->rows->n ||
        offset->shape[0] != *k || !are_finite(F->shape[0] * *k, F->data) ||
        !are_finite(*k, offset->data) || !take_kernel(&p->kernel, numbers))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: kernel, rows and factors of the %.*s side do not "
                       "fit together",
                       ak_tensors_path(t), side ? 5 : 4, prefixes[side]));
    AK_TRY(set_factors(p, ctx, F->shape[0], *k, F->data, offset->data));
done:
    return st;
}

static akin_status kernel_take(akin_model *m, akin_ctx *ctx,
                               const ak_tensors *t)
{
    kernel *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &b));
    m->body = b;
    b->k = -1;
    for (int side = 0; side < 2; ++side)
        AK_TRY(take_part(&b->part[side], ctx, t, side, m->d[side], &b->k));
done:
    return st;
}

const ak_model_kind ak_kind_kernel = {
    .name = "kernel",
    .score = kernel_score,
    .embed = kernel_embed,
    .embed_dim = kernel_rank,
    .explain = kernel_explain,
    .nonzeros = kernel_nonzeros,
    .parameters = kernel_parameters,
    .rank = kernel_rank,
    .put = kernel_put,
    .take = kernel_take,
    .free = kernel_free,
};
