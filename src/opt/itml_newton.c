/* Information-theoretic metric learning by Newton's method. The distances
 * settled for follow from M: xi_c = v'M v =: p_c of pairs that are on the wrong
 * side of the wanted xi0_c, and xi0_c of the others. So what opt/itml.c has as
 * (1) is, with r - log r - 1 =: f(r) and the active pairs A on the wrong side,
 *
 *   F(M) = D(M, M0) + gamma sum_{c in A} f(p_c / xi0_c),  M > 0         (1)
 *
 * convex, once differentiable everywhere and twice but where a pair changes
 * sides; a sum of linear terms and logarithms, so that Newton's method neither
 * knows nor needs a scale. In the coordinates M = L L', z = L'v, u = z / |z|:
 *
 *   G    = L'M0^-1 L - I + gamma sum_A (p / xi0 - 1) u u'               (2)
 *   H[E] = E + gamma sum_A (u'E u) u u'                                 (3)
 *   H[E] = -G  by conjugate gradients                                   (4)
 *   M(t) = L (I + t E) L',  p(t) = p + t z'E z                          (5)
 *
 * The eigenvalues of E, once an iteration, make F(M(t)) cheap for every t: the
 * way is taken as far as F falls. The decrement sqrt(-<G, E>) says how far it
 * is to the optimum, where the multipliers are
 *
 *   lambda_c = gamma s (1/xi0 - 1/p)                                    (6)
 *
 * From far away, many pairs at once may drive M to the edge of the cone, along
 * which progress is slow; so gamma grows to what it is by and by. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "opt/itml.h"

#define SHRINK 0.9  // no direction of M loses more in one iteration
#define GROWTH 4.0  // of gamma
#define ROUGH 1.0   // decrement that will do before gamma grows

enum { MOST_CG = 500, MOST_TRIES = 60 };

typedef struct newton {
    ak_itml *p;
    int64_t n_active;
    double *V, *Z;                       // count x d
    double *U, *Y;                       // n_active x d, room for count
    double *q, *r;                       // p_c and its change; count
    double *w;                           // weight of each active pair; count
    double *M0_inverse, *L;              // d x d, as are all below
    double *K, *T;                       // L'M0^-1 L; scratch
    double *G, *E, *R, *D, *HD, *eigen;  // eigen: d
    double log_det;                      // of M0
    double gamma;                        // on its way to that of p
} newton;

static akin_status make_room(newton *s, akin_ctx *ctx)
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

/* L, Z, p of M, the active pairs, and (2). */
static akin_status look(newton *s, akin_ctx *ctx)
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

/* (3) of the symmetric D. */
static akin_status product(newton *s, akin_ctx *ctx)
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

/* (4). What an iteration gains adds up to -<G, E>; it ends when so much more of
 * them would hardly gain more, the later the nearer the optimum is. */
static akin_status solve(newton *s, akin_ctx *ctx)
{
    const int64_t dd = s->p->d * s->p->d;
    double rr = ak_dot(dd, s->G, s->G), gained = 0.0, gain = INFINITY;
    akin_status st = AKIN_OK;
    memset(s->E, 0, (size_t)dd * sizeof *s->E);
    for (int64_t k = 0; k < dd; ++k)
        s->D[k] = s->R[k] = -s->G[k];
    for (int i = 0; i < MOST_CG && rr > 0.0; ++i) {
        if (i * gain <= gained * fmin(0.5, sqrt(gained)))
            break;
        AK_TRY(product(s, ctx));
        const double length = rr / ak_dot(dd, s->D, s->HD);
        ak_axpy(dd, length, s->D, s->E);
        ak_axpy(dd, -length, s->HD, s->R);
        gain = rr * length;
        gained += gain;
        const double next = ak_dot(dd, s->R, s->R), turn = next / rr;
        for (int64_t k = 0; k < dd; ++k)
            s->D[k] = s->R[k] + turn * s->D[k];
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

/* The changes of p along E, and its eigenvalues. */
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

/* How far to go: where F along the line is nearly flat. It is convex there, so
 * that its derivative is all that has to be looked at. */
static double search_line(const newton *s, double slope)
{
    const double end = s->eigen[0] < 0.0 ? -SHRINK / s->eigen[0] : INFINITY;
    double low = 0.0, high = INFINITY, t = fmin(1.0, end);
    for (int i = 0; i < MOST_TRIES; ++i) {
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
    for (int64_t i = 0; i < d; ++i)
        for (int64_t j = 0; j < i; ++j)
            M[j * d + i] = M[i * d + j] = 0.5 * (M[i * d + j] + M[j * d + i]);
done:
    return st;
}

static akin_status begin(newton *s, akin_ctx *ctx)
{
    ak_itml *p = s->p;
    const int64_t d = p->d;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(s, ctx));
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

/* (6), and what was settled for. */
static void finish(newton *s)
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
    AK_TRY(look(s, ctx));
    while (*decrement > tol && p->iterations < p->max_iterations) {
        AK_TRY(solve(s, ctx));
        const double slope = ak_dot(p->d * p->d, s->G, s->E);
        *decrement = sqrt(fmax(0.0, -slope));
        if (!(slope < 0.0))
            break;
        AK_TRY(prepare_line(s, ctx));
        AK_TRY(move(s, ctx, search_line(s, slope)));
        AK_TRY(look(s, ctx));
        AK_TRY(ak_ctx_tick(ctx, "iterations", ++p->iterations,
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
    AK_TRY(begin(&s, ctx));
    s.gamma = fmin(p->gamma, (double)p->d / (double)p->count);
    for (; s.gamma < p->gamma; s.gamma *= GROWTH)
        AK_TRY(descend(&s, ctx, ROUGH, &decrement));
    s.gamma = p->gamma;
    AK_TRY(descend(&s, ctx, p->tol, &decrement));
    p->converged = decrement <= p->tol;
    p->objective = value(&s);
    finish(&s);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
