/* opt/infeasible.h - the wrong labelling of a photo that looks best: what a
 * margin between right and wrong labellings is measured against. */
#ifndef AK_OPT_INFEASIBLE_H
#define AK_OPT_INFEASIBLE_H

#include <stdbool.h>
#include <stdint.h>

/* n faces; D[f * stride + q] is the distance of face f to name q (0..p-1) and
 * to "no name" (q = p); INFINITY: no face can have it. The caption has the
 * n_caption names in caption[], rising. */
typedef struct ak_photo {
    int64_t n, p, stride;
    const double *D;
    int64_t n_caption;
    const int32_t *caption;
} ak_photo;

/* Faces that must change until labels z (n, in 0..p) fit the caption: those
 * with a name that is not there, and all but one of those with the same name.
 * `work` has ak_infeasible_room() doubles. */
int64_t ak_infeasible_loss(const ak_photo *photo, const int32_t *z,
                           double *work);

/* Doubles of memory that the search works in. */
int64_t ak_infeasible_room(int64_t n, int64_t p, int64_t n_caption);

/* The largest value of loss(z) - sum_f D(f, z_f) over the labellings z that do
 * not fit the caption; -INFINITY when there is none. Exact, but for photos
 * whose search would pass a million steps. */
double ak_infeasible_max(const ak_photo *photo, int32_t *z, double *work);

#endif
