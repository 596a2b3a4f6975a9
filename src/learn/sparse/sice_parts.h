/* learn/sparse/sice_parts.h - what the solvers of sice.h share. Their problems
 * have the penalty of the diagonal added to Sigma already: rho_diag is 0. */
#ifndef AK_LEARN_SPARSE_SICE_PARTS_H
#define AK_LEARN_SPARSE_SICE_PARTS_H

#include "learn/sparse/sice.h"

static inline double ak_clip(double x, double most)
{
    return x > most ? most : x < -most ? -most : x;
}

static inline double ak_soft(double x, double by)
{
    return x > by ? x - by : x < -by ? x + by : 0.0;
}

/* W = M^-1 and F(M); ENUMERIC unless M > 0. */
akin_status ak_sice_invert(akin_ctx *ctx, const ak_sice *p, const double *M,
                           double *W, double *F);
/* A bound that W = M^-1 gives; `Z` and `room` are m x m. */
double ak_sice_bound(akin_ctx *ctx, const ak_sice *p, const double *W,
                     double *Z, double *room);
/* A better one where M has its zeros and signs: Z at the end of the box where
 * M_ij is not 0, so that the gap falls with the square of the error. */
double ak_sice_bound_at(akin_ctx *ctx, const ak_sice *p, const double *M,
                        const double *W, double *Z, double *room);

/* A symmetric pattern: the columns of each row, rising. */
typedef struct ak_pattern {
    int64_t m;
    int64_t *offsets;  // m + 1
    int32_t *cols;
} ak_pattern;

enum { AK_SICE_BLOCK = 32 };  // columns that are taken together

/* Y (count x m), row j - begin of which is (D w_j)', for `count` columns of a
 * symmetric W from `begin` on and D zero outside the pattern; `room` is
 * m x AK_SICE_BLOCK. */
akin_status ak_sice_product(akin_ctx *ctx, const ak_pattern *at,
                            const double *D, const double *W, int64_t begin,
                            int64_t count, double *Y, double *room);

typedef akin_status (*ak_sice_fn)(akin_ctx *ctx, const ak_sice *p,
                                  const ak_sice_options *o, double *M,
                                  ak_sice_result *r);
/* From the M they are given, which is positive definite. */
akin_status ak_sice_alm(akin_ctx *ctx, const ak_sice *p,
                        const ak_sice_options *o, double *M, ak_sice_result *r);
akin_status ak_sice_quic(akin_ctx *ctx, const ak_sice *p,
                         const ak_sice_options *o, double *M,
                         ak_sice_result *r);

/* Algorithm 1 as printed, which has a penalty on the diagonal of its own:
 * `iterations` steps from Y, which ends as the last Y; M is the last M. */
akin_status ak_sice_paper_steps(akin_ctx *ctx, const ak_sice *p, double sigma,
                                double mu, int64_t iterations, double *Y,
                                double *M);
akin_status ak_sice_paper(akin_ctx *ctx, const ak_sice *p,
                          const ak_sice_options *o, double *M,
                          ak_sice_result *r);

/* Newton steps on the support and the signs of M until the gap is `tol`, or
 * rounding; M, gap and objective change only for the better. */
akin_status ak_sice_polish(akin_ctx *ctx, const ak_sice *p, double tol,
                           double *M, ak_sice_result *r);

#endif
