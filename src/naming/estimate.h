/* naming/estimate.h - how likely each name of a caption is for each face, and
 * so how many faces have one; inside naming/ alone. */
#ifndef AK_NAMING_ESTIMATE_H
#define AK_NAMING_ESTIMATE_H

#include "naming/estimation.h"

struct akin_estimate {
    int64_t n_faces;       // in photos
    const int64_t *slots;  // n_photos + 1: the pairs of photo i lie from
                           // slots[i] on
    const double *shares;  // faces x names of each photo: what names are given
                           // by
    const double *p;       // the same: how likely they are right
    double ratio, error;
    int64_t fresh[2];     // where resumed: faces in new photos, and in others
    ak_estimation state;  // to take further answers
    ak_confirmed said;    // what was taken so far: n, and pairs
    int32_t *fixed, *refused;
    ak_affinity affinity;
    ak_decoys decoys;
    void *kept;  // memory of the state
};

/* Of the names that were taken last, and of the faces that have one. */
akin_status ak_estimate_take_said(akin_estimate *x, akin_ctx *ctx,
                                  const ak_confirmed *said);
void ak_estimate_set_ratio(akin_estimate *x);
/* akin_naming_estimate where s was resumed. */
akin_status ak_estimate_resumed(akin_estimate **out, akin_ctx *ctx,
                                const akin_naming *s,
                                const akin_face_names *confirmed);
/* That face number `face` of a photo with r names has none of them. */
double ak_estimate_none(const akin_estimate *x, int64_t photo, int64_t face,
                        int64_t r);
/* Scores names by the log of their odds against no name. */
ak_scorer ak_estimate_scorer(const akin_estimate *x,
                             const ak_shared_names *peers);

#endif
