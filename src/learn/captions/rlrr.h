/* learn/captions/rlrr.h - low-rank representation of faces by faces, with and
 * without the knowledge of who can be the same person.
 *   [1] Xiao, Xu, Wu. Automatic face naming by learning discriminative affinity
 *       matrices from weakly labeled images. TNNLS 26(10), 2015.
 *   [2] Liu, Lin, Yu. Robust subspace segmentation by low-rank representation.
 *       ICML 2010.
 *
 *   min |W|_* + lambda |X - X W|_{2,1} + gamma/2 |W o H|_F^2         (1)
 *
 * H is 0 between different faces whose captions share a name, else 1. */
#ifndef AK_LEARN_CAPTIONS_RLRR_H
#define AK_LEARN_CAPTIONS_RLRR_H

#include "learn/captions/representation.h"

/* The entries for which H is 1. */
typedef enum {
    AK_PENALISE_BOTH,        // faces that share no name, and a face itself
    AK_PENALISE_IRRELEVANT,  // faces that share no name
    AK_PENALISE_SELF         // a face itself
} ak_penalise;

typedef struct ak_rlrr_params {
    double lambda, gamma;
    double rho, delta_rho, rho_max;  // rho <- min(rho (1 + delta_rho), rho_max)
    double eps;                      // residuals
    double gap;                      // (value - bound) / value; 0: not asked
    int64_t most;                    // iterations
    ak_penalise penalise;
    bool by_entry;  // dense form: residuals are the largest entries, as in [1]
} ak_rlrr_params;

typedef struct ak_rlrr_result {
    ak_representation W;  // scratch
    int64_t iterations, rank;
    bool converged;
    double r1, r2;  // |X - X W - E| over |X|, |W - J| over |J|
    double value;   // of (1) at J, W with its singular values lowered
    double bound;   // below its least value, by the multipliers
} ak_rlrr_result;

/* Is the gap as small as wanted? */
static inline bool ak_rlrr_is_close(const ak_rlrr_result *r,
                                    const ak_rlrr_params *p)
{
    return p->gap > 0.0 && r->value - r->bound <= p->gap * r->value;
}

/* gamma = 0 (LRR) with W = V Z: linear in n. */
akin_status ak_lrr_solve(ak_rlrr_result *out, akin_ctx *ctx,
                         const ak_faces_svd *x, const ak_rlrr_params *p);

/* (1) with full matrices, for few faces, and without any n x n matrix. */
typedef struct ak_rlrr_dense {
    double *W;      // n x n
    double *E, *U;  // n x r, in the coordinates of Q
    double *V;      // n x n, multiplier of W = J
} ak_rlrr_dense;
akin_status ak_rlrr_solve_dense(ak_rlrr_result *out, ak_rlrr_dense *more,
                                akin_ctx *ctx, const ak_faces_svd *x,
                                const ak_shared_names *peers,
                                const ak_rlrr_params *p);
akin_status ak_rlrr_solve(ak_rlrr_result *out, akin_ctx *ctx,
                          const ak_faces_svd *x, const ak_shared_names *peers,
                          const ak_rlrr_params *p);

/* The W-step: (rho (X'X + I) + gamma diag(h_j)) w_j = rhs_j, n x n each;
 * for tests, the solvers have its parts. */
akin_status ak_rlrr_wstep(double *W, akin_ctx *ctx, const ak_faces_svd *x,
                          const ak_shared_names *peers, const ak_rlrr_params *p,
                          double rho, const double *rhs);

/* Is H_ij = 1? A face whose caption has no name shares none with itself, and
 * is no face of its own where only these are penalised. */
bool ak_rlrr_penalised(const ak_shared_names *peers, ak_penalise what,
                       int64_t i, int64_t j);
/* The value of (1), and a bound below its least value from multipliers. */
akin_status ak_rlrr_objective(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                              const ak_shared_names *peers,
                              const ak_rlrr_params *p, const double *W);
akin_status ak_rlrr_bound(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                          const ak_shared_names *peers, const ak_rlrr_params *p,
                          const double *U, const double *V);

/* ---- the W-step, one set of names at a time ------------------------------ */

/* Inside learn/captions/ alone:
 *
 *   (rho (X'X + I) + gamma diag(h_j)) w_j = rhs_j                        (1)
 *
 * With X = V diag(s) Q' (faces are rows), b the part of gamma that all entries
 * have, th = rho s^2 / (rho s^2 + rho + b) and N the entries of column j that
 * differ from it,
 *
 *   w_j = R (rhs_j + E_N z),  R = (I - V th V') / (rho + b)              (2)
 *   ((rho/gamma) I + V_N th V_N') z = (rho + b) (R rhs_j)_N              (3)
 *
 * b = gamma and N = the peers of j when they go free; b = 0 and N = {j} when
 * only a face itself is penalised (z is then one number with a minus). N
 * depends on the names of the caption, but for j itself. */

typedef struct ak_wstep {
    const ak_faces_svd *x;
    const ak_shared_names *peers;
    ak_penalise penalise;
    double gamma, rho;
    double base;    // b of (2)
    double enough;  // residual of (3) where it is iterated, relative
    double *theta;  // r: th
    double *z;      // as many as peers->start[n]: z of (2), 0 elsewhere
} ak_wstep;

/* (rho + b) (R rhs)_N of the faces in a group: `out` has |N| x n_faces. */
typedef akin_status (*ak_wstep_side_fn)(const void *arg, akin_ctx *ctx,
                                        const int32_t *N, int64_t n_N,
                                        const int32_t *faces, int64_t n_faces,
                                        double *out);

/* Room, from scratch. */
akin_status ak_wstep_new(ak_wstep *out, akin_ctx *ctx, const ak_faces_svd *x,
                         const ak_shared_names *peers, const ak_rlrr_params *p);
/* th and b for this rho. */
void ak_wstep_set(ak_wstep *w, double rho);
/* z of (3) for all faces. */
akin_status ak_wstep_solve(ak_wstep *w, akin_ctx *ctx, ak_wstep_side_fn side,
                           const void *arg);

#endif
