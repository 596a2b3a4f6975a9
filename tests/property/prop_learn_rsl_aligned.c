/* rsl on aligned pairs: the same as a list, whatever the threads,
 * and its end is one that another solver does not improve on. */
#include <math.h>
#include <string.h>

#include "context.h"

#include "la/dense.h"
#include "learn/cross/rsl.h"
#include "opt/lbfgs.h"

enum { N = 1000, DL = 9, DR = 13, K = 3, SMALL = 150 };

typedef struct sample {
    int64_t n;
    akin_rows *rows[2];
    int64_t which[N], numbers[3 * N];
} sample;

/* x'W y of planted rank K decides, with noise; means are not zero. */
static void make(sample *s, uint64_t seed, int64_t n)
{
    static const int64_t d[2] = {DL, DR};
    static float x[2][N * DR];
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    s->n = n;
    for (int side = 0; side < 2; ++side) {
        for (int64_t i = 0; i < n * d[side]; ++i)
            x[side][i] = (float)(0.3 + ak_rng_normal(&rng));
        assert_int_equal(
            akin_rows_new_dense(&s->rows[side], ctx, n, d[side], x[side]),
            AKIN_OK);
    }
    for (int64_t i = 0; i < n; ++i) {
        double f = ak_rng_normal(&rng);
        for (int64_t c = 0; c < K; ++c)
            f += (double)x[0][i * DL + c] * (double)x[1][i * DR + 2 * c];
        s->which[i] = s->numbers[3 * i] = s->numbers[3 * i + 1] = i;
        s->numbers[3 * i + 2] = f > 0.0 ? 1 : -1;
    }
}

static void drop(sample *s)
{
    akin_rows_free(s->rows[0]);
    akin_rows_free(s->rows[1]);
}

static void begin(ak_rsl *p, const sample *s, int64_t k, bool centred)
{
    const double weight[2] = {0.7 / (double)s->n, 1.3 / (double)s->n};
    for (int side = 0; side < 2; ++side) {
        ak_rsl_side_rows(&p->side[side], ctx, s->rows[side], s->which, s->n);
        if (centred) {
            ak_rsl_side_center(&p->side[side], ctx);
            ak_rsl_side_scale(&p->side[side]);
        }
    }
    p->shape = (ak_fixed_rank){DL, DR, k};
    assert_int_equal(
        ak_rsl_list(&p->pairs, ctx, s->n, s->n, s->numbers, s->n, weight),
        AKIN_OK);
    assert_int_equal(ak_rsl_begin(p, ctx), AKIN_OK);
    assert_true(p->aligned);
}

/* Value, gradient, Hessian times it, and the spectral start's s. */
static void figures(ak_rsl *p, double *out)
{
    const ak_objective J = ak_rsl_objective(p);
    ak_rng rng = ak_rng_new(5, AK_STREAM_START);
    assert_int_equal(ak_rsl_random(p, ctx, &rng), AKIN_OK);
    out[0] = p->now.value;
    assert_int_equal(J.gradient(p, ctx, out + 1), AKIN_OK);
    assert_int_equal(J.hessian(p, ctx, out + 1, out + 1 + J.size), AKIN_OK);
    assert_int_equal(ak_rsl_spectral(p, ctx, &rng), AKIN_OK);
    memcpy(out + 1 + 2 * J.size, p->now.x.s,
           (size_t)p->shape.k * sizeof *p->now.x.s);
}

static void aligned_pairs_are_a_list(void **state)
{
    static const int64_t ranks[] = {1, 3, 7, 9};
    double got[600], want[600];
    (void)state;
    for (uint64_t way = 0; way < 24; ++way) {
        const ak_mark mark = ak_scratch_begin(ctx);
        sample s;
        ak_rsl p = {.loss = (ak_rsl_loss)(way % 3), .lambda = 0.01};
        const int64_t k = ranks[way % 4];
        make(&s, way, way % 5 ? SMALL : N);
        begin(&p, &s, k, way / 12);
        figures(&p, got);
        p.aligned = false;
        figures(&p, want);
        for (int64_t i = 0; i < 1 + 2 * ak_tangent_size(p.shape) + k; ++i)
            assert_true(fabs(got[i] - want[i]) < 1e-12 * fmax(1.0, want[i]));
        drop(&s);
        ak_scratch_end(ctx, mark);
    }
}

/* To the end, from the spectral start or a random one. */
static void solve(ak_rsl *p, uint64_t start, double tol, ak_trust_info *info)
{
    const ak_objective J = ak_rsl_objective(p);
    ak_rng rng = ak_rng_new(start, AK_STREAM_START);
    const ak_trust_options o = {.tol = tol,
                                .relative = true,
                                .fall = 1e-10,
                                .max_iterations = 1000,
                                .radius = 5.0,
                                .radius_max = 100.0};
    assert_int_equal(start == 0 ? ak_rsl_spectral(p, ctx, &rng)
                                : ak_rsl_random(p, ctx, &rng),
                     AKIN_OK);
    assert_int_equal(ak_trust_region(ctx, &J, &o, info), AKIN_OK);
}

static void threads_change_nothing(void **state)
{
    double U[2][DL * K], s0[2][K];
    sample s;
    (void)state;
    make(&s, 3, N);
    for (int way = 0; way < 2; ++way) {
        const ak_mark mark = ak_scratch_begin(ctx);
        ak_trust_info info;
        ak_rsl p = {.loss = AK_RSL_LOG, .lambda = 0.01};
        akin_ctx_set_threads(ctx, way ? 3 : 1);
        begin(&p, &s, K, true);
        solve(&p, 0, 1e-8, &info);
        memcpy(U[way], p.now.x.U, sizeof U[way]);
        memcpy(s0[way], p.now.x.s, sizeof s0[way]);
        ak_scratch_end(ctx, mark);
    }
    assert_memory_equal(U[0], U[1], sizeof U[0]);
    assert_memory_equal(s0[0], s0[1], sizeof s0[0]);
    drop(&s);
}

/* J of W = P Q' from the rows themselves, slowly and plainly. */
typedef struct plain {
    const sample *s;
    const ak_rsl *p;
} plain;

static double loss_of(ak_rsl_loss loss, double y, double f, double *slope)
{
    const double z = y * f, room = fmax(0.0, 1.0 - z);
    if (loss == AK_RSL_LOG) {
        *slope = -y / (1.0 + exp(z));
        return z > 0.0 ? log1p(exp(-z)) : log1p(exp(z)) - z;
    }
    const double r = loss == AK_RSL_RIDGE ? 1.0 - z : room;
    *slope = -2.0 * y * r;
    return r * r;
}

/* W = P Q', G its gradient: P's is G Q, and Q's is G'P. */
static akin_status factors(void *arg, akin_ctx *c, const double *x,
                           double *value, double *gradient)
{
    const plain *a = arg;
    const ak_rsl *p = a->p;
    const double *P = x, *Q = x + DL * K;
    double W[DL * DR] = {0}, G[DL * DR], norm = 0.0;
    (void)c;
    for (int64_t i = 0; i < DL * DR; ++i) {
        for (int64_t b = 0; b < K; ++b)
            W[i] += P[i / DR * K + b] * Q[i % DR * K + b];
        norm += W[i] * W[i];
    }
    norm = sqrt(norm);
    *value = p->lambda * (p->frobenius ? norm : 0.5 * norm * norm);
    for (int64_t i = 0; i < DL * DR; ++i)
        G[i] = p->lambda * (p->frobenius ? W[i] / norm : W[i]);
    for (int64_t t = 0; t < a->s->n; ++t) {
        const float *u = ak_rows_dense(a->s->rows[0], t);
        const float *v = ak_rows_dense(a->s->rows[1], t);
        const double y = (double)a->s->numbers[3 * t + 2];
        const double w = (y > 0.0 ? 1.3 : 0.7) / (double)a->s->n;
        double f = 0.0, slope = 0.0;
        for (int64_t i = 0; i < DL * DR; ++i)
            f += (double)u[i / DR] * W[i] * (double)v[i % DR];
        *value += w * loss_of(p->loss, y, f, &slope);
        for (int64_t i = 0; i < DL * DR; ++i)
            G[i] += w * slope * (double)u[i / DR] * (double)v[i % DR];
    }
    memset(gradient, 0, (DL + DR) * K * sizeof *gradient);
    for (int64_t i = 0; i < DL * DR; ++i)
        for (int64_t b = 0; b < K; ++b) {
            gradient[i / DR * K + b] += G[i] * Q[i % DR * K + b];
            gradient[(DL + i % DR) * K + b] += G[i] * P[i / DR * K + b];
        }
    return AKIN_OK;
}

/* What L-BFGS on the factors makes of our W, moved by `off` of itself. */
static double elsewhere(const sample *s, const ak_rsl *p, double off)
{
    double x[(DL + DR) * K];
    ak_rng rng = ak_rng_new(9, AK_STREAM_START);
    plain arg = {s, p};
    ak_lbfgs o = {
        .n = (DL + DR) * K, .x = x, .tol = 1e-15, .max_iterations = 2000};
    for (int64_t i = 0; i < o.n; ++i)
        x[i] = (i < DL * K ? p->now.x.U[i] : p->now.x.V[i - DL * K]) *
               sqrt(p->now.x.s[i % K]) * (1.0 + off * ak_rng_normal(&rng));
    assert_int_equal(ak_lbfgs_run(&o, ctx, factors, &arg), AKIN_OK);
    return o.value;
}

/* Three losses, two regularisers, three starts, two weights; the ends asked for
 * are those that `rsl` asks for. */
static void no_other_solver_improves(void **state)
{
    (void)state;
    for (uint64_t way = 0; way < 36; ++way) {
        const ak_mark mark = ak_scratch_begin(ctx);
        sample s;
        ak_trust_info info;
        ak_rsl p = {.loss = (ak_rsl_loss)(way % 3),
                    .lambda = way < 18 ? 0.02 : 5e-3,
                    .frobenius = way / 3 % 2};
        make(&s, 1 + way, SMALL);
        begin(&p, &s, K, false);
        solve(&p, way / 6 % 3, 1e-6, &info);
        assert_int_equal(info.end, AK_TRUST_GRADIENT);
        assert_true(info.gradient <= 1e-6 * info.gradient_first);
        assert_true(info.rise <= 1e-12);
        assert_true(elsewhere(&s, &p, 0.0) >= info.value * (1.0 - 1e-9));
        const double near = elsewhere(&s, &p, 0.01);
        assert_true(fabs(near - info.value) <= 1e-9 * info.value);
        drop(&s);
        ak_scratch_end(ctx, mark);
    }
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        CONTEXT_CASE(aligned_pairs_are_a_list),
        CONTEXT_CASE(threads_change_nothing),
        CONTEXT_CASE(no_other_solver_improves),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
