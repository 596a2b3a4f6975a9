/* Symm: one metric for rows of two sources that have the same columns.
 *   [1] Saenko, Kulis, Fritz, Darrell. Adapting visual category models to new
 *       domains. ECCV 2010.
 *
 * ITML (learn/metric/itml.c has the equations) with pairs across the two
 * sources only:
 *
 *   d(x, y) = (x - y)' M (x - y) <= near where x and y match, >= far where not
 *
 * M stays near the identity, so that rows of unseen classes are compared nearly
 * as before. */
#include <stdlib.h>

#include "learn/cross/span.h"
#include "learn/metric/full_metric.h"
#include "learn/metric/itml.h"

static void add(ak_constraints *l, bool match, int64_t i, int64_t j,
                int64_t *at)
{
    l->ij[2 * at[!match]] = i;
    l->ij[2 * at[!match] + 1] = j;
    ++at[!match];
}

/* Keep each pair by a random draw, such that about half of those kept match. */
static akin_status keep(ak_constraints *l, akin_ctx *ctx, const ak_pairs *p,
                        int64_t most)
{
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_PAIRS);
    const int64_t n[2] = {p->n_match, p->count - p->n_match};
    int64_t count[2] = {0, 0}, at[2] = {0, 0}, i, j;
    double share[2];
    for (int k = 0; k < 2; ++k)
        share[k] = p->count <= most ? 1.0 : 0.5 * (double)most / (double)n[k];
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t t = 0; t < p->count; ++t) {
            const bool match = ak_pairs_at(p, t, &i, &j);
            ak_rng r = ak_rng_split(rng, (uint64_t)t);
            if (ak_rng_unit(&r) >= share[!match])
                continue;
            if (pass == 0)
                ++count[!match];
            else
                add(l, match, i, j, at);
        }
        if (pass == 1)
            break;
        *l = (ak_constraints){count[0] + count[1], count[0], NULL};
        AK_CHECK(AK_SCRATCH(ctx, 2 * l->count, &l->ij));
        at[1] = count[0];
    }
    return AKIN_OK;
}

/* The targets: the 5 % and 95 % quantiles of the plain distances. */
static akin_status targets(ak_itml *p, akin_ctx *ctx)
{
    double *all;
    AK_CHECK(AK_SCRATCH(ctx, p->count, &all));
    for (int64_t c = 0; c < p->count; ++c)
        for (int64_t k = 0; k < p->d; ++k) {
            const double z = p->X[p->ij[2 * c] * p->d + k] -
                             p->Y[p->ij[2 * c + 1] * p->d + k];
            all[c] += z * z;
        }
    qsort(all, (size_t)p->count, sizeof *all, ak_compare_f64);
    p->far = all[(int64_t)(0.95 * (double)(p->count - 1))];
    p->near = all[(int64_t)(0.05 * (double)(p->count - 1))];
    if (!(p->far > 0.0))
        return ak_fail(ctx, AKIN_EINVAL,
                       "all pairs are of equal rows: there is no distance to "
                       "learn from");
    if (p->near < 1e-6 * p->far)
        p->near = 1e-6 * p->far;
    return AKIN_OK;
}

static akin_status prepare(ak_itml *p, akin_ctx *ctx, const ak_pairs *pairs,
                           int64_t most)
{
    ak_constraints l = {0};
    double *X = NULL, *Y = NULL;
    AK_CHECK(ak_side_check_columns(ctx, pairs, "symm"));
    AK_CHECK(keep(&l, ctx, pairs, most));
    AK_CHECK(ak_side_matrix(&X, ctx, pairs->left, NULL, pairs->left->n,
                            AK_SIDE_MOST));
    Y = X;
    if (pairs->right != pairs->left)
        AK_CHECK(ak_side_matrix(&Y, ctx, pairs->right, NULL, pairs->right->n,
                                AK_SIDE_MOST));
    p->d = pairs->left->d;
    p->X = X;
    p->Y = Y;
    p->count = l.count;
    p->similar = l.similar;
    p->ij = l.ij;
    AK_CHECK(ak_itml_alloc(p, ctx));
    for (int64_t j = 0; j < p->d; ++j)
        p->M[j * p->d + j] = 1.0;
    return targets(p, ctx);
}

static akin_status symm_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_symm_options *o = (const akin_symm_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_itml p = {
        .gamma = o->gamma, .tol = o->tol, .max_iterations = o->max_iterations};
    ak_pairs pairs;
    akin_status st = AKIN_OK;
    AK_TRY(ak_pairs_of(&pairs, ctx, data));
    AK_TRY(prepare(&p, ctx, &pairs,
                   data->sample > 0 ? data->sample : AK_METRIC_PAIRS));
    AK_TRY(ak_itml_newton(&p, ctx));
    AK_TRY(ak_metric_new(out, ctx, p.d, p.M, AKIN_BY_DISTANCE));
    info->examples = p.count;
    ak_metric_ended(info, p.converged, p.active, p.iterations, p.objective);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(
        akin_symm_options, gamma, 1e-12, 1e12,
        "weight of the target distances against staying near the identity",
        1e-3, 1e-2, 1e-1, 1.0),
    AK_OPTION(akin_symm_options, tol, 0.0, 1.0,
              "stop when the Newton decrement falls below this"),
    AK_OPTION(akin_symm_options, max_iterations, 1, 1e9,
              "maximum number of iterations"),
};

static const akin_recipe_options where_units_differ = {
    .size = sizeof(akin_recipe_options),
    .weights = "none",
    .scale = "auto-minmax",
    .norm = "global",
    .center = 1};

const ak_learner ak_learner_symm = {
    .info =
        {
            .name = "symm",
            .summary = "one metric for two kinds of rows of the same columns",
            .when = "two sources with the same columns; also new classes",
            .paper = "saenko2010symm",
            .has_checkpoints = 1,
            .takes = AKIN_LABELS | AKIN_PAIRS,
            .makes = "metric",
            .most_columns = AK_METRIC_COLUMNS,
            .takes_right = 1,
            .recipe = &where_units_differ,
            AK_OPTION_ROWS(akin_symm_options, AKIN_SYMM_DEFAULTS, options),
        },
    .learn = symm_learn,
};
