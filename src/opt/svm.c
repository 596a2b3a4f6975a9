/* Support vector machine by coordinate ascent in the dual.
 *   [1] Hsieh, Chang, Lin, Keerthi, Sundararajan. A dual coordinate descent
 *       method for large-scale linear SVM. ICML 2008.
 *
 *   D(alpha) = sum_i alpha_i - |w|^2 / 2 - sum_i alpha_i^2 / (4 C_i) [squared]
 *   w        = sum_i alpha_i y_i x_i,  0 <= alpha_i, and <= C_i [not squared]
 *   G_i      = y_i w.x_i - 1 + alpha_i / (2 C_i) [squared]              (1)
 *   alpha_i <- alpha_i - G_i / (|x_i|^2 + 1 / (2 C_i) [squared]), clipped (2)
 *
 * A sweep visits every point once, in random order. It stops when no G_i that
 * can still be reduced is larger than tol. */
#include "opt/svm.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"

static const int64_t MOST = INT64_C(1) << 28;  // numbers in a matrix: 2 GiB

static void rebuild(ak_svm *p)
{
    memset(p->w, 0, (size_t)p->d * sizeof *p->w);
    for (int64_t i = 0; i < p->n; ++i)
        if (p->alpha[i] != 0.0)
            ak_axpy(p->d, p->alpha[i] * p->y[i], p->X + i * p->d, p->w);
}

/* One coordinate; returns how far it violated optimality. */
static double step(ak_svm *p, int64_t i)
{
    const double *x = p->X + i * p->d;
    const double ridge = p->squared ? 0.5 / p->C[i] : 0.0;
    const double top = p->squared ? INFINITY : p->C[i];
    const double old = p->alpha[i], size = ak_dot(p->d, x, x) + ridge;
    if (!(size > 0.0)) {
        p->alpha[i] = top;  // the loss of a point at zero cannot be helped
        return 0.0;
    }
    const double G = p->y[i] * ak_dot(p->d, x, p->w) - 1.0 + ridge * old;
    const double now = fmin(fmax(old - G / size, 0.0), top);
    const double free = old <= 0.0   ? fmin(G, 0.0)
                        : old >= top ? fmax(G, 0.0)
                                     : G;
    if (now != old) {
        p->alpha[i] = now;
        ak_axpy(p->d, (now - old) * p->y[i], x, p->w);
    }
    return fabs(free);
}

static void values(ak_svm *p)
{
    const double half = 0.5 * ak_dot(p->d, p->w, p->w);
    p->primal = half;
    p->dual = -half;
    for (int64_t i = 0; i < p->n; ++i) {
        const double miss =
            fmax(0.0, 1.0 - p->y[i] * ak_dot(p->d, p->X + i * p->d, p->w));
        p->primal += p->C[i] * (p->squared ? miss * miss : miss);
        p->dual += p->alpha[i];
        if (p->squared)
            p->dual -= 0.25 * p->alpha[i] * p->alpha[i] / p->C[i];
    }
}

void ak_svm_solve(ak_svm *p, ak_rng *rng)
{
    for (int64_t i = 0; i < p->n; ++i)
        p->order[i] = i;
    rebuild(p);
    p->converged = false;
    bool stops = false;
    for (p->sweeps = 0; p->sweeps < p->max_sweeps && !p->converged && !stops;) {
        double worst = 0.0;
        ak_rng_shuffle(rng, p->n, p->order);
        for (int64_t k = 0; k < p->n; ++k)
            worst = fmax(worst, step(p, p->order[k]));
        p->converged = worst <= p->tol;
        ++p->sweeps;
        stops = p->stop != NULL && p->stop(p->stop_arg, p);
    }
    rebuild(p);  // without what rounding left in w
    values(p);
}

/* ---- a machine for each label -------------------------------------------- */

akin_status ak_svm_set_room(ak_svm_set *s, akin_ctx *ctx)
{
    const int64_t n = s->n, L = s->labels;
    if (L > MOST / ak_max_i64(n, s->d))
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " labels of %" PRId64 " rows are too many", L,
                       n);
    AK_CHECK(AK_SCRATCH(ctx, n * L, &s->order));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * L, &s->y, &s->alpha));
    AK_CHECK(AK_SCRATCH(ctx, n, &s->weight));
    AK_CHECK(AK_SCRATCH(ctx, L * s->d, &s->w));
    AK_CHECK(AK_SCRATCH(ctx, L, &s->sweeps));
    AK_CHECK(AK_SCRATCH(ctx, L, &s->converged));
    AK_CHECK(AK_SCRATCH_EACH(ctx, L, &s->primal, &s->dual));
    for (int64_t i = 0; i < n; ++i)
        s->weight[i] = s->C;
    for (int64_t k = 0; k < n * L; ++k)
        s->y[k] = -1.0;
    return AKIN_OK;
}

/* An ak_svm.stop. Only the caller's thread may report. */
typedef struct listener {
    ak_svm_set *s;
    bool is_caller;
} listener;

static void listen(void *arg)
{
    ak_svm_set *s = arg;
    akin_progress r = s->report;
    if (r.what == NULL)
        r = (akin_progress){"sweeps", s->last_sweeps, 0, NAN, s->max_sweeps};
    if (ak_ctx_step(s->watched, r.what, r.done, r.limit, r.loss) != AKIN_OK ||
        ak_ctx_stopped(s->watched))
        s->stopped = true;
}

static bool is_stopped(void *arg, const ak_svm *p)
{
    const listener *l = arg;
    l->s->last_sweeps = p->sweeps;
    if (l->is_caller)
        listen(l->s);
    return l->s->stopped;
}

/* The machine of label `begin`. */
static akin_status solve_label(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    ak_svm_set *s = arg;
    const int64_t n = s->n, d = s->d;
    listener l = {s, worker == 0};
    (void)end;
    ak_rng rng = ak_rng_split(s->rng, (uint64_t)begin);
    ak_svm p = {.n = n,
                .d = d,
                .X = s->X,
                .y = s->y + begin * n,
                .C = s->weight,
                .squared = s->squared,
                .tol = s->tol,
                .max_sweeps = s->max_sweeps,
                .stop = s->watched != NULL ? is_stopped : NULL,
                .stop_arg = &l,
                .w = s->w + begin * d,
                .alpha = s->alpha + begin * n,
                .order = s->order + begin * n};
    ak_svm_solve(&p, &rng);
    s->sweeps[begin] = p.sweeps;
    s->converged[begin] = p.converged;
    s->primal[begin] = p.primal;
    s->dual[begin] = p.dual;
    return isfinite(p.primal) ? AKIN_OK : AKIN_ENUMERIC;
}

akin_status ak_svm_set_solve(ak_svm_set *s, akin_ctx *ctx)
{
    const akin_status st = ak_parallel_for_watched(
        ctx, s->labels, 1, solve_label, s->watched ? listen : NULL, s);
    if (st == AKIN_ENUMERIC)
        return ak_fail(ctx, st, "a value is not finite (scale the rows)");
    return st;
}
