/* The kind "blend" against its definition over dense vectors, over both kinds
 * of learned models. */
#include <math.h>
#include <unistd.h>

#include "faulty.h"
#include "support.h"

#include <akin/eval.h>
#include <akin/learn.h>

#include "index/scan/scan.h"
#include "model/blend.h"
#include "model/factored.h"
#include "model/prototypes.h"

enum { N = 9, D = 12, K = 3, P = 2, EMPTY = 0, NOWHERE = 1 };

static const double ALPHA = 2.5;

typedef struct fixture {
    akin_ctx *ctx;
    double A[D * K];
    float X[N][D];
    akin_rows *rows, *sparse;
    akin_model *learned[2], *m[2];
} fixture;

/* Row EMPTY has no length, row NOWHERE none in the learned space. */
static void fill(fixture *f)
{
    ak_rng r = ak_rng_new(4, 99);
    for (int i = 0; i < (D - 1) * K; ++i)
        f->A[i] = ak_rng_normal(&r);
    for (int i = NOWHERE + 1; i < N; ++i)
        for (int j = 0; j < D; ++j)
            f->X[i][j] = ak_rng_unit(&r) < 0.5 ? (float)ak_rng_normal(&r)
                                               : 0.0F;
    f->X[NOWHERE][D - 1] = 2.0F;
}

static akin_status learned_model(akin_model **m, akin_ctx *ctx,
                                 const fixture *f, int which)
{
    static const double Z[P * K] = {1.0, 0.0, 0.0, 0.0, 0.6, 0.8};
    return which ? ak_prototypes_new(m, ctx, D, K, P, f->A, Z, 4.0)
                 : ak_factored_new(m, ctx, D, D, K, f->A, NULL, AKIN_BY_DOT);
}

static akin_status make_sparse(fixture *f)
{
    static int64_t offsets[N + 1];
    static int32_t cols[N * D];
    static float vals[N * D];
    int64_t at = 0;
    for (int i = 0; i < N; ++i) {
        for (int j = 0; j < D; ++j)
            if (f->X[i][j] != 0.0F) {
                cols[at] = j;
                vals[at++] = f->X[i][j];
            }
        offsets[i + 1] = at;
    }
    return akin_rows_new_sparse(&f->sparse, f->ctx, N, D, offsets, cols, vals);
}

static int enter(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    *state = f;
    if (akin_ctx_new(&f->ctx, NULL) != AKIN_OK)
        return 1;
    fill(f);
    for (int which = 0; which < 2; ++which)
        if (learned_model(&f->learned[which], f->ctx, f, which) != AKIN_OK ||
            learned_model(&f->m[which], f->ctx, f, which) != AKIN_OK ||
            ak_blend_with_rows(&f->m[which], f->ctx, ALPHA) != AKIN_OK)
            return 1;
    return akin_rows_new_dense(&f->rows, f->ctx, N, D, f->X[0]) != AKIN_OK ||
           make_sparse(f) != AKIN_OK;
}

static int leave(void **state)
{
    fixture *f = *state;
    for (int which = 0; which < 2; ++which) {
        akin_model_free(f->learned[which]);
        akin_model_free(f->m[which]);
    }
    akin_rows_free(f->rows);
    akin_rows_free(f->sparse);
    akin_ctx_free(f->ctx);
    free(f);
    return 0;
}

/* At length 1 or 0, times `scale`. */
static void scaled(int n, double scale, double *x)
{
    double square = 0.0;
    for (int i = 0; i < n; ++i)
        square += x[i] * x[i];
    for (int i = 0; i < n && square > 0.0; ++i)
        x[i] *= scale / sqrt(square);
}

/* u(x), K + D numbers at most; returns how many. */
static int place(const fixture *f, int which, int i, double *u)
{
    const ak_model_kind *kind = f->learned[which]->kind;
    const int k = (int)kind->embed_dim(f->learned[which]);
    kind->embed(f->learned[which], f->rows, i, AKIN_LEFT, u);
    scaled(k, sqrt(1.0 / (1.0 + ALPHA)), u);
    for (int j = 0; j < D; ++j)
        u[k + j] = f->X[i][j];
    scaled(D, sqrt(ALPHA / (1.0 + ALPHA)), u + k);
    return k + D;
}

static double expected(const fixture *f, int which, int i, int j,
                       akin_compare by)
{
    double u[K + D], v[K + D], xy = 0.0, xx = 0.0, yy = 0.0;
    const int n = place(f, which, i, u);
    place(f, which, j, v);
    for (int c = 0; c < n; ++c) {
        xy += u[c] * v[c];
        xx += u[c] * u[c];
        yy += v[c] * v[c];
    }
    if (by == AKIN_BY_DISTANCE)
        return 2.0 * xy - xx - yy;
    if (by == AKIN_BY_COSINE)
        return xx > 0.0 && yy > 0.0 ? xy / sqrt(xx * yy) : 0.0;
    return xy;
}

static void close_to(double a, double b, double by)
{
    assert_true(fabs(a - b) <= by * (1.0 + fabs(b)));
}

static void check_pair(const fixture *f, int which, const akin_rows *rows,
                       int i, int j, akin_compare by)
{
    const int64_t ij[2] = {i, j};
    const double want = expected(f, which, i, j, by);
    akin_reason reasons[2 * D + 1];
    bool seen[D] = {false};
    int64_t count = 0;
    double score = 0.0, sum = 0.0;
    assert_int_equal(
        akin_model_score(&score, f->ctx, f->m[which], rows, rows, ij, 1, by),
        AKIN_OK);
    close_to(score, want, 1e-10);
    assert_int_equal(akin_model_explain(reasons, &count, f->ctx, f->m[which],
                                        rows, i, rows, j, 2 * D, by),
                     AKIN_OK);
    for (int64_t r = 0; r < count; ++r) {
        assert_false(seen[reasons[r].feature]);
        seen[reasons[r].feature] = true;
        sum += reasons[r].contribution;
    }
    if (i > NOWHERE && j > NOWHERE)  // there may be nothing to share
        close_to(sum, want, 1e-10);
}

static void scores_and_reasons_are_the_definition(void **state)
{
    const fixture *f = *state;
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
        for (int t = 0; t < N * N; ++t)
            for (int which = 0; which < 2; ++which) {
                check_pair(f, which, f->rows, t / N, t % N, by);
                check_pair(f, which, f->sparse, t / N, t % N, by);
            }
}

static void embeddings_are_the_definition(void **state)
{
    const fixture *f = *state;
    for (int t = 0; t < 4; ++t) {
        akin_rows *x = NULL;
        assert_int_equal(akin_model_embed(&x, f->ctx, f->m[t / 2],
                                          t % 2 ? f->sparse : f->rows,
                                          AKIN_LEFT),
                         AKIN_OK);
        for (int i = 0; i < N; ++i) {
            double want[K + D];
            float room[K + D];
            assert_int_equal(akin_rows_dim(x), place(f, t / 2, i, want));
            const float *u = ak_rows_full(x, i, room);
            for (int c = 0; c < akin_rows_dim(x); ++c)
                close_to((double)u[c], want[c], 1e-6);
        }
        akin_rows_free(x);
    }
}

typedef struct scanned {
    const fixture *f;
    int which;
    akin_compare by;
} scanned;

static akin_status check_scan(void *arg, int64_t t, const double *scores,
                              int64_t worker)
{
    const scanned *s = arg;
    (void)worker;
    for (int i = 0; i < N; ++i)
        close_to(scores[i],
                 expected(s->f, s->which, N - 1 - (int)t, i,
                          s->by ? s->by : AKIN_BY_COSINE),
                 1e-6);
    return AKIN_OK;
}

static void scans_are_the_definition(void **state)
{
    const fixture *f = *state;
    int64_t which[N];
    for (int i = 0; i < N; ++i)
        which[i] = N - 1 - i;
    for (int t = 0; t < 16; ++t) {
        scanned s = {f, t % 2, (akin_compare)(t / 4)};
        const akin_rows *rows = t / 2 % 2 ? f->sparse : f->rows;
        assert_int_equal(ak_scan(f->ctx, f->m[s.which],
                                 (ak_queries){rows, which, N}, rows, s.by,
                                 check_scan, &s, NULL, 0),
                         AKIN_OK);
    }
}

static void a_saved_model_is_the_same(void **state)
{
    const fixture *f = *state;
    for (int which = 0; which < 2; ++which) {
        char path[] = "akin-blend-XXXXXX";
        const int64_t ij[2] = {2, 3};
        akin_model *back = NULL;
        double a = 0.0, b = 0.0;
        close(mkstemp(path));
        assert_int_equal(akin_model_save(f->ctx, f->m[which], path), 0);
        assert_int_equal(akin_model_load(&back, f->ctx, path), AKIN_OK);
        unlink(path);
        assert_string_equal(akin_model_kind(back), "blend");
        assert_int_equal(akin_model_rank(back), K);
        assert_int_equal(akin_model_parameters(back),
                         akin_model_parameters(f->learned[which]));
        assert_int_equal(akin_model_nonzeros(back),
                         akin_model_nonzeros(f->learned[which]));
        assert_true(akin_model_is_symmetric(back));
        akin_model_score(&a, f->ctx, f->m[which], f->rows, f->rows, ij, 1, 0);
        akin_model_score(&b, f->ctx, back, f->rows, f->rows, ij, 1, 0);
        assert_true(a == b);
        akin_model_free(back);
    }
}

/* No alpha, two of them, zero, not finite; nothing learned. */
static void bad_files_are_refused(void **state)
{
    fixture *f = *state;
    const double values[] = {0.0, (double)INFINITY, (double)NAN, -1.0, 1.0};
    for (int which = -2; which < 5; ++which) {
        ak_tensors *t = NULL;
        akin_model *m = NULL;
        assert_int_equal(ak_tensors_new(&t, f->ctx), AKIN_OK);
        ak_tensors_note(t, f->ctx, "kind", "blend");
        ak_tensors_note(t, f->ctx, "compare", "cosine");
        ak_tensors_note_i64(t, f->ctx, "dim", D);
        if (which > -2)
            ak_tensors_put(t, f->ctx,
                           (ak_tensor){"blend",
                                       AK_DTYPE_F64,
                                       1,
                                       {which < 0 ? 2 : 1},
                                       values + (which < 0 ? 0 : which)});
        assert_int_equal(ak_model_take(&m, f->ctx, t), AKIN_EFORMAT);
        assert_null(m);
        ak_tensors_free(t);
    }
}

static akin_status whole_job(akin_ctx *ctx, void *arg)
{
    const akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval found;
    akin_supervision *data = NULL;
    akin_options *options = NULL;
    akin_model *m = NULL;
    akin_learn_info info;
    akin_rows *rows = class_rows(ctx, 5, 30, 40, 6, 3);
    akin_status st = rows ? AKIN_OK : AKIN_ENOMEM;
    (void)arg;
    akin_ctx_set_threads(ctx, 1);
    if (st == AKIN_OK)
        st = akin_supervision_new(&data, ctx, rows, NULL, NULL);
    if (st == AKIN_OK)
        akin_supervision_sample(data, 20, 1);
    if (st == AKIN_OK)
        st = akin_options_new(&options, ctx, "loreta-psd");
    if (st == AKIN_OK)
        st = akin_options_set(ctx, options, "rank", "4");
    if (st == AKIN_OK)
        st = akin_options_set(ctx, options, "blend", "3");
    if (st == AKIN_OK)
        st = akin_learn(&m, ctx, options, data, &info);
    if (st == AKIN_OK)
        st = akin_eval_retrieval(&found, NULL, ctx, m, rows, &o);
    if (st == AKIN_OK && strcmp(akin_model_kind(m), "blend") != 0)
        st = AKIN_EINVAL;
    akin_model_free(m);
    akin_options_free(options);
    akin_supervision_free(data);
    akin_rows_free(rows);
    return st;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(faulty_run(whole_job, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_and_reasons_are_the_definition),
        cmocka_unit_test(embeddings_are_the_definition),
        cmocka_unit_test(scans_are_the_definition),
        cmocka_unit_test(a_saved_model_is_the_same),
        cmocka_unit_test(bad_files_are_refused),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
