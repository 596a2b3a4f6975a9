/* Queries made of what was said: the mean is that of the search options, the
 * order of rows does not matter, weights are learned where a few columns
 * matter, and nothing that can be said breaks it. */
#include <math.h>

#include <akin/feedback.h>
#include <akin/index.h>

#include "index_reference.h"

enum { N = 200, D = 60, SEEDS = 12, TOP = 15, WANTED = 40 };

static akin_rows *some(akin_ctx *ctx, const akin_rows *rows, int64_t first,
                       int64_t n, int64_t step)
{
    int64_t which[N];
    akin_rows *out = NULL;
    for (int64_t i = 0; i < n; ++i)
        which[i] = first + i * step;
    assert_int_equal(akin_rows_select(&out, ctx, rows, which, n), AKIN_OK);
    return out;
}

static akin_rows *dense_of_normals(akin_ctx *ctx, uint64_t seed, int64_t n,
                                   int64_t d)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    float *x = calloc((size_t)(n * d), sizeof *x);
    akin_rows *rows = NULL;
    for (int64_t k = 0; k < n * d; ++k)
        x[k] = (float)ak_rng_normal(&rng);
    assert_int_equal(akin_rows_new_dense(&rows, ctx, n, d, x), AKIN_OK);
    free(x);
    return rows;
}

/* Weights of any sign and 0, or `positive`. */
static akin_model *weights_of(akin_ctx *ctx, uint64_t seed, int64_t d,
                              bool positive, akin_compare by)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    double w[D];
    akin_model *m = NULL;
    for (int64_t j = 0; j < d; ++j) {
        const double x = ak_rng_normal(&rng);
        w[j] = j % 6 == 0 ? 0.0 : positive ? fabs(x) : x;
    }
    assert_int_equal(ak_diagonal_new(&m, ctx, d, w, by), AKIN_OK);
    return m;
}

typedef struct parts {
    akin_rows *all, *query, *good, *bad, *background;
    akin_feedback said;
} parts;

static parts parts_of(akin_ctx *ctx, akin_rows *all)
{
    parts p = {all,
               some(ctx, all, 0, 1, 1),
               some(ctx, all, 1, 4, 3),
               some(ctx, all, 20, 3, 2),
               some(ctx, all, 40, 50, 3),
               AKIN_FEEDBACK_INIT};
    p.said.query = p.query;
    p.said.good = p.good;
    p.said.bad = p.bad;
    p.said.background = p.background;
    return p;
}

static void parts_free(parts *p)
{
    akin_rows_free(p->all);
    akin_rows_free(p->query);
    akin_rows_free(p->good);
    akin_rows_free(p->bad);
    akin_rows_free(p->background);
}

static akin_rows *made(akin_ctx *ctx, const akin_model *m,
                       const akin_feedback *said, const char *method)
{
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    akin_rows *q = NULL;
    o.method = method;
    assert_int_equal(akin_feedback_query(&q, ctx, said, m, &o), AKIN_OK);
    assert_int_equal(akin_rows_count(q), 1);
    for (int64_t k = 0; k < akin_rows_nonzeros(q); ++k)
        assert_true(isfinite(q->vals[k]));
    return q;
}

static void full(const akin_rows *q, int64_t d, double *out)
{
    const ak_row x = ak_row_of(q, 0);
    memset(out, 0, (size_t)d * sizeof *out);
    for (int64_t k = 0; k < x.n; ++k)
        out[ak_row_col(&x, k)] = x.vals[k];
}

static void check_near(const akin_rows *a, const akin_rows *b, int64_t d,
                       double tolerance)
{
    double x[D], y[D], most = 1e-30;
    full(a, d, x);
    full(b, d, y);
    for (int64_t j = 0; j < d; ++j)
        most = fmax(most, fabs(x[j]));
    for (int64_t j = 0; j < d; ++j)
        assert_true(fabs(x[j] - y[j]) <= tolerance * most);
}

static void check_mean(akin_ctx *ctx, const akin_model *m, const parts *p)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS, as_is = AKIN_SEARCH_DEFAULTS;
    akin_index *x = NULL;
    int64_t *rows[2] = {NULL};
    double *scores[2] = {NULL};
    akin_rows *q = made(ctx, m, &p->said, "mean");
    assert_int_equal(akin_index_build(&x, ctx, m, p->all, NULL), AKIN_OK);
    o.top = as_is.top = TOP;
    o.like_rows = p->good;
    o.unlike_rows = p->bad;
    as_is.as_is = 1;
    assert_int_equal(
        akin_index_search(&rows[0], &scores[0], ctx, x, p->query, &o), AKIN_OK);
    assert_int_equal(akin_index_search(&rows[1], &scores[1], ctx, x, q, &as_is),
                     AKIN_OK);
    for (int k = 0; k < TOP; ++k)
        assert_true(fabs(scores[0][k] - scores[1][k]) <=
                    2e-6 * fmax(1.0, fabs(scores[0][k])));
    for (int k = 0; k < 2; ++k) {
        akin_free(rows[k]);
        akin_free(scores[k]);
    }
    akin_index_free(x);
    akin_rows_free(q);
}

/* Sparse and dense rows, under weights, a metric and a measure. */
static void for_each(akin_ctx *ctx,
                     void (*check)(akin_ctx *, const akin_model *,
                                   const parts *))
{
    for (uint64_t seed = 1; seed <= SEEDS; ++seed)
        for (int k = 0; k < 5; ++k) {
            const akin_compare by = (akin_compare)(1 + ((int)seed + k) % 3);
            const bool sparse = k < 2;
            const bool positive = by == AKIN_BY_DISTANCE || k % 2 == 0;
            akin_model *m = NULL;
            parts p = parts_of(ctx, sparse ? random_bags(ctx, seed, N, D, true)
                                           : dense_of_normals(ctx, seed, N, D));
            if (k == 4)
                assert_int_equal(
                    akin_model_builtin(&m, ctx, "mahalanobis", p.all), AKIN_OK);
            else
                m = weights_of(ctx, seed, D, positive, by);
            check(ctx, m, &p);
            akin_model_free(m);
            parts_free(&p);
        }
}

static void mean_is_that_of_the_search(void **state)
{
    for_each(*state, check_mean);
}

static void check_alone(akin_ctx *ctx, const akin_model *m, const parts *p)
{
    akin_feedback said = AKIN_FEEDBACK_INIT;
    akin_rows *ready = NULL;
    said.query = p->query;
    said.background = p->background;
    assert_int_equal(akin_model_prepare(&ready, ctx, m, p->query, AKIN_LEFT),
                     AKIN_OK);
    akin_rows *q = made(ctx, m, &said, "auto");
    akin_rows *none = made(ctx, m, &p->said, "none");
    check_near(ready, q, D, 0.0);
    check_near(ready, none, D, 0.0);
    akin_rows_free(none);
    akin_rows_free(q);
    akin_rows_free(ready);
}

static void query_alone_stays(void **state)
{
    for_each(*state, check_alone);
}

static void check_order(akin_ctx *ctx, const akin_model *m, const parts *p)
{
    static const int64_t turned[4] = {2, 0, 3, 1};
    akin_feedback said = p->said;
    akin_rows *good = NULL, *background = NULL;
    int64_t back[50];
    for (int64_t i = 0; i < 50; ++i)
        back[i] = 49 - i;
    assert_int_equal(akin_rows_select(&good, ctx, p->good, turned, 4), AKIN_OK);
    assert_int_equal(
        akin_rows_select(&background, ctx, p->background, back, 50), AKIN_OK);
    said.good = good;
    said.background = background;
    akin_rows *one = made(ctx, m, &p->said, "learn");
    akin_rows *other = made(ctx, m, &said, "learn");
    check_near(one, other, D, 1e-5);
    akin_rows_free(one);
    akin_rows_free(other);
    akin_rows_free(good);
    akin_rows_free(background);
}

static void order_does_not_matter(void **state)
{
    for_each(*state, check_order);
}

/* A weight of the other sign, and its column of the query with it, are the same
 * similarity. */
static void signs_of_weights_do_not_matter(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
        const bool sparse = seed % 2;
        parts p = parts_of(ctx, sparse ? random_bags(ctx, seed, N, D, true)
                                       : dense_of_normals(ctx, seed, N, D));
        akin_model *m[2];
        double x[2][D];
        for (int k = 0; k < 2; ++k) {
            m[k] = weights_of(ctx, seed, D, k == 0, AKIN_BY_DOT);
            akin_rows *q = made(ctx, m[k], &p.said, "learn");
            full(q, D, x[k]);
            akin_rows_free(q);
        }
        for (int j = 0; j < D; ++j)
            assert_true(fabs(x[0][j] * ak_diagonal_w(m[0])[j] -
                             x[1][j] * ak_diagonal_w(m[1])[j]) < 1e-6);
        akin_model_free(m[0]);
        akin_model_free(m[1]);
        parts_free(&p);
    }
}

/* ---- a few columns matter ---- */

/* Every fifth row is wanted, and differs from the others in the first four
 * columns. The next eight vary most and say nothing. */
static akin_rows *planted(akin_ctx *ctx, uint64_t seed)
{
    akin_rows *rows = dense_of_normals(ctx, seed, N, D);
    for (int64_t i = 0; i < N; ++i) {
        float *x = rows->vals + i * D;
        for (int64_t j = 0; j < D; ++j)
            x[j] *= j < 4 ? 0.5F : j < 12 ? 2.0F : 0.3F;
        for (int64_t j = 0; j < 4; ++j)
            x[j] += i % 5 == 0 ? 0.8F : -0.8F;
    }
    return rows;
}

static double precision(const akin_rows *q, const akin_rows *all,
                        akin_compare by)
{
    ak_hit hits[N];
    int64_t right = 0;
    for (int64_t i = 0; i < N; ++i)
        hits[i] = (ak_hit){reference_score(NULL, q, 0, all, i, by, 1), i};
    for (int64_t k = 0; k < WANTED; ++k) {
        int64_t best = k;
        for (int64_t i = k + 1; i < N; ++i)
            if (hits[i].score > hits[best].score)
                best = i;
        const ak_hit h = hits[best];
        hits[best] = hits[k];
        hits[k] = h;
        right += h.row % 5 == 0;
    }
    return (double)right / WANTED;
}

static void columns_that_matter_are_found(void **state)
{
    static const char *const measures[] = {"cosine", "euclidean"};
    akin_ctx *ctx = *state;
    for (int k = 0; k < 2; ++k) {
        double sum[3] = {0.0};
        for (uint64_t seed = 1; seed <= SEEDS; ++seed) {
            static const char *const methods[] = {"none", "mean", "learn"};
            akin_rows *all = planted(ctx, seed);
            akin_model *m = NULL;
            akin_feedback said = AKIN_FEEDBACK_INIT;
            akin_rows *query = some(ctx, all, 0, 1, 1);
            akin_rows *good = some(ctx, all, 5, 6, 5);
            akin_rows *background = some(ctx, all, 80, 100, 1);
            assert_int_equal(akin_model_builtin(&m, ctx, measures[k], all),
                             AKIN_OK);
            said.query = query;
            said.good = good;
            said.background = background;
            for (int i = 0; i < 3; ++i) {
                akin_rows *q = made(ctx, m, &said, methods[i]);
                sum[i] += precision(q, all, akin_model_compare(m)) / SEEDS;
                akin_rows_free(q);
            }
            akin_rows_free(query);
            akin_rows_free(good);
            akin_rows_free(background);
            akin_rows_free(all);
            akin_model_free(m);
        }
        print_message("%s: none %.3f, mean %.3f, learn %.3f\n", measures[k],
                      sum[0], sum[1], sum[2]);
        assert_true(sum[1] > sum[0] + 0.05);
        assert_true(sum[2] > sum[1] + 0.05);
    }
}

/* ---- the choice ---- */

/* Rows that nobody wants, as the first answers. */
static akin_status find_wrong(void *user, akin_ctx *ctx, const akin_rows *query,
                              int64_t top, akin_rows **found)
{
    static const int64_t which[5] = {1, 2, 3, 4, 6};
    (void)query;
    (void)top;
    return akin_rows_select(found, ctx, user, which, 5);
}

/* With bad rows, auto asks for first answers. Where these are wrong, what was
 * learned without them is better. */
static void what_held_out_rows_say_is_chosen(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *all = planted(ctx, 1);
    akin_rows *background = some(ctx, all, 80, 100, 1), *rows[SEEDS][3];
    akin_feedback said[SEEDS];
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    akin_model *m = NULL;
    const char *method = NULL;
    for (int k = 0; k < SEEDS; ++k) {
        rows[k][0] = some(ctx, all, 5 * k, 1, 1);
        rows[k][1] = some(ctx, all, 5 * k + 5, 8, 5);
        rows[k][2] = some(ctx, all, 5 * k + 7, 8, 5);
        said[k] = (akin_feedback)AKIN_FEEDBACK_INIT;
        said[k].query = rows[k][0];
        said[k].good = rows[k][1];
        said[k].bad = rows[k][2];
        said[k].background = background;
    }
    assert_int_equal(akin_model_builtin(&m, ctx, "cosine", all), AKIN_OK);
    assert_int_equal(akin_feedback_choose(&method, ctx, said, SEEDS, m, &o),
                     AKIN_OK);
    assert_string_equal(method, "auto");  // learns: there is no search
    o.search = find_wrong;
    o.search_user = all;
    o.answer_weight = 1.0;
    assert_int_equal(akin_feedback_choose(&method, ctx, said, SEEDS, m, &o),
                     AKIN_OK);
    assert_string_equal(method, "learn");
    assert_int_equal(akin_feedback_choose(&method, ctx, said, 4, m, &o),
                     AKIN_OK);
    assert_string_equal(method, "auto");  // too few to say
    for (int k = 0; k < SEEDS; ++k)
        for (int i = 0; i < 3; ++i)
            akin_rows_free(rows[k][i]);
    akin_rows_free(background);
    akin_rows_free(all);
    akin_model_free(m);
}

/* ---- expansion ---- */

typedef struct answers {
    const akin_rows *rows;
    int64_t calls, top;
    akin_status fails;
} answers;

static akin_status find(void *user, akin_ctx *ctx, const akin_rows *query,
                        int64_t top, akin_rows **found)
{
    static const int64_t which[2] = {100, 102};
    answers *a = user;
    assert_int_equal(akin_rows_count(query), 1);
    ++a->calls;
    a->top = top;
    if (a->fails != AKIN_OK || a->rows == NULL)
        return a->fails;
    return akin_rows_select(found, ctx, a->rows, which, 2);
}

static void answers_join_the_good_rows(void **state)
{
    akin_ctx *ctx = *state;
    parts p = parts_of(ctx, random_bags(ctx, 3, N, D, false));
    akin_model *m = weights_of(ctx, 3, D, true, AKIN_BY_COSINE);
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    answers a = {p.all, 0, 0, AKIN_OK};
    akin_rows *q = NULL, *learned = made(ctx, m, &p.said, "learn");
    double x[D], y[D], moved = 0.0;
    o.search = find;
    o.search_user = &a;
    assert_string_equal(akin_feedback_method(&p.said, m, &o), "expand");
    assert_int_equal(akin_feedback_query(&q, ctx, &p.said, m, &o), AKIN_OK);
    assert_int_equal(a.calls, 1);
    assert_int_equal(a.top, 5);  // of 50 rows in the background
    full(q, D, x);
    full(learned, D, y);
    for (int j = 0; j < D; ++j)
        moved += fabs(x[j] - y[j]);
    assert_true(moved > 1e-3);
    akin_rows_free(q);
    a.rows = NULL;  // nothing is found: as learned
    assert_int_equal(akin_feedback_query(&q, ctx, &p.said, m, &o), AKIN_OK);
    check_near(q, learned, D, 0.0);
    akin_rows_free(q);
    a.fails = AKIN_EIO;
    assert_int_equal(akin_feedback_query(&q, ctx, &p.said, m, &o), AKIN_EIO);
    akin_rows_free(learned);
    akin_model_free(m);
    parts_free(&p);
}

/* ---- what can be said ---- */

static void any_rows_give_a_finite_query(void **state)
{
    static const char *const methods[] = {"auto", "none", "mean", "learn"};
    akin_ctx *ctx = *state;
    const float same[4 * 3] = {1, 0, 2, 1, 0, 2, 1, 0, 2, 1, 0, 2};
    const float zeros[3 * 3] = {0};
    akin_rows *one = NULL, *none = NULL;
    assert_int_equal(akin_rows_new_dense(&one, ctx, 4, 3, same), AKIN_OK);
    assert_int_equal(akin_rows_new_dense(&none, ctx, 3, 3, zeros), AKIN_OK);
    const akin_rows *choice[3] = {NULL, one, none};
    for (int by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
        akin_model *m = NULL;
        assert_int_equal(ak_diagonal_new(&m, ctx, 3, NULL, (akin_compare)by),
                         AKIN_OK);
        for (int k = 0; k < 27; ++k)
            for (int i = 0; i < 4; ++i) {
                akin_feedback said = AKIN_FEEDBACK_INIT;
                said.good = choice[1 + k % 2];
                said.bad = choice[k / 3 % 3];
                said.background = choice[k / 9];
                akin_rows_free(made(ctx, m, &said, methods[i]));
            }
        akin_model_free(m);
    }
    akin_rows_free(one);
    akin_rows_free(none);
}

static void what_cannot_be_said_is_refused(void **state)
{
    akin_ctx *ctx = *state;
    parts p = parts_of(ctx, dense_of_normals(ctx, 1, N, D));
    akin_feedback said = AKIN_FEEDBACK_INIT;
    akin_feedback_options o = AKIN_FEEDBACK_DEFAULTS;
    akin_model *m = weights_of(ctx, 1, D, true, AKIN_BY_DOT);
    akin_model *narrow = weights_of(ctx, 1, D - 1, true, AKIN_BY_DOT);
    akin_rows *q = NULL;
    said.bad = p.bad;
    assert_int_equal(akin_feedback_query(&q, ctx, &said, m, NULL), AKIN_EINVAL);
    assert_string_equal(akin_ctx_message(ctx), "there is no query");
    said.query = p.bad;
    assert_int_equal(akin_feedback_query(&q, ctx, &said, m, NULL), AKIN_ESHAPE);
    assert_int_equal(akin_feedback_query(&q, ctx, &p.said, narrow, NULL),
                     AKIN_ESHAPE);
    o.method = "best";
    assert_int_equal(akin_feedback_query(&q, ctx, &p.said, m, &o), AKIN_EINVAL);
    assert_string_equal(akin_feedback_method(&p.said, m, &o), "");
    o = (akin_feedback_options)AKIN_FEEDBACK_DEFAULTS;
    o.ridge = 0.0;
    assert_int_equal(akin_feedback_query(&q, ctx, &p.said, m, &o), AKIN_EINVAL);
    assert_null(q);
    akin_model_free(narrow);
    akin_model_free(m);
    parts_free(&p);
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(mean_is_that_of_the_search),
        cmocka_unit_test(query_alone_stays),
        cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(signs_of_weights_do_not_matter),
        cmocka_unit_test(columns_that_matter_are_found),
        cmocka_unit_test(what_held_out_rows_say_is_chosen),
        cmocka_unit_test(answers_join_the_good_rows),
        cmocka_unit_test(any_rows_give_a_finite_query),
        cmocka_unit_test(what_cannot_be_said_is_refused),
    };
    return cmocka_run_group_tests(cases, support_set_up, support_tear_down);
}
