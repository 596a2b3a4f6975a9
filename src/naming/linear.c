/* Names by scores that are linear in a face, so that faces never seen before
 * have them too. */
#include <akin/learners.h>

#include "la/dense.h"
#include "learn/captions/lr_svm.h"
#include "learn/captions/mms.h"
#include "naming/scores.h"

/* Scores of all faces. */
static akin_status fill_table(ak_table *t, akin_ctx *ctx, const akin_naming *s)
{
    const int64_t n = s->peers.n, p = s->peers.n_names;
    double *scores;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * p, &scores));
    for (int64_t k = 0; k < n * p; ++k)
        scores[k] = s->linear.b[k % p];
    if (p > 0)
        AK_TRY(ak_gemm(ctx, false, true, n, p, s->d, 1.0, s->X, s->d,
                       s->linear.W, s->d, 1.0, scores, p));
    *t = (ak_table){scores, p};
done:
    return st;
}

akin_status ak_use_linear(akin_naming *s, akin_ctx *ctx)
{
    ak_table *t;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &t));
    AK_TRY(fill_table(t, ctx, s));
    s->scorer = ak_table_scorer(&s->peers, t);
done:
    return st;
}

akin_status ak_open_linear(akin_naming *s, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->peers.n_names * s->d, &s->linear.W));
    AK_TRY(AK_SCRATCH(ctx, s->peers.n_names, &s->linear.b));
done:
    return st;
}

akin_status ak_learn_mms(akin_naming *s, akin_ctx *ctx)
{
    const akin_mms_options plain = AKIN_MMS_DEFAULTS;
    const ak_cccp_params p = {s->o.outer, plain.epochs, plain.batch, s->o.eps};
    ak_mms mms;
    ak_cccp_result r;
    akin_status st = AKIN_OK;
    AK_TRY(ak_open_linear(s, ctx));
    AK_TRY(ak_mms_begin(&mms, ctx, s->candidates, s->d, s->X, s->o.sigma));
    ak_mms_start(&mms, s->linear.W);
    const ak_cccp rounds = ak_mms_cccp(&mms);
    AK_TRY(ak_cccp_run(&r, s->linear.W, &rounds, ctx, &p));
    s->info.iterations = r.outer;
    s->info.converged = r.converged;
    AK_TRY(ak_use_linear(s, ctx));
done:
    return st;
}

/* Faces that are said to be nobody of their caption speak against each name,
 * and not for a face without one: most others of those were given a name, and
 * the machine would tell them from these few. */
static void set_apart(const akin_naming *s, int32_t *labels)
{
    for (int64_t f = 0; f < s->peers.n; ++f)
        if (s->candidates->group[f] < 0 && s->peers.group[f] >= 0)
            labels[f] = -1;
}

akin_status ak_learn_lr_svm(akin_naming *s, akin_ctx *ctx)
{
    const ak_lr_svm_params o = {s->o.sparse, s->o.rho, s->o.delta_rho, s->o.eps,
                                s->o.iterations};
    ak_lr_svm_result r;
    akin_status st = AKIN_OK;
    AK_TRY(ak_open_linear(s, ctx));
    AK_TRY(ak_lr_associate(&r, ctx, s->candidates, s->d, s->X, &o));
    set_apart(s, r.labels);
    AK_TRY(ak_lr_machines(s->linear.W, ctx, s->peers.n, s->d, s->X, r.labels,
                          s->peers.n_names, s->o.C));
    s->info.iterations = r.iterations;
    s->info.converged = r.converged;
    AK_TRY(ak_use_linear(s, ctx));
done:
    return st;
}
