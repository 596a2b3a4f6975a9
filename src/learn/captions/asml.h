/* learn/captions/asml.h - a metric from faces with candidate names.
 *   [1] Xiao, Xu, Wu. Automatic face naming by learning discriminative affinity
 *       matrices from weakly labeled images. TNNLS 26(10), 2015.
 *
 *   D(x, q) = mean of (x - y)'M(x - y) over the faces y of photos whose caption
 *             has name q; over all faces for "none of the names"          (1)
 *   min over M >= 0 of  sigma/2 |M - I|^2 + 1/m sum over photos of
 *             [max over labels z that do not fit of (loss(z) - D(z))
 *              + min over labels that fit of D(z)]_+                      (2)
 *
 * With mu_q and R_q = mean of y y' of the faces of a name,
 * D(x, q) = x'M x - 2 x'M mu_q + <M, R_q>, so no pair of faces is compared. */
#ifndef AK_LEARN_CAPTIONS_ASML_H
#define AK_LEARN_CAPTIONS_ASML_H

#include "learn/captions/margins.h"
#include "learn/captions/rounds.h"

typedef struct ak_asml {
    const ak_peers *peers;
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
akin_status ak_asml_begin(ak_asml *s, akin_ctx *ctx, const ak_peers *peers,
                          int64_t d, const double *X, double sigma);
/* <M, R_q> of the p + 1 names, INFINITY where no face has one. */
akin_status ak_asml_traces(double *out, const ak_asml *s, akin_ctx *ctx,
                           const double *M);
/* D of all faces. */
akin_status ak_asml_distances(ak_asml *s, akin_ctx *ctx, const double *M);
/* The value of (2) at M; `right` becomes the labels that fit best. */
akin_status ak_asml_objective(double *out, ak_asml *s, akin_ctx *ctx,
                              const double *M);
/* (2) with the labels of `right`, and a subgradient G (d x d). */
akin_status ak_asml_slope(double *out, double *G, ak_asml *s, akin_ctx *ctx,
                          const double *M);
/* The steps M <- PSD(M - eta G) of learn/captions/rounds.h. */
ak_rounds ak_asml_rounds(ak_asml *s);

#endif
