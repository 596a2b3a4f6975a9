/* mildml as a learner: learn/captions/mildml.h has (1) to (3). */
#include "learn/captions/faces.h"
#include "learn/captions/mildml.h"
#include "learn/metric/metrics.h"
#include "opt/lbfgs.h"

static akin_status mildml_learn(akin_model **out, akin_ctx *ctx,
                                const akin_options *head,
                                const akin_supervision *data,
                                akin_learn_info *info)
{
    const akin_mildml_options *o = (const akin_mildml_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_mildml s;
    double *Lb;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_rows(ctx, head, data->rows));
    AK_TRY(ak_faces_of(&x, ctx, data));
    AK_TRY(ak_mildml_begin(&s, ctx, &x.peers, x.d, x.X, o->rank));
    AK_TRY(AK_SCRATCH(ctx, x.d * s.k + 1, &Lb));
    AK_TRY(ak_mildml_start(&s, ctx, Lb));
    ak_lbfgs p = {.n = x.d * s.k + 1,
                  .x = Lb,
                  .tol = o->tol,
                  .max_iterations = o->iterations};
    AK_TRY(ak_lbfgs_run(&p, ctx, ak_mildml_value, &s));
    AK_TRY(ak_metric_of_transform(out, ctx, x.d, s.k, Lb));
    ak_faces_ended(info, p.converged, p.iterations, s.pairs, p.value);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_mildml_options, rank, 1, 1e6,
                   "dimensions of the learned space", 16, 32, 64, 128),
    AK_OPTION(akin_mildml_options, tol, 0.0, 1.0,
              "relative progress in ten iterations that still counts"),
    AK_OPTION(akin_mildml_options, iterations, 1, 1e9,
              "iterations at the most"),
};
AK_OPTIONS_COVER(akin_mildml_options, options);

static const akin_mildml_options defaults = AKIN_MILDML_DEFAULTS;

const ak_learner ak_learner_mildml = {
    .info =
        {
            .name = "mildml",
            .summary = "a metric from photos that share a name",
            .when = "captioned photos with few faces and right captions",
            .paper = "guillaumin2010mildml",
            .takes = AKIN_BAGS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_faces,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = mildml_learn,
};
