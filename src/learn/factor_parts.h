/* learn/factor_parts.h - inside of a factor: kernels on padded rows, and the
 * functions of its two forms.
 *
 * Rows are `ld` numbers, a multiple of 8, zeros past k. Sums run over rows in
 * order and over lanes as written, so every processor gives the same bits. */
#ifndef AK_LEARN_FACTOR_PARTS_H
#define AK_LEARN_FACTOR_PARTS_H

#include "la/clones.h"
#include "learn/factor.h"

enum {
    AK_PAD = 8,           // rows are padded to a multiple
    AK_LANES = 4,         // of a vector
    AK_FACTOR_LOOK = 64,  // updates between looks at the drift
};

typedef double ak_v4 __attribute__((vector_size(32), aligned(8), may_alias));

#define AK_V4(p) (*(ak_v4 *)(p))
#define AK_CV4(p) (*(const ak_v4 *)(p))
#define AK_INLINE static inline __attribute__((always_inline))

/* The vectors of ak_factor.vecs, ld numbers each. */
enum {
    AK_VEC_HP,  // H'p
    AK_VEC_OUT,
    AK_VEC_A,
    AK_VEC_D,
    AK_VEC_U,
    AK_VEC_V,
    AK_VEC_G,
    AK_VEC_LEFT,
    AK_VEC_RIGHT,
    AK_VEC_ROW,
    AK_VECS
};

AK_INLINE double *ak_vec(const ak_factor *f, int i)
{
    return f->vecs + i * f->ld;
}

/* k numbers into a padded vector of the factor. */
AK_INLINE double *ak_vec_set(const ak_factor *f, int i, double s,
                             const double *x)
{
    double *v = ak_vec(f, i);
    for (int64_t j = 0; j < f->k; ++j)
        v[j] = s * x[j];
    return v;
}

AK_INLINE double ak_lanes_dot(int64_t ld, const double *x, const double *y)
{
    ak_v4 s = AK_CV4(x) * AK_CV4(y);
    ak_v4 t = AK_CV4(x + AK_LANES) * AK_CV4(y + AK_LANES);
    for (int64_t j = AK_PAD; j < ld; j += AK_PAD) {
        s += AK_CV4(x + j) * AK_CV4(y + j);
        t += AK_CV4(x + j + AK_LANES) * AK_CV4(y + j + AK_LANES);
    }
    s += t;
    return (s[0] + s[2]) + (s[1] + s[3]);
}

/* y += a x */
AK_INLINE void ak_lanes_add(int64_t ld, double a, const double *x, double *y)
{
    for (int64_t j = 0; j < ld; j += AK_LANES)
        AK_V4(y + j) += a * AK_CV4(x + j);
}

/* y[0 .. 4 b) = sum_i x[i] M[row of i], b blocks of lanes held in registers;
 * rows: their numbers, NULL: 0 to n - 1. */
#define AK_SUM_ROWS(b)                                                     \
    AK_INLINE void ak_sum_rows_##b(int64_t n, int64_t ld, const double *M, \
                                   const int32_t *rows, const double *x,   \
                                   double *y)                              \
    {                                                                      \
        ak_v4 s[b] = {{0.0}};                                              \
        for (int64_t i = 0; i < n; ++i) {                                  \
            const double *row = M + (rows ? rows[i] : i) * ld;             \
            for (int l = 0; l < (b); ++l)                                  \
                s[l] += x[i] * AK_CV4(row + l * AK_LANES);                 \
        }                                                                  \
        for (int l = 0; l < (b); ++l)                                      \
            AK_V4(y + l * AK_LANES) = s[l];                                \
    }
AK_SUM_ROWS(2)
AK_SUM_ROWS(4)
AK_SUM_ROWS(8)

/* y = M'x, or M'p of the sparse p. */
AK_INLINE void ak_sum_rows(int64_t n, int64_t ld, const double *M,
                           const int32_t *rows, const double *x, double *y)
{
    int64_t j = 0;
    for (; j + 8 * AK_LANES <= ld; j += 8 * AK_LANES)
        ak_sum_rows_8(n, ld, M + j, rows, x, y + j);
    for (; j + 4 * AK_LANES <= ld; j += 4 * AK_LANES)
        ak_sum_rows_4(n, ld, M + j, rows, x, y + j);
    for (; j < ld; j += 2 * AK_LANES)
        ak_sum_rows_2(n, ld, M + j, rows, x, y + j);
}

/* M += x y' + u v' */
AK_INLINE void ak_add_outer_2(int64_t k, int64_t ld, const double *x,
                              const double *y, const double *u, const double *v,
                              double *M)
{
    for (int64_t i = 0; i < k; ++i)
        for (int64_t j = 0; j < ld; j += AK_LANES)
            AK_V4(M + i * ld + j) += x[i] * AK_CV4(y + j) +
                                     u[i] * AK_CV4(v + j);
}

/* Whether D leaves A its rank; a small one asks for a rebase. */
bool ak_factor_keeps_rank(ak_factor *f, double d2, double v2);

void ak_factor_dense_solve(const ak_factor *f, ak_spvec p, double *a);
bool ak_factor_dense_fits(ak_factor *f, ak_spvec p, const double *a,
                          const double *d, double x, double y);
void ak_factor_dense_commit(ak_factor *f);
akin_status ak_factor_dense_try(ak_factor *f, akin_ctx *ctx,
                                ak_factor_step *step, bool *fits);
akin_status ak_factor_dense_cancel(ak_factor *f, akin_ctx *ctx,
                                   const ak_factor_step *step);
/* A'(A a), k numbers. */
void ak_factor_dense_gram_times(const ak_factor *f, const double *a,
                                double *out);

bool ak_factor_sparse_fits(ak_factor *f, const double *Atp, const double *a,
                           const double *d, double x, double y, double p2);
void ak_factor_sparse_commit(ak_factor *f, ak_spvec p, const double *Atp,
                             const double *a, double x, double y, double p2);
akin_status ak_factor_sparse_try(ak_factor *f, akin_ctx *ctx,
                                 ak_factor_step *step, bool *fits);
void ak_factor_sparse_commit_step(ak_factor *f, const ak_factor_step *step);

#endif
