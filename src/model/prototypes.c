/* Low rank, then prototypes: x goes to A'x, k numbers, and from there to the
 * shares that n prototypes z have in it,
 *
 *   f_p(x) = exp(t cos(A'x, z_p)) / sum over q of exp(t cos(A'x, z_q))    (1)
 *
 * all 0 where A'x = 0. Shares are compared, both sides alike:
 *
 *   dot        f(x).f(y)                         (2)
 *   cosine     (2) / (|f(x)| |f(y)|)             (3)
 *   distance   - |f(x) - f(y)|^2                 (4)
 */
#include "model/prototypes.h"

#include <math.h>
#include <string.h>

#include "model/kinds.h"
#include "model/sparse_rows.h"
#include "model/sums.h"
#include "model/walk.h"

enum { AT_ONCE = 32 };  // columns of A that are taken together

typedef struct prototypes {
    int64_t k, n;
    double t;
    double *A, *Z;
} prototypes;

static const prototypes *body(const akin_model *m)
{
    return m->body;
}

/* `n` columns of A'x from `first` on. */
static void columns(const prototypes *b, ak_row x, int64_t first, int64_t n,
                    double *out)
{
    memset(out, 0, (size_t)n * sizeof *out);
    for (int64_t i = 0; i < x.n; ++i) {
        const double *row = b->A + ak_row_col(&x, i) * b->k + first;
        for (int64_t c = 0; c < n; ++c)
            out[c] += (double)x.vals[i] * row[c];
    }
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

static void place(const prototypes *b, ak_row x, double *f)
{
    double a[AT_ONCE], square = 0.0;
    memset(f, 0, (size_t)b->n * sizeof *f);
    for (int64_t first = 0; first < b->k; first += AT_ONCE) {
        const int64_t n = ak_min_i64(AT_ONCE, b->k - first);
        columns(b, x, first, n, a);
        for (int64_t c = 0; c < n; ++c)
            square += a[c] * a[c];
        for (int64_t p = 0; p < b->n; ++p)
            for (int64_t c = 0; c < n; ++c)
                f[p] += a[c] * b->Z[p * b->k + first + c];
    }
    shares(b, sqrt(square), f);
}

static void prototypes_embed(const akin_model *m, const akin_rows *rows,
                             int64_t i, akin_side side, double *out)
{
    (void)side;
    place(body(m), ak_row_of(rows, i), out);
}

static int64_t prototypes_embed_dim(const akin_model *m)
{
    return body(m)->n;
}

static double prototypes_score(const akin_model *m, const akin_rows *left,
                               int64_t i, const akin_rows *right, int64_t j,
                               akin_compare by)
{
    const prototypes *b = body(m);
    double f[AK_PROTOTYPES_MOST], g[AK_PROTOTYPES_MOST];
    ak_sums s = {0};
    place(b, ak_row_of(left, i), f);
    place(b, ak_row_of(right, j), g);
    for (int64_t p = 0; p < b->n; ++p)
        ak_sums_add(&s, f[p], g[p]);
    return ak_sums_compare(&s, by);
}

/* Features take what they take of (A'x).(A'y), scaled to add up to the score:
 * the shares are no sum over features. */
static int64_t prototypes_explain(const akin_model *m, const akin_rows *left,
                                  int64_t i, const akin_rows *right, int64_t j,
                                  akin_compare by, akin_reason *reasons)
{
    const prototypes *b = body(m);
    const ak_row x = ak_row_of(left, i), y = ak_row_of(right, j);
    double Ay[AT_ONCE], sum = 0.0;
    int64_t n = 0;
    if (reasons == NULL)
        return x.n;
    for (int64_t f = 0; f < x.n; ++f) {
        const int64_t col = ak_row_col(&x, f);
        reasons[f] = (akin_reason){col, 0.0};
    }
    for (int64_t first = 0; first < b->k; first += AT_ONCE) {
        const int64_t wide = ak_min_i64(AT_ONCE, b->k - first);
        columns(b, y, first, wide, Ay);
        for (int64_t f = 0; f < x.n; ++f)
            for (int64_t c = 0; c < wide; ++c)
                reasons[f].contribution +=
                    (double)x.vals[f] *
                    b->A[reasons[f].feature * b->k + first + c] * Ay[c];
    }
    for (int64_t f = 0; f < x.n; ++f)
        sum += reasons[f].contribution;
    const double scale =
        sum != 0.0 ? prototypes_score(m, left, i, right, j, by) / sum : 0.0;
    for (int64_t f = 0; f < x.n; ++f) {
        reasons[n] = reasons[f];
        reasons[n].contribution *= scale;
        n += reasons[n].contribution != 0.0;
    }
    return n;
}

static int64_t prototypes_parameters(const akin_model *m)
{
    return (m->d[0] + body(m)->n) * body(m)->k;
}

static int64_t prototypes_nonzeros(const akin_model *m)
{
    const prototypes *b = body(m);
    return ak_sparse_rows_nonzeros(b->A, m->d[0] * b->k) +
           ak_sparse_rows_nonzeros(b->Z, b->n * b->k);
}

static int64_t prototypes_rank(const akin_model *m)
{
    return body(m)->k;
}

static void prototypes_free(akin_model *m)
{
    prototypes *b = m->body;
    if (b == NULL)
        return;
    if (b->A != NULL)
        m->allocator.release(m->allocator.user, b->A);
    if (b->Z != NULL)
        m->allocator.release(m->allocator.user, b->Z);
    m->allocator.release(m->allocator.user, b);
}

/* Room for both matrices, zero. */
static akin_status make_body(akin_model *m, akin_ctx *ctx, int64_t k, int64_t n,
                             double t)
{
    prototypes *b = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &b));
    m->body = b;
    *b = (prototypes){.k = k, .n = n, .t = t};
    AK_TRY(ak_alloc(ctx, m->d[0], (size_t)k * sizeof *b->A, &b->A));
    AK_TRY(ak_alloc(ctx, n, (size_t)k * sizeof *b->Z, &b->Z));
done:
    return st;
}

akin_status ak_prototypes_new(akin_model **out, akin_ctx *ctx, int64_t d,
                              int64_t k, int64_t n, const double *A,
                              const double *Z, double sharpness)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_new(&m, ctx, &ak_kind_prototypes, d, d, AKIN_BY_DOT));
    AK_TRY(make_body(m, ctx, k, n, sharpness));
    const prototypes *b = body(m);
    memcpy(b->A, A, (size_t)(d * k) * sizeof *A);
    memcpy(b->Z, Z, (size_t)(n * k) * sizeof *Z);
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

/* Z and, as a tensor of one number, t. */
static akin_status prototypes_put(const akin_model *m, akin_ctx *ctx,
                                  ak_tensors *t)
{
    const prototypes *b = body(m);
    akin_status st = AKIN_OK;
    AK_TRY(ak_sparse_rows_put(t, ctx, "A", m->d[0], b->k, 0.0, b->A));
    AK_TRY(ak_tensors_put(
        t, ctx,
        (ak_tensor){"prototypes", AK_DTYPE_F64, 2, {b->n, b->k}, b->Z}));
    AK_TRY(ak_tensors_put(
        t, ctx, (ak_tensor){"sharpness", AK_DTYPE_F64, 1, {1}, &b->t}));
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

static akin_status prototypes_take(akin_model *m, akin_ctx *ctx,
                                   const ak_tensors *t)
{
    const ak_tensor *Z, *sharpness;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tensors_need(t, ctx, "prototypes", AK_DTYPE_F64, 2, &Z));
    AK_TRY(ak_tensors_need(t, ctx, "sharpness", AK_DTYPE_F64, 1, &sharpness));
    const int64_t n = Z->shape[0], k = Z->shape[1];
    if (n < 1 || n > AK_PROTOTYPES_MOST || k < 1 || m->d[0] != m->d[1] ||
        sharpness->shape[0] != 1 || !are_finite(1, sharpness->data) ||
        !are_finite(n * k, Z->data))
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " prototypes of %" PRId64
                       " numbers are not a model's (1 to %d, finite)",
                       ak_tensors_path(t), n, k, AK_PROTOTYPES_MOST));
    AK_TRY(make_body(m, ctx, k, n, *(const double *)sharpness->data));
    const prototypes *b = body(m);
    memcpy(b->Z, Z->data, (size_t)(n * k) * sizeof *b->Z);
    AK_TRY(ak_sparse_rows_take(t, ctx, "A", m->d[0], k, b->A));
done:
    return st;
}

const ak_model_kind ak_kind_prototypes = {
    .name = "prototypes",
    .score = prototypes_score,
    .embed = prototypes_embed,
    .embed_dim = prototypes_embed_dim,
    .explain = prototypes_explain,
    .nonzeros = prototypes_nonzeros,
    .parameters = prototypes_parameters,
    .rank = prototypes_rank,
    .put = prototypes_put,
    .take = prototypes_take,
    .free = prototypes_free,
};
