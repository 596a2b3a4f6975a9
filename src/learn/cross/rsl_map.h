/* learn/cross/rsl_map.h - how the rows of a side become what rsl learns from,
 * and what was learned becomes a model of the rows again. */
#ifndef AK_LEARN_CROSS_RSL_MAP_H
#define AK_LEARN_CROSS_RSL_MAP_H

#include "learn/cross/kernel_map.h"
#include "learn/cross/rsl.h"

/* The distinct rows of the pairs as samples of both sides, and the pairs in
 * terms of these; a grid's are those of its sides. */
akin_status ak_rsl_samples(ak_kernel_map map[2], int64_t **numbers,
                           akin_ctx *ctx, const ak_pairs *pairs);
/* The side of a map whose way, kernel and samples are set; of more than `most`
 * rows a kernel has that many as support, drawn at random (0: 4000). */
akin_status ak_rsl_map_side(ak_rsl_side *side, akin_ctx *ctx,
                            ak_kernel_map *map, int64_t most);
/* The model of a point: left and right embed as sqrt(s) U'x and sqrt(s) V'y,
 * x and y from their mean and scaled as the sides are. */
akin_status ak_rsl_model(akin_model **out, akin_ctx *ctx, const ak_rsl *p,
                         const ak_kernel_map map[2], akin_compare by);
/* *m, the model of the point learned from a grid, compares by the shares of the
 * classes' middles instead (rsl_classes.c); it stays where all rows are 0. */
akin_status ak_rsl_prototypes(akin_model **m, akin_ctx *ctx, const ak_rsl *p,
                              const ak_pairs *pairs);

#endif
