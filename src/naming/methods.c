/* The methods of naming, each a way to score names for faces: the table, and
 * those that score by affinities. The others are in naming/linear.c and
 * naming/baselines.c.
 *
 *   lrr, rlrr      a low-rank representation W of faces by faces, made an
 *                  affinity (learn/captions/rlrr.h)
 *   lrrml, rlrrml  the same, fused with the kernel of asml's metric
 *   fused          lrr, with the probabilities of naming/estimate.c
 *   kernel         plain distances
 *   mildml         the mean over the faces of a name of b - d, the log of how
 *                  much more likely two faces are one person's than not. Its
 *                  authors take the sum, which favours names with many faces
 *                  (half of 2,807 faces were then named rightly, nine tenths
 *                  by the mean). */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/captions/mildml.h"
#include "learn/captions/rlrr.h"
#include "naming/naming.h"

enum { DENSE_MOST = 200 };  // faces: full matrices are quicker below
enum { BLOCK = 64, PROGRESS = 100 };

/* ---- options ------------------------------------------------------------- */

/* Those of a representation, which are fields of several options structs. */
typedef struct representation {
    const char *affinity, *penalise, *form;
    double lambda, kappa, gamma, rho, delta_rho, rho_max, eps, gap;
    int64_t iterations;
} representation;

#define REPRESENTATION(o)                                                  \
    .affinity = (o)->affinity, .lambda = (o)->lambda, .kappa = (o)->kappa, \
    .rho = (o)->rho, .delta_rho = (o)->delta_rho, .rho_max = (o)->rho_max, \
    .eps = (o)->eps, .gap = (o)->gap, .iterations = (o)->iterations
#define RELEVANCE(o) \
    .gamma = (o)->gamma, .penalise = (o)->penalise, .form = (o)->form

/* Those of asml that lrrml and rlrrml have too. */
#define METRIC(o)                                                      \
    (o)->sigma, (o)->outer, asml_defaults.epochs, asml_defaults.batch, \
        (o)->eps, 0, (o)->pca

/* How the affinity votes, as fields of ak_rounds. */
#define VOTES(o)                                                        \
    .most = (o)->rounds, .uniform = strcmp((o)->start, "uniform") == 0, \
    .minorise = strcmp((o)->surrogate, "minorised") == 0,               \
    .no_self = !(o)->self_votes
#define COUNTED_VOTES(o)                                           \
    (ak_rounds)                                                    \
    {                                                              \
        VOTES(o), .one_theta = strcmp((o)->count_by, "theta") == 0 \
    }

static const akin_asml_options asml_defaults = AKIN_ASML_DEFAULTS;

static ak_affinity_mode mode_of(const char *word)
{
    return strcmp(word, "clip") == 0  ? AK_AFFINITY_CLIP
           : strcmp(word, "abs") == 0 ? AK_AFFINITY_ABS
                                      : AK_AFFINITY_MINMAX;
}

static ak_penalise penalise_of(const char *word)
{
    return strcmp(word, "self") == 0         ? AK_PENALISE_SELF
           : strcmp(word, "irrelevant") == 0 ? AK_PENALISE_IRRELEVANT
                                             : AK_PENALISE_BOTH;
}

/* ---- representations ----------------------------------------------------- */

/* lambda as given or from the data; a warning where it makes W zero. */
static akin_status choose_lambda(akin_naming *s, akin_ctx *ctx,
                                 const ak_faces_svd *x, const representation *o)
{
    ak_lambda_range range;
    const akin_status st = ak_lambda_of(&range, ctx, x, o->kappa);
    if (st != AKIN_OK)
        return st;
    s->info.lambda = o->lambda > 0.0 ? o->lambda : range.standard;
    if (s->info.lambda <= range.zero)
        ak_log(ctx, AKIN_LOG_WARNING,
               "`lambda` %g makes the representation zero (it must be above "
               "%g)",
               s->info.lambda, range.zero);
    return AKIN_OK;
}

static akin_status solve(ak_rlrr_result *out, akin_ctx *ctx,
                         const akin_naming *s, const ak_faces_svd *x,
                         const representation *o)
{
    ak_rlrr_dense more;
    ak_rlrr_params p = {
        .lambda = s->info.lambda,
        .gamma = o->gamma,
        .rho = o->rho,
        .delta_rho = o->delta_rho,
        .rho_max = o->rho_max,
        .eps = o->eps,
        .gap = o->gap,
        .most = o->iterations,
    };
    if (o->gamma == 0.0)
        return ak_lrr_solve(out, ctx, x, &p);
    p.penalise = penalise_of(o->penalise);
    if (strcmp(o->form, "dense") == 0 ||
        (strcmp(o->form, "auto") == 0 && s->peers.n <= DENSE_MOST))
        return ak_rlrr_solve_dense(out, &more, ctx, x, s->candidates, &p);
    return ak_rlrr_solve(out, ctx, x, s->candidates, &p);
}

/* W = V Z' with Z the rows that V A fits best. */
static akin_status keep_basis(ak_basis *out, akin_ctx *ctx,
                              const ak_faces_svd *x, const ak_representation *W)
{
    const int64_t r = x->r;
    out->r = r;
    memcpy(out->Q, x->Q, (size_t)(x->d * r) * sizeof *out->Q);
    memcpy(out->s, x->s, (size_t)r * sizeof *out->s);
    AK_CHECK(ak_gemm(ctx, true, false, r, r, x->n, 1.0, x->V, r, W->R, r, 0.0,
                     out->A, r));
    ak_symmetrize(r, out->A);
    return AKIN_OK;
}

/* The affinity of lrr (gamma 0) or rlrr. */
static akin_status represent(akin_naming *s, akin_ctx *ctx,
                             const representation *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_faces_svd x;
    ak_rlrr_result r;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_svd_of(&x, ctx, s->peers.n, s->d, s->X));
    AK_TRY(choose_lambda(s, ctx, &x, o));
    s->info.gamma = o->gamma > 0.0 ? o->gamma : NAN;
    AK_TRY(solve(&r, ctx, s, &x, o));
    s->info.iterations = r.iterations;
    s->info.converged = r.converged;
    s->info.rank = r.rank;
    s->info.gap = (r.value - r.bound) / fmax(r.value, 1e-300);
    if (s->W != NULL)
        AK_TRY(ak_representation_rows(&r.W, ctx, 0, s->peers.n, s->W));
    ak_affinity *const filled[] = {&s->affinity, &s->decoys.affinity};
    AK_TRY(ak_affinity_of(filled, s->decoys.affinity.values ? 2 : 1, ctx, &r.W,
                          mode_of(o->affinity)));
    if (s->basis.Q != NULL)
        AK_TRY(keep_basis(&s->basis, ctx, &x, &r.W));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Names are then scored by votes of the affinity, which is yet to be filled. */
static akin_status open_votes(akin_naming *s, akin_ctx *ctx, ak_rounds rounds)
{
    const akin_status st = ak_affinity_new(&s->affinity, ctx, &s->peers);
    s->scorer = ak_votes_of(&s->affinity);
    s->rounds = rounds;
    return st;
}

/* The same, with room for the coefficients of few faces. */
static akin_status open_representation(akin_naming *s, akin_ctx *ctx,
                                       ak_rounds rounds)
{
    const int64_t n = s->peers.n;
    akin_status st = AKIN_OK;
    AK_TRY(open_votes(s, ctx, rounds));
    if (n <= DENSE_MOST)
        AK_TRY(AK_SCRATCH(ctx, n * n, &s->W));
done:
    return st;
}

static akin_status by_representation(akin_naming *s, akin_ctx *ctx,
                                     ak_rounds rounds, const representation *o)
{
    const akin_status st = open_representation(s, ctx, rounds);
    return st == AKIN_OK ? represent(s, ctx, o) : st;
}

akin_status ak_name_by_lrr(akin_naming *s, akin_ctx *ctx,
                           const akin_options *options)
{
    const akin_lrr_options *o = (const akin_lrr_options *)options;
    const representation r = {REPRESENTATION(o)};
    return by_representation(s, ctx, COUNTED_VOTES(o), &r);
}

akin_status ak_name_by_rlrr(akin_naming *s, akin_ctx *ctx,
                            const akin_options *options)
{
    const akin_rlrr_options *o = (const akin_rlrr_options *)options;
    const representation r = {REPRESENTATION(o), RELEVANCE(o)};
    return by_representation(s, ctx, COUNTED_VOTES(o), &r);
}

/* Room for what is kept of the representation. */
static akin_status open_basis(akin_naming *s, akin_ctx *ctx)
{
    const int64_t most = ak_min_i64(s->peers.n, s->d);
    AK_CHECK(AK_SCRATCH(ctx, s->d * most, &s->basis.Q));
    AK_CHECK(AK_SCRATCH(ctx, most, &s->basis.s));
    return AK_SCRATCH(ctx, most * most, &s->basis.A);
}

akin_status ak_name_by_fused(akin_naming *s, akin_ctx *ctx,
                             const akin_options *options)
{
    const akin_fused_options *o = (const akin_fused_options *)options;
    const representation r = {REPRESENTATION(o)};
    const ak_rounds rounds = {.most = o->rounds};
    akin_status st = AKIN_OK;
    s->k = o->k;
    AK_TRY(open_representation(s, ctx, rounds));
    if (strcmp(o->affinity, "abs") != 0)
        AK_TRY(open_basis(s, ctx));
    AK_TRY(ak_decoys_choose(&s->decoys, ctx, &s->peers));
    AK_TRY(ak_affinity_new(&s->decoys.affinity, ctx, &s->decoys.peers));
    AK_TRY(represent(s, ctx, &r));
done:
    return st;
}

akin_status ak_fused_affinities(ak_affinity *a, ak_decoys *decoys,
                                akin_ctx *ctx, const akin_naming *s)
{
    const akin_fused_options o = AKIN_FUSED_DEFAULTS;
    const representation r = {REPRESENTATION(&o)};
    akin_naming own = *s;
    akin_status st = AKIN_OK;
    own.W = NULL;
    own.basis = (ak_basis){0};
    AK_TRY(ak_affinity_new(&own.affinity, ctx, &s->peers));
    AK_TRY(ak_decoys_choose(&own.decoys, ctx, &s->peers));
    AK_TRY(ak_affinity_new(&own.decoys.affinity, ctx, &own.decoys.peers));
    AK_TRY(represent(&own, ctx, &r));
    *a = own.affinity;
    *decoys = own.decoys;
    decoys->affinity.peers = &decoys->peers;
done:
    return st;
}

/* ---- representations and a metric ---------------------------------------- */

/* (1 - alpha) of a representation's affinity and alpha of asml's kernel. */
static akin_status fuse_metric(akin_naming *s, akin_ctx *ctx,
                               const representation *o,
                               const akin_asml_options *metric, double alpha)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_affinity kernel;
    akin_status st = AKIN_OK;
    AK_TRY(ak_affinity_new(&kernel, ctx, &s->peers));
    AK_TRY(ak_asml_kernel(s, ctx, &kernel, metric));
    AK_TRY(represent(s, ctx, o));
    ak_affinity_fuse(&s->affinity, &kernel, alpha);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_name_by_lrrml(akin_naming *s, akin_ctx *ctx,
                             const akin_options *options)
{
    const akin_lrrml_options *o = (const akin_lrrml_options *)options;
    const representation r = {REPRESENTATION(o)};
    const akin_asml_options metric = {asml_defaults.head, METRIC(o)};
    const akin_status st = open_representation(s, ctx, COUNTED_VOTES(o));
    return st == AKIN_OK ? fuse_metric(s, ctx, &r, &metric, o->alpha) : st;
}

akin_status ak_name_by_rlrrml(akin_naming *s, akin_ctx *ctx,
                              const akin_options *options)
{
    const akin_rlrrml_options *o = (const akin_rlrrml_options *)options;
    const representation r = {REPRESENTATION(o), RELEVANCE(o)};
    const akin_asml_options metric = {asml_defaults.head, METRIC(o)};
    const akin_status st = open_representation(s, ctx, COUNTED_VOTES(o));
    return st == AKIN_OK ? fuse_metric(s, ctx, &r, &metric, o->alpha) : st;
}

/* ---- distances ----------------------------------------------------------- */

akin_status ak_name_by_kernel(akin_naming *s, akin_ctx *ctx,
                              const akin_options *options)
{
    const akin_kernel_options *o = (const akin_kernel_options *)options;
    const akin_status st = open_votes(s, ctx, COUNTED_VOTES(o));
    s->info.converged = 1;
    return st == AKIN_OK ? ak_affinity_kernel(&s->affinity, ctx, s->d, s->X)
                         : st;
}

typedef struct closeness {
    const ak_affinity *a;
    const double *points;  // n x k
    int64_t k;
    double b;
} closeness;

static akin_status closeness_block(void *arg, int64_t begin, int64_t end,
                                   int64_t worker)
{
    const closeness *s = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(s->a->peers, i, &peers);
        double *out = s->a->values + s->a->peers->start[i];
        for (int64_t j = 0; j < m; ++j) {
            double d = 0.0;
            for (int64_t c = 0; c < s->k; ++c) {
                const double gap = s->points[i * s->k + c] -
                                   s->points[peers[j] * s->k + c];
                d += gap * gap;
            }
            out[j] = s->b - d;
        }
    }
    return AKIN_OK;
}

/* b - d of peers, by the metric that mildml learns. */
static akin_status learn_closeness(akin_naming *s, akin_ctx *ctx,
                                   const akin_mildml_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->peers.n;
    ak_mildml m;
    ak_lbfgs p;
    double *points;
    akin_status st = AKIN_OK;
    AK_TRY(ak_mildml_run(&p, &m, ctx, s->candidates, s->d, s->X, o->rank,
                         PROGRESS * o->eps, o->iterations));
    s->info.iterations = p.iterations;
    s->info.converged = p.converged;
    s->info.rank = m.k;
    AK_TRY(AK_SCRATCH(ctx, n * m.k, &points));
    AK_TRY(ak_gemm(ctx, false, false, n, m.k, s->d, 1.0, s->X, s->d, p.x, m.k,
                   0.0, points, m.k));
    closeness c = {&s->affinity, points, m.k, p.x[s->d * m.k]};
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, closeness_block, &c));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_name_by_mildml(akin_naming *s, akin_ctx *ctx,
                              const akin_options *options)
{
    const akin_mildml_options *o = (const akin_mildml_options *)options;
    const akin_status st = open_votes(s, ctx, COUNTED_VOTES(o));
    return st == AKIN_OK ? learn_closeness(s, ctx, o) : st;
}

/* ---- the table ----------------------------------------------------------- */

#define LEARNER(file, name, ...)
#define NAMING_METHOD(file, name, ...) \
    extern const ak_learner ak_learner_##name;
#include "learn/learners.def"

static const ak_naming_method methods[] = {
#define NAMING_METHOD(file, name, ...) {&ak_learner_##name, ak_name_by_##name},
#include "learn/learners.def"
};

akin_status ak_naming_method_find(const ak_naming_method **out, akin_ctx *ctx,
                                  const char *name)
{
    const ak_learner *l = ak_learner_find(name);
    for (size_t i = 0; l != NULL && i < sizeof methods / sizeof *methods; ++i)
        if (methods[i].entry == l) {
            *out = &methods[i];
            return AKIN_OK;
        }
    return ak_fail(ctx, AKIN_EINVAL,
                   l != NULL ? "%s does not name faces (fused, lrr and others "
                               "do)"
                             : "there is no method '%s' of naming",
                   name);
}
