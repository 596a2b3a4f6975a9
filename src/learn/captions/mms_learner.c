/* mms as a learner: learn/captions/mms.h has (1) and (2). */
#include "learn/captions/faces.h"
#include "learn/captions/mms.h"
#include "learn/captions/name_model.h"

static akin_status mms_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const akin_mms_options *o = (const akin_mms_options *)head;
    const ak_rounds_params p = {o->outer, o->epochs, o->batch, o->eps};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_mms s;
    ak_rounds_result r;
    double *W;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_of(&x, ctx, data));
    AK_TRY(ak_mms_begin(&s, ctx, &x.peers, x.d, x.X, o->sigma));
    AK_TRY(AK_SCRATCH(ctx, x.peers.n_names * x.d, &W));
    ak_mms_start(&s, W);
    const ak_rounds rounds = ak_mms_rounds(&s);
    AK_TRY(ak_rounds_fit(&r, W, &rounds, ctx, &p));
    AK_TRY(ak_name_model_new(out, ctx, data, W, NULL, 0.0));
    ak_faces_ended(info, r.converged, r.outer, s.margins.m, r.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_mms_options, sigma, 1e-12, 1e12,
                   "pull of the weights towards zero", 1e-3, 1e-2, 1e-1, 1.0),
    AK_ROUNDS_OPTIONS(akin_mms_options, "weights"),
};
AK_OPTIONS_COVER(akin_mms_options, options);

static const akin_mms_options defaults = AKIN_MMS_DEFAULTS;

const ak_learner ak_learner_mms = {
    .info =
        {
            .name = "mms",
            .summary = "a linear score for each name, by margins",
            .when = "captioned photos; names for faces that come later",
            .paper = "luo2010mms",
            .takes = AKIN_BAGS,
            .makes = "ranker",
            .recipe = &ak_recipe_faces,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = mms_learn,
};
