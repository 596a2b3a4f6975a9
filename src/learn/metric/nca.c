/* NCA: a neighbour drawn at random is likely to share a label; opt/nca.c has
 * the equations and the reference. */
#include "opt/nca.h"
#include "learn/metric/metrics.h"
#include "opt/lbfgs.h"

static akin_status nca_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const akin_nca_options *o = (const akin_nca_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = data->rows->d;
    ak_labelled known = {.rows = data->rows};
    ak_nca s = {.d = d,
                .rank = ak_metric_rank(o->rank, d),
                .same = ak_labelled_same,
                .arg = &known,
                .lambda = o->lambda};
    ak_lbfgs p = {
        .n = d * s.rank, .tol = o->tol, .max_iterations = o->max_iterations};
    int64_t *which;
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_rows(ctx, head, data->rows));
    AK_TRY(ak_labelled_rows(&which, &s.n, ctx, data));
    AK_TRY(ak_points_of(&X, ctx, data->rows, which, s.n));
    known.which = which;
    s.X = X;
    AK_TRY(ak_nca_begin(&s, ctx));
    AK_TRY(AK_SCRATCH(ctx, p.n, &p.x));
    AK_TRY(ak_metric_start(ctx, s.n, d, X, s.rank, p.x));
    AK_TRY(ak_lbfgs_run(&p, ctx, ak_nca_value, &s));
    AK_TRY(ak_metric_of_transform(out, ctx, d, s.rank, p.x));
    info->examples = s.n;
    ak_metric_ended(info, p.converged, 0, p.iterations, p.value);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_nca_options, lambda, 0.0, 1e12,
                   "weight of small transforms against right neighbours", 0.0,
                   1e-4, 1e-3, 1e-2, 1e-1),
    AK_OPTION(akin_nca_options, tol, 0.0, 1.0,
              "relative progress in ten iterations that still counts"),
    AK_OPTION_GRID(akin_nca_options, max_iterations, 1, 1e9,
                   "iterations at the most; few keep it near the start", 10, 20,
                   50, 200),
    AK_OPTION(akin_nca_options, rank, 0, 1e6,
              "dimensions of the learned space; 0: as many as columns"),
};
AK_OPTIONS_COVER(akin_nca_options, options);

static const akin_nca_options defaults = AKIN_NCA_DEFAULTS;

const ak_learner ak_learner_nca = {
    .info =
        {
            .name = "nca",
            .summary = "transform in which neighbours share a label",
            .when = "labels, few dimensions to look at",
            .paper = "goldberger2005nca",
            .takes = AKIN_LABELS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = nca_learn,
};
