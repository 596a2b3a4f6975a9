/* MMS: a linear score for each name from faces with candidate names.
 *   [1] Luo, Orabona. Learning from candidate labeling sets. NIPS 2010.
 *
 *   s(z) = sum over the faces f of a photo of w_{z_f}.x_f                 (1)
 *   min over W of  sigma/2 |W|^2 + 1/m sum over photos of
 *             [max over labels z that do not fit of (loss(z) + s(z))
 *              - max over labels that fit of s(z)]_+                      (2)
 *
 * with a row of W for each name. None of the names scores 0: [1] gives it a
 * row of its own, but it fits every caption, and learning makes it the best
 * label of too many faces (of 2,807 faces 63 to 77 % were then named rightly,
 * 93 % in this form). (2) is (1) of learn/captions/margins.h with D = -X W'. */
#include "learn/captions/mms.h"

#include <string.h>

#include "la/dense.h"
#include "learn/captions/faces.h"

static const akin_option options[] = {
    AK_OPTION_GRID(akin_mms_options, sigma, 1e-12, 1e12,
                   "pull of the weights towards zero", 1e-3, 1e-2, 1e-1, 1.0),
    AK_CCCP_OPTIONS(akin_mms_options, "weights"),
};

akin_status ak_mms_begin(ak_mms *s, akin_ctx *ctx, const ak_shared_names *peers,
                         int64_t d, const double *X, double sigma)
{
    *s = (ak_mms){.n = peers->n, .d = d, .X = X, .sigma = sigma};
    return ak_margins_begin(&s->margins, ctx, peers);
}

void ak_mms_start(const ak_mms *s, double *W)
{
    const ak_shared_names *peers = s->margins.peers;
    const int64_t p = s->margins.p, d = s->d;
    memset(W, 0, (size_t)(p * d) * sizeof *W);
    for (int64_t q = 0; q < p; ++q) {
        int64_t n = 0;
        for (int64_t j = 0; j < s->n; ++j)
            if (ak_shared_names_has(peers, j, q)) {
                ak_axpy(d, 1.0, s->X + j * d, W + q * d);
                ++n;
            }
        for (int64_t k = 0; n > 0 && k < d; ++k)
            W[q * d + k] /= (double)n;
    }
}

/* D of some faces (NULL: all), `count` of them. */
static akin_status scores_of(ak_mms *s, akin_ctx *ctx, const double *W,
                             const int64_t *faces, int64_t count)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->d, p = s->margins.p;
    double *x, *D;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, count * d, &x));
    AK_TRY(AK_SCRATCH(ctx, count * p, &D));
    for (int64_t k = 0; k < count; ++k)
        memcpy(x + k * d, s->X + (faces ? faces[k] : k) * d,
               (size_t)d * sizeof *x);
    if (p > 0)
        AK_TRY(ak_gemm(ctx, false, true, count, p, d, -1.0, x, d, W, d, 0.0, D,
                       p));
    for (int64_t k = 0; k < count; ++k)
        memcpy(s->margins.D + (faces ? faces[k] : k) * (p + 1), D + k * p,
               (size_t)p * sizeof *D);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static double value_of(const ak_mms *s, const double *W)
{
    const int64_t size = s->margins.p * s->d;
    return s->sigma / 2.0 * ak_dot(size, W, W) + ak_margins_mean(&s->margins);
}

akin_status ak_mms_objective(double *out, ak_mms *s, akin_ctx *ctx,
                             const double *W)
{
    AK_CHECK(scores_of(s, ctx, W, NULL, s->n));
    AK_CHECK(ak_margins_sweep(&s->margins, ctx, NULL, s->margins.m, true));
    *out = value_of(s, W);
    return AKIN_OK;
}

/* W <- shrink W - by sum over photos with a hinge of x at the wrong name less
 * x at the right one. */
static void move(const ak_mms *s, double *W, double shrink, double by,
                 const int64_t *which, int64_t n)
{
    const ak_margins *g = &s->margins;
    const int64_t d = s->d;
    for (int64_t k = 0; k < g->p * d; ++k)
        W[k] *= shrink;
    for (int64_t k = 0; k < n; ++k) {
        const int64_t i = which ? which[k] : k, *faces;
        const int64_t m = ak_bags_faces(g->peers->bags, i, &faces);
        for (int64_t f = 0; g->hinge[i] > 0.0 && f < m; ++f) {
            const int32_t wrong = g->wrong[faces[f]];
            const int32_t right = g->right[faces[f]];
            if (wrong < g->p)
                ak_axpy(d, -by, s->X + faces[f] * d, W + wrong * d);
            if (right < g->p)
                ak_axpy(d, by, s->X + faces[f] * d, W + right * d);
        }
    }
}

akin_status ak_mms_slope(double *out, double *G, ak_mms *s, akin_ctx *ctx,
                         const double *W)
{
    const int64_t m = s->margins.m, size = s->margins.p * s->d;
    AK_CHECK(scores_of(s, ctx, W, NULL, s->n));
    AK_CHECK(ak_margins_sweep(&s->margins, ctx, NULL, m, false));
    *out = value_of(s, W);
    memcpy(G, W, (size_t)size * sizeof *G);
    move(s, G, s->sigma, -1.0 / (double)m, NULL, m);
    return AKIN_OK;
}

static akin_status objective(double *out, void *arg, akin_ctx *ctx,
                             const double *W)
{
    return ak_mms_objective(out, arg, ctx, W);
}

/* One step on some photos. */
static akin_status step(double *W, void *arg, akin_ctx *ctx,
                        const int64_t *which, int64_t n, double eta)
{
    ak_mms *s = arg;
    const ak_mark mark = ak_scratch_begin(ctx);
    int64_t *faces;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * s->margins.most_faces, &faces));
    const int64_t count = ak_margins_faces(&s->margins, which, n, faces);
    AK_TRY(scores_of(s, ctx, W, faces, count));
    AK_TRY(ak_margins_sweep(&s->margins, ctx, which, n, false));
    move(s, W, 1.0 - eta * s->sigma, eta / (double)n, which, n);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

ak_cccp ak_mms_cccp(ak_mms *s)
{
    return (ak_cccp){s,        s->margins.p * s->d, s->margins.m,
                     s->sigma, objective,           step};
}

akin_status ak_mms_run(ak_cccp_result *out, double *W, ak_mms *s, akin_ctx *ctx,
                       const ak_shared_names *peers, int64_t d, const double *X,
                       const akin_mms_options *o)
{
    const ak_cccp_params p = {o->outer, o->epochs, o->batch, o->eps};
    AK_CHECK(ak_mms_begin(s, ctx, peers, d, X, o->sigma));
    ak_mms_start(s, W);
    const ak_cccp rounds = ak_mms_cccp(s);
    return ak_cccp_run(out, W, &rounds, ctx, &p);
}

static akin_status mms_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    const akin_mms_options *o = (const akin_mms_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces x;
    ak_mms s;
    ak_cccp_result r;
    double *W;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_of(&x, ctx, data));
    AK_TRY(AK_SCRATCH(ctx, x.peers.n_names * x.d, &W));
    AK_TRY(ak_mms_run(&r, W, &s, ctx, &x.peers, x.d, x.X, o));
    AK_TRY(ak_name_model_new(out, ctx, data, W, NULL, 0.0));
    ak_faces_ended(info, r.converged, r.outer, s.margins.m, r.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

const ak_learner ak_learner_mms = {
    .info =
        {
            .name = "mms",
            .summary = "a linear score for each name, by margins",
            .when = "captioned photos; names faces that come later",
            .paper = "luo2010mms",
            .takes = AKIN_BAGS,
            .makes = "ranker",
            .names_faces = 1,
            .recipe = &ak_recipe_faces,
            AK_OPTION_ROWS(akin_mms_options, AKIN_MMS_DEFAULTS, options),
        },
    .learn = mms_learn,
};
