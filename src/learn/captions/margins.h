/* learn/captions/margins.h - margins between the labels of a photo that fit its
 * caption and those that do not; what asml and mms learn from.
 *
 *   hinge_i = [max over labels z of photo i that do not fit of
 *              (loss(z) - D(z)) + min over labels that fit of D(z)]_+      (1)
 *
 * D(z) is the sum over the faces f of D(f, z_f): a distance, or minus a score.
 * (1) is a difference of convex functions. The concave-convex procedure fixes
 * the labels that fit best and minimises what is then convex, by steps
 *
 *   x <- x - slope / (sigma (t + t0)),  t = 1, 2, ...                     (2)
 *
 * on batches of photos, and repeats. Later rounds start with a large t0: t = 1
 * would forget the solution of the round before. */
#ifndef AK_LEARN_CAPTIONS_MARGINS_H
#define AK_LEARN_CAPTIONS_MARGINS_H

#include "data/captions/shared_names.h"
#include "learn/learner.h"

typedef struct ak_margins {
    const ak_shared_names *peers;
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
                             const ak_shared_names *peers);
/* From D, of the photos in `which` (NULL: all), `count` of them: with `fit`
 * the labels that fit best, then (1) for the labels in `right`. */
akin_status ak_margins_sweep(ak_margins *s, akin_ctx *ctx, const int64_t *which,
                             int64_t count, bool fit);
/* The mean of the hinges of all photos. */
double ak_margins_mean(const ak_margins *s);

/* The faces of some photos; returns how many. `faces` has space for most_faces
 * a photo. */
int64_t ak_margins_faces(const ak_margins *s, const int64_t *which,
                         int64_t count, int64_t *faces);

/* ---- the best labels that do not fit ------------------------------------- */

/* n faces; D[f * stride + q] is the distance of face f to name q (0..p-1) and
 * to "no name" (q = p); INFINITY: no face can have it. The caption has the
 * n_caption names in caption[], increasing. */
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

/* `count` of them, for photos of at most n faces and n_caption names; scratch
 * memory. */
akin_status ak_infeasible_rooms(ak_infeasible_room **out, akin_ctx *ctx,
                                int64_t count, int64_t n, int64_t p,
                                int64_t n_caption);

/* Faces that must change until labels z (n, in 0..p) fit the caption: those
 * with a name that it does not have, and all but one of those with the same
 * name. */
int64_t ak_infeasible_loss(const ak_photo *photo, const int32_t *z,
                           const ak_infeasible_room *room);

/* The largest value of loss(z) - sum_f D(f, z_f) over the labellings z that do
 * not fit the caption; -INFINITY when there is none. Exact, but for photos
 * whose search would pass a million steps. */
double ak_infeasible_max(const ak_photo *photo, int32_t *z,
                         const ak_infeasible_room *room);

/* ---- the concave-convex procedure ---------------------------------------- */

typedef struct ak_cccp {
    void *arg;
    int64_t size;  // numbers in x
    int64_t m;     // photos
    double sigma;  // weight of |x|^2 / 2, by which steps shorten
    /* The value at x; the labels that fit are then those that fit best. */
    akin_status (*objective)(double *out, void *arg, akin_ctx *ctx,
                             const double *x);
    /* One step of this length on `n` photos, with the labels as they are. */
    akin_status (*step)(double *x, void *arg, akin_ctx *ctx,
                        const int64_t *which, int64_t n, double eta);
} ak_cccp;

typedef struct ak_cccp_params {
    int64_t outer;   // rounds
    int64_t epochs;  // passes over the photos in each
    int64_t batch;   // photos a step; 0: all
    double eps;      // |x - x_prev| at which it stops
} ak_cccp_params;

/* The same as options of a learner; `x` names what is learned. */
#define AK_CCCP_OPTIONS(struct_, x)                                 \
    AK_OPTION(struct_, outer, 1, 1e6,                               \
              "rounds, each with the labels that fit best"),        \
        AK_OPTION(struct_, epochs, 1, 1e6,                          \
                  "passes over the photos in a round"),             \
        AK_OPTION(struct_, batch, 0, 1e9, "photos a step; 0: all"), \
        AK_OPTION(struct_, eps, 0.0, 1.0,                           \
                  "change of the " x " in a round that ends it")

typedef struct ak_cccp_result {
    double objective;
    int64_t outer;
    bool converged;
} ak_cccp_result;

/* (2) on the photos in `order`, `batch` of them at a time; progress counts on
 * from `done` photos. */
akin_status ak_cccp_steps(double *x, const ak_cccp *r, akin_ctx *ctx,
                          const int64_t *order, int64_t n_order, int64_t batch,
                          double t0, int64_t done);
/* Start at x; the best x seen is kept. */
akin_status ak_cccp_run(ak_cccp_result *out, double *x, const ak_cccp *r,
                        akin_ctx *ctx, const ak_cccp_params *p);

#endif
