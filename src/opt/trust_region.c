/* Riemannian trust regions.
 *   [1] Absil, Mahony, Sepulchre. Optimization algorithms on matrix manifolds.
 *       Princeton, 2008, Algorithm 10.
 *
 *   m(z)  = J + <g, z> + <z, H z> / 2                                    (1)
 *   rho   = (J - J(R(z)) + e) / (m(0) - m(z) + e)                        (2)
 *   e     = 1000 eps max(|J|, |J_0| / 1000)
 *
 * Without e the last steps, whose progress is below rounding, would be
 * rejected. A run with a tolerance below rounding ends by STALL. (1) is solved
 * to |r| <= |g| min(0.1, |g| / |g_0|), which makes convergence superlinear, and
 * not beyond the tolerance of the run. The fall predicted by the last step
 * bounds what is left to gain. */
#include "opt/trust_region.h"

#include <float.h>
#include <math.h>

#include "base/checkpoint.h"
#include "la/tall.h"

/* Iterations in a row that neither lower J beyond rounding nor halve the
 * gradient. */
enum { STALL = 10 };

enum { DIRECTIONS = 3, STEPS = 6 };  // of a check of derivatives

/* ---- truncated conjugate gradients -----------------------------------------
 *
 *   [2] Steihaug. The conjugate gradient method and trust regions in large
 *       scale optimization. SIAM J. Numer. Anal. 20(3):626-637, 1983; [1],
 *       Algorithm 11.
 *
 * |z|^2, <z, p> and |p|^2 follow by recurrence; H z = r - g needs no array. */

/* How a solution of the trust-region model ended. */
typedef enum { TCG_INSIDE, TCG_BOUNDARY, TCG_CURVATURE, TCG_LIMIT } tcg_end;

typedef struct tcg {
    double radius;  // of the model
    double kappa;   // |r| <= kappa |g| is enough,
    double enough;  // and so is |r| <= enough
    double *z;      // the step
    double *r;      // g + H z
    double *p, *Hp;
    int64_t products;
    tcg_end end;
} tcg;

static akin_status inner_product(akin_ctx *ctx, const ak_objective *f,
                                 const double *a, const double *b,
                                 double *product)
{
    return f->inner ? f->inner(f->self, ctx, a, b, product)
                    : ak_vector_dot(ctx, f->size, a, b, product);
}

/* z += a p and r += a H p. */
static akin_status move(tcg *t, akin_ctx *ctx, int64_t size, double a)
{
    AK_CHECK(ak_vector_add(ctx, size, a, t->p, 1.0, t->z));
    return ak_vector_add(ctx, size, a, t->Hp, 1.0, t->r);
}

/* Minimise <g, z> + <z, H z> / 2 over |z| <= radius, roughly. */
static akin_status solve_model(tcg *t, akin_ctx *ctx, const ak_objective *f,
                               const double *g)
{
    const int64_t n = f->size;
    const double radius2 = t->radius * t->radius;
    double zz = 0.0, zp = 0.0, pp = 0.0, rr = 0.0, pHp = 0.0, next = 0.0;
    t->end = TCG_LIMIT;
    AK_CHECK(ak_vector_add(ctx, n, 0.0, g, 0.0, t->z));
    AK_CHECK(ak_vector_add(ctx, n, 1.0, g, 0.0, t->r));
    AK_CHECK(ak_vector_add(ctx, n, -1.0, g, 0.0, t->p));
    AK_CHECK(inner_product(ctx, f, t->r, t->r, &rr));
    pp = rr;
    const double goal = fmax(t->kappa * sqrt(rr), t->enough);
    for (int64_t j = 0; j < f->dim && rr > 0.0; ++j) {
        AK_CHECK(f->hessian(f->self, ctx, t->p, t->Hp));
        ++t->products;
        AK_CHECK(inner_product(ctx, f, t->p, t->Hp, &pHp));
        const double a = pHp > 0.0 ? rr / pHp : 0.0;
        const double zz_next = zz + 2.0 * a * zp + a * a * pp;
        if (!(pHp > 0.0) || zz_next >= radius2) {
            const double root = zp * zp + pp * (radius2 - zz);
            t->end = pHp > 0.0 ? TCG_BOUNDARY : TCG_CURVATURE;
            AK_CHECK(move(t, ctx, n, (sqrt(fmax(root, 0.0)) - zp) / pp));
            break;
        }
        AK_CHECK(move(t, ctx, n, a));
        AK_CHECK(inner_product(ctx, f, t->r, t->r, &next));
        if (sqrt(next) <= goal) {
            t->end = TCG_INSIDE;
            break;
        }
        const double b = next / rr;
        AK_CHECK(ak_vector_add(ctx, n, -1.0, t->r, b, t->p));
        zz = zz_next;
        zp = b * (zp + a * pp);
        pp = next + b * b * pp;
        rr = next;
    }
    return AKIN_OK;
}

/* ---- trust regions ------------------------------------------------------- */

typedef struct run {
    const ak_objective *f;
    const ak_trust_options *o;
    ak_trust_info *info;
    tcg tcg;
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
    return AK_SCRATCH_EACH(ctx, n, &s->g, &s->tcg.z, &s->tcg.r, &s->tcg.p,
                           &s->tcg.Hp);
}

static akin_status take_gradient(run *s, akin_ctx *ctx)
{
    double gg = 0.0;
    AK_CHECK(s->f->gradient(s->f->self, ctx, s->g));
    AK_CHECK(inner_product(ctx, s->f, s->g, s->g, &gg));
    s->info->gradient = sqrt(gg);
    return AKIN_OK;
}

/* m(0) - m(z) = -(<g, z> + <z, r - g> / 2) = -<z, g + r> / 2. */
static akin_status predicted(run *s, akin_ctx *ctx, double *fall)
{
    double gz = 0.0, rz = 0.0;
    AK_CHECK(inner_product(ctx, s->f, s->g, s->tcg.z, &gz));
    AK_CHECK(inner_product(ctx, s->f, s->tcg.r, s->tcg.z, &rz));
    *fall = -0.5 * (gz + rz);
    return AKIN_OK;
}

/* The radius that rho asks for. */
static void resize(run *s, double rho)
{
    const bool edge = s->tcg.end == TCG_BOUNDARY || s->tcg.end == TCG_CURVATURE;
    if (!(rho >= 0.25))
        s->radius *= 0.25;
    else if (rho > 0.75 && edge)
        s->radius = fmin(2.0 * s->radius, s->o->radius_max);
}

static akin_status iterate(run *s, akin_ctx *ctx)
{
    ak_trust_info *info = s->info;
    double value = 0.0;
    s->tcg.radius = s->radius;
    s->tcg.kappa = fmin(0.1, info->gradient / info->gradient_first);
    s->tcg.enough = 0.3 * fmin(s->stop, info->gradient);
    AK_CHECK(solve_model(&s->tcg, ctx, s->f, s->g));
    AK_CHECK(predicted(s, ctx, &s->fall));
    AK_CHECK(s->f->attempt(s->f->self, ctx, s->tcg.z, &value));
    const double e = 1e3 * DBL_EPSILON *
                     fmax(fabs(info->value), 1e-3 * s->scale);
    const double rho = (info->value - value + e) / (s->fall + e);
    resize(s, rho);
    if (rho > 0.1 && info->value - value >= -e) {
        AK_CHECK(s->f->accept(s->f->self, ctx));
        info->rise = fmax(info->rise, value - info->value);
        info->value = value;
        AK_CHECK(take_gradient(s, ctx));
    } else {
        ++info->rejected;
    }
    ++info->iterations;
    return AKIN_OK;
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

/* The state after an iteration; whoever provides `f` has the point. */
static akin_status visit(void *self, akin_ctx *ctx, ak_state *s)
{
    run *r = self;
    ak_trust_info *info = r->info;
    const struct {
        const char *name;
        double *x;
    } all[] = {{"radius", &r->radius},
               {"scale", &r->scale},
               {"fall", &r->fall},
               {"best_value", &r->value},
               {"best_gradient", &r->gradient},
               {"value", &info->value},
               {"gradient_first", &info->gradient_first},
               {"rise", &info->rise}};
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i)
        AK_CHECK(ak_state_f64(s, ctx, all[i].name, 1, all[i].x));
    AK_CHECK(ak_state_i64(s, ctx, "iterations", &info->iterations, 1,
                          r->o->max_iterations - r->o->before));
    AK_CHECK(
        ak_state_i64(s, ctx, "rejected", &info->rejected, 0, info->iterations));
    AK_CHECK(ak_state_i64(s, ctx, "products", &r->tcg.products, 0,
                          INT64_C(1) << 53));
    return ak_state_i64(s, ctx, "idle", &r->idle, 0, info->iterations);
}

/* What follows from the value and the gradient at the start. */
static akin_status start(run *s, akin_ctx *ctx)
{
    ak_trust_info *info = s->info;
    info->gradient_first = s->o->first > 0.0 ? s->o->first : info->gradient;
    s->gradient = info->gradient;
    s->value = info->value;
    s->scale = fabs(info->value);
    if (!isfinite(info->value) || !isfinite(info->gradient))
        return ak_fail(ctx, AKIN_ENUMERIC,
                       "the objective is not finite at the start");
    return AKIN_OK;
}

akin_status ak_trust_region(akin_ctx *ctx, const ak_objective *f,
                            const ak_trust_options *o, ak_trust_info *info)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    run s = {
        .f = f, .o = o, .info = info, .radius = o->radius, .fall = INFINITY};
    ak_section section = {"trust_region", visit, &s, NULL};
    bool continued;
    akin_status st = AKIN_OK;
    *info = (ak_trust_info){.end = AK_TRUST_LIMIT, .value = f->value(f->self)};
    AK_TRY(make_room(&s, ctx));
    AK_TRY(take_gradient(&s, ctx));
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    if (!continued)
        AK_TRY(start(&s, ctx));
    s.stop = o->tol * (o->relative ? info->gradient_first
                                   : fmax(1.0, info->gradient_first));
    while (!is_done(&s) && o->before + info->iterations < o->max_iterations &&
           !ak_ctx_stopped(ctx)) {
        const int64_t rejected = info->rejected;
        AK_TRY(iterate(&s, ctx));
        AK_TRY(ak_ctx_step(ctx, "iterations", o->before + info->iterations,
                           o->max_iterations, info->value));
        const bool stalled = is_stalled(&s);
        if (info->rejected > rejected
                ? s.radius < 1e-14 * fmax(1.0, f->norm(f->self))
                : stalled) {
            info->end = AK_TRUST_RADIUS;
            break;
        }
        AK_TRY(ak_section_step(ctx));
    }
    if (info->gradient <= s.stop)
        info->end = AK_TRUST_GRADIENT;
done:
    info->products = s.tcg.products;
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- derivatives against differences ---------------------------------------
 *
 * With a retraction of second order
 *
 *   J(R(h xi)) = J + h <g, xi> + h^2 <xi, H xi> / 2 + O(h^3)             (3)
 *
 * so the two differences of J along +-h xi give both products. The best step
 * depends on J; the smallest error over a range of them is reported. */

typedef struct probe {
    double *g, *xi, *eta, *Hxi, *Heta, *step;
} probe;

static akin_status make_probe(probe *p, akin_ctx *ctx, int64_t n)
{
    return AK_SCRATCH_EACH(ctx, n, &p->g, &p->xi, &p->eta, &p->Hxi, &p->Heta,
                           &p->step);
}

/* A tangent vector as long as the point, or 1. */
static akin_status draw(probe *p, akin_ctx *ctx, const ak_objective *f,
                        ak_rng *rng, double *xi)
{
    double xx = 0.0;
    AK_CHECK(f->random(f->self, ctx, rng, p->step));
    AK_CHECK(inner_product(ctx, f, p->step, p->step, &xx));
    const double length = fmax(1.0, f->norm(f->self));
    return ak_vector_add(ctx, f->size, xx > 0.0 ? length / sqrt(xx) : 0.0,
                         p->step, 0.0, xi);
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
    AK_CHECK(inner_product(ctx, f, p->g, p->xi, &slope));
    AK_CHECK(inner_product(ctx, f, p->xi, p->Hxi, &bend));
    *least = (ak_derivatives){INFINITY, INFINITY, 0.0};
    for (int i = 0; i < STEPS; ++i, h *= 0.1) {
        AK_CHECK(ak_vector_add(ctx, f->size, h, p->xi, 0.0, p->step));
        AK_CHECK(f->attempt(f->self, ctx, p->step, &up));
        AK_CHECK(ak_vector_add(ctx, f->size, -h, p->xi, 0.0, p->step));
        AK_CHECK(f->attempt(f->self, ctx, p->step, &down));
        least->gradient = fmin(least->gradient,
                               relative((up - down) / (2.0 * h), slope, noise));
        least->hessian =
            fmin(least->hessian,
                 relative((up - 2.0 * J + down) / (h * h), bend, noise));
    }
    return AKIN_OK;
}

static akin_status symmetry(const probe *p, akin_ctx *ctx,
                            const ak_objective *f, double *error)
{
    double a = 0.0, b = 0.0, xx = 0.0, yy = 0.0;
    AK_CHECK(inner_product(ctx, f, p->eta, p->Hxi, &a));
    AK_CHECK(inner_product(ctx, f, p->xi, p->Heta, &b));
    AK_CHECK(inner_product(ctx, f, p->Hxi, p->Hxi, &xx));
    AK_CHECK(inner_product(ctx, f, p->eta, p->eta, &yy));
    *error = relative(a, b, sqrt(xx) * sqrt(yy) + 1e-300);
    return AKIN_OK;
}

akin_status ak_check_derivatives(akin_ctx *ctx, const ak_objective *f,
                                 ak_rng *rng, ak_derivatives *worst)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    probe p = {0};
    akin_status st = AKIN_OK;
    *worst = (ak_derivatives){0};
    AK_TRY(make_probe(&p, ctx, f->size));
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
