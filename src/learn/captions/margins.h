/* learn/captions/margins.h - how far the labels that fit the captions of photos
 * lie ahead of those that do not; what asml and mms learn from.
 *
 *   hinge_i = [max over labels z of photo i that do not fit of
 *              (loss(z) - D(z)) + min over labels that fit of D(z)]_+      (1)
 *
 * D(z) is the sum over the faces f of D(f, z_f): a distance, or minus a score.
 */
#ifndef AK_LEARN_CAPTIONS_MARGINS_H
#define AK_LEARN_CAPTIONS_MARGINS_H

#include "data/captions/peers.h"

typedef struct ak_margins {
    const ak_peers *peers;
    int64_t p, m;    // names, photos
    double *D;       // n x (p + 1); column p: none of the names
    int32_t *right;  // n: labels that fit
    int32_t *wrong;  // n: those of the first maximum in (1)
    double *hinge;   // m
    int64_t most_faces, most_names;
    struct ak_margins_room *rooms;          // of each worker
    struct ak_assign_room *assign;          // of each worker
    struct ak_infeasible_room *infeasible;  // of each worker
} ak_margins;

/* Scratch memory. */
akin_status ak_margins_begin(ak_margins *s, akin_ctx *ctx,
                             const ak_peers *peers);
/* From D, of the photos in `which` (NULL: all), `count` of them: with `fit`
 * the labels that fit best, then, with `hinge`, (1) for the labels in `right`.
 */
akin_status ak_margins_sweep(ak_margins *s, akin_ctx *ctx, const int64_t *which,
                             int64_t count, bool fit, bool hinge);
/* The mean of the hinges of all photos. */
double ak_margins_mean(const ak_margins *s);

/* The faces of some photos, side by side; how many. Room for most_faces each.
 */
int64_t ak_margins_faces(const ak_margins *s, const int64_t *which,
                         int64_t count, int64_t *faces);

#endif
