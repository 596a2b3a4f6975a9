/* SDML: s2ml whose penalty leaves the diagonal alone;
 * learn/sparse/sparse_metric.h has the equations. [1] Qi, Tang, Zha, Chua,
 * Zhang. An efficient sparse metric learning in high-dimensional space via
 * l1-penalized log-determinant regularization. ICML 2009. */
#include "learn/sparse/sparse_metric.h"

static akin_status sdml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    static const ak_sparse_metric form = {.off_diagonal = true};
    return ak_sparse_metric_learn(out, ctx, head, data, info, &form);
}

static const akin_option options[] = {
    AK_SPARSE_METRIC_OPTIONS(akin_sdml_options),
};
AK_OPTIONS_COVER(akin_sdml_options, options);

static const akin_sdml_options defaults = AKIN_SDML_DEFAULTS;

const ak_learner ak_learner_sdml = {
    .info =
        {
            .name = "sdml",
            .summary = "sparse metric from pairs, diagonal not penalised",
            .when = "as s2ml; to compare with",
            .paper = "qi2009sdml",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .weighs_pairs = 1,
            .recipe = &ak_recipe_minmax,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = sdml_learn,
};
