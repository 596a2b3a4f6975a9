/* learn/captions/mildml.h - value and slope of mildml; learn/captions/mildml.c
 * has (1) to (3). */
#ifndef AK_LEARN_CAPTIONS_MILDML_H
#define AK_LEARN_CAPTIONS_MILDML_H

#include "data/captions/shared_names.h"
#include "opt/lbfgs.h"

typedef struct ak_mildml {
    const ak_bags *bags;
    int64_t n, d, k;  // faces in photos, numbers each, rank
    double *X;        // n x d, photo by photo
    int64_t pairs;    // of photos with faces
    double *Y;        // n x k: X L, room
    double *moved;    // n x k, room: rows of the sum in (3)
    double *size;     // n, room: |L'x|^2
    double *weight;   // n, room: sum of t - p over the pairs of a face
    double *value;    // one a photo, room: of (3), and
    double *slope;    // of b
    int32_t *marks;   // for each worker: names of a photo
} ak_mildml;

/* Scratch memory. EINVAL: fewer than two photos have faces. */
akin_status ak_mildml_begin(ak_mildml *s, akin_ctx *ctx,
                            const ak_shared_names *peers, int64_t d,
                            const double *X, int64_t k);
/* (3) and its slope, both of d k + 1 numbers; an ak_value_fn. */
akin_status ak_mildml_value(void *s, akin_ctx *ctx, const double *Lb,
                            double *value, double *slope);
/* (3) by L-BFGS, to rank k at the most; p->x has L and then b, d s->k + 1
 * numbers, scratch memory. */
akin_status ak_mildml_run(ak_lbfgs *p, ak_mildml *s, akin_ctx *ctx,
                          const ak_shared_names *peers, int64_t d,
                          const double *X, int64_t k, double tol,
                          int64_t iterations);

#endif
