/* An index with another model in its place finds what an index built with that
 * model finds: the same rows, the same bits. */
#include "index_reference.h"

enum { N = 300, MANY = 6000, D = 120, QUERIES = 6 };

typedef struct setting {
    const char *recipe[2], *norm;  // "": no recipe
    int weights[2];                // 0: ones, 1: positive, 2: of any sign
    akin_compare by[2];
    int64_t prune;
    bool rough;
    bool many;  // enough rows for searches that end early
} setting;

/* Model `k`; its weights are 0 in more columns than those of model 0. */
static akin_model *make_model(akin_ctx *ctx, const setting *s, int k,
                              uint64_t seed, const akin_rows *rows)
{
    ak_rng rng = ak_rng_new(seed + (uint64_t)k, AK_STREAM_SYNTH);
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    akin_recipe *recipe = NULL;
    akin_model *m = NULL;
    double w[D];
    for (int j = 0; j < D; ++j) {
        const double x = 3.0 * ak_rng_normal(&rng);
        w[j] = j % 5 == 0 || (k && j % 7 == 0) ? 0.0
               : s->weights[k] == 1            ? fabs(x)
                                               : x;
    }
    assert_int_equal(
        ak_diagonal_new(&m, ctx, D, s->weights[k] ? w : NULL, s->by[k]),
        AKIN_OK);
    o.weights = s->recipe[k];
    o.norm = s->norm;
    if (s->recipe[k][0] == '\0')
        return m;
    assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, &o), AKIN_OK);
    assert_int_equal(ak_model_set_recipe(m, ctx, AKIN_LEFT, recipe), AKIN_OK);
    akin_recipe_free(recipe);
    return m;
}

static void check_same(akin_ctx *ctx, const akin_index *x, const akin_index *y,
                       const akin_rows *queries)
{
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    o.top = 12;
    assert_int_equal(akin_index_compare(x), akin_index_compare(y));
    for (o.by = AKIN_BY_DEFAULT; o.by <= AKIN_BY_DISTANCE; ++o.by) {
        int64_t *rows[2] = {NULL};
        double *scores[2] = {NULL};
        const size_t n = (size_t)(QUERIES * o.top);
        for (int k = 0; k < 2; ++k)
            assert_int_equal(akin_index_search(&rows[k], &scores[k], ctx,
                                               k ? y : x, queries, &o),
                             AKIN_OK);
        assert_memory_equal(rows[0], rows[1], n * sizeof *rows[0]);
        assert_memory_equal(scores[0], scores[1], n * sizeof *scores[0]);
        for (int k = 0; k < 2; ++k) {
            akin_free(rows[k]);
            akin_free(scores[k]);
        }
    }
}

static akin_rows *part(akin_ctx *ctx, const akin_rows *rows, int64_t first,
                       int64_t n)
{
    int64_t which[MANY];
    akin_rows *out = NULL;
    for (int64_t i = 0; i < n; ++i)
        which[i] = first + i;
    assert_int_equal(akin_rows_select(&out, ctx, rows, which, n), AKIN_OK);
    return out;
}

static akin_index *build(akin_ctx *ctx, const setting *s, const akin_model *m,
                         const akin_rows *rows)
{
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_index *x = NULL;
    o.prune = s->prune;
    assert_int_equal(akin_index_build(&x, ctx, m, rows, &o), AKIN_OK);
    return x;
}

/* Built of a third of the rows under one model, another third added and some
 * removed; then another model, saved or not; then the others added. */
static void check_setting(akin_ctx *ctx, const setting *s, uint64_t seed)
{
    static const int64_t gone[3] = {0, 57, 150};
    const int64_t third = (s->many ? MANY : N) / 3;
    akin_rows *rows = random_bags(ctx, seed, 3 * third, D, s->rough);
    akin_rows *queries = random_bags(ctx, seed + 1, QUERIES, D, s->rough);
    akin_rows *parts[3];
    akin_model *m[2];
    for (int k = 0; k < 3; ++k)
        parts[k] = part(ctx, rows, k * third, third);
    for (int k = 0; k < 2; ++k)
        m[k] = make_model(ctx, s, k, seed, rows);
    akin_index *x = build(ctx, s, m[0], parts[0]);
    akin_index *y = build(ctx, s, m[1], parts[0]);
    assert_int_equal(akin_index_add(ctx, x, parts[1]), AKIN_OK);
    assert_int_equal(akin_index_add(ctx, y, parts[1]), AKIN_OK);
    assert_int_equal(akin_index_remove(ctx, x, gone, 3), AKIN_OK);
    assert_int_equal(akin_index_remove(ctx, y, gone, 3), AKIN_OK);
    if (seed % 2)
        x = index_reload(ctx, x);
    assert_int_equal(akin_index_set_model(ctx, x, m[1]), AKIN_OK);
    check_same(ctx, x, y, queries);
    if (seed % 3)
        x = index_reload(ctx, x);
    check_same(ctx, x, y, queries);
    assert_int_equal(akin_index_add(ctx, x, parts[2]), AKIN_OK);
    assert_int_equal(akin_index_add(ctx, y, parts[2]), AKIN_OK);
    check_same(ctx, x, y, queries);
    if (!s->prune) {  // and back
        assert_int_equal(akin_index_set_model(ctx, x, m[0]), AKIN_OK);
        assert_int_equal(akin_index_set_model(ctx, y, m[0]), AKIN_OK);
        akin_index *z = build(ctx, s, m[0], rows);
        assert_int_equal(akin_index_remove(ctx, z, gone, 3), AKIN_OK);
        check_same(ctx, x, z, queries);
        check_same(ctx, y, z, queries);
        akin_index_free(z);
    }
    akin_index_free(x);
    akin_index_free(y);
    for (int k = 0; k < 2; ++k)
        akin_model_free(m[k]);
    for (int k = 0; k < 3; ++k)
        akin_rows_free(parts[k]);
    akin_rows_free(rows);
    akin_rows_free(queries);
}

static const char *const recipes[] = {"",       "none", "tf",  "tfidf",
                                      "binary", "sqrt", "log", "sqrt-idf"};

static void other_weights(void **state)
{
    uint64_t seed = 1;
    for (int k = 0; k < 8; ++k)
        for (int l = 0; l < 2; ++l)
            for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
                const int w = (int)(seed % 9);
                const setting s = {{recipes[k], recipes[k]},
                                   l ? "l2" : "none",
                                   {w % 3, w / 3},
                                   {by, by},
                                   seed % 4 == 0 && w % 3 && w / 3,
                                   k == 0 && l,
                                   k == 2};
                check_setting(*state, &s, seed++);
            }
}

static void another_recipe_or_comparison(void **state)
{
    uint64_t seed = 1000;
    for (int k = 0; k < 8; ++k)
        for (int l = 0; l < 8; ++l) {
            const int by = (int)(seed % 9);
            const setting s = {{recipes[k], recipes[l]},
                               seed % 2 ? "l2" : "none",
                               {(int)seed % 3, (int)(seed / 3) % 3},
                               {(akin_compare)(AKIN_BY_DOT + by % 3),
                                (akin_compare)(AKIN_BY_DOT + by / 3)},
                               0,
                               false,
                               k == 3 && l < 4};
            check_setting(*state, &s, seed++);
        }
}

/* Weights of any size, also those that floats cannot hold. */
static void extreme_weights(void **state)
{
    akin_ctx *ctx = *state;
    static const double sizes[] = {1e-300, 1e-30, 1e-14, 1e14, 1e100, 1e303};
    akin_rows *rows = random_bags(ctx, 3, N, D, false);
    akin_rows *queries = random_bags(ctx, 4, QUERIES, D, false);
    const setting s = {
        {"tfidf", "tfidf"}, "l2", {1, 1}, {1, 1}, 0, false, false};
    akin_model *m = make_model(ctx, &s, 0, 5, rows);
    akin_index *x = build(ctx, &s, m, rows);
    for (int k = 0; k < 6; ++k) {
        akin_model *other = NULL;
        double w[D];
        for (int j = 0; j < D; ++j)
            w[j] = sizes[j % 2 ? k : (k + 1) % 6];
        assert_int_equal(ak_diagonal_new(&other, ctx, D, w, AKIN_BY_DOT),
                         AKIN_OK);
        assert_int_equal(ak_model_set_recipe(other, ctx, AKIN_LEFT,
                                             akin_model_recipe(m, AKIN_LEFT)),
                         AKIN_OK);
        akin_index *y = build(ctx, &s, other, rows);
        assert_int_equal(akin_index_set_model(ctx, x, other), AKIN_OK);
        check_same(ctx, x, y, queries);
        akin_index_free(y);
        akin_model_free(other);
    }
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(queries);
}

/* Refused, and the index finds what it did. */
static void check_refused(akin_ctx *ctx, const setting *s, const char *model,
                          bool dense)
{
    akin_rows *rows = random_bags(ctx, 7, N, D, s->rough);
    akin_rows *queries = random_bags(ctx, 8, QUERIES, D, s->rough);
    akin_rows *narrow = random_bags(ctx, 9, 20, 30, false), *full = NULL;
    akin_rows *counts = random_bags(ctx, 9, N, D, false);
    akin_model *m = make_model(ctx, s, 0, 11, rows), *other = NULL;
    akin_index *x, *y;
    if (strcmp(model, "narrow") == 0)
        assert_int_equal(akin_model_builtin(&other, ctx, "cosine", narrow),
                         AKIN_OK);
    else if (strcmp(model, "second") == 0)
        other = make_model(ctx, s, 1, 11, counts);
    else
        assert_int_equal(akin_model_builtin(&other, ctx, model, rows), AKIN_OK);
    if (dense) {
        float *zeros = calloc(N * D, sizeof *zeros);
        assert_int_equal(akin_rows_new_dense(&full, ctx, N, D, zeros), AKIN_OK);
        free(zeros);
    }
    x = build(ctx, s, m, full ? full : rows);
    y = build(ctx, s, m, full ? full : rows);
    assert_int_equal(akin_index_set_model(ctx, x, other), AKIN_EINVAL);
    check_same(ctx, x, y, queries);
    akin_index_free(x);
    akin_index_free(y);
    akin_model_free(m);
    akin_model_free(other);
    akin_rows *all[] = {rows, queries, narrow, full, counts};
    for (int k = 0; k < 5; ++k)
        akin_rows_free(all[k]);
}

static void what_needs_a_new_index(void **state)
{
    const setting plain = {{"", ""}, "none", {1, 1}, {1, 1}, 0, false, false};
    const setting pruned = {{"", ""}, "none", {1, 0}, {1, 1}, 1, false, false};
    const setting recipe = {{"tf", "tfidf"}, "l2", {1, 1}, {1, 1}, 1,
                            false,           false};
    const setting rough = {{"", "tf"}, "none", {1, 1}, {1, 1}, 0, true, false};
    check_refused(*state, &plain, "narrow", false);
    check_refused(*state, &plain, "cosine", true);
    check_refused(*state, &pruned, "second", false);
    check_refused(*state, &recipe, "second", false);
    check_refused(*state, &rough, "second", false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_weights),
        cmocka_unit_test(another_recipe_or_comparison),
        cmocka_unit_test(extreme_weights),
        cmocka_unit_test(what_needs_a_new_index),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
