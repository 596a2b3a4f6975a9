/* LMNN with a diagonal metric, batch.
 *   [1] Weinberger, Saul. Distance metric learning for large margin nearest
 *       neighbor classification. JMLR 10:207-244, 2009.
 *
 *   d(x, y) = sum_j a_j (x_j - y_j)^2,  a >= 0                            (1)
 *   F(a) = 1/T sum_t (1 - mu) d(q, p) + mu max(0, 1 + d(q, p) - d(q, n))  (2)
 *
 * over the triplets (q, p, n); [1] eq. 13 with given triplets instead of
 * nearest neighbours. The solver takes projected subgradient steps: the step
 * grows while F decreases, is halved when it does not, and the best a is kept.
 * A distance is computed once per distinct pair, not once per triplet.
 *
 * Near a = 0 every margin is open and dF/da_j = P_j - mu N_j, with P_j and N_j
 * the mean of (q_j - p_j)^2 and (q_j - n_j)^2: unless mu > P_j / N_j for some
 * column, zero is the optimum. Positives drawn from a class are not much nearer
 * than negatives, so the default of mu is close to 1; [1] has 0.5 for positives
 * that are nearest neighbours. */
#include <math.h>
#include <stdlib.h>

#include "base/checkpoint.h"
#include "base/parallel.h"
#include "learn/difference.h"
#include "learn/learner.h"
#include "model/diagonal.h"

enum { PAIR_BLOCK = 64, PATIENCE = 20, DRAWN = 4096 };

typedef struct lmnn {
    const akin_lmnn_diag_options *o;
    const akin_rows *rows;
    int64_t d, n_triplets, n_pairs;
    int64_t *keys;            // of pairs, q * n + other, increasing
    int64_t *near_, *far_;    // pair of each triplet
    double *distance;         // of each pair
    double *coef;             // of each pair in the gradient
    double *a, *best, *grad;  // d
    int32_t **cols;           // scratch of each worker
    double **z;
    double step;                  // of the next iteration
    double last, loss;            // F and the mean loss at a
    int64_t iterations, stalled;  // the last of them without progress
    int64_t active;               // triplets, where F was last computed
} lmnn;

static int by_value(const void *x, const void *y)
{
    const int64_t a = *(const int64_t *)x, b = *(const int64_t *)y;
    return (a > b) - (a < b);
}

static int64_t pair_of(const lmnn *s, int64_t q, int64_t other)
{
    const int64_t key = q * s->rows->n + other;
    const int64_t *at =
        bsearch(&key, s->keys, (size_t)s->n_pairs, sizeof key, by_value);
    return at - s->keys;
}

/* The distinct pairs of the triplets. */
static akin_status find_pairs(lmnn *s, akin_ctx *ctx, const ak_sampler *sampler)
{
    const int64_t T = s->n_triplets, n = s->rows->n;
    int64_t *triplets = NULL;
    AK_CHECK(AK_SCRATCH(ctx, 3 * T, &triplets));
    AK_CHECK(AK_SCRATCH(ctx, 2 * T, &s->keys));
    AK_CHECK(AK_SCRATCH(ctx, T, &s->near_));
    AK_CHECK(AK_SCRATCH(ctx, T, &s->far_));
    for (int64_t t = 0; t < T; t += DRAWN) {
        AK_CHECK(ak_ctx_poll(ctx));
        ak_sampler_draw(sampler, t, ak_min_i64(DRAWN, T - t), triplets + 3 * t);
    }
    for (int64_t t = 0; t < T; ++t) {
        s->keys[2 * t] = triplets[3 * t] * n + triplets[3 * t + 1];
        s->keys[2 * t + 1] = triplets[3 * t] * n + triplets[3 * t + 2];
    }
    qsort(s->keys, (size_t)(2 * T), sizeof *s->keys, by_value);
    for (int64_t i = 0; i < 2 * T; ++i)
        if (i == 0 || s->keys[i] != s->keys[i - 1])
            s->keys[s->n_pairs++] = s->keys[i];
    for (int64_t t = 0; t < T; ++t) {
        s->near_[t] = pair_of(s, triplets[3 * t], triplets[3 * t + 1]);
        s->far_[t] = pair_of(s, triplets[3 * t], triplets[3 * t + 2]);
    }
    return AKIN_OK;
}

static akin_status measure_block(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    lmnn *s = arg;
    int32_t *cols = s->cols[worker];
    double *z = s->z[worker];
    for (int64_t i = begin; i < end; ++i) {
        const int64_t q = s->keys[i] / s->rows->n, r = s->keys[i] % s->rows->n;
        const int64_t n = ak_difference(s->rows, q, r, cols, z);
        double sum = 0.0;
        for (int64_t k = 0; k < n; ++k)
            sum += s->a[cols[k]] * z[k] * z[k];
        s->distance[i] = sum;
    }
    return AKIN_OK;
}

/* F at a, and the coefficients of the pairs in its subgradient. */
static double value(lmnn *s, akin_ctx *ctx, double *loss, int64_t *active)
{
    const double mu = s->o->mu, T = (double)s->n_triplets;
    double near = 0.0, hinge = 0.0;
    ak_parallel_for(ctx, s->n_pairs, PAIR_BLOCK, measure_block, s);
    for (int64_t i = 0; i < s->n_pairs; ++i)
        s->coef[i] = 0.0;
    *active = 0;
    for (int64_t t = 0; t < s->n_triplets; ++t) {
        const int64_t p = s->near_[t], f = s->far_[t];
        const double over = 1.0 + s->distance[p] - s->distance[f];
        near += s->distance[p];
        s->coef[p] += (1.0 - mu) / T;
        if (over > 0.0) {
            hinge += over;
            s->coef[p] += mu / T;
            s->coef[f] -= mu / T;
            ++*active;
        }
    }
    *loss = hinge / T;
    return (1.0 - mu) * near / T + mu * hinge / T;
}

/* Cut short when the run is cancelled, which the next step reports. */
static void gradient(lmnn *s, const akin_ctx *ctx)
{
    for (int64_t j = 0; j < s->d; ++j)
        s->grad[j] = 0.0;
    for (int64_t i = 0; i < s->n_pairs && ak_ctx_poll(ctx) == AKIN_OK; ++i) {
        if (s->coef[i] == 0.0)
            continue;
        const int64_t q = s->keys[i] / s->rows->n, r = s->keys[i] % s->rows->n;
        const int64_t n = ak_difference(s->rows, q, r, s->cols[0], s->z[0]);
        for (int64_t k = 0; k < n; ++k)
            s->grad[s->cols[0][k]] += s->coef[i] * s->z[0][k] * s->z[0][k];
    }
}

/* F at the start, and a first step that moves a weight by 1. */
static void start(lmnn *s, akin_ctx *ctx)
{
    double largest = 0.0;
    s->last = value(s, ctx, &s->loss, &s->active);
    gradient(s, ctx);
    for (int64_t j = 0; j < s->d; ++j)
        largest = fmax(largest, fabs(s->grad[j]));
    s->step = largest > 0.0 ? 1.0 / largest : 0.0;
}

static akin_status iterate(lmnn *s, akin_ctx *ctx)
{
    double loss;
    for (int64_t j = 0; j < s->d; ++j) {
        s->best[j] = s->a[j];
        s->a[j] = fmax(0.0, s->a[j] - s->step * s->grad[j]);
    }
    const double now = value(s, ctx, &loss, &s->active);
    ++s->iterations;
    AK_CHECK(ak_ctx_poll(ctx));
    if (!isfinite(now))
        return ak_fail(ctx, AKIN_ENUMERIC,
                       "iteration %" PRId64 ": a value is not finite",
                       s->iterations);
    s->stalled = s->last - now > s->o->tol * fabs(s->last) ? 0 : s->stalled + 1;
    if (now < s->last) {
        s->last = now;
        s->loss = loss;
        s->step *= 1.2;
        gradient(s, ctx);
    } else {
        for (int64_t j = 0; j < s->d; ++j)
            s->a[j] = s->best[j];
        s->step *= 0.5;
    }
    return AKIN_OK;
}

/* The state after an iteration. */
static akin_status visit(void *self, akin_ctx *ctx, ak_state *state)
{
    lmnn *s = self;
    AK_CHECK(ak_state_i64(state, ctx, "iterations", &s->iterations, 1,
                          s->o->max_iterations));
    AK_CHECK(ak_state_i64(state, ctx, "active", &s->active, 0, s->n_triplets));
    AK_CHECK(ak_state_i64(state, ctx, "stalled", &s->stalled, 0, PATIENCE - 1));
    AK_CHECK(ak_state_f64(state, ctx, "a", s->d, s->a));
    AK_CHECK(ak_state_f64(state, ctx, "gradient", s->d, s->grad));
    AK_CHECK(ak_state_f64(state, ctx, "step", 1, &s->step));
    AK_CHECK(ak_state_f64(state, ctx, "last", 1, &s->last));
    return ak_state_f64(state, ctx, "loss", 1, &s->loss);
}

static akin_status descend(lmnn *s, akin_ctx *ctx, akin_learn_info *info)
{
    ak_section section = {"lmnn_diag", visit, s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    info->outcome = AKIN_STEP_LIMIT;
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    if (!continued)
        start(s, ctx);
    while (s->iterations < s->o->max_iterations && !ak_ctx_stopped(ctx)) {
        AK_TRY(iterate(s, ctx));
        if (s->stalled >= PATIENCE) {
            info->outcome = AKIN_CONVERGED;
            break;
        }
        AK_TRY(ak_ctx_step(ctx, "iterations", s->iterations,
                           s->o->max_iterations, s->last));
        AK_TRY(ak_section_step(ctx));
    }
    info->objective = s->last;
    info->loss = s->loss;
    info->updates = s->active;
done:
    info->iterations = s->iterations;
    ak_section_leave(ctx, &section);
    return st;
}

static akin_status allocate(lmnn *s, akin_ctx *ctx)
{
    const int64_t workers = ak_workers(ctx);
    int64_t longest = 0;
    for (int64_t i = 0; i < s->n_pairs; ++i)
        longest = ak_max_i64(
            longest, ak_difference_room(s->rows, s->keys[i] / s->rows->n,
                                        s->keys[i] % s->rows->n));
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->n_pairs, &s->distance, &s->coef));
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->d, &s->a, &s->best, &s->grad));
    AK_CHECK(AK_SCRATCH(ctx, workers, &s->cols));
    AK_CHECK(AK_SCRATCH(ctx, workers, &s->z));
    for (int64_t w = 0; w < workers; ++w) {
        AK_CHECK(AK_SCRATCH(ctx, longest, &s->cols[w]));
        AK_CHECK(AK_SCRATCH(ctx, longest, &s->z[w]));
    }
    for (int64_t j = 0; j < s->d; ++j)
        s->a[j] = 1.0;
    return AKIN_OK;
}

/* d(x, y) = |x|^2 + |y|^2 - 2 x.y in the norm of a. Between sparse rows the
 * norms dominate. They are informative where the negatives are a group apart,
 * and noise where most negatives are also positives of other triplets: then the
 * model compares by cosine. */
static akin_status choose_compare(const lmnn *s, akin_ctx *ctx,
                                  akin_compare *by)
{
    const int64_t n = s->rows->n;
    int64_t n_far = 0, both = 0;
    unsigned char *role;  // 1: positive, 2: negative
    *by = AKIN_BY_DISTANCE;
    if (s->rows->offsets == NULL)
        return AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, n, &role));
    for (int64_t t = 0; t < s->n_triplets; ++t) {
        role[s->keys[s->near_[t]] % n] |= 1;
        role[s->keys[s->far_[t]] % n] |= 2;
    }
    for (int64_t i = 0; i < n; ++i) {
        n_far += role[i] >= 2;
        both += role[i] == 3;
    }
    if (2 * both > n_far)
        *by = AKIN_BY_COSINE;
    return AKIN_OK;
}

/* Columns in which no two rows of a triplet differ keep their weight, so the
 * distances are checked, not the weights. */
static void warn_if_empty(lmnn *s, akin_ctx *ctx)
{
    ak_parallel_for(ctx, s->n_pairs, PAIR_BLOCK, measure_block, s);
    for (int64_t i = 0; i < s->n_pairs; ++i)
        if (s->distance[i] > 0.0)
            return;
    ak_log(ctx, AKIN_LOG_WARNING,
           "`mu` %g is too small: all distances became zero (try %g, or akin "
           "tune)",
           s->o->mu, 1.0 - (1.0 - s->o->mu) / 10.0);
}

static akin_status lmnn_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    lmnn s = {.o = (const akin_lmnn_diag_options *)head,
              .rows = data->rows,
              .d = akin_rows_dim(data->rows)};
    ak_sampler *sampler = NULL;
    akin_compare by;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sampler_new(&sampler, ctx, data));
    s.n_triplets = ak_sampler_pass(sampler);
    AK_TRY(find_pairs(&s, ctx, sampler));
    AK_TRY(allocate(&s, ctx));
    AK_TRY(descend(&s, ctx, info));
    warn_if_empty(&s, ctx);
    info->examples = s.n_triplets;
    AK_TRY(choose_compare(&s, ctx, &by));
    AK_TRY(ak_diagonal_new(out, ctx, s.d, s.a, by));
done:
    ak_sampler_free(sampler);
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(
        akin_lmnn_diag_options, mu, 0.0, 1.0,
        "weight of the margins; 1 - mu is that of the distances to positives",
        0.5, 0.9, 0.97, 0.99, 1.0),
    AK_OPTION(akin_lmnn_diag_options, tol, 0.0, 1.0,
              "stop when the relative improvement stays below this"),
    AK_OPTION(akin_lmnn_diag_options, max_iterations, 1, 1e9,
              "maximum number of iterations"),
};

static const akin_recipe_options where_units_differ = {
    .size = sizeof(akin_recipe_options),
    .weights = "auto",
    .scale = "auto-minmax",
    .norm = "l2"};

const ak_learner ak_learner_lmnn_diag = {
    .info =
        {
            .name = "lmnn-diag",
            .summary = "large-margin diagonal metric, all triplets at once",
            .when = "few triplets; a baseline",
            .paper = "weinberger2009lmnn",
            .has_checkpoints = 1,
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "diagonal",
            .recipe = &where_units_differ,
            AK_OPTION_ROWS(akin_lmnn_diag_options, AKIN_LMNN_DIAG_DEFAULTS,
                           options),
        },
    .learn = lmnn_learn,
};
