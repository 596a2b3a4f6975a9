/* learn/captions/mms.h - the steps of mms; learn/captions/mms.c has (1) and
 * (2).
 */
#ifndef AK_LEARN_CAPTIONS_MMS_H
#define AK_LEARN_CAPTIONS_MMS_H

#include "learn/captions/margins.h"

typedef struct ak_mms {
    int64_t n, d;     // faces, numbers each
    const double *X;  // n x d
    double sigma;
    ak_margins margins;
} ak_mms;

/* Scratch memory. */
akin_status ak_mms_begin(ak_mms *s, akin_ctx *ctx, const ak_shared_names *peers,
                         int64_t d, const double *X, double sigma);
/* W (p x d): the mean of the faces of photos whose caption has a name. At
 * W = 0 all labels would be alike. */
void ak_mms_start(const ak_mms *s, double *W);
/* The value of (2) at W; `right` becomes the labels that fit best. */
akin_status ak_mms_objective(double *out, ak_mms *s, akin_ctx *ctx,
                             const double *W);
/* (2) with the labels of `right`, and a subgradient G (p x d), for tests. */
akin_status ak_mms_slope(double *out, double *G, ak_mms *s, akin_ctx *ctx,
                         const double *W);
ak_cccp ak_mms_cccp(ak_mms *s);
/* (2) from ak_mms_start on, as the options say; W is p x d. */
akin_status ak_mms_run(ak_cccp_result *out, double *W, ak_mms *s, akin_ctx *ctx,
                       const ak_shared_names *peers, int64_t d, const double *X,
                       const akin_mms_options *o);

#endif
