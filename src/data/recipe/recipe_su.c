/* scale=su: the rows in the directions of their principal components, each
 * divided by the square root of its singular value, every row of length 1.
 *
 *   X - 1 mean' = U S V',  R = V S^(-1/2)                              (1)
 *
 * V and S come from the d x d matrix V S^2 V' = (X - 1 mean')'(X - 1 mean'),
 * so n does not matter for memory. Directions without variance are left out.
 * The sum is taken in blocks of rows. */
#include <math.h>
#include <string.h>

#include "data/recipe/recipe_body.h"
#include "la/dense.h"

enum { MOST_COLUMNS = 10000, ROWS_PER_BLOCK = 256 };

/* Squares of singular values have an error of about 1e-16 of the largest. */
static const double least_share = 1e-12;

/* C = (X - 1 mean')'(X - 1 mean'). */
static akin_status scatter_matrix(const akin_recipe *r, akin_ctx *ctx,
                                  const akin_rows *rows, double *C)
{
    const int64_t d = r->d;
    double *X, *XtX;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, ROWS_PER_BLOCK * d, &X));
    AK_TRY(AK_SCRATCH(ctx, d * d, &XtX));
    for (int64_t begin = 0; begin < rows->n; begin += ROWS_PER_BLOCK) {
        const int64_t n = ak_min_i64(ROWS_PER_BLOCK, rows->n - begin);
        for (int64_t i = 0; i < n; ++i)
            ak_recipe_row(r, rows, begin + i, NULL, X + i * d);
        AK_TRY(ak_gram(ctx, true, d, n, X, d, XtX));
        for (int64_t k = 0; k < d * d; ++k)
            C[k] += XtX[k];
        AK_TRY(ak_ctx_tick(ctx, "rows", begin + n, rows->n, NAN));
    }
done:
    return st;
}

/* R from the eigenvectors (columns of V, values rising); its columns are
 * ordered by falling singular value. */
static void fill_rotation(akin_recipe *r, const double *V, const double *values)
{
    const int64_t d = r->d;
    for (int64_t k = 0; k < r->rank; ++k) {
        const int64_t from = d - 1 - k;
        const double by = 1.0 / sqrt(sqrt(values[from]));
        for (int64_t j = 0; j < d; ++j)
            r->rotation[j * r->rank + k] = by * V[j * d + from];
    }
}

akin_status ak_recipe_fit_su(akin_recipe *r, akin_ctx *ctx,
                             const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = r->d;
    double *C, *values;
    int64_t rank = 0;
    akin_status st = AKIN_OK;

    if (d > MOST_COLUMNS)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "scale=su: there are %" PRId64
                       " columns (expected %d or fewer)",
                       d, MOST_COLUMNS));
    AK_TRY(AK_SCRATCH(ctx, d * d, &C));
    AK_TRY(AK_SCRATCH(ctx, d, &values));
    AK_TRY(scatter_matrix(r, ctx, rows, C));
    AK_TRY(ak_eigh(ctx, d, C, values));
    while (rank < d && values[d - 1 - rank] > least_share * values[d - 1])
        ++rank;
    AK_TRY(AK_NEW(ctx, d * rank, &r->rotation));
    r->rank = rank;
    fill_rotation(r, C, values);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
