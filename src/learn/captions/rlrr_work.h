/* learn/captions/rlrr_work.h - what the parts of the structured form of rLRR
 * share; (1) to (6) are those of learn/captions/rlrr.c. Inside rlrr*.c alone.
 */
#ifndef AK_LEARN_CAPTIONS_RLRR_WORK_H
#define AK_LEARN_CAPTIONS_RLRR_WORK_H

#include "learn/captions/rlrr.h"
#include "learn/captions/rlrr_groups.h"
#include "learn/captions/svt.h"

enum { AK_RLRR_BLOCK = 64 };  // faces

/* A B', both n x k, in memory that grows. */
typedef struct ak_low_rank {
    int64_t k, room;  // columns
    double *A, *B;
} ak_low_rank;

typedef struct ak_rlrr_work {
    const ak_faces_svd *x;
    const ak_peers *peers;
    const ak_rlrr_params *p;
    ak_wstep step;
    double rho, rho_prev;
    int32_t *mirror;        // of entry (i, j), where (j, i) stands
    double *Sw, *Sy, *sum;  // as many as peers->start[n]
    double *Psi, *Phi, *E, *U, *VSy, *G, *VR, *VZ;  // n x r
    double *right;                                  // n x r: Psi + Phi/rho
    double *low;          // n x r: low-rank part of V'W, times rho + b
    ak_low_rank M, next;  // next: where M of the next step is made
    ak_svt J;
    double *sums;  // 2 a block
} ak_rlrr_work;

/* (3), after J. */
akin_status ak_rlrr_next_M(ak_rlrr_work *w, akin_ctx *ctx);
void ak_low_rank_free(ak_low_rank *p, akin_ctx *ctx);
/* (4) to (6), then E and U. */
akin_status ak_rlrr_update(ak_rlrr_work *w, akin_ctx *ctx);
/* The residuals; the second only where the first is small. */
akin_status ak_rlrr_measure(ak_rlrr_work *w, akin_ctx *ctx,
                            ak_rlrr_result *out);

#endif
