/* S2ML: s3ml from the pairs alone, W = W0; learn/sparse/sparse_metric.h has the
 * equations.
 *   [1] Liu, Ma, Tao, Liu, Liu. Semi-supervised sparse metric learning using
 *       alternating linearization optimization. KDD 2010. */
#include "learn/sparse/sparse_metric.h"

static akin_status s2ml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    static const ak_sparse_metric form = {0};
    return ak_sparse_metric_learn(out, ctx, head, data, info, &form);
}

static const akin_option options[] = {
    AK_SPARSE_METRIC_OPTIONS(akin_s2ml_options),
};
AK_OPTIONS_COVER(akin_s2ml_options, options);

static const akin_s2ml_options defaults = AKIN_S2ML_DEFAULTS;

const ak_learner ak_learner_s2ml = {
    .info =
        {
            .name = "s2ml",
            .summary = "sparse metric from pairs alone",
            .when = "pairs or few labels, up to some thousand columns",
            .paper = "liu2010s3ml",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .weighs_pairs = 1,
            .recipe = &ak_recipe_minmax,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = s2ml_learn,
};
