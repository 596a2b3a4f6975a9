#include "learn/cross/span.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "la/tall.h"
#include "learn/metric/constraints.h"

akin_status ak_side_matrix(double **out, akin_ctx *ctx, const akin_rows *rows,
                           const int64_t *which, int64_t n, int64_t most)
{
    if (n > most / rows->d)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows of %" PRId64
                       " columns are too many for a full matrix (at most "
                       "%" PRId64 " numbers)",
                       n, rows->d, most);
    return ak_rows_matrix(out, ctx, rows, which, n);
}

akin_status ak_side_check_columns(akin_ctx *ctx, const ak_pairs *p,
                                  const char *what)
{
    if (p->left->d == p->right->d)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_ESHAPE,
                   "%s requires the same columns on both sides (left rows "
                   "have %" PRId64 ", right rows %" PRId64 ")",
                   what, p->left->d, p->right->d);
}

/* n rows with more than n columns need only n numbers each: X' = P R, Z = R'.
 */
static akin_status reduce(ak_span *s, akin_ctx *ctx, int64_t d)
{
    const int64_t n = s->n;
    double *X = s->Z, *R;
    s->r = n;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * n, &R, &s->Z));
    AK_CHECK(AK_SCRATCH(ctx, d * n, &s->P));
    ak_transpose(n, d, X, s->P);
    AK_CHECK(ak_qr(ctx, d, n, s->P, R));
    ak_transpose(n, n, R, s->Z);
    return AKIN_OK;
}

static akin_status center(ak_span *s, akin_ctx *ctx)
{
    AK_CHECK(AK_SCRATCH(ctx, s->r, &s->mean));
    for (int64_t i = 0; i < s->n; ++i)
        ak_axpy(s->r, 1.0 / (double)s->n, s->Z + i * s->r, s->mean);
    for (int64_t i = 0; i < s->n; ++i)
        ak_axpy(s->r, -1.0, s->mean, s->Z + i * s->r);
    return AKIN_OK;
}

static void make_unit(ak_span *s)
{
    const int64_t size = s->n * s->r;
    const double square = ak_dot(size, s->Z, s->Z) / (double)s->n;
    if (square > 0.0)
        s->scale = 1.0 / sqrt(square);
    for (int64_t k = 0; k < size; ++k)
        s->Z[k] *= s->scale;
}

/* Open a side whose s->map is chosen. */
static akin_status open_side(ak_span *s, akin_ctx *ctx, const akin_rows *rows,
                             const ak_grid_side *side, const ak_span_options *o)
{
    s->scale = 1.0;
    s->map.rows = rows;
    s->map.which = side->rows;
    s->map.n = s->n = side->n;
    if (s->map.way == AK_MAP_PLAIN) {
        s->r = rows->d;
        AK_CHECK(ak_side_matrix(&s->Z, ctx, rows, side->rows, side->n,
                                AK_SIDE_MOST));
        if (o->reduce && rows->d > s->n)
            AK_CHECK(reduce(s, ctx, rows->d));
        return AKIN_OK;
    }
    AK_CHECK(ak_kernel_map_features(&s->Z, ctx, &s->map, o->support));
    s->r = s->map.r;
    if (strcmp(o->origin, "mean") == 0)
        AK_CHECK(center(s, ctx));
    if (strcmp(o->length, "one") == 0)
        make_unit(s);
    return AKIN_OK;
}

akin_status ak_span_open(ak_span *s, akin_ctx *ctx, const akin_rows *rows,
                         const ak_grid_side *side, const ak_span_options *o)
{
    ak_kernel_map map[2] = {{0}, {0}};
    ak_kernel_map_choose(map, &o->kernel);
    *s = (ak_span){.map = map[0]};
    return open_side(s, ctx, rows, side, o);
}

static akin_status every_row(ak_grid_side *side, akin_ctx *ctx,
                             const akin_rows *rows)
{
    *side = (ak_grid_side){.n = rows->n};
    const akin_status st = AK_SCRATCH(ctx, rows->n, &side->rows);
    for (int64_t i = 0; st == AKIN_OK && i < rows->n; ++i)
        side->rows[i] = i;
    return st;
}

akin_status ak_span_open_sides(ak_span s[2], akin_ctx *ctx, const ak_pairs *p,
                               bool labelled, const ak_span_options *o)
{
    ak_kernel_map map[2] = {{0}, {0}};
    ak_kernel_map_choose(map, &o->kernel);
    for (int side = 0; side < 2; ++side) {
        const akin_rows *rows = side ? p->right : p->left;
        ak_grid_side own = p->side[side];
        if (!labelled)
            AK_CHECK(every_row(&own, ctx, rows));
        s[side] = (ak_span){.map = map[side]};
        AK_CHECK(ak_kernel_map_blame(
            ctx, open_side(&s[side], ctx, rows, &own, o), side));
    }
    return AKIN_OK;
}

/* F and offset (NULL: 0) of A, r x k. */
static akin_status span_factors(double **F, double **offset, akin_ctx *ctx,
                                const ak_span *s, int64_t k, const double *A)
{
    const int64_t d = s->map.rows->d;
    double *B;
    *offset = NULL;
    AK_CHECK(AK_SCRATCH(ctx, s->r * k, &B));
    for (int64_t i = 0; i < s->r * k; ++i)
        B[i] = s->scale * A[i];
    if (s->map.way != AK_MAP_PLAIN)
        AK_CHECK(AK_SCRATCH(ctx, k, offset));
    if (s->mean != NULL)
        AK_CHECK(ak_tall_cross(ctx, s->r, 1, s->mean, k, B, *offset));
    AK_CHECK(ak_kernel_map_factors(F, ctx, &s->map, k, B));
    if (s->P == NULL)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, d * k, F));
    return ak_gemm(ctx, false, false, d, k, s->r, 1.0, s->P, s->r, B, k, 0.0,
                   *F, k);
}

akin_status ak_span_model(akin_model **out, akin_ctx *ctx, const ak_span s[2],
                          int64_t k, double *const A[2], akin_compare by)
{
    const ak_kernel_map map[2] = {s[0].map, s[1].map};
    double *F[2], *offset[2];
    for (int side = 0; side < 2; ++side)
        AK_CHECK(
            span_factors(&F[side], &offset[side], ctx, &s[side], k, A[side]));
    for (int side = 0; side < 2; ++side)
        if (offset[side] == NULL && offset[1 - side] != NULL)
            AK_CHECK(AK_SCRATCH(ctx, k, &offset[side]));
    return ak_kernel_map_model(out, ctx, map, k, F, offset, by);
}

akin_status ak_span_ranker(akin_model **out, akin_ctx *ctx, const ak_span *s,
                           ak_labels labels, const double *A, const double *b)
{
    akin_rows *unit = NULL;
    ak_kernel_part part;
    double *F, *offset;
    akin_status st = AKIN_OK;
    AK_TRY(span_factors(&F, &offset, ctx, s, labels.n, A));
    if (s->map.way == AK_MAP_PLAIN) {
        AK_TRY(ak_ranker_new(out, ctx, labels, s->map.rows->d, F));
        if (b != NULL)
            AK_TRY(ak_ranker_set_offsets(*out, ctx, b));
        goto done;
    }
    for (int64_t c = 0; c < labels.n && b != NULL; ++c)
        offset[c] -= b[c];
    AK_TRY(ak_kernel_map_part(&part, &unit, ctx, &s->map, F, offset));
    AK_TRY(ak_ranker_new_kernel(out, ctx, labels, &part));
done:
    akin_rows_free(unit);
    return st;
}
