/* Learners that rank labels, against what they are defined to do. */
#include <math.h>
#include <unistd.h>

#include "support.h"

#include <akin/learn.h>

#include "base/file.h"
#include "data/supervision/shuffled_rows.h"
#include "la/dense.h"
#include "learn/rank/rank.h"

enum { ROWS = 40, D = 15, L = 8, NNZ = 6, K = 3 };

/* Sparse rows of any sign, one to three labels each. */
static akin_rows *label_rows(akin_ctx *ctx, uint64_t seed)
{
    ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
    int64_t offsets[ROWS + 1] = {0}, starts[ROWS + 1] = {0}, at = 0, n = 0;
    int32_t cols[ROWS * D], labels[ROWS * L];
    float vals[ROWS * D];
    static const char *const names[L] = {"a", "b", "c", "d",
                                         "e", "f", "g", "h"};
    akin_rows *rows = NULL;
    for (int64_t i = 0; i < ROWS; ++i) {
        for (int32_t j = 0; j < D; ++j)
            if (ak_rng_below(&r, D) < NNZ) {
                cols[at] = j;
                vals[at++] = (float)ak_rng_normal(&r);
            }
        for (int32_t l = 0; l < L; ++l)
            if (l == i % L || ak_rng_unit(&r) < 0.15)
                labels[n++] = l;
        offsets[i + 1] = at;
        starts[i + 1] = n;
    }
    assert_int_equal(
        akin_rows_new_sparse(&rows, ctx, ROWS, D, offsets, cols, vals),
        AKIN_OK);
    assert_int_equal(
        akin_rows_set_label_lists(ctx, rows, starts, labels, names, L),
        AKIN_OK);
    return rows;
}

static akin_supervision *labels_of(akin_ctx *ctx, const akin_rows *rows,
                                   int64_t sample)
{
    akin_supervision *s = NULL;
    assert_int_equal(akin_supervision_new(&s, ctx, rows, NULL, NULL), AKIN_OK);
    akin_supervision_sample(s, sample, 1);
    return s;
}

/* ---- the loss alone: a matrix that stays as it is --------------------------
 */

typedef struct still {
    ak_rank rank;
    double W[D * L];
} still;

static void still_scores(void *state, ak_spvec x, double *scores)
{
    const still *s = state;
    ak_rows_project(L, s->W, x, scores);
}

static double still_score(void *state, ak_spvec x, int64_t label)
{
    const still *s = state;
    return ak_rank_score(&s->rank, s->W, x, label);
}

static akin_status still_step(void *state, akin_ctx *ctx)
{
    (void)state, (void)ctx;
    return AKIN_OK;
}

static double loss_of(still *s, akin_ctx *ctx, const akin_rows *rows, int64_t i)
{
    akin_learn_info info = {0};
    assert_int_equal(ak_rank_observe(s, ctx, rows, &i, 1, &info), AKIN_OK);
    return s->rank.loss;
}

static void begin_still(still *s, akin_ctx *ctx, const akin_supervision *data,
                        uint64_t seed)
{
    static const ak_rank_rule rule = {NULL, still_scores, still_score,
                                      still_step};
    ak_rng r = ak_rng_new(seed, AK_STREAM_START);
    assert_int_equal(ak_rank_begin(&s->rank, ctx, &rule, "count", data, NULL),
                     AKIN_OK);
    for (int i = 0; i < D * L; ++i)
        s->W[i] = 0.3 * ak_rng_normal(&r);
}

/* u of row i by label. */
static void dense_u(const still *s, double u[L])
{
    memset(u, 0, L * sizeof *u);
    for (int64_t k = 0; k < s->rank.u.n; ++k)
        u[s->rank.u.cols[k]] += s->rank.u.vals[k];
}

static double value_at(const akin_rows *rows, int64_t i, int64_t j)
{
    float full[D];
    return (double)ak_rows_full(rows, i, full)[j];
}

static void u_x_is_minus_the_gradient(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= 5; ++seed) {
        akin_rows *rows = label_rows(ctx, seed);
        akin_supervision *data = labels_of(ctx, rows, 0);
        still s = {0};
        begin_still(&s, ctx, data, seed);
        for (int64_t i = 0; i < ROWS; ++i) {
            double u[L];
            const double step = 1e-6;
            loss_of(&s, ctx, rows, i);
            dense_u(&s, u);
            for (int e = 0; e < D * L; ++e) {
                const double old = s.W[e];
                s.W[e] = old + step;
                const double up = loss_of(&s, ctx, rows, i);
                s.W[e] = old - step;
                const double down = loss_of(&s, ctx, rows, i);
                s.W[e] = old;
                assert_true(fabs((up - down) / (2.0 * step) +
                                 u[e % L] * value_at(rows, i, e / L)) < 1e-6);
            }
        }
        ak_rank_end(&s.rank);
        akin_supervision_free(data);
        akin_rows_free(rows);
    }
}

static bool has_label(const akin_rows *rows, int64_t i, int64_t label)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, rows, i);
    for (int64_t k = 0; k < n; ++k)
        if (labels[k] == label)
            return true;
    return false;
}

/* By warp, u lifts labels of the row and presses others, as much. */
static void warp_moves_what_violates(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = label_rows(ctx, 3);
    akin_supervision *data = labels_of(ctx, rows, 0);
    int64_t active = 0;
    akin_supervision_sampling(data, AKIN_WARP);
    still s = {0};
    begin_still(&s, ctx, data, 3);
    for (int64_t i = 0; i < 10 * ROWS; ++i) {
        double u[L], scores[L], sum = 0.0, worst = INFINITY;
        const double loss = loss_of(&s, ctx, rows, i % ROWS);
        dense_u(&s, u);
        still_scores(&s, s.rank.x, scores);
        for (int l = 0; l < L; ++l) {
            sum += u[l];
            assert_true(u[l] == 0.0 ||
                        (u[l] > 0.0) == has_label(rows, i % ROWS, l));
            if (u[l] > 0.0)
                worst = fmin(worst, scores[l]);
        }
        for (int l = 0; l < L; ++l)
            assert_true(u[l] >= 0.0 || scores[l] > worst - 1.0);
        assert_true(fabs(sum) < 1e-12);
        assert_true((loss > 0.0) == (s.rank.violations > 0));
        assert_true(s.rank.weight <= (double)s.rank.violations + 1e-12);
        active += loss > 0.0;
    }
    assert_true(active > ROWS);
    ak_rank_end(&s.rank);
    akin_supervision_free(data);
    akin_rows_free(rows);
}

/* ---- whole learners --------------------------------------------------------
 */

static akin_model *learn(akin_ctx *ctx, const akin_supervision *data,
                         const char *learner, const char *const *options)
{
    akin_options *o = NULL;
    akin_model *m = NULL;
    assert_int_equal(akin_options_new(&o, ctx, learner), AKIN_OK);
    for (; options != NULL && *options != NULL; options += 2)
        assert_int_equal(akin_options_set(ctx, o, options[0], options[1]),
                         AKIN_OK);
    if (akin_learn(&m, ctx, o, data, NULL) != AKIN_OK)
        fail_msg("%s: %s", learner, akin_ctx_message(ctx));
    akin_options_free(o);
    return m;
}

/* W by feature of any ranker. */
static void full_matrix(const akin_model *m, double *W)
{
    const int64_t k = akin_model_rank(m);
    for (int64_t j = 0; j < D; ++j)
        for (int64_t l = 0; l < L; ++l) {
            double sum = 0.0;
            for (int64_t c = 0; c < k; ++c)
                sum += ak_ranker_A(m)[l * k + c] * ak_ranker_B(m)[j * k + c];
            W[j * L + l] = k ? sum : ak_ranker_W(m)[j * L + l];
        }
}

static void assert_same(const double *a, const double *b, double size)
{
    for (int i = 0; i < D * L; ++i)
        assert_true(fabs(a[i] - b[i]) <= 1e-9 * size);
}

/* W from theta as it is defined, lengths over the longest. */
static void mirror(const double *theta, double s, double *W)
{
    double length[D], longest = 0.0, sum = 0.0;
    for (int j = 0; j < D; ++j) {
        length[j] = sqrt(ak_dot(L, theta + j * L, theta + j * L));
        longest = fmax(longest, length[j]);
    }
    for (int j = 0; j < D; ++j)
        sum += longest > 0.0 ? pow(length[j] / longest, s) : 0.0;
    for (int i = 0; i < D * L; ++i)
        W[i] = longest > 0.0
                   ? theta[i] * pow(length[i / L] / longest, s - 2.0) *
                         pow(sum, 2.0 / s - 1.0)
                   : 0.0;
}

/* The rows of a run, in order. */
static void draw_rows(akin_ctx *ctx, const akin_supervision *data,
                      int64_t count, int64_t *row)
{
    ak_shuffled_rows *order = NULL;
    assert_int_equal(ak_shuffled_rows_new(&order, ctx, data), AKIN_OK);
    ak_shuffled_rows_draw(order, 0, count, row);
    ak_shuffled_rows_free(order);
}

static void group_by_definition(akin_ctx *ctx, const akin_supervision *data,
                                double eta, double s, double *W)
{
    double theta[D * L] = {0};
    still fixed = {0};
    int64_t row[4 * ROWS];
    draw_rows(ctx, data, 4 * ROWS, row);
    begin_still(&fixed, ctx, data, 1);
    for (int64_t t = 0; t < 4 * ROWS; ++t) {
        mirror(theta, s, fixed.W);
        if (loss_of(&fixed, ctx, data->rows, row[t]) > 0.0)
            ak_rank_add(&fixed.rank, eta, theta);
    }
    mirror(theta, s, W);
    ak_rank_end(&fixed.rank);
}

static void the_lazy_group_perceptron_is_the_defined_one(void **state)
{
    akin_ctx *ctx = *state;
    static const char *const etas[] = {"0.5", "1e-12", "1e-3", "20"};
    static const char *const exponents[] = {"0", "2", "3.5", "25"};
    for (int i = 0; i < 16; ++i) {
        const char *const options[] = {"eta", etas[i / 4], "exponent",
                                       exponents[i % 4], NULL};
        const double eta = atof(etas[i / 4]), e = atof(exponents[i % 4]);
        akin_rows *rows = label_rows(ctx, (uint64_t)i);
        akin_supervision *data = labels_of(ctx, rows, 4 * ROWS);
        double got[D * L], want[D * L], size = 0.0;
        akin_model *m = learn(ctx, data, "group-perceptron", options);
        full_matrix(m, got);
        group_by_definition(ctx, data, eta, e > 0.0 ? e : log(D), want);
        for (int k = 0; k < D * L; ++k)
            size = fmax(size, fabs(want[k]));
        assert_true(size > 0.0);
        assert_same(got, want, size);
        akin_model_free(m);
        akin_supervision_free(data);
        akin_rows_free(rows);
    }
}

/* W <- its best approximation of rank K. */
static void truncate_rank(akin_ctx *ctx, double *W)
{
    double copy[D * L], s[L], U[D * L], Vt[L * L];
    memcpy(copy, W, sizeof copy);
    assert_int_equal(ak_svd(ctx, D, L, copy, s, U, Vt), AKIN_OK);
    for (int i = 0; i < D * L; ++i) {
        W[i] = 0.0;
        for (int c = 0; c < K; ++c)
            W[i] += U[i / L * L + c] * s[c] * Vt[c * L + i % L];
    }
}

/* After 2 K rows, all of them with a loss, the start from zero is the best of
 * rank K of what the perceptron has. */
static void the_start_from_zero_is_the_perceptron_cut(void **state)
{
    akin_ctx *ctx = *state;
    static const char *const full[] = {"eta", "0.01", NULL};
    static const char *const low[] = {"eta", "0.01",  "task", "rank", "rank",
                                      "3",   "start", "zero", NULL};
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        akin_rows *rows = label_rows(ctx, seed);
        akin_supervision *data = labels_of(ctx, rows, 2 * K);
        double want[D * L], got[D * L];
        akin_model *m = learn(ctx, data, "perceptron", full);
        full_matrix(m, want);
        akin_model_free(m);
        truncate_rank(ctx, want);
        m = learn(ctx, data, "loreta-1", low);
        full_matrix(m, got);
        akin_model_free(m);
        assert_same(got, want, 1.0);
        akin_supervision_free(data);
        akin_rows_free(rows);
    }
}

/* Passive-aggressive steps of a full matrix from zero, over 2 K rows. */
static void aggressive(akin_ctx *ctx, const akin_supervision *data, double C,
                       double *W)
{
    still s = {0};
    int64_t row[2 * K];
    draw_rows(ctx, data, 2 * K, row);
    begin_still(&s, ctx, data, 1);
    memset(s.W, 0, sizeof s.W);
    for (int64_t t = 0; t < 2 * K; ++t) {
        double u[L], scores[L];
        const double loss = loss_of(&s, ctx, data->rows, row[t]);
        dense_u(&s, u);
        still_scores(&s, s.rank.x, scores);
        assert_true(fabs(s.rank.weight - ak_dot(L, u, scores) - loss) < 1e-9);
        ak_rank_add(&s.rank, fmin(C, loss / (s.rank.u2 * s.rank.x2)), s.W);
    }
    memcpy(W, s.W, sizeof s.W);
    ak_rank_end(&s.rank);
}

static void pa_starts_from_zero_by_its_own_steps(void **state)
{
    akin_ctx *ctx = *state;
    static const char *const options[] = {"C", "0.05",  "task", "rank", "rank",
                                          "3", "start", "zero", NULL};
    for (uint64_t seed = 1; seed <= 20; ++seed) {
        akin_rows *rows = label_rows(ctx, seed);
        akin_supervision *data = labels_of(ctx, rows, 2 * K);
        double want[D * L], got[D * L];
        akin_model *m = learn(ctx, data, "pa", options);
        full_matrix(m, got);
        aggressive(ctx, data, 0.05, want);
        truncate_rank(ctx, want);
        assert_same(got, want, 1.0);
        akin_model_free(m);
        akin_supervision_free(data);
        akin_rows_free(rows);
    }
}

static void save_bytes(akin_ctx *ctx, const akin_model *m, char **bytes,
                       size_t *n)
{
    char path[] = "akin-model-XXXXXX";
    close(mkstemp(path));
    assert_int_equal(akin_model_save(ctx, m, path), AKIN_OK);
    assert_int_equal(ak_file_read(ctx, path, bytes, n), AKIN_OK);
    unlink(path);
}

static akin_model *go_on(akin_ctx *ctx, akin_supervision *data,
                         const akin_options *o, const akin_model *from,
                         int64_t sample)
{
    akin_learning *l = NULL;
    akin_model *m = NULL;
    akin_supervision_sample(data, sample, 1);
    assert_int_equal(akin_learning_begin(&l, ctx, o, data, from), AKIN_OK);
    assert_int_equal(akin_learning_observe_all(ctx, l), AKIN_OK);
    assert_int_equal(akin_learning_model(&m, ctx, l), AKIN_OK);
    akin_learning_free(l);
    return m;
}

/* Also in the middle of a start from zero, and with drawn labels. */
static void a_then_b_is_a_and_b(void **state)
{
    akin_ctx *ctx = *state;
    static const char *const learners[] = {"perceptron", "group-perceptron",
                                           "pa", "loreta-1"};
    for (int i = 0; i < 16; ++i) {
        akin_rows *rows = label_rows(ctx, 9);
        akin_supervision *data = labels_of(ctx, rows, 0);
        akin_options *o = NULL;
        char *x = NULL, *y = NULL;
        size_t nx = 0, ny = 0;
        akin_supervision_sampling(data, i & 4 ? AKIN_WARP : AKIN_UNIFORM);
        akin_options_new(&o, ctx, learners[i % 4]);
        akin_options_set(ctx, o, "task", "rank");
        akin_options_set(ctx, o, "rank", "3");
        if (i % 4 >= 2 && i & 8)
            akin_options_set(ctx, o, "start", "zero");
        const int64_t first = i & 8 ? 3 : 55;
        akin_model *a = go_on(ctx, data, o, NULL, first);
        akin_model *ab = go_on(ctx, data, o, a, 99 - first);
        akin_model *whole = go_on(ctx, data, o, NULL, 99);
        save_bytes(ctx, ab, &x, &nx);
        save_bytes(ctx, whole, &y, &ny);
        assert_int_equal(nx, ny);
        assert_memory_equal(x, y, nx);
        akin_free(x);
        akin_free(y);
        akin_model_free(a);
        akin_model_free(ab);
        akin_model_free(whole);
        akin_options_free(o);
        akin_supervision_free(data);
        akin_rows_free(rows);
    }
}

/* A pass has each labelled row once, in an order of its own. */
static void each_pass_has_all_rows(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = label_rows(ctx, 2);
    akin_supervision *data = labels_of(ctx, rows, 0);
    ak_shuffled_rows *order = NULL;
    int64_t drawn[3 * ROWS], again[ROWS];
    assert_int_equal(ak_shuffled_rows_new(&order, ctx, data), AKIN_OK);
    ak_shuffled_rows_draw(order, 0, 3 * ROWS, drawn);
    for (int pass = 0; pass < 3; ++pass) {
        int seen[ROWS] = {0};
        for (int i = 0; i < ROWS; ++i)
            ++seen[drawn[pass * ROWS + i]];
        for (int i = 0; i < ROWS; ++i)
            assert_int_equal(seen[i], 1);
    }
    assert_memory_not_equal(drawn, drawn + ROWS, sizeof again);
    ak_shuffled_rows_draw(order, ROWS / 2, ROWS, again);
    assert_memory_equal(again, drawn + ROWS / 2, sizeof again);
    ak_shuffled_rows_free(order);
    akin_supervision_free(data);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(u_x_is_minus_the_gradient),
        cmocka_unit_test(warp_moves_what_violates),
        cmocka_unit_test(the_lazy_group_perceptron_is_the_defined_one),
        cmocka_unit_test(the_start_from_zero_is_the_perceptron_cut),
        cmocka_unit_test(pa_starts_from_zero_by_its_own_steps),
        cmocka_unit_test(a_then_b_is_a_and_b),
        cmocka_unit_test(each_pass_has_all_rows),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
