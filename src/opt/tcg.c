/* Truncated conjugate gradients.
 *   [1] Steihaug. The conjugate gradient method and trust regions in large
 *       scale optimization. SIAM J. Numer. Anal. 20(3):626-637, 1983.
 *   [2] Absil, Mahony, Sepulchre. Optimization algorithms on matrix manifolds.
 *       Princeton, 2008, Algorithm 11.
 *
 * |z|^2, <z, p> and |p|^2 follow by recurrence; H z = r - g needs no array. */
#include <math.h>

#include "opt/trust_region.h"
#include "opt/vectors.h"

akin_status ak_objective_inner(akin_ctx *ctx, const ak_objective *f,
                               const double *a, const double *b,
                               double *product)
{
    return f->inner ? f->inner(f->self, ctx, a, b, product)
                    : ak_vector_dot(ctx, f->size, a, b, product);
}

/* z += a p and r += a H p. */
static akin_status move(ak_tcg *t, akin_ctx *ctx, int64_t size, double a)
{
    akin_status st = AKIN_OK;
    AK_TRY(ak_vector_add(ctx, size, a, t->p, 1.0, t->z));
    AK_TRY(ak_vector_add(ctx, size, a, t->Hp, 1.0, t->r));
done:
    return st;
}

akin_status ak_tcg_solve(ak_tcg *t, akin_ctx *ctx, const ak_objective *f,
                         const double *g)
{
    const int64_t n = f->size;
    const double radius2 = t->radius * t->radius;
    double zz = 0.0, zp = 0.0, pp = 0.0, rr = 0.0, pHp = 0.0, next = 0.0;
    akin_status st = AKIN_OK;
    t->end = AK_TCG_LIMIT;
    AK_TRY(ak_vector_add(ctx, n, 0.0, g, 0.0, t->z));
    AK_TRY(ak_vector_add(ctx, n, 1.0, g, 0.0, t->r));
    AK_TRY(ak_vector_add(ctx, n, -1.0, g, 0.0, t->p));
    AK_TRY(ak_objective_inner(ctx, f, t->r, t->r, &rr));
    pp = rr;
    const double goal = fmax(t->kappa * sqrt(rr), t->enough);
    for (int64_t j = 0; j < f->dim && rr > 0.0; ++j) {
        AK_TRY(f->hessian(f->self, ctx, t->p, t->Hp));
        ++t->products;
        AK_TRY(ak_objective_inner(ctx, f, t->p, t->Hp, &pHp));
        const double a = pHp > 0.0 ? rr / pHp : 0.0;
        const double zz_next = zz + 2.0 * a * zp + a * a * pp;
        if (!(pHp > 0.0) || zz_next >= radius2) {
            const double root = zp * zp + pp * (radius2 - zz);
            t->end = pHp > 0.0 ? AK_TCG_BOUNDARY : AK_TCG_CURVATURE;
            AK_TRY(move(t, ctx, n, (sqrt(fmax(root, 0.0)) - zp) / pp));
            break;
        }
        AK_TRY(move(t, ctx, n, a));
        AK_TRY(ak_objective_inner(ctx, f, t->r, t->r, &next));
        if (sqrt(next) <= goal) {
            t->end = AK_TCG_INSIDE;
            break;
        }
        const double b = next / rr;
        AK_TRY(ak_vector_add(ctx, n, -1.0, t->r, b, t->p));
        zz = zz_next;
        zp = b * (zp + a * pp);
        pp = next + b * b * pp;
        rr = next;
    }
done:
    return st;
}
