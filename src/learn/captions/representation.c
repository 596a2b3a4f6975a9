/* Faces by their singular vectors, the range of lambda, and products with
 * matrices held by their factors; learn/captions/representation.h. */
#include "learn/captions/representation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"

enum { BLOCK = 64 };

/* ---- faces --------------------------------------------------------------- */

static const double least_share = 1e-12;

akin_status ak_faces_svd_of(ak_faces_svd *out, akin_ctx *ctx, int64_t n,
                            int64_t d, const double *X)
{
    const int64_t most = ak_min_i64(n, d);
    ak_faces_svd x = {.n = n, .d = d};
    double *copy, *U, *Vt;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * most, &x.V));
    AK_TRY(AK_SCRATCH(ctx, d * most, &x.Q));
    AK_TRY(AK_SCRATCH(ctx, most, &x.s));
    const ak_mark mark = ak_scratch_begin(ctx);
    st = AK_SCRATCH(ctx, n * d, &copy);
    st = st == AKIN_OK ? AK_SCRATCH(ctx, n * most, &U) : st;
    st = st == AKIN_OK ? AK_SCRATCH(ctx, most * d, &Vt) : st;
    if (st == AKIN_OK) {
        memcpy(copy, X, (size_t)(n * d) * sizeof *X);
        st = ak_svd(ctx, n, d, copy, x.s, U, Vt);
    }
    while (st == AKIN_OK && x.r < most && x.s[x.r] > least_share * x.s[0])
        ++x.r;
    for (int64_t i = 0; st == AKIN_OK && i < n; ++i)
        memcpy(x.V + i * x.r, U + i * most, (size_t)x.r * sizeof *U);
    for (int64_t k = 0; st == AKIN_OK && k < d * x.r; ++k)
        x.Q[k] = Vt[k % x.r * d + k / x.r];
    ak_scratch_end(ctx, mark);
    if (st == AKIN_OK && x.r == 0)
        st = ak_fail(ctx, AKIN_ESHAPE,
                     n == 1 ? "there is only one face, and none to compare it "
                              "with"
                            : "all faces are zero (or all alike, and `scale` "
                              "leaves nothing of them)");
    *out = x;
done:
    return st;
}

static int rising(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* |X' X^|_2 with X^ the faces at length 1: both are coordinates of Q, so it is
 * the root of the largest eigenvalue of S C S, C = sum of x^ x^'. */
static akin_status norm_of_zero(double *out, akin_ctx *ctx,
                                const ak_faces_svd *x)
{
    const int64_t n = x->n, r = x->r;
    double *B, *C, *values;
    AK_CHECK(AK_SCRATCH(ctx, n * r, &B));
    AK_CHECK(AK_SCRATCH(ctx, r * r, &C));
    AK_CHECK(AK_SCRATCH(ctx, r, &values));
    for (int64_t j = 0; j < n; ++j) {
        double norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            B[j * r + c] = x->s[c] * x->V[j * r + c];
            norm += B[j * r + c] * B[j * r + c];
        }
        for (int64_t c = 0; c < r; ++c)  // s x^: X' X^ = V diag(s) X^
            B[j * r + c] *= norm > 0.0 ? x->s[c] / sqrt(norm) : 0.0;
    }
    AK_CHECK(ak_gram(ctx, true, r, n, B, r, C));
    AK_CHECK(ak_eigh(ctx, r, C, values));
    *out = sqrt(fmax(values[r - 1], 0.0));
    return AKIN_OK;
}

akin_status ak_lambda_of(ak_lambda_range *out, akin_ctx *ctx,
                         const ak_faces_svd *x, double kappa)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n, r = x->r;
    double *w, norm = 0.0, mean = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &w));
    for (int64_t j = 0; j < n; ++j) {
        for (int64_t c = 0; c < r; ++c) {
            const double a = x->V[j * r + c] / x->s[c];
            w[j] += a * a;
        }
        w[j] = sqrt(w[j]);
        mean += w[j] / (double)n;
    }
    qsort(w, (size_t)n, sizeof *w, rising);
    const double median = n % 2 ? w[n / 2] : (w[n / 2 - 1] + w[n / 2]) / 2.0;
    AK_TRY(norm_of_zero(&norm, ctx, x));
    out->zero = 1.0 / norm;
    out->full = w[n - 1];
    out->standard = fmax(3.0 * out->zero, fmin(kappa * mean, median));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- rows of W ----------------------------------------------------------- */

/* The part without S: (end - begin) rows of L R', or of R L' with `columns`. */
static akin_status low_rank(const ak_representation *w, akin_ctx *ctx,
                            int64_t begin, int64_t end, bool columns,
                            double *out)
{
    const int64_t n = w->n, k = w->k;
    if (w->R != NULL) {
        const double *left = columns ? w->R : w->L;
        const double *right = columns ? w->L : w->R;
        return ak_gemm(ctx, false, true, end - begin, n, k, 1.0,
                       left + begin * k, k, right, k, 0.0, out, n);
    }
    for (int64_t i = begin; i < end; ++i)
        for (int64_t j = 0; j < n; ++j)
            out[(i - begin) * n + j] = columns ? w->L[j * n + i]
                                               : w->L[i * n + j];
    return AKIN_OK;
}

akin_status ak_representation_rows(const ak_representation *w, akin_ctx *ctx,
                                   int64_t begin, int64_t end, double *rows)
{
    const akin_status st = low_rank(w, ctx, begin, end, false, rows);
    for (int64_t i = begin; st == AKIN_OK && w->S && i < end; ++i) {
        const int32_t *peers, *theirs;
        const int64_t n = ak_shared_names_get(w->peers, i, &peers);
        for (int64_t k = 0; k < n; ++k) {
            const int64_t j = peers[k];
            const int64_t m = ak_shared_names_get(w->peers, j, &theirs);
            rows[(i - begin) * w->n + j] +=
                w->S[w->peers->start[j] + ak_shared_names_at(theirs, m, i)];
        }
    }
    return st;
}

akin_status ak_representation_columns(const ak_representation *w, akin_ctx *ctx,
                                      int64_t begin, int64_t end,
                                      double *columns)
{
    const akin_status st = low_rank(w, ctx, begin, end, true, columns);
    for (int64_t j = begin; st == AKIN_OK && w->S && j < end; ++j) {
        const int32_t *peers;
        const int64_t n = ak_shared_names_get(w->peers, j, &peers);
        for (int64_t k = 0; k < n; ++k)
            columns[(j - begin) * w->n + peers[k]] +=
                w->S[w->peers->start[j] + k];
    }
    return st;
}

/* ---- products ------------------------------------------------------------ */

typedef struct sparse_job {
    const ak_shared_names *peers;
    const int32_t *mirror;  // NULL: S'Y, else S Y
    const double *S, *Y;
    double *out;
    int64_t b;
} sparse_job;

/* Rows [begin, end) of S'Y: column j of S with the rows of its peers. */
static akin_status sparse_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const sparse_job *s = arg;
    const int64_t b = s->b;
    (void)worker;
    for (int64_t j = begin; j < end; ++j) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(s->peers, j, &peers);
        const int64_t start = s->peers->start[j];
        double *out = s->out + j * b;
        memset(out, 0, (size_t)b * sizeof *out);
        for (int64_t k = 0; k < m; ++k) {
            const int64_t at = s->mirror ? s->mirror[start + k] : start + k;
            const double a = s->S[at], *Y = s->Y + peers[k] * b;
            if (a == 0.0)
                continue;
            for (int64_t c = 0; c < b; ++c)
                out[c] += a * Y[c];
        }
    }
    return AKIN_OK;
}

akin_status ak_shared_names_product(akin_ctx *ctx, const ak_shared_names *peers,
                                    const int32_t *mirror, const double *S,
                                    int64_t b, const double *Y, double *out)
{
    sparse_job job = {peers, mirror, S, Y, out, b};
    return ak_parallel_for(ctx, peers->n, BLOCK, sparse_block, &job);
}

akin_status ak_pair_product(akin_ctx *ctx, int64_t n, int64_t k, double by,
                            const double *A, const double *B, bool transposed,
                            int64_t b, const double *Y, double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *low;
    akin_status st = AKIN_OK;
    if (k == 0)
        return st;
    AK_TRY(AK_SCRATCH(ctx, k * b, &low));
    AK_TRY(ak_gemm(ctx, true, false, k, b, n, by, transposed ? A : B, k, Y, b,
                   0.0, low, b));
    AK_TRY(ak_gemm(ctx, false, false, n, b, k, 1.0, transposed ? B : A, k, low,
                   b, 1.0, out, b));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* tr((A'A)(B'B)) */
akin_status ak_pair_norm(double *out, akin_ctx *ctx, int64_t n, int64_t k,
                         const double *A, const double *B)
{
    double *AA, *BB;
    AK_CHECK(AK_SCRATCH_EACH(ctx, k * k, &AA, &BB));
    AK_CHECK(ak_gram(ctx, true, k, n, A, k, AA));
    AK_CHECK(ak_gram(ctx, true, k, n, B, k, BB));
    *out = ak_dot(k * k, AA, BB);
    return AKIN_OK;
}
