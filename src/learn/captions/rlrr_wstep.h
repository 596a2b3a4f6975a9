/* learn/captions/rlrr_wstep.h - the W-step of rlrr, one set of names at a
 * time.
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
#ifndef AK_LEARN_CAPTIONS_RLRR_WSTEP_H
#define AK_LEARN_CAPTIONS_RLRR_WSTEP_H

#include "learn/captions/rlrr.h"

typedef struct ak_wstep {
    const ak_faces_svd *x;
    const ak_peers *peers;
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
                         const ak_peers *peers, const ak_rlrr_params *p);
/* th and b for this rho. */
void ak_wstep_set(ak_wstep *w, double rho);
/* z of (3) for all faces. */
akin_status ak_wstep_solve(ak_wstep *w, akin_ctx *ctx, ak_wstep_side_fn side,
                           const void *arg);

#endif
