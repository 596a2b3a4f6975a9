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

#include "base/checkpoint.h"
#include "base/comm.h"
#include "data/labels.h"
#include "la/dense.h"
#include "la/tall.h"
#include "learn/learner.h"
#include "learn/metric/constraints.h"
#include "learn/metric/full_metric.h"
#include "learn/metric/principal.h"
#include "learn/two_way.h"
#include "model/compare.h"
#include "model/posterior.h"
#include "opt/lbfgs.h"

enum { ROWS = 64 };  // in a block

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
    double square;     // sum of the squared distances of the rows from it
    double *X;         // n x u, centred, of dense rows
    ak_two_way sparse;

    double *Z;     // n x L: z, then dF/dz
    double *loss;  // n
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
    s->square = ak_dot(s->n * s->u, s->X, s->X);
    return AKIN_OK;
}

static akin_status take_sparse(side *s, akin_ctx *ctx)
{
    AK_CHECK(ak_two_way_of(&s->sparse, ctx, s->rows, s->which, s->n));
    s->u = s->sparse.u;
    s->columns = s->sparse.columns;
    AK_CHECK(AK_SCRATCH(ctx, s->u, &s->mean));
    s->square = ak_two_way_mean(&s->sparse, s->mean);
    return AKIN_OK;
}

/* (4) */
static double penalty(const side *s, double lambda)
{
    return s->square > 0.0 ? lambda * s->square / (double)s->n : lambda;
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

/* The losses of (2), and dF/dz, from z. */
static akin_status losses(void *arg, int64_t begin, int64_t end, int64_t worker)
{
    const side *s = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        s->loss[i] = loss_of(s, i, s->Z + i * s->L);
    return AKIN_OK;
}

/* (1) */
static akin_status logits(const side *s, akin_ctx *ctx, const double *W)
{
    const double *b = W + s->u * s->L;
    if (s->X != NULL)
        AK_CHECK(ak_tall_multiply(ctx, s->n, s->u, 1.0, s->X, s->u, s->L, W,
                                  0.0, s->Z));
    for (int64_t i = 0; i < s->n; ++i)
        for (int64_t c = 0; c < s->L; ++c)
            s->Z[i * s->L + c] = (s->X ? s->Z[i * s->L + c] : 0.0) + b[c];
    return s->X ? AKIN_OK : ak_two_way_add(ctx, &s->sparse, s->L, W, s->Z);
}

/* x holds W (u x L), then b. */
static akin_status value(void *arg, akin_ctx *ctx, const double *x, double *F,
                         double *gradient)
{
    side *s = arg;
    const int64_t L = s->L, n_W = s->u * L;
    const double weight = s->mu / (double)s->n;
    double *g_b = gradient + n_W, sum = 0.0;
    AK_CHECK(logits(s, ctx, x));
    AK_CHECK(AK_COMM_MAP(ctx, s->n, ROWS, losses, s, {s->loss, sizeof *s->loss},
                         {s->Z, (size_t)L * sizeof *s->Z}));
    if (s->X != NULL)
        AK_CHECK(ak_tall_cross(ctx, s->n, s->u, s->X, L, s->Z, gradient));
    else
        AK_CHECK(ak_two_way_cross(ctx, &s->sparse, L, s->Z, gradient));
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
        return ak_supervision_blame(
            ak_fail(ctx, AKIN_EINVAL,
                    n_sides == 1
                        ? "all labelled rows are of one class (expected two "
                          "or more)"
                        : "labels that both sides have: %" PRId64
                          " (expected two or more)",
                    out->n),
            ctx, data);
    for (int k = 0; k < n_sides; ++k)
        AK_CHECK(take_classes(&sides[k], ctx, which[k], *out));
    return AKIN_OK;
}

/* ---- the run ---- */

typedef struct minima {
    side *sides;
    ak_lbfgs of[2];
    int64_t n_sides, k;  // side k is being learned
} minima;

/* Where the run is, and the minimum of the side before. */
static akin_status visit(void *self, akin_ctx *ctx, ak_state *s)
{
    minima *m = self;
    ak_lbfgs *p = &m->of[0];
    AK_CHECK(ak_state_i64(s, ctx, "side", &m->k, 0, m->n_sides - 1));
    if (m->k == 0)
        return AKIN_OK;
    AK_CHECK(ak_state_f64(s, ctx, "x", p->n, p->x));
    AK_CHECK(ak_state_f64(s, ctx, "value", 1, &p->value));
    AK_CHECK(ak_state_f64(s, ctx, "gradient", 1, &p->gradient));
    return ak_state_i64(s, ctx, "iterations", &p->iterations, 0,
                        p->max_iterations);
}

/* One side after another. */
static akin_status minimise(minima *m, akin_ctx *ctx,
                            const akin_logistic_options *o)
{
    ak_section section = {"logistic", visit, m, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < m->n_sides; ++k) {
        side *s = &m->sides[k];
        AK_CHECK(open_side(s, ctx));
        s->mu = penalty(s, o->lambda);
        m->of[k] = (ak_lbfgs){.n = (s->u + 1) * s->L,
                              .gradient_tol = o->tol,
                              .max_iterations = o->max_iterations};
        AK_CHECK(ak_scratch(ctx, s->u + 1, (size_t)s->L * sizeof(double),
                            &m->of[k].x));
    }
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    for (; m->k < m->n_sides; ++m->k)
        AK_TRY(ak_lbfgs_run(&m->of[m->k], ctx, value, &m->sides[m->k]));
done:
    ak_section_leave(ctx, &section);
    return st;
}

/* The minimum of one side, as the rows of the model; `gradient` becomes the
 * largest of its own and what it was. */
static akin_status take_minimum(const side *s, akin_ctx *ctx, const ak_lbfgs *p,
                                ak_logits *out, akin_learn_info *info,
                                double *gradient)
{
    const int64_t L = s->L;
    double *W;
    AK_CHECK(ak_scratch(ctx, s->rows->d, (size_t)L * sizeof *W, &W));
    for (int64_t j = 0; j < s->u; ++j) {
        memcpy(W + s->columns[j] * L, p->x + j * L, (size_t)L * sizeof *W);
        if (s->X != NULL)
            ak_axpy(L, -s->mean[j], p->x + j * L, p->x + s->u * L);
    }
    *out = (ak_logits){s->rows->d, W, p->x + s->u * L};
    *gradient = fmax(*gradient, p->gradient);
    info->examples += s->n;
    info->iterations += p->iterations;
    info->objective += p->value;
    if (p->gradient > p->gradient_tol)
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
    minima m = {.sides = sides, .n_sides = n_sides};
    ak_logits learned[2];
    ak_labels labels;
    double gradient = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(take_labels(sides, n_sides, ctx, data, &labels));
    info->outcome = AKIN_CONVERGED;
    info->objective = 0.0;
    AK_TRY(minimise(&m, ctx, o));
    for (int k = 0; k < n_sides; ++k)
        AK_TRY(take_minimum(&sides[k], ctx, &m.of[k], &learned[k], info,
                            &gradient));
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
            .shares = "rows and columns",
            .summary = "probabilities of labels, which rows are compared by",
            .when = "labels, dense rows or documents; names labels, too",
            .paper = "cox1966logistic",
            .has_checkpoints = 1,
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
