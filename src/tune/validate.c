/* When to stop: an online learner that is looked at on what was set aside. The
 * model that did best there is kept. */
#include <akin/tune.h>

#include "learn/learner.h"
#include "tune/score.h"

enum { CHECKS = 20 };

typedef struct watch {
    ak_tune_held held;
    int64_t patience, since;  // checks without improvement: at most, and so far
    akin_model *best;
    akin_validation *v;
} watch;

static akin_status check(void *arg, akin_ctx *ctx, akin_learning *l, bool *stop)
{
    watch *w = arg;
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_learn_info info;
    akin_model *m = NULL;
    double score = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(akin_learning_model(&m, ctx, l));
    ak_ctx_quiet_begin(ctx);
    st = ak_tune_score(&score, ctx, m, &w->held);
    ak_ctx_quiet_end(ctx);
    AK_TRY(st);
    akin_learning_info(&info, l);
    ++w->v->checks;
    ++w->since;
    if (w->best == NULL || score > w->v->score) {
        akin_model_free(w->best);
        w->best = m;
        m = NULL;
        w->v->score = score;
        w->v->examples = info.examples;
        w->since = 0;
    }
    *stop = w->since >= w->patience;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Learn under watch; also where a value is not finite, or the run is asked to
 * stop, the best is kept. */
static akin_status learn_watched(watch *w, akin_ctx *ctx,
                                 const akin_options *options,
                                 const akin_supervision *data,
                                 const akin_model *resume, int64_t every,
                                 akin_learn_info *info)
{
    akin_learning *l = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_learning_begin(&l, ctx, options, data, resume));
    const int64_t total = ak_learning_total(l);
    if (every <= 0) {
        const int64_t most = data->passes == 0 ? ak_learning_pass(l) : total;
        every = ak_max_i64(1, (most + CHECKS - 1) / CHECKS);
    }
    ak_learning_set_monitor(l, every, check, w);
    st = akin_learning_observe_all(ctx, l);
    akin_learning_info(info, l);
    w->v->stopped = w->since >= w->patience && info->examples < total;
    if (ak_ctx_stopped(ctx) && w->best == NULL)
        AK_TRY(akin_learning_model(&w->best, ctx, l));
done:
    akin_learning_free(l);
    return st;
}

akin_status akin_learn_validated(akin_model **out, akin_validation *validation,
                                 akin_ctx *ctx, const akin_options *options,
                                 const akin_supervision *data,
                                 const akin_model *resume,
                                 const akin_validate_options *validate,
                                 akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *rest = NULL, *held = NULL;
    akin_learn_info unused;
    watch w = {.patience = ak_max_i64(1, validate->patience), .v = validation};
    akin_status st = AKIN_OK;
    *validation = (akin_validation){0};
    if (validate->held == NULL)
        AK_TRY(akin_supervision_hold_out(&rest, &held, ctx, data,
                                         validate->fraction));
    AK_TRY(ak_tune_held_new(&w.held, ctx,
                            validate->held ? validate->held : held,
                            validate->measure));
    validation->measure = w.held.measure;
    ak_ctx_keep_begin(ctx);
    st = learn_watched(&w, ctx, options, rest ? rest : data, resume,
                       validate->every, info ? info : &unused);
    if (ak_ctx_keep_end(ctx) && st == AKIN_OK)
        st = ak_fail(ctx, AKIN_ECANCELLED, "interrupted");
    if (st == AKIN_OK || st == AKIN_ENUMERIC || st == AKIN_ECANCELLED) {
        *out = w.best;
        w.best = NULL;
    }
done:
    akin_model_free(w.best);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    ak_scratch_end(ctx, mark);
    return st;
}
