/* learn/lowrank/factor.h - a factor A (n x k) of W = A B', and updates that
 * maintain A^+ p.
 *
 *   A <- A + (x A a + y p) d',   a = A^+ p               (1)
 *
 * Sparse form, at the cost of the non-zeros: A is kept as H R with R small
 * (k x k), and the inverse of the Gram matrix instead of A^+: A^+ p = K^-1 A'p,
 * K = A'A. Of H only the rows in the support of p change:
 *
 *   R    <- R + x (R a) d'                               (2)
 *   R^-1 <- R^-1 - x / (1 + x a.d) a (d'R^-1)            (3)
 *   H_i  <- H_i + y p_i (d'R^-1)                         (4)
 *   K    <- K + g d' + d g' + c2 d d'                    (5)
 *   K^-1 <- K^-1 + (nu v v' - om u u' - beta (u v' + v u')) / D   (6)
 *
 * with g = (x + y) A'p, v = (x + y) a, u = K^-1 d, t = a.A'p,
 * c2 = (x^2 + 2xy) t + y^2 |p|^2, om = y^2 max(|p|^2 - t, 0), nu = d.u,
 * beta = 1 + d.v, D = beta^2 + om nu.
 *
 * Dense form, at the cost of n k: A and A^+ themselves. With c the bracket of
 * (1), v = A^+ c, w = c - A v, m = (A^+)'d, D = beta^2 + |w|^2 |m|^2,
 *
 *   A^+ <- A^+ + (A^+m (beta w - |w|^2 m)' - v (|m|^2 w + beta m)') / D   (7)
 *
 * which divides by neither beta nor |w|. D is the ratio of the determinants of
 * the Gram matrices after and before: where it vanishes A loses rank, and the
 * step is refused. The recursions drift, so everything is recomputed (a rebase)
 * every so many updates, after a small D, and when K a no longer gives A'p. */
#ifndef AK_LEARN_LOWRANK_FACTOR_H
#define AK_LEARN_LOWRANK_FACTOR_H

#include "learn/learner.h"
#include "learn/lowrank/sparse_vectors.h"
#include "learn/merge.h"

typedef enum ak_factor_form {
    AK_FACTOR_SPARSE,
    AK_FACTOR_DENSE
} ak_factor_form;

typedef struct ak_factor {
    ak_factor_form form;
    int64_t n, k;
    int64_t ld;                   // length of a row in memory: k, then zeros
    double *H;                    // n rows, of H or (dense) of A
    double *P;                    // n rows, of (A^+)'; dense only
    double *R, *Rinv, *K, *Kinv;  // k rows each; sparse only
    double *vecs;                 // scratch
    double *c, *w, *m;            // n each, see (7); dense only
    double nu, om, beta, D;       // of the step that is tried
    int64_t updates;              // since the last rebase
    int64_t every;                // maximum of updates
    double shrunk;                // product of D below 1 since the last check
    double cond;                  // of K after the last rebase
    int64_t checks;               // of the drift
    void *memory[2];
    ak_merge_rows merge;  // of H, by several ranks
} ak_factor;

/* The form that the option `form` asks for; "auto": the faster one. */
ak_factor_form ak_factor_choose_form(const char *form, const akin_rows *rows,
                                     int64_t k);

/* `A` (n x k) is copied; NULL: the first k rows of the identity, then zeros.
 * ENUMERIC: the columns of A are not independent. */
akin_status ak_factor_new(ak_factor *f, akin_ctx *ctx, ak_factor_form form,
                          int64_t n, int64_t k, const double *A);
akin_status ak_factor_clone(ak_factor *f, akin_ctx *ctx, const ak_factor *of);
void ak_factor_free(ak_factor *f);

/* Prefetch the rows `cols` of A, n of them. */
void ak_factor_fetch(const ak_factor *f, int64_t n, const int32_t *cols);
/* A'p, k numbers. */
void ak_factor_project(const ak_factor *f, ak_spvec p, double *Atp);
/* a = A^+ p, given A'p. */
void ak_factor_solve(const ak_factor *f, ak_spvec p, const double *Atp,
                     double *a);
/* The same before an update; rebases when that is due, and then recomputes
 * both. */
akin_status ak_factor_begin(ak_factor *f, akin_ctx *ctx, ak_spvec p,
                            double *Atp, double *a);

/* The update (1), for factors that step together or not at all: whether A keeps
 * its rank, and then the step itself. Atp and a as above, p2 = |p|^2. */
bool ak_factor_fits(ak_factor *f, ak_spvec p, const double *Atp,
                    const double *a, const double *d, double x, double y,
                    double p2);
void ak_factor_commit(ak_factor *f, ak_spvec p, const double *Atp,
                      const double *a, double x, double y, double p2);

/* Several columns at once, G = [g_1 .. g_r] and a = A^+ G:
 *
 *   A <- A + sum_i c_i d_i',  c_i = sum_j (X_ij A a_j + F_ij g_j)     (8)
 */
typedef struct ak_factor_step {
    int64_t r;
    const ak_spvec *G;
    const double *AtG, *a, *d;  // r x k
    const double *GtG, *X, *F;  // r x r
    double *E, *S, *C;          // from try to commit; scratch
} ak_factor_step;

/* *fits: whether A keeps its rank. Until commit or cancel ends the step, no
 * other may begin. The caller holds a mark on the scratch. */
akin_status ak_factor_try(ak_factor *f, akin_ctx *ctx, ak_factor_step *step,
                          bool *fits);
void ak_factor_commit_step(ak_factor *f, const ak_factor_step *step);
akin_status ak_factor_cancel(ak_factor *f, akin_ctx *ctx,
                             const ak_factor_step *step);

/* A <- A T for an invertible T, k x k. */
akin_status ak_factor_transform(ak_factor *f, akin_ctx *ctx, const double *T,
                                const double *Tinv);
/* A is H, and R the identity; then, when H has changed, what follows from it.
 * A factor that nearly lost rank is moved away from that. ENUMERIC: it is 0 or
 * not finite. */
void ak_factor_fold(ak_factor *f);
akin_status ak_factor_refresh(ak_factor *f, akin_ctx *ctx);
/* Ranks that make steps from the same A, and the sum of their changes:
 *
 *   A <- A + sum over ranks r of (A_r - A)               (9)
 *
 * Sparse form: A_r = H_r R_r, and H_r differs from A in the rows that the steps
 * of the rank touched. A rank sends R_r, k x k, and these rows of H_r - A. */
akin_status ak_factor_divide(ak_factor *f, akin_ctx *ctx);
akin_status ak_factor_merge(ak_factor *f, akin_ctx *ctx);
/* Row i of A, k numbers. */
void ak_factor_row(const ak_factor *f, int64_t i, double *out);
/* A_i.h for many rows i: v from h once, k numbers each, then a product per row.
 */
void ak_factor_row_dots_begin(const ak_factor *f, const double *h, double *v);
double ak_factor_row_dot(const ak_factor *f, int64_t i, const double *v);
/* The drift of the inverses: the largest entry of |A^+ A - I|, for
 * tests. */
akin_status ak_factor_error(const ak_factor *f, akin_ctx *ctx, double *error);

/* Dense form only: A <- A + c d' by (7), c of n numbers; false, and nothing
 * changed, when A would lose rank. */
bool ak_factor_add(ak_factor *f, const double *c, const double *d);

/* A factor in a file: NAME, NAME.R and so on, rows of zeros left out. A factor
 * to load has the form and the sizes of the saved one. */
akin_status ak_factor_save(const ak_factor *f, akin_ctx *ctx, ak_tensors *t,
                           const char *name);
ak_factor_form ak_factor_saved_form(const ak_tensors *t, const char *name);
akin_status ak_factor_load(ak_factor *f, akin_ctx *ctx, const ak_tensors *t,
                           const char *name);

#endif
