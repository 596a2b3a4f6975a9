#include "learn/lowrank/retract.h"

#include <math.h>
#include <string.h>

#include "la/dense.h"

enum { HALVINGS = 20 };  // of a step that would cost a factor its rank

/* The scalar of the pseudo-inverse update vanishes at s = 2 -+ 2 sqrt 3.
 * Returns the factor that shortens a step so that it does not, and that |s| is
 * at most max_s (0: no limit). */
static double shorten(double s, double max_s)
{
    double f = max_s > 0.0 && fabs(s) > max_s ? max_s / fabs(s) : 1.0;
    while (fabs(1.0 + 0.5 * f * s - 0.125 * f * s * f * s) < 1e-3)
        f *= 0.5;
    return f;
}

static void scale(int64_t k, double f, const double *x, double *y)
{
    for (int64_t i = 0; i < k; ++i)
        y[i] = f * x[i];
}

akin_status ak_retract(ak_factor *A, ak_factor *B, akin_ctx *ctx, ak_spvec p,
                       ak_spvec q, const ak_retract_input *input)
{
    const int64_t k = A->k;
    const double p2 = input->p2, q2 = input->q2;
    double *Ap = input->work, *Bq = Ap + k, *a = Bq + k, *b = a + k;
    double *eb = b + k, *ea = eb + k, eta = input->eta;
    AK_CHECK(ak_factor_begin(A, ctx, p, Ap, a));
    AK_CHECK(ak_factor_begin(B, ctx, q, Bq, b));
    const double ab = ak_small_dot(k, a, b);
    eta *= shorten(eta * ab, input->max_s);
    for (int i = 0; i < HALVINGS; ++i, eta *= 0.5) {
        const double x = 0.375 * eta * ab - 0.5, y = 1.0 - 0.5 * eta * ab;
        scale(k, eta, b, eb);
        scale(k, eta, a, ea);
        if (!ak_factor_fits(A, p, Ap, a, eb, x, y, p2) ||
            !ak_factor_fits(B, q, Bq, b, ea, x, y, q2))
            continue;
        ak_factor_commit(A, p, Ap, a, x, y, p2);
        ak_factor_commit(B, q, Bq, b, x, y, q2);
        break;
    }
    return AKIN_OK;
}

/* X and F of ak_factor_step for columns p and q, and d = [h2 h1]; h: Y^+ p and
 * Y^+ q. */
static void make_step(int64_t k, double eta, const double *h, double *X,
                      double *F, double *d)
{
    const double s = eta * ak_small_dot(k, h, h + k);
    const double n1 = eta * eta * ak_small_dot(k, h, h);
    const double n2 = ak_small_dot(k, h + k, h + k);
    const double e = 3.0 / 32.0 * s - 0.25, f = 0.5 - s / 8.0;
    const double x[] = {e * eta, 3.0 / 32.0 * n1, 3.0 / 32.0 * n2 * eta, e};
    const double y[] = {f * eta, -n1 / 8.0, -n2 / 8.0 * eta, f};
    for (int i = 0; i < 4; ++i) {
        X[i] = x[i];
        F[i] = y[i];
    }
    for (int64_t i = 0; i < k; ++i) {
        d[i] = h[k + i];
        d[k + i] = eta * h[i];
    }
}

akin_status ak_retract_psd(ak_factor *Y, akin_ctx *ctx, ak_spvec p, ak_spvec q,
                           const ak_retract_input *input)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t k = Y->k, before = Y->updates;
    double *Yt = input->work, *h = Yt + 2 * k, *d = h + 2 * k, X[4], F[4];
    const double pq = ak_spvec_dot(p, q);
    const double GtG[] = {input->p2, pq, pq, input->q2};
    const ak_spvec G[] = {p, q};
    ak_factor_step step = {
        .r = 2, .G = G, .AtG = Yt, .a = h, .d = d, .GtG = GtG, .X = X, .F = F};
    double eta = input->eta;
    bool fits = false;
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_begin(Y, ctx, p, Yt, h));
    if (Y->updates < before)  // rebased
        ak_factor_project(Y, q, Yt + k);
    ak_factor_solve(Y, q, Yt + k, h + k);
    eta *= shorten(eta * ak_small_dot(k, h, h + k), input->max_s);
    for (int i = 0; i < HALVINGS && !fits; ++i, eta *= 0.5) {
        make_step(k, eta, h, X, F, d);
        AK_TRY(ak_factor_try(Y, ctx, &step, &fits));
    }
    if (fits)
        ak_factor_commit_step(Y, &step);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- several columns -------------------------------------------------- */

/* One factor's part of a step. */
typedef struct side {
    ak_spvec *G;
    double *AtG, *a;      // r x k
    double *GtG, *X, *F;  // r x r
    double *d;            // r x k
} side;

static akin_status make_side(side *s, akin_ctx *ctx, const ak_splist *list,
                             int64_t r, int64_t k)
{
    AK_CHECK(AK_SCRATCH(ctx, r, &s->G));
    AK_CHECK(AK_SCRATCH_EACH(ctx, r * k, &s->AtG, &s->a, &s->d));
    AK_CHECK(AK_SCRATCH_EACH(ctx, r * r, &s->GtG, &s->X, &s->F));
    for (int64_t i = 0; i < r; ++i) {
        s->G[i] = ak_splist_at(list, i);
        for (int64_t j = 0; j <= i; ++j)
            s->GtG[i * r + j] = s->GtG[j * r + i] =
                ak_spvec_dot(s->G[i], s->G[j]);
    }
    return AKIN_OK;
}

static akin_status project_side(side *s, akin_ctx *ctx, ak_factor *f, int64_t r)
{
    const int64_t k = f->k;
    ak_factor_project(f, s->G[0], s->AtG);
    AK_CHECK(ak_factor_begin(f, ctx, s->G[0], s->AtG, s->a));
    for (int64_t i = 1; i < r; ++i) {
        ak_factor_project(f, s->G[i], s->AtG + i * k);
        ak_factor_solve(f, s->G[i], s->AtG + i * k, s->a + i * k);
    }
    return AKIN_OK;
}

/* X, F and d of one side; S: r x r, transposed for the left one. */
static void fill_side(side *s, int64_t r, int64_t k, double eta,
                      const double *S, bool transposed, const double *other)
{
    for (int64_t i = 0; i < r; ++i)
        for (int64_t j = 0; j < r; ++j) {
            const double q = eta * (transposed ? S[j * r + i] : S[i * r + j]);
            s->X[i * r + j] = 0.375 * q - (i == j ? 0.5 : 0.0);
            s->F[i * r + j] = (i == j ? 1.0 : 0.0) - 0.5 * q;
        }
    for (int64_t i = 0; i < r * k; ++i)
        s->d[i] = eta * other[i];
}

/* Both factors, or neither. */
static akin_status try_both(ak_factor *A, ak_factor *B, akin_ctx *ctx,
                            ak_factor_step *left, ak_factor_step *right,
                            bool *fits)
{
    AK_CHECK(ak_factor_try(A, ctx, left, fits));
    if (!*fits)
        return AKIN_OK;
    AK_CHECK(ak_factor_try(B, ctx, right, fits));
    if (!*fits)
        AK_CHECK(ak_factor_cancel(A, ctx, left));
    return AKIN_OK;
}

static ak_factor_step step_of(const side *s, int64_t r)
{
    return (ak_factor_step){.r = r,
                            .G = s->G,
                            .AtG = s->AtG,
                            .a = s->a,
                            .d = s->d,
                            .GtG = s->GtG,
                            .X = s->X,
                            .F = s->F};
}

akin_status ak_retract_many(ak_factor *A, ak_factor *B, akin_ctx *ctx,
                            int64_t r, const ak_splist *P, const ak_splist *Q,
                            double eta, double max_s)
{
    const int64_t k = A->k;
    const ak_mark mark = ak_scratch_begin(ctx);
    side p, q;
    double *S = NULL;
    bool fits = false;
    akin_status st = AKIN_OK;
    AK_TRY(make_side(&p, ctx, P, r, k));
    AK_TRY(make_side(&q, ctx, Q, r, k));
    AK_TRY(AK_SCRATCH(ctx, r * r, &S));
    AK_TRY(project_side(&p, ctx, A, r));
    AK_TRY(project_side(&q, ctx, B, r));
    AK_TRY(ak_gemm(ctx, false, true, r, r, k, 1.0, q.a, k, p.a, k, 0.0, S, r));
    const double size = r == 1 ? S[0] : sqrt(ak_small_dot(r * r, S, S));
    eta *= shorten(eta * size, max_s);
    for (int i = 0; i < HALVINGS && !fits; ++i, eta *= 0.5) {
        fill_side(&p, r, k, eta, S, true, q.a);
        fill_side(&q, r, k, eta, S, false, p.a);
        ak_factor_step left = step_of(&p, r), right = step_of(&q, r);
        AK_TRY(try_both(A, B, ctx, &left, &right, &fits));
        if (fits) {
            ak_factor_commit_step(A, &left);
            ak_factor_commit_step(B, &right);
        }
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}
