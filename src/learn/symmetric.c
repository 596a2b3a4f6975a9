#include "learn/symmetric.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/trust.h"
#include "model/factored.h"
#include "model/full.h"
#include "model/metric.h"

/* Y0 and Y, n x k. */
typedef struct space {
    int64_t n, k;
    double *Y0, *Y;
    akin_compare by;
    double *from, *to;        // the chosen rows under Y0 and Y; NULL: not yet
    double *mixed, *squares;  // under a share, and their squared lengths
} space;

/* ---- (1) ---------------------------------------------------------------- */

/* The symmetric W, n x n: its eigenvectors in place, and the square roots of
 * its eigenvalues, 0 for negative ones. */
static akin_status roots_of(akin_ctx *ctx, int64_t n, double *W, double *roots)
{
    AK_CHECK(ak_eigh(ctx, n, W, roots));
    for (int64_t i = 0; i < n; ++i)
        roots[i] = sqrt(fmax(roots[i], 0.0));
    return AKIN_OK;
}

static akin_status root_of_full(space *s, akin_ctx *ctx, const double *from)
{
    const int64_t n = s->n;
    double *V = NULL, *scaled = NULL, *roots = NULL;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * n, &V, &scaled));
    AK_CHECK(AK_SCRATCH(ctx, n, &roots));
    memcpy(V, from, (size_t)(n * n) * sizeof *V);
    ak_symmetrize(n, V);
    AK_CHECK(roots_of(ctx, n, V, roots));
    for (int64_t i = 0; i < n * n; ++i)
        scaled[i] = V[i] * roots[i % n];
    return ak_gemm(ctx, false, true, n, n, n, 1.0, scaled, n, V, n, 0.0, s->Y,
                   n);
}

/* The symmetric part of A B' as Q M Q', Q of `width` orthonormal columns; NULL:
 * the identity, where the factors are wide. */
static akin_status inner_matrix(const space *s, akin_ctx *ctx, const double *A,
                                const double *B, int64_t width, double **Q,
                                double **M)
{
    const int64_t n = s->n, k = s->k;
    double *R = NULL;
    AK_CHECK(AK_SCRATCH(ctx, width * width, M));
    *Q = NULL;
    if (width == n) {
        AK_CHECK(
            ak_gemm(ctx, false, true, n, n, k, 1.0, A, k, B, k, 0.0, *M, n));
    } else {
        AK_CHECK(AK_SCRATCH(ctx, n * width, Q));
        AK_CHECK(AK_SCRATCH(ctx, width * width, &R));
        for (int64_t i = 0; i < n; ++i) {
            memcpy(*Q + i * width, A + i * k, (size_t)k * sizeof *A);
            memcpy(*Q + i * width + k, B + i * k, (size_t)k * sizeof *B);
        }
        AK_CHECK(ak_qr(ctx, n, width, *Q, R));
        AK_CHECK(ak_gemm(ctx, false, true, width, width, k, 1.0, R, width,
                         R + k, width, 0.0, *M, width));
    }
    ak_symmetrize(width, *M);
    return AKIN_OK;
}

/* The k largest of (1), without R. */
static akin_status root_of_factors(space *s, akin_ctx *ctx, const double *A,
                                   const double *B)
{
    const int64_t n = s->n, k = s->k, width = ak_min_i64(n, 2 * k);
    double *Q = NULL, *M = NULL, *roots = NULL, *V = NULL;
    AK_CHECK(inner_matrix(s, ctx, A, B, width, &Q, &M));
    AK_CHECK(AK_SCRATCH(ctx, width, &roots));
    AK_CHECK(AK_SCRATCH(ctx, width * k, &V));
    AK_CHECK(roots_of(ctx, width, M, roots));
    for (int64_t i = 0; i < width; ++i)
        for (int64_t c = 0; c < k; ++c) {
            const int64_t at = width - 1 - c;  // they rise
            V[i * k + c] = M[i * width + at] * roots[at];
        }
    if (Q != NULL)
        return ak_gemm(ctx, false, false, n, k, width, 1.0, Q, width, V, k, 0.0,
                       s->Y, k);
    memcpy(s->Y, V, (size_t)(n * k) * sizeof *V);
    return AKIN_OK;
}

/* Y <- Y R, R = U V' where Y'Y0 = U S V'. */
static akin_status rotate(const space *s, akin_ctx *ctx)
{
    const int64_t n = s->n, k = s->k;
    double *C = NULL, *U = NULL, *Vt = NULL, *values = NULL, *Y = NULL;
    AK_CHECK(AK_SCRATCH_EACH(ctx, k * k, &C, &U, &Vt));
    AK_CHECK(AK_SCRATCH(ctx, k, &values));
    AK_CHECK(AK_SCRATCH(ctx, n * k, &Y));
    memcpy(Y, s->Y, (size_t)(n * k) * sizeof *Y);
    AK_CHECK(
        ak_gemm(ctx, true, false, k, k, n, 1.0, Y, k, s->Y0, k, 0.0, C, k));
    AK_CHECK(ak_svd(ctx, k, k, C, values, U, Vt));
    AK_CHECK(ak_gemm(ctx, false, false, k, k, k, 1.0, U, k, Vt, k, 0.0, C, k));
    return ak_gemm(ctx, false, false, n, k, k, 1.0, Y, k, C, k, 0.0, s->Y, k);
}

static bool is_metric(const akin_model *m)
{
    return strcmp(akin_model_kind(m), "metric") == 0;
}

/* n x n; NULL for factors. */
static const double *matrix_of(const akin_model *m)
{
    return is_metric(m) ? ak_metric_M(m) : ak_full_W(m);
}

static akin_status find_root(space *s, akin_ctx *ctx, const akin_model *m)
{
    if (matrix_of(m) != NULL)
        return root_of_full(s, ctx, matrix_of(m));
    const double *A = ak_factored_A(m), *B = ak_factored_B(m);
    if (A == B)
        memcpy(s->Y, A, (size_t)(s->n * s->k) * sizeof *A);
    else
        AK_CHECK(root_of_factors(s, ctx, A, B));
    return rotate(s, ctx);
}

/* ---- (2) ---------------------------------------------------------------- */

static akin_status place(const space *s, akin_ctx *ctx, const ak_trust_rows *t,
                         const double *Y, double *out)
{
    akin_model *m = NULL;
    AK_CHECK(ak_factored_new(&m, ctx, s->n, s->n, s->k, Y, NULL, s->by));
    for (int64_t i = 0; i < t->n; ++i)
        m->kind->embed(m, t->rows, t->chosen[i], AKIN_LEFT, out + i * s->k);
    akin_model_free(m);
    return AKIN_OK;
}

static akin_status place_both(space *s, akin_ctx *ctx, const ak_trust_rows *t)
{
    const int64_t size = t->n * s->k;
    AK_CHECK(AK_SCRATCH_EACH(ctx, size, &s->from, &s->to, &s->mixed));
    AK_CHECK(AK_SCRATCH(ctx, t->n, &s->squares));
    AK_CHECK(place(s, ctx, t, s->Y0, s->from));
    return place(s, ctx, t, s->Y, s->to);
}

/* Of a dot product and the squared lengths of both. */
static double compare(akin_compare by, double xy, double xx, double yy)
{
    if (by == AKIN_BY_DISTANCE)
        return 2.0 * xy - xx - yy;
    if (by == AKIN_BY_DOT)
        return xy;
    return xx > 0.0 && yy > 0.0 ? xy / (sqrt(xx) * sqrt(yy)) : 0.0;
}

static akin_status scores_of(void *arg, akin_ctx *ctx, const ak_trust_rows *t,
                             double share, double *scores)
{
    space *s = arg;
    const int64_t k = s->k;
    if (s->from == NULL)
        AK_CHECK(place_both(s, ctx, t));
    for (int64_t i = 0; i < t->n * k; ++i)
        s->mixed[i] = s->from[i] + share * (s->to[i] - s->from[i]);
    for (int64_t i = 0; i < t->n; ++i)
        s->squares[i] = ak_dot(k, s->mixed + i * k, s->mixed + i * k);
    for (int64_t q = 0; q < t->queries; ++q) {
        const int64_t at = ak_trust_query(t, q);
        double *row = scores + q * t->n;
        AK_CHECK(ak_gemm(ctx, false, true, 1, t->n, k, 1.0, s->mixed + at * k,
                         k, s->mixed, k, 0.0, row, t->n));
        for (int64_t i = 0; i < t->n; ++i)
            row[i] = compare(s->by, row[i], s->squares[at], s->squares[i]);
    }
    return AKIN_OK;
}

/* ------------------------------------------------------------------------- */

static akin_status new_metric(akin_model **out, akin_ctx *ctx, const space *s)
{
    double *M = NULL;
    AK_CHECK(AK_SCRATCH(ctx, s->n * s->n, &M));
    AK_CHECK(ak_gram(ctx, false, s->n, s->k, s->Y, s->k, M));
    return ak_metric_new(out, ctx, s->n, M, s->by);
}

static akin_status replace(akin_model **m, akin_ctx *ctx, const space *s,
                           double share)
{
    const bool twice = matrix_of(*m) == NULL &&
                       ak_factored_A(*m) != ak_factored_B(*m);
    akin_model *made = NULL;
    AK_CHECK(is_metric(*m) ? new_metric(&made, ctx, s)
                           : ak_factored_new(&made, ctx, s->n, s->n, s->k, s->Y,
                                             twice ? s->Y : NULL, s->by));
    const akin_status st =
        ak_tensors_note_f64(made->notes, ctx, "trust", share);
    if (st != AKIN_OK) {
        akin_model_free(made);
        return st;
    }
    akin_model_free(*m);
    *m = made;
    return AKIN_OK;
}

static akin_status begin(space *s, akin_ctx *ctx, const double *Y0)
{
    const int64_t size = s->n * s->k;
    AK_CHECK(AK_SCRATCH_EACH(ctx, size, &s->Y0, &s->Y));
    if (Y0 != NULL)
        memcpy(s->Y0, Y0, (size_t)size * sizeof *Y0);
    for (int64_t i = 0; Y0 == NULL && i < s->k; ++i)
        s->Y0[i * s->k + i] = 1.0;
    return AKIN_OK;
}

akin_status ak_symmetric_model(akin_model **m, akin_ctx *ctx,
                               const akin_supervision *data, const double *Y0,
                               bool trusts, akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = (*m)->d[0];
    space s = {.n = n, .k = matrix_of(*m) ? n : ak_factored_rank(*m), .by = by};
    double share = 1.0;
    akin_status st = AKIN_OK;
    AK_TRY(begin(&s, ctx, Y0));
    AK_TRY(find_root(&s, ctx, *m));
    if (!trusts)
        AK_TRY(ak_trust_share(&share, ctx, data, (double)s.k, scores_of, &s));
    for (int64_t i = 0; i < n * s.k && share < 1.0; ++i)
        s.Y[i] = s.Y0[i] + share * (s.Y[i] - s.Y0[i]);  // (2)
    AK_TRY(replace(m, ctx, &s, share));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
