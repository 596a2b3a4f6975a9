/* RSL: a similarity of fixed rank between two kinds of rows, learned from
 * pairs that match or do not by Riemannian trust regions.
 *   [1] Cheng. Riemannian similarity learning. ICML 2013.
 *
 *   f(x, y) = x' W y,  rank W = k                                        (1)
 *   J(W)    = mean of loss(f) over the pairs + lambda |W|^2 / 2          (2)
 *
 * [1] has |W| unsquared, the printed Hessian by differences and rows as they
 * are; all three are options. Its own minimum is one of (2) for another lambda,
 * so that nothing is lost, and (2) has minima that are not W = 0. Rows are
 * taken from their mean, without which the constant direction takes it all. */
#include <math.h>
#include <string.h>

#include "learn/cross/rsl_map.h"
#include "learn/learner.h"
#include "learn/metric/full_metric.h"
#include "model/blend.h"
#include "model/prototypes.h"

typedef struct rsl {
    const akin_rsl_options *o;
    ak_pairs pairs;
    ak_kernel_map map[2];
    ak_rsl p;
    ak_fixed_point best;   // of several starts
    ak_trust_info info;    // of the best
    ak_derivatives worst;  // where they are checked
} rsl;

/* Rows far from their mean, when that is not taken off. */
static akin_status warn_if_not_centred(const rsl *r, akin_ctx *ctx, int side)
{
    double bias = 0.0;
    const akin_status st = ak_rsl_side_bias(&bias, ctx, &r->p.side[side]);
    if (st == AKIN_OK && bias > 0.01)
        ak_log(ctx, AKIN_LOG_WARNING,
               "the %s rows are not centred: their mean has %.0f %% of their "
               "square length (--origin mean)",
               ak_side_name(side), 100.0 * bias);
    return st;
}

static akin_status prepare_side(rsl *r, akin_ctx *ctx, int side)
{
    const akin_rsl_options *o = r->o;
    ak_rsl_side *s = &r->p.side[side];
    akin_status st = AKIN_OK;
    AK_TRY(ak_kernel_map_blame(
        ctx, ak_rsl_map_side(s, ctx, &r->map[side], o->support), side));
    if (strcmp(o->origin, "mean") == 0)
        AK_TRY(ak_rsl_side_center(s, ctx));
    else
        AK_TRY(warn_if_not_centred(r, ctx, side));
    if (strcmp(o->length, "one") == 0 && !ak_rsl_side_scale(s))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "the %s rows are all the same (expected some that "
                       "differ)",
                       ak_side_name(side)));
done:
    return st;
}

/* As asked for; else the number of classes, or 10, as far as there is room. */
static akin_status choose_rank(rsl *r, akin_ctx *ctx)
{
    const int64_t dim[2] = {r->p.side[0].n, r->p.side[1].n};
    const int64_t most = ak_min_i64(dim[0], dim[1]);
    const int64_t usual = r->pairs.is_grid ? r->pairs.n_labels : 10;
    const int side = r->p.side[1].n < r->p.side[0].n;
    int64_t rank = r->o->rank;
    const akin_status st = ak_kernel_map_rank(ctx, r->map, dim, rank);
    if (st != AKIN_OK)
        return st;
    if (most == 0)
        return ak_fail(ctx, AKIN_ESHAPE, "the %s rows have no columns",
                       ak_side_name(side));
    if (rank == 0)
        rank = ak_max_i64(1, ak_min_i64(usual, most));
    r->p.shape = (ak_fixed_rank){r->p.side[0].n, r->p.side[1].n, rank};
    return AKIN_OK;
}

/* Said before the learning, which may take long. */
static akin_status check_read_out(const rsl *r, akin_ctx *ctx)
{
    const ak_pairs *p = &r->pairs;
    if (r->o->prototypes && !p->is_grid)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--prototypes needs labels of both sides, not pairs");
    if (r->o->prototypes && p->n_labels > AK_PROTOTYPES_MOST)
        return ak_fail(ctx, AKIN_EINVAL,
                       "--prototypes of %" PRId64 " classes (at most %d)",
                       p->n_labels, AK_PROTOTYPES_MOST);
    if (r->o->blend > 0.0 && p->left->d != p->right->d)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "--blend compares left rows of %" PRId64
                       " columns with right ones of %" PRId64
                       " (expected the same columns)",
                       p->left->d, p->right->d);
    return AKIN_OK;
}

static akin_status prepare(rsl *r, akin_ctx *ctx, const akin_supervision *data)
{
    const akin_rsl_options *o = r->o;
    ak_rsl *p = &r->p;
    int64_t *numbers = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_pairs_of(&r->pairs, ctx, data));
    if (strcmp(o->origin, "mean") == 0)
        AK_TRY(ak_pairs_differ(&r->pairs, ctx));
    AK_TRY(check_read_out(r, ctx));
    AK_TRY(ak_rsl_samples(r->map, &numbers, ctx, &r->pairs));
    ak_kernel_map_choose(
        r->map, &(const ak_kernel_choice){o->kernel, o->kernel_right, o->gamma,
                                          o->coef, o->degree});
    for (int side = 0; side < 2; ++side)
        AK_TRY(prepare_side(r, ctx, side));
    AK_TRY(choose_rank(r, ctx));
    p->loss = strcmp(o->loss, "log") == 0      ? AK_RSL_LOG
              : strcmp(o->loss, "hinge2") == 0 ? AK_RSL_HINGE2
                                               : AK_RSL_RIDGE;
    p->lambda = o->lambda;
    p->frobenius = strcmp(o->reg, "fro") == 0;
    p->differences = strcmp(o->hessian, "fd") == 0;
    const double scale =
        strcmp(o->loss_scale, "mean") == 0 ? 1.0 / (double)r->pairs.count : 1.0;
    double weight[2];
    for (int match = 0; match < 2; ++match)
        weight[match] = scale * r->pairs.weight[match];
    if (r->pairs.is_grid) {
        p->pairs = (ak_rsl_pairs){.count = r->pairs.count, .grid = &r->pairs};
        memcpy(p->pairs.weight, weight, sizeof weight);
    } else {
        AK_TRY(ak_rsl_list(&p->pairs, ctx, p->side[0].N, p->side[1].N, numbers,
                           r->pairs.count, weight));
    }
    AK_TRY(ak_rsl_begin(p, ctx));
    AK_TRY(ak_fixed_point_new(&r->best, ctx, p->shape));
done:
    return st;
}

/* Tell what differences say; refuse to go on with derivatives that are wrong.
 * Second differences of hinge2 cross its kinks, and a Hessian by differences
 * is only symmetric as far as these are. */
static akin_status check_derivatives(rsl *r, akin_ctx *ctx, ak_rng *rng)
{
    const ak_objective J = ak_rsl_objective(&r->p);
    const bool smooth = r->p.loss != AK_RSL_HINGE2 && !r->p.differences;
    ak_derivatives worst;
    akin_status st = AKIN_OK;
    AK_TRY(ak_check_derivatives(ctx, &J, rng, &worst));
    r->worst = worst;
    ak_log(ctx, AKIN_LOG_INFO,
           "derivatives against differences: gradient %.1e, Hessian %.1e, its "
           "symmetry %.1e",
           worst.gradient, worst.hessian, worst.symmetry);
    if (worst.gradient > 1e-4 || (smooth && worst.hessian > 1e-2) ||
        (smooth && worst.symmetry > 1e-8))
        AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                       "the derivatives do not agree with differences"));
done:
    return st;
}

static akin_status run_start(rsl *r, akin_ctx *ctx, int64_t number)
{
    const akin_rsl_options *o = r->o;
    const ak_fixed_rank s = r->p.shape;
    const ak_objective J = ak_rsl_objective(&r->p);
    ak_rng rng = ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_START),
                              (uint64_t)number);
    ak_trust_options t = {.tol = o->tol,
                          .relative = true,
                          .fall = 1e-10,
                          .max_iterations = o->max_iterations,
                          .radius_max = (double)((s.m + s.n) * s.k)};
    ak_trust_info info;
    akin_status st = AKIN_OK;
    if (number == 0 && strcmp(o->start, "spectral") == 0)
        AK_TRY(ak_rsl_spectral(&r->p, ctx, &rng));
    else
        AK_TRY(ak_rsl_random(&r->p, ctx, &rng));
    if (number == 0 && o->check_derivatives)
        AK_TRY(check_derivatives(r, ctx, &rng));
    t.radius = fmin(t.radius_max / 4.0, 4.0 * J.norm(&r->p));
    AK_TRY(ak_trust_region(ctx, &J, &t, &info));
    if (number > 0 && !(info.value < r->info.value))
        goto done;
    r->info = info;
    ak_fixed_point_copy(s, r->p.now.x, r->best);
done:
    return st;
}

/* Singular values that have nothing to do. */
static void warn_if_rank_is_lower(const rsl *r, akin_ctx *ctx)
{
    const double *s = r->p.now.x.s;
    int64_t used = 0;
    while (used < r->p.shape.k && s[used] >= 1e-8 * s[0])
        ++used;
    if (used < r->p.shape.k)
        ak_log(ctx, AKIN_LOG_WARNING,
               "%" PRId64 " of %" PRId64
               " singular values are zero at the optimum (--rank %" PRId64
               " is enough)",
               r->p.shape.k - used, r->p.shape.k, used);
}

static akin_status note_figures(const rsl *r, akin_ctx *ctx, akin_model *m)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_note(m, ctx, "gradient", r->info.gradient));
    AK_TRY(ak_metric_note(m, ctx, "gradient_start", r->info.gradient_first));
    if (!r->o->check_derivatives)
        goto done;
    AK_TRY(ak_metric_note(m, ctx, "gradient_error", r->worst.gradient));
    AK_TRY(ak_metric_note(m, ctx, "hessian_error", r->worst.hessian));
    AK_TRY(ak_metric_note(m, ctx, "hessian_asymmetry", r->worst.symmetry));
done:
    return st;
}

/* What was learned, and what is to stand on it. */
static akin_status make_model(rsl *r, akin_ctx *ctx, akin_model **out)
{
    const akin_rsl_options *o = r->o;
    const bool cosine = strcmp(o->score, "cosine") == 0;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rsl_model(&m, ctx, &r->p, r->map,
                        cosine ? AKIN_BY_COSINE : AKIN_BY_DOT));
    if (o->prototypes)
        AK_TRY(ak_rsl_prototypes(&m, ctx, &r->p, &r->pairs));
    if (o->blend > 0.0)
        AK_TRY(ak_blend_with_rows(&m, ctx, o->blend));
    AK_TRY(note_figures(r, ctx, m));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    return st;
}

static akin_status rsl_learn(akin_model **out, akin_ctx *ctx,
                             const akin_options *head,
                             const akin_supervision *data,
                             akin_learn_info *info)
{
    static const akin_outcome outcomes[] = {AKIN_CONVERGED, AKIN_STEP_LIMIT,
                                            AKIN_STALLED};
    const ak_mark mark = ak_scratch_begin(ctx);
    rsl r = {.o = (const akin_rsl_options *)head};
    akin_status st = AKIN_OK;
    AK_TRY(prepare(&r, ctx, data));
    for (int64_t i = 0; i < r.o->starts && !ak_ctx_stopped(ctx); ++i)
        AK_TRY(run_start(&r, ctx, i));
    ak_fixed_point_copy(r.p.shape, r.best, r.p.now.x);
    AK_TRY(ak_rsl_move(&r.p, ctx));
    warn_if_rank_is_lower(&r, ctx);
    info->outcome = outcomes[r.info.end];
    info->examples = r.pairs.count;
    info->iterations = r.info.iterations;
    info->updates = r.info.iterations - r.info.rejected;
    info->objective = r.info.value;
    AK_TRY(ak_rsl_value(&info->loss, ctx, &r.p, &r.p.now));
    AK_TRY(make_model(&r, ctx, out));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_rsl_options, rank, 0, 1e6,
                   "rank of the similarity; 0: the number of classes, or 10", 5,
                   10, 20, 40),
    AK_OPTION_GRID(akin_rsl_options, lambda, 0.0, 1e12,
                   "weight of the squared norm against the loss", 1e-6, 1e-5,
                   1e-4, 1e-3, 1e-2),
    AK_OPTION_WORD(akin_rsl_options, loss, "log|hinge2|ridge",
                   "log(1 + e^-yf), max(0, 1 - yf)^2 or (f - y)^2"),
    AK_OPTION_WORD(akin_rsl_options, loss_scale, "mean|sum",
                   "the loss is the mean over the pairs, or their sum"),
    AK_OPTION_WORD(akin_rsl_options, reg, "sq|fro",
                   "half the squared norm, or the norm as printed"),
    AK_OPTION_WORD(akin_rsl_options, hessian, "exact|fd",
                   "exact, or by differences of gradients as printed"),
    AK_OPTION_WORD(akin_rsl_options, origin, "mean|zero",
                   "rows are taken from their mean (sparse ones stay sparse), "
                   "or as they are"),
    AK_OPTION_WORD(akin_rsl_options, length, "one|given",
                   "rows are scaled to a mean square length of 1, or not"),
    AK_OPTION_WORD(akin_rsl_options, start, "spectral|random",
                   "the first start; further ones are random"),
    AK_OPTION(akin_rsl_options, starts, 1, 1e6,
              "starts, of which the best is kept"),
    AK_OPTION(akin_rsl_options, tol, 0.0, 1.0,
              "gradient at which it ends, against the first one"),
    AK_OPTION(akin_rsl_options, max_iterations, 0, 1e9,
              "iterations at the most, for each start"),
    AK_OPTION_WORD(akin_rsl_options, score, "cosine|dot",
                   "how rows are compared in the learned space"),
    AK_OPTION(akin_rsl_options, prototypes, 0, 1,
              "1: compare by the shares that the middles of the classes have "
              "in a row, once learned"),
    AK_OPTION(akin_rsl_options, blend, 0.0, 1e6,
              "how much the cosine of the rows themselves counts beside the "
              "learned one, where both sides have the same columns"),
    AK_OPTION_KERNEL(akin_rsl_options),
    AK_OPTION_KERNEL_RIGHT(akin_rsl_options),
    AK_OPTION(akin_rsl_options, check_derivatives, 0, 1,
              "1: compare derivatives with differences first"),
};
AK_OPTIONS_COVER(akin_rsl_options, options);

static const akin_rsl_options defaults = AKIN_RSL_DEFAULTS;
static const akin_recipe_options as_they_are = AKIN_RECIPE_DEFAULTS;

const ak_learner ak_learner_rsl = {
    .info =
        {
            .name = "rsl",
            .summary = "similarity of fixed rank between two kinds of rows",
            .when = "rows of two kinds, or pairs that match and do not",
            .paper = "cheng2013rsl",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "factored",
            .takes_right = 1,
            .weighs_pairs = 1,
            .takes_all = 1,
            .recipe = &as_they_are,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = rsl_learn,
};
