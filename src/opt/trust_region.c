/* Riemannian trust regions.
 *   [1] Absil, Mahony, Sepulchre. Optimization algorithms on matrix manifolds.
 *       Princeton, 2008, Algorithm 10.
 *
 *   m(z)  = J + <g, z> + <z, H z> / 2                                    (1)
 *   rho   = (J - J(R(z)) + e) / (m(0) - m(z) + e)                        (2)
 *   e     = 1000 eps max(|J|, |J_0| / 1000)
 *
 * Without e the last steps, whose progress is below rounding, are refused. A
 * run that asks for more than rounding gives ends as STALL says.
 * (1) is solved to |r| <= |g| min(0.1, |g| / |g_0|), which makes the end
 * superlinear, and never beyond what the run asks for. As it is, what the last
 * step promised bounds what is still to be gained. */
#include "opt/trust_region.h"

#include <float.h>
#include <math.h>

#include "opt/vectors.h"

/* Iterations in a row that neither lower J beyond rounding nor halve the
 * gradient. */
enum { STALL = 10 };

typedef struct run {
    const ak_objective *f;
    const ak_trust_options *o;
    ak_trust_info *info;
    ak_tcg tcg;
    double *g;
    double radius, stop;
    double scale;            // |J_0|
    double fall;             // m(0) - m(z) of the last step
    double value, gradient;  // at the last iteration that brought anything
    int64_t idle;            // iterations since
} run;

static akin_status make_room(run *s, akin_ctx *ctx)
{
    const int64_t n = s->f->size;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n, &s->g));
    AK_TRY(AK_SCRATCH(ctx, n, &s->tcg.z));
    AK_TRY(AK_SCRATCH(ctx, n, &s->tcg.r));
    AK_TRY(AK_SCRATCH(ctx, n, &s->tcg.p));
    AK_TRY(AK_SCRATCH(ctx, n, &s->tcg.Hp));
done:
    return st;
}

static akin_status take_gradient(run *s, akin_ctx *ctx)
{
    double gg = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(s->f->gradient(s->f->self, ctx, s->g));
    AK_TRY(ak_objective_inner(ctx, s->f, s->g, s->g, &gg));
    s->info->gradient = sqrt(gg);
done:
    return st;
}

/* m(0) - m(z) = -(<g, z> + <z, r - g> / 2) = -<z, g + r> / 2. */
static akin_status predicted(run *s, akin_ctx *ctx, double *fall)
{
    double gz = 0.0, rz = 0.0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_objective_inner(ctx, s->f, s->g, s->tcg.z, &gz));
    AK_TRY(ak_objective_inner(ctx, s->f, s->tcg.r, s->tcg.z, &rz));
    *fall = -0.5 * (gz + rz);
done:
    return st;
}

/* The radius that rho asks for. */
static void resize(run *s, double rho)
{
    const bool edge = s->tcg.end == AK_TCG_BOUNDARY ||
                      s->tcg.end == AK_TCG_CURVATURE;
    if (!(rho >= 0.25))
        s->radius *= 0.25;
    else if (rho > 0.75 && edge)
        s->radius = fmin(2.0 * s->radius, s->o->radius_max);
}

static akin_status iterate(run *s, akin_ctx *ctx)
{
    ak_trust_info *info = s->info;
    double value = 0.0;
    akin_status st = AKIN_OK;
    s->tcg.radius = s->radius;
    s->tcg.kappa = fmin(0.1, info->gradient / info->gradient_first);
    s->tcg.enough = 0.3 * fmin(s->stop, info->gradient);
    AK_TRY(ak_tcg_solve(&s->tcg, ctx, s->f, s->g));
    AK_TRY(predicted(s, ctx, &s->fall));
    AK_TRY(s->f->attempt(s->f->self, ctx, s->tcg.z, &value));
    const double e = 1e3 * DBL_EPSILON *
                     fmax(fabs(info->value), 1e-3 * s->scale);
    const double rho = (info->value - value + e) / (s->fall + e);
    resize(s, rho);
    if (rho > 0.1 && info->value - value >= -e) {
        AK_TRY(s->f->accept(s->f->self, ctx));
        info->rise = fmax(info->rise, value - info->value);
        info->value = value;
        AK_TRY(take_gradient(s, ctx));
    } else {
        ++info->rejected;
    }
    ++info->iterations;
done:
    return st;
}

static bool is_stalled(run *s)
{
    const ak_trust_info *info = s->info;
    ++s->idle;
    if (s->value - info->value > 8.0 * DBL_EPSILON * fabs(info->value) ||
        info->gradient <= 0.5 * s->gradient) {
        s->value = info->value;
        s->gradient = info->gradient;
        s->idle = 0;
    }
    return s->idle >= STALL;
}

static bool is_done(const run *s)
{
    return s->info->gradient <= s->stop &&
           (s->o->fall == 0.0 || s->info->gradient == 0.0 ||
            s->fall <= s->o->fall * fabs(s->info->value));
}

akin_status ak_trust_region(akin_ctx *ctx, const ak_objective *f,
                            const ak_trust_options *o, ak_trust_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    run s = {
        .f = f, .o = o, .info = info, .radius = o->radius, .fall = INFINITY};
    akin_status st = AKIN_OK;
    *info = (ak_trust_info){.end = AK_TRUST_LIMIT, .value = f->value(f->self)};
    AK_TRY(make_room(&s, ctx));
    AK_TRY(take_gradient(&s, ctx));
    info->gradient_first = s.gradient = info->gradient;
    s.value = info->value;
    s.scale = fabs(info->value);
    if (!isfinite(info->value) || !isfinite(info->gradient))
        AK_TRY(ak_fail(ctx, AKIN_ENUMERIC,
                       "the objective is not finite where it begins"));
    s.stop = o->tol *
             (o->relative ? info->gradient : fmax(1.0, info->gradient));
    while (!is_done(&s) && info->iterations < o->max_iterations &&
           !ak_ctx_stopped(ctx)) {
        const int64_t rejected = info->rejected;
        AK_TRY(iterate(&s, ctx));
        AK_TRY(ak_ctx_step(ctx, "iterations", info->iterations,
                           o->max_iterations, info->value));
        const bool stalled = is_stalled(&s);
        if (info->rejected > rejected
                ? s.radius < 1e-14 * fmax(1.0, f->norm(f->self))
                : stalled) {
            info->end = AK_TRUST_RADIUS;
            break;
        }
    }
    if (info->gradient <= s.stop)
        info->end = AK_TRUST_GRADIENT;
done:
    info->products = s.tcg.products;
    ak_scratch_end(ctx, mark);
    return st;
}
