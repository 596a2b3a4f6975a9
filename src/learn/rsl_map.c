#include "learn/rsl_map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "la/tall.h"
#include "model/factored.h"

enum { MOST_SUPPORT = 4000, ROW_BLOCK = 16 };

/* Samples of one side: the rows in place `key` of the pairs, renumbered. */
static akin_status distinct(ak_rsl_map *map, akin_ctx *ctx,
                            const ak_pairs *pairs, int key, int64_t *numbers)
{
    int64_t *number = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, map->rows->n, &number));
    AK_TRY(AK_SCRATCH(ctx, map->rows->n, &map->which));
    for (int64_t t = 0; t < pairs->count; ++t)
        number[pairs->numbers[3 * t + key]] = 1;
    for (int64_t i = 0; i < map->rows->n; ++i)
        if (number[i]) {
            number[i] = map->n;
            map->which[map->n++] = i;
        }
    for (int64_t t = 0; t < pairs->count; ++t)
        numbers[3 * t + key] = number[pairs->numbers[3 * t + key]];
done:
    return st;
}

akin_status ak_rsl_samples(ak_rsl_map map[2], int64_t **numbers, akin_ctx *ctx,
                           const ak_pairs *pairs)
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

static int by_value(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* All rows, or `most` of them. */
static akin_status choose_support(ak_rsl_map *map, akin_ctx *ctx, int64_t most)
{
    const int64_t n = map->rows->n;
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_KERNEL);
    const akin_status st = AK_SCRATCH(ctx, n, &map->support);
    if (st != AKIN_OK)
        return st;
    for (int64_t i = 0; i < n; ++i)
        map->support[i] = i;
    map->m = ak_min_i64(n, most > 0 ? most : MOST_SUPPORT);
    if (map->m == n)
        return AKIN_OK;
    ak_rng_shuffle(&rng, n, map->support);
    qsort(map->support, (size_t)map->m, sizeof *map->support, by_value);
    if (most == 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%d of %" PRId64 " rows support the kernel (--support N)",
               MOST_SUPPORT, n);
    return AKIN_OK;
}

typedef struct job {
    const ak_rsl_map *map;
    const akin_rows *support;
    double *L;  // ROW_BLOCK x m of each worker
    double *Z;
} job;

/* Features of samples: their kernel with the support, times T. */
static akin_status features_block(void *arg, int64_t begin, int64_t end,
                                  int64_t worker)
{
    const job *b = arg;
    const ak_rsl_map *map = b->map;
    const int64_t m = map->m, r = map->r;
    double *L = b->L + worker * ROW_BLOCK * m;
    for (int64_t i = begin; i < end; ++i)
        for (int64_t j = 0; j < m; ++j)
            L[(i - begin) * m + j] = ak_kernel_value(&map->kernel, map->rows,
                                                     map->which[i], map->rows,
                                                     map->support[j]);
    return ak_gemm(NULL, false, false, end - begin, r, m, 1.0, L, m, map->T, r,
                   0.0, b->Z + begin * r, r);
}

/* The samples among all rows, whose features are there already. */
static void pick(const ak_rsl_map *map, const double *all, double *Z)
{
    for (int64_t i = 0; i < map->n; ++i)
        memcpy(Z + i * map->r, all + map->which[i] * map->r,
               (size_t)map->r * sizeof *Z);
}

static akin_status features(double **Z, akin_ctx *ctx, ak_rsl_map *map)
{
    const int64_t m = map->m;
    akin_rows *support = NULL;
    double *K = NULL, *all = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m * m, &K));
    if (map->way == AK_RSL_GIVEN)
        AK_TRY(ak_kernel_given(K, ctx, map->rows));
    else
        AK_TRY(akin_rows_select(&support, ctx, map->rows, map->support, m));
    if (map->way == AK_RSL_KERNEL)
        AK_TRY(ak_kernel_matrix(K, ctx, &map->kernel, support, NULL));
    AK_TRY(ak_rsl_features(&map->T, &all, &map->r, ctx, m, K));
    AK_TRY(AK_SCRATCH(ctx, map->n * map->r, Z));
    if (m == map->rows->n) {
        pick(map, all, *Z);
    } else {
        job b = {map, support, NULL, *Z};
        AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * ROW_BLOCK * m, &b.L));
        AK_TRY(ak_parallel_for(ctx, map->n, ROW_BLOCK, features_block, &b));
    }
done:
    akin_rows_free(support);
    return st;
}

akin_status ak_rsl_map_side(ak_rsl_side *side, akin_ctx *ctx, ak_rsl_map *map,
                            int64_t most)
{
    double *Z = NULL;
    akin_status st = AKIN_OK;
    if (map->way == AK_RSL_PLAIN)
        return ak_rsl_side_rows(side, ctx, map->rows, map->which, map->n);
    if (map->way == AK_RSL_KERNEL)
        AK_TRY(ak_kernel_fit(&map->kernel, ctx, map->rows));
    AK_TRY(choose_support(map, ctx,
                          map->way == AK_RSL_GIVEN ? map->rows->n : most));
    AK_TRY(features(&Z, ctx, map));
    ak_rsl_side_dense(side, map->n, map->r, Z);
done:
    return st;
}

/* F = scale U diag(sqrt s) of a side, by way of T where there is a kernel, and
 * the offset that goes with the mean. */
static akin_status factors(double **F, double **offset, akin_ctx *ctx,
                           const ak_rsl_side *side, const ak_rsl_map *map,
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
    *F = A;
    if (map->way == AK_RSL_PLAIN)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, map->m * k, F));
    AK_TRY(ak_tall_multiply(ctx, map->m, map->r, 1.0, map->T, map->r, k, A, 0.0,
                            *F));
done:
    return st;
}

/* A kernel that is given: the linear one with unit vectors. */
static akin_status unit_rows(akin_rows **out, akin_ctx *ctx, int64_t n)
{
    int64_t *offsets = NULL;
    int32_t *cols = NULL;
    float *vals = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_TRY(AK_SCRATCH(ctx, n, &cols));
    AK_TRY(AK_SCRATCH(ctx, n, &vals));
    for (int64_t i = 0; i < n; ++i) {
        offsets[i + 1] = i + 1;
        cols[i] = (int32_t)i;
        vals[i] = 1.0f;
    }
    AK_TRY(akin_rows_new_sparse(out, ctx, n, n, offsets, cols, vals));
done:
    return st;
}

static akin_status kernel_model(akin_model **out, akin_ctx *ctx, int64_t k,
                                const ak_rsl_map map[2], double *const F[2],
                                double *const offset[2], akin_compare by)
{
    akin_rows *unit[2] = {NULL, NULL};
    ak_kernel_part part[2];
    akin_status st = AKIN_OK;
    for (int side = 0; side < 2; ++side) {
        part[side] = (ak_kernel_part){map[side].kernel,  map[side].rows,
                                      map[side].support, map[side].m,
                                      F[side],           offset[side]};
        if (map[side].way != AK_RSL_GIVEN)
            continue;
        AK_TRY(unit_rows(&unit[side], ctx, map[side].m));
        part[side].rows = unit[side];
        part[side].kernel = (ak_kernel){.kind = AK_KERNEL_LINEAR};
    }
    AK_TRY(ak_kernel_model_new(out, ctx, part, k, by));
done:
    akin_rows_free(unit[0]);
    akin_rows_free(unit[1]);
    return st;
}

akin_status ak_rsl_model(akin_model **out, akin_ctx *ctx, const ak_rsl *p,
                         const ak_rsl_map map[2], akin_compare by)
{
    const int64_t k = p->shape.k;
    const ak_fixed_point x = p->now.x;
    double *F[2], *offset[2];
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    for (int side = 0; side < 2; ++side)
        AK_TRY(factors(&F[side], &offset[side], ctx, &p->side[side], &map[side],
                       k, side ? x.V : x.U, x.s));
    if (map[0].way == AK_RSL_KERNEL || map[1].way == AK_RSL_KERNEL) {
        AK_TRY(kernel_model(&m, ctx, k, map, F, offset, by));
    } else {
        AK_TRY(ak_factored_new(&m, ctx, map[0].rows->d, map[1].rows->d, k, F[0],
                               F[1], by));
        AK_TRY(ak_factored_set_offsets(m, ctx, offset[0], offset[1]));
    }
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}
