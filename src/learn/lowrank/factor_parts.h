/* learn/lowrank/factor_parts.h - inside of a factor: kernels on padded rows,
 * and the functions of its two forms.
 *
 * Rows are `ld` numbers, a multiple of 4, zeros past k. Sums run over rows in
 * order and over lanes as written, so every processor gives the same bits. */
#ifndef AK_LEARN_LOWRANK_FACTOR_PARTS_H
#define AK_LEARN_LOWRANK_FACTOR_PARTS_H

#include "la/clones.h"
#include "learn/lowrank/factor.h"

enum {
    AK_PAD = 8,           // rows are padded to a multiple
    AK_LANES = 4,         // of a vector
    AK_FACTOR_LOOK = 64,  // updates between looks at the drift
};

#define AK_INLINE static inline __attribute__((always_inline))

/* The most for K: 1000 times what learning from documents leads to, and little
 * enough for errors to stay small until the next look. */
#define AK_FACTOR_COND 1e6

/* After an update. */
AK_INLINE void ak_factor_count(ak_factor *f)
{
    f->shrunk *= f->D < 1.0 ? f->D : 1.0;
    ++f->updates;
}

typedef double ak_v4 __attribute__((vector_size(32), aligned(8), may_alias));

#define AK_V4(p) (*(ak_v4 *)(p))
#define AK_CV4(p) (*(const ak_v4 *)(p))

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
    for (int64_t j = AK_LANES; j < ld; j += AK_LANES)
        s += AK_CV4(x + j) * AK_CV4(y + j);
    return (s[0] + s[2]) + (s[1] + s[3]);
}

/* y += a x */
AK_INLINE void ak_lanes_add(int64_t ld, double a, const double *x, double *y)
{
    for (int64_t j = 0; j < ld; j += AK_LANES)
        AK_V4(y + j) += a * AK_CV4(x + j);
}

/* y = sum_i x[i] M[rows[i]]: M'p of a sparse p; rows NULL: M'x. */
void ak_sum_rows(int64_t n, int64_t ld, const double *M, const int32_t *rows,
                 const double *x, double *y);
/* M[rows[i]] += x[i] y; rows NULL: 0 to n - 1. */
void ak_add_to_rows(int64_t n, int64_t ld, double *M, const int32_t *rows,
                    const double *x, const double *y);
/* M += x y' + u v', M of n rows. */
void ak_add_two_to_rows(int64_t n, int64_t ld, double *M, const double *x,
                        const double *y, const double *u, const double *v);

/* At most the condition of K, and at least its k^2-th part. */
double ak_factor_condition(const ak_factor *f);
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
