/* Multinomial logistic regression: a row becomes the probabilities of its
 * labels.
 *   [1] Hastie, Tibshirani, Friedman. The elements of statistical learning,
 *       section 4.4. Springer, 2009.
 *
 *   z_i = W'x_i + b,  p_i = softmax(z_i)                                   (1)
 *   F(W, b) = -1/n sum_i sum_c y_ic log p_ic + mu / (2 n) |W|^2            (2)
 *   dF/dz_i = (p_i - y_i) / n,  dF/dW = X'dF/dz + mu / n W                 (3)
 *   mu = lambda 1/n sum_i |x_i - m|^2,  m the mean of the rows             (4)
 *
 * By (4) the same lambda means the same on any scale of the rows, wherever
 * their mean is.
 * y_i is 1 at the label of row i, and 1/m at each of m labels. The offsets b
 * are not penalised. F is convex; the run ends when the gradient has fallen to
 * the share `tol` of that at W = 0, b = 0.
 *
 * Of two kinds of rows each has a W and b of its own, over the labels that both
 * have. Dense rows are centred, which leaves (2) as it is but for b. Sparse
 * rows are kept by row and by column, so that (1) and (3) go over the numbers
 * that are there; columns without any are left out. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "data/labels.h"
#include "la/dense.h"
#include "la/tall.h"
#include "learn/learner.h"
#include "learn/metric/constraints.h"
#include "learn/metric/full_metric.h"
#include "learn/metric/principal.h"
#include "model/compare.h"
#include "model/posterior.h"
#include "opt/lbfgs.h"

enum { ROWS = 64, COLUMNS = 256 };  // in a block

/* The rows of one side, and their classes. */
typedef struct side {
    const akin_rows *rows;
    const int64_t *which;    // numbers of the n rows
    const int32_t *classes;  // of each label of the rows; -1: not learned
    int64_t n, L;
    double mu;

    int64_t u;         // columns that occur
    int64_t *columns;  // u, increasing
    double *mean;      // u, of the columns
    double *X;         // dense: n x u, centred
    int64_t *offsets;  // sparse: n + 1, cols and vals by row
    int32_t *cols;
    int64_t *starts;  // sparse: u + 1, at and nums by column
    int32_t *at;
    float *vals, *nums;

    double *Z;     // n x L: z, then dF/dz
    double *loss;  // n
    const double *W;
    double *G;
} side;

/* ---- the rows ---- */

static akin_status take_dense(side *s, akin_ctx *ctx)
{
    s->u = s->rows->d;
    AK_CHECK(AK_SCRATCH(ctx, s->u, &s->columns));
    for (int64_t j = 0; j < s->u; ++j)
        s->columns[j] = j;
    AK_CHECK(ak_rows_matrix(&s->X, ctx, s->rows, s->which, s->n));
    AK_CHECK(AK_SCRATCH(ctx, s->u, &s->mean));
    ak_center_rows(s->n, s->u, s->X, s->mean);
    return AKIN_OK;
}

/* The columns that occur, numbered; `number` has room for all. */
static akin_status number_columns(side *s, akin_ctx *ctx, int64_t *number,
                                  int64_t *count)
{
    *count = 0;
    for (int64_t i = 0; i < s->n; ++i) {
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        for (int64_t k = 0; k < x.n; ++k)
            ++number[x.cols[k]];
        *count += x.n;
    }
    for (int64_t j = 0; j < s->rows->d; ++j)
        s->u += number[j] > 0;
    AK_CHECK(AK_SCRATCH(ctx, s->u, &s->columns));
    AK_CHECK(AK_SCRATCH(ctx, s->u + 1, &s->starts));
    for (int64_t j = 0, c = 0; j < s->rows->d; ++j)
        if (number[j] > 0) {
            s->starts[c + 1] = s->starts[c] + number[j];
            s->columns[c] = j;
            number[j] = c++;
        }
    return AKIN_OK;
}

static akin_status take_sparse(side *s, akin_ctx *ctx)
{
    int64_t *number, *next, count, k = 0;
    AK_CHECK(AK_SCRATCH(ctx, s->rows->d, &number));
    AK_CHECK(number_columns(s, ctx, number, &count));
    AK_CHECK(AK_SCRATCH(ctx, s->u, &next));
    AK_CHECK(AK_SCRATCH(ctx, s->n + 1, &s->offsets));
    AK_CHECK(AK_SCRATCH(ctx, count, &s->cols));
    AK_CHECK(AK_SCRATCH(ctx, count, &s->vals));
    AK_CHECK(AK_SCRATCH(ctx, count, &s->at));
    AK_CHECK(AK_SCRATCH(ctx, count, &s->nums));
    memcpy(next, s->starts, (size_t)s->u * sizeof *next);
    for (int64_t i = 0; i < s->n; ++i) {
        const ak_sparse x = ak_rows_sparse(s->rows, s->which[i]);
        for (int64_t e = 0; e < x.n; ++e, ++k) {
            const int64_t c = number[x.cols[e]];
            s->cols[k] = (int32_t)c;
            s->vals[k] = x.vals[e];
            s->at[next[c]] = (int32_t)i;
            s->nums[next[c]++] = x.vals[e];
        }
        s->offsets[i + 1] = k;
    }
    AK_CHECK(AK_SCRATCH(ctx, s->u, &s->mean));
    for (int64_t j = 0; j < s->u; ++j)
        for (int64_t e = s->starts[j]; e < s->starts[j + 1]; ++e)
            s->mean[j] += (double)s->nums[e] / (double)s->n;
    return AKIN_OK;
}

/* (4) */
static double penalty(const side *s, double lambda)
{
    double square = 0.0;
    if (s->X != NULL)
        square = ak_dot(s->n * s->u, s->X, s->X) / (double)s->n;
    else
        for (int64_t j = 0; j < s->u; ++j) {
            for (int64_t e = s->starts[j]; e < s->starts[j + 1]; ++e)
                square += (double)s->nums[e] * (double)s->nums[e] /
                          (double)s->n;
            square -= s->mean[j] * s->mean[j];
        }
    return square > 0.0 ? lambda * square : lambda;
}

static akin_status open_side(side *s, akin_ctx *ctx)
{
    AK_CHECK(s->rows->offsets ? take_sparse(s, ctx) : take_dense(s, ctx));
    AK_CHECK(AK_SCRATCH(ctx, s->n, &s->loss));
    return ak_scratch(ctx, s->n, (size_t)s->L * sizeof *s->Z, &s->Z);
}

/* ---- the objective ---- */

/* The classes of row i, as akin_rows_labels. */
static int64_t classes_of(const side *s, int64_t i, const int32_t **labels)
{
    return akin_rows_labels(labels, s->rows, s->which[i]);
}

/* z becomes (p - y) / n; returns -sum_c y_c log p_c. */
static double loss_of(const side *s, int64_t i, double *z)
{
    const int32_t *labels;
    const int64_t m = classes_of(s, i, &labels);
    int64_t known = 0;
    double most = -INFINITY, sum = 0.0, loss = 0.0;
    for (int64_t c = 0; c < s->L; ++c)
        most = fmax(most, z[c]);
    for (int64_t c = 0; c < s->L; ++c)
        sum += exp(z[c] - most);
    for (int64_t l = 0; l < m; ++l)
        known += s->classes[labels[l]] >= 0;
    for (int64_t l = 0; l < m; ++l)
        if (s->classes[labels[l]] >= 0)
            loss += (log(sum) + most - z[s->classes[labels[l]]]) /
                    (double)known;
    for (int64_t c = 0; c < s->L; ++c)
        z[c] = exp(z[c] - most) / sum / (double)s->n;
    for (int64_t l = 0; l < m; ++l)
        if (s->classes[labels[l]] >= 0)
            z[s->classes[labels[l]]] -= 1.0 / (double)known / (double)s->n;
    return loss;
}

/* (1) of sparse rows, and their part of (2) and (3). */
static akin_status forward(void *arg, int64_t begin, int64_t end,
                           int64_t worker)
{
    side *s = arg;
    const int64_t L = s->L;
    const double *b = s->W + s->u * L;
    (void)worker;
    for (int64_t i = begin; i < end; ++i) {
        double *z = s->Z + i * L;
        for (int64_t c = 0; c < L; ++c)
            z[c] = (s->X ? z[c] : 0.0) + b[c];
        for (int64_t k = s->X ? 0 : s->offsets[i];
             k < (s->X ? 0 : s->offsets[i + 1]); ++k) {
            const double *w = s->W + s->cols[k] * L;
            const double v = s->vals[k];
            for (int64_t c = 0; c < L; ++c)
                z[c] += v * w[c];
        }
        s->loss[i] = loss_of(s, i, z);
    }
    return AKIN_OK;
}

/* (3), the columns of sparse rows. */
static akin_status backward(void *arg, int64_t begin, int64_t end,
                            int64_t worker)
{
    const side *s = arg;
    const int64_t L = s->L;
    (void)worker;
    for (int64_t j = begin; j < end; ++j) {
        double *g = s->G + j * L;
        memset(g, 0, (size_t)L * sizeof *g);
        for (int64_t k = s->starts[j]; k < s->starts[j + 1]; ++k) {
            const double *z = s->Z + s->at[k] * L;
            const double v = s->nums[k];
            for (int64_t c = 0; c < L; ++c)
                g[c] += v * z[c];
        }
    }
    return AKIN_OK;
}

/* x holds W (u x L), then b. */
static akin_status value(void *arg, akin_ctx *ctx, const double *x, double *F,
                         double *gradient)
{
    side *s = arg;
    const int64_t L = s->L, n_W = s->u * L;
    const double weight = s->mu / (double)s->n;
    double *g_b = gradient + n_W, sum = 0.0;
    s->W = x;
    s->G = gradient;
    if (s->X != NULL)
        AK_CHECK(ak_tall_multiply(ctx, s->n, s->u, 1.0, s->X, s->u, L, x, 0.0,
                                  s->Z));
    AK_CHECK(ak_parallel_for(ctx, s->n, ROWS, forward, s));
    if (s->X != NULL)
        AK_CHECK(ak_tall_cross(ctx, s->n, s->u, s->X, L, s->Z, gradient));
    else
        AK_CHECK(ak_parallel_for(ctx, s->u, COLUMNS, backward, s));
    memset(g_b, 0, (size_t)L * sizeof *g_b);
    for (int64_t i = 0; i < s->n; ++i) {
        sum += s->loss[i];
        ak_axpy(L, 1.0, s->Z + i * L, g_b);
    }
    *F = sum / (double)s->n + 0.5 * weight * ak_dot(n_W, x, x);
    ak_axpy(n_W, weight, x, gradient);
    return AKIN_OK;
}

/* ---- labels ---- */

/* The known rows of a side that have a label. */
static akin_status labelled_rows(int64_t **which, int64_t *n, akin_ctx *ctx,
                                 const akin_rows *rows, const int64_t *known,
                                 int64_t n_known)
{
    const int32_t *labels;
    const int64_t all = known ? n_known : rows->n;
    AK_CHECK(AK_SCRATCH(ctx, all, which));
    *n = 0;
    for (int64_t i = 0; i < all; ++i) {
        const int64_t row = known ? known[i] : i;
        if (akin_rows_labels(&labels, rows, row) > 0)
            (*which)[(*n)++] = row;
    }
    return AKIN_OK;
}

/* has[l]: a row of the side has label l, numbered as on the left. */
static akin_status labels_on(unsigned char *has, akin_ctx *ctx, const side *s,
                             const akin_rows *left)
{
    const int32_t *labels;
    int32_t *map;
    AK_CHECK(ak_label_map(ctx, s->rows->n_label_names, s->rows->label_names,
                          left->n_label_names, left->label_names, &map));
    for (int64_t i = 0; i < s->n; ++i) {
        const int64_t m = akin_rows_labels(&labels, s->rows, s->which[i]);
        for (int64_t l = 0; l < m; ++l)
            if (map[labels[l]] >= 0)
                has[map[labels[l]]] = 1;
    }
    return AKIN_OK;
}

/* Classes of a side: the number of each of its labels among `names`. Rows that
 * are left without any are left out. */
static akin_status take_classes(side *s, akin_ctx *ctx, int64_t *which,
                                ak_labels names)
{
    const int32_t *labels;
    int32_t *classes;
    int64_t kept = 0;
    AK_CHECK(ak_label_map(ctx, s->rows->n_label_names, s->rows->label_names,
                          names.n, names.names, &classes));
    s->classes = classes;
    for (int64_t i = 0; i < s->n; ++i) {
        const int64_t m = classes_of(s, i, &labels);
        bool any = false;
        for (int64_t l = 0; l < m; ++l)
            any |= classes[labels[l]] >= 0;
        which[kept] = which[i];
        kept += any;
    }
    s->n = kept;
    s->L = names.n;
    return AKIN_OK;
}

/* The rows and labels of all sides. EINVAL: fewer than two labels. */
static akin_status take_labels(side *sides, int n_sides, akin_ctx *ctx,
                               const akin_supervision *data, ak_labels *out)
{
    const akin_rows *left = data->rows;
    int64_t *which[2];
    unsigned char *has[2];
    char **names;
    AK_CHECK(AK_SCRATCH(ctx, left->n_label_names, &names));
    *out = (ak_labels){0, names};
    for (int k = 0; k < n_sides; ++k) {
        side *s = &sides[k];
        s->rows = k ? data->right : left;
        AK_CHECK(labelled_rows(&which[k], &s->n, ctx, s->rows,
                               k ? data->right_known : data->known,
                               k ? data->n_right_known : data->n_known));
        s->which = which[k];
        AK_CHECK(AK_SCRATCH(ctx, left->n_label_names, &has[k]));
        AK_CHECK(labels_on(has[k], ctx, s, left));
    }
    for (int64_t l = 0; l < left->n_label_names; ++l)
        if (has[0][l] && (n_sides == 1 || has[1][l]))
            names[out->n++] = left->label_names[l];
    if (out->n < 2)
        return ak_fail(ctx, AKIN_EINVAL,
                       "logistic needs rows of two labels or more%s (there "
                       "are %" PRId64 ")",
                       n_sides > 1 ? " that both sides have" : "", out->n);
    for (int k = 0; k < n_sides; ++k)
        AK_CHECK(take_classes(&sides[k], ctx, which[k], *out));
    return AKIN_OK;
}

/* ---- the run ---- */

/* The minimum of one side, as the rows of the model; `gradient` becomes the
 * largest of its own and what it was. */
static akin_status minimise(side *s, akin_ctx *ctx,
                            const akin_logistic_options *o, ak_logits *out,
                            akin_learn_info *info, double *gradient)
{
    const int64_t L = s->L;
    ak_lbfgs p = {.n = (s->u + 1) * L,
                  .gradient_tol = o->tol,
                  .max_iterations = o->max_iterations};
    double *W;
    AK_CHECK(ak_scratch(ctx, s->u + 1, (size_t)L * sizeof *p.x, &p.x));
    AK_CHECK(ak_lbfgs_run(&p, ctx, value, s));
    AK_CHECK(ak_scratch(ctx, s->rows->d, (size_t)L * sizeof *W, &W));
    for (int64_t j = 0; j < s->u; ++j) {
        memcpy(W + s->columns[j] * L, p.x + j * L, (size_t)L * sizeof *W);
        if (s->X != NULL)
            ak_axpy(L, -s->mean[j], p.x + j * L, p.x + s->u * L);
    }
    *out = (ak_logits){s->rows->d, W, p.x + s->u * L};
    *gradient = fmax(*gradient, p.gradient);
    info->examples += s->n;
    info->iterations += p.iterations;
    info->objective += p.value;
    if (p.gradient > o->tol)
        info->outcome = AKIN_STEP_LIMIT;
    return AKIN_OK;
}

static akin_status logistic_learn(akin_model **out, akin_ctx *ctx,
                                  const akin_options *head,
                                  const akin_supervision *data,
                                  akin_learn_info *info)
{
    const akin_logistic_options *o = (const akin_logistic_options *)head;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int n_sides = data->right ? 2 : 1;
    side sides[2] = {0};
    ak_logits learned[2];
    ak_labels labels;
    double gradient = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(take_labels(sides, n_sides, ctx, data, &labels));
    info->outcome = AKIN_CONVERGED;
    info->objective = 0.0;
    for (int k = 0; k < n_sides; ++k) {
        AK_TRY(open_side(&sides[k], ctx));
        sides[k].mu = penalty(&sides[k], o->lambda);
        AK_TRY(minimise(&sides[k], ctx, o, &learned[k], info, &gradient));
    }
    AK_TRY(ak_posterior_new(out, ctx, labels, &learned[0],
                            n_sides > 1 ? &learned[1] : NULL, o->sharpness));
    AK_TRY(ak_metric_note(*out, ctx, "gradient", gradient));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_logistic_options, lambda, 0.0, 1e12,
                   "strength of the L2 penalty, relative to the variance of "
                   "the rows",
                   0.01, 0.1, 1.0),
    AK_OPTION_GRID(akin_logistic_options, sharpness, 1e-3, 1e3,
                   "rows are compared by this power of their probabilities",
                   1.0, 2.0, 4.0),
    AK_OPTION(akin_logistic_options, tol, 0.0, 1.0,
              "stops when the gradient is this fraction of that at the start"),
    AK_OPTION(akin_logistic_options, max_iterations, 1, 1e9,
              "maximum number of iterations"),
};

const ak_learner ak_learner_logistic = {
    .info =
        {
            .name = "logistic",
            .summary = "probabilities of labels, which rows are compared by",
            .when = "labels, dense rows or documents; names labels, too",
            .paper = "cox1966logistic",
            .takes = AKIN_LABELS,
            .makes = "posterior",
            .takes_right = 1,
            .takes_all = 1,
            .recipe = &ak_recipe_standard,
            AK_OPTION_ROWS(akin_logistic_options, AKIN_LOGISTIC_DEFAULTS,
                           options),
        },
    .learn = logistic_learn,
};
