/* learn/factor.h - a factor A (n x k) of W = A B', updated at the cost of the
 * non-zeros.
 *
 * A is kept as H R with R small (k x k), and instead of its pseudo-inverse the
 * inverse of its Gram matrix: A^+ p = K^-1 A'p, K = A'A. An update
 *
 *   A <- A + (x A a + y p) d',   a = A^+ p               (1)
 *
 * then changes R, R^-1, K and K^-1 by matrices of rank one or two, and of H
 * only the rows in the support of p:
 *
 *   R    <- R + x (R a) d'                               (2)
 *   R^-1 <- R^-1 - x / (1 + x a.d) a (d'R^-1)            (3)
 *   H_i  <- H_i + y p_i (d'R^-1)                         (4)
 *   K    <- K + g d' + d g' + c2 d d'                    (5)
 *   K^-1 <- K^-1 + (nu v v' - om u u' - beta (u v' + v u')) / D   (6)
 *
 * with g = (x + y) A'p, v = (x + y) a, u = K^-1 d, t = a.A'p,
 * c2 = (x^2 + 2xy) t + y^2 |p|^2, om = y^2 max(|p|^2 - t, 0), nu = d.u,
 * beta = 1 + d.v, D = beta^2 + om nu. The recursions drift: A is rebased
 * (H <- H R, R <- I, K and K^-1 afresh) every so many updates, and at once
 * when K a no longer gives A'p. */
#ifndef AK_LEARN_FACTOR_H
#define AK_LEARN_FACTOR_H

#include "base/ctx.h"

typedef struct ak_factor {
    int64_t n, k;
    double *H;                    // n x k
    double *R, *Rinv, *K, *Kinv;  // k x k
    double *scratch;              // 8 k
    int64_t updates;              // since it was rebased
    int64_t every;                // updates between rebases
} ak_factor;

/* A sparse vector in double. */
typedef struct ak_spvec {
    int64_t n;
    const int32_t *cols;
    const double *vals;
} ak_spvec;

/* p.q; the columns of both rise. */
double ak_spvec_dot(ak_spvec p, ak_spvec q);
/* y = sum_i vals[i] M[cols[i]], rows of M of k numbers. */
void ak_spvec_gather(int64_t k, const double *M, ak_spvec p, double *y);

/* `A` is copied; NULL: the first k rows of the identity, then zeros.
 * ENUMERIC: the columns of A are not independent. */
akin_status ak_factor_new(ak_factor *f, akin_ctx *ctx, int64_t n, int64_t k,
                          const double *A);
void ak_factor_free(ak_factor *f, akin_ctx *ctx);

/* A'p; and a = A^+ p from it. */
void ak_factor_project(const ak_factor *f, ak_spvec p, double *Atp);
void ak_factor_solve(const ak_factor *f, const double *Atp, double *a);
/* The update (1); Atp and a as above, p2 = |p|^2. False, and nothing changed,
 * when A would lose rank. */
bool ak_factor_apply(ak_factor *f, ak_spvec p, const double *Atp,
                     const double *a, const double *d, double x, double y,
                     double p2);
/* a = A^+ p for an update, from A'p; after a rebase, if one is due, both. */
akin_status ak_factor_begin(ak_factor *f, akin_ctx *ctx, ak_spvec p,
                            double *Atp, double *a);
akin_status ak_factor_rebase(ak_factor *f, akin_ctx *ctx);
/* Row i of A, k numbers. */
void ak_factor_row(const ak_factor *f, int64_t i, double *out);

/* K and K^-1 (5), (6) after A <- A + c d', from g = A'c and c2 = |c|^2; false,
 * and nothing changed, when A would lose rank. */
bool ak_factor_gram_update(ak_factor *f, const double *g, double c2,
                           const double *d);

/* Small dense kernels with a fixed order of summation. */
double ak_small_dot(int64_t k, const double *x, const double *y);
void ak_small_add_outer(int64_t k, const double *x, const double *y,
                        double *M);  // M += x y'
void ak_small_times(int64_t k, const double *M, const double *x,
                    double *y);  // y = M'x
/* H'p of any n x k matrix; and H[cols[i]] += y vals[i] r for each i. */
void ak_rows_project(int64_t k, const double *H, ak_spvec p, double *out);
void ak_rows_add(int64_t k, double *H, ak_spvec p, double y, const double *r);
void ak_factor_add_rows(ak_factor *f, ak_spvec p, double y, const double *r);

#endif
