/* PCA: the directions in which the rows vary most; no learning from examples.
 *   [1] Pearson. On lines and planes of closest fit to systems of points in
 *       space. Philosophical Magazine 2(11):559-572, 1901.
 *
 *   C = V diag(lambda) V',  C the covariance of all rows                  (1)
 *   B = V diag(lambda)^(-whiten / 2),  the first k columns of V           (2)
 *
 * and k, when it is not given, is the smallest for which lambda_1 + ... +
 * lambda_k is the share `variance` of their sum. Distances are those of B'x. */
#include <math.h>

#include "la/dense.h"
#include "learn/metric/full_metric.h"
#include "learn/metric/principal.h"

/* Components of sparse rows at most, where the number is not given. */
enum { SPARSE_MOST = 200 };

static int64_t components(const akin_pca_options *o, const ak_axes *axes)
{
    double sum = 0.0;
    int64_t k = 0;
    if (o->rank > 0)
        return ak_min_i64(o->rank, axes->k);
    while (k < axes->k && (k == 0 || sum < o->variance * axes->all))
        sum += axes->spread[k++];
    return k;
}

/* (1) */
static akin_status axes_of(ak_axes *out, akin_ctx *ctx,
                           const akin_options *head, const akin_rows *rows)
{
    const akin_pca_options *o = (const akin_pca_options *)head;
    const int64_t n = rows->n, d = rows->d;
    double *X, *mean;
    if (rows->offsets != NULL)
        return ak_axes_of_sparse(out, ctx, rows,
                                 o->rank > 0 ? o->rank : SPARSE_MOST);
    AK_CHECK(ak_metric_check_size(ctx, head, rows, n));
    AK_CHECK(ak_rows_matrix(&X, ctx, rows, NULL, n));
    AK_CHECK(AK_SCRATCH(ctx, d, &mean));
    ak_center_rows(n, d, X, mean);
    return ak_axes_of(out, ctx, n, d, X);
}

static akin_status pca_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const akin_pca_options *o = (const akin_pca_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = data->rows->n, d = data->rows->d;
    double *B, kept = 0.0;
    ak_axes axes = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, data->rows));
    AK_TRY(axes_of(&axes, ctx, head, data->rows));
    const int64_t k = components(o, &axes);
    AK_TRY(AK_SCRATCH(ctx, d * k, &B));
    for (int64_t c = 0; c < k; ++c) {
        const double lambda = axes.spread[c] / (double)(n - 1);
        kept += axes.spread[c];
        for (int64_t j = 0; j < d; ++j)
            B[j * k + c] = axes.V[j * axes.k + c] *
                           pow(lambda, -0.5 * o->whiten);  // (2)
    }
    AK_TRY(ak_metric_new_factor(out, ctx, d, k, B, AKIN_BY_DISTANCE));
    AK_TRY(ak_metric_note(*out, ctx, "variance_kept", kept / axes.all));
    info->outcome = axes.converged ? AKIN_CONVERGED : AKIN_STEP_LIMIT;
    info->examples = n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_ZERO(
        akin_pca_options, rank, "auto", 1e6,
        "components kept; auto: as `variance` says, and 200 of sparse "
        "rows at most"),
    AK_OPTION_GRID(akin_pca_options, variance, 0.0, 1.0,
                   "share of the variance that the components keep", 0.8, 0.9,
                   0.95, 0.99),
    AK_OPTION_GRID(akin_pca_options, whiten, 0.0, 1.0,
                   "power of its standard deviation that a component is "
                   "divided by; 1: equal variances",
                   0.0, 0.5, 1.0),
};

const ak_learner ak_learner_pca = {
    .info =
        {
            .name = "pca",
            .shares = "rows; of sparse data also columns",
            .summary = "principal components of the rows; needs no examples",
            .when = "many correlated columns, no labels; a baseline",
            .paper = "pearson1901pca",
            .takes = AKIN_NOTHING,
            .makes = "metric",
            .recipe = &ak_recipe_standard,
            AK_OPTION_ROWS(akin_pca_options, AKIN_PCA_DEFAULTS, options),
        },
    .learn = pca_learn,
    .is_closed_form = true,
};
