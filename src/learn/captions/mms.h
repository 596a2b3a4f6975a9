/* learn/captions/mms.h - a linear score for each name from faces with candidate
 * names. [1] Luo, Orabona. Learning from candidate labeling sets. NIPS 2010.
 *
 *   s(z) = sum over the faces f of a photo of w_{z_f}.x_f                 (1)
 *   min over W of  sigma/2 |W|^2 + 1/m sum over photos of
 *             [max over labels z that do not fit of (loss(z) + s(z))
 *              - max over labels that fit of s(z)]_+                      (2)
 *
 * with a row of W for each name. None of the names scores 0: [1] gives it a
 * row of its own, but it fits every caption, and learning makes it the best
 * label of too many faces (of 2,807 faces 63 to 77 % were then named rightly,
 * 93 % in this form). (2) is (1) of learn/captions/margins.h with D = -X W'. */
#ifndef AK_LEARN_CAPTIONS_MMS_H
#define AK_LEARN_CAPTIONS_MMS_H

#include "learn/captions/margins.h"
#include "learn/captions/rounds.h"

typedef struct ak_mms {
    int64_t n, d;     // faces, numbers each
    const double *X;  // n x d
    double sigma;
    ak_margins margins;
} ak_mms;

/* Scratch memory. */
akin_status ak_mms_begin(ak_mms *s, akin_ctx *ctx, const ak_peers *peers,
                         int64_t d, const double *X, double sigma);
/* W (p x d): the mean of the faces of photos whose caption has a name. At
 * W = 0 all labels would be alike. */
void ak_mms_start(const ak_mms *s, double *W);
/* The value of (2) at W; `right` becomes the labels that fit best. */
akin_status ak_mms_objective(double *out, ak_mms *s, akin_ctx *ctx,
                             const double *W);
/* (2) with the labels of `right`, and a subgradient G (p x d). */
akin_status ak_mms_slope(double *out, double *G, ak_mms *s, akin_ctx *ctx,
                         const double *W);
ak_rounds ak_mms_rounds(ak_mms *s);

#endif
