/* naming/shape.h - how many faces of a photo have a name, given how many faces
 * it shows and how many names its caption has; inside naming/ alone.
 *
 *   t(j) = log p(j | n, r) - log (n over j) (r over j) j!
 *
 * p counts photos as they are named, the rest the ways to give j names. It is
 * what a photo adds to log-odds of its faces. */
#ifndef AK_NAMING_SHAPE_H
#define AK_NAMING_SHAPE_H

#include "data/captions/peers.h"

enum { AK_SHAPE_SIDE = 9 };  // photos of more faces or names add nothing

typedef struct ak_shape {
    bool known;
    double t[AK_SHAPE_SIDE][AK_SHAPE_SIDE][AK_SHAPE_SIDE];  // n, r, j
} ak_shape;

/* t from photos as labels name them. */
void ak_shape_learn(ak_shape *s, const ak_peers *peers, const int32_t *labels);

/* A photo of which `taken` faces are named and more can be. */
typedef struct ak_shape_photo {
    const ak_shape *shape;
    int64_t n, r, taken;
} ak_shape_photo;

/* Adds t(j) - t(j - 1) to `count` gains and pools them until they fall, if only
 * by a trace, so that as many as lie above theta are the best number of names.
 */
void ak_shape_gains(const ak_shape_photo *x, int64_t count, double *gains);

/* The score of no name at which an assignment by scores alone finds as many
 * names as theta and t do together. `pooled` is work, as long as `gains`. */
double ak_shape_theta(const ak_shape_photo *x, int64_t count,
                      const double *gains, double *pooled, double theta);

#endif
