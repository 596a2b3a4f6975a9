/* Perceptrons that rank labels by a full matrix, learned online;
 * learn/rank/rank.h has (1) to (5).
 *   [1] Shalit, Weinshall, Chechik. Online learning in the embedded manifold of
 *       low-rank matrices. JMLR 13:429-458, 2012. Section 7.2.
 *   [2] Kakade, Shalev-Shwartz, Tewari. Regularization techniques for learning
 *       with matrices. JMLR 13:1865-1890, 2012.
 *
 * `perceptron` [1]:
 *
 *   W <- W + eta u x'   where the loss is not 0, from W = 0              (6)
 *
 * Dense rows have a constant column, eta is in units of one over the mean
 * |x|^2, and the model is the mean of W over all rows: without it, it would be
 * that of the last mistake.
 *
 * W is kept by feature. The scores of a row cost its non-zeros times the
 * labels, a step its non-zeros times the labels in u.
 *
 * `group-perceptron` [2] uses few features:
 *
 *   theta <- theta + eta u x'   where the loss is not 0                  (7)
 *   W^j    = theta^j |theta^j|^(s-2) (sum_l |theta^l|^s)^(2/s - 1)       (8)
 *
 * The groups are the columns of theta, one for each feature: (8) is the mirror
 * map of half the square of the norm (2, r), 1/r + 1/s = 1, and s = 2 gives the
 * plain perceptron. W is never formed. The scores of a row need its columns and
 * one common factor; a step changes only those columns and their terms of the
 * sum. The sum is kept as a tree, so that its value does not depend on the
 * order of the updates. Norms are in units of `unit`, close to the largest of
 * them, so that no power overflows. */
#include <math.h>
#include <string.h>

#include "learn/rank/rank.h"
#include "model/sparse_rows.h"

/* Counts by "sqrt-idf", sparse rows of length 1; dense ones have columns of
 * mean 0 and variance 1. */
static const akin_recipe_options ranker_recipe = {sizeof(akin_recipe_options),
                                                  "auto", "auto", "auto", 0};

/* What the entries of both have. */
#define RANKER_INFO                                          \
    .takes = AKIN_LABELS, .makes = "ranker", .is_online = 1, \
    .recipe = &ranker_recipe

/* ---- perceptron ---------------------------------------------------------- */

typedef struct perceptron {
    ak_rank rank;
    double eta;
    double *W;     // d x n
    double *late;  // of the mean; NULL: there is none
} perceptron;

/* Rows with a constant column, or as they are. */
static akin_status begin(ak_rank *r, akin_ctx *ctx, const ak_rank_rule *rule,
                         const char *ybar, const char *constant,
                         const ak_online_input *in)
{
    const bool has_constant =
        in->resume ? ak_tensors_get_note(in->resume, "square") != NULL
                   : strcmp(constant, "one") == 0;
    return (has_constant ? ak_rank_begin_constant : ak_rank_begin)(
        r, ctx, rule, ybar, in->data, in->resume);
}

/* eta as a step. */
static double step_of(const ak_rank *r, double eta, const char *units)
{
    return strcmp(units, "relative") == 0 && r->square > 0.0 ? eta / r->square
                                                             : eta;
}

static void perceptron_scores(void *state, ak_spvec x, double *scores)
{
    const perceptron *s = state;
    ak_rows_project(s->rank.n, s->W, x, scores);
}

static double perceptron_score(void *state, ak_spvec x, int64_t label)
{
    const perceptron *s = state;
    return ak_rank_score(&s->rank, s->W, x, label);
}

static akin_status perceptron_step(void *state, akin_ctx *ctx)
{
    perceptron *s = state;
    (void)ctx;
    ak_rank_add(&s->rank, s->eta, s->W);  // (6)
    ak_rank_late_add(&s->rank, s->eta, s->late);
    return AKIN_OK;
}

static void perceptron_free(void *state)
{
    perceptron *s = state;
    if (s == NULL)
        return;
    ak_rank_end(&s->rank);
    akin_free(s->W);
    akin_free(s->late);
    akin_free(s);
}

static const ak_rank_rule perceptron_rule = {NULL, perceptron_scores,
                                             perceptron_score, perceptron_step};

static bool has_state(const ak_tensors *resume)
{
    return resume != NULL && ak_tensors_find(resume, "W") != NULL;
}

static akin_status perceptron_begin(void **state, akin_ctx *ctx,
                                    const ak_online_input *in)
{
    const akin_perceptron_options *o =
        (const akin_perceptron_options *)in->options;
    perceptron *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(begin(&s->rank, ctx, &perceptron_rule, o->ybar, o->constant, in));
    s->eta = step_of(&s->rank, o->eta, o->units);
    AK_TRY(ak_alloc(ctx, s->rank.d, (size_t)s->rank.n * sizeof *s->W, &s->W));
    AK_TRY(ak_rank_late_begin(&s->late, ctx, &s->rank, o->average, in->resume));
    if (has_state(in->resume))
        AK_TRY(ak_sparse_rows_take(in->resume, ctx, "W", s->rank.d, s->rank.n,
                                   s->W));
    *state = s;
    s = NULL;
done:
    perceptron_free(s);
    return st;
}

static akin_status perceptron_model(akin_model **out, akin_ctx *ctx,
                                    void *state)
{
    const perceptron *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *mean = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, s->rank.d, (size_t)s->rank.n * sizeof *mean, &mean));
    ak_rank_late_mean(&s->rank, s->W, s->late, mean);
    AK_TRY(ak_rank_model(out, ctx, &s->rank, mean));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* W alone is in the model already. */
static akin_status perceptron_save(const void *state, akin_ctx *ctx,
                                   ak_tensors *t)
{
    const perceptron *s = state;
    const ak_rank *r = &s->rank;
    AK_CHECK(ak_rank_save(r, ctx, t));
    AK_CHECK(ak_rank_late_save(r, ctx, s->late, t));
    if (s->late == NULL && r->constant == 0.0)
        return AKIN_OK;
    return ak_sparse_rows_put(t, ctx, "W", r->d, r->n, 0.0, s->W);
}

static akin_status perceptron_resume(void *state, akin_ctx *ctx,
                                     const akin_model *model)
{
    perceptron *s = state;
    const int64_t n = s->rank.n;
    if (has_state(model->state))
        return AKIN_OK;
    if (ak_ranker_W(model) == NULL || ak_model_labels(model).n != n ||
        model->d[AKIN_LEFT] != s->rank.d)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "the model was not made by a perceptron");
    memcpy(s->W, ak_ranker_W(model), (size_t)(s->rank.d * n) * sizeof *s->W);
    return AKIN_OK;
}

static void perceptron_derive(akin_options *options)
{
    akin_perceptron_options *o = (akin_perceptron_options *)options;
    if (o->eta == 0.0)
        o->eta = strcmp(o->units, "relative") == 0 ? 0.3 : 0.1;
}

static const akin_option perceptron_options[] = {
    AK_OPTION_GRID(akin_perceptron_options, eta, 0.0, 1e6,
                   "step size; 0 = auto (0.1, and 0.3 in relative units)", 0.03,
                   0.1, 0.3, 1.0),
    AK_RANK_YBAR(akin_perceptron_options),
    AK_RANK_UNITS(akin_perceptron_options),
    AK_RANK_CONSTANT(akin_perceptron_options),
    AK_RANK_AVERAGE(akin_perceptron_options),
};

static const ak_online perceptron_rank = {
    .begin = perceptron_begin,
    .observe = ak_rank_observe,
    .model = perceptron_model,
    .save = perceptron_save,
    .resume = perceptron_resume,
    .free = perceptron_free,
};

const ak_learner ak_learner_perceptron = {
    .info =
        {
            .name = "perceptron",
            .summary = "ranks labels by a full matrix, learned online",
            .when = "ranking labels, few enough for a full matrix",
            .paper = "shalit2012loreta",
            RANKER_INFO,
            AK_OPTION_ROWS(akin_perceptron_options, AKIN_PERCEPTRON_DEFAULTS,
                           perceptron_options),
        },
    .derive = perceptron_derive,
    .rank = &perceptron_rank,
};

/* ---- group-perceptron ---------------------------------------------------- */

typedef struct group {
    ak_rank rank;
    double eta, s;
    double *theta;  // d x n
    double *late;   // of its mean; NULL: there is none
    double unit;    // 0: no step yet
    double *norm;   // d: |theta^j| / unit
    double *power;  // d: norm^(s-2)
    double *tree;   // norm^s from `leaves` on, node i the sum of 2i, 2i + 1
    int64_t leaves;
    double *vals;    // d: of a row, weighted
    int64_t *nodes;  // d
} group;

static const double SUM_LEAST = 1e-100, SUM_MOST = 1e100;

static double norm_of(const group *g, int64_t j)
{
    const double *row = g->theta + j * g->rank.n;
    return sqrt(ak_small_dot(g->rank.n, row, row));
}

static void set_norm(group *g, int64_t j, double norm)
{
    g->norm[j] = norm;
    g->power[j] = pow(norm, g->s - 2.0);
    g->tree[g->leaves + j] = g->power[j] * norm * norm;
}

static void sum_node(group *g, int64_t i)
{
    g->tree[i] = g->tree[2 * i] + g->tree[2 * i + 1];
}

/* The sums above the leaves of the columns of x, each once: columns increase.
 */
static void sum_above(group *g, ak_spvec x)
{
    int64_t n = x.n, *nodes = g->nodes;
    for (int64_t i = 0; i < n; ++i)
        nodes[i] = g->leaves + x.cols[i];
    while (n > 0 && nodes[0] > 1) {
        int64_t kept = 0;
        for (int64_t i = 0; i < n; ++i)
            if (kept == 0 || nodes[kept - 1] != nodes[i] / 2)
                nodes[kept++] = nodes[i] / 2;
        n = kept;
        for (int64_t i = 0; i < n; ++i)
            sum_node(g, nodes[i]);
    }
}

/* Recompute all norms, in the given unit; 0: the largest norm becomes the unit.
 */
static void compute_norms(group *g, double unit)
{
    for (int64_t j = 0; unit == 0.0 && j < g->rank.d; ++j)
        g->unit = fmax(g->unit, norm_of(g, j));
    if (unit > 0.0)
        g->unit = unit;
    for (int64_t j = 0; g->unit > 0.0 && j < g->rank.d; ++j)
        set_norm(g, j, norm_of(g, j) / g->unit);
    for (int64_t i = g->leaves - 1; i > 0; --i)
        sum_node(g, i);
}

static bool units_fit(const group *g)
{
    const double sum = g->tree[1];
    return g->unit > 0.0 && sum > SUM_LEAST && sum < SUM_MOST;
}

/* The factor of (8) that all columns share. */
static double common(const group *g)
{
    return g->tree[1] > 0.0 ? pow(g->tree[1], 2.0 / g->s - 1.0) : 0.0;
}

/* The row with the weights of (8). */
static void group_prepare(void *state, ak_spvec x)
{
    group *g = state;
    const double c = common(g);
    for (int64_t i = 0; i < x.n; ++i)
        g->vals[i] = x.vals[i] * g->power[x.cols[i]] * c;
}

static void group_scores(void *state, ak_spvec x, double *scores)
{
    const group *g = state;
    x.vals = g->vals;
    ak_rows_project(g->rank.n, g->theta, x, scores);
}

static double group_score(void *state, ak_spvec x, int64_t label)
{
    const group *g = state;
    x.vals = g->vals;
    return ak_rank_score(&g->rank, g->theta, x, label);
}

static akin_status group_step(void *state, akin_ctx *ctx)
{
    group *g = state;
    const ak_rank *r = &g->rank;
    (void)ctx;
    ak_rank_add(r, g->eta, g->theta);  // (7)
    ak_rank_late_add(r, g->eta, g->late);
    for (int64_t i = 0; g->unit > 0.0 && i < r->x.n; ++i) {
        const int64_t j = r->x.cols[i];
        set_norm(g, j, norm_of(g, j) / g->unit);
    }
    sum_above(g, r->x);
    if (!units_fit(g)) {
        g->unit = 0.0;
        compute_norms(g, 0.0);
    }
    return AKIN_OK;
}

static void group_free(void *state)
{
    group *g = state;
    if (g == NULL)
        return;
    ak_rank_end(&g->rank);
    akin_free(g->theta);
    akin_free(g->late);
    akin_free(g->norm);
    akin_free(g->power);
    akin_free(g->tree);
    akin_free(g->vals);
    akin_free(g->nodes);
    akin_free(g);
}

static akin_status group_allocate(group *g, akin_ctx *ctx)
{
    const int64_t n = g->rank.n, d = g->rank.d;
    for (g->leaves = 1; g->leaves < d;)
        g->leaves *= 2;
    AK_CHECK(ak_alloc(ctx, d, (size_t)n * sizeof *g->theta, &g->theta));
    AK_CHECK(AK_NEW(ctx, d, &g->norm));
    AK_CHECK(AK_NEW(ctx, d, &g->power));
    AK_CHECK(AK_NEW(ctx, 2 * g->leaves, &g->tree));
    AK_CHECK(AK_NEW(ctx, d, &g->vals));
    return AK_NEW(ctx, d, &g->nodes);
}

static akin_status group_load(group *g, akin_ctx *ctx, const ak_tensors *t)
{
    double unit = 0.0;
    AK_CHECK(
        ak_sparse_rows_take(t, ctx, "theta", g->rank.d, g->rank.n, g->theta));
    AK_CHECK(ak_tensors_need_f64(t, ctx, "unit", &unit));
    if (!isfinite(unit) || unit < 0.0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: unit is %g", ak_tensors_path(t),
                       unit);
    if (unit > 0.0)
        compute_norms(g, unit);
    return AKIN_OK;
}

static const ak_rank_rule group_rule = {group_prepare, group_scores,
                                        group_score, group_step};

static akin_status group_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in)
{
    const akin_group_perceptron_options *o =
        (const akin_group_perceptron_options *)in->options;
    group *g = NULL;
    akin_status st = AKIN_OK;
    if (o->exponent > 0.0 && o->exponent < 2.0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "`exponent` %g is too small (expected 2 or more, or 0 "
                       "for the logarithm of the number of columns)",
                       o->exponent));
    AK_TRY(AK_NEW(ctx, 1, &g));
    AK_TRY(begin(&g->rank, ctx, &group_rule, o->ybar, o->constant, in));
    g->eta = step_of(&g->rank, o->eta, o->units);
    g->s = fmax(2.0, o->exponent > 0.0 ? o->exponent : log((double)g->rank.d));
    AK_TRY(group_allocate(g, ctx));
    AK_TRY(ak_rank_late_begin(&g->late, ctx, &g->rank, o->average, in->resume));
    if (in->resume != NULL)
        AK_TRY(group_load(g, ctx, in->resume));
    *state = g;
    g = NULL;
done:
    group_free(g);
    return st;
}

/* (8) of any theta, d x n, in place. */
static void apply_mirror_map(const group *g, double *theta)
{
    const int64_t n = g->rank.n, d = g->rank.d;
    double unit = 0.0, sum = 0.0;
    for (int64_t j = 0; j < d; ++j)
        unit = fmax(unit, sqrt(ak_small_dot(n, theta + j * n, theta + j * n)));
    for (int64_t j = 0; j < d && unit > 0.0; ++j)
        sum += pow(sqrt(ak_small_dot(n, theta + j * n, theta + j * n)) / unit,
                   g->s);
    for (int64_t j = 0; j < d && unit > 0.0; ++j) {
        double *row = theta + j * n;
        const double norm = sqrt(ak_small_dot(n, row, row)) / unit;
        const double f = pow(norm, g->s - 2.0) * pow(sum, 2.0 / g->s - 1.0);
        for (int64_t l = 0; l < n; ++l)
            row[l] *= f;
    }
}

static akin_status group_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const group *g = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = g->rank.n, d = g->rank.d;
    const double c = common(g);
    double *W = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_scratch(ctx, d, (size_t)n * sizeof *W, &W));
    ak_rank_late_mean(&g->rank, g->theta, g->late, W);
    if (g->late != NULL)
        apply_mirror_map(g, W);
    for (int64_t i = 0; i < d * n && g->late == NULL; ++i)
        W[i] *= g->power[i / n] * c;  // (8)
    AK_TRY(ak_rank_model(out, ctx, &g->rank, W));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status group_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const group *g = state;
    AK_CHECK(ak_rank_save(&g->rank, ctx, t));
    AK_CHECK(ak_rank_late_save(&g->rank, ctx, g->late, t));
    AK_CHECK(ak_sparse_rows_put(t, ctx, "theta", g->rank.d, g->rank.n, 0.0,
                                g->theta));
    return ak_tensors_note_f64(t, ctx, "unit", g->unit);
}

static const akin_option group_options[] = {
    AK_OPTION_GRID(akin_group_perceptron_options, eta, 1e-12, 1e6, "step size",
                   0.3, 3.0, 10.0, 30.0),
    AK_OPTION(akin_group_perceptron_options, exponent, 0.0, 1000.0,
              "exponent of the norms of columns, 2 or more (2: the plain "
              "perceptron); 0 = the logarithm of the dimension"),
    AK_RANK_YBAR(akin_group_perceptron_options),
    AK_RANK_UNITS(akin_group_perceptron_options),
    AK_RANK_CONSTANT(akin_group_perceptron_options),
    AK_RANK_AVERAGE(akin_group_perceptron_options),
};

static const ak_online group_rank = {
    .begin = group_begin,
    .observe = ak_rank_observe,
    .model = group_model,
    .save = group_save,
    .free = group_free,
};

const ak_learner ak_learner_group_perceptron = {
    .info =
        {
            .name = "group-perceptron",
            .summary = "ranks labels by a full matrix that uses few features",
            .when = "ranking labels when few of the features matter",
            .paper = "kakade2012matrices",
            RANKER_INFO,
            AK_OPTION_ROWS(akin_group_perceptron_options,
                           AKIN_GROUP_PERCEPTRON_DEFAULTS, group_options),
        },
    .rank = &group_rank,
};
