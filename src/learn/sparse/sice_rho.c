/* The least penalty from which on (1) of learn/sparse/sice.h has a minimiser:
 *
 *   rho* = min rho  s.t.  Z = Sigma + U >= 0,  |U_ij| <= rho             (1)
 *
 * with U_ii = 0 where the diagonal is not penalised. Any V >= 0 bounds it from
 * below, and any Z >= 0, its diagonal as it should be, from above:
 *
 *   - <Sigma, V> / sum |V_ij|  <=  rho*  <=  max |Z_ij - Sigma_ij|       (2)
 *
 * (the sum and the maximum over the penalised entries). Both fall out of the
 * alternating direction method of multipliers,
 *
 *   U = clip(B, t),  B = Z - Sigma - Y,  sum max(|B_ij| - t, 0) = 1/p    (3)
 *   C = a (Sigma + U) + (1 - a) Z + Y,   Z = C_+,  Y = - C_-             (4)
 *
 * with C = C_+ - C_- its positive and its negative part, and V = - Y.
 *   [1] Boyd, Parikh, Chu, Peleato, Eckstein. Distributed optimization and
 *       statistical learning via the alternating direction method of
 *       multipliers. Foundations and Trends in Machine Learning 3(1), 2011. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/sparse/sice_parts.h"

enum { MOST_STEPS = 3000, BALANCE = 10, NEWTON = 100 };

static const double RELAX = 1.6;     // a of (4)
static const double NOTHING = 1e-9;  // a penalty beside entries of 1

typedef struct edge {
    int64_t m;
    bool diag;                           // it is penalised too
    double p;                            // of (3)
    double *A, *U, *Z, *Y, *Z_prev, *V;  // m x m; A = Sigma, of size 1
    double *values;                      // m
    double below, above;                 // (2)
} edge;

static bool is_free(const edge *s, int64_t k)
{
    return !s->diag && k % (s->m + 1) == 0;
}

/* t of (3) for U = B, by Newton's method from below, which ends exactly. */
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

/* (3) */
static void box_step(edge *s)
{
    const int64_t n = s->m * s->m;
    for (int64_t k = 0; k < n; ++k)
        s->U[k] = is_free(s, k) ? 0.0 : s->Z[k] - s->A[k] - s->Y[k];
    const double t = threshold(s);
    for (int64_t k = 0; k < n; ++k)
        s->U[k] = ak_clip(s->U[k], t);
}

/* (4), with C_- of the eigenvectors below 0, which come first. */
static akin_status cone_step(edge *s, akin_ctx *ctx)
{
    const int64_t m = s->m;
    int64_t q = 0;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < m * m; ++k) {
        s->Z_prev[k] = s->Z[k];
        s->Z[k] = RELAX * (s->A[k] + s->U[k]) + (1.0 - RELAX) * s->Z[k] +
                  s->Y[k];
    }
    memcpy(s->V, s->Z, (size_t)(m * m) * sizeof *s->V);
    AK_TRY(ak_eigh(ctx, m, s->V, s->values));
    while (q < m && s->values[q] < 0.0)
        ++q;
    memset(s->Y, 0, (size_t)(m * m) * sizeof *s->Y);
    if (q == 0)
        goto done;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t k = 0; k < m; ++k)
            s->V[i * m + k] *= k < q ? sqrt(-s->values[k]) : 0.0;
    AK_TRY(ak_gram(ctx, false, m, q, s->V, m, s->Y));
    for (int64_t k = 0; k < m * m; ++k) {
        s->Z[k] += s->Y[k];
        s->Y[k] = -s->Y[k];
    }
done:
    return st;
}

/* The left of (2). */
static double lower(const edge *s)
{
    double sum = 0.0;
    for (int64_t k = 0; k < s->m * s->m; ++k)
        sum += is_free(s, k) ? 0.0 : fabs(s->Y[k]);
    return sum > 0.0 ? ak_dot(s->m * s->m, s->A, s->Y) / sum : 0.0;
}

/* The right of (2). A free diagonal is put right by scaling rows and columns;
 * a penalised one may be lower than it is let be. */
static double upper(edge *s)
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

static akin_status make_room(edge *s, akin_ctx *ctx)
{
    double **const all[] = {&s->A, &s->U, &s->Z, &s->Y, &s->Z_prev, &s->V};
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        AK_TRY(AK_SCRATCH(ctx, s->m * s->m, all[i]));
    AK_TRY(AK_SCRATCH(ctx, s->m, &s->values));
done:
    return st;
}

/* A = Sigma / unit and Z = A made positive semi-definite by the diagonal; what
 * is known without a step. */
static akin_status begin(edge *s, akin_ctx *ctx, const ak_sice *p, double unit)
{
    const int64_t m = s->m;
    double apart = 0.0, least = INFINITY;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t j = 0; j < m; ++j) {
            const double own = i == j && !s->diag ? p->rho_diag : 0.0;
            const double a = (p->Sigma[i * m + j] + own) / unit;
            s->A[i * m + j] = s->V[i * m + j] = s->Z[i * m + j] = a;
            least = i == j ? fmin(least, a) : least;
            apart = i == j ? apart : fmax(apart, fabs(a));
        }
    s->above = s->diag ? fmax(apart, -least) : least > 0.0 ? apart : INFINITY;
    AK_TRY(ak_eigh(ctx, m, s->V, s->values));
    const double by = fmax(0.0, -s->values[0]);
    for (int64_t i = 0; i < m; ++i)
        s->Z[i * (m + 1)] += by;
    if (isfinite(s->above))
        s->above = fmin(s->above, upper(s));
done:
    return st;
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
    AK_TRY(make_room(&s, ctx));
    AK_TRY(begin(&s, ctx, p, unit));
    for (int64_t t = 1; t <= MOST_STEPS && !is_done(&s, e, unit); ++t) {
        box_step(&s);
        AK_TRY(cone_step(&s, ctx));
        s.below = fmax(s.below, lower(&s));
        s.above = fmin(s.above, upper(&s));
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
