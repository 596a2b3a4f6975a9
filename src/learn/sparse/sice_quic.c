/* Sparse inverse covariance by proximal Newton steps.
 *   [1] Hsieh, Sustik, Dhillon, Ravikumar. QUIC: quadratic approximation for
 *       sparse inverse covariance estimation. JMLR 15:2911-2947, 2014.
 *
 *   W = M^-1,  G = Sigma - W                                             (1)
 *   X = argmin <G, D> + tr(W D W D)/2 + rho |X|_1,  D = X - M            (2)
 *   M <- M + t D,  t = 1, 1/2, ... until F falls enough                  (3)
 *
 * (2) by coordinate descent over the entries that are not zero or may not stay
 * it, |G_ij| > rho. One of them costs a dot product of w_i with y_j = D w_j,
 * and changes row j and column j of D alone. So columns are taken in blocks:
 * y of a whole block is one product (of sparse D, or a GEMM), and what changes
 * within the block is put right as it comes:
 *
 *   y_k += delta W_jk + e_j (delta' w_k)   for D_ij += delta_i           (4) */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "base/parallel.h"
#include "la/clones.h"
#include "la/dense.h"
#include "la/sparse.h"
#include "learn/sparse/sice.h"

enum {
    MAX_NEWTON = 500,
    MAX_SWEEPS = 100,
    MAX_HALVINGS = 50,
    MAX_STEPS = 8,  // on the support
    MAX_CG = 200,
    BLOCK = 32,  // columns that are taken together
    ROWS = 128,
};

/* A symmetric pattern: the columns of each row, rising. */
typedef struct pattern {
    int64_t m;
    int64_t *offsets;  // m + 1
    int32_t *cols;
} pattern;

AK_CLONES
static void add_scaled(int64_t n, double a, const double *x, double *y)
{
    for (int64_t j = 0; j < n; ++j)
        y[j] += a * x[j];
}

/* Y (count x m), row j - begin of which is (D w_j)', for `count` columns of a
 * symmetric W from `begin` on and D zero outside the pattern; `room` is
 * m x BLOCK. */
static akin_status product(akin_ctx *ctx, const pattern *at, const double *D,
                           const double *W, int64_t begin, int64_t count,
                           double *Y, double *room)
{
    const int64_t m = at->m;
    if (8 * at->offsets[m] >= m * m)
        return ak_gemm(ctx, false, false, count, m, m, 1.0, W + begin * m, m, D,
                       m, 0.0, Y, m);
    for (int64_t k = 0; k < m; ++k) {
        double *y = room + k * BLOCK;
        memset(y, 0, BLOCK * sizeof *y);
        for (int64_t a = at->offsets[k]; a < at->offsets[k + 1]; ++a) {
            const double d = D[k * m + at->cols[a]];
            if (d != 0.0)
                add_scaled(count, d, W + at->cols[a] * m + begin, y);
        }
        for (int64_t j = 0; j < count; ++j)
            Y[j * m + k] = y[j];
    }
    return AKIN_OK;
}

/* ---- Newton steps on the support -------------------------------------------
 *
 * With the zeros and the signs s of M fixed, the minimum is where
 *
 *   (M^-1)_ij = Sigma_ij + rho s_ij   on the support,                    (5)
 *
 * and a step D solves (W D W)_ij = (W - Sigma - rho s)_ij there, W = M^-1, by
 * conjugate gradients divided by the diagonal W_ii W_jj + W_ij^2. The duality
 * gap tells whether the support was right. */

/* A step leaves this share of the residual; the gap falls with it, or with its
 * square near the end. */
static const double ENOUGH = 1e-3;

typedef struct polish {
    const ak_sice *p;
    akin_ctx *ctx;
    double *M, *W, *D, *room, *all;  // m x m; M is ours
    pattern at;                      // the support
    int64_t n;                       // entries of its upper half
    double *d, *r, *q, *Aq;          // n, in the order of the columns
    double *Y, *Yt;                  // for `product`
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
static double support_inner(const polish *s, const double *x, const double *y)
{
    double sum = 0.0;
    FOR_EACH_ENTRY(s, i, j, k)
    {
        sum += (i == j ? 1.0 : 2.0) * x[k] * y[k];
    }
    return sum;
}

/* D = the matrix of x. */
static void fill_support(polish *s, const double *x)
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
    (void)worker;
    AK_CHECK(ak_gemm(s->ctx, false, false, end - begin, m, m, 1.0, s->W + at, m,
                     s->D, m, 0.0, s->room + at, m));
    return ak_gemm(s->ctx, false, false, end - begin, m, m, 1.0, s->room + at,
                   m, s->W, m, 0.0, s->all + at, m);
}

static akin_status apply_to_few(polish *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    int64_t k = 0;
    for (int64_t begin = 0; begin < m; begin += BLOCK) {
        const int64_t count = ak_min_i64(BLOCK, m - begin);
        AK_CHECK(product(ctx, &s->at, s->D, s->W, begin, count, s->Y, s->Yt));
        for (int64_t j = begin; j < begin + count; ++j)
            for (int64_t e = s->at.offsets[j];
                 e < s->at.offsets[j + 1] && s->at.cols[e] <= j; ++e)
                s->Aq[k++] = ak_dot8(m, s->W + s->at.cols[e] * m,
                                     s->Y + (j - begin) * m);
    }
    return AKIN_OK;
}

/* Aq = (W D W) on the support, D the matrix of q: entry by entry, or from the
 * full product where the support is large. */
static akin_status apply(polish *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    fill_support(s, s->q);
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

/* The residual r of (5) at M; returns its largest entry relative to W. */
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
    memset(s->d, 0, (size_t)s->n * sizeof *s->d);
    double rz = divide(s);
    const double enough = ENOUGH * ENOUGH * rz;
    memcpy(s->q, s->Aq, (size_t)s->n * sizeof *s->q);
    for (int t = 0; t < MAX_CG && rz > enough; ++t) {
        AK_CHECK(apply(s, ctx));
        const double a = rz / support_inner(s, s->q, s->Aq), old = rz;
        for (int64_t k = 0; k < s->n; ++k) {
            s->d[k] += a * s->q[k];
            s->r[k] -= a * s->Aq[k];
        }
        rz = divide(s);
        for (int64_t k = 0; k < s->n; ++k)
            s->q[k] = s->Aq[k] + rz / old * s->q[k];
    }
    return AKIN_OK;
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

static akin_status make_polish(polish *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    double **const squares[] = {&s->M, &s->W, &s->D, &s->room, &s->all};
    double **const vectors[] = {&s->d, &s->r, &s->q, &s->Aq};
    for (int i = 0; i < 5; ++i)
        AK_CHECK(AK_SCRATCH(ctx, m * m, squares[i]));
    for (int i = 0; i < 4; ++i)
        AK_CHECK(AK_SCRATCH(ctx, m * (m + 1) / 2, vectors[i]));
    AK_CHECK(AK_SCRATCH_EACH(ctx, BLOCK * m, &s->Y, &s->Yt));
    AK_CHECK(AK_SCRATCH(ctx, m + 1, &s->at.offsets));
    return AK_SCRATCH(ctx, m * m, &s->at.cols);
}

/* Repeat while steps help much; `out` gets the best M so far. */
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
    AK_TRY(make_polish(&s, ctx));
    memcpy(s.M, M, (size_t)(p->m * p->m) * sizeof *M);
    find_support(&s);
    AK_TRY(improve(&s, ctx, tol, M, r));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- proximal Newton steps ----------------------------------------------- */

typedef struct quic {
    const ak_sice *p;
    double *M;          // lives with the caller
    double *W, *X, *D;  // m x m
    double *Z, *room;   // m x m
    double *Y, *Yt;     // BLOCK x m and m x BLOCK
    pattern at;         // the active entries
    int32_t *changed;   // rows of column j that changed, n_changed
    double *delta;      // by how much
    int64_t n_changed;
    int64_t n_moved;  // entries of D that are not zero, or were once
    double F;
    double work;  // operations so far, about
    int64_t iteration;
    double gap;
    int64_t moved;  // 1: the last step brought something
    int64_t most;   // iterations
    ak_sice_result *r;
} quic;

/* The entries (2) goes over. */
static void find_active(quic *s)
{
    const int64_t m = s->p->m;
    int64_t n = 0;
    for (int64_t i = 0; i < m; ++i) {
        s->at.offsets[i] = n;
        for (int64_t j = 0; j < m; ++j) {
            const double g = s->p->Sigma[i * m + j] - s->W[i * m + j];
            if (i == j || s->M[i * m + j] != 0.0 || fabs(g) > s->p->rho)
                s->at.cols[n++] = (int32_t)j;
        }
    }
    s->at.offsets[m] = n;
}

static akin_status product_with_D(quic *s, akin_ctx *ctx, int64_t begin,
                                  int64_t count)
{
    const int64_t m = s->p->m;
    if (s->n_moved == 0) {
        memset(s->Y, 0, (size_t)(count * m) * sizeof *s->Y);
        return AKIN_OK;
    }
    return product(ctx, &s->at, s->D, s->W, begin, count, s->Y, s->Yt);
}

/* Set the best X_ij for fixed other entries; returns by how much the model
 * falls. */
static double coordinate(quic *s, int64_t i, int64_t j, double *y)
{
    const int64_t m = s->p->m, ij = i * m + j;
    const double wij = s->W[ij], wii = s->W[i * m + i], wjj = s->W[j * m + j];
    const double a = i == j ? wii * wii : wii * wjj + wij * wij;
    const double b = s->p->Sigma[ij] - wij + ak_dot8(m, s->W + i * m, y);
    const double z = s->X[ij] - b / a;
    const double x = i == j ? z : ak_soft(z, s->p->rho / a);
    const double delta = x - s->X[ij];
    if (delta == 0.0)
        return 0.0;
    s->X[ij] = s->X[j * m + i] = x;
    s->D[ij] = s->D[j * m + i] = x - s->M[ij];
    y[i] += delta * wjj;  // (4) for column j itself
    if (i != j)
        y[j] += delta * wij;
    s->changed[s->n_changed] = (int32_t)i;
    s->delta[s->n_changed++] = delta;
    return (i == j ? 0.5 : 1.0) * a * delta * delta;
}

/* (4) for the columns of the block that are still to come. */
static void put_right(quic *s, int64_t j, int64_t begin, int64_t count)
{
    const int64_t m = s->p->m;
    for (int64_t k = j + 1; k < begin + count; ++k) {
        const double *w = s->W + k * m;
        double *y = s->Y + (k - begin) * m, sum = 0.0;
        for (int64_t c = 0; c < s->n_changed; ++c) {
            const int32_t i = s->changed[c];
            y[i] += s->delta[c] * w[j];
            if (i != j)
                sum += s->delta[c] * w[i];
        }
        y[j] += sum;
    }
    s->n_moved += s->n_changed;
}

/* Once over all active entries; *fall: by how much the model of (2) fell. */
static akin_status sweep(quic *s, akin_ctx *ctx, double *fall)
{
    const int64_t m = s->p->m;
    const double active = (double)s->at.offsets[m] * (double)m;
    *fall = 0.0;
    s->work += 1.5 * active;
    for (int64_t begin = 0; begin < m; begin += BLOCK) {
        const int64_t count = ak_min_i64(BLOCK, m - begin);
        AK_CHECK(product_with_D(s, ctx, begin, count));
        AK_CHECK(ak_ctx_step(ctx, "iterations", s->iteration, 0, s->gap));
        for (int64_t j = begin; j < begin + count; ++j) {
            double *y = s->Y + (j - begin) * m;
            s->n_changed = 0;
            for (int64_t a = s->at.offsets[j];
                 a < s->at.offsets[j + 1] && s->at.cols[a] <= j; ++a)
                *fall += coordinate(s, s->at.cols[a], j, y);
            put_right(s, j, begin, count);
        }
    }
    return AKIN_OK;
}

/* (2), until a sweep gains little compared with all before it. */
static akin_status descend(quic *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    const double little = 0.1;
    double fall = 0.0, total = 0.0;
    memcpy(s->X, s->M, (size_t)(m * m) * sizeof *s->X);
    memset(s->D, 0, (size_t)(m * m) * sizeof *s->D);
    s->n_moved = 0;
    for (int i = 0; i < MAX_SWEEPS; ++i) {
        AK_CHECK(sweep(s, ctx, &fall));
        total += fall;
        if (!(fall > little * total) || ak_ctx_stopped(ctx))
            break;
    }
    return AKIN_OK;
}

/* The predicted change of F by the step to X: <G, D> + rho (|X|_1 - |M|_1),
 * below 0. */
static double promise(const quic *s)
{
    const int64_t m = s->p->m;
    double sum = 0.0;
    for (int64_t i = 0; i < m; ++i)
        for (int64_t a = s->at.offsets[i]; a < s->at.offsets[i + 1]; ++a) {
            const int64_t ij = i * m + s->at.cols[a];
            sum += (s->p->Sigma[ij] - s->W[ij]) * s->D[ij];
            if (i != s->at.cols[a])
                sum += s->p->rho * (fabs(s->X[ij]) - fabs(s->M[ij]));
        }
    return sum;
}

/* (3); s->moved: is there a step? X becomes the new M. */
static akin_status search(quic *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    const double wanted = promise(s);
    const double noise = 1e2 * DBL_EPSILON * fmax(1.0, fabs(s->F));
    double t = 1.0;
    s->moved = 0;
    for (int h = 0; h < MAX_HALVINGS; ++h, t *= 0.5) {
        if (t < 1.0)
            for (int64_t k = 0; k < m * m; ++k)
                s->X[k] = s->M[k] + t * s->D[k];
        double F = 0.0;
        const akin_status st = ak_sice_invert(ctx, s->p, s->X, s->Z, &F);
        if (st != AKIN_OK && st != AKIN_ENUMERIC)
            return st;
        if (st != AKIN_OK || !(F <= s->F + 1e-3 * t * wanted + noise))
            continue;
        s->moved = F < s->F;
        if (s->moved) {
            double *old = s->W;
            s->W = s->Z;
            s->Z = old;
            memcpy(s->M, s->X, (size_t)(m * m) * sizeof *s->M);
            s->F = F;
        }
        return AKIN_OK;
    }
    return AKIN_OK;
}

static akin_status make_quic(quic *s, akin_ctx *ctx)
{
    const int64_t m = s->p->m;
    AK_CHECK(AK_SCRATCH_EACH(ctx, m * m, &s->W, &s->X, &s->D, &s->Z, &s->room));
    AK_CHECK(AK_SCRATCH_EACH(ctx, BLOCK * m, &s->Y, &s->Yt));
    AK_CHECK(AK_SCRATCH(ctx, m + 1, &s->at.offsets));
    AK_CHECK(AK_SCRATCH(ctx, m * m, &s->at.cols));
    AK_CHECK(AK_SCRATCH(ctx, m, &s->changed));
    return AK_SCRATCH(ctx, m, &s->delta);
}

/* Newton steps on the support alone, where it is nearly right: conjugate
 * gradients are then faster than coordinate descent. */
static akin_status try_support(quic *s, akin_ctx *ctx, double tol,
                               ak_sice_result *r)
{
    const int64_t m = s->p->m;
    const double gap = r->gap;
    int64_t zeros = 0, n = 0;
    for (int64_t k = 0; k < m * m; ++k) {
        const bool in = s->M[k] != 0.0;
        n += in;
        zeros += !in && fabs(s->p->Sigma[k] - s->W[k]) > s->p->rho;
    }
    if (50 * zeros > n)
        return AKIN_OK;
    AK_CHECK(ak_sice_polish(ctx, s->p, tol, s->M, r));
    if (r->gap < gap)
        AK_CHECK(ak_sice_invert(ctx, s->p, s->M, s->W, &s->F));
    return AKIN_OK;
}

static akin_status iterate(quic *s, akin_ctx *ctx, const ak_sice_options *o,
                           ak_sice_result *r)
{
    r->outcome = AK_SICE_LIMIT;
    for (;;) {
        r->objective = s->F;
        if (ak_sice_linear(s->p, s->M) <= 0.0) {
            r->outcome = AK_SICE_UNBOUNDED;
            break;
        }
        r->gap = s->F - ak_sice_bound_at(ctx, s->p, s->M, s->W, s->Z, s->room);
        if (r->gap > o->tol && r->gap < 1.0)
            AK_CHECK(try_support(s, ctx, o->tol, r));
        if (r->gap <= o->tol) {
            r->outcome = AK_SICE_CONVERGED;
            break;
        }
        if (!s->moved || r->iterations >= s->most || ak_ctx_stopped(ctx) ||
            (o->work > 0.0 && s->work > o->work))
            break;
        s->iteration = r->iterations;
        s->gap = r->gap;
        find_active(s);
        AK_CHECK(descend(s, ctx));
        AK_CHECK(search(s, ctx));
        ++r->iterations;
        AK_CHECK(ak_section_step(ctx));
    }
    return AKIN_OK;
}

/* The state after a step; the rest follows from M. */
static akin_status visit(void *self, akin_ctx *ctx, ak_state *state)
{
    quic *s = self;
    AK_CHECK(
        ak_state_i64(state, ctx, "iterations", &s->r->iterations, 1, s->most));
    AK_CHECK(ak_state_i64(state, ctx, "moved", &s->moved, 0, 1));
    AK_CHECK(ak_state_f64(state, ctx, "M", s->p->m * s->p->m, s->M));
    return ak_state_f64(state, ctx, "work", 1, &s->work);
}

akin_status ak_sice_quic(akin_ctx *ctx, const ak_sice *p,
                         const ak_sice_options *o, double *M, ak_sice_result *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    quic s = {.p = p,
              .M = M,
              .at.m = p->m,
              .moved = 1,
              .most = o->max_iterations > 0 ? o->max_iterations : MAX_NEWTON,
              .r = r};
    ak_section section = {"quic", visit, &s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    AK_TRY(make_quic(&s, ctx));
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    AK_TRY(ak_sice_invert(ctx, p, M, s.W, &s.F));
    AK_TRY(iterate(&s, ctx, o, r));
done:
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}
