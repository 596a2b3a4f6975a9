#include "learn/sparse/sparse_metric.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "la/dense.h"
#include "learn/sparse/affinity.h"
#include "learn/sparse/sparse_limits.h"
#include "model/metric.h"

enum { MOST_PAIRS = 2000000 };  // of labels; more are drawn from

typedef struct work {
    const akin_options *o;
    const akin_supervision *data;
    const ak_sparse_metric *form;
    int64_t d;
    double *S, *T, *Sigma, *M;  // d x d; S = M0^-1
    double beta, rho;
    ak_beta_limits limits;
    int64_t n_pairs;
    ak_sice_result r;
} work;

/* S = M0^-1. */
static akin_status begin(work *w, akin_ctx *ctx)
{
    const akin_rows *rows = w->data->rows;
    const int64_t d = w->d;
    double trace = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_covariance(ctx, rows->n, d, ak_fetch_row, rows, w->S));
    for (int64_t j = 0; j < d; ++j)
        trace += w->S[j * (d + 1)];
    if (strcmp(ak_options_string(w->o, "start"), "covariance") == 0)
        goto done;
    memset(w->S, 0, (size_t)(d * d) * sizeof *w->S);
    for (int64_t j = 0; j < d; ++j)
        w->S[j * (d + 1)] = trace / (double)d;
done:
    return st;
}

/* The affinity of all rows and T of it. */
static akin_status spread(work *w, akin_ctx *ctx, const ak_constraints *pairs,
                          double far)
{
    const akin_rows *rows = w->data->rows;
    ak_propagation a = {.k = (int64_t)ak_options_f64(w->o, "neighbours"),
                        .alpha = ak_options_f64(w->o, "alpha"),
                        .theta = ak_options_f64(w->o, "theta")};
    double *X;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rows_matrix(&X, ctx, rows, NULL, rows->n));
    AK_TRY(ak_propagation_begin(&a, ctx, rows->n, w->d, X, pairs, far));
    AK_TRY(ak_propagation_T(&a, ctx, w->T));
done:
    return st;
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
    if (w->form->spreads) {
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
static akin_status take_number(const work *w, akin_ctx *ctx, const char *name,
                               double *x)
{
    const char *text = ak_options_string(w->o, name);
    char *end = NULL;
    *x = NAN;
    if (strcmp(text, "auto") == 0)
        return AKIN_OK;
    *x = strtod(text, &end);
    if (end == text || *end != '\0' || !(*x >= 0.0 && *x < 1e300))
        return ak_fail(ctx, AKIN_EINVAL,
                       "--%s %s is neither auto nor a number from 0 on", name,
                       text);
    return AKIN_OK;
}

/* Where T has no negative eigenvalue any beta is safe: that at which the pairs
 * weigh as much as M0. */
static akin_status choose_beta(work *w, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    AK_TRY(take_number(w, ctx, "beta", &w->beta));
    AK_TRY(ak_ctx_tick(ctx, "iterations", 0, 0, NAN));
    AK_TRY(ak_beta_limits_of(&w->limits, ctx, w->d, w->S, w->T));
    if (!isnan(w->beta))
        goto done;
    const double limit = isfinite(w->limits.most)  ? w->limits.most
                         : w->limits.largest > 0.0 ? 1.0 / w->limits.largest
                                                   : 0.0;
    if (limit == 0.0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "all pairs are of equal rows: there is nothing to learn from "
               "them");
    w->beta = ak_options_f64(w->o, "beta_share") * limit;
done:
    return st;
}

static akin_status choose_rho(work *w, akin_ctx *ctx)
{
    const int64_t d = w->d;
    double sum = 0.0;
    const akin_status st = take_number(w, ctx, "rho", &w->rho);
    if (st != AKIN_OK || !isnan(w->rho))
        return st;
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < i; ++j)
            sum += fabs(w->Sigma[i * d + j]);
    const double pairs = (double)d * (double)(d - 1) / 2.0;
    w->rho = d > 1 ? ak_options_f64(w->o, "rho_share") * sum / pairs : 0.0;
    return AKIN_OK;
}

/* (1) */
static akin_status sum_up(work *w, akin_ctx *ctx)
{
    const double most = 1e100;  // squares and products of more may overflow
    for (int64_t k = 0; k < w->d * w->d; ++k) {
        w->Sigma[k] = w->S[k] + w->beta * w->T[k];
        if (!(fabs(w->Sigma[k]) < most))
            return ak_refuse_large(ctx, &w->limits, w->beta);
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
    akin_status st = AKIN_OK;
    AK_TRY(choose_beta(w, ctx));
    AK_TRY(sum_up(w, ctx));
    AK_TRY(choose_rho(w, ctx));
    o.solver = solver_of(ak_options_string(w->o, "solver"));
    o.tol = ak_options_f64(w->o, "tol");
    o.max_iterations = (int64_t)ak_options_f64(w->o, "max_iterations");
    const ak_sice p = {d, w->Sigma, w->rho,
                       w->form->off_diagonal ? 0.0 : w->rho};
    AK_TRY(ak_sice_solve(ctx, &p, &o, w->M, &w->r));
    if (w->r.outcome == AK_SICE_UNBOUNDED)
        AK_TRY(ak_refuse_unbounded(ctx, &p, !w->form->off_diagonal, &w->limits,
                                   w->beta));
done:
    return st;
}

/* What was chosen and what was reached, in the model and in the log. */
static akin_status report(const work *w, akin_ctx *ctx, akin_model *m)
{
    static const char *const words[] = {"inverse", "alm", "quic", "paper"};
    const double gap =
        fmax(w->r.gap, DBL_EPSILON * fmax(1.0, fabs(w->r.objective)));
    char safe[64] = "any";
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_note(m, ctx, "beta", w->beta));
    AK_TRY(ak_metric_note(m, ctx, "rho", w->rho));
    if (isfinite(w->limits.most))
        AK_TRY(ak_metric_note(m, ctx, "beta_max",
                              ak_printed_below(w->limits.most, 9)));
    AK_TRY(ak_metric_note(m, ctx, "gap", gap));
    AK_TRY(ak_model_set_note(m, ctx, "solver", words[w->r.solver]));
    if (isfinite(w->limits.most))
        snprintf(safe, sizeof safe, "below %.4g",
                 ak_printed_below(w->limits.most, 4));
    ak_log(ctx, AKIN_LOG_INFO,
           "beta %.4g (safe: %s), rho %.4g, at most %.2g above the minimum "
           "(%s)",
           w->beta, safe, w->rho, gap, words[w->r.solver]);
done:
    return st;
}

static akin_status make_room(work *w, akin_ctx *ctx)
{
    double **const all[] = {&w->S, &w->T, &w->Sigma, &w->M};
    akin_status st = AKIN_OK;
    AK_TRY(ak_metric_check_rows(ctx, w->o, w->data->rows));
    for (int i = 0; i < 4; ++i)
        AK_TRY(AK_SCRATCH(ctx, w->d * w->d, all[i]));
done:
    return st;
}

akin_status ak_sparse_metric_learn(akin_model **out, akin_ctx *ctx,
                                   const akin_options *head,
                                   const akin_supervision *data,
                                   akin_learn_info *info,
                                   const ak_sparse_metric *form)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    work w = {.o = head, .data = data, .form = form, .d = data->rows->d};
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(&w, ctx));
    AK_TRY(sum_pairs(&w, ctx));
    AK_TRY(begin(&w, ctx));
    AK_TRY(solve(&w, ctx));
    AK_TRY(ak_metric_learned(&m, ctx, data->rows, w.M,
                             (int64_t)ak_options_f64(head, "rank")));
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
