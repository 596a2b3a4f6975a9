#include "learn/cross/kernel_map.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "data/supervision/pairs.h"
#include "la/dense.h"
#include "la/tall.h"
#include "model/factored.h"

enum { MOST_SUPPORT = 4000, ROW_BLOCK = 16 };

void ak_kernel_map_choose(ak_kernel_map map[2], const ak_kernel_choice *o)
{
    const bool same = strcmp(o->kernel_right, "same") == 0;
    const char *word[2] = {o->kernel, same ? o->kernel : o->kernel_right};
    for (int side = 0; side < 2; ++side) {
        const char *other = word[1 - side], *own = word[side];
        if (strcmp(own, "none") == 0 && strcmp(other, "none") != 0 &&
            strcmp(other, "precomputed") != 0)
            own = "linear";
        if (strcmp(own, "none") == 0)
            continue;
        const bool given = strcmp(own, "precomputed") == 0;
        map[side].way = given ? AK_MAP_GIVEN : AK_MAP_KERNEL;
        map[side].kernel =
            (ak_kernel){given ? AK_KERNEL_LINEAR : ak_kernel_find(own),
                        o->gamma, o->coef, o->degree};
    }
}

static int by_value(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

/* All rows, or `most` of them. */
static akin_status choose_support(ak_kernel_map *map, akin_ctx *ctx,
                                  int64_t most)
{
    const int64_t n = map->rows->n;
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_KERNEL);
    AK_CHECK(AK_SCRATCH(ctx, n, &map->support));
    for (int64_t i = 0; i < n; ++i)
        map->support[i] = i;
    map->m = ak_min_i64(n, most > 0 ? most : MOST_SUPPORT);
    if (map->m == n)
        return AKIN_OK;
    ak_rng_shuffle(&rng, n, map->support);
    qsort(map->support, (size_t)map->m, sizeof *map->support, by_value);
    if (most == 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%d of %" PRId64 " rows support the kernel (set by `support`)",
               MOST_SUPPORT, n);
    return AKIN_OK;
}

/* Eigenvalues w, increasing. Rounding to 32 bits makes some slightly negative;
 * larger negative ones show that K is not a kernel. */
static akin_status check_kernel(akin_ctx *ctx, int64_t m, const double *w)
{
    if (w[0] < -1e-5 * fabs(w[m - 1]))
        return ak_fail(ctx, AKIN_EINVAL,
                       "a kernel matrix is not positive semi-definite: its "
                       "smallest eigenvalue is %.3g, its largest %.3g",
                       w[0], w[m - 1]);
    if (!(w[m - 1] > 0.0))
        return ak_fail(ctx, AKIN_EINVAL, "a kernel matrix is all zero");
    return AKIN_OK;
}

akin_status ak_kernel_features(double **T, double **Z, int64_t *r,
                               akin_ctx *ctx, int64_t m, double *K)
{
    double *w = NULL;
    int64_t first = 0;
    AK_CHECK(AK_SCRATCH(ctx, m, &w));
    AK_CHECK(ak_eigh(ctx, m, K, w));
    AK_CHECK(check_kernel(ctx, m, w));
    while (first < m - 1 && !(w[first] > 1e-10 * w[m - 1]))
        ++first;
    *r = m - first;
    AK_CHECK(AK_SCRATCH(ctx, m * *r, T));
    AK_CHECK(AK_SCRATCH(ctx, m * *r, Z));
    for (int64_t i = 0; i < m; ++i)
        for (int64_t c = 0; c < *r; ++c) {
            const double q = K[i * m + m - 1 - c], root = sqrt(w[m - 1 - c]);
            (*T)[i * *r + c] = q / root;
            (*Z)[i * *r + c] = q * root;
        }
    return AKIN_OK;
}

typedef struct job {
    const ak_kernel_map *map;
    const akin_rows *support;
    double *L;  // ROW_BLOCK x m of each worker
    double *Z;
} job;

/* Features of samples: their kernel with the support rows, times T. */
static akin_status features_block(void *arg, int64_t begin, int64_t end,
                                  int64_t worker)
{
    const job *b = arg;
    const ak_kernel_map *map = b->map;
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

/* Pick the samples among all rows, whose features are known. */
static void pick(const ak_kernel_map *map, const double *all, double *Z)
{
    for (int64_t i = 0; i < map->n; ++i)
        memcpy(Z + i * map->r, all + map->which[i] * map->r,
               (size_t)map->r * sizeof *Z);
}

static akin_status make_features(double **Z, akin_ctx *ctx, ak_kernel_map *map)
{
    const int64_t m = map->m;
    akin_rows *support = NULL;
    double *K = NULL, *all = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m * m, &K));
    if (map->way == AK_MAP_GIVEN)
        AK_TRY(ak_kernel_given(K, ctx, map->rows));
    else
        AK_TRY(akin_rows_select(&support, ctx, map->rows, map->support, m));
    if (map->way == AK_MAP_KERNEL)
        AK_TRY(ak_kernel_matrix(K, ctx, &map->kernel, support, NULL));
    AK_TRY(ak_kernel_features(&map->T, &all, &map->r, ctx, m, K));
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

akin_status ak_kernel_map_features(double **Z, akin_ctx *ctx,
                                   ak_kernel_map *map, int64_t most)
{
    if (map->way == AK_MAP_KERNEL)
        AK_CHECK(ak_kernel_fit(&map->kernel, ctx, map->rows));
    AK_CHECK(choose_support(map, ctx,
                            map->way == AK_MAP_GIVEN ? map->rows->n : most));
    return make_features(Z, ctx, map);
}

akin_status ak_kernel_map_blame(akin_ctx *ctx, akin_status st, int side)
{
    char text[256];
    if (st != AKIN_EINVAL && st != AKIN_ESHAPE)
        return st;
    snprintf(text, sizeof text, "%s", akin_ctx_message(ctx));
    return ak_fail(ctx, st, "%s side: %s", ak_side_name(side), text);
}

akin_status ak_kernel_map_rank(akin_ctx *ctx, const ak_kernel_map map[2],
                               const int64_t dim[2], int64_t rank)
{
    const int side = dim[1] < dim[0];
    if (rank <= dim[side])
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "`rank` %" PRId64 " exceeds the dimension of the %s %s, "
                   "%" PRId64,
                   rank, ak_side_name(side),
                   map[side].way == AK_MAP_PLAIN ? "rows" : "kernel",
                   dim[side]);
}

akin_status ak_kernel_map_factors(double **F, akin_ctx *ctx,
                                  const ak_kernel_map *map, int64_t k,
                                  double *A)
{
    *F = A;
    if (map->way == AK_MAP_PLAIN)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, map->m * k, F));
    return ak_tall_multiply(ctx, map->m, map->r, 1.0, map->T, map->r, k, A, 0.0,
                            *F);
}

/* A given kernel matrix is the linear kernel of unit vectors. */
static akin_status unit_rows(akin_rows **out, akin_ctx *ctx, int64_t n)
{
    int64_t *offsets = NULL;
    int32_t *cols = NULL;
    float *vals = NULL;
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &offsets));
    AK_CHECK(AK_SCRATCH(ctx, n, &cols));
    AK_CHECK(AK_SCRATCH(ctx, n, &vals));
    for (int64_t i = 0; i < n; ++i) {
        offsets[i + 1] = i + 1;
        cols[i] = (int32_t)i;
        vals[i] = 1.0f;
    }
    return akin_rows_new_sparse(out, ctx, n, n, offsets, cols, vals);
}

akin_status ak_kernel_map_part(ak_kernel_part *out, akin_rows **unit,
                               akin_ctx *ctx, const ak_kernel_map *map,
                               const double *F, const double *offset)
{
    *out = (ak_kernel_part){map->kernel, map->rows, map->support,
                            map->m,      F,         offset};
    if (map->way != AK_MAP_GIVEN)
        return AKIN_OK;
    AK_CHECK(unit_rows(unit, ctx, map->m));
    out->rows = *unit;
    out->kernel = (ak_kernel){.kind = AK_KERNEL_LINEAR};
    return AKIN_OK;
}

akin_status ak_kernel_map_model(akin_model **out, akin_ctx *ctx,
                                const ak_kernel_map map[2], int64_t k,
                                double *const F[2], double *const offset[2],
                                akin_compare by)
{
    akin_rows *unit[2] = {NULL, NULL};
    ak_kernel_part part[2];
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    if (map[0].way == AK_MAP_KERNEL || map[1].way == AK_MAP_KERNEL) {
        for (int side = 0; side < 2; ++side)
            AK_TRY(ak_kernel_map_part(&part[side], &unit[side], ctx, &map[side],
                                      F[side], offset[side]));
        AK_TRY(ak_kernel_model_new(&m, ctx, part, k, by));
    } else {
        AK_TRY(ak_factored_new(&m, ctx, map[0].rows->d, map[1].rows->d, k, F[0],
                               F[1], by));
        if (offset[0] != NULL)
            AK_TRY(ak_factored_set_offsets(m, ctx, offset[0], offset[1]));
    }
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    akin_rows_free(unit[0]);
    akin_rows_free(unit[1]);
    return st;
}
