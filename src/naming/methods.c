/* Methods of naming, each a way to score names for faces. */
#include <math.h>
#include <string.h>

#include "learn/captions/rlrr.h"
#include "naming/scores.h"

enum { DENSE_MOST = 200 };  // faces: full matrices are quicker below

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

/* lambda as given or from the data; a warning where it makes W zero. */
static akin_status choose_lambda(akin_naming *s, akin_ctx *ctx,
                                 const ak_faces_svd *x)
{
    ak_lambda_range range;
    const akin_status st = ak_lambda_of(&range, ctx, x, s->o.kappa);
    if (st != AKIN_OK)
        return st;
    s->info.lambda = s->o.lambda > 0.0 ? s->o.lambda : range.standard;
    if (s->info.lambda <= range.zero)
        ak_log(ctx, AKIN_LOG_WARNING,
               "--lambda %g makes the representation zero (it must be above "
               "%g)",
               s->info.lambda, range.zero);
    return AKIN_OK;
}

/* The affinity of lrr (gamma 0) or rlrr. */
static akin_status represent(akin_naming *s, akin_ctx *ctx, double gamma)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_naming_options *o = &s->o;
    const int64_t n = s->peers.n;
    ak_faces_svd x;
    ak_rlrr_result r;
    ak_rlrr_dense more;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_svd_of(&x, ctx, n, s->d, s->X));
    AK_TRY(choose_lambda(s, ctx, &x));
    s->info.gamma = gamma > 0.0 ? gamma : NAN;
    const ak_rlrr_params p = {
        .lambda = s->info.lambda,
        .gamma = gamma,
        .rho = o->rho,
        .delta_rho = o->delta_rho,
        .rho_max = o->rho_max,
        .eps = o->eps,
        .gap = o->gap,
        .most = o->iterations,
        .penalise = penalise_of(o->penalise),
    };
    const bool dense = strcmp(o->form, "dense") == 0 ||
                       (strcmp(o->form, "auto") == 0 && n <= DENSE_MOST);
    if (gamma == 0.0)
        AK_TRY(ak_lrr_solve(&r, ctx, &x, &p));
    else if (dense)
        AK_TRY(ak_rlrr_solve_dense(&r, &more, ctx, &x, s->candidates, &p));
    else
        AK_TRY(ak_rlrr_solve(&r, ctx, &x, s->candidates, &p));
    s->info.iterations = r.iterations;
    s->info.converged = r.converged;
    s->info.rank = r.rank;
    s->info.gap = (r.value - r.bound) / fmax(r.value, 1e-300);
    if (s->W != NULL)
        AK_TRY(ak_representation_rows(&r.W, ctx, 0, n, s->W));
    AK_TRY(ak_affinity_of(&s->affinity, ctx, &r.W, mode_of(o->affinity)));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Names are then scored by votes of the affinity, which is yet to be filled. */
static akin_status open_votes(akin_naming *s, akin_ctx *ctx)
{
    const akin_status st = ak_affinity_new(&s->affinity, ctx, &s->peers);
    s->scorer = ak_votes_of(&s->affinity);
    return st;
}

/* The same, with room for the coefficients of few faces. */
static akin_status open_represented(akin_naming *s, akin_ctx *ctx)
{
    const int64_t n = s->peers.n;
    akin_status st = AKIN_OK;
    AK_TRY(open_votes(s, ctx));
    if (n <= DENSE_MOST)
        AK_TRY(AK_SCRATCH(ctx, n * n, &s->W));
done:
    return st;
}

static akin_status by_affinity(akin_naming *s, akin_ctx *ctx, double gamma)
{
    const akin_status st = open_represented(s, ctx);
    return st == AKIN_OK ? represent(s, ctx, gamma) : st;
}

static akin_status learn_lrr(akin_naming *s, akin_ctx *ctx)
{
    return by_affinity(s, ctx, 0.0);
}

static akin_status learn_rlrr(akin_naming *s, akin_ctx *ctx)
{
    return by_affinity(s, ctx, s->o.gamma);
}

static akin_status learn_fused(akin_naming *s, akin_ctx *ctx)
{
    const akin_status st = by_affinity(s, ctx, 0.0);
    return st == AKIN_OK ? ak_use_fused(s, ctx) : st;
}

static akin_status learn_kernel(akin_naming *s, akin_ctx *ctx)
{
    const akin_status st = open_votes(s, ctx);
    s->info.converged = 1;
    return st == AKIN_OK ? ak_affinity_kernel(&s->affinity, ctx, s->d, s->X)
                         : st;
}

/* The affinity of a representation and the kernel of asml, fused. */
static akin_status fused(akin_naming *s, akin_ctx *ctx, double gamma)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_affinity kernel;
    akin_status st = AKIN_OK;
    AK_TRY(ak_affinity_new(&kernel, ctx, &s->peers));
    AK_TRY(ak_asml_kernel(s, ctx, &kernel));
    AK_TRY(represent(s, ctx, gamma));
    ak_affinity_fuse(&s->affinity, &kernel, s->o.alpha);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status by_fusion(akin_naming *s, akin_ctx *ctx, double gamma)
{
    const akin_status st = open_represented(s, ctx);
    return st == AKIN_OK ? fused(s, ctx, gamma) : st;
}

static akin_status learn_lrrml(akin_naming *s, akin_ctx *ctx)
{
    return by_fusion(s, ctx, 0.0);
}

static akin_status learn_rlrrml(akin_naming *s, akin_ctx *ctx)
{
    return by_fusion(s, ctx, s->o.gamma);
}

/* What the steps of a method heed. */
#define SOLVER " rho delta_rho eps iterations "
#define REPRESENTED SOLVER " rho_max gap affinity lambda kappa "
#define RELATED REPRESENTED " gamma penalise form "
#define METRIC " sigma outer pca eps "
#define CLASSES " start rounds "
#define ROUNDS CLASSES " surrogate self_votes "
#define VOTES ROUNDS " count_by affinity_file "

#define METHOD(name, learn, summary, when, takes) \
    {                                             \
        {name, summary, when, takes}, learn       \
    }

const ak_naming_method ak_naming_methods[] = {
    METHOD("fused", learn_fused,
           "votes of lrr, weighed by what they found, and how photos are named",
           "begin here: the most names are right, in seconds",
           REPRESENTED ROUNDS " k affinity_file "),
    METHOD("lrr", learn_lrr, "low-rank representation of faces by faces",
           "affinities alone, in time linear in the number of faces",
           REPRESENTED VOTES),
    METHOD("rlrr", learn_rlrr,
           "low-rank representation that prefers faces with a shared name",
           "as the paper has it; as good as lrr in thirty times the time",
           RELATED VOTES),
    METHOD("lrrml", learn_lrrml, "lrr and the kernel of asml together",
           "a learned metric beside lrr; as good as lrr where measured",
           REPRESENTED METRIC VOTES " alpha "),
    METHOD("rlrrml", learn_rlrrml, "rlrr and the kernel of asml together",
           "the paper's best; as good as lrr where measured",
           RELATED METRIC VOTES " alpha "),
    METHOD("asml", ak_learn_asml, "a metric from candidate names",
           "to name faces that come later, and for the metric itself", METRIC),
    METHOD("mms", ak_learn_mms, "a linear score for each name, by margins",
           "to name faces that come later, also without captions",
           " sigma outer eps "),
    METHOD("knn", ak_learn_knn, "a vote of the nearest faces",
           "quick, for descriptors that tell people apart by themselves",
           CLASSES " k "),
    METHOD("mean", ak_learn_mean, "the mean direction of a name's faces",
           "the quickest, for such descriptors too", CLASSES),
    METHOD("kmeans", ak_learn_kmeans, "the nearest mean of a name's faces",
           "as mean, where the length of rows counts", CLASSES),
    METHOD("kernel", learn_kernel, "by plain distances, nothing is learned",
           "to see what learning adds, or to fuse with others", VOTES),
    METHOD("mildml", ak_learn_mildml, "a metric from photos that share a name",
           "to compare with", VOTES " rank eps iterations "),
    METHOD("cgmm", ak_learn_cgmm, "a Gaussian for each name and for none",
           "to compare with", CLASSES),
    METHOD("lr-svm", ak_learn_lr_svm,
           "faces of a name are of low rank, then machines", "to compare with",
           SOLVER " sparse C "),
};
const int64_t ak_naming_n_methods = sizeof ak_naming_methods /
                                    sizeof *ak_naming_methods;
