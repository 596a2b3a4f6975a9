/* Long queries that may miss a row: hardly any is missed, scores are exact, and
 * the result does not depend on the number of threads. An index of many rows
 * keeps them as they came. */
#include <akin/synth.h>

#include "index/inverted/inverted.h"
#include "index_reference.h"

enum { N = 70000, D = 3000, CLASSES = 20, LIKE = 7, TOP = 10, QUERIES = 12 };

/* Bags of Zipf's words, with topics or without. */
static akin_rows *make_bags(akin_ctx *ctx, int64_t classes)
{
    akin_synth_bags_options o = AKIN_SYNTH_BAGS_DEFAULTS;
    akin_rows *rows = NULL;
    o.rows = N;
    o.dim = D;
    o.words = 300;
    o.class_words = 60;
    o.classes = classes;
    assert_int_equal(akin_synth_bags(&rows, ctx, NULL, &o), AKIN_OK);
    return rows;
}

static akin_model *make_model(akin_ctx *ctx, const akin_rows *rows, int signs,
                              akin_compare by)
{
    ak_rng rng = ak_rng_new(9, AK_STREAM_SYNTH);
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_recipe *recipe = NULL;
    akin_model *m = NULL;
    double w[D];
    for (int j = 0; j < D; ++j) {
        w[j] = 0.5 + ak_rng_unit(&rng);
        if (signs && ak_rng_below(&rng, 10) == 0)
            w[j] = -w[j];
    }
    assert_int_equal(ak_diagonal_new(&m, ctx, D, w, by), AKIN_OK);
    o.weights = "sqrt-idf";
    o.norm = "l2";
    assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, &o), AKIN_OK);
    assert_int_equal(ak_model_set_recipe(m, ctx, AKIN_LEFT, recipe), AKIN_OK);
    akin_recipe_free(recipe);
    return m;
}

/* ---- searches ---- */

typedef struct hits {
    int64_t rows[TOP];
    double scores[TOP];
} hits;

static hits find(akin_ctx *ctx, const akin_index *x, const int64_t *like,
                 const unsigned char *exclude, bool approximate)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t *rows = NULL;
    double *scores = NULL;
    hits h;
    o.top = TOP;
    o.like = like;
    o.n_like = LIKE;
    o.exclude = exclude;
    o.approximate = approximate;
    assert_int_equal(akin_index_search(&rows, &scores, ctx, x, NULL, &o),
                     AKIN_OK);
    memcpy(h.rows, rows, sizeof h.rows);
    memcpy(h.scores, scores, sizeof h.scores);
    akin_free(rows);
    akin_free(scores);
    return h;
}

/* How many of the exact hits were found; all found must be right. */
static int64_t count_found(const hits *exact, const hits *found)
{
    int64_t n = 0;
    for (int i = 0; i < TOP; ++i) {
        for (int k = 0; k < TOP; ++k)
            if (found->rows[k] == exact->rows[i]) {
                assert_true(found->scores[k] == exact->scores[i]);
                ++n;
            }
        assert_true(found->scores[i] <= exact->scores[i]);
    }
    return n;
}

static void check_threads(akin_ctx *ctx, const akin_index *x,
                          const int64_t *like, const hits *one)
{
    for (int threads = 2; threads <= 3; ++threads) {
        akin_ctx_set_threads(ctx, threads);
        const hits h = find(ctx, x, like, NULL, true);
        assert_memory_equal(&h, one, sizeof h);
    }
    akin_ctx_set_threads(ctx, 1);
}

/* Examples of one class, or any; 99 in 100 of the best rows are found. */
static void check_recall(akin_ctx *ctx, const akin_index *x, bool alike)
{
    ak_rng rng = ak_rng_new(3, AK_STREAM_SYNTH);
    int64_t found = 0;
    for (int t = 0; t < QUERIES; ++t) {
        int64_t like[LIKE];
        const int64_t class = ak_rng_below(&rng, CLASSES);
        for (int k = 0; k < LIKE; ++k)
            like[k] = alike ? CLASSES * ak_rng_below(&rng, N / CLASSES) + class
                            : ak_rng_below(&rng, N);
        const hits exact = find(ctx, x, like, NULL, false);
        const hits one = find(ctx, x, like, NULL, true);
        found += count_found(&exact, &one);
        check_threads(ctx, x, like, &one);
    }
    assert_true(100 * found >= 99 * TOP * QUERIES);
}

static void check_excluded(akin_ctx *ctx, const akin_index *x)
{
    static unsigned char exclude[N];
    static const int64_t like[LIKE] = {0, 20, 40, 60, 80, 100, 120};
    const hits all = find(ctx, x, like, NULL, true);
    for (int k = 0; k < TOP; k += 2)
        exclude[all.rows[k]] = 1;
    const hits exact = find(ctx, x, like, exclude, false);
    const hits some = find(ctx, x, like, exclude, true);
    for (int k = 0; k < TOP; ++k)
        assert_int_equal(exclude[some.rows[k]], 0);
    assert_true(count_found(&exact, &some) >= TOP - 1);
    memset(exclude, 1, sizeof exclude);  // all but a few rows
    for (int k = 0; k < 5; ++k)
        exclude[1000 * k + 3] = 0;
    const hits few = find(ctx, x, like, exclude, true);
    for (int k = 0; k < TOP; ++k)
        assert_int_equal(few.rows[k] >= 0, k < 5);
}

static void most_of_the_best_are_found(void **state)
{
    akin_ctx *ctx = *state;
    for (int64_t classes = 0; classes <= CLASSES; classes += CLASSES) {
        akin_rows *rows = make_bags(ctx, classes);
        akin_model *m = make_model(ctx, rows, 0, AKIN_BY_DOT);
        akin_index *x = NULL;
        assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
        x = index_reload(ctx, x);
        check_recall(ctx, x, false);
        if (classes > 0) {
            check_recall(ctx, x, true);
            check_excluded(ctx, x);
        }
        for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
            akin_model *other = make_model(ctx, rows, classes > 0, by);
            assert_int_equal(akin_index_set_model(ctx, x, other), AKIN_OK);
            check_recall(ctx, x, classes > 0);
            akin_model_free(other);
        }
        akin_index_free(x);
        akin_model_free(m);
        akin_rows_free(rows);
    }
}

/* ---- the rows themselves ---- */

static void check_row(const ak_inverted *v, const akin_rows *rows, int64_t i,
                      bool gone)
{
    const ak_sparse want = ak_rows_sparse(rows, i);
    ak_forward_row row;
    uint32_t columns[AK_PACK_BLOCK];
    int64_t n;
    assert_true(ak_forward_begin(&v->rows, i, &row));
    assert_int_equal(row.n, gone ? 0 : want.n);
    while (row.done < row.n) {
        const int64_t first = row.done;
        assert_true(ak_forward_next(&v->rows, i, &row, columns, &n));
        for (int64_t k = 0; k < n; ++k) {
            assert_int_equal(columns[k], want.cols[first + k]);
            assert_true(ak_forward_value(&row, first + k) ==
                        want.vals[first + k]);
        }
    }
}

static void check_rows(const akin_index *x, const akin_rows *rows,
                       const unsigned char *gone)
{
    const ak_inverted *v = ak_inverted_of(x);
    assert_non_null(v->rows.at);
    for (int64_t i = 0; i < rows->n; ++i)
        check_row(v, rows, i, gone[i]);
}

static void rows_come_back(void **state)
{
    static unsigned char gone[N];
    akin_ctx *ctx = *state;
    for (int rough = 0; rough < 2; ++rough) {
        akin_rows *rows = random_bags(ctx, 5, N, 200, rough);
        akin_rows *parts[2] = {NULL};
        int64_t *which = calloc(N, sizeof *which), n_gone = 0;
        akin_model *m = NULL;
        akin_index *x = NULL;
        memset(gone, 0, sizeof gone);
        for (int64_t i = 0; i < N; ++i)
            which[i] = i;
        assert_int_equal(akin_rows_select(&parts[0], ctx, rows, which, N / 2),
                         AKIN_OK);
        assert_int_equal(
            akin_rows_select(&parts[1], ctx, rows, which + N / 2, N - N / 2),
            AKIN_OK);
        assert_int_equal(ak_diagonal_new(&m, ctx, 200, NULL, AKIN_BY_DOT),
                         AKIN_OK);
        assert_int_equal(akin_index_build(&x, ctx, m, parts[0], NULL), AKIN_OK);
        assert_null(ak_inverted_of(x)->rows.at);
        assert_int_equal(akin_index_add(ctx, x, parts[1]), AKIN_OK);
        check_rows(x, rows, gone);
        x = index_reload(ctx, x);
        for (int64_t i = 0; i < N; i += 3) {
            gone[i] = 1;
            which[n_gone++] = i;
        }
        assert_int_equal(akin_index_remove(ctx, x, which, n_gone), AKIN_OK);
        x = index_reload(ctx, x);
        check_rows(x, rows, gone);
        akin_index_free(x);
        akin_model_free(m);
        for (int k = 0; k < 2; ++k)
            akin_rows_free(parts[k]);
        akin_rows_free(rows);
        free(which);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_come_back),
        cmocka_unit_test(most_of_the_best_are_found),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
