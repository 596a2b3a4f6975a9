/* An export ranks as its index does, for every engine, kind of rows, sign of
 * weights and comparison that it takes; its bytes depend on nothing else; a
 * damaged one is refused or ranks somehow. */
#include <dirent.h>
#include <sys/stat.h>

#include <akin/export.h>

#include "export_folders.h"
#include "index_reference.h"

static int set_up(void **state)
{
    return export_begin() != 0 || support_set_up(state) != 0;
}

static int tear_down(void **state)
{
    return export_end() != 0 || support_tear_down(state) != 0;
}

static akin_rows *dense_rows(akin_ctx *ctx, uint64_t seed, int64_t n, int64_t d)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    float *vals = calloc((size_t)(n * d), sizeof *vals);
    akin_rows *r = NULL;
    for (int64_t k = 0; k < n * d; ++k)
        vals[k] = (float)(3.0 * ak_rng_normal(&rng) + (double)(k % d));
    assert_int_equal(akin_rows_new_dense(&r, ctx, n, d, vals), AKIN_OK);
    free(vals);
    return r;
}

/* Weights of both signs, a few of them 0. */
static akin_model *signed_model(akin_ctx *ctx, uint64_t seed, int64_t d)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    double *w = calloc((size_t)d, sizeof *w);
    akin_model *m = NULL;
    for (int64_t j = 0; j < d; ++j)
        w[j] = j % 7 == 6 ? 0.0 : ak_rng_normal(&rng);
    assert_int_equal(ak_diagonal_new(&m, ctx, d, w, AKIN_BY_DOT), AKIN_OK);
    free(w);
    return m;
}

static akin_model *make_model(akin_ctx *ctx, const char *name,
                              const akin_rows *rows, uint64_t seed)
{
    akin_model *m = NULL;
    if (strcmp(name, "signed") == 0)
        return signed_model(ctx, seed, rows->d);
    assert_int_equal(akin_model_builtin(&m, ctx, name, rows), AKIN_OK);
    return m;
}

static int64_t verified;

static void check_one(akin_ctx *ctx, const akin_index *x,
                      const akin_rows *queries, const akin_export_options *o)
{
    akin_export_check r = {0};
    akin_export_info info = {0};
    const akin_status st = akin_export(ctx, x, export_path("x"), o, &info);
    if (st == AKIN_EINVAL || st == AKIN_EABSENT)
        return;  // the engine cannot: what the message says
    assert_int_equal(st, AKIN_OK);
    assert_int_equal(info.items, akin_index_present(x));
    assert_int_equal(
        akin_export_verify(&r, ctx, x, export_path("x"), queries, NULL),
        AKIN_OK);
    if (r.equal != r.queries)
        fail_msg("%s by %d: %lld of %lld equal, difference %g", o->to,
                 (int)o->by, (long long)r.equal, (long long)r.queries,
                 r.difference);
    if (r.is_exact && r.recall < 0.99)
        fail_msg("%s: recall %g", o->to, r.recall);
    ++verified;
}

static void check_all(akin_ctx *ctx, const char *model, const akin_rows *rows,
                      const akin_rows *queries, uint64_t seed)
{
    static const int64_t gone[2] = {1, 5};
    akin_export_options o = AKIN_EXPORT_DEFAULTS;
    akin_model *m = make_model(ctx, model, rows, seed);
    akin_index *x = NULL;
    assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
    assert_int_equal(akin_index_remove(ctx, x, gone, 2), AKIN_OK);
    for (int e = 0; e < EXPORT_ENGINES; ++e) {
        o.to = export_engines[e];
        for (o.by = AKIN_BY_DEFAULT; o.by <= AKIN_BY_DISTANCE; ++o.by)
            check_one(ctx, x, queries, &o);
        o.by = AKIN_BY_DEFAULT;
    }
    o.to = "pgvector";
    o.shards = 3;
    check_one(ctx, x, queries, &o);
    o.half = 1;
    check_one(ctx, x, queries, &o);
    akin_index_free(x);
    akin_model_free(m);
}

static void exports_rank_as_the_index(void **state)
{
    static const char *const models[] = {"tfidf", "cosine", "euclidean",
                                         "signed"};
    akin_ctx *ctx = *state;
    verified = 0;
    for (uint64_t seed = 1; seed <= 3; ++seed) {
        akin_rows *bags = random_bags(ctx, seed, 60, 25, false);
        akin_rows *bag_queries = random_bags(ctx, seed + 9, 20, 25, false);
        akin_rows *points = dense_rows(ctx, seed, 50, 4);
        akin_rows *queries = dense_rows(ctx, seed + 9, 20, 4);
        print_message("seed %d\n", (int)seed);
        for (int k = 0; k < 4; ++k) {
            check_all(ctx, models[k], bags, bag_queries, seed);
            if (k > 0)
                check_all(ctx, models[k], points, queries, seed);
        }
        check_all(ctx, "mahalanobis", points, queries, seed);
        akin_rows_free(bags);
        akin_rows_free(bag_queries);
        akin_rows_free(points);
        akin_rows_free(queries);
    }
    assert_true(verified > 300);
}

/* Items of two features: the first has the weight 1, the second -1. Those that
 * are `hidden` lose more than they have; akin lists the last ten first. */
static akin_rows *hiding_rows(akin_ctx *ctx, int64_t hidden)
{
    const int64_t n = hidden + 10;
    int64_t *offsets = calloc((size_t)n + 1, sizeof *offsets);
    int32_t *cols = calloc((size_t)(2 * n), sizeof *cols);
    float *vals = calloc((size_t)(2 * n), sizeof *vals);
    akin_rows *r = NULL;
    for (int64_t i = 0; i < n; ++i) {
        offsets[i + 1] = 2 * (i + 1);
        cols[2 * i + 1] = 1;
        vals[2 * i] = i < hidden ? 8.0F : (float)(i - hidden + 2) / 2.0F;
        vals[2 * i + 1] = i < hidden ? 9.0F : 0.25F;
    }
    assert_int_equal(akin_rows_new_sparse(&r, ctx, n, 2, offsets, cols, vals),
                     AKIN_OK);
    free(offsets);
    free(cols);
    free(vals);
    return r;
}

/* Engines subtract from the first 1,000 items alone. */
static void items_beyond_the_window_are_missed(void **state)
{
    static const double w[2] = {1.0, -1.0};
    akin_ctx *ctx = *state;
    const float query[2] = {1.0F, 1.0F};
    akin_rows *q = NULL;
    akin_model *m = NULL;
    assert_int_equal(akin_rows_new_dense(&q, ctx, 1, 2, query), AKIN_OK);
    assert_int_equal(ak_diagonal_new(&m, ctx, 2, w, AKIN_BY_DOT), AKIN_OK);
    for (int64_t hidden = 980; hidden <= 1020; hidden += 5) {
        akin_export_options o = AKIN_EXPORT_DEFAULTS;
        akin_rows *rows = hiding_rows(ctx, hidden);
        akin_index *x = NULL;
        akin_export_check r = {0};
        assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
        const int64_t in_window = 1000 - hidden;
        for (int e = 0; e < 3; ++e) {
            static const char *const to[] = {"opensearch", "elasticsearch",
                                             "csv"};
            o.to = to[e];
            assert_int_equal(akin_export(ctx, x, export_path("w"), &o, NULL),
                             AKIN_OK);
            assert_int_equal(
                akin_export_verify(&r, ctx, x, export_path("w"), q, NULL),
                AKIN_OK);
            const double found = e == 2            ? 10.0
                                 : in_window >= 10 ? 10.0
                                 : in_window <= 0  ? 0.0
                                                   : (double)in_window;
            assert_true(fabs(r.recall - found / 10.0) < 1e-12);
            assert_int_equal(r.equal, found == 10.0);
        }
        akin_index_free(x);
        akin_rows_free(rows);
    }
    akin_model_free(m);
    akin_rows_free(q);
}

/* ---- one small export ---- */

static akin_index *small_index(akin_ctx *ctx, const akin_rows *rows)
{
    static const char *const names[3] = {"one", "", "a \"b\", \xff\xc3\xa9"};
    akin_model *m = NULL;
    akin_index *x = NULL;
    assert_int_equal(akin_model_builtin(&m, ctx, "tfidf", rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
    assert_int_equal(akin_index_set_names(ctx, x, 0, names, 3), AKIN_OK);
    akin_model_free(m);
    return x;
}

static size_t read_all(const char *path, unsigned char *to, size_t room)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    const size_t n = fread(to, 1, room, f);
    fclose(f);
    return n;
}

static void bytes_are_the_same(void **state)
{
    static unsigned char first[1 << 16], second[1 << 16];
    akin_ctx *ctx = *state;
    akin_rows *rows = random_bags(ctx, 4, 12, 8, false);
    akin_index *x = small_index(ctx, rows);
    akin_export_options o = AKIN_EXPORT_DEFAULTS;
    for (int e = 0; e < EXPORT_ENGINES; ++e) {
        static const char *const files[] = {"manifest.json", "features.csv",
                                            "items.csv", "items.ndjson"};
        char path[512];
        o.to = export_engines[e];
        if (akin_export(ctx, x, export_path("a"), &o, NULL) != AKIN_OK)
            continue;
        assert_int_equal(akin_export(ctx, x, export_path("b"), &o, NULL),
                         AKIN_OK);
        for (int k = 0; k < 4; ++k) {
            snprintf(path, sizeof path, "%s/%s", export_path("a"), files[k]);
            if (access(path, F_OK) != 0)
                continue;
            const size_t n = read_all(path, first, sizeof first);
            snprintf(path, sizeof path, "%s/%s", export_path("b"), files[k]);
            assert_int_equal(read_all(path, second, sizeof second), n);
            assert_memory_equal(first, second, n);
        }
    }
    akin_index_free(x);
    akin_rows_free(rows);
}

static void only_an_export_is_replaced(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = random_bags(ctx, 4, 12, 8, false);
    akin_index *x = small_index(ctx, rows);
    char path[512];
    mkdir(export_path("other"), 0777);
    snprintf(path, sizeof path, "%s/file", export_path("other"));
    FILE *f = fopen(path, "w");
    fclose(f);
    assert_int_equal(akin_export(ctx, x, export_path("other"), NULL, NULL),
                     AKIN_EINVAL);
    assert_int_equal(access(path, F_OK), 0);
    unlink(path);  // an empty folder may be taken
    assert_int_equal(akin_export(ctx, x, export_path("other"), NULL, NULL),
                     AKIN_OK);
    assert_int_equal(akin_export(ctx, x, export_path("other"), NULL, NULL),
                     AKIN_OK);
    assert_int_equal(access(path, F_OK), -1);
    akin_index_free(x);
    akin_rows_free(rows);
}

/* Names, vectors, new rows and removed ones. */
static void changes_are_found(void **state)
{
    static const int64_t gone[1] = {3};
    static const char *const renamed[1] = {"new"};
    akin_ctx *ctx = *state;
    akin_rows *rows = random_bags(ctx, 4, 12, 8, false);
    akin_index *x = small_index(ctx, rows);
    akin_export_options o = AKIN_EXPORT_DEFAULTS;
    akin_export_info info = {0};
    static char earlier[256];
    snprintf(earlier, sizeof earlier, "%s", export_path("earlier"));
    for (int e = 0; e < 3; ++e) {
        o.to = export_engines[e];
        o.since = NULL;
        assert_int_equal(akin_export(ctx, x, earlier, &o, NULL), AKIN_OK);
        o.since = earlier;
        assert_int_equal(akin_export(ctx, x, export_path("x"), &o, &info),
                         AKIN_OK);
        assert_int_equal(info.changed + info.removed, 0);
        akin_index *y = small_index(ctx, rows);
        assert_int_equal(akin_index_add(ctx, y, rows), AKIN_OK);
        assert_int_equal(akin_index_remove(ctx, y, gone, 1), AKIN_OK);
        assert_int_equal(akin_index_set_names(ctx, y, 1, renamed, 1), AKIN_OK);
        assert_int_equal(akin_export(ctx, y, export_path("x"), &o, &info),
                         AKIN_OK);
        assert_int_equal(info.changed, 14);  // row 1, row 2 without its name
        assert_int_equal(info.removed, 1);
        akin_index_free(y);
    }
    o.version = 2;
    assert_int_equal(akin_export(ctx, x, export_path("x"), &o, &info),
                     AKIN_EINVAL);
    akin_index_free(x);
    akin_rows_free(rows);
}

/* Every file of an export with some byte changed, or cut off. */
static void damage_is_no_crash(void **state)
{
    static unsigned char bytes[1 << 16];
    akin_ctx *ctx = *state;
    akin_rows *bags = random_bags(ctx, 4, 6, 5, false);
    akin_rows *points = dense_rows(ctx, 4, 6, 3);
    akin_index *x[2] = {small_index(ctx, bags), NULL};
    akin_export_options o = AKIN_EXPORT_DEFAULTS;
    ak_rng rng = ak_rng_new(1, AK_STREAM_SYNTH);
    akin_model *m = NULL;
    assert_int_equal(akin_model_builtin(&m, ctx, "mahalanobis", points),
                     AKIN_OK);
    assert_int_equal(akin_index_build(&x[1], ctx, m, points, NULL), AKIN_OK);
    for (int t = 0; t < 2 * EXPORT_ENGINES; ++t) {
        const akin_rows *queries = t % 2 ? points : bags;
        static char folder[256];
        snprintf(folder, sizeof folder, "%s", export_path("x"));
        o.to = export_engines[t / 2];
        if (akin_export(ctx, x[t % 2], folder, &o, NULL) != AKIN_OK)
            continue;
        DIR *d = opendir(folder);
        for (struct dirent *e; (e = readdir(d)) != NULL;) {
            char path[512];
            if (e->d_name[0] == '.')
                continue;
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
            const size_t n = read_all(path, bytes, sizeof bytes);
            for (int k = 0; k < 40 && n > 0; ++k) {
                akin_export_check r;
                const size_t at = (size_t)ak_rng_below(&rng, (int64_t)n);
                const unsigned char old = bytes[at];
                FILE *f = fopen(path, "wb");
                bytes[at] = (unsigned char)ak_rng_below(&rng, 256);
                fwrite(bytes, 1, k % 4 == 3 ? at : n, f);
                fclose(f);
                bytes[at] = old;
                const akin_status st = akin_export_verify(
                    &r, ctx, x[t % 2], folder, queries, NULL);
                if (akin_status_exit(st) != 0 && akin_status_exit(st) != 2 &&
                    st != AKIN_ENUMERIC)
                    fail_msg("%s: %s", e->d_name, akin_ctx_message(ctx));
            }
            FILE *f = fopen(path, "wb");
            fwrite(bytes, 1, n, f);
            fclose(f);
        }
        closedir(d);
    }
    akin_model_free(m);
    akin_index_free(x[0]);
    akin_index_free(x[1]);
    akin_rows_free(bags);
    akin_rows_free(points);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exports_rank_as_the_index),
        cmocka_unit_test(items_beyond_the_window_are_missed),
        cmocka_unit_test(bytes_are_the_same),
        cmocka_unit_test(only_an_export_is_replaced),
        cmocka_unit_test(changes_are_found),
        cmocka_unit_test(damage_is_no_crash),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
