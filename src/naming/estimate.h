/* naming/estimate.h - how likely each name of a caption is for each face, and
 * so how many faces have one; inside naming/ alone. */
#ifndef AK_NAMING_ESTIMATE_H
#define AK_NAMING_ESTIMATE_H

#include "naming/decoys.h"
#include "naming/naming.h"

struct akin_estimate {
    int64_t n_faces;  // in photos
    int64_t *slots;   // n_photos + 1: the pairs of photo i lie from slots[i] on
    double *shares;   // faces x names of each photo: what names are given by
    double *p;        // the same: how likely they are right
    double ratio, error;
};

/* That face number `face` of a photo with r names has none of them. */
double ak_estimate_none(const akin_estimate *x, int64_t photo, int64_t face,
                        int64_t r);
/* Scores names by the log of their odds against no name. */
ak_scorer ak_estimate_scorer(const akin_estimate *x,
                             const ak_shared_names *peers);

#endif
