/* cluster/begin.h - where k-means begins, and what a batch of it is. */
#ifndef AK_CLUSTER_BEGIN_H
#define AK_CLUSTER_BEGIN_H

#include "base/rng.h"
#include "cluster/kmeans.h"

/* One row of each of `count` equal parts, drawn at random. */
void ak_draw_rows(ak_rng *rng, const ak_points *points, int64_t count,
                  int64_t *which);
/* Words at k points, as the options say. */
akin_status ak_kmeans_begin(ak_codebook **out, akin_ctx *ctx,
                            const ak_points *points,
                            const ak_kmeans_options *o);

#endif
