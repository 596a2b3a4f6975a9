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

#include "model/kinds.h"
#include "model/sums.h"
#include "model/support.h"

enum { AT_ONCE = 64 };

typedef struct kernel {
    int64_t k;
    ak_support part[2];
} kernel;

static const char *const prefixes[2] = {"left.", "right."};

static const kernel *body(const akin_model *m)
{
    return m->body;
}

static void kernel_embed(const akin_model *m, const akin_rows *rows, int64_t i,
                         akin_side side, double *out)
{
    ak_support_place(&body(m)->part[side], body(m)->k, rows, i, 0, body(m)->k,
                     out);
}

static void kernel_place(const akin_model *m, const akin_rows *rows, int64_t i,
                         akin_side side, int64_t first, int64_t n, double *out)
{
    ak_support_place(&body(m)->part[side], body(m)->k, rows, i, first, n, out);
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
    const kernel *b = body(m);
    return b->k * (b->part[0].rows->n + b->part[1].rows->n + 2);
}

static int64_t kernel_nonzeros(const akin_model *m)
{
    const kernel *b = body(m);
    int64_t n = 0;
    for (int side = 0; side < 2; ++side)
        n += ak_support_nonzeros(&b->part[side], b->k);
    return n;
}

static void kernel_free(akin_model *m)
{
    kernel *b = m->body;
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
    m->body = b;
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
    akin_status st = AKIN_OK;
    for (int side = 0; side < 2; ++side)
        AK_TRY(ak_support_put(&body(m)->part[side], ctx, t, prefixes[side],
                              body(m)->k));
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
        AK_TRY(ak_support_take(&b->part[side], ctx, t, prefixes[side],
                               m->d[side], &b->k));
done:
    return st;
}

static void kernel_turn(akin_model *m)
{
    kernel *b = m->body;
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
