/* Sparse inverse covariance: value and bounds, the least penalty with which
 * there is a minimum, the independent parts of a problem, and the choice of a
 * solver; see learn/sparse/sice.h for the problem. */
#include "learn/sparse/sice.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "la/dense.h"

enum {
    MOST_CHECKED = 500,  // columns for which the check of rho is cheap
    MOST_STEPS = 3000,   // to the least rho
    BALANCE = 10,
    NEWTON = 100,
};

/* ---- the value, and bounds of the minimum -------------------------------- */

static double sum_of_penalties(const ak_sice *p, const double *M)
{
    const int64_t m = p->m;
    double sum = 0.0, diag = 0.0;
    for (int64_t k = 0; k < m * m; ++k)
        sum += fabs(M[k]);
    for (int64_t i = 0; i < m; ++i)
        diag += fabs(M[i * (m + 1)]);
    return p->rho * (sum - diag) + p->rho_diag * diag;
}

double ak_sice_linear(const ak_sice *p, const double *M)
{
    return ak_dot(p->m * p->m, p->Sigma, M) + sum_of_penalties(p, M);
}

/* log det A, minus infinity unless A > 0. */
static double logdet(akin_ctx *ctx, int64_t m, const double *A, double *room)
{
    double sum = 0.0;
    memcpy(room, A, (size_t)(m * m) * sizeof *room);
    if (ak_cholesky(ctx, m, room) != AKIN_OK)
        return -INFINITY;
    for (int64_t i = 0; i < m; ++i)
        sum += 2.0 * log(room[i * (m + 1)]);
    return sum;
}

double ak_sice_value(akin_ctx *ctx, const ak_sice *p, const double *M,
                     double *room)
{
    return ak_sice_linear(p, M) - logdet(ctx, p->m, M, room);
}

double ak_sice_dual(akin_ctx *ctx, int64_t m, const double *Z, double *room)
{
    return logdet(ctx, m, Z, room) + (double)m;
}

void ak_sice_dual_point(const ak_sice *p, const double *W, double *Z)
{
    const int64_t m = p->m;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j) {
            const int64_t k = i * m + j;
            Z[k] = p->Sigma[k] +
                   ak_clip(W[k] - p->Sigma[k], i == j ? p->rho_diag : p->rho);
        }
}

/* log det Z grows with the diagonal, so that goes to the end of its box. */
double ak_sice_bound(akin_ctx *ctx, const ak_sice *p, const double *W,
                     double *Z, double *room)
{
    ak_sice_dual_point(p, W, Z);
    for (int64_t i = 0; i < p->m; ++i)
        Z[i * (p->m + 1)] = p->Sigma[i * (p->m + 1)] + p->rho_diag;
    return ak_sice_dual(ctx, p->m, Z, room);
}

double ak_sice_bound_at(akin_ctx *ctx, const ak_sice *p, const double *M,
                        const double *W, double *Z, double *room)
{
    const int64_t m = p->m;
    ak_sice_dual_point(p, W, Z);
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j) {
            const int64_t k = i * m + j;
            if (i == j)
                Z[k] = p->Sigma[k] + p->rho_diag;
            else if (M[k] != 0.0)
                Z[k] = p->Sigma[k] + copysign(p->rho, M[k]);
        }
    const double bound = ak_sice_dual(ctx, m, Z, room);
    return bound > -INFINITY ? bound : ak_sice_bound(ctx, p, W, Z, room);
}

akin_status ak_sice_invert(akin_ctx *ctx, const ak_sice *p, const double *M,
                           double *W, double *F)
{
    double log_det = 0.0;
    memcpy(W, M, (size_t)(p->m * p->m) * sizeof *W);
    AK_CHECK(ak_spd_inverse_logdet(ctx, p->m, W, &log_det));
    *F = ak_sice_linear(p, M) - log_det;
    return AKIN_OK;
}

/* ---- the least rho ---------------------------------------------------------
 *
 * from which on (1) of learn/sparse/sice.h has a minimiser:
 *
 *   rho* = min rho  s.t.  Z = Sigma + U >= 0,  |U_ij| <= rho             (3)
 *
 * with U_ii = 0 where the diagonal is not penalised. Any V >= 0 bounds it from
 * below, and any Z >= 0 with the right diagonal from above:
 *
 *   - <Sigma, V> / sum |V_ij|  <=  rho*  <=  max |Z_ij - Sigma_ij|       (4)
 *
 * (the sum and the maximum over the penalised entries). The alternating
 * direction method of multipliers gives both,
 *
 *   U = clip(B, t),  B = Z - Sigma - Y,  sum max(|B_ij| - t, 0) = 1/p    (5)
 *   C = a (Sigma + U) + (1 - a) Z + Y,   Z = C_+,  Y = - C_-             (6)
 *
 * with C = C_+ - C_- its positive and its negative part, and V = - Y.
 *   [1] Boyd, Parikh, Chu, Peleato, Eckstein. Distributed optimization and
 *       statistical learning via the alternating direction method of
 *       multipliers. Foundations and Trends in Machine Learning 3(1), 2011. */

static const double RELAX = 1.6;     // a of (6)
static const double NOTHING = 1e-9;  // a penalty beside entries of 1

typedef struct edge {
    int64_t m;
    bool diag;                           // it is penalised too
    double p;                            // of (5)
    double *A, *U, *Z, *Y, *Z_prev, *V;  // m x m; A = Sigma, of size 1
    double *values;                      // m
    double below, above;                 // (4)
} edge;

static bool is_free(const edge *s, int64_t k)
{
    return !s->diag && k % (s->m + 1) == 0;
}

/* t of (5) for U = B, by Newton's method from below, which ends exactly. */
static double threshold(const edge *s)
{
    double t = 0.0;
    for (int i = 0; i < NEWTON; ++i) {
        double sum = 0.0;
        int64_t n = 0;
        for (int64_t k = 0; k < s->m * s->m; ++k)
            if (fabs(s->U[k]) > t) {
                sum += fabs(s->U[k]);
                ++n;
            }
        const double next = n > 0 ? (sum - 1.0 / s->p) / (double)n : 0.0;
        if (!(next > t))
            break;
        t = next;
    }
    return t;
}

/* (5) */
static void box_step(edge *s)
{
    const int64_t n = s->m * s->m;
    for (int64_t k = 0; k < n; ++k)
        s->U[k] = is_free(s, k) ? 0.0 : s->Z[k] - s->A[k] - s->Y[k];
    const double t = threshold(s);
    for (int64_t k = 0; k < n; ++k)
        s->U[k] = ak_clip(s->U[k], t);
}

/* (6), with C_- of the eigenvectors below 0, which come first. */
static akin_status cone_step(edge *s, akin_ctx *ctx)
{
    const int64_t m = s->m;
    int64_t q = 0;
    for (int64_t k = 0; k < m * m; ++k) {
        s->Z_prev[k] = s->Z[k];
        s->Z[k] = RELAX * (s->A[k] + s->U[k]) + (1.0 - RELAX) * s->Z[k] +
                  s->Y[k];
    }
    memcpy(s->V, s->Z, (size_t)(m * m) * sizeof *s->V);
    AK_CHECK(ak_eigh(ctx, m, s->V, s->values));
    while (q < m && s->values[q] < 0.0)
        ++q;
    memset(s->Y, 0, (size_t)(m * m) * sizeof *s->Y);
    if (q == 0)
        return AKIN_OK;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t k = 0; k < m; ++k)
            s->V[i * m + k] *= k < q ? sqrt(-s->values[k]) : 0.0;
    AK_CHECK(ak_gram(ctx, false, m, q, s->V, m, s->Y));
    for (int64_t k = 0; k < m * m; ++k) {
        s->Z[k] += s->Y[k];
        s->Y[k] = -s->Y[k];
    }
    return AKIN_OK;
}

/* The left of (4). */
static double lower_bound(const edge *s)
{
    double sum = 0.0;
    for (int64_t k = 0; k < s->m * s->m; ++k)
        sum += is_free(s, k) ? 0.0 : fabs(s->Y[k]);
    return sum > 0.0 ? ak_dot(s->m * s->m, s->A, s->Y) / sum : 0.0;
}

/* The right of (4). A free diagonal is restored by scaling rows and columns; a
 * penalised one may be lower than the box allows. */
static double upper_bound(edge *s)
{
    const int64_t m = s->m;
    double most = 0.0, *f = s->values;
    for (int64_t i = 0; i < m; ++i) {
        const double z = s->Z[i * (m + 1)], a = s->A[i * (m + 1)];
        f[i] = s->diag ? 1.0 : z > 0.0 ? sqrt(a / z) : INFINITY;
        if (s->diag)
            most = fmax(most, z - a);
        else if (!isfinite(f[i]))
            return INFINITY;
    }
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < i; ++j) {
            const int64_t k = i * m + j;
            most = fmax(most, fabs(s->Z[k] * f[i] * f[j] - s->A[k]));
        }
    return most;
}

static void balance(edge *s)
{
    double apart = 0.0, motion = 0.0, size = 0.0, dual = 0.0;
    for (int64_t k = 0; k < s->m * s->m; ++k) {
        const double x = s->A[k] + s->U[k] - s->Z[k];
        const double y = s->Z[k] - s->Z_prev[k];
        apart += x * x;
        motion += y * y;
        size += s->Z[k] * s->Z[k];
        dual += s->Y[k] * s->Y[k];
    }
    const double f = apart * dual > 9.0 * motion * size   ? 2.0
                     : motion * size > 9.0 * apart * dual ? 0.5
                                                          : 1.0;
    s->p *= f;
    for (int64_t k = 0; f != 1.0 && k < s->m * s->m; ++k)
        s->Y[k] /= f;
}

static akin_status make_edge(edge *s, akin_ctx *ctx)
{
    double **const all[] = {&s->A, &s->U, &s->Z, &s->Y, &s->Z_prev, &s->V};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        AK_CHECK(AK_SCRATCH(ctx, s->m * s->m, all[i]));
    return AK_SCRATCH(ctx, s->m, &s->values);
}

/* A = Sigma / unit and Z = A made positive semi-definite by the diagonal; what
 * is known without a step. */
static akin_status begin_edge(edge *s, akin_ctx *ctx, const ak_sice *p,
                              double unit)
{
    const int64_t m = s->m;
    double apart = 0.0, least = INFINITY;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j) {
            const double own = i == j && !s->diag ? p->rho_diag : 0.0;
            const double a = (p->Sigma[i * m + j] + own) / unit;
            s->A[i * m + j] = s->V[i * m + j] = s->Z[i * m + j] = a;
            least = i == j ? fmin(least, a) : least;
            apart = i == j ? apart : fmax(apart, fabs(a));
        }
    s->above = s->diag ? fmax(apart, -least) : least > 0.0 ? apart : INFINITY;
    AK_CHECK(ak_eigh(ctx, m, s->V, s->values));
    const double by = fmax(0.0, -s->values[0]);
    for (int64_t i = 0; i < m; ++i)
        s->Z[i * (m + 1)] += by;
    if (isfinite(s->above))
        s->above = fmin(s->above, upper_bound(s));
    return AKIN_OK;
}

static double largest(const ak_sice *p)
{
    double most = 0.0;
    for (int64_t k = 0; k < p->m * p->m; ++k)
        most = fmax(most, fabs(p->Sigma[k]));
    return most > 0.0 ? most : 1.0;
}

static bool is_done(const edge *s, const ak_sice_edge *e, double unit)
{
    if (s->above == INFINITY || e->tol == INFINITY)
        return true;
    if (e->rho > 0.0 && (e->rho <= s->below * unit || e->rho > s->above * unit))
        return true;
    return s->above <= NOTHING + (1.0 + e->tol) * s->below;
}

akin_status ak_sice_least_rho(akin_ctx *ctx, const ak_sice *p, ak_sice_edge *e)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const double unit = largest(p);
    edge s = {.m = p->m, .diag = e->diag, .p = 1.0};
    akin_status st = AKIN_OK;
    AK_TRY(make_edge(&s, ctx));
    AK_TRY(begin_edge(&s, ctx, p, unit));
    for (int64_t t = 1; t <= MOST_STEPS && !is_done(&s, e, unit); ++t) {
        box_step(&s);
        AK_TRY(cone_step(&s, ctx));
        s.below = fmax(s.below, lower_bound(&s));
        s.above = fmin(s.above, upper_bound(&s));
        if (t % BALANCE == 0)
            balance(&s);
        AK_TRY(ak_ctx_tick(ctx, "steps to a safe rho", t, 0, s.above * unit));
    }
    e->below = s.below * unit;
    e->above = fmax(s.above, NOTHING) * unit;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- parts, and the choice of a solver -------------------------------------
 *
 * The penalty of the diagonal is that of a larger Sigma, because M_ii > 0.
 * Where the graph of the entries |Sigma_ij| > rho has several components, the
 * solution splits into the same parts, exactly: between them W_ij = 0 is within
 * rho of Sigma_ij.
 *   [2] Mazumder, Hastie. Exact covariance thresholding into connected
 *       components for large-scale graphical lasso. JMLR 13:781-794, 2012. */

/* For the first Newton steps, in units of m^3. */
static const double WORK = 100.0;

/* Iterations that are left for one that would take `most` (0: what it needs);
 * -1: none. */
static int64_t left_of(const ak_sice_options *o, int64_t done, int64_t most)
{
    const int64_t left = o->max_iterations - done;
    if (o->max_iterations == 0)
        return most;
    if (left <= 0)
        return -1;
    return most > 0 ? ak_min_i64(left, most) : left;
}

/* What is known of a part that is complete, or nearly. */
static akin_status visit_result(ak_sice_result *r, akin_ctx *ctx,
                                ak_state *state)
{
    int64_t outcome = (int64_t)r->outcome, solver = (int64_t)r->solver;
    AK_CHECK(ak_state_i64(state, ctx, "outcome", &outcome, AK_SICE_CONVERGED,
                          AK_SICE_LIMIT));
    AK_CHECK(ak_state_i64(state, ctx, "solver", &solver, AK_SICE_AUTO,
                          AK_SICE_PAPER));
    r->outcome = (ak_sice_outcome)outcome;
    r->solver = (ak_sice_solver)solver;
    AK_CHECK(ak_state_i64(state, ctx, "iterations", &r->iterations, 0,
                          INT64_C(1) << 53));
    AK_CHECK(ak_state_f64(state, ctx, "objective", 1, &r->objective));
    return ak_state_f64(state, ctx, "gap", 1, &r->gap);
}

/* Which solver has its turn, after so many iterations of others. */
typedef struct turns {
    int64_t i, before;
} turns;

static akin_status visit_turns(void *self, akin_ctx *ctx, ak_state *state)
{
    turns *t = self;
    AK_CHECK(ak_state_i64(state, ctx, "turn", &t->i, 0, 2));
    return ak_state_i64(state, ctx, "before", &t->before, 0, INT64_C(1) << 53);
}

/* Newton steps are faster unless the variables are so correlated that
 * coordinate descent needs many sweeps, which shows only during the run.
 * Alternating linearisation is fast unless the variables differ much in scale.
 * So Newton steps get the time of about 25 eigenproblems, then alternating
 * linearisation 150 of them, and then Newton steps what they need, each from
 * where the last one stopped. */
static akin_status solve_either(akin_ctx *ctx, const ak_sice *p,
                                const ak_sice_options *o, double *M,
                                ak_sice_result *r)
{
    static const ak_sice_solver solvers[] = {AK_SICE_QUIC, AK_SICE_ALM,
                                             AK_SICE_QUIC};
    const double m = (double)p->m;
    turns t = {0};
    ak_section section = {"turns", visit_turns, &t, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    r->outcome = AK_SICE_LIMIT;
    for (; t.i < 3 && r->outcome == AK_SICE_LIMIT &&
           (t.i == 0 || !ak_ctx_stopped(ctx));
         ++t.i) {
        ak_sice_options mine = *o;
        const int64_t left = left_of(o, t.before, t.i == 1 ? 150 : 0);
        if (left < 0)
            break;
        mine.max_iterations = left;
        if (t.i == 0)
            mine.work = WORK * m * m * fmax(m, 200.0);
        *r = (ak_sice_result){.solver = solvers[t.i]};
        AK_TRY((t.i == 1 ? ak_sice_alm : ak_sice_quic)(ctx, p, &mine, M, r));
        r->iterations += t.before;
        t.before = r->iterations;
    }
done:
    ak_section_leave(ctx, &section);
    return st;
}

/* M = diag(1 / Sigma_ii); false where Sigma_ii is not positive: F is unbounded.
 */
static bool begin(const ak_sice *p, double *M)
{
    const int64_t m = p->m;
    memset(M, 0, (size_t)(m * m) * sizeof *M);
    for (int64_t i = 0; i < m; ++i) {
        const double s = p->Sigma[i * (m + 1)] + p->rho_diag;
        if (!(s > 0.0))
            return false;
        M[i * (m + 1)] = 1.0 / s;
    }
    return true;
}

/* Is Sigma (of inverse M) singular up to rounding? In any units: 1 / (Sigma_ii
 * M_ii) is the share of column i that the others do not explain. */
static bool is_singular(const ak_sice *p, const double *M)
{
    for (int64_t k = 0; k < p->m * p->m; k += p->m + 1)
        if (!(p->Sigma[k] * M[k] < 1e-3 / DBL_EPSILON))
            return true;
    return false;
}

/* Without a penalty M = Sigma^-1; there is none unless Sigma > 0 by more than
 * rounding. */
static akin_status invert_only(akin_ctx *ctx, const ak_sice *p, double *M,
                               ak_sice_result *r)
{
    double log_det = 0.0;
    memcpy(M, p->Sigma, (size_t)(p->m * p->m) * sizeof *M);
    const akin_status st = ak_spd_inverse_logdet(ctx, p->m, M, &log_det);
    if (st == AKIN_ENUMERIC || (st == AKIN_OK && is_singular(p, M)))
        r->outcome = AK_SICE_UNBOUNDED;
    r->objective = log_det + (double)p->m;
    return st == AKIN_ENUMERIC ? AKIN_OK : st;
}

/* Where the solution of a part is. */
typedef struct progress {
    int64_t finishing;  // 1: the solver has ended
    double tol;         // of the Newton steps after it
    ak_sice_result *r;
} progress;

static akin_status visit_part(void *self, akin_ctx *ctx, ak_state *state)
{
    progress *s = self;
    AK_CHECK(ak_state_i64(state, ctx, "finishing", &s->finishing, 0, 1));
    if (!s->finishing)
        return AKIN_OK;
    AK_CHECK(ak_state_f64(state, ctx, "tol", 1, &s->tol));
    return visit_result(s->r, ctx, state);
}

/* Polish to the level of rounding. Where the support is not right yet, some
 * more Newton steps find it. */
static akin_status finish(akin_ctx *ctx, const ak_sice *p,
                          const ak_sice_options *all, double *M, progress *s)
{
    ak_sice_result *r = s->r, more = {0};
    if (!s->finishing) {
        s->tol = r->gap * 1e-4;
        AK_CHECK(ak_sice_polish(ctx, p, 0.0, M, r));
        s->finishing = 1;
    }
    const ak_sice_options o = {
        .tol = s->tol, .max_iterations = left_of(all, r->iterations, 30)};
    if (r->gap <= fmax(o.tol, 1e-12 * fabs(r->objective)) ||
        o.max_iterations < 0)
        return AKIN_OK;
    AK_CHECK(ak_sice_quic(ctx, p, &o, M, &more));
    r->iterations += more.iterations;
    r->gap = more.gap;
    r->objective = more.objective;
    return ak_sice_polish(ctx, p, 0.0, M, r);
}

/* Is there no minimiser? Solvers prove it during a run, but late where rho is
 * slightly too small; the printed algorithm takes too small steps. */
static akin_status check_bounded(akin_ctx *ctx, const ak_sice *p,
                                 ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_sice_edge e = {
        .diag = p->rho_diag == p->rho, .tol = 1e-6, .rho = p->rho};
    double *room;
    akin_status st = AKIN_OK;
    if ((p->m > MOST_CHECKED && r->solver != AK_SICE_PAPER) ||
        ak_ctx_stopped(ctx))
        goto done;
    AK_TRY(AK_SCRATCH(ctx, p->m * p->m, &room));
    if (isfinite(ak_sice_dual(ctx, p->m, p->Sigma, room)))
        goto done;
    AK_TRY(ak_sice_least_rho(ctx, p, &e));
    if (p->rho <= e.below)
        r->outcome = AK_SICE_UNBOUNDED;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* A part that does not split into smaller ones. */
static akin_status solve_part(akin_ctx *ctx, const ak_sice *p,
                              const ak_sice_options *o, double *M,
                              ak_sice_result *r)
{
    static const ak_sice_fn fns[] = {
        [AK_SICE_AUTO] = solve_either,
        [AK_SICE_ALM] = ak_sice_alm,
        [AK_SICE_QUIC] = ak_sice_quic,
        [AK_SICE_PAPER] = ak_sice_paper,
    };
    progress s = {.r = r};
    ak_section section = {"part", visit_part, &s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    r->solver = o->solver;
    if (!begin(p, M)) {
        r->outcome = AK_SICE_UNBOUNDED;
        return AKIN_OK;
    }
    if ((p->m == 1 || p->rho == 0.0) && r->solver != AK_SICE_PAPER)
        return invert_only(ctx, p, M, r);
    AK_CHECK(check_bounded(ctx, p, r));
    if (r->outcome == AK_SICE_UNBOUNDED)
        return AKIN_OK;
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    if (!s.finishing)
        AK_TRY(fns[o->solver](ctx, p, o, M, r));
    if (o->polish && r->outcome == AK_SICE_CONVERGED &&
        r->solver != AK_SICE_PAPER)
        AK_TRY(finish(ctx, p, o, M, &s));
done:
    ak_section_leave(ctx, &section);
    return st;
}

/* Number each part of the graph |Sigma_ij| > rho; returns how many. `stack`
 * has room for m. */
static int64_t find_parts(const ak_sice *p, int64_t *part, int64_t *stack)
{
    const int64_t m = p->m;
    int64_t n = 0;
    for (int64_t i = 0; i < m; ++i)
        part[i] = -1;
    for (int64_t i = 0; i < m; ++i) {
        int64_t top = 0;
        if (part[i] >= 0)
            continue;
        part[i] = n;
        stack[top++] = i;
        while (top > 0) {
            const int64_t a = stack[--top];
            for (int64_t b = 0; b < m; ++b)
                if (part[b] < 0 && fabs(p->Sigma[a * m + b]) > p->rho) {
                    part[b] = n;
                    stack[top++] = b;
                }
        }
        ++n;
    }
    return n;
}

static void join(ak_sice_result *all, const ak_sice_result *r, int64_t m,
                 int64_t *largest)
{
    all->iterations += r->iterations;
    all->objective += r->objective;
    all->gap += r->gap;
    if (r->outcome > all->outcome)
        all->outcome = r->outcome;
    if (m > *largest) {
        *largest = m;
        all->solver = r->solver;
    }
}

/* Solve the part of the rows at[0..n) by itself; `M` is the whole matrix. */
static akin_status solve_rows(akin_ctx *ctx, const ak_sice *p,
                              const ak_sice_options *o, int64_t n,
                              const int64_t *at, double *M, ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *S, *X;
    ak_sice_options mine = *o;
    akin_status st = AKIN_OK;
    mine.tol = o->tol * (double)n / (double)p->m;
    AK_TRY(AK_SCRATCH_EACH(ctx, n * n, &S, &X));
    for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < n; ++b)
            S[a * n + b] = p->Sigma[at[a] * p->m + at[b]];
    for (int64_t a = 0; a < n; ++a)
        S[a * (n + 1)] += p->rho_diag;
    const ak_sice part = {n, S, p->rho, 0.0};
    AK_TRY(solve_part(ctx, &part, &mine, X, r));
    for (int64_t a = 0; a < n; ++a)
        for (int64_t b = 0; b < n; ++b)
            M[at[a] * p->m + at[b]] = X[a * n + b];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The parts that are complete. */
typedef struct parts {
    int64_t k, largest, m;
    double *M;
    ak_sice_result *r;
} parts;

static akin_status visit_parts(void *self, akin_ctx *ctx, ak_state *state)
{
    parts *s = self;
    AK_CHECK(ak_state_i64(state, ctx, "part", &s->k, 0, s->r->parts - 1));
    AK_CHECK(ak_state_i64(state, ctx, "largest", &s->largest, 0, s->m));
    AK_CHECK(ak_state_f64(state, ctx, "M", s->m * s->m, s->M));
    return visit_result(s->r, ctx, state);
}

static akin_status solve_parts(akin_ctx *ctx, const ak_sice *p,
                               const ak_sice_options *o, double *M,
                               ak_sice_result *r)
{
    const int64_t m = p->m;
    parts s = {.m = m, .M = M, .r = r};
    ak_section section = {"parts", visit_parts, &s, NULL};
    int64_t *part, *at;
    bool continued;
    akin_status st = AKIN_OK;
    AK_CHECK(AK_SCRATCH(ctx, m, &part));
    AK_CHECK(AK_SCRATCH(ctx, m, &at));
    memset(M, 0, (size_t)(m * m) * sizeof *M);
    r->parts = find_parts(p, part, at);
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    for (; s.k < r->parts && r->outcome != AK_SICE_UNBOUNDED; ++s.k) {
        ak_sice_result one = {0};
        int64_t n = 0;
        for (int64_t i = 0; i < m; ++i)
            if (part[i] == s.k)
                at[n++] = i;
        AK_TRY(solve_rows(ctx, p, o, n, at, M, &one));
        join(r, &one, n, &s.largest);
    }
done:
    ak_section_leave(ctx, &section);
    return st;
}

akin_status ak_sice_solve(akin_ctx *ctx, const ak_sice *p,
                          const ak_sice_options *o, double *M,
                          ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    *r = (ak_sice_result){.parts = 1};
    for (int64_t k = 0; k < p->m * p->m; ++k)
        if (!isfinite(p->Sigma[k]))
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "a covariance has an entry that is not finite"));
    if (o->solver == AK_SICE_PAPER)
        AK_TRY(solve_part(ctx, p, o, M, r));
    else
        AK_TRY(solve_parts(ctx, p, o, M, r));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
