#include "learn/cross/cross.h"

#include <string.h>

#include "la/dense.h"

static void fetch(const akin_rows *rows, int64_t i, double *out)
{
    if (rows->offsets == NULL) {
        const float *x = ak_rows_dense(rows, i);
        for (int64_t j = 0; j < rows->d; ++j)
            out[j] = x[j];
        return;
    }
    const ak_sparse x = ak_rows_sparse(rows, i);
    memset(out, 0, (size_t)rows->d * sizeof *out);
    for (int64_t k = 0; k < x.n; ++k)
        out[x.cols[k]] = x.vals[k];
}

static akin_status make(double **out, akin_ctx *ctx, int64_t n, int64_t d,
                        int64_t most)
{
    if (n > most / d)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows of %" PRId64
                       " columns are too many for a full matrix (at most "
                       "%" PRId64 " numbers)",
                       n, d, most);
    return ak_scratch(ctx, n * d, sizeof **out, out);
}

akin_status ak_cross_dense(double **out, akin_ctx *ctx, const akin_rows *rows,
                           int64_t most)
{
    const akin_status st = make(out, ctx, rows->n, rows->d, most);
    for (int64_t i = 0; st == AKIN_OK && i < rows->n; ++i)
        fetch(rows, i, *out + i * rows->d);
    return st;
}

akin_status ak_cross_side(double **out, akin_ctx *ctx, const akin_rows *rows,
                          const ak_grid_side *side, int64_t most)
{
    const akin_status st = make(out, ctx, side->n, rows->d, most);
    for (int64_t a = 0; st == AKIN_OK && a < side->n; ++a)
        fetch(rows, side->rows[a], *out + a * rows->d);
    return st;
}

static void match(double *degree[2], double *Z, const double *Y, int64_t d,
                  int64_t i, int64_t j)
{
    degree[0][i] += 1.0;
    degree[1][j] += 1.0;
    ak_axpy(d, 1.0, Y + j * d, Z + i * d);
}

static void match_one_by_one(const ak_pairs *p, const double *Y,
                             double *degree[2], double *Z)
{
    const ak_grid_side *x = &p->side[0], *y = &p->side[1];
    for (int64_t t = 0; !p->is_grid && t < p->count; ++t)
        if (p->numbers[3 * t + 2] > 0)
            match(degree, Z, Y, p->right->d, p->numbers[3 * t],
                  p->numbers[3 * t + 1]);
    for (int64_t a = 0; a < x->n; ++a)
        for (int64_t b = 0; b < y->n; ++b)
            if (ak_pairs_match(p, a, b))
                match(degree, Z, Y, p->right->d, x->rows[a], y->rows[b]);
}

/* One label a row: the sum over its class serves all rows of it. */
static akin_status match_by_class(akin_ctx *ctx, const ak_pairs *p,
                                  const double *Y, double *degree[2], double *Z)
{
    const int64_t d = p->right->d;
    const ak_grid_side *side = p->side;
    double *sums, *count[2];
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->n_labels * d, &sums));
    AK_TRY(AK_SCRATCH(ctx, p->n_labels, &count[0]));
    AK_TRY(AK_SCRATCH(ctx, p->n_labels, &count[1]));
    for (int s = 0; s < 2; ++s)
        for (int64_t a = 0; a < side[s].n; ++a)
            count[s][side[s].classes[a]] += 1.0;
    for (int64_t b = 0; b < side[1].n; ++b)
        ak_axpy(d, 1.0, Y + side[1].rows[b] * d, sums + side[1].classes[b] * d);
    for (int s = 0; s < 2; ++s)
        for (int64_t a = 0; a < side[s].n; ++a)
            degree[s][side[s].rows[a]] = count[1 - s][side[s].classes[a]];
    for (int64_t a = 0; a < side[0].n; ++a)
        memcpy(Z + side[0].rows[a] * d, sums + side[0].classes[a] * d,
               (size_t)d * sizeof *Z);
done:
    return st;
}

akin_status ak_cross_matches(akin_ctx *ctx, const ak_pairs *p, const double *Y,
                             double *degree[2], double *Z)
{
    memset(Z, 0, (size_t)(p->left->n * p->right->d) * sizeof *Z);
    memset(degree[0], 0, (size_t)p->left->n * sizeof *degree[0]);
    memset(degree[1], 0, (size_t)p->right->n * sizeof *degree[1]);
    if (p->is_grid && p->side[0].classes && p->side[1].classes)
        return match_by_class(ctx, p, Y, degree, Z);
    match_one_by_one(p, Y, degree, Z);
    return AKIN_OK;
}
