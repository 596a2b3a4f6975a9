/* Names by scores that are linear in a face, so that faces never seen before
 * have them too: asml, mms and lr-svm.
 *
 * asml scores by the distance to all faces less that to the faces of a name.
 * Distances are scaled to a mean of 1 first, because a loss counts faces. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/captions/asml.h"
#include "learn/captions/faces.h"
#include "learn/captions/lr_svm.h"
#include "learn/captions/mms.h"
#include "learn/captions/rlrr.h"
#include "model/metric.h"
#include "naming/naming.h"

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

/* The scorer of s->linear. */
static akin_status use_linear(akin_naming *s, akin_ctx *ctx)
{
    ak_table *t;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &t));
    AK_TRY(fill_table(t, ctx, s));
    s->scorer = ak_table_scorer(&s->peers, t);
done:
    return st;
}

/* Allocate s->linear, filled with zeros. */
static akin_status open_linear(akin_naming *s, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->peers.n_names * s->d, &s->linear.W));
    AK_TRY(AK_SCRATCH(ctx, s->peers.n_names, &s->linear.b));
done:
    return st;
}

/* ---- asml ---------------------------------------------------------------- */

/* The score of a name that no face has; finite, because files hold it. */
static const double NEVER = -1e300;

/* Faces for asml: the first principal directions where fewer are wanted, and
 * a mean squared distance of 1. They are X Q / by. */
typedef struct scaled {
    int64_t d;
    double *X, by;
    const double *Q;  // rows of `stride`, the first d count; NULL: I
    int64_t stride;
} scaled;

static akin_status scale_faces(scaled *out, const akin_naming *s, akin_ctx *ctx,
                               int64_t pca)
{
    const int64_t n = s->peers.n;
    ak_faces_svd x;
    akin_status st = AKIN_OK;
    *out = (scaled){.d = pca > 0 && pca < s->d ? pca : s->d};
    AK_TRY(AK_SCRATCH(ctx, n * out->d, &out->X));
    if (out->d < s->d) {
        AK_TRY(ak_faces_svd_of(&x, ctx, n, s->d, s->X));
        out->d = ak_min_i64(out->d, x.r);
        out->Q = x.Q;
        out->stride = x.r;
        for (int64_t k = 0; k < n * out->d; ++k)
            out->X[k] = x.s[k % out->d] * x.V[k / out->d * x.r + k % out->d];
    } else {
        memcpy(out->X, s->X, (size_t)(n * out->d) * sizeof *out->X);
    }
    const double spread = ak_faces_spread(n, out->d, out->X);
    out->by = spread > 0.0 ? sqrt(spread) : 1.0;
    for (int64_t k = 0; k < n * out->d; ++k)
        out->X[k] /= out->by;
done:
    return st;
}

/* M of asml, and the faces it is for. */
static akin_status learn_metric(akin_naming *s, akin_ctx *ctx, ak_asml *asml,
                                scaled *faces, double **M,
                                const akin_asml_options *o)
{
    ak_cccp_result r;
    akin_status st = AKIN_OK;
    AK_TRY(scale_faces(faces, s, ctx, o->pca));
    AK_TRY(ak_asml_run(&r, M, asml, ctx, s->candidates, faces->d, faces->X, o));
    s->info.iterations = r.outer;
    s->info.converged = r.converged;
done:
    return st;
}

/* D(x, none) - D(x, q) = 2 x'M (mu_q - mu) + <M, R - R_q>: x'M x is gone. */
static akin_status make_linear(akin_naming *s, akin_ctx *ctx,
                               const ak_asml *asml, const scaled *faces,
                               const double *M)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = asml->d, p = asml->p;
    double *gap, *W, *trace;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p * d, &gap));
    AK_TRY(AK_SCRATCH(ctx, p * d, &W));
    AK_TRY(AK_SCRATCH(ctx, p + 1, &trace));
    AK_TRY(ak_asml_traces(trace, asml, ctx, M));
    for (int64_t k = 0; k < p * d; ++k)
        gap[k] = asml->mu[k] - asml->mu[p * d + k % d];
    AK_TRY(ak_gemm(ctx, false, false, p, d, d, 2.0 / faces->by, gap, d, M, d,
                   0.0, W, d));
    for (int64_t q = 0; q < p; ++q)
        s->linear.b[q] = asml->counts[q] > 0.0 ? trace[p] - trace[q] : NEVER;
    if (faces->Q == NULL)
        memcpy(s->linear.W, W, (size_t)(p * d) * sizeof *W);
    else
        AK_TRY(ak_gemm(ctx, false, true, p, s->d, d, 1.0, W, d, faces->Q,
                       faces->stride, 0.0, s->linear.W, s->d));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status learn_linear(akin_naming *s, akin_ctx *ctx,
                                const akin_asml_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    scaled faces;
    ak_asml asml;
    double *M;
    akin_status st = AKIN_OK;
    AK_TRY(learn_metric(s, ctx, &asml, &faces, &M, o));
    AK_TRY(make_linear(s, ctx, &asml, &faces, M));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_name_by_asml(akin_naming *s, akin_ctx *ctx,
                            const akin_options *options)
{
    const akin_asml_options *o = (const akin_asml_options *)options;
    akin_status st = AKIN_OK;
    AK_TRY(open_linear(s, ctx));
    AK_TRY(learn_linear(s, ctx, o));
    AK_TRY(use_linear(s, ctx));
done:
    return st;
}

akin_status ak_asml_kernel(akin_naming *s, akin_ctx *ctx, ak_affinity *a,
                           const akin_asml_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->peers.n;
    scaled faces;
    ak_asml asml;
    double *M, *B, *points;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    AK_TRY(learn_metric(s, ctx, &asml, &faces, &M, o));
    const int64_t d = asml.d;
    AK_TRY(AK_SCRATCH(ctx, d * d, &B));
    AK_TRY(AK_SCRATCH(ctx, n * d, &points));
    AK_TRY(ak_psd_root(ctx, d, M, false, B, &rank));
    AK_TRY(ak_gemm(ctx, false, false, n, rank, d, 1.0, asml.X, d, B, d, 0.0,
                   points, rank));
    AK_TRY(ak_affinity_kernel(a, ctx, rank, points));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- mms ----------------------------------------------------------------- */

akin_status ak_name_by_mms(akin_naming *s, akin_ctx *ctx,
                           const akin_options *options)
{
    const akin_mms_options *o = (const akin_mms_options *)options;
    ak_mms mms;
    ak_cccp_result r;
    akin_status st = AKIN_OK;
    AK_TRY(open_linear(s, ctx));
    AK_TRY(
        ak_mms_run(&r, s->linear.W, &mms, ctx, s->candidates, s->d, s->X, o));
    s->info.iterations = r.outer;
    s->info.converged = r.converged;
    AK_TRY(use_linear(s, ctx));
done:
    return st;
}

/* ---- lr-svm -------------------------------------------------------------- */

/* Faces that are said to be nobody of their caption speak against each name,
 * and not for a face without one: most others of those were given a name, and
 * the machine would tell them from these few. */
static void set_apart(const akin_naming *s, int32_t *labels)
{
    for (int64_t f = 0; f < s->peers.n; ++f)
        if (s->candidates->group[f] < 0 && s->peers.group[f] >= 0)
            labels[f] = -1;
}

akin_status ak_name_by_lr_svm(akin_naming *s, akin_ctx *ctx,
                              const akin_options *options)
{
    const akin_lr_svm_options *o = (const akin_lr_svm_options *)options;
    const ak_lr_svm_params p = {o->sparse, o->rho, o->delta_rho, o->eps,
                                o->iterations};
    ak_lr_svm_result r;
    akin_status st = AKIN_OK;
    AK_TRY(open_linear(s, ctx));
    AK_TRY(ak_lr_associate(&r, ctx, s->candidates, s->d, s->X, &p));
    set_apart(s, r.labels);
    AK_TRY(ak_lr_machines(s->linear.W, ctx, s->peers.n, s->d, s->X, r.labels,
                          s->peers.n_names, o->C));
    s->info.iterations = r.iterations;
    s->info.converged = r.converged;
    AK_TRY(use_linear(s, ctx));
done:
    return st;
}
