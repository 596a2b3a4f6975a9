/* Sparse inverse covariance by alternating linearisation.
 *   [1] Scheinberg, Ma, Goldfarb. Sparse inverse covariance selection via
 *       alternating linearization methods. NIPS 2010.
 *   [2] Liu, Ma, Tao, Liu, Liu. Semi-supervised sparse metric learning using
 *       alternating linearization optimization. KDD 2010.
 *
 *   M = argmin - log det M + |M - (Y - mu (Sigma + U))|^2 / (2 mu)       (1)
 *   A = M - mu (Sigma - M^-1)                                            (2)
 *   Y = argmin h(Y) + |Y - A|^2 / (2 mu)                                 (3)
 *   U = the gradient of h at Y                                           (4)
 *
 * (1) has the eigenvectors of its argument, and eigenvalues g with
 * g - mu / g = d. In [2], Algorithm 1, h is the smoothed penalty and U its
 * gradient clip(Y / sigma, R); with h = R |.|_1 itself, (3) is a soft
 * threshold, Y has exact zeros, and Sigma + U is in the box of the dual. */
#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "la/dense.h"
#include "learn/sparse/sice.h"

enum {
    LOOK = 5,       // iterations between bounds
    BALANCE = 10,   // between changes of mu
    FROZEN = 2000,  // when mu stays as it is
    MAX_FAST = 20000,
    MAX_PAPER = 100000,
    LOOK_PAPER = 50,
};

typedef struct alm {
    const ak_sice *p;
    double mu;
    double *M, *Mi, *Y, *U, *Y_prev;  // m x m
    double *V, *room;                 // m x m
    double *values;                   // m
    double *best;                     // m x m, lives with the caller
    ak_sice_result *r;
    int64_t most;  // iterations
} alm;

/* (1), and M^-1: M = V diag(g) V'. */
static akin_status eigen_step(alm *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    double *V = s->V, *g = s->values;
    for (int64_t k = 0; k < m * m; ++k)
        V[k] = s->Y[k] - s->mu * (s->p->Sigma[k] + s->U[k]);
    AK_CHECK(ak_eigh(ctx, m, V, g));
    for (int64_t k = 0; k < m; ++k) {  // without cancellation for d < 0
        const double d = g[k], root = sqrt(d * d + 4.0 * s->mu);
        g[k] = sqrt(d >= 0.0 ? 0.5 * (d + root) : 2.0 * s->mu / (root - d));
    }
    for (int64_t i = 0; i < m; ++i)
        for (int64_t k = 0; k < m; ++k)
            s->room[i * m + k] = V[i * m + k] * g[k];
    AK_CHECK(ak_gram(ctx, false, m, m, s->room, m, s->M));
    for (int64_t i = 0; i < m; ++i)
        for (int64_t k = 0; k < m; ++k)
            s->room[i * m + k] = V[i * m + k] / g[k];
    return ak_gram(ctx, false, m, m, s->room, m, s->Mi);
}

static double penalty(const ak_sice *p, int64_t k)
{
    return k % (p->m + 1) == 0 ? p->rho_diag : p->rho;
}

/* (2) to (4), with the soft threshold. */
static void shrink_step(alm *s)
{
    const int64_t m = s->p->m;
    for (int64_t k = 0; k < m * m; ++k) {
        const double A = s->M[k] - s->mu * (s->p->Sigma[k] - s->Mi[k]);
        s->Y_prev[k] = s->Y[k];
        s->Y[k] = ak_soft(A, s->mu * penalty(s->p, k));
        s->U[k] = (A - s->Y[k]) / s->mu;
    }
}

static double norm(int64_t n, const double *x)
{
    return sqrt(ak_dot(n, x, x));
}

static double distance(int64_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t k = 0; k < n; ++k)
        sum += (x[k] - y[k]) * (x[k] - y[k]);
    return sqrt(sum);
}

/* Balance the distance of M and Y against the change of Y. */
static void balance(alm *s)
{
    const int64_t n = s->p->m * s->p->m;
    const double apart = distance(n, s->M, s->Y) / norm(n, s->M);
    const double motion = distance(n, s->Y, s->Y_prev) / s->mu / norm(n, s->Mi);
    if (apart > 5.0 * motion)
        s->mu *= 0.5;
    else if (apart < 0.2 * motion)
        s->mu *= 2.0;
}

/* The gap of Y, or of M where Y is not positive definite; the smallest so far
 * is kept, with its matrix in `best`. */
static void look(alm *s, akin_ctx *ctx, double *best, ak_sice_result *r)
{
    const int64_t n = s->p->m * s->p->m;
    for (int64_t k = 0; k < n; ++k)
        s->V[k] = s->p->Sigma[k] + s->U[k];
    const double dual = fmax(ak_sice_dual(ctx, s->p->m, s->V, s->room),
                             ak_sice_bound(ctx, s->p, s->Mi, s->V, s->room));
    const double *found = s->Y;
    double F = ak_sice_value(ctx, s->p, s->Y, s->room);
    if (!isfinite(F)) {
        F = ak_sice_value(ctx, s->p, s->M, s->room);
        found = s->M;
    }
    if (!(F - dual < r->gap))
        return;
    r->gap = F - dual;
    r->objective = F;
    memcpy(best, found, (size_t)n * sizeof *best);
}

static akin_status make_room(alm *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    double **const all[] = {&s->M, &s->Mi,     &s->Y,   &s->U,
                            &s->V, &s->Y_prev, &s->room};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        AK_CHECK(AK_SCRATCH(ctx, m * m, all[i]));
    return AK_SCRATCH(ctx, m, &s->values);
}

/* |M| / |M^-1| of the diagonal M at the start: mu in the units of (1). */
static double first_mu(const ak_sice *p, const double *M)
{
    double above = 0.0, below = 0.0;
    for (int64_t i = 0; i < p->m; ++i) {
        const double x = M[i * (p->m + 1)];
        above += x * x;
        below += 1.0 / (x * x);
    }
    return sqrt(above / below);
}

/* From Y, which is copied. */
static akin_status begin_at(alm *s, akin_ctx *ctx, const double *Y)
{
    const int64_t m = s->p->m;
    AK_CHECK(make_room(s, ctx));
    memcpy(s->Y, Y, (size_t)(m * m) * sizeof *Y);
    return AKIN_OK;
}

/* Start at M, with U of (4). */
static akin_status begin(alm *s, akin_ctx *ctx, const double *M)
{
    const ak_sice *p = s->p;
    double F = 0.0;
    AK_CHECK(begin_at(s, ctx, M));
    AK_CHECK(ak_sice_invert(ctx, p, M, s->Mi, &F));
    for (int64_t k = 0; k < p->m * p->m; ++k)
        s->U[k] = ak_clip(s->Mi[k] - p->Sigma[k], penalty(p, k));
    return AKIN_OK;
}

/* The state after an iteration, but for U where it follows from Y. */
static akin_status visit_paper(void *self, akin_ctx *ctx, ak_state *state)
{
    alm *s = self;
    const int64_t n = s->p->m * s->p->m;
    AK_CHECK(ak_state_i64(state, ctx, "iterations", &s->r->iterations, 1,
                          s->most - 1));
    AK_CHECK(ak_state_f64(state, ctx, "Y", n, s->Y));
    AK_CHECK(ak_state_f64(state, ctx, "gap", 1, &s->r->gap));
    return ak_state_f64(state, ctx, "objective", 1, &s->r->objective);
}

static akin_status visit(void *self, akin_ctx *ctx, ak_state *state)
{
    alm *s = self;
    const int64_t n = s->p->m * s->p->m;
    AK_CHECK(visit_paper(self, ctx, state));
    AK_CHECK(ak_state_f64(state, ctx, "U", n, s->U));
    AK_CHECK(ak_state_f64(state, ctx, "best", n, s->best));
    return ak_state_f64(state, ctx, "mu", 1, &s->mu);
}

akin_status ak_sice_alm(akin_ctx *ctx, const ak_sice *p,
                        const ak_sice_options *o, double *M, ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t most = o->max_iterations > 0 ? o->max_iterations : MAX_FAST;
    alm s = {.p = p, .mu = first_mu(p, M), .best = M, .r = r, .most = most};
    ak_section section = {"alm", visit, &s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    AK_TRY(begin(&s, ctx, M));
    r->outcome = AK_SICE_LIMIT;
    r->gap = INFINITY;
    r->iterations = 0;
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    while (r->iterations < most && r->outcome == AK_SICE_LIMIT &&
           (r->iterations == 0 || !ak_ctx_stopped(ctx))) {
        const int64_t t = ++r->iterations;
        AK_TRY(eigen_step(&s, ctx));
        if (ak_sice_linear(p, s.M) <= 0.0) {
            memcpy(M, s.M, (size_t)(p->m * p->m) * sizeof *M);
            r->outcome = AK_SICE_UNBOUNDED;
            break;
        }
        shrink_step(&s);
        AK_TRY(ak_ctx_step(ctx, "iterations", t, 0, r->gap));
        if (t % LOOK == 0 || t == most || ak_ctx_stopped(ctx))
            look(&s, ctx, M, r);
        if (r->gap <= o->tol)
            r->outcome = AK_SICE_CONVERGED;
        if (t % BALANCE == 0 && t < FROZEN)
            balance(&s);
        if (r->outcome == AK_SICE_LIMIT && t < most)
            AK_TRY(ak_section_step(ctx));
    }
done:
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- as printed --------------------------------------------------------- */

/* One iteration with h smoothed by sigma. */
static akin_status paper_step(alm *s, akin_ctx *ctx, double sigma)
{
    const int64_t m = s->p->m;
    for (int64_t k = 0; k < m * m; ++k)
        s->U[k] = ak_clip(s->Y[k] / sigma, penalty(s->p, k));
    AK_CHECK(eigen_step(s, ctx));
    for (int64_t k = 0; k < m * m; ++k) {
        const double A = s->M[k] - s->mu * (s->p->Sigma[k] - s->Mi[k]);
        s->Y[k] = A - s->mu * ak_clip(A / (sigma + s->mu), penalty(s->p, k));
    }
    return AKIN_OK;
}

akin_status ak_sice_paper_steps(akin_ctx *ctx, const ak_sice *p, double sigma,
                                double mu, int64_t iterations, double *Y,
                                double *M)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t bytes = (size_t)(p->m * p->m) * sizeof *M;
    alm s = {.p = p, .mu = mu};
    akin_status st = AKIN_OK;
    AK_TRY(begin_at(&s, ctx, Y));
    for (int64_t t = 0; t < iterations; ++t)
        AK_TRY(paper_step(&s, ctx, sigma));
    memcpy(Y, s.Y, bytes);
    memcpy(M, s.M, bytes);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* mu = 1 / max(L(f), 1 / sigma) with L(f) = (lambda_max(Sigma) + m rho)^2. */
static akin_status paper_mu(alm *s, akin_ctx *ctx, double sigma)
{
    const int64_t m = s->p->m;
    memcpy(s->V, s->p->Sigma, (size_t)(m * m) * sizeof *s->V);
    AK_CHECK(ak_eigh(ctx, m, s->V, s->values));
    const double L = s->values[m - 1] + (double)m * s->p->rho;
    s->mu = 1.0 / fmax(L * L, 1.0 / sigma);
    return AKIN_OK;
}

static void look_paper(alm *s, akin_ctx *ctx, double tol, ak_sice_result *r)
{
    r->objective = ak_sice_value(ctx, s->p, s->M, s->room);
    r->gap = r->objective - ak_sice_bound(ctx, s->p, s->Mi, s->V, s->room);
    if (r->gap <= tol)
        r->outcome = AK_SICE_CONVERGED;
}

akin_status ak_sice_paper(akin_ctx *ctx, const ak_sice *p,
                          const ak_sice_options *o, double *M,
                          ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t most = o->max_iterations > 0 ? o->max_iterations : MAX_PAPER;
    alm s = {.p = p, .r = r, .most = most};
    ak_section section = {"paper", visit_paper, &s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    AK_TRY(begin_at(&s, ctx, M));
    AK_TRY(paper_mu(&s, ctx, o->sigma));
    r->outcome = AK_SICE_LIMIT;
    r->gap = INFINITY;
    r->iterations = 0;
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    while (r->iterations < most && r->outcome == AK_SICE_LIMIT &&
           (r->iterations == 0 || !ak_ctx_stopped(ctx))) {
        const int64_t t = ++r->iterations;
        AK_TRY(paper_step(&s, ctx, o->sigma));
        if (ak_sice_linear(p, s.M) <= 0.0)
            r->outcome = AK_SICE_UNBOUNDED;
        AK_TRY(ak_ctx_step(ctx, "iterations", t, most, r->gap));
        if (t % LOOK_PAPER == 0 || t == most || ak_ctx_stopped(ctx))
            look_paper(&s, ctx, o->tol, r);
        if (r->outcome == AK_SICE_LIMIT && t < most)
            AK_TRY(ak_section_step(ctx));
    }
    memcpy(M, s.M, (size_t)(p->m * p->m) * sizeof *M);
done:
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}
