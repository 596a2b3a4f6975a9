/* asml as a learner: learn/captions/asml.h has (1) and (2). Faces are scaled to
 * a mean squared distance of 1, because a loss counts faces. */
#include <math.h>

#include "learn/captions/asml.h"
#include "learn/captions/faces.h"
#include "learn/metric/metrics.h"

static akin_status asml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_asml_options *o = (const akin_asml_options *)head;
    const ak_rounds_params p = {o->outer, o->epochs, o->batch, o->eps};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_asml s;
    ak_rounds_result r;
    double *M;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_rows(ctx, head, data->rows));
    AK_TRY(ak_faces_of(&x, ctx, data));
    const double spread = ak_faces_spread(x.n, x.d, x.X);
    const double by = spread > 0.0 ? 1.0 / spread : 1.0;
    for (int64_t k = 0; k < x.n * x.d; ++k)
        x.X[k] *= sqrt(by);
    AK_TRY(ak_asml_begin(&s, ctx, &x.peers, x.d, x.X, o->sigma));
    AK_TRY(AK_SCRATCH(ctx, x.d * x.d, &M));
    for (int64_t k = 0; k < x.d; ++k)
        M[k * x.d + k] = 1.0;
    const ak_rounds rounds = ak_asml_rounds(&s);
    AK_TRY(ak_rounds_fit(&r, M, &rounds, ctx, &p));
    for (int64_t k = 0; k < x.d * x.d; ++k)
        M[k] *= by;
    AK_TRY(ak_metric_learned(out, ctx, data->rows, M, o->rank));
    ak_faces_ended(info, r.converged, r.outer, s.m, r.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_asml_options, sigma, 1e-12, 1e12,
                   "pull towards the plain distance", 1e-3, 1e-2, 1e-1, 1.0),
    AK_ROUNDS_OPTIONS(akin_asml_options, "metric"),
    AK_METRIC_RANK_OPTION(akin_asml_options),
};
AK_OPTIONS_COVER(akin_asml_options, options);

static const akin_asml_options defaults = AKIN_ASML_DEFAULTS;

const ak_learner ak_learner_asml = {
    .info =
        {
            .name = "asml",
            .summary = "a metric from candidate names, by margins",
            .when = "captioned photos; distances between any faces",
            .paper = "xiao2015naming",
            .takes = AKIN_BAGS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_faces,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = asml_learn,
};
