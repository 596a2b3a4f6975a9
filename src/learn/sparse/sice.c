/* Sparse inverse covariance: the parts a problem falls into, and the choice of
 * a solver; see learn/sparse/sice.h for the problem.
 *
 * The penalty of the diagonal is that of a larger Sigma, because M_ii > 0.
 * Where the graph of the entries |Sigma_ij| > rho falls into parts, so does
 * the solution, exactly: between them W_ij = 0 is within rho of Sigma_ij.
 *   [1] Mazumder, Hastie. Exact covariance thresholding into connected
 *       components for large-scale graphical lasso. JMLR 13:781-794, 2012. */
#include "learn/sparse/sice.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/sparse/sice_parts.h"

enum { MOST_CHECKED = 500 };  // columns for which the check is cheap

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

/* Newton steps are the faster way unless the variables hang together so much
 * that coordinate descent has to go around often, which is seen only on the
 * way; alternating linearisation is, unless they differ much in scale. So the
 * former get the time of some 25 eigenproblems, then the latter 150 of them,
 * and then Newton steps what they need, each from where the last one was. */
static akin_status solve_either(akin_ctx *ctx, const ak_sice *p,
                                const ak_sice_options *o, double *M,
                                ak_sice_result *r)
{
    static const ak_sice_solver turns[] = {AK_SICE_QUIC, AK_SICE_ALM,
                                           AK_SICE_QUIC};
    const double m = (double)p->m;
    int64_t before = 0;
    akin_status st = AKIN_OK;
    for (int i = 0; i < 3 && (i == 0 || (r->outcome == AK_SICE_LIMIT &&
                                         !ak_ctx_stopped(ctx)));
         ++i) {
        ak_sice_options mine = *o;
        const int64_t left = left_of(o, before, i == 1 ? 150 : 0);
        if (left < 0)
            break;
        mine.max_iterations = left;
        if (i == 0)
            mine.work = WORK * m * m * fmax(m, 200.0);
        *r = (ak_sice_result){.solver = turns[i]};
        AK_TRY((i == 1 ? ak_sice_alm : ak_sice_quic)(ctx, p, &mine, M, r));
        r->iterations += before;
        before = r->iterations;
    }
done:
    return st;
}

/* M = diag(1 / Sigma_ii); where that is not positive, F falls without end. */
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

/* Is Sigma (of inverse M) singular but for rounding? In any units: 1 /
 * (Sigma_ii M_ii) is the share of column i that the others do not tell. */
static bool is_singular(const ak_sice *p, const double *M)
{
    for (int64_t k = 0; k < p->m * p->m; k += p->m + 1)
        if (!(p->Sigma[k] * M[k] < 1e-3 / DBL_EPSILON))
            return true;
    return false;
}

/* Without a penalty M = Sigma^-1, and there is none unless Sigma > 0, for more
 * than by rounding. */
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

/* On to rounding. Where the support is not the right one yet, some more Newton
 * steps find it. */
static akin_status finish(akin_ctx *ctx, const ak_sice *p,
                          const ak_sice_options *all, double *M,
                          ak_sice_result *r)
{
    const ak_sice_options o = {
        .tol = r->gap * 1e-4,
        .max_iterations = left_of(all, r->iterations, 30)};
    ak_sice_result more = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_sice_polish(ctx, p, 0.0, M, r));
    if (r->gap <= fmax(o.tol, 1e-12 * fabs(r->objective)) ||
        o.max_iterations < 0)
        return AKIN_OK;
    AK_TRY(ak_sice_quic(ctx, p, &o, M, &more));
    r->iterations += more.iterations;
    r->gap = more.gap;
    r->objective = more.objective;
    AK_TRY(ak_sice_polish(ctx, p, 0.0, M, r));
done:
    return st;
}

/* Is there no minimiser? Solvers find the proof on their way, but late where
 * rho is little too small, and the printed algorithm takes too small steps. */
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

/* A part that does not fall into smaller ones. */
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
    akin_status st = AKIN_OK;
    r->solver = o->solver;
    if (!begin(p, M)) {
        r->outcome = AK_SICE_UNBOUNDED;
        return AKIN_OK;
    }
    if ((p->m == 1 || p->rho == 0.0) && r->solver != AK_SICE_PAPER)
        return invert_only(ctx, p, M, r);
    AK_TRY(check_bounded(ctx, p, r));
    if (r->outcome == AK_SICE_UNBOUNDED)
        goto done;
    AK_TRY(fns[o->solver](ctx, p, o, M, r));
    if (o->polish && r->outcome == AK_SICE_CONVERGED &&
        r->solver != AK_SICE_PAPER)
        AK_TRY(finish(ctx, p, o, M, r));
done:
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

/* The part that the rows at[0..n) are, solved by itself; `M` is of all. */
static akin_status solve_rows(akin_ctx *ctx, const ak_sice *p,
                              const ak_sice_options *o, int64_t n,
                              const int64_t *at, double *M, ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *S, *X;
    ak_sice_options mine = *o;
    akin_status st = AKIN_OK;
    mine.tol = o->tol * (double)n / (double)p->m;
    AK_TRY(AK_SCRATCH(ctx, n * n, &S));
    AK_TRY(AK_SCRATCH(ctx, n * n, &X));
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

static akin_status solve_parts(akin_ctx *ctx, const ak_sice *p,
                               const ak_sice_options *o, double *M,
                               ak_sice_result *r)
{
    const int64_t m = p->m;
    int64_t *part, *at, largest = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m, &part));
    AK_TRY(AK_SCRATCH(ctx, m, &at));
    memset(M, 0, (size_t)(m * m) * sizeof *M);
    r->parts = find_parts(p, part, at);
    for (int64_t k = 0; k < r->parts; ++k) {
        ak_sice_result one = {0};
        int64_t n = 0;
        for (int64_t i = 0; i < m; ++i)
            if (part[i] == k)
                at[n++] = i;
        AK_TRY(solve_rows(ctx, p, o, n, at, M, &one));
        join(r, &one, n, &largest);
        if (r->outcome == AK_SICE_UNBOUNDED)
            break;
    }
done:
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
