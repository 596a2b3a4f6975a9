/* The solver on problems of its own: completion of a matrix of low rank, with
 * the exact Hessian, and a function on plain space.
 *
 *   J(W) = sum over the known (i, j) of (W_ij - T_ij)^2 / 2               */
#include <math.h>
#include <string.h>

#include "context.h"
#include "matrices.h"

#include "la/dense.h"
#include "opt/trust_region.h"

enum { M = 30, N = 20, K = 2, SEEDS = 5 };

static const ak_fixed_rank shape = {M, N, K};

typedef struct completion {
    double T[M * N];
    bool known[M * N];
    ak_fixed_point at, next;
    double value, value_next;
} completion;

static double residual(const completion *c, ak_fixed_point x, double *G)
{
    double sum = 0.0;
    dense_of(shape, x, x.s, NULL, G);
    for (int i = 0; i < M * N; ++i) {
        G[i] = c->known[i] ? G[i] - c->T[i] : 0.0;
        sum += 0.5 * G[i] * G[i];
    }
    return sum;
}

static double value(void *self)
{
    return ((completion *)self)->value;
}

static double norm(void *self)
{
    return ak_fixed_point_norm(shape, ((completion *)self)->at);
}

/* P_T(Z). */
static akin_status project(akin_ctx *c, ak_fixed_point x, const double *Z,
                           double *xi)
{
    double *Up = ak_tangent_Up(shape, xi), *Vp = ak_tangent_Vp(shape, xi);
    ak_gemm(c, false, false, M, K, N, 1.0, Z, N, x.V, K, 0.0, Up, K);
    ak_gemm(c, true, false, N, K, M, 1.0, Z, N, x.U, K, 0.0, Vp, K);
    ak_gemm(c, true, false, K, K, M, 1.0, x.U, K, Up, K, 0.0, xi, K);
    return ak_tangent_project(c, shape, x, xi);
}

static akin_status gradient(void *self, akin_ctx *c, double *g)
{
    completion *p = self;
    double G[M * N];
    residual(p, p->at, G);
    return project(c, p->at, G, g);
}

static akin_status hessian(void *self, akin_ctx *c, const double *xi,
                           double *out)
{
    completion *p = self;
    double G[M * N], D[M * N], VpS[N * K], UpS[M * K], more[(K + M + N) * K];
    residual(p, p->at, G);
    dense_of(shape, p->at, NULL, xi, D);
    for (int i = 0; i < M * N; ++i)
        D[i] = p->known[i] ? D[i] : 0.0;
    const akin_status st = project(c, p->at, D, out);
    for (int i = 0; i < M * K; ++i)
        UpS[i] = xi[K * K + i] / p->at.s[i % K];
    for (int i = 0; i < N * K; ++i)
        VpS[i] = xi[(K + M) * K + i] / p->at.s[i % K];
    memset(more, 0, sizeof more);
    ak_gemm(c, false, false, M, K, N, 1.0, G, N, VpS, K, 0.0,
            ak_tangent_Up(shape, more), K);
    ak_gemm(c, true, false, N, K, M, 1.0, G, N, UpS, K, 0.0,
            ak_tangent_Vp(shape, more), K);
    ak_tangent_project(c, shape, p->at, more);
    ak_axpy(ak_tangent_size(shape), 1.0, more, out);
    return st;
}

static akin_status attempt(void *self, akin_ctx *c, const double *step,
                           double *v)
{
    completion *p = self;
    double G[M * N];
    const akin_status st =
        ak_fixed_retract(c, shape, p->at, step, 0.0, p->next);
    *v = p->value_next = residual(p, p->next, G);
    return st;
}

static akin_status take(void *self, akin_ctx *c)
{
    completion *p = self;
    const ak_fixed_point was = p->at;
    (void)c;
    p->at = p->next;
    p->next = was;
    p->value = p->value_next;
    return AKIN_OK;
}

static akin_status random_tangent(void *self, akin_ctx *c, ak_rng *rng,
                                  double *xi)
{
    return ak_tangent_random(c, shape, ((completion *)self)->at, rng, xi);
}

static ak_objective begin(completion *p, uint64_t seed)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    double G[M * N];
    ak_fixed_point_new(&p->at, ctx, shape);
    ak_fixed_point_new(&p->next, ctx, shape);
    ak_fixed_point_random(p->next, ctx, shape, &rng);
    p->next.s[0] = 3.0;
    dense_of(shape, p->next, p->next.s, NULL, p->T);
    for (int i = 0; i < M * N; ++i)
        p->known[i] = ak_rng_unit(&rng) < 0.6;
    ak_fixed_point_random(p->at, ctx, shape, &rng);
    p->value = residual(p, p->at, G);
    return (ak_objective){.self = p,
                          .size = ak_tangent_size(shape),
                          .dim = (M + N - K) * K,
                          .value = value,
                          .norm = norm,
                          .gradient = gradient,
                          .hessian = hessian,
                          .attempt = attempt,
                          .accept = take,
                          .random = random_tangent};
}

static const ak_trust_options usual = {
    .tol = 1e-10, .max_iterations = 300, .radius = 1.0, .radius_max = 100.0};

/* The hidden entries come out, and the value falls all the way. */
static void a_matrix_is_completed(void **state)
{
    int found = 0;
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        completion p;
        ak_trust_info info;
        double W[M * N];
        const ak_objective f = begin(&p, seed);
        assert_int_equal(ak_trust_region(ctx, &f, &usual, &info), AKIN_OK);
        assert_int_equal(info.end, AK_TRUST_GRADIENT);
        assert_true(info.rise <= 1e-12);
        assert_true(info.iterations < 60);
        dense_of(shape, p.at, p.at.s, NULL, W);
        found += distance(M * N, W, p.T) < 1e-7;
    }
    assert_true(found >= SEEDS - 1);  // a start may lead elsewhere
}

static void derivatives_hold(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        completion p;
        ak_rng rng = ak_rng_new(seed, AK_STREAM_START);
        ak_derivatives worst;
        const ak_objective f = begin(&p, seed);
        const double before = p.value;
        assert_int_equal(ak_check_derivatives(ctx, &f, &rng, &worst), AKIN_OK);
        assert_true(worst.gradient < 1e-7);
        assert_true(worst.hessian < 1e-4);
        assert_true(worst.symmetry < 1e-13);
        assert_true(p.value == before);
    }
}

/* A gradient or Hessian that is wrong is told. */
static akin_status wrong_gradient(void *self, akin_ctx *c, double *g)
{
    const akin_status st = gradient(self, c, g);
    for (int64_t i = 0; i < ak_tangent_size(shape); ++i)
        g[i] *= 1.01;
    return st;
}

static akin_status wrong_hessian(void *self, akin_ctx *c, const double *xi,
                                 double *out)
{
    const akin_status st = hessian(self, c, xi, out);
    out[1] += 0.1 * xi[0];
    return st;
}

static void wrong_derivatives_are_reported(void **state)
{
    completion p;
    ak_rng rng = ak_rng_new(1, AK_STREAM_START);
    ak_derivatives worst;
    ak_objective f = begin(&p, 1);
    (void)state;
    f.gradient = wrong_gradient;
    f.hessian = wrong_hessian;
    assert_int_equal(ak_check_derivatives(ctx, &f, &rng, &worst), AKIN_OK);
    assert_true(worst.gradient > 1e-3);
    assert_true(worst.symmetry > 1e-6);
}

/* Plain space with an inner product of its own: Rosenbrock's valley. */
typedef struct valley {
    double x[2], next[2];
} valley;

static double height(const double *x)
{
    const double a = x[1] - x[0] * x[0], b = 1.0 - x[0];
    return 100.0 * a * a + b * b;
}

static double valley_value(void *self)
{
    return height(((valley *)self)->x);
}

static double valley_norm(void *self)
{
    return hypot(((valley *)self)->x[0], ((valley *)self)->x[1]);
}

/* <a, b> = 4 a_0 b_0 + a_1 b_1, so gradients are divided by 4 and 1. */
static akin_status valley_inner(void *self, akin_ctx *c, const double *a,
                                const double *b, double *product)
{
    (void)self;
    (void)c;
    *product = 4.0 * a[0] * b[0] + a[1] * b[1];
    return AKIN_OK;
}

static akin_status valley_gradient(void *self, akin_ctx *c, double *g)
{
    const double *x = ((valley *)self)->x;
    const double a = x[1] - x[0] * x[0];
    (void)c;
    g[0] = (-400.0 * a * x[0] - 2.0 * (1.0 - x[0])) / 4.0;
    g[1] = 200.0 * a;
    return AKIN_OK;
}

static akin_status valley_hessian(void *self, akin_ctx *c, const double *xi,
                                  double *out)
{
    const double *x = ((valley *)self)->x;
    const double xx = 1200.0 * x[0] * x[0] - 400.0 * x[1] + 2.0;
    (void)c;
    out[0] = (xx * xi[0] - 400.0 * x[0] * xi[1]) / 4.0;
    out[1] = -400.0 * x[0] * xi[0] + 200.0 * xi[1];
    return AKIN_OK;
}

static akin_status valley_attempt(void *self, akin_ctx *c, const double *step,
                                  double *v)
{
    valley *p = self;
    (void)c;
    for (int i = 0; i < 2; ++i)
        p->next[i] = p->x[i] + step[i];
    *v = height(p->next);
    return AKIN_OK;
}

static akin_status valley_accept(void *self, akin_ctx *c)
{
    valley *p = self;
    (void)c;
    memcpy(p->x, p->next, sizeof p->x);
    return AKIN_OK;
}

static void a_valley_is_descended(void **state)
{
    valley p = {{-1.2, 1.0}, {0}};
    ak_trust_info info;
    const ak_objective f = {.self = &p,
                            .size = 2,
                            .dim = 2,
                            .value = valley_value,
                            .norm = valley_norm,
                            .gradient = valley_gradient,
                            .hessian = valley_hessian,
                            .attempt = valley_attempt,
                            .accept = valley_accept,
                            .inner = valley_inner};
    (void)state;
    assert_int_equal(ak_trust_region(ctx, &f, &usual, &info), AKIN_OK);
    assert_int_equal(info.end, AK_TRUST_GRADIENT);
    assert_true(fabs(p.x[0] - 1.0) < 1e-8 && fabs(p.x[1] - 1.0) < 1e-8);
    assert_true(info.rejected > 0);  // the valley bends
}

/* The limit is an end like another; so is a start that is stationary. */
static void limits_are_kept(void **state)
{
    completion p;
    ak_trust_options o = usual;
    ak_trust_info info;
    const ak_objective f = begin(&p, 2);
    (void)state;
    o.max_iterations = 3;
    assert_int_equal(ak_trust_region(ctx, &f, &o, &info), AKIN_OK);
    assert_int_equal(info.end, AK_TRUST_LIMIT);
    assert_int_equal(info.iterations, 3);
    o.max_iterations = 300;
    assert_int_equal(ak_trust_region(ctx, &f, &o, &info), AKIN_OK);
    assert_int_equal(ak_trust_region(ctx, &f, &o, &info), AKIN_OK);
    assert_int_equal(info.iterations, 0);
    assert_int_equal(info.end, AK_TRUST_GRADIENT);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        CONTEXT_CASE(a_matrix_is_completed),
        CONTEXT_CASE(derivatives_hold),
        CONTEXT_CASE(wrong_derivatives_are_reported),
        CONTEXT_CASE(a_valley_is_descended),
        CONTEXT_CASE(limits_are_kept),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
