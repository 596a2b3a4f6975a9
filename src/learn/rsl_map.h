/* learn/rsl_map.h - how the rows of a side become what rsl learns from, and
 * what was learned becomes a model of the rows again. */
#ifndef AK_LEARN_RSL_MAP_H
#define AK_LEARN_RSL_MAP_H

#include "learn/rsl.h"
#include "model/kernel.h"

/* One side: its rows as they are, by a kernel, or as a kernel themselves. */
typedef enum { AK_RSL_PLAIN, AK_RSL_KERNEL, AK_RSL_GIVEN } ak_rsl_way;

typedef struct ak_rsl_map {
    ak_rsl_way way;
    ak_kernel kernel;
    const akin_rows *rows;
    int64_t n;  // samples: rows which[0..n)
    int64_t *which;
    int64_t m;  // support rows: support[0..m)
    int64_t *support;
    int64_t r;  // features of a kernel
    double *T;  // m x r, see ak_rsl_features
} ak_rsl_map;

/* The distinct rows of the pairs as samples of both sides, and the pairs in
 * terms of these; a grid's are those of its sides. */
akin_status ak_rsl_samples(ak_rsl_map map[2], int64_t **numbers, akin_ctx *ctx,
                           const ak_pairs *pairs);
/* The side of a map whose way, kernel and samples are set; of more than `most`
 * rows a kernel has that many as support, drawn at random (0: 4000). */
akin_status ak_rsl_map_side(ak_rsl_side *side, akin_ctx *ctx, ak_rsl_map *map,
                            int64_t most);
/* The model of a point: left and right embed as sqrt(s) U'x and sqrt(s) V'y,
 * x and y from their mean and scaled as the sides are. */
akin_status ak_rsl_model(akin_model **out, akin_ctx *ctx, const ak_rsl *p,
                         const ak_rsl_map map[2], akin_compare by);

#endif
