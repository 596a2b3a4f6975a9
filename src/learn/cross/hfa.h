/* learn/cross/hfa.h - support vector machines, one per label, that share a
 * transform of the points. */
#ifndef AK_LEARN_CROSS_HFA_H
#define AK_LEARN_CROSS_HFA_H

#include "opt/svm.h"

/*   min over G (d x labels) and H of
 *       tr(G'(I + H)^-1 G) / 2 + C sum_c sum_i loss(y_ic g_c.z_i)        (1)
 *   H symmetric, no eigenvalue below 0, trace at most lambda
 *
 * convex in G and H together. */
typedef struct ak_hfa {
    const double *Z;  // n x d
    double lambda;
    double tol;  // of the gap to the dual, against the objective
    int64_t max_iterations;
    ak_svm_set set;  // n, d, labels, C, squared, max_sweeps and rng by the
                     // caller, y after ak_hfa_room

    double *G;               // d x labels, written
    int64_t q;               // directions: the lesser of d and labels
    double *U, *h;           // H = U diag(h) U', d x q
    double *X, *ZU;          // n x d and n x q: the points as transformed, room
    double *W, *M;           // d x labels and q x labels, room
    double *s, *Vt;          // q, q x labels, room
    double objective, dual;  // written, as are those below
    int64_t iterations;
    bool converged;
} ak_hfa;

akin_status ak_hfa_room(ak_hfa *p, akin_ctx *ctx);
/* From H = 0 on; no iteration raises the objective. */
akin_status ak_hfa_solve(ak_hfa *p, akin_ctx *ctx);

/* h of the least sum of s_k^2 / (1 + h_k) with 0 <= h, sum h <= lambda; s
 * falling. */
void ak_hfa_fill(int64_t q, const double *s, double lambda, double *h);

#endif
