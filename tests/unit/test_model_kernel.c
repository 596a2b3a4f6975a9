/* Models that rsl makes: kind "kernel", and "factored" with offsets, against
 * their definitions, in files, and damaged. */
#include <math.h>

#include "same_bytes.h"

#include "faulty.h"
#include "model/factored.h"
#include "model/kernel.h"

enum { NL = 4, NR = 5, DL = 3, DR = 2, K = 2 };

static const float left[NL * DL] = {1, 0, 2, 0, 3, 1, 2, 2, 0, 0, 0, 1};
static const float right[NR * DR] = {1, 2, 0, 1, 3, 0, 2, 2, 0, 0};
static const double FL[3 * K] = {0.5, -1, 2, 0.25, 1, 1};
static const double FR[NR * K] = {1, 0, -0.5, 2, 0.25, 1, 3, -1, 1, 1};
static const double offsets[2][K] = {{0.5, -0.25}, {1, 2}};
static const ak_kernel kernels[2] = {
    {.kind = AK_KERNEL_RBF, .gamma = 0.3},
    {.kind = AK_KERNEL_POLY, .gamma = 0.5, .coef = 1, .degree = 2}};
static const int64_t which[2][NR] = {{3, 0, 1}, {0, 1, 2, 3, 4}};

typedef struct pieces {
    akin_rows *rows[2];
    akin_model *m;
} pieces;

static akin_status make_rows(akin_rows **out, akin_ctx *ctx, bool sparse,
                             int64_t n, int64_t d, const float *x)
{
    int64_t at[NR + 1] = {0}, count = 0;
    int32_t cols[NL * DL];
    float vals[NL * DL];
    if (!sparse)
        return akin_rows_new_dense(out, ctx, n, d, x);
    for (int64_t i = 0; i < n * d; ++i) {
        if (x[i] != 0.0f) {
            cols[count] = (int32_t)(i % d);
            vals[count++] = x[i];
        }
        at[i / d + 1] = count;
    }
    return akin_rows_new_sparse(out, ctx, n, d, at, cols, vals);
}

static akin_status make(pieces *p, akin_ctx *ctx, bool sparse)
{
    akin_status st = AKIN_OK;
    AK_TRY(make_rows(&p->rows[0], ctx, sparse, NL, DL, left));
    AK_TRY(make_rows(&p->rows[1], ctx, sparse, NR, DR, right));
    const ak_kernel_part part[2] = {
        {kernels[0], p->rows[0], which[0], 3, FL, offsets[0]},
        {kernels[1], p->rows[1], which[1], NR, FR, offsets[1]}};
    AK_TRY(ak_kernel_model_new(&p->m, ctx, part, K, AKIN_BY_COSINE));
done:
    return st;
}

static void drop(pieces *p)
{
    akin_model_free(p->m);
    akin_rows_free(p->rows[0]);
    akin_rows_free(p->rows[1]);
    *p = (pieces){0};
}

/* e(x) from the formulas. */
static void place(int side, int64_t i, double *e)
{
    const int64_t d = side ? DR : DL, n = side ? NR : 3;
    const float *x = side ? right : left;
    for (int c = 0; c < K; ++c)
        e[c] = -offsets[side][c];
    for (int64_t s = 0; s < n; ++s) {
        const int64_t row = which[side][s];
        double dot = 0.0, gap = 0.0;
        for (int64_t j = 0; j < d; ++j) {
            const double a = x[i * d + j], b = x[row * d + j];
            dot += a * b;
            gap += (a - b) * (a - b);
        }
        const double v = side ? (0.5 * dot + 1) * (0.5 * dot + 1)
                              : exp(-0.3 * gap);
        for (int c = 0; c < K; ++c)
            e[c] += v * (side ? FR : FL)[s * K + c];
    }
}

static double expected(int64_t i, int64_t j, akin_compare by)
{
    double x[K], y[K], xy = 0, xx = 0, yy = 0, gap = 0;
    place(0, i, x);
    place(1, j, y);
    for (int c = 0; c < K; ++c) {
        xy += x[c] * y[c];
        xx += x[c] * x[c];
        yy += y[c] * y[c];
        gap += (x[c] - y[c]) * (x[c] - y[c]);
    }
    return by == AKIN_BY_DOT      ? xy
           : by == AKIN_BY_COSINE ? xy / sqrt(xx * yy)
                                  : -gap;
}

static void check_scores(akin_ctx *ctx, const pieces *p)
{
    for (int64_t ij[2] = {0, 0}; ij[0] < NL; ++ij[0])
        for (ij[1] = 0; ij[1] < NR; ++ij[1])
            for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
                const double want = expected(ij[0], ij[1], by);
                akin_reason reasons[2];
                int64_t count = 0;
                double score = 0.0;
                assert_int_equal(akin_model_score(&score, ctx, p->m, p->rows[0],
                                                  p->rows[1], ij, 1, by),
                                 AKIN_OK);
                assert_true(fabs(score - want) < 1e-12 * (1 + fabs(want)));
                assert_int_equal(akin_model_explain(reasons, &count, ctx, p->m,
                                                    p->rows[0], ij[0],
                                                    p->rows[1], ij[1], 1, by),
                                 AKIN_OK);
                assert_int_equal(count, 1);
                assert_int_equal(reasons[0].feature, -1);
                assert_true(reasons[0].contribution == score);
            }
}

static void a_kernel_scores_by_its_formula(void **state)
{
    akin_ctx *ctx = *state;
    for (int sparse = 0; sparse < 2; ++sparse) {
        pieces p = {0};
        akin_rows *e = NULL;
        double want[K];
        assert_int_equal(make(&p, ctx, sparse), AKIN_OK);
        check_scores(ctx, &p);
        assert_int_equal(akin_model_rank(p.m), K);
        assert_int_equal(akin_model_is_symmetric(p.m), 0);
        assert_int_equal(akin_model_embed(&e, ctx, p.m, p.rows[1], AKIN_RIGHT),
                         AKIN_OK);
        place(1, 2, want);
        const double size = hypot(want[0], want[1]);
        assert_true(fabs((double)e->vals[2 * K] - want[0]) < 1e-5 ||
                    fabs((double)e->vals[2 * K] - want[0] / size) < 1e-5);
        akin_rows_free(e);
        drop(&p);
    }
}

static void a_kernel_goes_through_a_file(void **state)
{
    akin_ctx *ctx = *state;
    for (int sparse = 0; sparse < 2; ++sparse) {
        pieces p = {0};
        assert_int_equal(make(&p, ctx, sparse), AKIN_OK);
        akin_model *back = through_a_file(ctx, p.m);
        assert_same_bytes(ctx, p.m, back);
        akin_model_free(p.m);
        p.m = back;
        check_scores(ctx, &p);
        drop(&p);
    }
}

/* tests/golden/kernel-1.safetensors is the sparse one. */
static void a_kept_file_is_read(void **state)
{
    const char *tests = getenv("AKIN_TESTS");
    akin_ctx *ctx = *state;
    char path[4096];
    pieces p = {0};
    if (tests == NULL)
        skip();
    snprintf(path, sizeof path, "%s/golden/kernel-1.safetensors", tests);
    assert_int_equal(make(&p, ctx, true), AKIN_OK);
    akin_model_free(p.m);
    p.m = NULL;
    assert_int_equal(akin_model_load(&p.m, ctx, path), AKIN_OK);
    check_scores(ctx, &p);
    drop(&p);
}

/* Any tensor another way: refused, in one line that names the file. */
static void damage_is_refused(void **state)
{
    akin_ctx *ctx = *state;
    static const double bad[4] = {7, 1, 1, 1}, nan_[K] = {NAN, 0};
    static const ak_tensor wrong[] = {
        {"left.kernel", AK_DTYPE_F64, 1, {4}, bad},
        {"left.kernel", AK_DTYPE_F64, 1, {3}, bad + 1},
        {"right.offset", AK_DTYPE_F64, 1, {K}, nan_},
        {"right.offset", AK_DTYPE_F64, 1, {1}, bad},
        {"left.factors", AK_DTYPE_F64, 2, {2, K}, FL},
        {"right.factors", AK_DTYPE_F64, 2, {2, 1}, FL},
        {"left.factors", AK_DTYPE_F64, 1, {2}, FL},
    };
    pieces p = {0};
    assert_int_equal(make(&p, ctx, false), AKIN_OK);
    for (size_t w = 0; w <= sizeof wrong / sizeof *wrong; ++w) {
        ak_tensors *t = NULL, *all = NULL;
        akin_model *m = NULL;
        assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
        assert_int_equal(ak_tensors_new(&all, ctx), AKIN_OK);
        assert_int_equal(p.m->kind->put(p.m, ctx, all), AKIN_OK);
        ak_tensors_note(t, ctx, "kind", "kernel");
        ak_tensors_note(t, ctx, "compare", "dot");
        ak_tensors_note(t, ctx, "dim", "3");
        ak_tensors_note(t, ctx, "dim_right", "2");
        for (int64_t i = 0; i < ak_tensors_count(all); ++i) {
            const ak_tensor *x = ak_tensors_at(all, i);
            const bool other = w < sizeof wrong / sizeof *wrong &&
                               strcmp(x->name, wrong[w].name) == 0;
            ak_tensors_put(t, ctx, other ? wrong[w] : *x);
        }
        const akin_status st = ak_model_take(&m, ctx, t);
        assert_int_equal(st, w < sizeof wrong / sizeof *wrong ? AKIN_EFORMAT
                                                              : AKIN_OK);
        akin_model_free(m);
        ak_tensors_free(t);
        ak_tensors_free(all);
    }
    drop(&p);
}

/* A'x - a and B'y - b: scores, what explains them, and files. */
static void offsets_are_taken_off(void **state)
{
    akin_ctx *ctx = *state;
    static const double A[DL * K] = {1, 2, 0, -1, 0.5, 3};
    static const double B[DR * K] = {2, 0, 1, -1};
    const int64_t ij[2] = {2, 3};
    akin_model *m = NULL;
    pieces p = {0};
    assert_int_equal(make(&p, ctx, true), AKIN_OK);
    assert_int_equal(ak_factored_new(&m, ctx, DL, DR, K, A, B, AKIN_BY_DOT),
                     AKIN_OK);
    assert_int_equal(ak_factored_set_offsets(m, ctx, offsets[0], offsets[1]),
                     AKIN_OK);
    const double x[K] = {2 - 0.5, 4 - 2 + 0.25}, y[K] = {6 - 1, -2 - 2};
    for (int file = 0; file < 2; ++file) {
        for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
            const double dot = x[0] * y[0] + x[1] * y[1];
            const double gap = hypot(x[0] - y[0], x[1] - y[1]);
            const double want = by == AKIN_BY_DOT ? dot
                                : by == AKIN_BY_COSINE
                                    ? dot / hypot(x[0], x[1]) /
                                          hypot(y[0], y[1])
                                    : -gap * gap;
            akin_reason reasons[8];
            int64_t count = 0;
            double score = 0.0, sum = 0.0;
            akin_model_score(&score, ctx, m, p.rows[0], p.rows[1], ij, 1, by);
            assert_true(fabs(score - want) < 1e-12);
            akin_model_explain(reasons, &count, ctx, m, p.rows[0], 2, p.rows[1],
                               3, 2, by);
            for (int64_t r = 0; r < count; ++r)
                sum += reasons[r].contribution;
            assert_true(fabs(sum - want) < 1e-12);
        }
        akin_model *back = through_a_file(ctx, m);
        assert_same_bytes(ctx, m, back);
        akin_model_free(m);
        m = back;
    }
    akin_model_free(m);
    drop(&p);
}

static akin_status use(akin_ctx *ctx, void *arg)
{
    static const char path[] = "test_model_kernel.tmp";
    pieces p = {0};
    akin_model *back = NULL;
    akin_rows *e = NULL;
    akin_status st = AKIN_OK;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(make(&p, ctx, true));
    AK_TRY(akin_model_embed(&e, ctx, p.m, p.rows[0], AKIN_LEFT));
    AK_TRY(akin_model_save(ctx, p.m, path));
    AK_TRY(akin_model_load(&back, ctx, path));
done:
    unlink(path);
    akin_rows_free(e);
    akin_model_free(back);
    drop(&p);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(faulty_run(use, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(a_kernel_scores_by_its_formula),
        cmocka_unit_test(a_kernel_goes_through_a_file),
        cmocka_unit_test(a_kept_file_is_read),
        cmocka_unit_test(damage_is_refused),
        cmocka_unit_test(offsets_are_taken_off),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(cases, support_set_up, support_tear_down);
}
