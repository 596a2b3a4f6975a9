/* Low rank, then prototypes: x goes to e(x), k numbers, by a model of low rank
 * (psd, factored or kernel), and from there to the shares that n prototypes z
 * have in it,
 *
 *   f_p(x) = exp(t cos(e(x), z_p)) / sum over q of exp(t cos(e(x), z_q))  (1)
 *
 * all 0 where e(x) = 0. Shares are compared, those of the left with those of
 * the right:
 *
 *   dot        f(x).f(y)                         (2)
 *   cosine     (2) / (|f(x)| |f(y)|)             (3)
 *   distance   - |f(x) - f(y)|^2                 (4)
 */
#include "model/prototypes.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "model/compare.h"
#include "model/factored.h"
#include "model/sparse_rows.h"

enum { AT_ONCE = 32 };  // numbers of a place that are taken together

typedef struct prototypes {
    akin_model *learned;
    int64_t k, n;
    double t;
    double *Z;
} prototypes;

static const prototypes *params(const akin_model *m)
{
    return m->params;
}

/* (1) from the n products with prototypes and |A'x|. */
static void shares(const prototypes *b, double length, double *f)
{
    double most = -1.0, sum = 0.0;
    for (int64_t p = 0; p < b->n; ++p) {
        f[p] = length > 0.0 ? f[p] / length : 0.0;
        most = fmax(most, f[p]);
    }
    for (int64_t p = 0; p < b->n; ++p) {
        f[p] = exp(b->t * (f[p] - most));
        sum += f[p];
    }
    for (int64_t p = 0; p < b->n; ++p)
        f[p] = length > 0.0 ? f[p] / sum : 0.0;
}

static void prototypes_embed(const akin_model *m, const akin_rows *rows,
                             int64_t i, akin_side side, double *f)
{
    const prototypes *b = params(m);
    double e[AT_ONCE], square = 0.0;
    memset(f, 0, (size_t)b->n * sizeof *f);
    for (int64_t first = 0; first < b->k; first += AT_ONCE) {
        const int64_t n = ak_min_i64(AT_ONCE, b->k - first);
        b->learned->kind->place(b->learned, rows, i, side, first, n, e);
        for (int64_t c = 0; c < n; ++c)
            square += e[c] * e[c];
        for (int64_t p = 0; p < b->n; ++p)
            for (int64_t c = 0; c < n; ++c)
                f[p] += e[c] * b->Z[p * b->k + first + c];
    }
    shares(b, sqrt(square), f);
}

static int64_t prototypes_embed_dim(const akin_model *m)
{
    return params(m)->n;
}

static const akin_model *prototypes_learned(const akin_model *m)
{
    return params(m)->learned;
}

static double prototypes_score(const akin_model *m, const akin_rows *left,
                               int64_t i, const akin_rows *right, int64_t j,
                               akin_compare by)
{
    double f[AK_PROTOTYPES_MOST], g[AK_PROTOTYPES_MOST];
    ak_sums s = {0};
    prototypes_embed(m, left, i, AKIN_LEFT, f);
    prototypes_embed(m, right, j, AKIN_RIGHT, g);
    for (int64_t p = 0; p < params(m)->n; ++p)
        ak_sums_add(&s, f[p], g[p]);
    return ak_sums_compare(&s, by);
}

/* Features take what they take of e(x).e(y), scaled to add up to the score:
 * the shares are no sum over features. */
static int64_t prototypes_explain(const akin_model *m, const akin_rows *left,
                                  int64_t i, const akin_rows *right, int64_t j,
                                  akin_compare by, akin_reason *reasons)
{
    const akin_model *learned = params(m)->learned;
    double sum = 0.0;
    const int64_t n = learned->kind->explain(learned, left, i, right, j,
                                             AKIN_BY_DOT, reasons);
    if (reasons == NULL)
        return n;
    for (int64_t f = 0; f < n; ++f)
        sum += reasons[f].contribution;
    if (sum == 0.0)
        return 0;
    const double scale = prototypes_score(m, left, i, right, j, by) / sum;
    for (int64_t f = 0; f < n; ++f)
        reasons[f].contribution *= scale;
    return n;
}

static int64_t prototypes_parameters(const akin_model *m)
{
    const akin_model *learned = params(m)->learned;
    return learned->kind->parameters(learned) + params(m)->n * params(m)->k;
}

static int64_t prototypes_nonzeros(const akin_model *m)
{
    const prototypes *b = params(m);
    return b->learned->kind->nonzeros(b->learned) +
           ak_sparse_rows_nonzeros(b->Z, b->n * b->k);
}

static int64_t prototypes_rank(const akin_model *m)
{
    return params(m)->k;
}

/* Shares know no side: those of what is below are exchanged. */
static void prototypes_turn(akin_model *m)
{
    const prototypes *b = m->params;
    ak_model_turn_parts(b->learned);
}

static void prototypes_free(akin_model *m)
{
    prototypes *b = m->params;
    if (b == NULL)
        return;
    akin_model_free(b->learned);
    akin_free(b->Z);
    akin_free(b);
}

/* n prototypes, without the model that they are built on. */
static akin_status make_params(akin_model *m, akin_ctx *ctx, int64_t k,
                               int64_t n, const double *Z, double t)
{
    prototypes *b = NULL;
    AK_CHECK(AK_NEW(ctx, 1, &b));
    m->params = b;
    *b = (prototypes){.k = k, .n = n, .t = t};
    AK_CHECK(ak_alloc(ctx, n, (size_t)k * sizeof *b->Z, &b->Z));
    memcpy(b->Z, Z, (size_t)(n * k) * sizeof *Z);
    return AKIN_OK;
}

akin_status ak_prototypes_over(akin_model **m, akin_ctx *ctx, int64_t n,
                               const double *Z, double sharpness)
{
    akin_model *learned = *m, *made = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&made, ctx, &ak_kind_prototypes, learned->d[0],
                        learned->d[1], AKIN_BY_DOT));
    AK_TRY(make_params(made, ctx, learned->kind->embed_dim(learned), n, Z,
                       sharpness));
    prototypes *b = made->params;
    b->learned = learned;
    ak_model_swap_notes(made, learned);
    *m = made;
    made = NULL;
done:
    akin_model_free(made);
    return st;
}

akin_status ak_prototypes_new(akin_model **out, akin_ctx *ctx, int64_t d,
                              int64_t k, int64_t n, const double *A,
                              const double *Z, double sharpness)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_factored_new(&m, ctx, d, d, k, A, NULL, AKIN_BY_COSINE));
    AK_TRY(ak_prototypes_over(&m, ctx, n, Z, sharpness));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

/* What is below as it would stand alone, Z and, as a tensor of one number,
 * t. */
static akin_status prototypes_put(const akin_model *m, akin_ctx *ctx,
                                  ak_tensors *t)
{
    const prototypes *b = params(m);
    AK_CHECK(b->learned->kind->put(b->learned, ctx, t));
    AK_CHECK(ak_tensors_put(
        t, ctx,
        (ak_tensor){"prototypes", AK_DTYPE_F64, 2, {b->n, b->k}, b->Z}));
    return ak_tensors_put(
        t, ctx, (ak_tensor){"sharpness", AK_DTYPE_F64, 1, {1}, &b->t});
}

static akin_status prototypes_take(akin_model *m, akin_ctx *ctx,
                                   const ak_tensors *t)
{
    const ak_tensor *Z, *sharpness;
    AK_CHECK(ak_tensors_need(t, ctx, "prototypes", AK_DTYPE_F64, 2, &Z));
    AK_CHECK(ak_tensors_need(t, ctx, "sharpness", AK_DTYPE_F64, 1, &sharpness));
    const int64_t n = Z->shape[0], k = Z->shape[1];
    if (n < 1 || n > AK_PROTOTYPES_MOST || k < 1 || sharpness->shape[0] != 1 ||
        !ak_are_finite(1, sharpness->data) || !ak_are_finite(n * k, Z->data))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " prototypes of %" PRId64
                       " numbers (expected 1 to %d prototypes, all finite)",
                       ak_tensors_path(t), n, k, AK_PROTOTYPES_MOST);
    AK_CHECK(
        make_params(m, ctx, k, n, Z->data, *(const double *)sharpness->data));
    prototypes *b = m->params;
    AK_CHECK(ak_model_new(&b->learned, ctx, ak_model_kind_below(t), m->d[0],
                          m->d[1], AKIN_BY_COSINE));
    AK_CHECK(b->learned->kind->take(b->learned, ctx, t));
    if (b->learned->kind->embed_dim(b->learned) != k)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: the prototypes have %" PRId64
                       " numbers in a space of %" PRId64 " dimensions",
                       ak_tensors_path(t), k,
                       b->learned->kind->embed_dim(b->learned));
    return AKIN_OK;
}

const ak_model_kind ak_kind_prototypes = {
    .name = "prototypes",
    .score = prototypes_score,
    .embed = prototypes_embed,
    .embed_dim = prototypes_embed_dim,
    .learned = prototypes_learned,
    .explain = prototypes_explain,
    .turn = prototypes_turn,
    .nonzeros = prototypes_nonzeros,
    .parameters = prototypes_parameters,
    .rank = prototypes_rank,
    .put = prototypes_put,
    .take = prototypes_take,
    .free = prototypes_free,
};
