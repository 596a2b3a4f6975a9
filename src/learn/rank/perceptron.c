/* The perceptron for ranked labels: a full matrix, learned online;
 * learn/rank/rank.h has (1) to (5).
 *   [1] Shalit, Weinshall, Chechik. Online learning in the embedded manifold of
 *       low-rank matrices. JMLR 13:429-458, 2012. Section 7.2.
 *
 *   W <- W + eta u x'   where the loss is not 0, from W = 0       (6)
 *
 * W is kept by feature. The scores of a row cost its non-zeros times the
 * labels, a step its non-zeros times the labels in u. */
#include <string.h>

#include "learn/rank/rank.h"

typedef struct perceptron {
    ak_rank rank;
    double eta;
    double *W;  // d x n
} perceptron;

static void perceptron_scores(void *state, ak_spvec x, double *scores)
{
    const perceptron *s = state;
    ak_rows_project(s->rank.n, s->W, x, scores);
}

static double perceptron_score(void *state, ak_spvec x, int64_t label)
{
    const perceptron *s = state;
    return ak_rank_score(&s->rank, s->W, x, label);
}

static akin_status perceptron_step(void *state, akin_ctx *ctx)
{
    perceptron *s = state;
    (void)ctx;
    ak_rank_add(&s->rank, s->eta, s->W);  // (6)
    return AKIN_OK;
}

static void perceptron_free(void *state)
{
    perceptron *s = state;
    if (s == NULL)
        return;
    ak_rank_end(&s->rank);
    akin_free(s->W);
    akin_free(s);
}

static const ak_rank_rule rule = {NULL, perceptron_scores, perceptron_score,
                                  perceptron_step};

static akin_status perceptron_begin(void **state, akin_ctx *ctx,
                                    const ak_online_input *in)
{
    const akin_perceptron_options *o =
        (const akin_perceptron_options *)in->options;
    perceptron *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->eta = o->eta;
    AK_TRY(ak_rank_begin(&s->rank, ctx, &rule, o->ybar, in->data, in->resume));
    AK_TRY(ak_alloc(ctx, s->rank.d, (size_t)s->rank.n * sizeof *s->W, &s->W));
    *state = s;
    s = NULL;
done:
    perceptron_free(s);
    return st;
}

static akin_status perceptron_model(akin_model **out, akin_ctx *ctx,
                                    void *state)
{
    const perceptron *s = state;
    return ak_ranker_new(out, ctx, ak_rank_labels(&s->rank), s->rank.d, s->W);
}

/* W is in the model already. */
static akin_status perceptron_save(const void *state, akin_ctx *ctx,
                                   ak_tensors *t)
{
    const perceptron *s = state;
    return ak_rank_save(&s->rank, ctx, t);
}

static akin_status perceptron_resume(void *state, akin_ctx *ctx,
                                     const akin_model *model)
{
    perceptron *s = state;
    const int64_t n = s->rank.n;
    if (ak_ranker_W(model) == NULL || ak_ranker_labels(model).n != n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "the model is not one of a perceptron");
    memcpy(s->W, ak_ranker_W(model), (size_t)(s->rank.d * n) * sizeof *s->W);
    return AKIN_OK;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_perceptron_options, eta, 1e-12, 1e6, "step size", 0.03,
                   0.1, 0.3, 1.0),
    AK_RANK_YBAR(akin_perceptron_options),
};
AK_OPTIONS_COVER(akin_perceptron_options, options);

static const akin_perceptron_options defaults = AKIN_PERCEPTRON_DEFAULTS;

static const ak_online rank = {
    .begin = perceptron_begin,
    .observe = ak_rank_observe,
    .model = perceptron_model,
    .save = perceptron_save,
    .resume = perceptron_resume,
    .free = perceptron_free,
};

const ak_learner ak_learner_perceptron = {
    .info =
        {
            .name = "perceptron",
            .summary = "ranks labels by a full matrix, learned online",
            .when = "ranking labels, few enough for a full matrix",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS,
            .makes = "ranker",
            .is_online = 1,
            .recipe = &ak_recipe_counts,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .rank = &rank,
};
