/* rLRR with full matrices, for few faces; (1) of learn/captions/rlrr.h by
 *
 *   J = (W + Y/rho), singular values lowered by 1/rho
 *   W from the W-step of learn/captions/rlrr.h with
 *       rhs = rho J - Y + X'(rho (X - E) + U)
 *   e_j = q_j max(0, 1 - lambda / (rho |q_j|)),  q = X - X W + U/rho
 *
 * W is stored as in print, column j for face j; what has d rows there is n x r
 * here, a row a face. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "learn/captions/rlrr.h"

typedef struct full_side {
    const ak_wstep *w;
    const double *rhs;  // n x n
    const double *low;  // r x n: th V'rhs
} full_side;

/* rhs_N - V_N th V' rhs. */
static akin_status side_of(const void *arg, akin_ctx *ctx, const int32_t *N,
                           int64_t n_N, const int32_t *faces, int64_t n_faces,
                           double *out)
{
    const full_side *s = arg;
    const int64_t n = s->w->x->n, r = s->w->x->r;
    (void)ctx;
    for (int64_t i = 0; i < n_N; ++i)
        for (int64_t c = 0; c < n_faces; ++c) {
            const double *v = s->w->x->V + N[i] * r;
            double sum = s->rhs[N[i] * n + faces[c]];
            for (int64_t k = 0; k < r; ++k)
                sum -= v[k] * s->low[k * n + faces[c]];
            out[i * n_faces + c] = sum;
        }
    return AKIN_OK;
}

/* low = th V'M, r x n; M is n x n. */
static akin_status project(const ak_wstep *w, akin_ctx *ctx, const double *M,
                           double *low)
{
    const int64_t n = w->x->n, r = w->x->r;
    const akin_status st =
        ak_gemm(ctx, true, false, r, n, n, 1.0, w->x->V, r, M, n, 0.0, low, n);
    for (int64_t k = 0; st == AKIN_OK && k < r * n; ++k)
        low[k] *= w->theta[k / n];
    return st;
}

/* W of the W-step; low is r x n. */
static akin_status full_wstep(ak_wstep *w, akin_ctx *ctx, const double *rhs,
                              double *low, double *W)
{
    const int64_t n = w->x->n, r = w->x->r;
    AK_CHECK(project(w, ctx, rhs, low));
    const full_side side = {w, rhs, low};
    AK_CHECK(ak_wstep_solve(w, ctx, side_of, &side));
    memcpy(W, rhs, (size_t)(n * n) * sizeof *W);
    for (int64_t j = 0; w->gamma > 0.0 && j < n; ++j) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(w->peers, j, &peers);
        for (int64_t k = 0; k < m; ++k)
            W[peers[k] * n + j] += w->z[w->peers->start[j] + k];
    }
    AK_CHECK(project(w, ctx, W, low));
    const double by = 1.0 / (w->rho + w->base);
    return ak_gemm(ctx, false, false, n, n, r, -by, w->x->V, r, low, n, by, W,
                   n);
}

akin_status ak_rlrr_wstep(double *W, akin_ctx *ctx, const ak_faces_svd *x,
                          const ak_shared_names *peers, const ak_rlrr_params *p,
                          double rho, const double *rhs)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_wstep w;
    double *low;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, x->r * x->n, &low));
    AK_TRY(ak_wstep_new(&w, ctx, x, peers, p));
    ak_wstep_set(&w, rho);
    AK_TRY(full_wstep(&w, ctx, rhs, low, W));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- value and bound ----------------------------------------------------- */

/* The sum of lambda |x_j - X w_j|. */
static akin_status face_term(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                             double lambda, const double *W)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n, r = x->r;
    double *VW;
    akin_status st = AKIN_OK;
    *out = 0.0;
    AK_TRY(AK_SCRATCH(ctx, n * r, &VW));
    AK_TRY(ak_gemm(ctx, true, false, n, r, n, 1.0, W, n, x->V, r, 0.0, VW, r));
    for (int64_t j = 0; j < n; ++j) {
        double norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double gap = x->s[c] * (x->V[j * r + c] - VW[j * r + c]);
            norm += gap * gap;
        }
        *out += lambda * sqrt(norm);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rlrr_objective(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                              const ak_shared_names *peers,
                              const ak_rlrr_params *p, const double *W)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n;
    double *copy, *U, *Vt, *s, sum = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, n * n, &copy, &U, &Vt));
    AK_TRY(AK_SCRATCH(ctx, n, &s));
    AK_TRY(face_term(&sum, ctx, x, p->lambda, W));
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j)
            if (ak_rlrr_penalised(peers, p->penalise, i, j))
                sum += p->gamma / 2.0 * W[i * n + j] * W[i * n + j];
    memcpy(copy, W, (size_t)(n * n) * sizeof *W);
    AK_TRY(ak_svd(ctx, n, n, copy, s, U, Vt));
    for (int64_t k = 0; k < n; ++k)
        sum += s[k];
    *out = sum;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

bool ak_rlrr_penalised(const ak_shared_names *peers, ak_penalise what,
                       int64_t i, int64_t j)
{
    const int32_t *members;
    const int64_t n = ak_shared_names_get(peers, j, &members);
    if (what == AK_PENALISE_SELF)
        return i == j && n > 0;
    if (i == j && what == AK_PENALISE_BOTH)
        return true;
    return n == 0 || members[ak_shared_names_at(members, n, i)] != i;
}

/* V := X'U where H = 0 (everywhere for gamma = 0), both scaled until |V|_2 <= 1
 * and |u_j| <= lambda; then <U, X> - |(X'U - V) o H|^2 / (2 gamma). */
akin_status ak_rlrr_bound(double *out, akin_ctx *ctx, const ak_faces_svd *x,
                          const ak_shared_names *peers, const ak_rlrr_params *p,
                          const double *U, const double *V)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->n, r = x->r;
    double *XU, *F, *copy, *left, *right, *s, k = 1.0, sum = 0.0, gap = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, n * n, &XU, &F, &copy, &left, &right));
    AK_TRY(AK_SCRATCH(ctx, n, &s));
    for (int64_t j = 0; j < n * r; ++j)
        F[j] = x->s[j % r] * x->V[j];
    AK_TRY(ak_gemm(ctx, false, true, n, n, r, 1.0, F, r, U, r, 0.0, XU, n));
    for (int64_t j = 0; j < n; ++j)
        for (int64_t c = 0; c < r; ++c)
            sum += U[j * r + c] * F[j * r + c];
    for (int64_t i = 0; i < n; ++i)
        for (int64_t j = 0; j < n; ++j) {
            const bool held = p->gamma > 0.0 &&
                              ak_rlrr_penalised(peers, p->penalise, i, j);
            const double v = held ? V[i * n + j] : XU[i * n + j];
            gap += (XU[i * n + j] - v) * (XU[i * n + j] - v);
            copy[i * n + j] = v;
        }
    AK_TRY(ak_svd(ctx, n, n, copy, s, left, right));
    k = fmax(k, s[0]);
    for (int64_t j = 0; j < n; ++j)
        k = fmax(k, sqrt(ak_dot(r, U + j * r, U + j * r)) / p->lambda);
    *out = sum / k - (p->gamma > 0.0 ? gap / (k * k) / (2.0 * p->gamma) : 0.0);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the run ------------------------------------------------------------- */

typedef struct dense {
    const ak_faces_svd *x;
    const ak_rlrr_params *p;
    ak_wstep step;
    double rho;
    double *W, *J, *Y, *rhs;  // n x n
    double *E, *U, *XW;       // n x r
    double *low;              // n x r, r x n: of a step
    double *left, *right;     // n x n: singular vectors
    double *sigma;            // n
    int64_t rank;
} dense;

/* X W in the coordinates of Q, a row a face: s (V'W)_j. */
static akin_status product(dense *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n, r = w->x->r;
    const akin_status st = ak_gemm(ctx, true, false, n, r, n, 1.0, w->W, n,
                                   w->x->V, r, 0.0, w->XW, r);
    for (int64_t k = 0; st == AKIN_OK && k < n * r; ++k)
        w->XW[k] *= w->x->s[k % r];
    return st;
}

static akin_status dense_begin(dense *w, akin_ctx *ctx, ak_rlrr_dense *out,
                               const ak_shared_names *peers)
{
    const int64_t n = w->x->n, r = w->x->r;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * n, &out->W, &out->V));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * r, &out->E, &out->U));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * n, &w->J, &w->rhs));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * r, &w->XW, &w->low));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * n, &w->left, &w->right));
    AK_CHECK(AK_SCRATCH(ctx, n, &w->sigma));
    w->W = out->W;
    w->Y = out->V;
    w->E = out->E;
    w->U = out->U;
    for (int64_t j = 0; j < n; ++j) {  // (1 - H) / n
        const int32_t *mine;
        const int64_t m = ak_shared_names_get(peers, j, &mine);
        for (int64_t k = 0; k < m; ++k)
            if (mine[k] != j)
                w->W[mine[k] * n + j] = 1.0 / (double)n;
    }
    AK_CHECK(product(w, ctx));
    for (int64_t k = 0; k < n * r; ++k)
        w->E[k] = w->x->s[k % r] * w->x->V[k] - w->XW[k];
    return ak_wstep_new(&w->step, ctx, w->x, peers, w->p);
}

/* J; rhs, which is free then, holds W + Y/rho. */
static akin_status lower(dense *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n;
    for (int64_t k = 0; k < n * n; ++k)
        w->rhs[k] = w->W[k] + w->Y[k] / w->rho;
    AK_CHECK(ak_svd(ctx, n, n, w->rhs, w->sigma, w->left, w->right));
    w->rank = 0;
    while (w->rank < n && w->sigma[w->rank] > 1.0 / w->rho)
        ++w->rank;
    for (int64_t k = 0; k < n * n; ++k)
        w->left[k] *= fmax(w->sigma[k % n] - 1.0 / w->rho, 0.0);
    return ak_gemm(ctx, false, false, n, n, w->rank, 1.0, w->left, n, w->right,
                   n, 0.0, w->J, n);
}

/* rhs = rho J - Y + V s (rho (B - E) + U)', B = s V the faces. */
static akin_status right_side(dense *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n, r = w->x->r;
    for (int64_t k = 0; k < n * r; ++k) {
        const double s = w->x->s[k % r];
        w->low[k] = s * (w->rho * (s * w->x->V[k] - w->E[k]) + w->U[k]);
    }
    for (int64_t k = 0; k < n * n; ++k)
        w->rhs[k] = w->rho * w->J[k] - w->Y[k];
    return ak_gemm(ctx, false, true, n, n, r, 1.0, w->x->V, r, w->low, r, 1.0,
                   w->rhs, n);
}

/* Sums of squares and largest entry of a residual, and of what it is of. */
typedef struct residual {
    double squares, largest, of;
} residual;

static void add_entry(residual *s, double gap, double of)
{
    s->squares += gap * gap;
    s->largest = fmax(s->largest, fabs(gap));
    s->of += of * of;
}

/* E, and the multiplier of X = X W + E. */
static residual update_E(dense *w)
{
    const int64_t n = w->x->n, r = w->x->r;
    residual all = {0.0, 0.0, 0.0};
    for (int64_t j = 0; j < n; ++j) {
        const double *V = w->x->V + j * r, *XW = w->XW + j * r;
        double *E = w->E + j * r, *U = w->U + j * r, norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            E[c] = w->x->s[c] * V[c] - XW[c] + U[c] / w->rho;
            norm += E[c] * E[c];
        }
        const double size = sqrt(norm), bound = w->p->lambda / w->rho;
        const double keep = size > bound ? 1.0 - bound / size : 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double B = w->x->s[c] * V[c];
            E[c] *= keep;
            const double R = B - XW[c] - E[c];
            U[c] += w->rho * R;
            add_entry(&all, R, B);
        }
    }
    return all;
}

/* The same with that of W = J; the residuals. */
static void finish_step(dense *w, ak_rlrr_result *out)
{
    const int64_t n = w->x->n;
    const residual E = update_E(w);
    residual J = {0.0, 0.0, 0.0};
    for (int64_t k = 0; k < n * n; ++k) {
        const double R = w->W[k] - w->J[k];
        w->Y[k] += w->rho * R;
        add_entry(&J, R, w->J[k]);
    }
    out->r1 = w->p->by_entry ? E.largest
                             : sqrt(E.squares) / sqrt(fmax(E.of, 1e-300));
    out->r2 = w->p->by_entry ? J.largest
                             : sqrt(J.squares) / fmax(sqrt(J.of), 1.0);
}

static akin_status certify(const dense *w, akin_ctx *ctx,
                           const ak_shared_names *peers, ak_rlrr_result *out)
{
    AK_CHECK(ak_rlrr_objective(&out->value, ctx, w->x, peers, w->p, w->J));
    return ak_rlrr_bound(&out->bound, ctx, w->x, peers, w->p, w->U, w->Y);
}

akin_status ak_rlrr_solve_dense(ak_rlrr_result *out, ak_rlrr_dense *more,
                                akin_ctx *ctx, const ak_faces_svd *x,
                                const ak_shared_names *peers,
                                const ak_rlrr_params *p)
{
    dense w = {.x = x, .p = p, .rho = p->rho};
    *out = (ak_rlrr_result){0};
    AK_CHECK(dense_begin(&w, ctx, more, peers));
    while (out->iterations < p->most && !out->converged) {
        ++out->iterations;
        AK_CHECK(lower(&w, ctx));
        AK_CHECK(right_side(&w, ctx));
        ak_wstep_set(&w.step, w.rho);
        AK_CHECK(full_wstep(&w.step, ctx, w.rhs, w.low, w.W));
        AK_CHECK(product(&w, ctx));
        finish_step(&w, out);
        if (p->gap > 0.0)
            AK_CHECK(certify(&w, ctx, peers, out));
        out->converged = (out->r1 <= p->eps && out->r2 <= p->eps) ||
                         ak_rlrr_is_close(out, p);
        w.rho = fmin(w.rho * (1.0 + p->delta_rho), p->rho_max);
        AK_CHECK(
            ak_ctx_step(ctx, "iterations", out->iterations, p->most, out->r2));
    }
    AK_CHECK(certify(&w, ctx, peers, out));
    out->rank = w.rank;
    out->W = (ak_representation){x->n, x->n, w.W, NULL, NULL, NULL};
    return AKIN_OK;
}
