/* Limited-memory BFGS.
 *   [1] Nocedal, Wright. Numerical optimization, algorithm 7.4. Springer, 2006.
 *   [2] Lewis, Overton. Nonsmooth optimization via quasi-Newton methods.
 *       Mathematical Programming 141:135-163, 2013.
 *
 * A step t along the direction p from x is taken when, with s = g(x)'p,
 *
 *   f(x + t p) <= f(x) + A t s                                (1)
 *   g(x + t p)'p >= B s                                       (2)
 *
 * found by doubling and halving [2]; (2) keeps the pairs of steps and changes
 * of the gradient positive, so that every direction goes downhill. */
#include "opt/lbfgs.h"

#include <math.h>
#include <string.h>

#include "base/checkpoint.h"
#include "la/dense.h"

#define A 1e-4
#define B 0.5

enum { MEMORY = 12, WINDOW = 10, MOST_TRIES = 50 };

typedef struct work {
    ak_lbfgs *o;
    ak_value_fn fn;
    void *arg;
    double *g, *p, *x_next, *g_next;  // n
    double *S, *Y;                    // MEMORY x n, a ring
    double rho[MEMORY];
    int64_t kept;           // pairs ever stored
    double recent[WINDOW];  // values, a ring
    double first;           // length of the gradient at the start
} work;

static akin_status make_room(work *w, akin_ctx *ctx, int64_t n)
{
    double **const vectors[] = {&w->g, &w->p, &w->x_next, &w->g_next};
    for (int i = 0; i < 4; ++i)
        AK_CHECK(AK_SCRATCH(ctx, n, vectors[i]));
    return AK_SCRATCH_EACH(ctx, MEMORY * n, &w->S, &w->Y);
}

static void scale(int64_t n, double a, double *x)
{
    for (int64_t i = 0; i < n; ++i)
        x[i] *= a;
}

/* p = -H g, two loops over the pairs [1]. */
static void direction(work *w, int64_t n, const double *x)
{
    const int64_t first = w->kept > MEMORY ? w->kept - MEMORY : 0;
    double alpha[MEMORY];
    memcpy(w->p, w->g, (size_t)n * sizeof *w->p);
    for (int64_t k = w->kept - 1; k >= first; --k) {
        const int64_t i = k % MEMORY;
        alpha[i] = w->rho[i] * ak_dot(n, w->S + i * n, w->p);
        ak_axpy(n, -alpha[i], w->Y + i * n, w->p);
    }
    if (w->kept > 0) {
        const double *y = w->Y + (w->kept - 1) % MEMORY * n;
        scale(n, 1.0 / (w->rho[(w->kept - 1) % MEMORY] * ak_dot(n, y, y)),
              w->p);
    } else {  // a tenth of the way to the origin, as far as sizes go
        const double g = sqrt(ak_dot(n, w->g, w->g));
        const double size = sqrt(ak_dot(n, x, x));
        scale(n, g > 0.0 ? 0.1 * (size > 0.0 ? size : 1.0) / g : 0.0, w->p);
    }
    for (int64_t k = first; k < w->kept; ++k) {
        const int64_t i = k % MEMORY;
        const double beta = w->rho[i] * ak_dot(n, w->Y + i * n, w->p);
        ak_axpy(n, alpha[i] - beta, w->S + i * n, w->p);
    }
    scale(n, -1.0, w->p);
}

/* x_next, g_next and *value of a step that (1) and (2) allow; *t is 0 when
 * there is none. */
static akin_status search(ak_lbfgs *o, akin_ctx *ctx, work *w, double *t,
                          double *value)
{
    const double slope = ak_dot(o->n, w->g, w->p);
    double low = 0.0, high = INFINITY;
    *t = slope < 0.0 ? 1.0 : 0.0;
    for (int i = 0; i<MOST_TRIES && * t> 0.0; ++i) {
        memcpy(w->x_next, o->x, (size_t)o->n * sizeof *o->x);
        ak_axpy(o->n, *t, w->p, w->x_next);
        AK_CHECK(w->fn(w->arg, ctx, w->x_next, value, w->g_next));
        if (!(*value <= o->value + A * *t * slope))
            high = *t;
        else if (ak_dot(o->n, w->g_next, w->p) < B * slope)
            low = *t;
        else
            return AKIN_OK;
        *t = isinf(high) ? 2.0 * *t : 0.5 * (low + high);
    }
    *t = 0.0;
    return AKIN_OK;
}

/* Keep the pair of step and change, and go there. */
static void advance(ak_lbfgs *o, work *w, double value)
{
    const int64_t n = o->n, at = w->kept % MEMORY;
    double *s = w->S + at * n, *y = w->Y + at * n, *swap = w->g;
    for (int64_t i = 0; i < n; ++i) {
        s[i] = w->x_next[i] - o->x[i];
        y[i] = w->g_next[i] - w->g[i];
    }
    const double sy = ak_dot(n, s, y);
    if (sy > 0.0) {
        w->rho[at] = 1.0 / sy;
        ++w->kept;
    }
    memcpy(o->x, w->x_next, (size_t)n * sizeof *o->x);
    w->g = w->g_next;
    w->g_next = swap;
    o->value = value;
}

/* The state after an iteration. */
static akin_status visit(void *self, akin_ctx *ctx, ak_state *s)
{
    work *w = self;
    ak_lbfgs *o = w->o;
    AK_CHECK(ak_state_i64(s, ctx, "iterations", &o->iterations, 1,
                          o->max_iterations));
    AK_CHECK(ak_state_i64(s, ctx, "kept", &w->kept, 0, o->iterations));
    AK_CHECK(ak_state_f64(s, ctx, "x", o->n, o->x));
    AK_CHECK(ak_state_f64(s, ctx, "g", o->n, w->g));
    AK_CHECK(ak_state_f64(s, ctx, "S", MEMORY * o->n, w->S));
    AK_CHECK(ak_state_f64(s, ctx, "Y", MEMORY * o->n, w->Y));
    AK_CHECK(ak_state_f64(s, ctx, "rho", MEMORY, w->rho));
    AK_CHECK(ak_state_f64(s, ctx, "recent", WINDOW, w->recent));
    AK_CHECK(ak_state_f64(s, ctx, "value", 1, &o->value));
    AK_CHECK(ak_state_f64(s, ctx, "gradient", 1, &o->gradient));
    return ak_state_f64(s, ctx, "first", 1, &w->first);
}

/* The value and the gradient at the start. */
static akin_status start(work *w, akin_ctx *ctx)
{
    ak_lbfgs *o = w->o;
    AK_CHECK(w->fn(w->arg, ctx, o->x, &o->value, w->g));
    if (!isfinite(o->value))
        return ak_fail(ctx, AKIN_ENUMERIC,
                       "the objective is not finite at the start");
    w->first = sqrt(ak_dot(o->n, w->g, w->g));
    o->gradient = w->first > 0.0 ? 1.0 : 0.0;
    return AKIN_OK;
}

akin_status ak_lbfgs_run(ak_lbfgs *o, akin_ctx *ctx, ak_value_fn fn, void *arg)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    work w = {.o = o, .fn = fn, .arg = arg};
    ak_section section = {"lbfgs", visit, &w, NULL};
    double t, value;
    bool continued;
    akin_status st = AKIN_OK;
    o->iterations = 0;
    o->converged = false;
    AK_TRY(make_room(&w, ctx, o->n));
    AK_TRY(ak_section_enter(ctx, &section, &continued));
    if (!continued)
        AK_TRY(start(&w, ctx));
    AK_TRY(ak_ctx_tick(ctx, "iterations", o->iterations, 0, o->value));
    while (o->iterations < o->max_iterations && !ak_ctx_stopped(ctx)) {
        const int64_t at = o->iterations % WINDOW;
        o->converged = o->gradient <= o->gradient_tol;
        if (o->iterations >= WINDOW)
            o->converged |= w.recent[at] - o->value <= o->tol * fabs(o->value);
        w.recent[at] = o->value;
        if (o->converged)
            break;
        direction(&w, o->n, o->x);
        AK_TRY(search(o, ctx, &w, &t, &value));
        o->converged = t == 0.0;  // nothing is gained any more
        if (o->converged)
            break;
        advance(o, &w, value);
        o->gradient = sqrt(ak_dot(o->n, w.g, w.g)) / w.first;
        AK_TRY(ak_ctx_step(ctx, "iterations", ++o->iterations,
                           o->max_iterations, o->value));
        AK_TRY(ak_section_step(ctx));
    }
done:
    ak_section_leave(ctx, &section);
    ak_scratch_end(ctx, mark);
    return st;
}
