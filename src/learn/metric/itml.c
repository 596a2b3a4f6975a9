/* ITML: the metric nearest to a given one that has similar pairs near and
 * dissimilar ones far; opt/itml.c has the equations and the reference,
 * opt/itml_newton.c the faster way to the same metric.
 *
 * The wanted distances are those that 5 and 95 of a hundred pairs have under
 * the metric that it begins with. */
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"
#include "learn/metric/metrics.h"
#include "opt/itml.h"

static int by_size(const void *x, const void *y)
{
    const double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Between neighbours in order, as the rank falls: q of n values. */
static double quantile(int64_t n, const double *sorted, double q)
{
    const double at = q * (double)(n - 1);
    const int64_t low = (int64_t)at;
    const int64_t high = ak_min_i64(low + 1, n - 1);
    return sorted[low] + (at - (double)low) * (sorted[high] - sorted[low]);
}

/* M0: the identity, or the inverse covariance of all rows. */
static akin_status begin(akin_ctx *ctx, const akin_itml_options *o,
                         const akin_rows *rows, double *M)
{
    const int64_t d = rows->d;
    const bool covariance = strcmp(o->start, "covariance") == 0;
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < d; ++j)
        M[j * d + j] = 1.0;
    if (covariance)
        AK_TRY(ak_covariance(ctx, rows->n, d, ak_fetch_row, rows, M));
    if (covariance)
        st = ak_spd_inverse(ctx, d, M);
    if (st == AKIN_ENUMERIC)
        st = ak_fail(ctx, AKIN_EINVAL,
                     "--start covariance: the covariance is singular (there "
                     "are directions in which the rows do not vary)");
done:
    return st;
}

static akin_status distances(const ak_itml *p, akin_ctx *ctx, double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = p->d;
    double *v, *Mv;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d, &v));
    AK_TRY(AK_SCRATCH(ctx, d, &Mv));
    for (int64_t c = 0; c < p->count; ++c) {
        for (int64_t j = 0; j < d; ++j)
            v[j] = p->X[p->ij[2 * c] * d + j] - p->Y[p->ij[2 * c + 1] * d + j];
        AK_TRY(ak_gemm(ctx, false, false, 1, d, d, 1.0, v, d, p->M, d, 0.0, Mv,
                       d));
        out[c] = ak_dot(d, v, Mv);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* A twentieth of the pairs may be of equal points, so that `near` is not let
 * come to nothing. */
static akin_status choose_targets(ak_itml *p, akin_ctx *ctx,
                                  const akin_itml_options *o)
{
    double *all;
    akin_status st = AKIN_OK;
    p->near = o->near;
    p->far = o->far;
    if (p->near > 0.0 && p->far > 0.0)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, p->count, &all));
    AK_TRY(distances(p, ctx, all));
    qsort(all, (size_t)p->count, sizeof *all, by_size);
    if (!(all[p->count - 1] > 0.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "all pairs are of equal rows: there is no distance to "
                       "learn from"));
    if (p->far <= 0.0)
        p->far = quantile(p->count, all, 0.95);
    if (p->far <= 0.0)
        p->far = all[p->count - 1];
    if (p->near <= 0.0)
        p->near = quantile(p->count, all, 0.05);
    if (p->near < 1e-6 * p->far)
        p->near = 1e-6 * p->far;
done:
    if (st == AKIN_OK && p->near > p->far)
        st = ak_fail(ctx, AKIN_EINVAL,
                     "similar pairs would be let be further apart than "
                     "dissimilar ones (--near %.6g, --far %.6g)",
                     p->near, p->far);
    return st;
}

static akin_status itml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_itml_options *o = (const akin_itml_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = data->rows->d;
    ak_itml p = {.d = d,
                 .gamma = o->gamma,
                 .tol = o->tol,
                 .max_iterations = o->max_iterations};
    ak_links pairs;
    double *X;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_rows(ctx, head, data->rows));
    AK_TRY(ak_links_of(&pairs, ctx, data, AK_METRIC_PAIRS));
    AK_TRY(ak_links_points(&X, &n, ctx, &pairs, data->rows, 2));
    p.X = p.Y = X;
    p.count = pairs.count;
    p.similar = pairs.similar;
    p.ij = pairs.ij;
    AK_TRY(ak_itml_room(&p, ctx));
    AK_TRY(begin(ctx, o, data->rows, p.M));
    AK_TRY(choose_targets(&p, ctx, o));
    AK_TRY(strcmp(o->solver, "cyclic") == 0 ? ak_itml_cyclic(&p, ctx)
                                            : ak_itml_newton(&p, ctx));
    AK_TRY(ak_metric_learned(out, ctx, data->rows, p.M, o->rank));
    AK_TRY(ak_metric_note(*out, ctx, "near", p.near));
    AK_TRY(ak_metric_note(*out, ctx, "far", p.far));
    ak_log(ctx, AKIN_LOG_INFO,
           "squared distances wanted: at most %.4g of similar pairs, at least "
           "%.4g of dissimilar ones",
           p.near, p.far);
    info->examples = p.count;
    ak_metric_ended(info, p.converged, p.active, p.iterations, p.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_itml_options, gamma, 1e-12, 1e12,
                   "weight of the wanted distances against staying", 1e-2, 1e-1,
                   1.0, 10.0),
    AK_OPTION(akin_itml_options, near, 0.0, 1e12,
              "squared distance wanted of similar pairs, at most; 0: the 5th "
              "of a hundred pairs has it"),
    AK_OPTION(akin_itml_options, far, 0.0, 1e12,
              "squared distance wanted of dissimilar pairs, at least; 0: the "
              "95th of a hundred pairs has it"),
    AK_OPTION_WORD(akin_itml_options, start, "identity|covariance",
                   "the metric to stay near: the plain one, or mahalanobis"),
    AK_OPTION_WORD(akin_itml_options, solver, "newton|cyclic",
                   "Newton's method, or projections one pair after the other"),
    AK_OPTION(akin_itml_options, tol, 0.0, 1.0,
              "when it is done: the Newton decrement, or the relative change "
              "of the multipliers in a sweep"),
    AK_OPTION(akin_itml_options, max_iterations, 1, 1e9,
              "iterations, or sweeps, at the most"),
    AK_METRIC_RANK_OPTION(akin_itml_options),
};
AK_OPTIONS_COVER(akin_itml_options, options);

static const akin_itml_options defaults = AKIN_ITML_DEFAULTS;

const ak_learner ak_learner_itml = {
    .info =
        {
            .name = "itml",
            .summary = "metric near a given one, pairs near or far",
            .when = "pairs or few labels, up to a thousand columns",
            .paper = "davis2007itml",
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .recipe = &ak_recipe_minmax,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = itml_learn,
};
