/* QPAO: non-negative codebook weights by a quadratic program.
 *   [1] Cai, Yan, Mikolajczyk. Learning weights for codebook in image
 *       classification and retrieval. CVPR 2010.
 *
 * After [1], with v_t = x * (x+ - x-) of triplet t:
 *
 *   min over w >= 0 of  1/2 |w - w0|^2 + C sum_t max(0, 1 - w.v_t)     (1)
 *
 * Its dual, with u = w0 + sum_t a_t v_t and w = max(0, u):
 *
 *   max over 0 <= a <= C of  sum_t a_t - 1/2 |max(0, u)|^2             (2)
 *
 * is maximised one a_t at a time. The curvature of (2) along a_t is at most
 * |v_t|^2, so
 *
 *   a_t <- clip(a_t + (1 - w.v_t) / |v_t|^2, 0, C)                     (3)
 *
 * With units "absolute" this is it, from w0 = 0. With "relative", v_t is
 * divided by the mean of |sum of v|, C by the mean |v_t|^2 after that, and w0 =
 * 1: the plain measure, which has a margin of about 1. Rows are then compared
 * by cosine, and learn/trust.h says how far to go from w0.
 *
 * (3) never decreases (2). Stops when no a_t violates the optimality conditions
 * by more than tol. */
#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "learn/diagonal/hadamard.h"
#include "learn/diagonal/trust.h"
#include "learn/learner.h"
#include "model/diagonal.h"

typedef struct qpao {
    const akin_qpao_options *o;
    int64_t d;
    ak_hadamards v;
    double *a;   // dual, one per triplet
    double *v2;  // |v_t|^2
    double *u;   // d
    double C, w0;
    bool relative;
    int64_t sweeps;
} qpao;

/* w.v_t with w = max(0, u) */
static double margin(const qpao *s, int64_t t)
{
    const int64_t at = s->v.offsets[t];
    double sum = 0.0;
    for (int64_t k = at; k < at + s->v.counts[t]; ++k)
        sum += fmax(0.0, s->u[s->v.cols[k]]) * s->v.vals[k];
    return sum;
}

/* How far a_t is from optimal: the slope, unless a bound stops it. */
static double violation(const qpao *s, int64_t t, double slope)
{
    if (s->a[t] <= 0.0)
        return fmax(slope, 0.0);
    return s->a[t] >= s->C ? fmax(-slope, 0.0) : fabs(slope);
}

/* One sweep of (3); returns the largest violation. */
static double sweep(qpao *s)
{
    double worst = 0.0;
    for (int64_t t = 0; t < s->v.n; ++t) {
        if (s->v2[t] <= 0.0)
            continue;
        const double slope = 1.0 - margin(s, t);
        worst = fmax(worst, violation(s, t, slope));
        const double next = fmin(s->C, fmax(0.0, s->a[t] + slope / s->v2[t]));
        const double step = next - s->a[t];
        const int64_t at = s->v.offsets[t];
        for (int64_t k = at; k < at + s->v.counts[t]; ++k)
            s->u[s->v.cols[k]] += step * s->v.vals[k];
        s->a[t] = next;
    }
    return worst;
}

/* The value of (1), and the mean loss in *loss. */
static double objective(const qpao *s, double *loss)
{
    double near = 0.0, sum = 0.0;
    for (int64_t j = 0; j < s->d; ++j) {
        const double step = fmax(0.0, s->u[j]) - s->w0;
        near += step * step;
    }
    for (int64_t t = 0; t < s->v.n; ++t)
        sum += fmax(0.0, 1.0 - margin(s, t));
    *loss = s->v.n > 0 ? sum / (double)s->v.n : 0.0;
    return 0.5 * near + s->C * sum;
}

/* The state after a sweep. */
static akin_status visit(void *self, akin_ctx *ctx, ak_state *state)
{
    qpao *s = self;
    AK_CHECK(
        ak_state_i64(state, ctx, "sweeps", &s->sweeps, 1, s->o->max_sweeps));
    AK_CHECK(ak_state_f64(state, ctx, "a", s->v.n, s->a));
    return ak_state_f64(state, ctx, "u", s->d, s->u);
}

static akin_status ascend(qpao *s, akin_ctx *ctx, akin_learn_info *info)
{
    ak_section section = {"qpao", visit, s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    info->outcome = AKIN_STEP_LIMIT;
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    while (s->sweeps < s->o->max_sweeps && !ak_ctx_stopped(ctx)) {
        const double worst = sweep(s);
        ++s->sweeps;
        if (!isfinite(worst))
            AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                           "sweep %" PRId64 ": a value is not finite",
                           s->sweeps));
        if (worst <= s->o->tol) {
            info->outcome = AKIN_CONVERGED;
            break;
        }
        AK_TRY(ak_ctx_step(ctx, "sweeps", s->sweeps, s->o->max_sweeps, worst));
        AK_TRY(ak_section_step(ctx));
    }
done:
    info->iterations = s->sweeps;
    ak_section_leave(ctx, &section);
    return st;
}

/* Divide all v_t, and C, for relative units. */
static void scale(qpao *s)
{
    const int64_t n = s->v.n;
    double margins = 0.0, squares = 0.0;
    for (int64_t t = 0; t < n; ++t) {
        const double *v = s->v.vals + s->v.offsets[t];
        double sum = 0.0;
        for (int64_t k = 0; k < s->v.counts[t]; ++k) {
            sum += v[k];
            squares += v[k] * v[k];
        }
        margins += fabs(sum);
    }
    if (!(margins > 0.0))
        return;
    const double unit = margins / (double)n;
    for (int64_t t = 0; t < n; ++t)
        for (int64_t k = 0; k < s->v.counts[t]; ++k)
            s->v.vals[s->v.offsets[t] + k] /= unit;
    s->C *= unit * unit * (double)n / squares;
}

static akin_status prepare(qpao *s, akin_ctx *ctx, const akin_supervision *data,
                           const ak_sampler *sampler)
{
    AK_CHECK(ak_hadamards_all(&s->v, ctx, data->rows, sampler,
                              ak_sampler_pass(sampler)));
    AK_CHECK(AK_SCRATCH_EACH(ctx, s->v.n, &s->a, &s->v2));
    AK_CHECK(AK_SCRATCH(ctx, s->d, &s->u));
    if (s->relative)
        scale(s);
    for (int64_t j = 0; j < s->d; ++j)
        s->u[j] = s->w0;
    for (int64_t t = 0; t < s->v.n; ++t)
        for (int64_t k = 0; k < s->v.counts[t]; ++k) {
            const double v = s->v.vals[s->v.offsets[t] + k];
            s->v2[t] += v * v;
        }
    return AKIN_OK;
}

static akin_status qpao_learn(akin_model **out, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              akin_learn_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_qpao_options *o = (const akin_qpao_options *)head;
    const bool relative = strcmp(o->units, "auto") == 0
                              ? !akin_rows_is_sparse(data->rows)
                              : strcmp(o->units, "relative") == 0;
    qpao s = {.o = o,
              .d = akin_rows_dim(data->rows),
              .C = o->C,
              .w0 = o->w0 >= 0.0 ? o->w0
                    : relative   ? 1.0
                                 : 0.0,
              .relative = relative};
    double share = 1.0;
    ak_sampler *sampler = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sampler_new(&sampler, ctx, data));
    AK_TRY(prepare(&s, ctx, data, sampler));
    AK_TRY(ascend(&s, ctx, info));
    info->examples = s.v.n;
    for (int64_t t = 0; t < s.v.n; ++t)
        info->updates += s.a[t] > 0.0;
    info->objective = objective(&s, &info->loss);
    for (int64_t j = 0; j < s.d; ++j)
        s.u[j] = fmax(0.0, s.u[j]);
    if (relative && s.w0 == 1.0)
        AK_TRY(ak_trust(&share, ctx, data, AKIN_BY_COSINE, s.d, NULL, s.u));
    AK_TRY(ak_diagonal_new(&m, ctx, s.d, s.u,
                           relative ? AKIN_BY_COSINE : AKIN_BY_DOT));
    if (relative)
        AK_TRY(ak_tensors_note_f64(m->notes, ctx, "trust", share));
    *out = m;
    m = NULL;
done:
    akin_model_free(m);
    ak_hadamards_free(&s.v);
    ak_sampler_free(sampler);
    ak_scratch_end(ctx, mark);
    return st;
}

static const akin_option options[] = {
    AK_OPTION_GRID(akin_qpao_options, C, 1e-12, 1e12, "weight of a violation",
                   1e-3, 1e-2, 1e-1, 1.0),
    AK_OPTION(akin_qpao_options, w0, -1.0, 1e6,
              "initial weight of every word; -1 = auto (1 in relative units, "
              "else 0)"),
    AK_OPTION(akin_qpao_options, tol, 0.0, 1.0,
              "stop when no optimality condition is violated by more"),
    AK_OPTION(akin_qpao_options, max_sweeps, 1, 1e9,
              "maximum number of sweeps"),
    AK_UNITS_OPTION(akin_qpao_options),
};

const ak_learner ak_learner_qpao = {
    .info =
        {
            .name = "qpao",
            .summary =
                "non-negative diagonal similarity by a quadratic program",
            .when = "few triplets, and time to compute the optimum",
            .paper = "cai2010qpao",
            .has_checkpoints = 1,
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "diagonal",
            .recipe = &ak_recipe_counts,
            AK_OPTION_ROWS(akin_qpao_options, AKIN_QPAO_DEFAULTS, options),
        },
    .learn = qpao_learn,
};
