/* Derivatives against differences. With a retraction of second order
 *
 *   J(R(h xi)) = J + h <g, xi> + h^2 <xi, H xi> / 2 + O(h^3)             (1)
 *
 * so the two differences of J along +-h xi give both products. The best step
 * depends on J; the smallest error over a range of them is reported. */
#include <math.h>

#include "opt/trust_region.h"
#include "opt/vectors.h"

enum { DIRECTIONS = 3, STEPS = 6 };

typedef struct probe {
    double *g, *xi, *eta, *Hxi, *Heta, *step;
} probe;

static akin_status make_room(probe *p, akin_ctx *ctx, int64_t n)
{
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &p->g));
    AK_TRY(AK_SCRATCH(ctx, n, &p->xi));
    AK_TRY(AK_SCRATCH(ctx, n, &p->eta));
    AK_TRY(AK_SCRATCH(ctx, n, &p->Hxi));
    AK_TRY(AK_SCRATCH(ctx, n, &p->Heta));
    AK_TRY(AK_SCRATCH(ctx, n, &p->step));
done:
    return st;
}

/* A tangent vector as long as the point, or 1. */
static akin_status draw(probe *p, akin_ctx *ctx, const ak_objective *f,
                        ak_rng *rng, double *xi)
{
    double xx = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(f->random(f->self, ctx, rng, p->step));
    AK_TRY(ak_objective_inner(ctx, f, p->step, p->step, &xx));
    const double length = fmax(1.0, f->norm(f->self));
    AK_TRY(ak_vector_add(ctx, f->size, xx > 0.0 ? length / sqrt(xx) : 0.0,
                         p->step, 0.0, xi));
done:
    return st;
}

static double relative(double a, double b, double scale)
{
    return fabs(a - b) / fmax(fmax(fabs(a), fabs(b)), scale);
}

/* The smallest errors along xi over the steps 1e-1, 1e-2, ... */
static akin_status compare(probe *p, akin_ctx *ctx, const ak_objective *f,
                           ak_derivatives *least)
{
    const double J = f->value(f->self), noise = 1e-8 * fmax(1.0, fabs(J));
    double slope = 0.0, bend = 0.0, up = 0.0, down = 0.0, h = 1e-1;
    akin_status st = AKIN_OK;
    AK_TRY(ak_objective_inner(ctx, f, p->g, p->xi, &slope));
    AK_TRY(ak_objective_inner(ctx, f, p->xi, p->Hxi, &bend));
    *least = (ak_derivatives){INFINITY, INFINITY, 0.0};
    for (int i = 0; i < STEPS; ++i, h *= 0.1) {
        AK_TRY(ak_vector_add(ctx, f->size, h, p->xi, 0.0, p->step));
        AK_TRY(f->attempt(f->self, ctx, p->step, &up));
        AK_TRY(ak_vector_add(ctx, f->size, -h, p->xi, 0.0, p->step));
        AK_TRY(f->attempt(f->self, ctx, p->step, &down));
        least->gradient = fmin(least->gradient,
                               relative((up - down) / (2.0 * h), slope, noise));
        least->hessian =
            fmin(least->hessian,
                 relative((up - 2.0 * J + down) / (h * h), bend, noise));
    }
done:
    return st;
}

static akin_status symmetry(const probe *p, akin_ctx *ctx,
                            const ak_objective *f, double *error)
{
    double a = 0.0, b = 0.0, xx = 0.0, yy = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_objective_inner(ctx, f, p->eta, p->Hxi, &a));
    AK_TRY(ak_objective_inner(ctx, f, p->xi, p->Heta, &b));
    AK_TRY(ak_objective_inner(ctx, f, p->Hxi, p->Hxi, &xx));
    AK_TRY(ak_objective_inner(ctx, f, p->eta, p->eta, &yy));
    *error = relative(a, b, sqrt(xx) * sqrt(yy) + 1e-300);
done:
    return st;
}

akin_status ak_check_derivatives(akin_ctx *ctx, const ak_objective *f,
                                 ak_rng *rng, ak_derivatives *worst)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    probe p = {0};
    akin_status st = AKIN_OK;
    *worst = (ak_derivatives){0};
    AK_TRY(make_room(&p, ctx, f->size));
    AK_TRY(f->gradient(f->self, ctx, p.g));
    for (int i = 0; i < DIRECTIONS; ++i) {
        ak_derivatives one;
        double error = 0.0;
        AK_TRY(draw(&p, ctx, f, rng, p.xi));
        AK_TRY(draw(&p, ctx, f, rng, p.eta));
        AK_TRY(f->hessian(f->self, ctx, p.xi, p.Hxi));
        AK_TRY(f->hessian(f->self, ctx, p.eta, p.Heta));
        AK_TRY(symmetry(&p, ctx, f, &error));
        AK_TRY(compare(&p, ctx, f, &one));
        worst->gradient = fmax(worst->gradient, one.gradient);
        worst->hessian = fmax(worst->hessian, one.hessian);
        worst->symmetry = fmax(worst->symmetry, error);
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}
