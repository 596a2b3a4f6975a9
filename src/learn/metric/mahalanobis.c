/* The Mahalanobis distance: no learning from examples.
 *
 *   M = (C + ridge tr(C) / d I)^-1,  C the covariance of all rows
 *
 * Without a ridge, directions in which the rows do not vary are left out. */
#include "la/dense.h"
#include "learn/metric/full_metric.h"

static akin_status with_ridge(akin_ctx *ctx, const akin_rows *rows,
                              double ridge, double *M)
{
    const int64_t d = rows->d;
    double trace = 0.0;
    AK_CHECK(ak_covariance(ctx, rows->n, d, ak_fetch_row, rows, M));
    for (int64_t j = 0; j < d; ++j)
        trace += M[j * d + j];
    for (int64_t j = 0; j < d; ++j)
        M[j * d + j] += ridge * trace / (double)d;
    return ak_spd_inverse(ctx, d, M);
}

static akin_status mahalanobis_learn(akin_model **out, akin_ctx *ctx,
                                     const akin_options *head,
                                     const akin_supervision *data,
                                     akin_learn_info *info)
{
    const akin_mahalanobis_options *o = (const akin_mahalanobis_options *)head;
    const akin_rows *rows = data->rows;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *M;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, head, rows));
    AK_TRY(AK_SCRATCH(ctx, rows->d * rows->d, &M));
    if (o->ridge > 0.0)
        AK_TRY(with_ridge(ctx, rows, o->ridge, M));
    else
        AK_TRY(ak_mahalanobis(ctx, rows->n, rows->d, ak_fetch_row, rows, M));
    AK_TRY(ak_metric_learned(out, ctx, rows, M, o->rank));
    info->outcome = AKIN_CONVERGED;
    info->examples = rows->n;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_mahalanobis_options, ridge, 0.0, 1e12,
                   "share of the mean variance that is added to each", 0.0,
                   1e-3, 1e-2, 1e-1, 1.0),
    AK_METRIC_RANK_OPTION(akin_mahalanobis_options),
};

const ak_learner ak_learner_mahalanobis = {
    .info =
        {
            .name = "mahalanobis",
            .shares = "rows",
            .summary = "inverse covariance of the rows; nothing is learned",
            .when = "correlated columns; a baseline",
            .paper = "mahalanobis1936",
            .takes = AKIN_NOTHING,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            AK_OPTION_ROWS(akin_mahalanobis_options, AKIN_MAHALANOBIS_DEFAULTS,
                           options),
        },
    .learn = mahalanobis_learn,
    .is_closed_form = true,
};
