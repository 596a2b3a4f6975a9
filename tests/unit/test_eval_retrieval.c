/* Retrieval against a ranking that is sorted and counted in full. */
#include "exact.h"

#include <akin/eval.h>

#include "faulty.h"
#include "model/diagonal.h"

enum { N = 150, NQ = 40, D = 30, CLASSES = 5 };

/* The average precision of a list of rows that are in order, in the words of
 * the evaluation program of the Oxford buildings. */
static double literal_trapezoid(const unsigned char *right, int64_t n,
                                int64_t n_right)
{
    double ap = 0.0, old_recall = 0.0, old_precision = 1.0;
    int64_t found = 0;
    for (int64_t j = 0; j < n; ++j) {
        found += right[j];
        const double recall = (double)found / (double)n_right;
        const double precision = (double)found / ((double)j + 1.0);
        ap += (recall - old_recall) * ((old_precision + precision) / 2.0);
        old_recall = recall;
        old_precision = precision;
    }
    return ap;
}

static double literal_standard(const unsigned char *right, int64_t n,
                               int64_t n_right)
{
    double sum = 0.0;
    int64_t found = 0;
    for (int64_t j = 0; j < n; ++j) {
        found += right[j];
        if (right[j])
            sum += (double)found / (double)(j + 1);
    }
    return sum / (double)n_right;
}

typedef struct problem {
    const akin_rows *rows, *queries;
    const double *w;
    akin_retrieval_options o;
} problem;

static bool listed(const akin_lists *l, int64_t query, int64_t row)
{
    const int64_t *rows;
    const int64_t n = l ? akin_lists_get(&rows, l, query) : 0;
    for (int64_t k = 0; k < n; ++k)
        if (rows[k] == row)
            return true;
    return false;
}

static bool is_relevant(const problem *p, int64_t query, int64_t row)
{
    if (p->o.relevant)
        return listed(p->o.relevant, query, row);
    if (p->queries == p->rows && query == row)
        return false;
    return ak_rows_share_label(p->queries, query, p->rows, row, NULL);
}

static bool is_ranked(const problem *p, int64_t query, int64_t row)
{
    if (p->o.exclude && p->o.exclude[row])
        return false;
    if (listed(p->o.ignore, query, row))
        return false;
    return p->queries != p->rows || query != row || is_relevant(p, query, row);
}

/* Flags of the ranked rows in order; the vector of the query is row `at` of
 * `vectors`. Returns how many are ranked. */
static int64_t rank_all(const problem *p, int64_t query,
                        const akin_rows *vectors, int64_t at,
                        unsigned char *right)
{
    double scores[N];
    int64_t order[N], n = 0;
    for (int64_t i = 0; i < N; ++i) {
        if (!is_ranked(p, query, i))
            continue;
        scores[i] = exact_score(vectors, at, p->rows, i, p->w, p->o.by);
        int64_t k = n++;
        for (; k > 0 && scores[order[k - 1]] < scores[i]; --k)
            order[k] = order[k - 1];
        order[k] = i;
    }
    for (int64_t k = 0; k < n; ++k)
        right[k] = is_relevant(p, query, order[k]);
    return n;
}

/* Against the library, for all queries; `vectors`: in their place, or NULL. */
static void check(akin_ctx *ctx, const problem *p, const akin_rows *vectors)
{
    const int64_t count = p->o.query_rows ? p->o.n_query_rows : p->queries->n;
    double ap[N], map = 0.0, at[AKIN_PRECISIONS] = {0};
    akin_retrieval got;
    akin_model *m = NULL;
    int64_t counted = 0;
    ak_diagonal_new(&m, ctx, D, p->w, AKIN_BY_DOT);
    assert_int_equal(akin_eval_retrieval(&got, ap, ctx, m, p->rows, &p->o),
                     AKIN_OK);
    for (int64_t t = 0; t < count; ++t) {
        const int64_t query = p->o.query_rows ? p->o.query_rows[t] : t;
        unsigned char right[N];
        int64_t n_right = 0;
        const int64_t n = vectors
                              ? rank_all(p, query, vectors, t, right)
                              : rank_all(p, query, p->queries, query, right);
        for (int64_t k = 0; k < n; ++k)
            n_right += right[k];
        if (n_right == 0) {
            assert_true(isnan(ap[t]));
            continue;
        }
        const double want = (p->o.trapezoid
                                 ? literal_trapezoid
                                 : literal_standard)(right, n, n_right);
        assert_true(fabs(ap[t] - want) < 1e-13);
        ++counted;
        map += want;
        for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
            for (int64_t k = 0; k < n && k < akin_precision_cut(c); ++k)
                at[c] += right[k] / (double)akin_precision_cut(c);
    }
    assert_int_equal(got.queries, counted);
    assert_int_equal(got.skipped, count - counted);
    assert_true(fabs(got.map - map / (double)counted) < 1e-13);
    for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
        assert_true(fabs(got.precision_at[c] - at[c] / (double)counted) <
                    1e-13);
    akin_model_free(m);
}

/* Lists of `each` random rows a query. */
static akin_lists *random_lists(akin_ctx *ctx, uint64_t seed, int64_t queries,
                                int64_t each)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    int64_t *pairs = calloc((size_t)(2 * queries * each), sizeof *pairs);
    akin_lists *l = NULL;
    for (int64_t k = 0; k < queries * each; ++k) {
        pairs[2 * k] = k / each;
        pairs[2 * k + 1] = ak_rng_below(&rng, N);
    }
    assert_int_equal(akin_lists_new(&l, ctx, queries, pairs, queries * each),
                     AKIN_OK);
    free(pairs);
    return l;
}

static void every_combination_equals_the_reference(void **state)
{
    akin_ctx *ctx = *state;
    akin_lists *relevant = random_lists(ctx, 3, N, 9);
    akin_lists *ignore = random_lists(ctx, 4, N, 12);
    int64_t query_rows[NQ];
    unsigned char exclude[N];
    for (int64_t i = 0; i < N; ++i)
        exclude[i] = i % 4 == 1;
    for (int64_t t = 0; t < NQ; ++t)
        query_rows[t] = (t * 37) % N;
    for (int bits = 0; bits < 192; ++bits) {
        double w[D];
        akin_rows *rows = exact_rows(ctx, 1, N, D, bits & 1, CLASSES);
        akin_rows *outside = exact_rows(ctx, 2, NQ, D, bits & 1, CLASSES);
        problem p = {.rows = rows, .queries = rows};
        p.o = (akin_retrieval_options)AKIN_RETRIEVAL_DEFAULTS;
        p.o.by = (akin_compare)(AKIN_BY_DOT + bits % 3);
        p.o.trapezoid = bits >> 1 & 1;
        p.o.relevant = bits & 4 ? relevant : NULL;
        p.o.ignore = bits & 8 ? ignore : NULL;
        p.o.exclude = bits & 16 ? exclude : NULL;
        p.w = exact_weights(D, bits % 5 % 3, w);
        if (bits >> 5 == 1 || bits >> 5 == 4) {
            p.o.query_rows = query_rows;
            p.o.n_query_rows = NQ;
        } else if (bits >> 5 == 2) {
            p.o.queries = p.queries = outside;
        }
        check(ctx, &p, NULL);
        akin_rows_free(rows);
        akin_rows_free(outside);
    }
    akin_lists_free(relevant);
    akin_lists_free(ignore);
}

/* The mean by hand: n + 1 = 4 rows, so that it is exact. */
static akin_rows *means(akin_ctx *ctx, const akin_rows *rows,
                        const akin_lists *like, const int64_t *queries,
                        int64_t count)
{
    float *x = calloc((size_t)(count * D), sizeof *x);
    akin_rows *out = NULL;
    for (int64_t t = 0; t < count; ++t) {
        const int64_t *more;
        const int64_t n = akin_lists_get(&more, like, queries[t]);
        for (int64_t j = 0; j < D; ++j) {
            double sum = exact_value(rows, queries[t], j);
            for (int64_t k = 0; k < n; ++k)
                sum += exact_value(rows, more[k], j);
            x[t * D + j] = (float)(sum / (double)(n + 1));
        }
    }
    assert_int_equal(akin_rows_new_dense(&out, ctx, count, D, x), AKIN_OK);
    free(x);
    return out;
}

static void examples_are_averaged(void **state)
{
    akin_ctx *ctx = *state;
    int64_t pairs[2 * 3 * NQ], queries[NQ];
    akin_lists *like = NULL;
    for (int64_t t = 0; t < NQ; ++t) {
        queries[t] = 3 * t;
        for (int64_t k = 0; k < 3; ++k) {
            pairs[6 * t + 2 * k] = queries[t];
            pairs[6 * t + 2 * k + 1] = (queries[t] + 5 * k + 1) % N;
        }
    }
    assert_int_equal(akin_lists_new(&like, ctx, N, pairs, 3 * NQ), AKIN_OK);
    for (int k = 0; k < 6; ++k) {
        akin_rows *rows = exact_rows(ctx, 1, N, D, k & 1, CLASSES);
        akin_rows *vectors = means(ctx, rows, like, queries, NQ);
        problem p = {.rows = rows, .queries = rows};
        p.o = (akin_retrieval_options)AKIN_RETRIEVAL_DEFAULTS;
        p.o.query_rows = queries;
        p.o.n_query_rows = NQ;
        p.o.like = like;
        p.o.by = (akin_compare)(AKIN_BY_DOT + k / 2);
        check(ctx, &p, vectors);
        akin_rows_free(vectors);
        akin_rows_free(rows);
    }
    akin_lists_free(like);
}

static void a_listed_query_counts(void **state)
{
    akin_ctx *ctx = *state;
    const float x[] = {1.0f, 0.5f, 0.9f};
    const int64_t list[] = {0, 0, 0, 1}, query = 0;
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval got;
    akin_rows *rows = NULL;
    akin_lists *l = NULL;
    akin_model *m = NULL;
    akin_rows_new_dense(&rows, ctx, 3, 1, x);
    akin_lists_new(&l, ctx, 3, list, 2);
    ak_diagonal_new(&m, ctx, 1, NULL, AKIN_BY_DOT);
    o.relevant = l;
    o.query_rows = &query;
    o.n_query_rows = 1;
    assert_int_equal(akin_eval_retrieval(&got, NULL, ctx, m, rows, &o),
                     AKIN_OK);
    assert_true(fabs(got.map - (1.0 + 2.0 / 3.0) / 2.0) < 1e-15);
    assert_true(got.precision_at[0] == 1.0);
    assert_int_equal(got.rows, 3);
    akin_lists_free(l);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void labels_are_matched_by_name(void **state)
{
    akin_ctx *ctx = *state;
    const float x[] = {3.0f, 2.0f, 1.0f}, one[] = {1.0f, 1.0f};
    const char *ab[] = {"a", "b"}, *zb[] = {"z", "b"};
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval got;
    akin_rows *rows = NULL, *queries = NULL;
    akin_model *m = NULL;
    akin_rows_new_dense(&rows, ctx, 3, 1, x);
    akin_rows_set_labels(ctx, rows, (int32_t[]){0, 1, -1}, ab, 2);
    akin_rows_new_dense(&queries, ctx, 2, 1, one);
    akin_rows_set_labels(ctx, queries, (int32_t[]){0, 1}, zb, 2);
    ak_diagonal_new(&m, ctx, 1, NULL, AKIN_BY_DOT);
    o.queries = queries;
    assert_int_equal(akin_eval_retrieval(&got, NULL, ctx, m, rows, &o),
                     AKIN_OK);
    assert_int_equal(got.queries, 1);  // nothing is labelled z
    assert_int_equal(got.skipped, 1);
    assert_true(got.map == 0.5);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(queries);
}

/* Ranks 1, 3 and 6 of 4 relevant rows, one of which was never found. */
static void average_precision_by_hand(void **state)
{
    const int64_t ranks[] = {1, 3, 6};
    (void)state;
    assert_true(fabs(akin_average_precision(ranks, 3, 4, 0) -
                     (1.0 + 2.0 / 3.0 + 3.0 / 6.0) / 4.0) < 1e-15);
    assert_true(fabs(akin_average_precision(ranks, 3, 4, 1) -
                     (1.0 + (0.5 + 2.0 / 3.0) / 2.0 + (0.4 + 0.5) / 2.0) /
                         4.0) < 1e-15);
    assert_true(isnan(akin_average_precision(ranks, 0, 0, 0)));
    assert_int_equal(akin_precision_cut(5), 100);
    assert_int_equal(akin_precision_cut(6), 0);
}

static void what_is_not_there_is_refused(void **state)
{
    akin_ctx *ctx = *state;
    const int64_t beyond[] = {0, N}, row = N;
    akin_rows *rows = exact_rows(ctx, 1, N, D, true, 0);
    akin_retrieval got;
    akin_lists *l = NULL;
    akin_model *m = NULL;
    ak_diagonal_new(&m, ctx, D, NULL, AKIN_BY_DOT);
    assert_int_equal(akin_eval_retrieval(&got, NULL, ctx, m, rows, NULL),
                     AKIN_EINVAL);  // no labels
    akin_lists_new(&l, ctx, N, beyond, 1);
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    o.relevant = l;
    assert_int_equal(akin_eval_retrieval(&got, NULL, ctx, m, rows, &o),
                     AKIN_ESHAPE);
    o.query_rows = &row;
    o.n_query_rows = 1;
    assert_int_equal(akin_eval_retrieval(&got, NULL, ctx, m, rows, &o),
                     AKIN_ESHAPE);
    o.queries = rows;
    assert_int_equal(akin_eval_retrieval(&got, NULL, ctx, m, rows, &o),
                     AKIN_EINVAL);
    akin_lists_free(l);
    akin_model_free(m);
    akin_rows_free(rows);
}

static void the_same_bits_on_any_number_of_threads(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = class_rows(ctx, 3, 500, 300, 30, 7);
    akin_model *m = NULL;
    akin_retrieval first, got;
    double ap[500], again[500];
    ak_diagonal_new(&m, ctx, 300, NULL, AKIN_BY_COSINE);
    akin_ctx_set_threads(ctx, 1);
    assert_int_equal(akin_eval_retrieval(&first, ap, ctx, m, rows, NULL),
                     AKIN_OK);
    for (int64_t threads = 2; threads <= 4; ++threads) {
        akin_ctx_set_threads(ctx, threads);
        assert_int_equal(akin_eval_retrieval(&got, again, ctx, m, rows, NULL),
                         AKIN_OK);
        assert_memory_equal(&first, &got, sizeof got);
        assert_memory_equal(ap, again, sizeof ap);
    }
    akin_ctx_set_threads(ctx, 0);
    akin_model_free(m);
    akin_rows_free(rows);
}

static akin_status evaluate(akin_ctx *ctx, void *arg)
{
    const akin_rows *rows = arg;
    const int64_t list[] = {0, 1, 1, 2, 2, 3};
    akin_retrieval_options o = AKIN_RETRIEVAL_DEFAULTS;
    akin_retrieval got;
    akin_lists *like = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    akin_ctx_set_threads(ctx, 1);
    AK_TRY(ak_diagonal_new(&m, ctx, D, NULL, AKIN_BY_COSINE));
    AK_TRY(akin_lists_new(&like, ctx, N, list, 3));
    o.like = like;
    AK_TRY(akin_eval_retrieval(&got, NULL, ctx, m, rows, &o));
done:
    akin_lists_free(like);
    akin_model_free(m);
    return st;
}

static void every_failed_allocation_is_survived(void **state)
{
    for (int sparse = 0; sparse < 2; ++sparse) {
        akin_rows *rows = exact_rows(*state, 1, N, D, sparse, CLASSES);
        assert_in_range(faulty_run(evaluate, rows), 10, 200);
        akin_rows_free(rows);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_combination_equals_the_reference),
        cmocka_unit_test(examples_are_averaged),
        cmocka_unit_test(a_listed_query_counts),
        cmocka_unit_test(labels_are_matched_by_name),
        cmocka_unit_test(average_precision_by_hand),
        cmocka_unit_test(what_is_not_there_is_refused),
        cmocka_unit_test(the_same_bits_on_any_number_of_threads),
        cmocka_unit_test(every_failed_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, support_set_up, support_tear_down);
}
