/* learn/captions/svt.h - singular values above a threshold, of a matrix that is
 * known by its products alone. */
#ifndef AK_LEARN_CAPTIONS_SVT_H
#define AK_LEARN_CAPTIONS_SVT_H

#include "base/ctx.h"

/* out = A Y, or A'Y with `transposed`; Y and out are n x b. */
typedef akin_status (*ak_product_fn)(void *arg, akin_ctx *ctx, bool transposed,
                                     int64_t b, const double *Y, double *out);

/* U diag(sigma) V', the part of A (n x n) with singular values above tau; U
 * and V have k columns. V of the last call is where the next one begins, so a
 * sequence of matrices that change little costs few products. */
typedef struct ak_svt {
    int64_t n, k;
    int64_t width;  // columns of U and V in memory, the first k count
    double *U, *V;  // n x width
    double *sigma;  // width
    int64_t calls;  // for the columns drawn at random
} ak_svt;

/* Subspace iteration until the singular values above tau change by less than
 * `tolerance` times the largest, at most `passes` times. */
akin_status ak_svt_find(ak_svt *s, akin_ctx *ctx, ak_product_fn product,
                        void *arg, double tau, double tolerance,
                        int64_t passes);
void ak_svt_free(ak_svt *s);

#endif
