/* TF-IDF: no learning, the weights are in the recipe.
 *
 *   x_j = (count_j / total) ln(N / df_j), rows of length 1; S(x, y) = x.y
 *
 * On rows of term frequencies this is the diagonal similarity w_j = idf_j^2. */
#include "learn/learner.h"
#include "model/diagonal.h"

static akin_status tfidf_learn(akin_model **out, akin_ctx *ctx,
                               const akin_options *options,
                               const akin_supervision *data,
                               akin_learn_info *info)
{
    (void)options;
    info->outcome = AKIN_CONVERGED;
    return ak_diagonal_new(out, ctx, akin_rows_dim(data->rows), NULL,
                           AKIN_BY_DOT);
}

static const akin_recipe_options recipe = {sizeof(akin_recipe_options), "tfidf",
                                           "none", "l2", 0};

const ak_learner ak_learner_tfidf = {
    .info =
        {
            .name = "tfidf",
            .summary = "rare words count more; nothing is learned",
            .when = "no supervision yet; the baseline for all learners",
            .paper = "baeza1999ir",
            .takes = AKIN_NOTHING,
            .makes = "diagonal",
            .recipe = &recipe,
            .defaults = &((const akin_tfidf_options)AKIN_TFIDF_DEFAULTS).head,
        },
    .learn = tfidf_learn,
    .is_closed_form = true,
};
