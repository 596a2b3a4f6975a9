/* S3ML: a sparse metric from few pairs and many rows without any.
 *   [1] Liu, Ma, Tao, Liu, Liu. Semi-supervised sparse metric learning using
 *       alternating linearization optimization. KDD 2010.
 *
 * The pairs are spread to all rows along the graph of nearest neighbours
 * (learn/sparse/affinity.h, [1] eqs. 6 to 10), and the metric is that of
 * learn/sparse/sparse_metric.h, [1] eq. 13. [1] prints W_ij = -1 for dissimilar
 * pairs and starts from the inverse covariance: --pair-weights printed --start
 * covariance. */
#include "learn/sparse/sparse_metric.h"

static akin_status s3ml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    static const ak_sparse_metric form = {.spreads = true};
    return ak_sparse_metric_learn(out, ctx, head, data, info, &form);
}

static const akin_option options[] = {
    AK_SPARSE_METRIC_OPTIONS(akin_s3ml_options),
    AK_OPTION(akin_s3ml_options, neighbours, 1, 1e6,
              "nearest rows that a row takes its pairs from"),
    AK_OPTION(akin_s3ml_options, alpha, 0.0, 0.99,
              "share that comes from them in each step"),
    AK_OPTION(akin_s3ml_options, theta, 0.0, 1.0,
              "affinities below this are left out; 0: none"),
};
AK_OPTIONS_COVER(akin_s3ml_options, options);

static const akin_s3ml_options defaults = AKIN_S3ML_DEFAULTS;

const ak_learner ak_learner_s3ml = {
    .info =
        {
            .name = "s3ml",
            .summary = "sparse metric from few pairs, spread to all rows",
            .when = "few labels, many rows, up to some thousand columns",
            .paper = "liu2010s3ml",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .weighs_pairs = 1,
            .recipe = &ak_recipe_minmax,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = s3ml_learn,
};
