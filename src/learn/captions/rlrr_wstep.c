/* The W-step of rLRR, group by group; learn/captions/rlrr.h. */
#include "learn/captions/rlrr.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

enum { MOST_STEPS = 100 };

akin_status ak_wstep_new(ak_wstep *out, akin_ctx *ctx, const ak_faces_svd *x,
                         const ak_shared_names *peers, const ak_rlrr_params *p)
{
    *out = (ak_wstep){.x = x,
                      .peers = peers,
                      .penalise = p->penalise,
                      .gamma = p->gamma,
                      .rho = 1.0,
                      .enough = fmax(1e-12, 1e-3 * p->eps)};
    AK_CHECK(AK_SCRATCH(ctx, x->r, &out->theta));
    return AK_SCRATCH(ctx, peers->start[peers->n], &out->z);
}

void ak_wstep_set(ak_wstep *w, double rho)
{
    w->rho = rho;
    w->base = w->penalise == AK_PENALISE_SELF ? 0.0 : w->gamma;
    for (int64_t c = 0; c < w->x->r; ++c) {
        const double s2 = w->x->s[c] * w->x->s[c];
        w->theta[c] = rho * s2 / (rho * s2 + rho + w->base);
    }
}

/* One group: N, its faces, and room for the solver. */
typedef struct group {
    const int32_t *N, *faces;
    int64_t n, m;   // |N|, faces
    double *VN;     // n x r
    double *b;      // n x m: right-hand sides, then answers
    int64_t *self;  // m: where a face stands in N
} group;

static akin_status open_group(group *g, akin_ctx *ctx, const ak_wstep *w,
                              int64_t k)
{
    const ak_shared_names *p = w->peers;
    const int64_t r = w->x->r;
    g->N = p->members + p->member_offsets[k];
    g->n = p->member_offsets[k + 1] - p->member_offsets[k];
    g->faces = p->faces + p->face_offsets[k];
    g->m = p->face_offsets[k + 1] - p->face_offsets[k];
    AK_CHECK(AK_SCRATCH(ctx, g->n * r, &g->VN));
    AK_CHECK(AK_SCRATCH(ctx, g->n * g->m, &g->b));
    AK_CHECK(AK_SCRATCH(ctx, g->m, &g->self));
    for (int64_t i = 0; i < g->n; ++i)
        memcpy(g->VN + i * r, w->x->V + g->N[i] * r, (size_t)r * sizeof *g->VN);
    for (int64_t c = 0; c < g->m; ++c)
        g->self[c] = ak_shared_names_at(g->N, g->n, g->faces[c]);
    return AKIN_OK;
}

/* A face has no entry of its own in N where it is penalised too. */
static void drop_self(const ak_wstep *w, const group *g, double *b)
{
    for (int64_t c = 0; w->penalise == AK_PENALISE_BOTH && c < g->m; ++c)
        b[g->self[c] * g->m + c] = 0.0;
}

/* ---- (3) by an inverse --------------------------------------------------- */

/* Kinv of all N; leaving j out takes a multiple of its column away. */
static akin_status solve_direct(const ak_wstep *w, akin_ctx *ctx,
                                const group *g)
{
    const int64_t n = g->n, m = g->m, r = w->x->r;
    double *K, *scaled, *z;
    AK_CHECK(AK_SCRATCH(ctx, n * n, &K));
    AK_CHECK(AK_SCRATCH(ctx, n * r, &scaled));
    AK_CHECK(AK_SCRATCH(ctx, n * m, &z));
    for (int64_t k = 0; k < n * r; ++k)
        scaled[k] = sqrt(w->theta[k % r]) * g->VN[k];
    AK_CHECK(ak_gram(ctx, false, n, r, scaled, r, K));
    for (int64_t i = 0; i < n; ++i)
        K[i * n + i] += w->rho / w->gamma;
    AK_CHECK(ak_spd_inverse(ctx, n, K));
    AK_CHECK(
        ak_gemm(ctx, false, false, n, m, n, 1.0, K, n, g->b, m, 0.0, z, m));
    for (int64_t c = 0; w->penalise == AK_PENALISE_BOTH && c < m; ++c) {
        const int64_t j = g->self[c];
        const double by = z[j * m + c] / K[j * n + j];
        for (int64_t i = 0; i < n; ++i)
            z[i * m + c] -= K[i * n + j] * by;
    }
    memcpy(g->b, z, (size_t)(n * m) * sizeof *z);
    drop_self(w, g, g->b);
    return AKIN_OK;
}

/* ---- (3) by conjugate gradients ------------------------------------------ */

typedef struct descent {
    double *z, *res, *dir, *image;  // n x m
    double *low;                    // r x m
    double *rr, *scale, *sums;      // m
} descent;

static akin_status open_descent(descent *d, akin_ctx *ctx, const group *g,
                                int64_t r)
{
    const int64_t size = g->n * g->m;
    AK_CHECK(AK_SCRATCH_EACH(ctx, size, &d->z, &d->res, &d->dir, &d->image));
    AK_CHECK(AK_SCRATCH(ctx, r * g->m, &d->low));
    return AK_SCRATCH_EACH(ctx, g->m, &d->rr, &d->scale, &d->sums);
}

/* sums[c] = sum_i x_ic y_ic */
static void dots(int64_t n, int64_t m, const double *x, const double *y,
                 double *sums)
{
    memset(sums, 0, (size_t)m * sizeof *sums);
    for (int64_t k = 0; k < n * m; ++k)
        sums[k % m] += x[k] * y[k];
}

/* image = ((rho/gamma) I + V_N th V_N') dir, without the faces themselves. */
static akin_status apply(const ak_wstep *w, akin_ctx *ctx, const group *g,
                         const descent *d)
{
    const int64_t n = g->n, m = g->m, r = w->x->r;
    AK_CHECK(ak_gemm(ctx, true, false, r, m, n, 1.0, g->VN, r, d->dir, m, 0.0,
                     d->low, m));
    for (int64_t k = 0; k < r * m; ++k)
        d->low[k] *= w->theta[k / m];
    memcpy(d->image, d->dir, (size_t)(n * m) * sizeof *d->dir);
    AK_CHECK(ak_gemm(ctx, false, false, n, m, r, 1.0, g->VN, r, d->low, m,
                     w->rho / w->gamma, d->image, m));
    drop_self(w, g, d->image);
    return AKIN_OK;
}

/* One step of all columns; those that are done stand still. */
static akin_status descend(const ak_wstep *w, akin_ctx *ctx, const group *g,
                           const descent *d, double *worst)
{
    const int64_t n = g->n, m = g->m;
    double *sums = d->sums;
    AK_CHECK(apply(w, ctx, g, d));
    dots(n, m, d->dir, d->image, sums);
    for (int64_t c = 0; c < m; ++c)
        sums[c] = sums[c] > 0.0 ? d->rr[c] / sums[c] : 0.0;
    for (int64_t k = 0; k < n * m; ++k) {
        d->z[k] += sums[k % m] * d->dir[k];
        d->res[k] -= sums[k % m] * d->image[k];
    }
    dots(n, m, d->res, d->res, sums);
    *worst = 0.0;
    for (int64_t c = 0; c < m; ++c) {
        const double before = d->rr[c];
        d->rr[c] = sums[c];
        sums[c] = before > 0.0 ? d->rr[c] / before : 0.0;
        if (d->scale[c] > 0.0)
            *worst = fmax(*worst, sqrt(d->rr[c] / d->scale[c]));
    }
    for (int64_t k = 0; k < n * m; ++k)
        d->dir[k] = d->res[k] + sums[k % m] * d->dir[k];
    return AKIN_OK;
}

/* With rho >= gamma the matrix has a condition below 2: few steps do. */
static akin_status solve_descent(const ak_wstep *w, akin_ctx *ctx,
                                 const group *g)
{
    const size_t bytes = (size_t)(g->n * g->m) * sizeof *g->b;
    descent d;
    double worst = 1.0;
    AK_CHECK(open_descent(&d, ctx, g, w->x->r));
    drop_self(w, g, g->b);
    memcpy(d.res, g->b, bytes);
    memcpy(d.dir, g->b, bytes);
    dots(g->n, g->m, d.res, d.res, d.rr);
    memcpy(d.scale, d.rr, (size_t)g->m * sizeof *d.rr);
    for (int t = 0; t < MOST_STEPS && worst > w->enough; ++t)
        AK_CHECK(descend(w, ctx, g, &d, &worst));
    memcpy(g->b, d.z, bytes);
    return AKIN_OK;
}

/* ---- all groups ---------------------------------------------------------- */

/* A face alone: b_j of (R rhs)_j is turned into -gamma y / (1 + gamma R_jj). */
static void solve_self(const ak_wstep *w, const group *g)
{
    const int64_t r = w->x->r, m = g->m;
    for (int64_t c = 0; c < m; ++c) {
        const double *v = g->VN + g->self[c] * r;
        double low = 0.0;
        for (int64_t k = 0; k < r; ++k)
            low += w->theta[k] * v[k] * v[k];
        const double y = g->b[g->self[c] * m + c] / w->rho;
        for (int64_t i = 0; i < g->n; ++i)
            g->b[i * m + c] = 0.0;
        g->b[g->self[c] * m + c] = -w->gamma * y /
                                   (1.0 + w->gamma * (1.0 - low) / w->rho);
    }
}

static akin_status solve_group(ak_wstep *w, akin_ctx *ctx, int64_t k,
                               ak_wstep_side_fn side, const void *arg)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    group g;
    akin_status st = AKIN_OK;
    AK_TRY(open_group(&g, ctx, w, k));
    if (g.m == 0)
        goto done;
    AK_TRY(side(arg, ctx, g.N, g.n, g.faces, g.m, g.b));
    if (w->penalise == AK_PENALISE_SELF)
        solve_self(w, &g);
    else
        AK_TRY((w->rho >= w->gamma ? solve_descent : solve_direct)(w, ctx, &g));
    for (int64_t c = 0; c < g.m; ++c)
        for (int64_t i = 0; i < g.n; ++i)
            w->z[w->peers->start[g.faces[c]] + i] = g.b[i * g.m + c];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_wstep_solve(ak_wstep *w, akin_ctx *ctx, ak_wstep_side_fn side,
                           const void *arg)
{
    for (int64_t k = 0; w->gamma > 0.0 && k < w->peers->n_groups; ++k)
        AK_CHECK(solve_group(w, ctx, k, side, arg));
    return AKIN_OK;
}
