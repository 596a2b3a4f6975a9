/* Support vector machines, one for each label against all others: opt/svm.c has
 * the equations. A baseline for similarities across two kinds of rows, because
 * it uses the rows of one side only.
 *
 *   w_c, b_c = argmin (|w|^2 + b^2) / 2 + C sum_i loss(y_ic (w.x_i + bias b)),
 *              y_ic = 1 where row i has label c, else -1                (1)
 *
 * Labels are ranked by w_c.x + bias b_c. Rows are centred, so that without b_c
 * a rare label could not be told from a frequent one at their mean. With a
 * kernel, x are the features of a row, centred. */
#include <string.h>

#include "learn/cross/span.h"
#include "learn/learner.h"
#include "opt/svm.h"

typedef struct svm_t {
    const akin_svm_t_options *o;
    const akin_rows *rows;
    ak_grid_side side;  // the rows that have labels
    ak_span span;       // as numbers
    ak_svm_set set;     // of rows with `bias` at their end
} svm_t;

/* The rows, each with one number more. */
static akin_status append_bias(double **out, akin_ctx *ctx, const svm_t *s)
{
    const int64_t n = s->side.n, r = s->span.r;
    AK_CHECK(AK_SCRATCH(ctx, n * (r + 1), out));
    for (int64_t i = 0; i < n; ++i) {
        memcpy(*out + i * (r + 1), s->span.Z + i * r, (size_t)r * sizeof **out);
        (*out)[i * (r + 1) + r] = s->o->bias;
    }
    return AKIN_OK;
}

static akin_status prepare(svm_t *s, akin_ctx *ctx)
{
    const akin_svm_t_options *o = s->o;
    const ak_span_options how = AK_SPAN_OPTIONS(o, "same", false);
    double *X;
    AK_CHECK(ak_span_open(&s->span, ctx, s->rows, &s->side, &how));
    AK_CHECK(append_bias(&X, ctx, s));
    s->set = (ak_svm_set){
        .n = s->side.n,
        .d = s->span.r + 1,
        .labels = s->rows->n_label_names,
        .X = X,
        .C = o->C,
        .squared = strcmp(o->loss, "hinge2") == 0,
        .tol = o->tol,
        .max_sweeps = o->max_sweeps,
        .rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER),
        .watched = ctx,
    };
    AK_CHECK(ak_svm_set_room(&s->set, ctx));
    for (int64_t i = 0; i < s->side.n; ++i)
        for (int64_t k = s->side.offsets[i]; k < s->side.offsets[i + 1]; ++k)
            s->set.y[s->side.labels[k] * s->side.n + i] = 1.0;
    return AKIN_OK;
}

static void sum_up(const ak_svm_set *s, akin_learn_info *info)
{
    info->outcome = AKIN_CONVERGED;
    info->objective = 0.0;
    info->examples = s->n;
    for (int64_t c = 0; c < s->labels; ++c) {
        info->objective += s->primal[c];
        info->iterations = ak_max_i64(info->iterations, s->sweeps[c]);
        if (!s->converged[c])
            info->outcome = AKIN_STEP_LIMIT;
    }
    for (int64_t i = 0; i < s->n; ++i) {
        bool used = false;
        for (int64_t c = 0; c < s->labels; ++c)
            used = used || s->alpha[c * s->n + i] > 0.0;
        info->updates += used;  // support vectors
    }
}

/* Weights by feature, as a ranker has them. */
static akin_status make_model(akin_model **out, akin_ctx *ctx, const svm_t *s)
{
    const int64_t r = s->span.r, L = s->set.labels;
    const ak_labels labels = {L, s->rows->label_names};
    double *W, *b;
    AK_CHECK(AK_SCRATCH(ctx, r * L, &W));
    AK_CHECK(AK_SCRATCH(ctx, L, &b));
    for (int64_t c = 0; c < L; ++c) {
        const double *w = s->set.w + c * (r + 1);
        for (int64_t j = 0; j < r; ++j)
            W[j * L + c] = w[j];
        b[c] = s->o->bias * w[r];
    }
    return ak_span_ranker(out, ctx, &s->span, labels, W,
                          s->o->bias > 0.0 ? b : NULL);
}

static akin_status svm_t_learn(akin_model **out, akin_ctx *ctx,
                               const akin_options *head,
                               const akin_supervision *data,
                               akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    svm_t s = {.o = (const akin_svm_t_options *)head, .rows = data->rows};
    akin_status st = AKIN_OK;
    AK_TRY(ak_grid_side_of(&s.side, ctx, data));
    if (s.rows->n_label_names < 2)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "there is only one label (at least two are required)"));
    AK_TRY(prepare(&s, ctx));
    AK_TRY(ak_svm_set_solve(&s.set, ctx));
    sum_up(&s.set, info);
    AK_TRY(make_model(out, ctx, &s));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_svm_t_options, C, 1e-9, 1e9,
                   "weight of the losses against the norm of the weights", 1e-2,
                   1e-1, 1.0, 10.0, 100.0),
    AK_OPTION(
        akin_svm_t_options, bias, 0.0, 1e6,
        "number that stands after every row, for an offset of each label; "
        "0: no offset"),
    AK_OPTION_WORD(akin_svm_t_options, loss, "hinge|hinge2",
                   "of a margin z: max(0, 1 - z), or its square"),
    AK_OPTION(akin_svm_t_options, tol, 0.0, 1.0,
              "stop when no optimality condition is violated by more"),
    AK_OPTION(akin_svm_t_options, max_sweeps, 1, 1e9,
              "maximum number of sweeps"),
    AK_OPTION_KERNEL(akin_svm_t_options),
    AK_OPTION_KERNEL_PLACE(akin_svm_t_options),
};

const ak_learner ak_learner_svm_t = {
    .info =
        {
            .name = "svm-t",
            .summary = "a support vector machine for each label",
            .when =
                "labels on one side only; a baseline for two-sided learners",
            .paper = "hsieh2008dcd",
            .takes = AKIN_LABELS,
            .makes = "ranker",
            .takes_all = 1,
            .recipe = &ak_recipe_centred,
            AK_OPTION_ROWS(akin_svm_t_options, AKIN_SVM_T_DEFAULTS, options),
        },
    .learn = svm_t_learn,
};
