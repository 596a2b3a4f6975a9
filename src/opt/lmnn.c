/* Large-margin nearest neighbours.
 *   [1] Weinberger, Saul. Distance metric learning for large margin nearest
 *       neighbor classification. JMLR 10:207-244, 2009.
 *
 *   z = B'x,  D_ij = |z_i - z_j|^2,  M = B B'                             (1)
 *   F(B) = (1 - mu) sum_ij D_ij
 *          + mu sum_ijl max(0, 1 + D_ij - D_il)
 *          + lambda/2 N/d |B - B0|^2                                     (2)
 *
 * over the targets j of i, N of them in all, and the points l that differ from
 * i; [1] eq. 13, which has lambda = 0.
 * Without its last term (2) is convex in M. [1] steps along its gradient and
 * projects on the cone of positive semi-definite matrices; here quasi-Newton
 * steps are taken in B, which needs no projection, and of full rank a minimum
 * in B is one in M.
 *
 *   dF/dB = 2 X'R,  R = sum_ab w_ab (e_a - e_b)(z_a - z_b)'              (3)
 *
 * with w_ab what the distance of a and b counts in (2).
 *
 * Few pairs (i, l) are near enough to count. They are looked for among all
 * pairs now and then, with a margin to spare: |z_i - z_l| changes by no more
 * than the ways of z_i and z_l together, so the list holds until some point
 * has gone too far. No value is ever missing one. */
#include "opt/lmnn.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "opt/lbfgs.h"

enum { BLOCK = 64 };

typedef struct lmnn {
    ak_lmnn *p;
    double *Z, *R;    // n x rank
    double *Z_then;   // where the points were when the list was made
    double *norm;     // |z|^2
    double *reach;    // of each point then: the list has all within
    double *way;      // |z - z_then|
    int64_t *starts;  // n + 1: the list of point i is near_[starts[i]..[i + 1])
    int64_t *near_;   // grows
    int64_t room;
    bool has_list;
    double *G;       // BLOCK x n
    double *D;       // distance of each target
    int64_t *count;  // triplets of each target inside the margin
    double *B0;      // d x rank
    int64_t active;
} lmnn;

static double squared(int64_t r, const double *a, const double *b)
{
    double sum[4] = {0};
    int64_t k = 0;
    for (; k + 4 <= r; k += 4)
        for (int m = 0; m < 4; ++m)
            sum[m] += (a[k + m] - b[k + m]) * (a[k + m] - b[k + m]);
    for (; k < r; ++k)
        sum[0] += (a[k] - b[k]) * (a[k] - b[k]);
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* w (z_a - z_b) to row a of R, and away from row b. */
static void pull(lmnn *s, int64_t a, int64_t b, double w)
{
    const int64_t r = s->p->rank;
    const double *x = s->Z + a * r, *y = s->Z + b * r;
    double *u = s->R + a * r, *v = s->R + b * r;
    for (int64_t k = 0; k < r; ++k) {
        const double step = w * (x[k] - y[k]);
        u[k] += step;
        v[k] -= step;
    }
}

/* Within this a point that differs from i counts. */
static double radius(const lmnn *s, int64_t i)
{
    const ak_lmnn *p = s->p;
    double most = -1.0;
    for (int64_t t = p->offsets[i]; t < p->offsets[i + 1]; ++t)
        most = fmax(most, squared(p->rank, s->Z + i * p->rank,
                                  s->Z + p->targets[t] * p->rank));
    return most >= 0.0 ? sqrt(1.0 + most) : 0.0;
}

static akin_status keep(lmnn *s, akin_ctx *ctx, int64_t count, int64_t l)
{
    if (count == s->room) {
        const int64_t room = 2 * s->room + 1024;
        const akin_status st =
            ak_resize(ctx, room, sizeof *s->near_, &s->near_);
        if (st != AKIN_OK)
            return st;
        s->room = room;
    }
    s->near_[count] = l;
    return AKIN_OK;
}

/* The points within reach of i that differ from it; row has z_i'z_l. */
static akin_status list_row(lmnn *s, akin_ctx *ctx, int64_t i,
                            const double *row)
{
    const ak_lmnn *p = s->p;
    const double within = s->reach[i] * s->reach[i] * (1.0 + 1e-9);
    int64_t count = s->starts[i];
    akin_status st = AKIN_OK;
    for (int64_t l = 0; l < p->n && s->reach[i] > 0.0; ++l)
        if (s->norm[i] + s->norm[l] - 2.0 * row[l] <= within && l != i &&
            p->differ(p->arg, i, l))
            AK_TRY(keep(s, ctx, count++, l));
    s->starts[i + 1] = count;
done:
    return st;
}

static akin_status make_list(lmnn *s, akin_ctx *ctx)
{
    const int64_t n = s->p->n, r = s->p->rank;
    akin_status st = AKIN_OK;
    memcpy(s->Z_then, s->Z, (size_t)(n * r) * sizeof *s->Z);
    for (int64_t i = 0; i < n; ++i) {
        s->norm[i] = ak_dot(r, s->Z + i * r, s->Z + i * r);
        s->reach[i] = 1.25 * radius(s, i);
    }
    for (int64_t from = 0; from < n; from += BLOCK) {
        const int64_t rows = ak_min_i64(BLOCK, n - from);
        AK_TRY(ak_gemm(ctx, false, true, rows, n, r, 1.0, s->Z + from * r, r,
                       s->Z, r, 0.0, s->G, n));
        for (int64_t i = 0; i < rows; ++i)
            AK_TRY(list_row(s, ctx, from + i, s->G + i * n));
    }
    s->has_list = true;
done:
    return st;
}

/* Does the list still have all that count? */
static bool is_list_good(lmnn *s)
{
    const int64_t n = s->p->n, r = s->p->rank;
    double most = 0.0;
    for (int64_t i = 0; i < n; ++i) {
        s->way[i] = sqrt(squared(r, s->Z + i * r, s->Z_then + i * r));
        most = fmax(most, s->way[i]);
    }
    for (int64_t i = 0; i < n; ++i)
        if (radius(s, i) + s->way[i] + most > s->reach[i] &&
            s->p->offsets[i + 1] > s->p->offsets[i])
            return false;
    return true;
}

/* How many targets of i point l, at the distance D_l, is too near for. */
static int64_t intrude(lmnn *s, int64_t i, double D_l, double *sum)
{
    int64_t count = 0;
    for (int64_t t = s->p->offsets[i]; t < s->p->offsets[i + 1]; ++t) {
        const double over = 1.0 + s->D[t] - D_l;
        if (over <= 0.0)
            continue;
        *sum += s->p->mu * over;
        ++s->count[t];
        ++count;
    }
    return count;
}

/* The points that are listed for target t of i. */
static void listed(lmnn *s, int64_t i, int64_t t, double *sum)
{
    const ak_lmnn *p = s->p;
    for (int64_t k = p->far_offsets[t]; k < p->far_offsets[t + 1]; ++k) {
        const double over =
            1.0 + s->D[t] -
            squared(p->rank, s->Z + i * p->rank, s->Z + p->far[k] * p->rank);
        if (over <= 0.0)
            continue;
        *sum += p->mu * over;
        ++s->count[t];
        pull(s, i, p->far[k], -p->mu);
    }
}

/* All parts of (2) of point i. */
static double point(lmnn *s, int64_t i)
{
    const ak_lmnn *p = s->p;
    const int64_t r = p->rank, begin = p->offsets[i], end = p->offsets[i + 1];
    const double *z = s->Z + i * r;
    double sum = 0.0;
    for (int64_t t = begin; t < end; ++t) {
        s->D[t] = squared(r, z, s->Z + p->targets[t] * r);
        s->count[t] = 0;
        sum += (1.0 - p->mu) * s->D[t];
        if (p->far != NULL)
            listed(s, i, t, &sum);
    }
    for (int64_t k = s->starts[i]; p->far == NULL && k < s->starts[i + 1];
         ++k) {
        const int64_t l = s->near_[k];
        const int64_t n = intrude(s, i, squared(r, z, s->Z + l * r), &sum);
        if (n > 0)
            pull(s, i, l, -p->mu * (double)n);
    }
    for (int64_t t = begin; t < end; ++t) {
        pull(s, i, p->targets[t], 1.0 - p->mu + p->mu * (double)s->count[t]);
        s->active += s->count[t];
    }
    return sum;
}

/* The last term of (2), and its part of the gradient. */
static double stay(const lmnn *s, const double *B, double *gradient)
{
    const ak_lmnn *p = s->p;
    const double weight = p->lambda * (double)p->offsets[p->n] / (double)p->d;
    double sum = 0.0;
    for (int64_t k = 0; k < p->d * p->rank; ++k) {
        const double way = B[k] - s->B0[k];
        sum += way * way;
        gradient[k] += weight * way;
    }
    return 0.5 * weight * sum;
}

static akin_status value(void *arg, akin_ctx *ctx, const double *B, double *F,
                         double *gradient)
{
    lmnn *s = arg;
    const ak_lmnn *p = s->p;
    const int64_t n = p->n, d = p->d, r = p->rank;
    akin_status st = AKIN_OK;
    AK_TRY(
        ak_gemm(ctx, false, false, n, r, d, 1.0, p->X, d, B, r, 0.0, s->Z, r));
    if (p->far == NULL && !(s->has_list && is_list_good(s)))
        AK_TRY(make_list(s, ctx));
    memset(s->R, 0, (size_t)(n * r) * sizeof *s->R);
    s->active = 0;
    *F = 0.0;
    for (int64_t i = 0; i < n; ++i)
        *F += point(s, i);
    AK_TRY(ak_gemm(ctx, true, false, d, r, n, 2.0, p->X, d, s->R, r, 0.0,
                   gradient, r));  // (3)
    *F += stay(s, B, gradient);
done:
    return st;
}

static akin_status make_room(lmnn *s, akin_ctx *ctx)
{
    const int64_t n = s->p->n, r = s->p->rank;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * r, &s->Z));
    AK_TRY(AK_SCRATCH(ctx, n * r, &s->Z_then));
    AK_TRY(AK_SCRATCH(ctx, n * r, &s->R));
    AK_TRY(AK_SCRATCH(ctx, n, &s->norm));
    AK_TRY(AK_SCRATCH(ctx, n, &s->reach));
    AK_TRY(AK_SCRATCH(ctx, n, &s->way));
    AK_TRY(AK_SCRATCH(ctx, n + 1, &s->starts));
    AK_TRY(AK_SCRATCH(ctx, BLOCK * n, &s->G));
    AK_TRY(AK_SCRATCH(ctx, s->p->offsets[n], &s->D));
    AK_TRY(AK_SCRATCH(ctx, s->p->offsets[n], &s->count));
    AK_TRY(AK_SCRATCH(ctx, s->p->d * r, &s->B0));
    memcpy(s->B0, s->p->B, (size_t)(s->p->d * r) * sizeof *s->B0);
done:
    return st;
}

akin_status ak_lmnn_run(ak_lmnn *p, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    lmnn s = {.p = p};
    ak_lbfgs o = {.n = p->d * p->rank,
                  .x = p->B,
                  .tol = p->tol,
                  .max_iterations = p->max_iterations};
    double *gradient;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(&s, ctx));
    AK_TRY(AK_SCRATCH(ctx, p->d * p->rank, &gradient));
    AK_TRY(value(&s, ctx, p->B, &p->first, gradient));
    AK_TRY(ak_lbfgs_run(&o, ctx, value, &s));
    AK_TRY(value(&s, ctx, p->B, &p->objective, gradient));
    p->active = s.active;
    p->iterations = o.iterations;
    p->converged = o.converged;
done:
    ak_release(ctx, s.near_);
    ak_scratch_end(ctx, mark);
    return st;
}
