/* rLRR without any n x n matrix; the iteration of learn/captions/rlrr_dense.c.
 *
 * With V of X = V diag(s) Q', b of the W-step, and S_w, S_y
 * sparse on the peers, M of low rank (M = A B'), Psi and Phi r x n, at every
 * step
 *
 *   W = S_w + M / (rho + b) + V Psi                                    (1)
 *   Y = S_y - b M / (rho + b) + V Phi         multiplier of W = J      (2)
 *
 * because, after J and with F = rho (B - E) + U in the coordinates of Q,
 *
 *   M   <- rho J + b/(rho_prev + b) M,   G = -Phi + s F                (3)
 *   rhs  = M - S_y + V G,   z of the W-step                            (4)
 *   S_w <- (z - S_y)/(rho + b),  Psi <- (G - th V'(rhs + z))/(rho + b) (5)
 *   S_y <- S_y + rho S_w,        Phi <- Phi + rho Psi                  (6)
 *
 * What is r x n in print is n x r here, a row a face. V'S_y is kept up to date
 * with S_y.
 *
 * J is found by products alone, by subspace iteration:
 *
 *   Y = A V, orthonormalised;  Z = A'Y;  Z'Z = P diag(sigma^2) P'
 *   U = Y P,  V = Z P / sigma,  A ~ U diag(sigma) V'
 *
 * with some columns more than there are values above the threshold, of the
 * last call as a rule, and twice as many while that is not enough. */
#include "learn/captions/rlrr.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "la/dense.h"
#include "la/sparse.h"

enum { BLOCK = 64, SPARE = 12, PASSES = 30, GAP_PASSES = 60, GAP_EVERY = 5 };

/* ---- singular values above a threshold ----------------------------------- */

/* out = A Y, or A'Y with `transposed`; Y and out are n x b. */
typedef akin_status (*product_fn)(void *arg, akin_ctx *ctx, bool transposed,
                                  int64_t b, const double *Y, double *out);

/* U diag(sigma) V', the part of A (n x n) with singular values above tau; U
 * and V have k columns. V of the last call is where the next one begins, so a
 * sequence of matrices that change little costs few products. */
typedef struct svt {
    int64_t n, k;
    int64_t width;  // columns of U and V in memory, the first k count
    double *U, *V;  // n x width
    double *sigma;  // width
    int64_t calls;  // for the columns drawn at random
} svt;

static void svt_free(svt *s)
{
    akin_free(s->U);
    akin_free(s->V);
    akin_free(s->sigma);
    *s = (svt){.n = s->n};
}

/* Room for `width` columns; the first columns of V stay, the rest is drawn at
 * random. */
static akin_status widen(svt *s, akin_ctx *ctx, int64_t width)
{
    ak_rng rng = ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_START),
                              (uint64_t)s->calls++);
    const int64_t keep = ak_min_i64(s->width, width), n = s->n;
    double *U = NULL, *V = NULL, *sigma = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, n * width, &U));
    AK_TRY(AK_NEW(ctx, n * width, &V));
    AK_TRY(AK_NEW(ctx, width, &sigma));
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t c = 0; c < keep; ++c)
            V[i * width + c] = s->V[i * s->width + c];
        for (int64_t c = keep; c < width; ++c)
            V[i * width + c] = ak_rng_normal(&rng) / sqrt((double)n);
    }
    const int64_t calls = s->calls;
    svt_free(s);
    *s = (svt){n, 0, width, U, V, sigma, calls};
    U = V = sigma = NULL;
done:
    akin_free(U);
    akin_free(V);
    akin_free(sigma);
    return st;
}

typedef struct svt_room {
    double *Y, *Z;  // n x width
    double *C, *R;  // width x width
    double *values;
} svt_room;

static akin_status make_room(svt_room *w, akin_ctx *ctx, int64_t n,
                             int64_t width)
{
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * width, &w->Y, &w->Z));
    AK_CHECK(AK_SCRATCH_EACH(ctx, width * width, &w->C, &w->R));
    return AK_SCRATCH(ctx, width, &w->values);
}

/* One step from V to a better U, sigma and V, largest first. */
static akin_status make_pass(svt *s, akin_ctx *ctx, product_fn product,
                             void *arg, const svt_room *w)
{
    const int64_t n = s->n, b = s->width;
    AK_CHECK(product(arg, ctx, false, b, s->V, w->Y));
    AK_CHECK(ak_qr(ctx, n, b, w->Y, w->R));
    AK_CHECK(product(arg, ctx, true, b, w->Y, w->Z));
    AK_CHECK(ak_gram(ctx, true, b, n, w->Z, b, w->C));
    AK_CHECK(ak_eigh(ctx, b, w->C, w->values));
    for (int64_t c = 0; c < b; ++c) {  // falling
        for (int64_t i = 0; i < b; ++i)
            w->R[i * b + c] = w->C[i * b + b - 1 - c];
        s->sigma[c] = sqrt(fmax(w->values[b - 1 - c], 0.0));
    }
    AK_CHECK(ak_gemm(ctx, false, false, n, b, b, 1.0, w->Y, b, w->R, b, 0.0,
                     s->U, b));
    for (int64_t c = 0; c < b; ++c)
        for (int64_t i = 0; s->sigma[c] > 0.0 && i < b; ++i)
            w->R[i * b + c] /= s->sigma[c];
    return ak_gemm(ctx, false, false, n, b, b, 1.0, w->Z, b, w->R, b, 0.0, s->V,
                   b);
}

static int64_t count_above(const svt *s, double tau)
{
    int64_t k = 0;
    while (k < s->width && s->sigma[k] > tau)
        ++k;
    return k;
}

/* Passes at one width; *enough: not all values are above tau. */
static akin_status iterate(svt *s, akin_ctx *ctx, product_fn product, void *arg,
                           double tau, double tolerance, int64_t passes,
                           bool *enough)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    svt_room w;
    double *before, change = INFINITY;
    akin_status st = AKIN_OK;
    AK_TRY(make_room(&w, ctx, s->n, s->width));
    AK_TRY(AK_SCRATCH(ctx, s->width, &before));
    for (int64_t t = 0; t < passes; ++t) {
        AK_TRY(make_pass(s, ctx, product, arg, &w));
        s->k = count_above(s, tau);
        *enough = s->k < s->width || s->width == s->n;
        if (!*enough)
            break;
        change = 0.0;
        for (int64_t c = 0; c < ak_min_i64(s->k + 1, s->width); ++c)
            change = fmax(change, fabs(s->sigma[c] - before[c]));
        if (change <= tolerance * s->sigma[0])
            break;
        memcpy(before, s->sigma, (size_t)s->width * sizeof *before);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Subspace iteration until the singular values above tau change by less than
 * `tolerance` times the largest, at most `passes` times. */
static akin_status svt_find(svt *s, akin_ctx *ctx, product_fn product,
                            void *arg, double tau, double tolerance,
                            int64_t passes)
{
    int64_t width = ak_min_i64(s->n, s->k + SPARE);
    bool enough = false;
    while (!enough) {
        AK_CHECK(widen(s, ctx, width));
        AK_CHECK(
            iterate(s, ctx, product, arg, tau, tolerance, passes, &enough));
        width = ak_min_i64(s->n, 2 * width);
    }
    return AKIN_OK;
}

/* ---- the certified gap --------------------------------------------------- */

/* J = P diag(sigma - less) R', of k columns out of `width`; the multiplier of
 * X = X W + E is U, that of W = J is S + by A B' + V Phi', A and B of m
 * columns and S of the peers. */
typedef struct gap_point {
    const ak_faces_svd *x;
    const ak_shared_names *peers;
    const ak_rlrr_params *p;
    int64_t k, width, m;
    const double *P, *R, *sigma;
    double less, by;
    const double *U, *Phi;  // n x r
    const double *A, *B, *S;
    const int32_t *mirror;  // of entry (i, j), where (j, i) stands
} gap_point;

typedef struct gap_work {
    const gap_point *at;
    bool self;              // only a face itself is penalised
    double *XU;             // n x r: s U, so that X'U = V XU'
    double *XJ;             // n x r: s V'J
    double *D;              // what repairs the multiplier of W = J, of peers
    double *low_A, *low_B;  // n x (r + m): X'U less it, but for S
    double *sums;           // 2 a block
} gap_work;

/* Is the entry of a face and its peer penalised? */
static bool is_held(const gap_work *w, int64_t i, int64_t j)
{
    if (w->self)
        return i == j;
    return i == j && w->at->p->penalise == AK_PENALISE_BOTH;
}

static double dot_J(const gap_point *x, int64_t i, int64_t j)
{
    const double *P = x->P + i * x->width, *R = x->R + j * x->width;
    double sum = 0.0;
    for (int64_t c = 0; c < x->k; ++c)
        sum += P[c] * R[c] * (x->sigma[c] - x->less);
    return sum;
}

/* D of a block of columns; squares of it and of J where it is not 0: the
 * entries that are penalised (self), or else those that are not. */
static akin_status peers_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const gap_work *w = arg;
    const gap_point *x = w->at;
    const int64_t k = x->x->r + x->m;
    double *sums = w->sums + 2 * (begin / BLOCK);
    (void)worker;
    memset(sums, 0, 2 * sizeof *sums);
    for (int64_t j = begin; j < end; ++j) {
        const int32_t *peers;
        const int64_t n = ak_shared_names_get(x->peers, j, &peers);
        for (int64_t e = 0; e < n; ++e) {
            const int64_t i = peers[e], at = x->peers->start[j] + e;
            const double low = ak_dot8(k, w->low_A + i * k, w->low_B + j * k);
            w->D[at] = 0.0;
            if (is_held(w, i, j) != w->self)
                continue;
            w->D[at] = w->self ? x->S[at] - low : low;
            const double J = dot_J(x, i, j);
            sums[0] += w->D[at] * w->D[at];
            sums[1] += J * J;
        }
    }
    return AKIN_OK;
}

/* The sum of lambda |x_j - X J_j|; <U, X>, and the largest |u_j|. */
static double face_terms(const gap_work *w, double *inner, double *longest)
{
    const ak_faces_svd *x = w->at->x;
    const int64_t r = x->r;
    double value = 0.0;
    *inner = *longest = 0.0;
    for (int64_t j = 0; j < x->n; ++j) {
        const double *U = w->at->U + j * r;
        double norm = 0.0;
        for (int64_t c = 0; c < r; ++c) {
            const double B = x->s[c] * x->V[j * r + c];
            const double E = B - w->XJ[j * r + c];
            norm += E * E;
            *inner += U[c] * B;
        }
        value += w->at->p->lambda * sqrt(norm);
        *longest = fmax(*longest, sqrt(ak_dot(r, U, U)));
    }
    return value;
}

/* s V'J, a row a face: R diag(sigma - less) (V'P)' s. */
static akin_status represent(gap_work *w, akin_ctx *ctx)
{
    const gap_point *x = w->at;
    const int64_t n = x->x->n, r = x->x->r, k = x->k;
    const ak_mark mark = ak_scratch_begin(ctx);
    double *VP;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r * k, &VP));
    if (k == 0)
        goto done;
    AK_TRY(ak_gemm(ctx, true, false, r, k, n, 1.0, x->x->V, r, x->P, x->width,
                   0.0, VP, k));
    for (int64_t t = 0; t < r * k; ++t)
        VP[t] *= x->x->s[t / k] * (x->sigma[t % k] - x->less);
    AK_TRY(ak_gemm(ctx, false, true, n, r, k, 1.0, x->R, x->width, VP, k, 0.0,
                   w->XJ, r));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status open_gap(gap_work *w, akin_ctx *ctx)
{
    const gap_point *x = w->at;
    const int64_t n = x->x->n, r = x->x->r, m = x->m, k = r + m;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * r, &w->XU, &w->XJ));
    AK_CHECK(AK_SCRATCH(ctx, x->peers->start[n], &w->D));
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * k, &w->low_A, &w->low_B));
    AK_CHECK(AK_SCRATCH(ctx, 2 * (n / BLOCK + 1), &w->sums));
    for (int64_t t = 0; t < n * r; ++t)
        w->XU[t] = x->x->s[t % r] * x->U[t];
    for (int64_t i = 0; i < n; ++i) {
        double *A = w->low_A + i * k, *B = w->low_B + i * k;
        memcpy(A, x->x->V + i * r, (size_t)r * sizeof *A);
        for (int64_t c = 0; c < r; ++c)
            B[c] = w->XU[i * r + c] - x->Phi[i * r + c];
        for (int64_t c = 0; c < m; ++c) {
            A[r + c] = -x->by * x->A[i * m + c];
            B[r + c] = x->B[i * m + c];
        }
    }
    return represent(w, ctx);
}

/* The multiplier of W = J as repaired, times a block: D and what is of low
 * rank. */
static akin_status repaired(void *arg, akin_ctx *ctx, bool transposed,
                            int64_t b, const double *Y, double *out)
{
    const gap_work *w = arg;
    const gap_point *x = w->at;
    const int64_t n = x->x->n, r = x->x->r;
    AK_CHECK(ak_shared_names_product(
        ctx, x->peers, transposed ? NULL : x->mirror, w->D, b, Y, out));
    if (!w->self)
        AK_CHECK(ak_pair_product(ctx, n, x->m, x->by, x->A, x->B, transposed, b,
                                 Y, out));
    return ak_pair_product(ctx, n, r, 1.0, x->x->V, w->self ? w->XU : x->Phi,
                           transposed, b, Y, out);
}

static akin_status norm_of(double *out, gap_work *w, akin_ctx *ctx)
{
    svt top = {.n = w->at->x->n};
    const akin_status st =
        svt_find(&top, ctx, repaired, w, INFINITY, 1e-7, GAP_PASSES);
    *out = st == AKIN_OK ? top.sigma[0] : 0.0;
    svt_free(&top);
    return st;
}

/* The value of (1) at J, and a bound below its least value: the multiplier of
 * W = J is repaired to X'U where H = 0 and both are scaled to |.|_2 <= 1,
 * |u_j| <= lambda. */
static akin_status certified_gap(double *value, double *bound, akin_ctx *ctx,
                                 const gap_point *x)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = x->x->n, k = x->x->r + x->m;
    gap_work w = {.at = x, .self = x->p->penalise == AK_PENALISE_SELF};
    double D2 = 0.0, J2 = 0.0, peers[2] = {0.0, 0.0}, norm, inner, longest;
    akin_status st = AKIN_OK;
    AK_TRY(open_gap(&w, ctx));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, peers_block, &w));
    for (int64_t b = 0; b * BLOCK < n; ++b)
        for (int t = 0; t < 2; ++t)
            peers[t] += w.sums[2 * b + t];
    *value = face_terms(&w, &inner, &longest);
    for (int64_t c = 0; c < x->k; ++c) {
        const double sigma = x->sigma[c] - x->less;
        *value += sigma;
        J2 += sigma * sigma;
    }
    if (!w.self)
        AK_TRY(ak_pair_norm(&D2, ctx, n, k, w.low_A, w.low_B));
    AK_TRY(norm_of(&norm, &w, ctx));
    const double held_D = w.self ? peers[0] : fmax(0.0, D2 - peers[0]);
    const double held_J = w.self ? peers[1] : fmax(0.0, J2 - peers[1]);
    const double by = fmax(1.0, fmax(norm, longest / x->p->lambda));
    *value += 0.5 * x->p->gamma * held_J;
    *bound = inner / by - held_D / (by * by) / (2.0 * x->p->gamma);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- the iteration ------------------------------------------------------- */

/* A B', both n x k, in memory that grows. */
typedef struct pair {
    int64_t k, room;  // columns
    double *A, *B;
} pair;

typedef struct work {
    const ak_faces_svd *x;
    const ak_shared_names *peers;
    const ak_rlrr_params *p;
    ak_wstep step;
    double rho, rho_prev;
    int32_t *mirror;        // of entry (i, j), where (j, i) stands
    double *Sw, *Sy, *sum;  // as many as peers->start[n]
    double *Psi, *Phi, *E, *U, *VSy, *G, *VR, *VZ;  // n x r
    double *right;                                  // n x r: Psi + Phi/rho
    double *low;   // n x r: low-rank part of V'W, times rho + b
    pair M, next;  // next: where M of the next step is made
    svt J;
    double *sums;  // 2 a block
} work;

/* ---- (3): J and M -------------------------------------------------------- */

/* W + Y/rho times a block: `sum` and `right` hold what does not change. */
static akin_status product(void *arg, akin_ctx *ctx, bool transposed, int64_t b,
                           const double *Y, double *out)
{
    const work *w = arg;
    const int64_t n = w->x->n;
    const double base = w->step.base;
    const double by = (1.0 - base / w->rho) / (w->rho_prev + base);
    AK_CHECK(ak_shared_names_product(
        ctx, w->peers, transposed ? NULL : w->mirror, w->sum, b, Y, out));
    AK_CHECK(ak_pair_product(ctx, n, w->M.k, by, w->M.A, w->M.B, transposed, b,
                             Y, out));
    return ak_pair_product(ctx, n, w->x->r, 1.0, w->x->V, w->right, transposed,
                           b, Y, out);
}

static void pair_free(pair *p)
{
    akin_free(p->A);
    akin_free(p->B);
    *p = (pair){0};
}

/* Memory for p->k columns, and some more where there is none. */
static akin_status pair_reserve(pair *p, akin_ctx *ctx, int64_t n)
{
    const int64_t k = p->k;
    if (k <= p->room && p->A != NULL)
        return AKIN_OK;
    pair_free(p);
    AK_CHECK(AK_NEW(ctx, n * (k + k / 4), &p->A));
    AK_CHECK(AK_NEW(ctx, n * (k + k / 4), &p->B));
    p->k = k;
    p->room = k + k / 4;
    return AKIN_OK;
}

/* [rho U (sigma - 1/rho), c A] and [V, B]: rho J + c M as one pair. */
static akin_status join(const work *w, akin_ctx *ctx, pair *out)
{
    const int64_t n = w->x->n, k = w->J.k, wide = w->J.width, m = w->M.k;
    const double c = w->step.base / (w->rho_prev + w->step.base);
    out->k = k + (c > 0.0 ? m : 0);
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * out->k, &out->A, &out->B));
    for (int64_t i = 0; i < n; ++i) {
        double *A = out->A + i * out->k, *B = out->B + i * out->k;
        for (int64_t t = 0; t < k; ++t) {
            A[t] = (w->rho * w->J.sigma[t] - 1.0) * w->J.U[i * wide + t];
            B[t] = w->J.V[i * wide + t];
        }
        for (int64_t t = k; t < out->k; ++t) {
            A[t] = c * w->M.A[i * m + t - k];
            B[t] = w->M.B[i * m + t - k];
        }
    }
    return AKIN_OK;
}

/* Fewer columns for the same product: QR of both, SVD of what is left, where
 * values below a share of the largest are dropped. */
static akin_status compress(akin_ctx *ctx, int64_t n, const pair *in,
                            double least_share, pair *out)
{
    const int64_t k = in->k;
    double *Ra, *Rb, *C, *U, *Vt, *s;
    AK_CHECK(AK_SCRATCH_EACH(ctx, k * k, &Ra, &Rb, &C, &U, &Vt));
    AK_CHECK(AK_SCRATCH(ctx, k, &s));
    AK_CHECK(ak_qr(ctx, n, k, in->A, Ra));
    AK_CHECK(ak_qr(ctx, n, k, in->B, Rb));
    AK_CHECK(ak_gemm(ctx, false, true, k, k, k, 1.0, Ra, k, Rb, k, 0.0, C, k));
    AK_CHECK(ak_svd(ctx, k, k, C, s, U, Vt));
    out->k = 0;
    while (out->k < k && s[out->k] > least_share * s[0])
        ++out->k;
    AK_CHECK(pair_reserve(out, ctx, n));
    for (int64_t t = 0; t < k * k; ++t)
        U[t] *= s[t % k];
    AK_CHECK(ak_gemm(ctx, false, false, n, out->k, k, 1.0, in->A, k, U, k, 0.0,
                     out->A, out->k));
    return ak_gemm(ctx, false, true, n, out->k, k, 1.0, in->B, k, Vt, k, 0.0,
                   out->B, out->k);
}

/* The pair as it is. */
static akin_status copy(akin_ctx *ctx, int64_t n, const pair *in, pair *out)
{
    const size_t bytes = (size_t)(n * in->k) * sizeof *in->A;
    out->k = in->k;
    AK_CHECK(pair_reserve(out, ctx, n));
    memcpy(out->A, in->A, bytes);
    memcpy(out->B, in->B, bytes);
    return AKIN_OK;
}

static akin_status next_M(work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = w->x->n;
    pair joined = {0};
    akin_status st = AKIN_OK;
    AK_TRY(join(w, ctx, &joined));
    if (joined.k <= n)
        AK_TRY(
            compress(ctx, n, &joined, fmax(1e-12, 1e-3 * w->p->eps), &w->next));
    else
        AK_TRY(copy(ctx, n, &joined, &w->next));
    const pair before = w->M;
    w->M = w->next;
    w->next = before;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- (4) and (5) --------------------------------------------------------- */

/* VR = V' rhs, a row a face: B (V'A)' - V'S_y + G; P is V'A, r x k. */
static akin_status project_rhs(work *w, akin_ctx *ctx, const double *P)
{
    const int64_t n = w->x->n, r = w->x->r, k = w->M.k;
    for (int64_t t = 0; t < n * r; ++t) {
        const double s = w->x->s[t % r];
        w->G[t] = -w->Phi[t] +
                  s * (w->rho * (s * w->x->V[t] - w->E[t]) + w->U[t]);
        w->VR[t] = w->G[t] - w->VSy[t];
    }
    return ak_gemm(ctx, false, true, n, r, k, 1.0, w->M.B, k, P, k, 1.0, w->VR,
                   r);
}

/* Rows `which` of a matrix with k columns. */
static void gather(int64_t n, const int32_t *which, int64_t k, const double *X,
                   double *out)
{
    for (int64_t i = 0; i < n; ++i)
        memcpy(out + i * k, X + which[i] * k, (size_t)k * sizeof *X);
}

/* rhs_N - V_N th V'rhs = A_N B' - S_y + V_N (G - th VR)'. */
static akin_status side_of(const void *arg, akin_ctx *ctx, const int32_t *N,
                           int64_t n_N, const int32_t *faces, int64_t n_faces,
                           double *out)
{
    const work *w = arg;
    const int64_t r = w->x->r, k = w->M.k;
    double *AN, *BF, *VN, *GF;
    AK_CHECK(AK_SCRATCH(ctx, n_N * k, &AN));
    AK_CHECK(AK_SCRATCH(ctx, n_faces * k, &BF));
    AK_CHECK(AK_SCRATCH(ctx, n_N * r, &VN));
    AK_CHECK(AK_SCRATCH(ctx, n_faces * r, &GF));
    gather(n_N, N, k, w->M.A, AN);
    gather(n_faces, faces, k, w->M.B, BF);
    gather(n_N, N, r, w->x->V, VN);
    for (int64_t c = 0; c < n_faces; ++c)
        for (int64_t t = 0; t < r; ++t)
            GF[c * r + t] = w->G[faces[c] * r + t] -
                            w->step.theta[t] * w->VR[faces[c] * r + t];
    for (int64_t i = 0; i < n_N; ++i)
        for (int64_t c = 0; c < n_faces; ++c)
            out[i * n_faces + c] = -w->Sy[w->peers->start[faces[c]] + i];
    AK_CHECK(ak_gemm(ctx, false, true, n_N, n_faces, k, 1.0, AN, k, BF, k, 1.0,
                     out, n_faces));
    return ak_gemm(ctx, false, true, n_N, n_faces, r, 1.0, VN, r, GF, r, 1.0,
                   out, n_faces);
}

/* ---- (5), (6), E and U --------------------------------------------------- */

/* A block of faces; squares of the residual of X, of X, and of W's parts. */
static akin_status last_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const work *w = arg;
    const int64_t r = w->x->r;
    const double rho = w->rho, by = 1.0 / (rho + w->step.base);
    double *sums = w->sums + begin / BLOCK * 2;
    (void)worker;
    sums[0] = sums[1] = 0.0;
    for (int64_t j = begin; j < end; ++j) {
        double *E = w->E + j * r, *U = w->U + j * r, norm = 0.0;
        for (int64_t t = 0; t < r; ++t) {
            const int64_t at = j * r + t;
            const double T = w->VR[at] + w->VZ[at];
            w->Psi[at] = (w->G[at] - w->step.theta[t] * T) * by;
            w->Phi[at] += rho * w->Psi[at];
            const double VSw = (w->VZ[at] - w->VSy[at]) * by;
            w->VSy[at] += rho * VSw;
            /* X - X W in place of G, which is done */
            w->G[at] = w->x->s[t] *
                       (w->x->V[at] - VSw - by * w->low[at] - w->Psi[at]);
            E[t] = w->G[at] + U[t] / rho;
            norm += E[t] * E[t];
        }
        const double size = sqrt(norm), bound = w->p->lambda / rho;
        const double keep = size > bound ? 1.0 - bound / size : 0.0;
        for (int64_t t = 0; t < r; ++t) {
            const double B = w->x->s[t] * w->x->V[j * r + t];
            E[t] *= keep;
            const double R = w->G[j * r + t] - E[t];
            U[t] += rho * R;
            sums[0] += R * R;
            sums[1] += B * B;
        }
    }
    for (int64_t k = w->peers->start[begin]; k < w->peers->start[end]; ++k) {
        w->Sw[k] = (w->step.z[k] - w->Sy[k]) * by;
        w->Sy[k] += rho * w->Sw[k];
    }
    return AKIN_OK;
}

static akin_status update(work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = w->x->n, r = w->x->r, k = w->M.k;
    double *P;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r * k, &P));
    AK_TRY(ak_gemm(ctx, true, false, r, k, n, 1.0, w->x->V, r, w->M.A, k, 0.0,
                   P, k));
    AK_TRY(project_rhs(w, ctx, P));
    AK_TRY(ak_wstep_solve(&w->step, ctx, side_of, w));
    AK_TRY(ak_shared_names_product(ctx, w->peers, NULL, w->step.z, r, w->x->V,
                                   w->VZ));
    AK_TRY(ak_gemm(ctx, false, true, n, r, k, 1.0, w->M.B, k, P, k, 0.0, w->low,
                   r));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, last_block, w));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- residuals ----------------------------------------------------------- */

typedef struct gap_job {
    const work *w;
    const double *A, *B;  // n x k
    int64_t k;
} gap_job;

/* 2 <S_w, A B'> + |S_w|^2 of a block. */
static akin_status gap_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const gap_job *g = arg;
    const work *w = g->w;
    double sum = 0.0;
    (void)worker;
    for (int64_t j = begin; j < end; ++j) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(w->peers, j, &peers);
        const double *B = g->B + j * g->k, *S = w->Sw + w->peers->start[j];
        for (int64_t i = 0; i < m; ++i) {
            const double *A = g->A + peers[i] * g->k;
            const double low = ak_dot8(g->k, A, B);
            sum += S[i] * (2.0 * low + S[i]);
        }
    }
    w->sums[begin / BLOCK * 2] = sum;
    return AKIN_OK;
}

/* |W - J|_F. */
static akin_status gap_norm(double *out, work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = w->x->n, r = w->x->r, m = w->M.k;
    const int64_t kj = w->J.k, k = m + r + kj;
    const double by = 1.0 / (w->rho + w->step.base);
    double *A, *B, norm = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(ctx, n * k, &A, &B));
    for (int64_t i = 0; i < n; ++i) {
        double *a = A + i * k, *b = B + i * k;
        for (int64_t t = 0; t < m; ++t)
            a[t] = by * w->M.A[i * m + t];
        memcpy(b, w->M.B + i * m, (size_t)m * sizeof *b);
        memcpy(a + m, w->x->V + i * r, (size_t)r * sizeof *a);
        memcpy(b + m, w->Psi + i * r, (size_t)r * sizeof *b);
        for (int64_t t = 0; t < kj; ++t) {
            a[m + r + t] = -(w->J.sigma[t] - 1.0 / w->rho) *
                           w->J.U[i * w->J.width + t];
            b[m + r + t] = w->J.V[i * w->J.width + t];
        }
    }
    gap_job job = {w, A, B, k};
    AK_TRY(ak_pair_norm(&norm, ctx, n, k, A, B));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, gap_block, &job));
    for (int64_t b = 0; b * BLOCK < n; ++b)
        norm += w->sums[2 * b];
    *out = sqrt(fmax(norm, 0.0));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status measure(work *w, akin_ctx *ctx, ak_rlrr_result *out)
{
    double all[2] = {0.0, 0.0}, gap = 0.0, size = 0.0;
    for (int64_t b = 0; b * BLOCK < w->x->n; ++b) {
        all[0] += w->sums[2 * b];
        all[1] += w->sums[2 * b + 1];
    }
    out->r1 = sqrt(all[0]) / sqrt(fmax(all[1], 1e-300));
    out->r2 = INFINITY;
    if (out->r1 > w->p->eps)  // the other one is dear
        return isfinite(out->r1)
                   ? AKIN_OK
                   : ak_fail(ctx, AKIN_ENUMERIC,
                             "a value is not finite (iteration %" PRId64 ")",
                             out->iterations);
    AK_CHECK(gap_norm(&gap, w, ctx));
    for (int64_t t = 0; t < w->J.k; ++t)
        size += pow(w->J.sigma[t] - 1.0 / w->rho, 2.0);
    out->r2 = gap / fmax(sqrt(size), 1.0);
    return AKIN_OK;
}

/* ---- the run ------------------------------------------------------------- */

static akin_status make_mirror(work *w, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_shared_names *p = w->peers;
    int64_t *next;
    AK_CHECK(AK_SCRATCH(ctx, p->n, &next));
    for (int64_t j = 0; j < p->n; ++j) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(p, j, &peers);
        for (int64_t k = 0; k < m; ++k)  // peers rise, so do their visitors
            w->mirror[p->start[j] + k] =
                (int32_t)(p->start[peers[k]] + next[peers[k]]++);
    }
    ak_scratch_end(ctx, mark);
    return AKIN_OK;
}

static akin_status take_room(work *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n, size = n * w->x->r, nnz = w->peers->start[n];
    double **const arrays[] = {&w->Phi, &w->E,  &w->U,     &w->VSy, &w->G,
                               &w->VR,  &w->VZ, &w->right, &w->low};
    if (nnz > INT32_MAX)
        return ak_fail(ctx, AKIN_EINVAL,
                       "%" PRId64 " pairs of faces share a name (at most %d)",
                       nnz, INT32_MAX);
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
        AK_CHECK(AK_SCRATCH(ctx, size, arrays[k]));
    AK_CHECK(AK_SCRATCH(ctx, nnz, &w->mirror));
    AK_CHECK(AK_SCRATCH(ctx, nnz, &w->Sy));
    AK_CHECK(AK_SCRATCH(ctx, nnz, &w->sum));
    AK_CHECK(AK_SCRATCH(ctx, 2 * ((n + BLOCK - 1) / BLOCK), &w->sums));
    return make_mirror(w, ctx);
}

/* W = (1 - H)/n, E = X - X W. */
static akin_status begin(work *w, akin_ctx *ctx)
{
    const int64_t n = w->x->n, r = w->x->r;
    AK_CHECK(take_room(w, ctx));
    for (int64_t j = 0; j < n; ++j) {
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(w->peers, j, &peers);
        for (int64_t k = 0; k < m; ++k)
            w->Sw[w->peers->start[j] + k] = peers[k] == j ? 0.0
                                                          : 1.0 / (double)n;
    }
    AK_CHECK(
        ak_shared_names_product(ctx, w->peers, NULL, w->Sw, r, w->x->V, w->VZ));
    for (int64_t t = 0; t < n * r; ++t)
        w->E[t] = w->x->s[t % r] * (w->x->V[t] - w->VZ[t]);
    return ak_wstep_new(&w->step, ctx, w->x, w->peers, w->p);
}

/* How far from the optimum; rho is that of the last step. */
static akin_status certify(const work *w, akin_ctx *ctx, double rho,
                           ak_rlrr_result *out)
{
    const double base = w->step.base;
    const gap_point point = {
        .x = w->x,
        .peers = w->peers,
        .p = w->p,
        .k = w->J.k,
        .width = w->J.width,
        .m = w->M.k,
        .P = w->J.U,
        .R = w->J.V,
        .sigma = w->J.sigma,
        .less = 1.0 / rho,
        .by = -base / (rho + base),
        .U = w->U,
        .Phi = w->Phi,
        .A = w->M.A,
        .B = w->M.B,
        .S = w->Sy,
        .mirror = w->mirror,
    };
    return certified_gap(&out->value, &out->bound, ctx, &point);
}

static akin_status step(work *w, akin_ctx *ctx, ak_rlrr_result *out)
{
    const int64_t n = w->x->n, nnz = w->peers->start[n];
    const double tolerance = w->p->eps;
    ak_wstep_set(&w->step, w->rho);
    for (int64_t k = 0; k < nnz; ++k)
        w->sum[k] = w->Sw[k] + w->Sy[k] / w->rho;
    for (int64_t t = 0; t < n * w->x->r; ++t)
        w->right[t] = w->Psi[t] + w->Phi[t] / w->rho;
    AK_CHECK(svt_find(&w->J, ctx, product, w, 1.0 / w->rho, tolerance, PASSES));
    AK_CHECK(next_M(w, ctx));
    AK_CHECK(update(w, ctx));
    return measure(w, ctx, out);
}

/* W of (1) as one pair and a sparse part. */
static akin_status hand_over(const work *w, akin_ctx *ctx, ak_rlrr_result *out)
{
    const int64_t n = w->x->n, r = w->x->r, m = w->M.k, k = m + r;
    const double by = 1.0 / (w->rho_prev + w->step.base);
    double *L, *R;
    AK_CHECK(AK_SCRATCH_EACH(ctx, n * k, &L, &R));
    for (int64_t i = 0; i < n; ++i) {
        for (int64_t t = 0; t < m; ++t)
            L[i * k + t] = by * w->M.A[i * m + t];
        memcpy(R + i * k, w->M.B + i * m, (size_t)m * sizeof *R);
        memcpy(L + i * k + m, w->x->V + i * r, (size_t)r * sizeof *L);
        memcpy(R + i * k + m, w->Psi + i * r, (size_t)r * sizeof *R);
    }
    out->W = (ak_representation){n, k, L, R, w->peers, w->Sw};
    out->rank = w->J.k;
    return AKIN_OK;
}

akin_status ak_rlrr_solve(ak_rlrr_result *out, akin_ctx *ctx,
                          const ak_faces_svd *x, const ak_shared_names *peers,
                          const ak_rlrr_params *p)
{
    work w = {.x = x,
              .peers = peers,
              .p = p,
              .rho = p->rho,
              .rho_prev = p->rho,
              .J.n = x->n};
    akin_status st = AKIN_OK;
    *out = (ak_rlrr_result){0};
    AK_TRY(AK_SCRATCH(ctx, peers->start[x->n], &w.Sw));  // outlive the rest
    AK_TRY(AK_SCRATCH(ctx, x->n * x->r, &w.Psi));
    const ak_mark mark = ak_scratch_begin(ctx);
    st = begin(&w, ctx);
    while (st == AKIN_OK && out->iterations < p->most && !out->converged) {
        ++out->iterations;
        st = step(&w, ctx, out);
        out->converged = out->r1 <= p->eps && out->r2 <= p->eps;
        w.rho_prev = w.rho;
        w.rho = fmin(w.rho * (1.0 + p->delta_rho), p->rho_max);
        if (st == AKIN_OK && p->gap > 0.0 && out->iterations % GAP_EVERY == 0) {
            st = certify(&w, ctx, w.rho_prev, out);
            out->converged = out->converged || ak_rlrr_is_close(out, p);
        }
        if (st == AKIN_OK)
            st = ak_ctx_step(ctx, "iterations", out->iterations, p->most,
                             out->r1);
    }
    st = st == AKIN_OK ? certify(&w, ctx, w.rho_prev, out) : st;
    ak_scratch_end(ctx, mark);
    AK_TRY(st);
    AK_TRY(hand_over(&w, ctx, out));
done:
    pair_free(&w.M);
    pair_free(&w.next);
    svt_free(&w.J);
    return st;
}
