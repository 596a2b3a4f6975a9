/* lr-svm as a learner: learn/captions/lr_svm.h has (1) to (5). */
#include "learn/captions/faces.h"
#include "learn/captions/lr_svm.h"
#include "learn/captions/name_model.h"

static akin_status lr_svm_learn(akin_model **out, akin_ctx *ctx,
                                const akin_options *head,
                                const akin_supervision *data,
                                akin_learn_info *info)
{
    const akin_lr_svm_options *o = (const akin_lr_svm_options *)head;
    const ak_lr_svm_params p = {o->sparse, o->rho, o->delta_rho, o->eps,
                                o->iterations};
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_lr_svm_result r;
    double *W;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_of(&x, ctx, data));
    AK_TRY(ak_lr_associate(&r, ctx, &x.peers, x.d, x.X, &p));
    const int64_t names = x.peers.n_names;
    AK_TRY(AK_SCRATCH(ctx, names * x.d, &W));
    AK_TRY(ak_lr_machines(W, ctx, x.n, x.d, x.X, r.labels, names, o->C));
    AK_TRY(ak_name_model_new(out, ctx, data, W, NULL, 0.0));
    ak_faces_ended(info, r.converged, r.iterations, x.peers.bags->n_photos,
                   r.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_lr_svm_options, sparse, 0.0, 1e12,
                   "weight of what is not of low rank", 0.01, 0.1, 0.3, 1.0),
    AK_OPTION_GRID(akin_lr_svm_options, C, 1e-9, 1e9,
                   "weight of the margins against short weights", 1e-2, 1e-1,
                   1.0, 10.0),
    AK_OPTION(akin_lr_svm_options, rho, 1e-12, 1e12,
              "penalty of the solver to begin with"),
    AK_OPTION(akin_lr_svm_options, delta_rho, 0.0, 1e3, "growth of rho a step"),
    AK_OPTION(akin_lr_svm_options, eps, 0.0, 1.0,
              "relative residual at which it ends"),
    AK_OPTION(akin_lr_svm_options, iterations, 1, 1e9,
              "iterations at the most"),
};
AK_OPTIONS_COVER(akin_lr_svm_options, options);

static const akin_lr_svm_options defaults = AKIN_LR_SVM_DEFAULTS;

const ak_learner ak_learner_lr_svm = {
    .info =
        {
            .name = "lr-svm",
            .summary = "faces of a name are of low rank; then machines",
            .when = "to compare with; names for faces that come later",
            .paper = "zeng2013lrsvm",
            .takes = AKIN_BAGS,
            .makes = "ranker",
            .recipe = &ak_recipe_faces,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = lr_svm_learn,
};
