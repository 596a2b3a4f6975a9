/* Support vector machines, one for each label against all others: opt/svm.c
 * has the equations. What the similarities across two kinds of rows are
 * compared with, for it looks at the rows of one side alone.
 *
 *   w_c = argmin |w|^2 / 2 + C sum_i loss(y_ic w.x_i),  y_ic = 1 where row i
 *         has label c, else -1                                          (1)
 *
 * Labels are ranked by w_c.x; there is no offset, and the recipe centres. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "learn/cross.h"
#include "learn/learner.h"
#include "model/ranker.h"
#include "opt/svm.h"

static const int64_t MOST = INT64_C(1) << 28;  // numbers in a matrix: 2 GiB

typedef struct svm_t {
    const akin_svm_t_options *o;
    const akin_rows *rows;
    ak_grid_side side;  // the rows that have labels
    int64_t n_labels;
    double *X;                // n x d
    double *y, *alpha, *C;    // n of each label; C of all
    int64_t *order, *sweeps;  // n of each label; one a label
    double *w, *primal;       // d of each label; one a label
    unsigned char *converged;
    ak_rng rng;
} svm_t;

/* One machine, of label `begin`. */
static akin_status solve_label(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    svm_t *s = arg;
    const int64_t n = s->side.n, d = s->rows->d;
    (void)worker, (void)end;
    ak_rng rng = ak_rng_split(s->rng, (uint64_t)begin);
    ak_svm p = {.n = n,
                .d = d,
                .X = s->X,
                .y = s->y + begin * n,
                .C = s->C,
                .squared = strcmp(s->o->loss, "hinge2") == 0,
                .tol = s->o->tol,
                .max_sweeps = s->o->max_sweeps,
                .w = s->w + begin * d,
                .alpha = s->alpha + begin * n,
                .order = s->order + begin * n};
    ak_svm_solve(&p, &rng);
    s->sweeps[begin] = p.sweeps;
    s->converged[begin] = p.converged;
    s->primal[begin] = p.primal;
    return isfinite(p.primal) ? AKIN_OK : AKIN_ENUMERIC;
}

static akin_status make_room(svm_t *s, akin_ctx *ctx)
{
    const int64_t n = s->side.n, L = s->n_labels;
    akin_status st = AKIN_OK;
    if (L > MOST / ak_max_i64(n, s->rows->d))
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " labels of %" PRId64 " rows are too many", L,
                       n));
    AK_TRY(ak_cross_side(&s->X, ctx, s->rows, &s->side, MOST));
    AK_TRY(AK_SCRATCH(ctx, n * L, &s->y));
    AK_TRY(AK_SCRATCH(ctx, n * L, &s->alpha));
    AK_TRY(AK_SCRATCH(ctx, n * L, &s->order));
    AK_TRY(AK_SCRATCH(ctx, n, &s->C));
    AK_TRY(AK_SCRATCH(ctx, L * s->rows->d, &s->w));
    AK_TRY(AK_SCRATCH(ctx, L, &s->sweeps));
    AK_TRY(AK_SCRATCH(ctx, L, &s->primal));
    AK_TRY(AK_SCRATCH(ctx, L, &s->converged));
    for (int64_t i = 0; i < n; ++i)
        s->C[i] = s->o->C;
    for (int64_t k = 0; k < n * L; ++k)
        s->y[k] = -1.0;
    for (int64_t i = 0; i < n; ++i)
        for (int64_t k = s->side.offsets[i]; k < s->side.offsets[i + 1]; ++k)
            s->y[s->side.labels[k] * n + i] = 1.0;
done:
    return st;
}

static void sum_up(const svm_t *s, akin_learn_info *info)
{
    info->outcome = AKIN_CONVERGED;
    info->objective = 0.0;
    info->examples = s->side.n;
    for (int64_t c = 0; c < s->n_labels; ++c) {
        info->objective += s->primal[c];
        info->iterations = ak_max_i64(info->iterations, s->sweeps[c]);
        if (!s->converged[c])
            info->outcome = AKIN_STEP_LIMIT;
    }
    for (int64_t i = 0; i < s->side.n; ++i) {
        bool used = false;
        for (int64_t c = 0; c < s->n_labels; ++c)
            used = used || s->alpha[c * s->side.n + i] > 0.0;
        info->updates += used;  // support vectors
    }
}

/* Weights by feature, as a ranker has them. */
static akin_status make_model(akin_model **out, akin_ctx *ctx, const svm_t *s)
{
    const int64_t d = s->rows->d, L = s->n_labels;
    double *W;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * L, &W));
    for (int64_t c = 0; c < L; ++c)
        for (int64_t j = 0; j < d; ++j)
            W[j * L + c] = s->w[c * d + j];
    AK_TRY(ak_ranker_new(out, ctx, (ak_labels){L, s->rows->label_names}, d, W));
done:
    return st;
}

static akin_status svm_t_learn(akin_model **out, akin_ctx *ctx,
                               const akin_options *head,
                               const akin_supervision *data,
                               akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    svm_t s = {.o = (const akin_svm_t_options *)head,
               .rows = data->rows,
               .n_labels = data->rows->n_label_names,
               .rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER)};
    akin_status st = AKIN_OK;
    AK_TRY(ak_grid_side_of(&s.side, ctx, data));
    if (s.n_labels < 2)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "there is one label only (at least two are needed)"));
    AK_TRY(make_room(&s, ctx));
    AK_TRY(ak_ctx_tick(ctx, "labels", 0, s.n_labels, 0.0));
    st = ak_parallel_for(ctx, s.n_labels, 1, solve_label, &s);
    if (st == AKIN_ENUMERIC)
        AK_TRY(
            ak_fail(ctx, st, "a value is not finite (scaled rows may help)"));
    AK_TRY(st);
    sum_up(&s, info);
    AK_TRY(make_model(out, ctx, &s));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_svm_t_options, C, 1e-9, 1e9,
                   "weight of the margins against short weights", 1e-2, 1e-1,
                   1.0, 10.0, 100.0),
    AK_OPTION_WORD(akin_svm_t_options, loss, "hinge|hinge2",
                   "of a margin z: max(0, 1 - z), or its square"),
    AK_OPTION(akin_svm_t_options, tol, 0.0, 1.0,
              "largest violation of optimality that ends it"),
    AK_OPTION(akin_svm_t_options, max_sweeps, 1, 1e9, "sweeps at the most"),
};
AK_OPTIONS_COVER(akin_svm_t_options, options);

static const akin_svm_t_options defaults = AKIN_SVM_T_DEFAULTS;

const ak_learner ak_learner_svm_t = {
    .info =
        {
            .name = "svm-t",
            .summary = "a support vector machine for each label",
            .when = "labels of one side alone; what two sides must beat",
            .paper = "hsieh2008dcd",
            .takes = AKIN_LABELS,
            .makes = "ranker",
            .recipe = &ak_recipe_centred,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .learn = svm_t_learn,
};
