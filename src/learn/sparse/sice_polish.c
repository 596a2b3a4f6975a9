/* Newton steps on the support of M: with the zeros and the signs s fixed, the
 * minimum is where
 *
 *   (M^-1)_ij = Sigma_ij + rho s_ij   on the support,                    (1)
 *
 * and a step D solves (W D W)_ij = (W - Sigma - rho s)_ij there, W = M^-1, by
 * conjugate gradients divided by the diagonal W_ii W_jj + W_ij^2. Whether the
 * support was the right one is for the duality gap to say. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "la/sparse.h"
#include "learn/sparse/sice_parts.h"

enum { MAX_STEPS = 8, MAX_CG = 200, ROWS = 128 };

/* A step leaves so much of the trouble; the gap goes with it, or with its
 * square near the end. */
static const double ENOUGH = 1e-3;

typedef struct polish {
    const ak_sice *p;
    akin_ctx *ctx;
    double *M, *W, *D, *room, *all;  // m x m; M is ours
    ak_pattern at;                   // the support
    int64_t n;                       // entries of its upper half
    double *d, *r, *q, *Aq;          // n, in the order of the columns
    double *Y, *Yt;                  // for ak_sice_product
} polish;

/* Do something with each entry (i, j), i <= j, number k of the support. */
#define FOR_EACH_ENTRY(s, i, j, k)                                     \
    for (int64_t j = 0, k = 0; j < (s)->at.m; ++j)                     \
        for (int64_t e = (s)->at.offsets[j], i;                        \
             e < (s)->at.offsets[j + 1] && (i = (s)->at.cols[e]) <= j; \
             ++e, ++k)

static void find_support(polish *s)
{
    const int64_t m = s->p->m;
    int64_t n = 0;
    for (int64_t i = 0; i < m; ++i) {
        s->at.offsets[i] = n;
        for (int64_t j = 0; j < m; ++j)
            if (s->M[i * m + j] != 0.0)
                s->at.cols[n++] = (int32_t)j;
    }
    s->at.offsets[m] = n;
    s->n = (n + m) / 2;
}

/* An entry off the diagonal stands for two. */
static double inner(const polish *s, const double *x, const double *y)
{
    double sum = 0.0;
    FOR_EACH_ENTRY(s, i, j, k)
    {
        sum += (i == j ? 1.0 : 2.0) * x[k] * y[k];
    }
    return sum;
}

/* D = the matrix of x. */
static void spread(polish *s, const double *x)
{
    const int64_t m = s->p->m;
    FOR_EACH_ENTRY(s, i, j, k)
    {
        s->D[i * m + j] = s->D[j * m + i] = x[k];
    }
}

/* Some rows of W D W with all their entries. */
static akin_status rows_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const polish *s = arg;
    const int64_t m = s->p->m, at = begin * m;
    akin_status st = AKIN_OK;
    (void)worker;
    AK_TRY(ak_gemm(s->ctx, false, false, end - begin, m, m, 1.0, s->W + at, m,
                   s->D, m, 0.0, s->room + at, m));
    AK_TRY(ak_gemm(s->ctx, false, false, end - begin, m, m, 1.0, s->room + at,
                   m, s->W, m, 0.0, s->all + at, m));
done:
    return st;
}

static akin_status apply_to_few(polish *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    int64_t k = 0;
    akin_status st = AKIN_OK;
    for (int64_t begin = 0; begin < m; begin += AK_SICE_BLOCK) {
        const int64_t count = ak_min_i64(AK_SICE_BLOCK, m - begin);
        AK_TRY(ak_sice_product(ctx, &s->at, s->D, s->W, begin, count, s->Y,
                               s->Yt));
        for (int64_t j = begin; j < begin + count; ++j)
            for (int64_t e = s->at.offsets[j];
                 e < s->at.offsets[j + 1] && s->at.cols[e] <= j; ++e)
                s->Aq[k++] = ak_dot8(m, s->W + s->at.cols[e] * m,
                                     s->Y + (j - begin) * m);
    }
done:
    return st;
}

/* Aq = (W D W) on the support, D the matrix of q: entry by entry, or out of all
 * where the support is a good part of all. */
static akin_status apply(polish *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    spread(s, s->q);
    if (8 * s->at.offsets[m] < m * m)
        return apply_to_few(s, ctx);
    const akin_status st = ak_parallel_for(ctx, m, ROWS, rows_block, s);
    FOR_EACH_ENTRY(s, i, j, k)
    {
        s->Aq[k] = s->all[j * m + i];
    }
    return st;
}

/* Aq = r divided by the diagonal; returns its product with r. */
static double divide(polish *s)
{
    const int64_t m = s->p->m;
    double sum = 0.0;
    FOR_EACH_ENTRY(s, i, j, k)
    {
        const double wii = s->W[i * m + i], wjj = s->W[j * m + j];
        const double wij = s->W[i * m + j];
        const double z = s->r[k] / (i == j ? wii * wii : wii * wjj + wij * wij);
        sum += (i == j ? 1.0 : 2.0) * s->r[k] * z;
        s->Aq[k] = z;
    }
    return sum;
}

/* r of (1) at M, and its largest entry beside what it is made of. */
static double residual(polish *s)
{
    const int64_t m = s->p->m;
    double most = 0.0, scale = 0.0;
    FOR_EACH_ENTRY(s, i, j, k)
    {
        const int64_t ij = i * m + j;
        const double pull = i == j ? 0.0 : copysign(s->p->rho, s->M[ij]);
        s->r[k] = s->W[ij] - s->p->Sigma[ij] - pull;
        most = fmax(most, fabs(s->r[k]));
        scale = fmax(scale, fabs(s->W[ij]));
    }
    return most / scale;
}

/* d = the step. */
static akin_status conjugate(polish *s, akin_ctx *ctx)
{
    akin_status st = AKIN_OK;
    memset(s->d, 0, (size_t)s->n * sizeof *s->d);
    double rz = divide(s);
    const double enough = ENOUGH * ENOUGH * rz;
    memcpy(s->q, s->Aq, (size_t)s->n * sizeof *s->q);
    for (int t = 0; t < MAX_CG && rz > enough; ++t) {
        AK_TRY(apply(s, ctx));
        const double a = rz / inner(s, s->q, s->Aq), old = rz;
        for (int64_t k = 0; k < s->n; ++k) {
            s->d[k] += a * s->q[k];
            s->r[k] -= a * s->Aq[k];
        }
        rz = divide(s);
        for (int64_t k = 0; k < s->n; ++k)
            s->q[k] = s->Aq[k] + rz / old * s->q[k];
    }
done:
    return st;
}

/* M + d; entries that would change their sign become 0 instead, and leave the
 * support. */
static void take_step(polish *s)
{
    const int64_t m = s->p->m;
    bool all = true;
    FOR_EACH_ENTRY(s, i, j, k)
    {
        const double old = s->M[i * m + j];
        double x = old + s->d[k];
        if (i != j && !((x > 0.0) == (old > 0.0) && x != 0.0)) {
            x = 0.0;
            all = false;
        }
        s->M[i * m + j] = s->M[j * m + i] = x;
    }
    if (!all)
        find_support(s);
}

static akin_status make_room(polish *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    double **const squares[] = {&s->M, &s->W, &s->D, &s->room, &s->all};
    double **const vectors[] = {&s->d, &s->r, &s->q, &s->Aq};
    akin_status st = AKIN_OK;
    for (int i = 0; i < 5; ++i)
        AK_TRY(AK_SCRATCH(ctx, m * m, squares[i]));
    for (int i = 0; i < 4; ++i)
        AK_TRY(AK_SCRATCH(ctx, m * (m + 1) / 2, vectors[i]));
    AK_TRY(AK_SCRATCH(ctx, AK_SICE_BLOCK * m, &s->Y));
    AK_TRY(AK_SCRATCH(ctx, AK_SICE_BLOCK * m, &s->Yt));
    AK_TRY(AK_SCRATCH(ctx, m + 1, &s->at.offsets));
    AK_TRY(AK_SCRATCH(ctx, m * m, &s->at.cols));
done:
    return st;
}

/* Steps while they help much; the best M so far goes to `out`. */
static akin_status improve(polish *s, akin_ctx *ctx, double tol, double *out,
                           ak_sice_result *r)
{
    const int64_t m = s->p->m;
    double F = 0.0, last = INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sice_invert(ctx, s->p, s->M, s->W, &F));
    for (int t = 0; t < MAX_STEPS && (r->gap > tol || tol == 0.0); ++t) {
        const double before = r->gap, left = residual(s);
        const double noise = tol > 0.0 ? 0.0 : 1e-13 * fmax(1.0, fabs(F));
        if (left <= 4.0 * DBL_EPSILON || left > 0.5 * last)
            break;
        last = left;
        AK_TRY(conjugate(s, ctx));
        take_step(s);
        AK_TRY(ak_sice_invert(ctx, s->p, s->M, s->W, &F));
        const double gap =
            F - ak_sice_bound_at(ctx, s->p, s->M, s->W, s->D, s->room);
        memset(s->D, 0, (size_t)(m * m) * sizeof *s->D);
        if (!(gap < before + noise))  // of the gap, long before that of M
            break;
        r->gap = gap;
        r->objective = F;
        memcpy(out, s->M, (size_t)(m * m) * sizeof *out);
        if (tol > 0.0 && gap > 0.3 * before)
            break;
    }
done:
    return st == AKIN_ENUMERIC ? AKIN_OK : st;  // not M > 0: no better one
}

akin_status ak_sice_polish(akin_ctx *ctx, const ak_sice *p, double tol,
                           double *M, ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    polish s = {.p = p, .ctx = ctx, .at.m = p->m};
    akin_status st = AKIN_OK;
    AK_TRY(make_room(&s, ctx));
    memcpy(s.M, M, (size_t)(p->m * p->m) * sizeof *M);
    find_support(&s);
    AK_TRY(improve(&s, ctx, tol, M, r));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
