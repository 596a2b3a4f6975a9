/* ITML by Newton's method. The distances reached follow from M: xi_c = v'M v =:
 * p_c for pairs on the wrong side of their target xi0_c, and xi0_c for the
 * others. So (1) of learn/metric/itml.c becomes, with r - log r - 1 =: f(r) and
 * the active pairs A on the wrong side,
 *
 *   F(M) = D(M, M0) + gamma sum_{c in A} f(p_c / xi0_c),  M > 0         (1)
 *
 * convex, once differentiable everywhere and twice except where a pair changes
 * sides; a sum of linear terms and logarithms, so Newton's method needs no
 * scale. In the coordinates M = L L', z = L'v, u = z / |z|:
 *
 *   G    = L'M0^-1 L - I + gamma sum_A (p / xi0 - 1) u u'               (2)
 *   H[E] = E + gamma sum_A (u'E u) u u'                                 (3)
 *   H[E] = -G  by conjugate gradients                                   (4)
 *   M(t) = L (I + t E) L',  p(t) = p + t z'E z                          (5)
 *
 * The eigenvalues of E, computed once per iteration, make F(M(t)) cheap for
 * every t, so the line search is nearly exact. The decrement sqrt(-<G, E>)
 * bounds the distance to the optimum, where the multipliers are
 *
 *   lambda_c = gamma s (1/xi0 - 1/p)                                    (6)
 *
 * Far from the optimum, many pairs at once may drive M to the boundary of the
 * cone, along which progress is slow; so gamma grows in steps to its value.
 *
 * When there are fewer points than columns, F is minimised in their subspace.
 * With M0 = L L' and the points (less one of them) times L in the columns of
 * P = Q R, no pair depends on anything outside the span of Q, and M = M0 there:
 *
 *   M = M0 + (L Q) (A - I) (L Q)'                                       (7)
 *
 * where A is learned from the columns of R, starting at the identity, with the
 * same objective. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/metric/itml.h"

#define SHRINK 0.9  // most that a direction of M may lose in one iteration
#define GROWTH 4.0  // of gamma
#define ROUGH 1.0   // decrement that suffices before gamma grows

enum { MAX_CG = 500, MAX_SEARCH = 60 };

typedef struct newton {
    ak_itml *p;
    int64_t n_active;
    double *V, *Z;                       // count x d
    double *U, *Y;                       // n_active x d, capacity count
    double *q, *r;                       // p_c and its change; count
    double *w;                           // weight of each active pair; count
    double *M0_inverse, *L;              // d x d, as are all below
    double *K, *T;                       // L'M0^-1 L; scratch
    double *G, *E, *R, *D, *HD, *eigen;  // eigen: d
    double log_det;                      // of M0
    double gamma;                        // grows to p->gamma
} newton;

static akin_status alloc_newton(newton *s, akin_ctx *ctx)
{
    const int64_t n = s->p->count, d = s->p->d;
    double **const rows[] = {&s->V, &s->Z, &s->U, &s->Y};
    double **const lists[] = {&s->q, &s->r, &s->w};
    double **const squares[] = {&s->M0_inverse, &s->L, &s->K, &s->T, &s->G,
                                &s->E,          &s->R, &s->D, &s->HD};
    akin_status st = AKIN_OK;
    for (int i = 0; i < 4; ++i)
        AK_TRY(AK_SCRATCH(ctx, n * d, rows[i]));
    for (int i = 0; i < 3; ++i)
        AK_TRY(AK_SCRATCH(ctx, n, lists[i]));
    for (int i = 0; i < 9; ++i)
        AK_TRY(AK_SCRATCH(ctx, d * d, squares[i]));
    AK_TRY(AK_SCRATCH(ctx, d, &s->eigen));
done:
    return st;
}

/* out = sum_k w_k x_k x_k' of n rows. */
static akin_status gram(newton *s, akin_ctx *ctx, int64_t n, const double *x,
                        const double *w, double *out)
{
    const int64_t d = s->p->d;
    for (int64_t k = 0; k < n; ++k)
        for (int64_t j = 0; j < d; ++j)
            s->Y[k * d + j] = w[k] * x[k * d + j];
    return ak_gemm(ctx, true, false, d, d, n, 1.0, s->Y, d, x, d, 0.0, out, d);
}

/* L, Z and p of M, the active pairs, and (2). */
static akin_status evaluate(newton *s, akin_ctx *ctx)
{
    ak_itml *p = s->p;
    const int64_t d = p->d, n = p->count;
    akin_status st = AKIN_OK;
    memcpy(s->L, p->M, (size_t)(d * d) * sizeof *s->L);
    AK_TRY(ak_cholesky(ctx, d, s->L));
    AK_TRY(ak_gemm(ctx, false, false, n, d, d, 1.0, s->V, d, s->L, d, 0.0, s->Z,
                   d));
    s->n_active = 0;
    for (int64_t c = 0; c < n; ++c) {
        const double *z = s->Z + c * d, target = ak_itml_target(p, c);
        double *u = s->U + s->n_active * d;
        s->q[c] = ak_dot(d, z, z);
        if (!(ak_itml_sign(p, c) * (s->q[c] - target) > 0.0 &&
              s->q[c] > 1e-300))
            continue;
        for (int64_t j = 0; j < d; ++j)
            u[j] = z[j] / sqrt(s->q[c]);
        s->w[s->n_active++] = s->gamma * (s->q[c] / target - 1.0);
    }
    AK_TRY(ak_gemm(ctx, false, false, d, d, d, 1.0, s->M0_inverse, d, s->L, d,
                   0.0, s->T, d));
    AK_TRY(ak_gemm(ctx, true, false, d, d, d, 1.0, s->L, d, s->T, d, 0.0, s->K,
                   d));
    AK_TRY(gram(s, ctx, s->n_active, s->U, s->w, s->G));
    for (int64_t k = 0; k < d * d; ++k)
        s->G[k] += s->K[k] - (k % (d + 1) == 0 ? 1.0 : 0.0);
done:
    return st;
}

/* HD = H[D], (3), for symmetric D. */
static akin_status hessian_product(newton *s, akin_ctx *ctx)
{
    const int64_t d = s->p->d, n = s->n_active;
    akin_status st = AKIN_OK;
    AK_TRY(ak_gemm(ctx, false, false, n, d, d, 1.0, s->U, d, s->D, d, 0.0, s->Y,
                   d));
    for (int64_t k = 0; k < n; ++k)
        s->w[k] = s->gamma * ak_dot(d, s->Y + k * d, s->U + k * d);
    AK_TRY(gram(s, ctx, n, s->U, s->w, s->HD));
    ak_axpy(d * d, 1.0, s->D, s->HD);
done:
    return st;
}

/* (4). The gains of the iterations add up to -<G, E>; it stops when as many
 * iterations again would gain little. The closer the optimum, the stricter. */
static akin_status solve(newton *s, akin_ctx *ctx)
{
    const int64_t dd = s->p->d * s->p->d;
    double rr = ak_dot(dd, s->G, s->G), gained = 0.0, gain = INFINITY;
    akin_status st = AKIN_OK;
    memset(s->E, 0, (size_t)dd * sizeof *s->E);
    for (int64_t k = 0; k < dd; ++k)
        s->D[k] = s->R[k] = -s->G[k];
    for (int i = 0; i < MAX_CG && rr > 0.0; ++i) {
        if (i * gain <= gained * fmin(0.5, sqrt(gained)))
            break;
        AK_TRY(hessian_product(s, ctx));
        const double length = rr / ak_dot(dd, s->D, s->HD);
        ak_axpy(dd, length, s->D, s->E);
        ak_axpy(dd, -length, s->HD, s->R);
        gain = rr * length;
        gained += gain;
        const double next = ak_dot(dd, s->R, s->R), beta = next / rr;
        for (int64_t k = 0; k < dd; ++k)
            s->D[k] = s->R[k] + beta * s->D[k];
        rr = next;
    }
done:
    return st;
}

/* The pairs' part of (1). */
static double pairs_value(const newton *s)
{
    double sum = 0.0;
    for (int64_t c = 0; c < s->p->count; ++c) {
        const double ratio = s->q[c] / ak_itml_target(s->p, c);
        if (ak_itml_sign(s->p, c) * (ratio - 1.0) > 0.0 && s->q[c] > 1e-300)
            sum += ratio - log(ratio) - 1.0;
    }
    return s->gamma * sum;
}

/* D(M, M0) + the pairs' part. */
static double value(const newton *s)
{
    const int64_t d = s->p->d;
    double sum = s->log_det - (double)d + pairs_value(s);
    for (int64_t j = 0; j < d; ++j)
        sum += s->K[j * (d + 1)] - 2.0 * log(s->L[j * (d + 1)]);
    return sum;
}

/* The derivative of F(M(t)) by t. */
static double slope_at(const newton *s, double t)
{
    double sum = ak_dot(s->p->d * s->p->d, s->K, s->E), pairs = 0.0;
    for (int64_t j = 0; j < s->p->d; ++j)
        sum -= s->eigen[j] / (1.0 + t * s->eigen[j]);
    for (int64_t c = 0; c < s->p->count; ++c) {
        const double q = s->q[c] + t * s->r[c], to = ak_itml_target(s->p, c);
        if (ak_itml_sign(s->p, c) * (q - to) > 0.0 && s->q[c] > 1e-300)
            pairs += s->r[c] * (1.0 / to - 1.0 / q);
    }
    return sum + s->gamma * pairs;
}

/* The changes of p along E, and the eigenvalues of E. */
static akin_status prepare_line(newton *s, akin_ctx *ctx)
{
    const int64_t d = s->p->d, n = s->p->count;
    akin_status st = AKIN_OK;
    AK_TRY(ak_gemm(ctx, false, false, n, d, d, 1.0, s->Z, d, s->E, d, 0.0, s->Y,
                   d));
    for (int64_t c = 0; c < n; ++c)
        s->r[c] = ak_dot(d, s->Y + c * d, s->Z + c * d);
    memcpy(s->T, s->E, (size_t)(d * d) * sizeof *s->T);
    AK_TRY(ak_eigh(ctx, d, s->T, s->eigen));
done:
    return st;
}

/* The step t at which F along the line is nearly flat. F is convex, so its
 * derivative decides. */
static double search_line(const newton *s, double slope)
{
    const double end = s->eigen[0] < 0.0 ? -SHRINK / s->eigen[0] : INFINITY;
    double low = 0.0, high = INFINITY, t = fmin(1.0, end);
    for (int i = 0; i < MAX_SEARCH; ++i) {
        const double now = slope_at(s, t);
        if (fabs(now) <= -0.1 * slope || (now < 0.0 && t >= end))
            return t;
        if (now > 0.0)
            high = t;
        else
            low = t;
        t = isinf(high) ? fmin(2.0 * t, end) : 0.5 * (low + high);
    }
    return low > 0.0 ? low : t;
}

/* M = L (I + t E) L'. */
static akin_status move(newton *s, akin_ctx *ctx, double t)
{
    const int64_t d = s->p->d;
    double *M = s->p->M;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < d * d; ++k)
        s->D[k] = t * s->E[k] + (k % (d + 1) == 0 ? 1.0 : 0.0);
    AK_TRY(ak_gemm(ctx, false, false, d, d, d, 1.0, s->L, d, s->D, d, 0.0, s->T,
                   d));
    AK_TRY(
        ak_gemm(ctx, false, true, d, d, d, 1.0, s->T, d, s->L, d, 0.0, M, d));
    ak_symmetrize(d, M);
done:
    return st;
}

static akin_status begin_newton(newton *s, akin_ctx *ctx)
{
    ak_itml *p = s->p;
    const int64_t d = p->d;
    akin_status st = AKIN_OK;
    AK_TRY(alloc_newton(s, ctx));
    for (int64_t c = 0; c < p->count; ++c)
        ak_itml_difference(p, c, s->V + c * d);
    memcpy(s->M0_inverse, p->M, (size_t)(d * d) * sizeof *p->M);
    AK_TRY(ak_spd_inverse(ctx, d, s->M0_inverse));
    memcpy(s->L, p->M, (size_t)(d * d) * sizeof *p->M);
    AK_TRY(ak_cholesky(ctx, d, s->L));
    for (int64_t j = 0; j < d; ++j)
        s->log_det += 2.0 * log(s->L[j * (d + 1)]);
done:
    return st;
}

/* (6), and the distances reached. */
static void write_result(newton *s)
{
    ak_itml *p = s->p;
    p->active = s->n_active;
    for (int64_t c = 0; c < p->count; ++c) {
        const double sign = ak_itml_sign(p, c), target = ak_itml_target(p, c);
        const bool active = sign * (s->q[c] - target) > 0.0 && s->q[c] > 1e-300;
        p->xi[c] = active ? s->q[c] : target;
        p->lambda[c] = active ? p->gamma * sign * (1.0 / target - 1.0 / s->q[c])
                              : 0.0;
    }
}

/* Newton steps for s->gamma until the decrement is `tol` or less. */
static akin_status descend(newton *s, akin_ctx *ctx, double tol,
                           double *decrement)
{
    ak_itml *p = s->p;
    akin_status st = AKIN_OK;
    *decrement = INFINITY;
    AK_TRY(evaluate(s, ctx));
    while (*decrement > tol && p->iterations < p->max_iterations &&
           !ak_ctx_stopped(ctx)) {
        AK_TRY(solve(s, ctx));
        const double slope = ak_dot(p->d * p->d, s->G, s->E);
        *decrement = sqrt(fmax(0.0, -slope));
        if (!(slope < 0.0))
            break;
        AK_TRY(prepare_line(s, ctx));
        AK_TRY(move(s, ctx, search_line(s, slope)));
        AK_TRY(evaluate(s, ctx));
        AK_TRY(ak_ctx_step(ctx, "iterations", ++p->iterations,
                           p->max_iterations, value(s)));
    }
done:
    return st;
}

akin_status ak_itml_newton_full(ak_itml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    newton s = {.p = p};
    double decrement;
    akin_status st = AKIN_OK;
    p->iterations = 0;
    AK_TRY(begin_newton(&s, ctx));
    s.gamma = fmin(p->gamma, (double)p->d / (double)p->count);
    for (; s.gamma < p->gamma && !ak_ctx_stopped(ctx); s.gamma *= GROWTH)
        AK_TRY(descend(&s, ctx, ROUGH, &decrement));
    s.gamma = p->gamma;
    AK_TRY(descend(&s, ctx, p->tol, &decrement));
    p->converged = decrement <= p->tol;
    p->objective = value(&s);
    write_result(&s);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Points of X (side 0) or Y (side 1): the largest number in a pair, plus 1. */
static int64_t points_of(const ak_itml *p, int side)
{
    int64_t most = 0;
    for (int64_t c = 0; c < p->count; ++c)
        most = ak_max_i64(most, p->ij[2 * c + side] + 1);
    return most;
}

typedef struct subspace {
    int64_t nx, n;          // points of X, and all
    double *L, *P, *R, *C;  // d x d, d x n, n x n, R'
    double *B, *BA;         // d x n: L Q; times A - I
} subspace;

/* P, from the points of X and, where Y is another set, of Y. */
static akin_status take_points(const ak_itml *p, akin_ctx *ctx, subspace *s)
{
    const int64_t d = p->d, n = s->n;
    double *shifted;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * d, &shifted));
    for (int64_t i = 0; i < n; ++i) {
        const double *x = i < s->nx ? p->X + i * d : p->Y + (i - s->nx) * d;
        for (int64_t j = 0; j < d; ++j)
            shifted[i * d + j] = x[j] - p->X[j];
    }
    AK_TRY(ak_gemm(ctx, true, true, d, n, d, 1.0, s->L, d, shifted, d, 0.0,
                   s->P, n));
done:
    return st;
}

/* (7) of A, which is overwritten. */
static akin_status lift(ak_itml *p, akin_ctx *ctx, subspace *s, double *A)
{
    const int64_t d = p->d, n = s->n;
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < n; ++j)
        A[j * (n + 1)] -= 1.0;
    AK_TRY(ak_gemm(ctx, false, false, d, n, d, 1.0, s->L, d, s->P, n, 0.0, s->B,
                   n));
    AK_TRY(
        ak_gemm(ctx, false, false, d, n, n, 1.0, s->B, n, A, n, 0.0, s->BA, n));
    AK_TRY(ak_gemm(ctx, false, true, d, d, n, 1.0, s->BA, n, s->B, n, 1.0, p->M,
                   d));
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < i; ++j)
            p->M[j * d + i] = p->M[i * d + j];
done:
    return st;
}

static akin_status alloc_subspace(const ak_itml *p, akin_ctx *ctx, subspace *s)
{
    const int64_t d = p->d, n = s->n;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, d * d, &s->L));
    AK_TRY(AK_SCRATCH(ctx, d * n, &s->P));
    AK_TRY(AK_SCRATCH(ctx, d * n, &s->B));
    AK_TRY(AK_SCRATCH(ctx, d * n, &s->BA));
    AK_TRY(AK_SCRATCH(ctx, n * n, &s->R));
    AK_TRY(AK_SCRATCH(ctx, n * n, &s->C));
done:
    return st;
}

static akin_status newton_in_subspace(ak_itml *p, akin_ctx *ctx, subspace *s)
{
    const int64_t d = p->d, n = s->n;
    ak_itml q = *p;
    akin_status st = AKIN_OK;
    AK_TRY(alloc_subspace(p, ctx, s));
    for (int64_t k = 0; k < d * d; ++k)
        s->L[k] = p->M[k];
    AK_TRY(ak_cholesky(ctx, d, s->L));
    AK_TRY(take_points(p, ctx, s));
    AK_TRY(ak_qr(ctx, d, n, s->P, s->R));
    for (int64_t k = 0; k < n * n; ++k)
        s->C[k] = s->R[k % n * n + k / n];
    q.d = n;
    q.X = s->C;
    q.Y = p->Y == p->X ? s->C : s->C + s->nx * n;
    AK_TRY(AK_SCRATCH(ctx, n * n, &q.M));
    for (int64_t j = 0; j < n; ++j)
        q.M[j * (n + 1)] = 1.0;
    AK_TRY(ak_itml_newton_full(&q, ctx));
    AK_TRY(lift(p, ctx, s, q.M));
    p->iterations = q.iterations;
    p->converged = q.converged;
    p->objective = q.objective;
    p->active = q.active;
done:
    return st;
}

akin_status ak_itml_newton(ak_itml *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    subspace s = {.nx = points_of(p, 0)};
    akin_status st = AKIN_OK;
    if (p->Y == p->X)
        s.n = s.nx = ak_max_i64(s.nx, points_of(p, 1));
    else
        s.n = s.nx + points_of(p, 1);
    st = 4 * s.n > 3 * p->d ? ak_itml_newton_full(p, ctx)
                            : newton_in_subspace(p, ctx, &s);
    ak_scratch_end(ctx, mark);
    return st;
}
