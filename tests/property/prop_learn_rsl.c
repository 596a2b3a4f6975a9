/* rsl: derivatives against differences, each way of holding rows and pairs
 * against the plainest one, and a class of few rows. */
#include <math.h>
#include <string.h>

#include "context.h"

#include <akin/learn.h>

#include "la/dense.h"
#include "learn/cross/rsl.h"

enum { NL = 70, NR = 140, DL = 9, DR = 7, K = 3, SEEDS = 3, CLASSES = 4 };

/* Rows of two kinds with labels, numbers that are multiples of 1/8, half of
 * them 0; not centred. */
typedef struct sample {
    akin_rows *dense[2], *sparse[2];
    int64_t which[NR];
} sample;

static akin_rows *one(ak_rng *rng, int64_t n, int64_t d, bool sparse)
{
    static const char *const names[CLASSES] = {"a", "b", "c", "d"};
    float x[NR * DL];
    int32_t cols[NR * DL], labels[NR];
    int64_t offsets[NR + 1] = {0}, at = 0;
    float vals[NR * DL];
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < n; ++i) {
        labels[i] = (int32_t)ak_rng_below(rng, CLASSES);
        for (int64_t j = 0; j < d; ++j) {
            const int64_t v = ak_rng_below(rng, 16) - 8 + labels[i];
            x[i * d + j] = v > 0 ? (float)v / 8.0f : 0.0f;
            if (v <= 0)
                continue;
            cols[at] = (int32_t)j;
            vals[at++] = (float)v / 8.0f;
        }
        offsets[i + 1] = at;
    }
    const akin_status st =
        sparse ? akin_rows_new_sparse(&rows, ctx, n, d, offsets, cols, vals)
               : akin_rows_new_dense(&rows, ctx, n, d, x);
    assert_int_equal(st, AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, names, CLASSES),
                     AKIN_OK);
    return rows;
}

static void make(sample *s, uint64_t seed)
{
    for (int sparse = 0; sparse < 2; ++sparse) {
        ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
        akin_rows **rows = sparse ? s->sparse : s->dense;
        rows[0] = one(&rng, NL, DL, sparse);
        rows[1] = one(&rng, NR, DR, sparse);
    }
    for (int64_t i = 0; i < NR; ++i)
        s->which[i] = i;
}

static void drop(sample *s)
{
    for (int side = 0; side < 2; ++side) {
        akin_rows_free(s->dense[side]);
        akin_rows_free(s->sparse[side]);
    }
}

/* The grid of a sample as pairs, weighted in a balanced way. */
static void grid_of(ak_pairs *pairs, akin_rows *const *rows)
{
    akin_supervision *s = NULL;
    assert_int_equal(akin_supervision_new(&s, ctx, rows[0], rows[1], NULL),
                     AKIN_OK);
    assert_int_equal(ak_pairs_of(pairs, ctx, s), AKIN_OK);
    akin_supervision_free(s);
}

/* At a random point; `list` writes the grid out. */
static void begin(ak_rsl *p, const sample *s, ak_pairs *pairs, bool sparse,
                  bool centred, bool list)
{
    akin_rows *const *rows = sparse ? s->sparse : s->dense;
    ak_rng rng = ak_rng_new(7, AK_STREAM_START);
    grid_of(pairs, rows);
    p->shape = (ak_fixed_rank){DL, DR, K};
    for (int side = 0; side < 2; ++side) {
        const int64_t N = side ? NR : NL;
        ak_rsl_side_rows(&p->side[side], ctx, rows[side], s->which, N);
        if (centred) {
            ak_rsl_side_center(&p->side[side], ctx);
            ak_rsl_side_scale(&p->side[side]);
        }
    }
    for (int match = 0; match < 2; ++match)
        pairs->weight[match] /= (double)pairs->count;
    p->pairs.grid = pairs;
    memcpy(p->pairs.weight, pairs->weight, sizeof pairs->weight);
    if (list) {
        int64_t *numbers = NULL, at = 0;
        assert_int_equal(AK_SCRATCH(ctx, 3 * pairs->count, &numbers), AKIN_OK);
        for (int64_t i = 0; i < NL; ++i)
            for (int64_t j = NR - 1; j >= 0; --j) {
                numbers[at++] = i;
                numbers[at++] = j;
                numbers[at++] = ak_pairs_match(pairs, i, j) ? 1 : -1;
            }
        p->pairs.grid = NULL;
        ak_rsl_list(&p->pairs, ctx, NL, NR, numbers, pairs->count,
                    pairs->weight);
    }
    assert_int_equal(ak_rsl_begin(p, ctx), AKIN_OK);
    assert_int_equal(ak_rsl_random(p, ctx, &rng), AKIN_OK);
}

static void derivatives_hold(void **state)
{
    sample s;
    (void)state;
    make(&s, 1);
    for (int way = 0; way < 24; ++way) {
        ak_pairs pairs;
        ak_derivatives worst;
        ak_rng rng = ak_rng_new((uint64_t)way, AK_STREAM_START);
        ak_rsl p = {.loss = (ak_rsl_loss)(way % 3),
                    .lambda = 0.1,
                    .frobenius = way / 3 % 2};
        const ak_mark mark = ak_scratch_begin(ctx);
        begin(&p, &s, &pairs, way / 6 % 2, true, way / 12 % 2);
        const ak_objective J = ak_rsl_objective(&p);
        assert_int_equal(ak_check_derivatives(ctx, &J, &rng, &worst), AKIN_OK);
        assert_true(worst.gradient < 1e-7);
        assert_true(worst.hessian < (p.loss == AK_RSL_HINGE2 ? 1e-1 : 1e-4));
        assert_true(worst.symmetry < 1e-13);
        ak_scratch_end(ctx, mark);
    }
    drop(&s);
}

/* Value, gradient and Hessian times the gradient. */
static void figures(ak_rsl *p, double *out)
{
    const ak_objective J = ak_rsl_objective(p);
    out[0] = p->now.value;
    assert_int_equal(J.gradient(p, ctx, out + 1), AKIN_OK);
    assert_int_equal(J.hessian(p, ctx, out + 1, out + 1 + J.size), AKIN_OK);
}

enum { SIZE = 1 + 2 * (K + DL + DR) * K };

static void lists_grids_and_sparse_rows_agree(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
        for (int centred = 0; centred < 2; ++centred) {
            double want[SIZE], got[SIZE];
            sample s;
            make(&s, seed);
            for (int way = 0; way < 4; ++way) {
                const ak_mark mark = ak_scratch_begin(ctx);
                ak_pairs pairs;
                ak_rsl p = {.loss = AK_RSL_LOG, .lambda = 0.01};
                begin(&p, &s, &pairs, way & 1, centred, way & 2);
                figures(&p, way ? got : want);
                for (int i = 0; way && i < SIZE; ++i)
                    assert_true(fabs(got[i] - want[i]) < 1e-11);
                ak_scratch_end(ctx, mark);
            }
            drop(&s);
        }
}

/* Centring without taking the mean off is centring. */
static void centring_is_exact(void **state)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    sample s;
    ak_rsl_side side;
    double U[DR], A[NR], X[NR * DR], mean[DR] = {0}, square = 0.0;
    (void)state;
    make(&s, 4);
    for (int64_t i = 0; i < NR * DR; ++i)
        mean[i % DR] += (double)s.dense[1]->vals[i] / NR;
    for (int64_t i = 0; i < NR * DR; ++i) {
        X[i] = (double)s.dense[1]->vals[i] - mean[i % DR];
        square += X[i] * X[i] / NR;
    }
    for (int64_t j = 0; j < DR; ++j)
        U[j] = 1.0 + (double)j;
    ak_rsl_side_rows(&side, ctx, s.sparse[1], s.which, NR);
    double bias = 0.0;
    ak_rsl_side_bias(&bias, ctx, &side);
    assert_true(bias > 0.3);
    ak_rsl_side_center(&side, ctx);
    ak_rsl_side_scale(&side);
    ak_rsl_project(ctx, &side, 1, U, A);
    for (int64_t i = 0; i < NR; ++i)
        assert_true(fabs(A[i] - ak_dot(DR, X + i * DR, U) / sqrt(square)) <
                    1e-12);
    drop(&s);
    ak_scratch_end(ctx, mark);
}

static void differences_agree(void **state)
{
    double exact[SIZE], differences[SIZE], error = 0.0, size = 0.0;
    sample s;
    (void)state;
    make(&s, 2);
    for (int way = 0; way < 2; ++way) {
        ak_pairs pairs;
        ak_rsl p = {.loss = AK_RSL_LOG, .lambda = 0.01, .differences = way};
        begin(&p, &s, &pairs, true, true, true);
        figures(&p, way ? differences : exact);
    }
    for (int i = 0; i < SIZE; ++i) {
        error += (exact[i] - differences[i]) * (exact[i] - differences[i]);
        size += exact[i] * exact[i];
    }
    assert_true(sqrt(error) < 1e-6 * sqrt(size));
    drop(&s);
}

/* The same bits for one thread and for three, all the way. */
static void threads_change_nothing(void **state)
{
    double U[2][DL * K], s0[2][K];
    sample s;
    (void)state;
    make(&s, 3);
    for (int list = 0; list < 2; ++list) {
        for (int way = 0; way < 2; ++way) {
            const ak_mark mark = ak_scratch_begin(ctx);
            const ak_trust_options o = {.tol = 1e-8,
                                        .max_iterations = 100,
                                        .radius = 10.0,
                                        .radius_max = 100.0};
            ak_rng rng = ak_rng_new(1, AK_STREAM_START);
            ak_trust_info info;
            ak_pairs pairs;
            ak_rsl p = {.loss = AK_RSL_LOG, .lambda = 0.01};
            akin_ctx_set_threads(ctx, way ? 3 : 1);
            begin(&p, &s, &pairs, list, true, list);
            assert_int_equal(ak_rsl_spectral(&p, ctx, &rng), AKIN_OK);
            const ak_objective J = ak_rsl_objective(&p);
            assert_int_equal(ak_trust_region(ctx, &J, &o, &info), AKIN_OK);
            assert_int_equal(info.end, AK_TRUST_GRADIENT);
            assert_true(info.rise <= 1e-12);
            memcpy(U[way], p.now.x.U, sizeof U[way]);
            memcpy(s0[way], p.now.x.s, sizeof s0[way]);
            ak_scratch_end(ctx, mark);
        }
        assert_memory_equal(U[0], U[1], sizeof U[0]);
        assert_memory_equal(s0[0], s0[1], sizeof s0[0]);
    }
    drop(&s);
}

/* Slopes by the own exponential against the library's. */
static void slopes_are_exact(void **state)
{
    (void)state;
    for (double f = -800.0; f <= 800.0; f += 0.37) {
        const double w = f < 100.0 ? 0.5 : -0.5, z = w < 0.0 ? -f : f;
        const double e = exp(-fabs(z));
        const double p = z < 0.0 ? 1.0 / (1.0 + e) : e / (1.0 + e);
        double c, h;
        ak_rsl_slopes(AK_RSL_LOG, 1, &f, &w, &c, &h);
        assert_true(fabs(c + w * p) <= 1e-15 * p + 1e-300);
        assert_true(fabs(h - 0.5 * p * (1.0 - p)) <= 1e-14 * p + 1e-300);
        assert_true(isfinite(ak_rsl_losses(AK_RSL_LOG, 1, &f, &w)));
    }
}

/* One row in 20 is of class b, and the classes overlap. */
enum { UNEVEN_ROWS = 200, UNEVEN_DIM = 15, ONE_IN = 20 };

static akin_rows *uneven_rows(uint64_t seed)
{
    static const char *const names[] = {"a", "b"};
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    float values[UNEVEN_ROWS * UNEVEN_DIM];
    int32_t labels[UNEVEN_ROWS];
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < UNEVEN_ROWS; ++i) {
        labels[i] = i % ONE_IN == 0;
        for (int64_t j = 0; j < UNEVEN_DIM; ++j)
            values[i * UNEVEN_DIM + j] =
                (float)(ak_rng_normal(&r) + (j < 2 ? 2.5 * labels[i] : 0.0));
    }
    assert_int_equal(
        akin_rows_new_dense(&rows, ctx, UNEVEN_ROWS, UNEVEN_DIM, values),
        AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, rows, labels, names, 2),
                     AKIN_OK);
    return rows;
}

/* The share of triplets whose query is more similar to a row of its class;
 * queries of both classes count the same. */
static double share_in_order(const akin_rows *learned, const akin_rows *asked)
{
    akin_supervision *data = NULL;
    akin_options *options = NULL;
    akin_model *m = NULL;
    double right[2] = {0}, all[2] = {0};
    assert_int_equal(akin_supervision_new(&data, ctx, learned, NULL, NULL),
                     AKIN_OK);
    assert_int_equal(akin_options_new(&options, ctx, "rsl"), AKIN_OK);
    assert_int_equal(akin_learn(&m, ctx, options, data, NULL), AKIN_OK);
    for (int64_t q = 0; q < UNEVEN_ROWS; ++q)
        for (int64_t i = 0; i < UNEVEN_ROWS; ++i) {
            const int64_t b = i / ONE_IN * ONE_IN;
            const bool rare = q % ONE_IN == 0;
            const int64_t ij[4] = {q, rare ? b : i, q, rare ? i : b};
            double s[2];
            if (i == b)
                continue;
            assert_int_equal(akin_model_score(s, ctx, m, asked, learned, ij, 2,
                                              AKIN_BY_DEFAULT),
                             AKIN_OK);
            right[rare] += s[0] > s[1];
            all[rare] += 1.0;
        }
    akin_model_free(m);
    akin_options_free(options);
    akin_supervision_free(data);
    return 0.5 * (right[0] / all[0] + right[1] / all[1]);
}

static void a_rare_class_is_learned(void **state)
{
    (void)state;
    double sum = 0.0;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        akin_rows *learned = uneven_rows(seed);
        akin_rows *asked = uneven_rows(100 + seed);
        sum += share_in_order(learned, asked);
        akin_rows_free(learned);
        akin_rows_free(asked);
    }
    if (sum < 0.9 * SEEDS)
        fail_msg("%g of the triplets are in order", sum / SEEDS);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        CONTEXT_CASE(derivatives_hold),
        CONTEXT_CASE(lists_grids_and_sparse_rows_agree),
        CONTEXT_CASE(centring_is_exact),
        CONTEXT_CASE(differences_agree),
        CONTEXT_CASE(threads_change_nothing),
        CONTEXT_CASE(slopes_are_exact),
        CONTEXT_CASE(a_rare_class_is_learned),
    };
    return cmocka_run_group_tests(cases, NULL, NULL);
}
