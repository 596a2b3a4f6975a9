/* An inverted index finds what comparing with every row finds: the same rows,
 * the same bits, whatever the recipe, the weights and the comparison. */
#include "index_reference.h"

#include "index/inverted/pack.h"
#include "la/sparse.h"

typedef struct setting {
    uint64_t seed;
    int64_t n, d, n_queries, top;
    bool rough;   // values that are no counts
    bool thin;    // rows of few words, all as frequent
    bool topics;  // rows of frequent words, and of a topic's rare ones
    int weights;  // 0: ones, 1: positive and zeros, 2: of any sign
    const char *recipe, *norm;
    akin_compare by;
    int64_t prune;
} setting;

static akin_model *make_model(akin_ctx *ctx, const setting *s,
                              const akin_rows *rows)
{
    ak_rng rng = ak_rng_new(s->seed, AK_STREAM_SYNTH);
    akin_recipe_options o = AKIN_RECIPE_DEFAULTS;
    double *w = calloc((size_t)s->d, sizeof *w);
    akin_recipe *recipe = NULL;
    akin_model *m = NULL;
    for (int64_t j = 0; j < s->d; ++j) {
        const double x = ak_rng_normal(&rng);
        w[j] = ak_rng_unit(&rng) < 0.3 ? 0.0 : s->weights == 1 ? fabs(x) : x;
    }
    assert_int_equal(
        ak_diagonal_new(&m, ctx, s->d, s->weights ? w : NULL, AKIN_BY_DOT),
        AKIN_OK);
    o.weights = s->recipe;
    o.norm = s->norm;
    assert_int_equal(akin_recipe_fit(&recipe, ctx, rows, &o), AKIN_OK);
    assert_int_equal(ak_model_set_recipe(m, ctx, AKIN_LEFT, recipe), AKIN_OK);
    akin_recipe_free(recipe);
    free(w);
    return m;
}

static akin_lists *some_ignored(akin_ctx *ctx, const setting *s)
{
    akin_lists *l = NULL;
    int64_t *pairs = calloc((size_t)(2 * s->n_queries + 2), sizeof *pairs);
    for (int64_t t = 0; t < s->n_queries; ++t) {
        pairs[2 * t] = t;
        pairs[2 * t + 1] = t % s->n;
    }
    assert_int_equal(akin_lists_new(&l, ctx, s->n_queries, pairs, s->n_queries),
                     AKIN_OK);
    free(pairs);
    return l;
}

/* From a few to all rows. */
static unsigned char *some_excluded(const setting *s)
{
    static const double shares[] = {0.01, 0.5, 0.95, 1.0};
    ak_rng rng = ak_rng_new(s->seed + 7, AK_STREAM_SYNTH);
    unsigned char *flags = calloc((size_t)s->n, 1);
    for (int64_t i = 0; i < s->n; ++i)
        flags[i] = ak_rng_unit(&rng) < shares[s->seed % 4];
    return flags;
}

/* Of the rows that are not gone; with w, in columns that have a weight. */
static int64_t count_entries(const akin_rows *rows, const unsigned char *gone,
                             const double *w)
{
    int64_t count = 0;
    for (int64_t i = 0; i < akin_rows_count(rows); ++i) {
        const int32_t *cols;
        const float *vals;
        const int64_t n = akin_rows_row(&cols, &vals, rows, i);
        for (int64_t k = 0; k < n; ++k)
            count += !gone[i] && (w == NULL || w[cols[k]] != 0.0);
    }
    return count;
}

/* Rows of `words` words or fewer, one of each d / words columns. */
static akin_rows *thin_bags(akin_ctx *ctx, uint64_t seed, int64_t n, int64_t d,
                            int64_t words)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    int64_t *offsets = calloc((size_t)n + 1, sizeof *offsets), at = 0;
    int32_t *cols = calloc((size_t)(n * words), sizeof *cols);
    float *vals = calloc((size_t)(n * words), sizeof *vals);
    akin_rows *r = NULL;
    for (int64_t i = 0; i < n; offsets[++i] = at)
        for (int64_t k = 0; k < words; ++k) {
            if (ak_rng_below(&rng, 8) == 0)
                continue;
            cols[at] =
                (int32_t)(k * (d / words) + ak_rng_below(&rng, d / words));
            vals[at++] = (float)(1 + ak_rng_below(&rng, 4));
        }
    assert_int_equal(akin_rows_new_sparse(&r, ctx, n, d, offsets, cols, vals),
                     AKIN_OK);
    free(offsets);
    free(cols);
    free(vals);
    return r;
}

/* Column j < 60 is in 2 of j + 2 rows, or in queries in three of four; columns
 * behind it are words of 150 topics, with ten words each. */
static akin_rows *topic_bags(akin_ctx *ctx, uint64_t seed, int64_t n, int64_t d,
                             bool queries)
{
    enum { FREQUENT = 60, TOPICS = 150 };
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    int64_t *offsets = calloc((size_t)n + 1, sizeof *offsets), at = 0;
    int32_t *cols = calloc((size_t)(n * d), sizeof *cols);
    float *vals = calloc((size_t)(n * d), sizeof *vals);
    akin_rows *r = NULL;
    for (int64_t i = 0; i < n; offsets[++i] = at) {
        const int64_t topic = ak_rng_below(&rng, TOPICS);
        for (int64_t j = 0; j < d; ++j) {
            const bool own = (j - FREQUENT) % TOPICS == topic;
            const double p = j < FREQUENT
                                 ? queries ? 0.75 : 2.0 / (double)(j + 2)
                             : own ? 0.5
                                   : 0.001;
            if (ak_rng_unit(&rng) >= p)
                continue;
            cols[at] = (int32_t)j;
            vals[at++] = (float)(1 + ak_rng_below(&rng, 3));
        }
    }
    assert_int_equal(akin_rows_new_sparse(&r, ctx, n, d, offsets, cols, vals),
                     AKIN_OK);
    free(offsets);
    free(cols);
    free(vals);
    return r;
}

static akin_rows *bags_of(akin_ctx *ctx, const setting *s, bool queries)
{
    const int64_t n = queries ? s->n_queries : s->n;
    const uint64_t seed = s->seed + queries;
    if (s->topics)
        return topic_bags(ctx, seed, n, s->d, queries);
    return s->thin ? thin_bags(ctx, seed, n, s->d, queries ? 40 : 3)
                   : random_bags(ctx, seed, n, s->d, s->rough);
}

/* Built of the first rows, the others added; then every fifth removed. */
static void check_setting(akin_ctx *ctx, const setting *s)
{
    const int64_t half = s->n / 2 + 1;
    akin_rows *rows = bags_of(ctx, s, false);
    akin_rows *queries = bags_of(ctx, s, true);
    akin_model *m = make_model(ctx, s, rows);
    akin_rows *parts[2] = {NULL}, *ready = NULL, *asked = NULL;
    int64_t *which = calloc((size_t)s->n + 1, sizeof *which), n_gone = 0;
    unsigned char *gone = calloc((size_t)s->n, 1);
    akin_lists *ignore = some_ignored(ctx, s);
    akin_index_options o = AKIN_INDEX_DEFAULTS;
    akin_index *x = NULL;

    o.prune = s->prune;
    for (int64_t i = 0; i < s->n; ++i)
        which[i] = i;
    assert_int_equal(akin_rows_select(&parts[0], ctx, rows, which, half),
                     AKIN_OK);
    assert_int_equal(
        akin_rows_select(&parts[1], ctx, rows, which + half, s->n - half),
        AKIN_OK);
    assert_int_equal(akin_model_prepare(&ready, ctx, m, rows, AKIN_RIGHT),
                     AKIN_OK);
    assert_int_equal(akin_model_prepare(&asked, ctx, m, queries, AKIN_LEFT),
                     AKIN_OK);
    unsigned char *exclude = some_excluded(s);
    reference want = {ak_diagonal_w(m), asked, ready, NULL, NULL,
                      s->top,           s->by, 1,     NULL};

    assert_int_equal(akin_index_build(&x, ctx, m, parts[0], &o), AKIN_OK);
    assert_string_equal(akin_index_kind(x), "inverted");
    x = index_reload(ctx, x);
    assert_int_equal(akin_index_add(ctx, x, parts[1]), AKIN_OK);
    check_index(ctx, x, queries, want);
    want.ignore = ignore;
    check_index(ctx, x, queries, want);
    for (int64_t i = 0; i < s->n; i += 5) {
        gone[i] = 1;
        which[n_gone++] = i;
    }
    want.gone = gone;
    assert_int_equal(akin_index_remove(ctx, x, which, n_gone), AKIN_OK);
    assert_int_equal(akin_index_present(x), s->n - n_gone);
    x = index_reload(ctx, x);
    check_index(ctx, x, queries, want);
    want.exclude = exclude;
    check_index(ctx, x, queries, want);
    want.ignore = NULL;
    check_index(ctx, x, queries, want);
    assert_int_equal(
        akin_index_postings(x),
        count_entries(rows, gone, s->prune ? ak_diagonal_w(m) : NULL));

    akin_index_free(x);
    akin_model_free(m);
    akin_lists_free(ignore);
    free(which);
    free(gone);
    free(exclude);
    akin_rows *all[] = {rows, queries, parts[0], parts[1], ready, asked};
    for (int i = 0; i < 6; ++i)
        akin_rows_free(all[i]);
}

static void check_recipes(akin_ctx *ctx, setting s)
{
    static const char *const weights[] = {"none", "tf",  "tfidf",     "binary",
                                          "sqrt", "log", "binary-idf"};
    for (int k = 0; k < (s.rough ? 1 : 7); ++k)
        for (int l = 0; l < 2; ++l)
            for (s.by = AKIN_BY_DOT; s.by <= AKIN_BY_DISTANCE; ++s.by) {
                s.recipe = weights[k];
                s.norm = l ? "l2" : "none";
                s.weights = (int)(s.seed++ % 3);
                s.prune = s.weights && s.seed % 2;
                check_setting(ctx, &s);
            }
}

static void small_ones_of_every_recipe(void **state)
{
    const setting sizes[] = {
        {.n = 1, .d = 5, .n_queries = 3, .top = 3},
        {.n = 40, .d = 30, .n_queries = 7, .top = 40},
        {.n = 400, .d = 300, .n_queries = 9, .top = 10},
    };
    for (int k = 0; k < 3; ++k)
        for (int rough = 0; rough < 2; ++rough) {
            setting s = sizes[k];
            s.rough = rough;
            s.seed = (uint64_t)(100 * k + 50 * rough + 1);
            check_recipes(*state, s);
        }
}

/* Many rows: full blocks, and passes that end early. */
static void larger_ones(void **state)
{
    for (int k = 0; k < 6; ++k) {
        const setting s = {.n = 6000,
                           .d = 90,
                           .n_queries = 6,
                           .top = 5,
                           .seed = (uint64_t)(1000 + k),
                           .weights = k % 3,
                           .recipe = k < 3 ? "tfidf" : "binary-idf",
                           .norm = "l2",
                           .by = (akin_compare)(1 + k % 3)};
        check_setting(*state, &s);
    }
}

/* Few postings for so many rows, which are those of several heaps; some of the
 * queries find fewer than are wanted. */
static void many_thin_ones(void **state)
{
    static const char *const recipes[] = {"binary", "tfidf", "sqrt", "none"};
    for (int k = 0; k < 4; ++k) {
        const setting s = {.n = 140000,
                           .d = 600,
                           .n_queries = 3,
                           .top = k == 3 ? 40000 : 100,
                           .thin = true,
                           .seed = (uint64_t)(2000 + k),
                           .weights = k % 2,
                           .recipe = recipes[k],
                           .norm = k == 2 ? "none" : "l2",
                           .by = (akin_compare)(1 + k % 2)};
        check_setting(*state, &s);
    }
}

/* Long queries: frequent columns are bounded, and workers share a query. */
static void many_rows_of_topics(void **state)
{
    static const char *const recipes[] = {"sqrt-idf", "tfidf", "binary-idf",
                                          "none",     "log",   "sqrt-idf"};
    for (int k = 0; k < 6; ++k) {
        const setting s = {.n = 66000,
                           .d = 1560,
                           .n_queries = 2,
                           .top = k == 4 ? 3000 : 10,
                           .topics = true,
                           .seed = (uint64_t)(3000 + k),
                           .weights = k % 3,
                           .recipe = recipes[k],
                           .norm = k == 3 ? "none" : "l2",
                           .by = k == 5   ? AKIN_BY_COSINE
                                 : k == 3 ? AKIN_BY_DISTANCE
                                          : AKIN_BY_DOT};
        akin_ctx_set_threads(*state, 1 + k % 2 * 2);
        check_setting(*state, &s);
    }
    akin_ctx_set_threads(*state, 1);
}

/* Sizes that floats cannot hold: every row is then a candidate. */
static void sizes_beyond_floats(void **state)
{
    akin_ctx *ctx = *state;
    double w[20];
    const float scales[] = {1e-30F, 1.0F, 1e15F};
    for (int k = 0; k < 3; ++k)
        for (akin_compare by = AKIN_BY_DOT; by <= AKIN_BY_DISTANCE; ++by) {
            akin_rows *rows = random_bags(ctx, 3, 200, 20, true);
            akin_index *x = NULL;
            akin_model *m = NULL;
            for (int64_t i = 0; i < rows->offsets[rows->n]; ++i)
                rows->vals[i] *= scales[(i + k) % 3];
            for (int j = 0; j < 20; ++j)
                w[j] = j % 2 ? 1e-20 : 1e9;
            assert_int_equal(ak_diagonal_new(&m, ctx, 20, w, by), AKIN_OK);
            assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
            check_index(ctx, x, rows,
                        (reference){w, rows, rows, NULL, NULL, 7, by, 1, NULL});
            akin_index_free(x);
            akin_model_free(m);
            akin_rows_free(rows);
        }
}

static void numbers_come_back(void **state)
{
    ak_rng rng = ak_rng_new(5, AK_STREAM_SYNTH);
    (void)state;
    for (unsigned bits = 0; bits <= 32; bits += bits == 24 ? 8 : 1)
        for (int64_t n = 1; n <= AK_PACK_BLOCK; ++n) {
            uint32_t v[AK_PACK_BLOCK], got[AK_PACK_BLOCK], rows[AK_PACK_BLOCK];
            uint32_t words[AK_PACK_BLOCK + AK_PACK_SLACK] = {0}, last = 7;
            const uint32_t mask = (uint32_t)((UINT64_C(1) << bits) - 1);
            for (int64_t i = 0; i < n; ++i)
                v[i] = (uint32_t)ak_rng_next(&rng) & mask;
            assert_true(ak_pack_size(n, bits) <= AK_PACK_BLOCK);
            for (int level = 0; level < 2; ++level) {
                ak_la_use(level ? ak_la_best() : AK_LA_PORTABLE);
                ak_pack(n, v, bits, words);
                ak_unpack(n, words, bits, got);
                for (int64_t i = 0; i < n; ++i)
                    assert_int_equal(got[n == 128 ? AK_PACK_PLACE(i) : i],
                                     v[i]);
                if (bits > 24)
                    continue;
                const uint32_t first = v[0];
                v[0] = 0;
                ak_pack(n, v, bits, words);
                last = ak_unpack_rising(n, words, bits, 7, rows);
                v[0] = first;
                uint32_t at = 7;
                for (int64_t i = 0; i < n; ++i) {
                    at += i ? v[i] + 1 : 0;
                    assert_int_equal(rows[n == 128 ? AK_PACK_PLACE(i) : i], at);
                }
                assert_int_equal(last, at);
            }
        }
    ak_la_use(ak_la_best());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_come_back),
        cmocka_unit_test(small_ones_of_every_recipe),
        cmocka_unit_test(larger_ones),
        cmocka_unit_test(many_thin_ones),
        cmocka_unit_test(many_rows_of_topics),
        cmocka_unit_test(sizes_beyond_floats),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
