/* learn/captions/infeasible.h - the wrong labelling of a photo that looks best:
 * what a margin between right and wrong labellings is measured against. */
#ifndef AK_LEARN_CAPTIONS_INFEASIBLE_H
#define AK_LEARN_CAPTIONS_INFEASIBLE_H

#include "base/ctx.h"

/* n faces; D[f * stride + q] is the distance of face f to name q (0..p-1) and
 * to "no name" (q = p); INFINITY: no face can have it. The caption has the
 * n_caption names in caption[], rising. */
typedef struct ak_photo {
    int64_t n, p, stride;
    const double *D;
    int64_t n_caption;
    const int32_t *caption;
} ak_photo;

/* Memory that the search works in; one for each thread. */
typedef struct ak_infeasible_room {
    bool *used;       // p + 1: of names
    int32_t *names;   // n_caption: those faces can have
    double *out;      // n: best gain outside the caption
    int32_t *out_of;  // n: its name
    double *best;     // (n_caption + 1) x n: at each depth of the search
    int32_t *label;   // the same: labels
    int32_t *found;   // n: the best labels so far
} ak_infeasible_room;

/* `count` of them for photos of n faces and n_caption names at the most;
 * scratch memory. */
akin_status ak_infeasible_rooms(ak_infeasible_room **out, akin_ctx *ctx,
                                int64_t count, int64_t n, int64_t p,
                                int64_t n_caption);

/* Faces that must change until labels z (n, in 0..p) fit the caption: those
 * with a name that is not there, and all but one of those with the same name.
 */
int64_t ak_infeasible_loss(const ak_photo *photo, const int32_t *z,
                           const ak_infeasible_room *room);

/* The largest value of loss(z) - sum_f D(f, z_f) over the labellings z that do
 * not fit the caption; -INFINITY when there is none. Exact, but for photos
 * whose search would pass a million steps. */
double ak_infeasible_max(const ak_photo *photo, int32_t *z,
                         const ak_infeasible_room *room);

#endif
