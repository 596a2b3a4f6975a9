#include "learn/cross/rsl_map.h"

#include <math.h>
#include <string.h>

#include "la/tall.h"

/* Samples of one side: the rows in place `key` of the pairs, renumbered. */
static akin_status distinct(ak_kernel_map *map, akin_ctx *ctx,
                            const ak_pairs *pairs, int key, int64_t *numbers)
{
    int64_t *number = NULL, *which = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, map->rows->n, &number));
    AK_TRY(AK_SCRATCH(ctx, map->rows->n, &which));
    map->which = which;
    for (int64_t t = 0; t < pairs->count; ++t)
        number[pairs->numbers[3 * t + key]] = 1;
    for (int64_t i = 0; i < map->rows->n; ++i)
        if (number[i]) {
            number[i] = map->n;
            which[map->n++] = i;
        }
    for (int64_t t = 0; t < pairs->count; ++t)
        numbers[3 * t + key] = number[pairs->numbers[3 * t + key]];
done:
    return st;
}

akin_status ak_rsl_samples(ak_kernel_map map[2], int64_t **numbers,
                           akin_ctx *ctx, const ak_pairs *pairs)
{
    akin_status st = AKIN_OK;
    map[0].rows = pairs->left;
    map[1].rows = pairs->right;
    for (int side = 0; side < 2 && pairs->is_grid; ++side) {
        map[side].n = pairs->side[side].n;
        map[side].which = pairs->side[side].rows;
    }
    if (pairs->is_grid)
        return AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 3 * pairs->count, numbers));
    memcpy(*numbers, pairs->numbers,
           (size_t)(3 * pairs->count) * sizeof **numbers);
    for (int side = 0; side < 2; ++side)
        AK_TRY(distinct(&map[side], ctx, pairs, side, *numbers));
done:
    return st;
}

akin_status ak_rsl_map_side(ak_rsl_side *side, akin_ctx *ctx,
                            ak_kernel_map *map, int64_t most)
{
    double *Z = NULL;
    akin_status st = AKIN_OK;
    if (map->way == AK_MAP_PLAIN)
        return ak_rsl_side_rows(side, ctx, map->rows, map->which, map->n);
    AK_TRY(ak_kernel_map_features(&Z, ctx, map, most));
    ak_rsl_side_dense(side, map->n, map->r, Z);
done:
    return st;
}

/* F = scale U diag(sqrt s) of a side, by way of T where there is a kernel, and
 * the offset that goes with the mean. */
static akin_status factors(double **F, double **offset, akin_ctx *ctx,
                           const ak_rsl_side *side, const ak_kernel_map *map,
                           int64_t k, const double *U, const double *s)
{
    double *A = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, side->n * k, &A));
    AK_TRY(AK_SCRATCH(ctx, k, offset));
    for (int64_t i = 0; i < side->n * k; ++i)
        A[i] = side->scale * U[i] * sqrt(s[i % k]);
    if (side->mean != NULL)
        AK_TRY(ak_tall_cross(ctx, side->n, 1, side->mean, k, A, *offset));
    AK_TRY(ak_kernel_map_factors(F, ctx, map, k, A));
done:
    return st;
}

akin_status ak_rsl_model(akin_model **out, akin_ctx *ctx, const ak_rsl *p,
                         const ak_kernel_map map[2], akin_compare by)
{
    const int64_t k = p->shape.k;
    const ak_fixed_point x = p->now.x;
    double *F[2], *offset[2];
    akin_status st = AKIN_OK;
    for (int side = 0; side < 2; ++side)
        AK_TRY(factors(&F[side], &offset[side], ctx, &p->side[side], &map[side],
                       k, side ? x.V : x.U, x.s));
    AK_TRY(ak_kernel_map_model(out, ctx, map, k, F, offset, by));
done:
    return st;
}
