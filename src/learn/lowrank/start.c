#include "learn/lowrank/start.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "la/dense.h"
#include "learn/metric/constraints.h"
#include "learn/metric/principal.h"
#include "model/factored.h"

enum { FEWEST = 2, MOST = 32 };  // mistakes kept, in units of k
static const double RANK_LEAST = 1e-10;

/* ---- given factors ---------------------------------------------------- */

static akin_status start_gauss(double **A, akin_ctx *ctx, akin_side side,
                               int64_t n, int64_t k)
{
    const ak_rng root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_START);
    ak_rng rng = ak_rng_split(root, side);
    const akin_status st = AK_SCRATCH(ctx, n * k, A);
    for (int64_t i = 0; st == AKIN_OK && i < n * k; ++i)
        (*A)[i] = ak_rng_normal(&rng);
    return st;
}

akin_status ak_start_fits(const akin_model *m, akin_ctx *ctx, const char *path,
                          akin_side side, int64_t n, int64_t k)
{
    if (m->d[side] != n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: the start has %" PRId64
                       " columns, the rows have %" PRId64,
                       path, m->d[side], n);
    if (akin_model_rank(m) != k)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%s: the start has rank %" PRId64 ", `rank` is %" PRId64,
                       path, akin_model_rank(m), k);
    return AKIN_OK;
}

static akin_status start_file(double **A, akin_ctx *ctx, const char *path,
                              akin_side side, int64_t n, int64_t k)
{
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_model_load(&m, ctx, path));
    if (!ak_model_is_factored(m))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%s: cannot start from a model of kind %s (expected "
                       "factored or psd)",
                       path, akin_model_kind(m)));
    AK_TRY(ak_start_fits(m, ctx, path, side, n, k));
    AK_TRY(AK_SCRATCH(ctx, n * k, A));
    memcpy(*A, side == AKIN_LEFT ? ak_factored_A(m) : ak_factored_B(m),
           (size_t)(n * k) * sizeof **A);
done:
    akin_model_free(m);
    return st;
}

/* Directions beyond those that the rows have are random ones, at right angles
 * to them. */
static akin_status start_principal(double **A, akin_ctx *ctx,
                                   const akin_rows *rows, int64_t k)
{
    const int64_t d = rows->d;
    ak_axes axes = {0};
    double *X = NULL, *R = NULL;
    if (rows->offsets != NULL)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`start` principal is for dense rows (expected "
                       "identity, gauss or a model)");
    AK_CHECK(ak_rows_matrix(&X, ctx, rows, NULL, rows->n));
    AK_CHECK(ak_axes_of(&axes, ctx, rows->n, d, X));
    AK_CHECK(start_gauss(A, ctx, AKIN_LEFT, d, k));
    AK_CHECK(AK_SCRATCH(ctx, k * k, &R));
    for (int64_t i = 0; i < d; ++i)
        for (int64_t c = 0; c < ak_min_i64(k, axes.k); ++c)
            (*A)[i * k + c] = axes.V[i * axes.k + c];
    return ak_qr(ctx, d, k, *A, R);
}

akin_status ak_start_factor(double **A, akin_ctx *ctx, const char *start,
                            const akin_rows *rows, akin_side side, int64_t n,
                            int64_t k)
{
    *A = NULL;
    if (k > n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`rank` %" PRId64 " is more than the %" PRId64
                       " columns of the rows",
                       k, n);
    if (strcmp(start, "identity") == 0 || strcmp(start, "auto") == 0)
        return AKIN_OK;
    if (strcmp(start, "principal") == 0 && rows != NULL)
        return start_principal(A, ctx, rows, k);
    if (strcmp(start, "gauss") == 0)
        return start_gauss(A, ctx, side, n, k);
    if (strcmp(start, "zero") == 0 || strcmp(start, "principal") == 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`start` %s is not available for this learner and task "
                       "(expected identity, gauss or a model)",
                       start);
    return start_file(A, ctx, start, side, n, k);
}

akin_status ak_start_factor_psd(double **Y, akin_ctx *ctx, const char *start,
                                const akin_rows *rows, int64_t k)
{
    const int64_t n = akin_rows_dim(rows);
    double *B = NULL;
    AK_CHECK(ak_start_factor(Y, ctx, start, rows, AKIN_LEFT, n, k));
    if (strcmp(start, "gauss") == 0 || strcmp(start, "principal") == 0)
        return AKIN_OK;
    AK_CHECK(ak_start_factor(&B, ctx, start, rows, AKIN_RIGHT, n, k));
    if (B != NULL && memcmp(*Y, B, (size_t)(n * k) * sizeof *B) != 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%s: the start has two different factors, this learner "
                       "needs one (expected a psd model)",
                       start);
    return AKIN_OK;
}

/* ---- zero: a full matrix first ---------------------------------------- */

void ak_zero_init(ak_zero *z, int64_t n, int64_t m, int64_t k, bool symmetric)
{
    *z = (ak_zero){.n = n, .m = m, .k = k, .symmetric = symmetric};
    z->need = FEWEST * k;
}

void ak_zero_free(ak_zero *z)
{
    ak_splist_free(&z->U);
    ak_splist_free(&z->P);
    *z = (ak_zero){0};
}

double ak_zero_score(const ak_zero *z, ak_spvec x, ak_spvec y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < z->count; ++i) {
        const ak_spvec u = ak_splist_at(&z->U, i), p = ak_splist_at(&z->P, i);
        const double xy = ak_spvec_dot(x, u) * ak_spvec_dot(p, y);
        sum += z->symmetric
                   ? 0.5 * xy + 0.5 * ak_spvec_dot(y, u) * ak_spvec_dot(p, x)
                   : xy;
    }
    return sum;
}

void ak_zero_times(const ak_zero *z, ak_spvec p, double *Wp)
{
    memset(Wp, 0, (size_t)z->n * sizeof *Wp);
    for (int64_t i = 0; i < z->count; ++i) {
        const ak_spvec u = ak_splist_at(&z->U, i);
        const double a = ak_spvec_dot(ak_splist_at(&z->P, i), p);
        for (int64_t j = 0; j < u.n; ++j)
            Wp[u.cols[j]] += a * u.vals[j];
    }
}

akin_status ak_zero_add(ak_zero *z, akin_ctx *ctx, double eta, ak_spvec u,
                        ak_spvec p)
{
    if (z->count >= MOST * z->k)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`start` zero: the first %" PRId64
                       " mistakes span no matrix of rank %" PRId64
                       " (try a smaller `rank`, or another `start`)",
                       z->count, z->k);
    AK_CHECK(ak_splist_put(&z->U, ctx, z->count, eta, u));
    AK_CHECK(ak_splist_put(&z->P, ctx, z->count, 1.0, p));
    /* After an attempt that found too small a rank: wait for one more, then for
     * more and more, because each attempt costs as much as all before it. */
    if (ak_zero_due(z))
        z->need = z->count + 1 + (z->count - FEWEST * z->k) / 8;
    ++z->count;
    return AKIN_OK;
}

bool ak_zero_due(const ak_zero *z)
{
    return z->count >= z->need;
}

/* The factors of W, (2) and (3). */

/* The vectors of one or two lists as columns of Q R, on the rows that occur. */
typedef struct basis {
    int64_t n_rows, n_cols;
    int32_t *rows;
    double *Q, *R;
} basis;

/* The rows that occur, increasing, and the position of each among them. */
static akin_status find_rows(basis *b, akin_ctx *ctx, int64_t n, int32_t *where,
                             const ak_splist *const *lists, int64_t n_lists,
                             int64_t count)
{
    for (int64_t l = 0; l < n_lists; ++l)
        for (int64_t i = 0; i < lists[l]->start[count]; ++i)
            where[lists[l]->cols[i]] = 1;
    for (int64_t j = 0; j < n; ++j)
        b->n_rows += where[j];
    AK_CHECK(AK_SCRATCH(ctx, b->n_rows, &b->rows));
    for (int64_t j = 0, at = 0; j < n; ++j)
        if (where[j]) {
            b->rows[at] = (int32_t)j;
            where[j] = (int32_t)at++;
        }
    return AKIN_OK;
}

static akin_status basis_make(basis *b, akin_ctx *ctx, int64_t n,
                              const ak_splist *const *lists, int64_t n_lists,
                              int64_t count)
{
    const int64_t c = n_lists * count;
    int32_t *where = NULL;
    *b = (basis){.n_cols = c};
    AK_CHECK(AK_SCRATCH(ctx, n, &where));
    AK_CHECK(find_rows(b, ctx, n, where, lists, n_lists, count));
    const int64_t height = ak_max_i64(b->n_rows, c);  // rows of zeros below
    AK_CHECK(ak_scratch(ctx, height, (size_t)c * sizeof *b->Q, &b->Q));
    AK_CHECK(AK_SCRATCH(ctx, c * c, &b->R));
    for (int64_t l = 0; l < n_lists; ++l)
        for (int64_t i = 0; i < count; ++i) {
            const ak_spvec v = ak_splist_at(lists[l], i);
            for (int64_t j = 0; j < v.n; ++j)
                b->Q[where[v.cols[j]] * c + l * count + i] = v.vals[j];
        }
    return ak_qr(ctx, height, c, b->Q, b->R);
}

/* out (n x k) = Q X, X n_cols x k. */
static akin_status basis_times(const basis *b, akin_ctx *ctx, const double *X,
                               int64_t n, int64_t k, double *out)
{
    double *QX = NULL;
    AK_CHECK(AK_SCRATCH(ctx, b->n_rows * k, &QX));
    AK_CHECK(ak_gemm(ctx, false, false, b->n_rows, k, b->n_cols, 1.0, b->Q,
                     b->n_cols, X, k, 0.0, QX, k));
    memset(out, 0, (size_t)(n * k) * sizeof *out);
    for (int64_t i = 0; i < b->n_rows; ++i)
        memcpy(out + b->rows[i] * k, QX + i * k, (size_t)k * sizeof *QX);
    return AKIN_OK;
}

/* How many of the decreasing values are not negligible; at most k. */
static int64_t rank_of(int64_t n, const double *s, int64_t k)
{
    int64_t r = 0;
    while (r < n && r < k && s[r] > 0.0 && s[r] > RANK_LEAST * s[0])
        ++r;
    return r;
}

/* X[i][j] = M(i, j) s_j^1/2 for j < rank; M by its strides. */
static void scaled(int64_t c, int64_t k, int64_t rank, const double *M,
                   int64_t by_row, int64_t by_col, const double *s, double *X)
{
    memset(X, 0, (size_t)(c * k) * sizeof *X);
    for (int64_t i = 0; i < c; ++i)
        for (int64_t j = 0; j < rank; ++j)
            X[i * k + j] = M[i * by_row + j * by_col] * sqrt(s[j]);
}

static akin_status factors_of_two(const ak_zero *z, akin_ctx *ctx, double *A,
                                  double *B, int64_t *rank)
{
    const int64_t c = z->count, k = z->k;
    const ak_splist *U = &z->U, *P = &z->P;
    basis u, p;
    double *M = NULL, *X = NULL, *Yt = NULL, *s = NULL, *T = NULL;
    AK_CHECK(basis_make(&u, ctx, z->n, &U, 1, c));
    AK_CHECK(basis_make(&p, ctx, z->m, &P, 1, c));
    AK_CHECK(AK_SCRATCH_EACH(ctx, c * c, &M, &X, &Yt));
    AK_CHECK(AK_SCRATCH(ctx, c, &s));
    AK_CHECK(AK_SCRATCH(ctx, c * k, &T));
    AK_CHECK(
        ak_gemm(ctx, false, true, c, c, c, 1.0, u.R, c, p.R, c, 0.0, M, c));
    AK_CHECK(ak_svd(ctx, c, c, M, s, X, Yt));  // (2)
    *rank = rank_of(c, s, k);
    scaled(c, k, *rank, X, c, 1, s, T);
    AK_CHECK(basis_times(&u, ctx, T, z->n, k, A));  // (3)
    scaled(c, k, *rank, Yt, 1, c, s, T);
    return basis_times(&p, ctx, T, z->m, k, B);
}

/* (W + W')/2 = Q (R1 R2' + R2 R1')/2 Q' with [U P] = Q [R1 R2]. */
static akin_status factor_of_one(const ak_zero *z, akin_ctx *ctx, double *Y,
                                 int64_t *rank)
{
    const int64_t c = 2 * z->count, k = z->k;
    const ak_splist *const both[] = {&z->U, &z->P};
    basis b;
    double *M = NULL, *s = NULL, *T = NULL;
    AK_CHECK(basis_make(&b, ctx, z->n, both, 2, z->count));
    AK_CHECK(AK_SCRATCH(ctx, c * c, &M));
    AK_CHECK(AK_SCRATCH(ctx, 2 * c, &s));
    AK_CHECK(AK_SCRATCH(ctx, c * k, &T));
    const double *R1 = b.R, *R2 = b.R + z->count;
    AK_CHECK(ak_gemm(ctx, false, true, c, c, z->count, 0.5, R1, c, R2, c, 0.0,
                     M, c));
    AK_CHECK(ak_gemm(ctx, false, true, c, c, z->count, 0.5, R2, c, R1, c, 1.0,
                     M, c));
    AK_CHECK(ak_eigh(ctx, c, M, s));
    for (int64_t i = 0; i < c; ++i)
        s[c + i] = s[c - 1 - i];  // decreasing
    *rank = rank_of(c, s + c, k);
    scaled(c, k, *rank, M + c - 1, c, -1, s + c, T);
    return basis_times(&b, ctx, T, z->n, k, Y);
}

akin_status ak_zero_factors(const ak_zero *z, akin_ctx *ctx, double *A,
                            double *B, int64_t *rank)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    *rank = 0;
    memset(A, 0, (size_t)(z->n * z->k) * sizeof *A);
    if (!z->symmetric)
        memset(B, 0, (size_t)(z->m * z->k) * sizeof *B);
    if (z->count > 0)
        st = z->symmetric ? factor_of_one(z, ctx, A, rank)
                          : factors_of_two(z, ctx, A, B, rank);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_zero_step(ak_zero *z, akin_ctx *ctx, double eta, ak_spvec u,
                         ak_spvec p, double **A, double **B)
{
    int64_t rank = 0;
    *A = *B = NULL;
    AK_CHECK(ak_zero_add(z, ctx, eta, u, p));
    if (!ak_zero_due(z))
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, z->n * z->k, A));
    AK_CHECK(AK_SCRATCH(ctx, z->m * z->k, B));
    AK_CHECK(ak_zero_factors(z, ctx, *A, *B, &rank));
    if (rank < z->k)
        *A = *B = NULL;
    return AKIN_OK;
}

akin_status ak_zero_save(const ak_zero *z, akin_ctx *ctx, ak_tensors *t)
{
    AK_CHECK(ak_splist_save(&z->P, ctx, t, "zero.p", z->count));
    AK_CHECK(ak_splist_save(&z->U, ctx, t, "zero.u", z->count));
    return ak_tensors_note_i64(t, ctx, "zero.need", z->need);
}

bool ak_zero_is_saved(const ak_tensors *t)
{
    return ak_tensors_get_note(t, "zero.need") != NULL;
}

akin_status ak_zero_load(ak_zero *z, akin_ctx *ctx, const ak_tensors *t)
{
    int64_t n_p = 0;
    AK_CHECK(ak_splist_load(&z->U, ctx, t, "zero.u", z->n, &z->count));
    AK_CHECK(ak_splist_load(&z->P, ctx, t, "zero.p", z->m, &n_p));
    AK_CHECK(ak_state_count(t, ctx, "zero.need", &z->need));
    if (n_p != z->count)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: 'zero.u' and 'zero.p' do not match",
                       ak_tensors_path(t));
    return AKIN_OK;
}
