/* learn/captions/asml.h - the steps of asml; learn/captions/asml.c has (1) and
 * (2). */
#ifndef AK_LEARN_CAPTIONS_ASML_H
#define AK_LEARN_CAPTIONS_ASML_H

#include "learn/captions/margins.h"

typedef struct ak_asml {
    const ak_shared_names *peers;
    int64_t n, d, p, m;  // faces, numbers each, names, photos
    const double *X;     // n x d
    double sigma;
    double *mu;      // (p + 1) x d
    double *R;       // (p + 1) x d (d + 1) / 2: rows of lower triangles
    double *counts;  // p + 1: faces of a name
    /* `right` is fixed while (2) is linear in the labels that fit. */
    ak_margins margins;
} ak_asml;

/* Scratch memory. */
akin_status ak_asml_begin(ak_asml *s, akin_ctx *ctx,
                          const ak_shared_names *peers, int64_t d,
                          const double *X, double sigma);
/* <M, R_q> of the p + 1 names, INFINITY where no face has one. */
akin_status ak_asml_traces(double *out, const ak_asml *s, akin_ctx *ctx,
                           const double *M);
/* The value of (2) at M; `right` becomes the labels that fit best. */
akin_status ak_asml_objective(double *out, ak_asml *s, akin_ctx *ctx,
                              const double *M);
/* (2) with the labels of `right`, and a subgradient G (d x d), for tests. */
akin_status ak_asml_slope(double *out, double *G, ak_asml *s, akin_ctx *ctx,
                          const double *M);
/* (2) from M = I on, as the options say; *M is d x d, scratch memory too. */
akin_status ak_asml_run(ak_cccp_result *out, double **M, ak_asml *s,
                        akin_ctx *ctx, const ak_shared_names *peers, int64_t d,
                        const double *X, const akin_asml_options *o);
/* The steps M <- PSD(M - eta G). */
ak_cccp ak_asml_cccp(ak_asml *s);

#endif
