/* S3ML, S2ML and SDML: a sparse metric M near M0 under which similar pairs are
 * near.
 *   [1] Liu, Ma, Tao, Liu, Liu. Semi-supervised sparse metric learning using
 *       alternating linearization optimization. KDD 2010.
 *   [2] Qi, Tang, Zha, Chua, Zhang. An efficient sparse metric learning in
 *       high-dimensional space via l1-penalized log-determinant
 *       regularization. ICML 2009.
 *
 *   Sigma = M0^-1 + beta T,  T = sum_ij W_ij (x_i - x_j)(x_i - x_j)' / 2   (1)
 *   M = argmin - log det M + <Sigma, M> + rho |M|_1                        (2)
 *
 * (2) is [1] eq. 13. T has negative eigenvalues when there are dissimilar
 * pairs, and (2) then has no minimum from some beta on; below
 *
 *   beta_max = - 1 / lambda_min(T, M0^-1)                                  (3)
 *
 * Sigma is positive definite, unless M0^-1 is singular, and there is one
 * whatever rho is. The three learners differ in W and in the penalty:
 *
 *   s3ml   W spreads the pairs to all rows along the graph of nearest
 *          neighbours (learn/sparse/affinity.h, [1] eqs. 6 to 10)
 *   s2ml   W of the pairs alone
 *   sdml   as s2ml, and the penalty leaves the diagonal alone, [2]
 *
 * [1] prints W_ij = -1 for dissimilar pairs and starts from the inverse
 * covariance: pair weights "printed", start "covariance". */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"
#include "learn/learner.h"
#include "learn/metric/full_metric.h"
#include "learn/sparse/affinity.h"
#include "learn/sparse/sice.h"
#include "model/metric.h"

enum {
    MOST_PAIRS = 2000000,  // of labels; more are drawn from
    MOST_EXACT = 500,      // columns for which the smallest rho is looked for
};

/* The options of all three, and what else they differ in. */
typedef struct metric_options {
    const char *beta, *rho;
    double beta_share, rho_share;
    const char *start, *solver;
    double tol;
    int64_t max_iterations, rank;
    bool off_diagonal;   // the diagonal of M is not penalised
    bool spreads;        // pairs to all rows, by the affinity, with
    int64_t neighbours;  // these three
    double alpha, theta;
} metric_options;

/* For which beta and rho (2) has a minimum. */
typedef struct beta_limits {
    double most;     // (3), infinite when T has no negative eigenvalue
    double largest;  // eigenvalue of T against S, in size
    int64_t lost;    // directions in which S vanishes
} beta_limits;

typedef struct work {
    const metric_options *o;
    const akin_supervision *data;
    int64_t d;
    double *S, *T, *Sigma, *M;  // d x d; S = M0^-1
    double beta, rho;
    beta_limits limits;
    int64_t n_pairs;
    ak_sice_result r;
} work;

/* ---- limits of beta and rho ---------------------------------------------- */

/* Of S = M0^-1, d x d, positive semi-definite; T vanishes where S does. */
static akin_status find_limits(beta_limits *out, akin_ctx *ctx, int64_t d,
                               const double *S, const double *T)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A, *B, *TB, *values;
    int64_t r;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, d * d, &A, &B, &TB));
    AK_TRY(AK_SCRATCH(ctx, d, &values));
    memcpy(A, S, (size_t)(d * d) * sizeof *A);
    AK_TRY(ak_psd_root(ctx, d, A, true, B, &r));  // S^-1 = B B'
    AK_TRY(ak_gemm(ctx, false, false, d, r, d, 1.0, T, d, B, d, 0.0, TB, r));
    AK_TRY(ak_gemm(ctx, true, false, r, r, d, 1.0, B, d, TB, r, 0.0, A, r));
    AK_TRY(ak_eigh(ctx, r, A, values));
    out->lost = d - r;
    out->largest = r > 0 ? fmax(values[r - 1], -values[0]) : 0.0;
    /* Rounding may leave a slightly negative value of a zero. */
    const double noise = 1e-12 * out->largest;
    out->most = r > 0 && values[0] < -noise ? -1.0 / values[0] : INFINITY;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ", rho above 0.1", or nothing where no rho helps. Where Sigma is singular but
 * not indefinite, any rho helps, but a tiny one makes the problem hard. */
static akin_status print_safe_rho(akin_ctx *ctx, const ak_sice *p, bool diag,
                                  bool singular, char *text, size_t size)
{
    ak_sice_edge e = {.diag = diag, .tol = 5e-3};
    if (p->m > MOST_EXACT)
        e.tol = INFINITY;
    text[0] = '\0';
    AK_CHECK(ak_sice_least_rho(ctx, p, &e));
    if (isfinite(e.above) && singular)
        snprintf(text, size, ", `rho` auto");
    else if (isfinite(e.above))
        snprintf(text, size, ", %s`rho` above %.6g",
                 p->m > MOST_EXACT ? "surely " : "",
                 ak_printed_above(fmax(1.002 * e.above, 1.009 * e.below), 6));
    return AKIN_OK;
}

/* EINVAL: the problem p has no minimum; the message says which beta and rho are
 * safe. */
static akin_status refuse_unbounded(akin_ctx *ctx, const ak_sice *p, bool diag,
                                    const beta_limits *limits, double beta)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A, *values;
    char rho[64];
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, p->m * p->m, &A));
    AK_TRY(AK_SCRATCH(ctx, p->m, &values));
    memcpy(A, p->Sigma, (size_t)(p->m * p->m) * sizeof *A);
    AK_TRY(ak_eigh(ctx, p->m, A, values));
    const bool singular = limits->lost > 0 && beta < limits->most;
    AK_TRY(print_safe_rho(ctx, p, diag, singular, rho, sizeof rho));
    if (limits->lost > 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "the problem has no minimum with `rho` %.6g: the "
                       "covariance is singular, in %" PRId64 " of %" PRId64
                       " directions the rows do not vary (safe: `start` "
                       "identity%s%s)",
                       p->rho, limits->lost, p->m,
                       singular ? "" : " with `beta` auto", rho));
    AK_TRY(ak_fail(
        ctx, AKIN_EINVAL,
        "the problem has no minimum with `beta` %.6g and `rho` %.6g: "
        "the smallest eigenvalue of Sigma is %.6g (safe: "
        "`beta` below %.6g%s)",
        beta, p->rho, values[0], ak_printed_below(limits->most, 6), rho));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* EINVAL: the entries of Sigma are too large to compute with. */
static akin_status refuse_large(akin_ctx *ctx, const beta_limits *limits,
                                double beta)
{
    if (isfinite(limits->most))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`beta` %g is too large: the problem has no minimum "
                       "(safe: `beta` below %.6g)",
                       beta, ak_printed_below(limits->most, 6));
    return ak_fail(ctx, AKIN_EINVAL,
                   "`beta` %g is too large to compute with (at %.6g the pairs "
                   "weigh as much as the start)",
                   beta, 1.0 / limits->largest);
}

/* ---- learning ------------------------------------------------------------ */

/* S = M0^-1. */
static akin_status begin(work *w, akin_ctx *ctx)
{
    const akin_rows *rows = w->data->rows;
    const int64_t d = w->d;
    double trace = 0.0;
    AK_CHECK(ak_covariance(ctx, rows->n, d, ak_fetch_row, rows, w->S));
    for (int64_t j = 0; j < d; ++j)
        trace += w->S[j * (d + 1)];
    if (strcmp(w->o->start, "covariance") == 0)
        return AKIN_OK;
    memset(w->S, 0, (size_t)(d * d) * sizeof *w->S);
    for (int64_t j = 0; j < d; ++j)
        w->S[j * (d + 1)] = trace / (double)d;
    return AKIN_OK;
}

/* The affinity of all rows and T of it. */
static akin_status spread(work *w, akin_ctx *ctx, const ak_constraints *pairs,
                          double far)
{
    const akin_rows *rows = w->data->rows;
    ak_propagation a = {
        .k = w->o->neighbours, .alpha = w->o->alpha, .theta = w->o->theta};
    double *X;
    AK_CHECK(ak_rows_matrix(&X, ctx, rows, NULL, rows->n));
    AK_CHECK(ak_propagation_begin(&a, ctx, rows->n, w->d, X, pairs, far));
    return ak_propagation_T(&a, ctx, w->T);
}

static akin_status sum_pairs(work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_constraints pairs;
    double *X, far = 1.0;
    int64_t n;
    akin_status st = AKIN_OK;
    AK_TRY(ak_constraints_of(&pairs, ctx, w->data, MOST_PAIRS));
    w->n_pairs = pairs.count;
    if (w->data->pair_weights == AKIN_BALANCED && pairs.similar > 0 &&
        pairs.similar < pairs.count)
        far = (double)pairs.similar / (double)(pairs.count - pairs.similar);
    if (w->o->spreads) {
        AK_TRY(spread(w, ctx, &pairs, far));
    } else {
        AK_TRY(ak_constraints_points(&X, &n, ctx, &pairs, w->data->rows));
        AK_TRY(ak_constraints_scatter(ctx, w->d, X, &pairs, far, w->T));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* *x = the number, or NAN for "auto". */
static akin_status take_number(double *x, akin_ctx *ctx, const char *name,
                               const char *text)
{
    char *end = NULL;
    *x = NAN;
    if (strcmp(text, "auto") == 0)
        return AKIN_OK;
    *x = strtod(text, &end);
    if (end == text || *end != '\0' || !(*x >= 0.0 && *x < 1e300))
        return ak_fail(ctx, AKIN_EINVAL,
                       "`%s` must be auto or a number of at least 0 (got '%s')",
                       name, text);
    return AKIN_OK;
}

/* Where T has no negative eigenvalue any beta is safe; auto takes that at which
 * the pairs weigh as much as M0. */
static akin_status choose_beta(work *w, akin_ctx *ctx)
{
    AK_CHECK(take_number(&w->beta, ctx, "beta", w->o->beta));
    AK_CHECK(ak_ctx_tick(ctx, "iterations", 0, 0, NAN));
    AK_CHECK(find_limits(&w->limits, ctx, w->d, w->S, w->T));
    if (!isnan(w->beta))
        return AKIN_OK;
    const double limit = isfinite(w->limits.most)  ? w->limits.most
                         : w->limits.largest > 0.0 ? 1.0 / w->limits.largest
                                                   : 0.0;
    if (limit == 0.0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "all pairs are of equal rows: there is nothing to learn from "
               "them");
    w->beta = w->o->beta_share * limit;
    return AKIN_OK;
}

static akin_status choose_rho(work *w, akin_ctx *ctx)
{
    const int64_t d = w->d;
    double sum = 0.0;
    const akin_status st = take_number(&w->rho, ctx, "rho", w->o->rho);
    if (st != AKIN_OK || !isnan(w->rho))
        return st;
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < i; ++j)
            sum += fabs(w->Sigma[i * d + j]);
    const double pairs = (double)d * (double)(d - 1) / 2.0;
    w->rho = d > 1 ? w->o->rho_share * sum / pairs : 0.0;
    return AKIN_OK;
}

/* (1) */
static akin_status sum_up(work *w, akin_ctx *ctx)
{
    const double most = 1e100;  // squares and products of more may overflow
    for (int64_t k = 0; k < w->d * w->d; ++k) {
        w->Sigma[k] = w->S[k] + w->beta * w->T[k];
        if (!(fabs(w->Sigma[k]) < most))
            return refuse_large(ctx, &w->limits, w->beta);
    }
    return AKIN_OK;
}

static ak_sice_solver solver_of(const char *word)
{
    return strcmp(word, "alm") == 0     ? AK_SICE_ALM
           : strcmp(word, "quic") == 0  ? AK_SICE_QUIC
           : strcmp(word, "paper") == 0 ? AK_SICE_PAPER
                                        : AK_SICE_AUTO;
}

static akin_status solve(work *w, akin_ctx *ctx)
{
    const int64_t d = w->d;
    ak_sice_options o = AK_SICE_DEFAULTS;
    AK_CHECK(choose_beta(w, ctx));
    AK_CHECK(sum_up(w, ctx));
    AK_CHECK(choose_rho(w, ctx));
    o.solver = solver_of(w->o->solver);
    o.tol = w->o->tol;
    o.max_iterations = w->o->max_iterations;
    const ak_sice p = {d, w->Sigma, w->rho, w->o->off_diagonal ? 0.0 : w->rho};
    AK_CHECK(ak_sice_solve(ctx, &p, &o, w->M, &w->r));
    if (w->r.outcome == AK_SICE_UNBOUNDED)
        AK_CHECK(refuse_unbounded(ctx, &p, !w->o->off_diagonal, &w->limits,
                                  w->beta));
    return AKIN_OK;
}

/* Note the chosen options and the gap in the model and in the log. */
static akin_status report(const work *w, akin_ctx *ctx, akin_model *m)
{
    static const char *const words[] = {"inverse", "alm", "quic", "paper"};
    const double gap =
        fmax(w->r.gap, DBL_EPSILON * fmax(1.0, fabs(w->r.objective)));
    char safe[64] = "any";
    AK_CHECK(ak_metric_note(m, ctx, "beta", w->beta));
    AK_CHECK(ak_metric_note(m, ctx, "rho", w->rho));
    if (isfinite(w->limits.most))
        AK_CHECK(ak_metric_note(m, ctx, "beta_max",
                                ak_printed_below(w->limits.most, 9)));
    AK_CHECK(ak_metric_note(m, ctx, "gap", gap));
    AK_CHECK(ak_model_set_note(m, ctx, "solver", words[w->r.solver]));
    if (isfinite(w->limits.most))
        snprintf(safe, sizeof safe, "below %.4g",
                 ak_printed_below(w->limits.most, 4));
    ak_log(ctx, AKIN_LOG_INFO,
           "beta %.4g (safe: %s), rho %.4g, at most %.2g above the minimum "
           "(%s)",
           w->beta, safe, w->rho, gap, words[w->r.solver]);
    return AKIN_OK;
}

static akin_status make_room(work *w, akin_ctx *ctx, const akin_options *head)
{
    double **const all[] = {&w->S, &w->T, &w->Sigma, &w->M};
    AK_CHECK(ak_metric_check_rows(ctx, head, w->data->rows));
    for (int i = 0; i < 4; ++i)
        AK_CHECK(AK_SCRATCH(ctx, w->d * w->d, all[i]));
    return AKIN_OK;
}

static akin_status learn(akin_model **out, akin_ctx *ctx,
                         const akin_options *head, const akin_supervision *data,
                         akin_learn_info *info, const metric_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    work w = {.o = o, .data = data, .d = data->rows->d};
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(&w, ctx, head));
    AK_TRY(sum_pairs(&w, ctx));
    AK_TRY(begin(&w, ctx));
    AK_TRY(solve(&w, ctx));
    AK_TRY(ak_metric_learned(&m, ctx, data->rows, w.M, o->rank));
    AK_TRY(report(&w, ctx, m));
    info->outcome = w.r.outcome == AK_SICE_CONVERGED ? AKIN_CONVERGED
                                                     : AKIN_STEP_LIMIT;
    info->examples = w.n_pairs;
    info->iterations = w.r.iterations;
    info->objective = w.r.objective;
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- entries ------------------------------------------------------------- */

#define SHARED(o)                                                            \
    .beta = (o)->beta, .rho = (o)->rho, .beta_share = (o)->beta_share,       \
    .rho_share = (o)->rho_share, .start = (o)->start, .solver = (o)->solver, \
    .tol = (o)->tol, .max_iterations = (o)->max_iterations, .rank = (o)->rank

#define SHARED_OPTIONS(type)                                                 \
    AK_OPTION_WORD(type, beta, "auto|NUMBER",                                \
                   "weight of the pairs; auto: a share of the largest that " \
                   "is safe"),                                               \
        AK_OPTION_WORD(type, rho, "auto|NUMBER",                             \
                       "penalty for entries that are not 0; auto: a share "  \
                       "of the mean entry of Sigma"),                        \
        AK_OPTION_GRID(type, beta_share, 1e-6, 0.999999,                     \
                       "with beta auto, the share of the largest safe one",  \
                       0.3, 0.5, 0.7, 0.9),                                  \
        AK_OPTION_GRID(type, rho_share, 0.0, 1e6,                            \
                       "with rho auto, the share of the mean off the "       \
                       "diagonal",                                           \
                       0.0, 0.25, 0.5, 1.0),                                 \
        AK_OPTION_WORD(type, start, "identity|covariance",                   \
                       "M0: the identity in the units of the rows, or the "  \
                       "inverse covariance"),                                \
        AK_OPTION_WORD(type, solver, "auto|alm|quic|paper",                  \
                       "the method; paper: as published, slow, without "     \
                       "exact zeros"),                                       \
        AK_OPTION(type, tol, 1e-14, 1e6,                                     \
                  "stops when the duality gap is below this"),               \
        AK_OPTION(type, max_iterations, 0, 1e9,                              \
                  "maximum number of iterations; 0: depends on the solver"), \
        AK_METRIC_RANK_OPTION(type)

#define ENTRY                                             \
    .takes = AKIN_LABELS | AKIN_PAIRS, .makes = "metric", \
    .most_columns = AK_METRIC_COLUMNS, .weighs_pairs = 1, \
    .recipe = &ak_recipe_minmax

static akin_status s3ml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_s3ml_options *o = (const akin_s3ml_options *)head;
    const metric_options m = {SHARED(o), .spreads = true,
                              .neighbours = o->neighbours, .alpha = o->alpha,
                              .theta = o->theta};
    return learn(out, ctx, head, data, info, &m);
}

static akin_status s2ml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_s2ml_options *o = (const akin_s2ml_options *)head;
    const metric_options m = {SHARED(o)};
    return learn(out, ctx, head, data, info, &m);
}

static akin_status sdml_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const akin_sdml_options *o = (const akin_sdml_options *)head;
    const metric_options m = {SHARED(o), .off_diagonal = true};
    return learn(out, ctx, head, data, info, &m);
}

static const akin_option s3ml_options[] = {
    SHARED_OPTIONS(akin_s3ml_options),
    AK_OPTION(akin_s3ml_options, neighbours, 1, 1e6,
              "nearest rows that a row takes its pairs from"),
    AK_OPTION(akin_s3ml_options, alpha, 0.0, 0.99,
              "share that comes from these neighbours in each step"),
    AK_OPTION(akin_s3ml_options, theta, 0.0, 1.0,
              "affinities below this are dropped; 0: keep all"),
};

const ak_learner ak_learner_s3ml = {
    .info =
        {
            .name = "s3ml",
            .shares = "pairs of rows, in the search for neighbours",
            .summary = "sparse metric from few pairs, spread to all rows",
            .when = "few labels, many rows, up to a few thousand columns",
            .paper = "liu2010s3ml",
            .has_checkpoints = 1,
            ENTRY,
            AK_OPTION_ROWS(akin_s3ml_options, AKIN_S3ML_DEFAULTS, s3ml_options),
        },
    .learn = s3ml_learn,
};

static const akin_option s2ml_options[] = {
    SHARED_OPTIONS(akin_s2ml_options),
};

const ak_learner ak_learner_s2ml = {
    .info =
        {
            .name = "s2ml",
            .shares = "pairs, and rows",
            .summary = "sparse metric from pairs alone",
            .when = "pairs or few labels, up to a few thousand columns",
            .paper = "liu2010s3ml",
            .has_checkpoints = 1,
            ENTRY,
            AK_OPTION_ROWS(akin_s2ml_options, AKIN_S2ML_DEFAULTS, s2ml_options),
        },
    .learn = s2ml_learn,
};

static const akin_option sdml_options[] = {
    SHARED_OPTIONS(akin_sdml_options),
};

const ak_learner ak_learner_sdml = {
    .info =
        {
            .name = "sdml",
            .shares = "pairs, and rows",
            .summary = "sparse metric from pairs, diagonal not penalised",
            .when = "like s2ml; a baseline",
            .paper = "qi2009sdml",
            .has_checkpoints = 1,
            ENTRY,
            AK_OPTION_ROWS(akin_sdml_options, AKIN_SDML_DEFAULTS, sdml_options),
        },
    .learn = sdml_learn,
};
