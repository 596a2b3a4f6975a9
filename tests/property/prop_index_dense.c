/* An index of vectors finds what comparing them all finds; with a graph, nearly
 * all of it. */
#include "index_reference.h"

#include "model/blend.h"
#include "model/factored.h"
#include "model/full.h"
#include "model/metric.h"

enum { D = 24, K = 5 };

static akin_rows *normal_rows(akin_ctx *ctx, uint64_t seed, int64_t n)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    akin_rows *r = NULL;
    float *x = calloc((size_t)(n * D), sizeof *x);
    for (int64_t i = 0; i < n * D; ++i)
        x[i] = (float)ak_rng_normal(&rng);
    for (int64_t i = 3 * D; i + D <= n * D; i += 7 * D)  // some rows twice
        memcpy(x + i, x, D * sizeof *x);
    assert_int_equal(akin_rows_new_dense(&r, ctx, n, D, x), AKIN_OK);
    free(x);
    return r;
}

enum { ONES, SIGNED, METRIC, FACTORED, FULL, BLEND, MODELS };

static akin_model *make_model(akin_ctx *ctx, int which)
{
    ak_rng rng = ak_rng_new(3, AK_STREAM_SYNTH);
    double A[D * D], M[D * D] = {0};
    akin_model *m = NULL;
    for (int i = 0; i < D * D; ++i)
        A[i] = ak_rng_normal(&rng);
    for (int i = 0; i < D * D; ++i)
        for (int k = 0; k < K; ++k)
            M[i] += A[i / D * D + k] * A[i % D * D + k];
    akin_status st = AKIN_OK;
    switch (which) {
    case ONES:
        st = ak_diagonal_new(&m, ctx, D, NULL, AKIN_BY_DISTANCE);
        break;
    case SIGNED:
        st = ak_diagonal_new(&m, ctx, D, A, AKIN_BY_DOT);
        break;
    case METRIC:
        st = ak_metric_new(&m, ctx, D, M, AKIN_BY_DISTANCE);
        break;
    case FULL:
        st = ak_full_new(&m, ctx, D, D, A, AKIN_BY_DOT);
        break;
    default:
        st = ak_factored_new(&m, ctx, D, D, K, A, which == BLEND ? A : A + D,
                             AKIN_BY_COSINE);
        if (st == AKIN_OK && which == BLEND)
            st = ak_blend_with_rows(&m, ctx, 0.7);
    }
    assert_int_equal(st, AKIN_OK);
    return m;
}

/* The left vectors have the signs of the weights, which the reference puts
 * on by itself. */
static void without_signs(akin_rows *left, const double *w)
{
    for (int64_t i = 0; w && i < left->n * left->d; ++i)
        left->vals[i] *= w[i % left->d] < 0.0 ? -1.0F : 1.0F;
}

static void check_model(akin_ctx *ctx, int which, int64_t n, bool graph)
{
    akin_rows *parts[] = {normal_rows(ctx, 1, n), normal_rows(ctx, 2, 40)};
    akin_rows *queries = normal_rows(ctx, 3, 70), *all = NULL;
    akin_rows *left = NULL, *right = NULL;
    akin_model *m = make_model(ctx, which);
    const double *w = ak_model_is_diagonal(m) ? ak_diagonal_w(m) : NULL;
    double sign[D];
    float *both = calloc((size_t)((n + 40) * D), sizeof *both);
    unsigned char *gone = calloc((size_t)n + 40, 1);
    unsigned char *exclude = calloc((size_t)n + 40, 1);
    const int64_t pair[] = {5, 0}, removed[] = {1, n + 2};
    akin_lists *ignore = NULL;
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_index *x = NULL;

    memcpy(both, parts[0]->vals, (size_t)(n * D) * sizeof *both);
    memcpy(both + n * D, parts[1]->vals, 40 * D * sizeof *both);
    assert_int_equal(akin_rows_new_dense(&all, ctx, n + 40, D, both), AKIN_OK);
    assert_int_equal(akin_model_embed(&left, ctx, m, queries, AKIN_LEFT),
                     AKIN_OK);
    assert_int_equal(akin_model_embed(&right, ctx, m, all, AKIN_RIGHT),
                     AKIN_OK);
    assert_int_equal(akin_lists_new(&ignore, ctx, queries->n, pair, 1),
                     AKIN_OK);
    without_signs(left, w);
    for (int j = 0; w && j < D; ++j)
        sign[j] = w[j] < 0.0 ? -1.0 : 1.0;
    o.approximate = graph ? "hnsw" : "none";
    assert_int_equal(akin_index_build(&x, ctx, m, parts[0], &o), AKIN_OK);
    assert_int_equal(akin_index_add(ctx, x, parts[1]), AKIN_OK);
    assert_string_equal(akin_index_kind(x), graph ? "hnsw" : "dense");
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
        reference want = {
            w ? sign : NULL, left, right, NULL, ignore, 7, by, 8, NULL};
        if (graph && by != akin_index_compare(x))
            continue;
        check_index(ctx, x, queries, want);
    }
    assert_int_equal(akin_index_remove(ctx, x, removed, 2), AKIN_OK);
    gone[1] = gone[n + 2] = 1;
    x = index_reload(ctx, x);
    for (int64_t i = 0; i < n + 40; ++i)
        exclude[i] = i % 5 == 3;
    for (int k = 0; k < 2; ++k)
        check_index(ctx, x, queries,
                    (reference){w ? sign : NULL, left, right, gone, ignore, 7,
                                akin_index_compare(x), 8, k ? exclude : NULL});
    akin_index_free(x);
    akin_model_free(m);
    akin_lists_free(ignore);
    akin_rows *rows[] = {parts[0], parts[1], queries, all, left, right};
    for (int i = 0; i < 6; ++i)
        akin_rows_free(rows[i]);
    free(both);
    free(gone);
    free(exclude);
}

static void vectors_of_every_model(void **state)
{
    for (int which = 0; which < MODELS; ++which) {
        check_model(*state, which, 3, false);
        check_model(*state, which, 700, false);
    }
}

/* So few rows that a search looks at all of them. */
static void a_graph_of_few_rows_is_exact(void **state)
{
    if (akin_index_can("hnsw"))
        for (int which = 0; which < MODELS; ++which)
            check_model(*state, which, 60, true);
}

/* Rows in heaps, the hard case: neighbours of neighbours are all alike. */
static akin_rows *clustered(akin_ctx *ctx, uint64_t seed, int64_t n)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    ak_rng centres = ak_rng_new(99, AK_STREAM_SYNTH);
    akin_rows *r = NULL;
    float centre[60 * D], *x = calloc((size_t)(n * D), sizeof *x);
    for (int i = 0; i < 60 * D; ++i)
        centre[i] = (float)(3.0 * ak_rng_normal(&centres));
    for (int64_t i = 0; i < n; ++i) {
        const int64_t c = ak_rng_below(&rng, 60);
        for (int64_t j = 0; j < D; ++j)
            x[i * D + j] = centre[c * D + j] + (float)ak_rng_normal(&rng);
    }
    assert_int_equal(akin_rows_new_dense(&r, ctx, n, D, x), AKIN_OK);
    free(x);
    return r;
}

/* Without one row in `excluded`; 0: with all. */
static double recall(akin_ctx *ctx, akin_compare by, int excluded)
{
    enum { TOP = 10, N = 4000, Q = 200 };
    akin_rows *rows = clustered(ctx, 1, N), *queries = clustered(ctx, 2, Q);
    akin_model *m = make_model(ctx, ONES);
    int64_t *found[2] = {NULL}, hits = 0;
    double *scores[2] = {NULL};
    akin_search_options s = AKIN_SEARCH_DEFAULTS;
    unsigned char exclude[N] = {0};
    for (int i = 0; i < N && excluded; ++i)
        exclude[i] = i % excluded == 0;
    s.exclude = exclude;
    for (int k = 0; k < 2; ++k) {
        akin_index_options o = AKIN_INDEX_DEFAULTS;
        akin_index *x = NULL;
        o.by = by;
        o.approximate = k ? "hnsw" : "none";
        assert_int_equal(akin_index_build(&x, ctx, m, rows, &o), AKIN_OK);
        assert_int_equal(
            akin_index_search(&found[k], &scores[k], ctx, x, queries, &s),
            AKIN_OK);
        akin_index_free(x);
    }
    for (int i = 0; i < Q * TOP; ++i)
        assert_true(found[1][i] >= 0 && !exclude[found[1][i]]);
    for (int i = 0; i < Q * TOP; ++i)
        for (int j = i / TOP * TOP; j < i / TOP * TOP + TOP; ++j)
            if (found[0][i] == found[1][j]) {
                ++hits;
                assert_true(scores[0][i] == scores[1][j]);
            }
    for (int k = 0; k < 2; ++k) {
        akin_free(found[k]);
        akin_free(scores[k]);
    }
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(queries);
    return (double)hits / (Q * TOP);
}

static void a_graph_finds_nearly_all(void **state)
{
    if (!akin_index_can("hnsw"))
        return;
    for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by)
        assert_true(recall(*state, by, 0) >= 0.98);
    assert_true(recall(*state, AKIN_BY_DISTANCE, 10) >= 0.98);
    assert_true(recall(*state, AKIN_BY_COSINE, 2) >= 0.98);
}

/* Half of the rows are positive examples, some negative: none of them is
 * returned. */
static void examples_are_the_query(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = normal_rows(ctx, 4, 300), *mean = NULL;
    akin_model *m = make_model(ctx, METRIC);
    const int64_t like[] = {5, 9}, unlike[] = {20};
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_index *x = NULL;
    int64_t *found[2] = {NULL};
    double *scores[2] = {NULL};
    float q[D];
    for (int j = 0; j < D; ++j)
        q[j] = 0.5F * (rows->vals[5 * D + j] + rows->vals[9 * D + j]) -
               0.5F * rows->vals[20 * D + j];
    assert_int_equal(akin_rows_new_dense(&mean, ctx, 1, D, q), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
    o.top = 20;
    assert_int_equal(akin_index_search(&found[0], &scores[0], ctx, x, mean, &o),
                     AKIN_OK);
    o.like = like;
    o.n_like = 2;
    o.unlike = unlike;
    o.n_unlike = 1;
    assert_int_equal(akin_index_search(&found[1], &scores[1], ctx, x, NULL, &o),
                     AKIN_OK);
    for (int k = 0, l = 0; l < 15; ++k) {
        if (found[0][k] == 5 || found[0][k] == 9 || found[0][k] == 20)
            continue;
        assert_int_equal(found[0][k], found[1][l++]);
    }
    for (int k = 0; k < 2; ++k) {
        akin_free(found[k]);
        akin_free(scores[k]);
    }
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(mean);
}

/* The same rows as examples that are in no index: they are found too. */
static void examples_may_come_from_elsewhere(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = normal_rows(ctx, 4, 300);
    akin_model *m = make_model(ctx, METRIC);
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    const int64_t ninth = 9, *hidden = &ninth;
    akin_index *x = NULL;
    akin_rows *part[3] = {NULL};
    int64_t *found[2] = {NULL};
    double *scores[2] = {NULL};
    for (int k = 0; k < 3; ++k)
        assert_int_equal(akin_rows_new_dense(&part[k], ctx, 1, D,
                                             rows->vals + (k == 0   ? 5
                                                           : k == 1 ? 9
                                                                    : 20) *
                                                              D),
                         AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
    o.top = 20;
    o.like_rows = part[0];
    o.unlike_rows = part[2];
    assert_int_equal(
        akin_index_search(&found[0], &scores[0], ctx, x, part[1], &o), AKIN_OK);
    o.like = hidden;  // the other half of the mean is a row of the index
    o.n_like = 1;
    assert_int_equal(akin_index_search(&found[1], &scores[1], ctx, x, NULL, &o),
                     AKIN_OK);
    for (int k = 0, l = 0; l < 15; ++k)
        if (found[0][k] != ninth) {
            assert_int_equal(found[0][k], found[1][l]);
            assert_true(fabs(scores[0][k] - scores[1][l++]) < 1e-4);
        }
    for (int k = 0; k < 2; ++k) {
        akin_free(found[k]);
        akin_free(scores[k]);
    }
    for (int k = 0; k < 3; ++k)
        akin_rows_free(part[k]);
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_every_model),
        cmocka_unit_test(a_graph_of_few_rows_is_exact),
        cmocka_unit_test(a_graph_finds_nearly_all),
        cmocka_unit_test(examples_are_the_query),
        cmocka_unit_test(examples_may_come_from_elsewhere),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
