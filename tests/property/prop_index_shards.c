/* An index in shards finds what one index of all rows finds, bit for bit, on
 * one rank and on several; and what does not belong together is refused. */
#include <sys/stat.h>

#include "index/sharded/sharded.h"
#include "index_reference.h"
#include "ranks.h"

enum { ROUNDS = 12, QUERIES = 15, TOP = 7 };

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[6][160];
    static int next;
    next = (next + 1) % 6;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

typedef struct instance {
    const char *name;  // of the file of rows, or a pattern
    akin_rows *rows, *queries;
    akin_model *m;
    akin_index *one;
    akin_index_options options;
    int64_t n_shards;
} instance;

static void write_parts(akin_ctx *ctx, const akin_rows *rows, int64_t n_parts,
                        const char *extension)
{
    int64_t *which = calloc((size_t)rows->n, sizeof *which);
    char name[64];
    for (int64_t i = 0; i < rows->n; ++i)
        which[i] = i;
    for (int64_t k = 0; k < n_parts; ++k) {
        const int64_t from = rows->n * k / n_parts;
        const int64_t to = rows->n * (k + 1) / n_parts;
        akin_rows *part = NULL;
        assert_int_equal(
            akin_rows_select(&part, ctx, rows, which + from, to - from),
            AKIN_OK);
        snprintf(name, sizeof name, "part-%d%s", (int)k, extension);
        assert_int_equal(akin_rows_write(ctx, part, path_of(name)), AKIN_OK);
        akin_rows_free(part);
    }
    free(which);
}

static void erase(void)
{
    char command[160];
    snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
    assert_int_equal(system(command), 0);
}

/* ---- the same hits ---- */

static void find(akin_ctx *ctx, const akin_index *x, const akin_rows *queries,
                 const akin_search_options *o, int64_t **rows, double **scores)
{
    if (akin_index_search(rows, scores, ctx, x, queries, o) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
}

static void assert_same_hits(akin_ctx *ctx, const akin_index *a,
                             const akin_index *b, const akin_rows *queries,
                             const akin_search_options *o)
{
    const size_t n = (size_t)(queries ? queries->n : 1) * (size_t)o->top;
    int64_t *rows[2];
    double *scores[2];
    find(ctx, a, queries, o, &rows[0], &scores[0]);
    find(ctx, b, queries, o, &rows[1], &scores[1]);
    assert_memory_equal(rows[0], rows[1], n * sizeof **rows);
    assert_memory_equal(scores[0], scores[1], n * sizeof **scores);
    for (int k = 0; k < 2; ++k) {
        akin_free(rows[k]);
        akin_free(scores[k]);
    }
}

/* Plain searches, and those that exclude rows or begin with some. */
static void compare(akin_ctx *ctx, const instance *x, const akin_index *other)
{
    const int64_t n = x->rows->n, like[] = {n / 2, n - 1}, unlike[] = {n / 3};
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    int64_t pairs[2 * QUERIES * 3];
    unsigned char *exclude = calloc((size_t)n, 1);
    akin_lists *ignore = NULL;
    for (int64_t k = 0; k < QUERIES * 3; ++k) {
        pairs[2 * k] = k / 3;
        pairs[2 * k + 1] = (k * 31 + k % 3) % n;
        exclude[k * 17 % n] = 1;
    }
    assert_int_equal(akin_lists_new(&ignore, ctx, QUERIES, pairs, QUERIES * 3),
                     AKIN_OK);
    o.top = TOP;
    assert_same_hits(ctx, x->one, other, x->queries, &o);
    o.top = n + 3;
    assert_same_hits(ctx, x->one, other, x->queries, &o);
    o.top = TOP;
    o.ignore = ignore;
    assert_same_hits(ctx, x->one, other, x->queries, &o);
    o.exclude = exclude;
    assert_same_hits(ctx, x->one, other, x->queries, &o);
    o.like = like;
    o.n_like = 2;
    o.unlike = unlike;
    o.n_unlike = 1;
    assert_same_hits(ctx, x->one, other, x->queries, &o);
    o.ignore = NULL;
    assert_same_hits(ctx, x->one, other, NULL, &o);
    free(exclude);
    akin_lists_free(ignore);
}

static akin_status build(akin_ctx *ctx, const instance *x, const char *to)
{
    char data[160];
    akin_read_options read = AKIN_READ_DEFAULTS;
    snprintf(data, sizeof data, "%s/%s", folder, x->name);
    read.index_base = akin_rows_index_base(x->rows);
    read.dim = x->rows->d;
    return akin_index_build_shards(ctx, to, x->m, data, x->n_shards, &read,
                                   &x->options);
}

typedef struct rank_work {
    const instance *x;
    const char *to;
} rank_work;

static akin_status on_ranks(akin_ctx *ctx, void *arg)
{
    const rank_work *w = arg;
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_index *x = NULL;
    akin_status st = build(ctx, w->x, w->to);
    if (st == AKIN_OK)
        st = akin_index_load(&x, ctx, w->to);
    o.top = TOP;
    if (st == AKIN_OK) {
        int64_t *rows = NULL, *rows_one = NULL;
        double *scores = NULL, *scores_one = NULL;
        const size_t n = (size_t)w->x->queries->n * TOP;
        st = akin_index_search(&rows, &scores, ctx, x, w->x->queries, &o);
        akin_ctx_set_comm(ctx, NULL);
        if (st == AKIN_OK)
            st = akin_index_search(&rows_one, &scores_one, ctx, w->x->one,
                                   w->x->queries, &o);
        if (st == AKIN_OK &&
            (memcmp(rows, rows_one, n * sizeof *rows) != 0 ||
             memcmp(scores, scores_one, n * sizeof *scores) != 0))
            st = AKIN_ENUMERIC;
        akin_free(rows);
        akin_free(scores);
        akin_free(rows_one);
        akin_free(scores_one);
    }
    akin_index_free(x);
    return st;
}

static void assert_same_folders(const char *a, const char *b)
{
    char command[400];
    snprintf(command, sizeof command, "diff -r '%s' '%s'", a, b);
    assert_int_equal(system(command), 0);
}

static void check_instance(akin_ctx *ctx, instance *x)
{
    assert_int_equal(akin_index_build(&x->one, ctx, x->m, x->rows, &x->options),
                     AKIN_OK);
    for (x->n_shards = 1; x->n_shards <= 5; x->n_shards += 2) {
        akin_index *other = NULL;
        if (build(ctx, x, path_of("alone")) != AKIN_OK ||
            akin_index_load(&other, ctx, path_of("alone")) != AKIN_OK)
            fail_msg("%s", akin_ctx_message(ctx));
        assert_int_equal(akin_index_count(other), x->rows->n);
        assert_int_equal(akin_index_postings(other),
                         akin_index_postings(x->one));
        compare(ctx, x, other);
        akin_index_free(other);
        for (int64_t ranks = 2; ranks <= 3; ++ranks) {
            char to[160];
            snprintf(to, sizeof to, "%s/ranks", folder);
            rank_work w = {x, to};
            void *args[] = {&w, &w, &w};
            assert_int_equal(ranks_run(ranks, on_ranks, args, NULL, NULL),
                             AKIN_OK);
            assert_same_folders(path_of("alone"), path_of("ranks"));
        }
    }
    akin_index_free(x->one);
    akin_model_free(x->m);
    akin_rows_free(x->rows);
    akin_rows_free(x->queries);
}

/* ---- instances ---- */

static void read_all(akin_ctx *ctx, instance *x)
{
    assert_int_equal(akin_rows_read(&x->rows, ctx, path_of(x->name), NULL),
                     AKIN_OK);
}

static void sparse_rows(void **state)
{
    static const char *const measures[] = {"tfidf", "cosine", "euclidean"};
    akin_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        akin_rows *rows =
            random_bags(ctx, seed, 20 + 40 * (int64_t)seed, 60, false);
        instance x = {
            .name = "part-*.svm",
            .queries = random_bags(ctx, 99 + seed, QUERIES, 60, false),
            .options = AKIN_INDEX_DEFAULTS};
        erase();
        write_parts(ctx, rows, 1 + (int64_t)seed % 3, ".svm");
        read_all(ctx, &x);
        assert_int_equal(
            akin_model_builtin(&x.m, ctx, measures[seed % 3], x.rows), AKIN_OK);
        check_instance(ctx, &x);
        akin_rows_free(rows);
    }
}

static void signed_weights(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = random_bags(ctx, 5, 700, 60, true);
    instance x = {.name = "part-0.svm",
                  .queries = random_bags(ctx, 6, QUERIES, 60, true),
                  .options = AKIN_INDEX_DEFAULTS};
    double w[60];
    for (int j = 0; j < 60; ++j)
        w[j] = (double)(j % 7) - 2.0;
    erase();
    write_parts(ctx, rows, 1, ".svm");
    read_all(ctx, &x);
    assert_int_equal(ak_diagonal_new(&x.m, ctx, 60, w, AKIN_BY_DISTANCE),
                     AKIN_OK);
    check_instance(ctx, &x);
    akin_rows_free(rows);
}

static akin_rows *normal_rows(akin_ctx *ctx, uint64_t seed, int64_t n,
                              int64_t d)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    float *values = calloc((size_t)(n * d), sizeof *values);
    akin_rows *r = NULL;
    for (int64_t k = 0; k < n * d; ++k)
        values[k] = (float)ak_rng_normal(&rng);
    assert_int_equal(akin_rows_new_dense(&r, ctx, n, d, values), AKIN_OK);
    free(values);
    return r;
}

static void dense_rows(void **state)
{
    akin_ctx *ctx = *state;
    for (uint64_t seed = 1; seed <= 4; ++seed) {
        akin_rows *rows = normal_rows(ctx, seed, 100, 8);
        instance x = {.name = "part-*.npy",
                      .queries = normal_rows(ctx, 20 + seed, QUERIES, 8),
                      .options = AKIN_INDEX_DEFAULTS};
        erase();
        write_parts(ctx, rows, 2, ".npy");
        read_all(ctx, &x);
        assert_int_equal(akin_model_builtin(&x.m, ctx,
                                            seed % 2 ? "cosine" : "euclidean",
                                            x.rows),
                         AKIN_OK);
        check_instance(ctx, &x);
        akin_rows_free(rows);
    }
}

/* A graph may miss some of the best: of 15 queries, 7 hits each, no more than a
 * tenth. */
static void graphs(void **state)
{
    akin_ctx *ctx = *state;
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *rows = normal_rows(ctx, 1, 600, 8);
    instance x = {.name = "part-0.npy",
                  .queries = normal_rows(ctx, 2, QUERIES, 8),
                  .options = AKIN_INDEX_DEFAULTS,
                  .n_shards = 3};
    akin_index *other = NULL;
    int64_t *a, *b, found = 0;
    double *sa, *sb;
    if (!akin_index_can("hnsw"))
        skip();
    erase();
    write_parts(ctx, rows, 1, ".npy");
    read_all(ctx, &x);
    assert_int_equal(akin_model_builtin(&x.m, ctx, "euclidean", x.rows),
                     AKIN_OK);
    assert_int_equal(akin_index_build(&x.one, ctx, x.m, x.rows, &x.options),
                     AKIN_OK);
    x.options.approximate = "hnsw";
    assert_int_equal(build(ctx, &x, path_of("graphs")), AKIN_OK);
    assert_int_equal(akin_index_load(&other, ctx, path_of("graphs")), AKIN_OK);
    o.top = TOP;
    find(ctx, x.one, x.queries, &o, &a, &sa);
    find(ctx, other, x.queries, &o, &b, &sb);
    for (int64_t k = 0; k < QUERIES * TOP; ++k)
        for (int64_t j = k / TOP * TOP; j < (k / TOP + 1) * TOP; ++j)
            found += a[k] == b[j];
    assert_true(found >= QUERIES * TOP * 9 / 10);
    akin_free(a);
    akin_free(b);
    akin_free(sa);
    akin_free(sb);
    akin_index_free(x.one);
    akin_index_free(other);
    akin_model_free(x.m);
    akin_rows_free(x.rows);
    akin_rows_free(x.queries);
    akin_rows_free(rows);
}

/* ---- a measure of all shards ---- */

static akin_status measure_on_ranks(akin_ctx *ctx, void *arg)
{
    akin_read_options read = AKIN_READ_DEFAULTS;
    akin_model **m = arg;
    const akin_status st = akin_model_builtin_shards(
        m, ctx, "tfidf", path_of("part-*.svm"), 5, &read);
    if (st == AKIN_OK && read.index_base != AKIN_BASE_0)
        return AKIN_ENUMERIC;
    return st;
}

/* Most shards have no column 0, and seem to count from 1. */
static void measures_are_of_all_rows(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = NULL;
    akin_model *m = NULL, *made[3] = {NULL};
    uint8_t *bytes[2];
    size_t n[2];
    FILE *f;
    erase();
    f = fopen(path_of("part-1.svm"), "w");
    for (int i = 0; i < 40; ++i)
        fprintf(f, "%d %d:2 %d:1\n", i % 3, 1 + i % 4, 6 + i % 5);
    fclose(f);
    f = fopen(path_of("part-2.svm"), "w");
    fprintf(f, "1 0:1 3:1\n1 9:4\n");
    fclose(f);
    assert_int_equal(akin_rows_read(&rows, ctx, path_of("part-*.svm"), NULL),
                     AKIN_OK);
    assert_int_equal(akin_model_builtin(&m, ctx, "tfidf", rows), AKIN_OK);
    assert_int_equal(akin_model_save_memory(&bytes[0], &n[0], ctx, m), AKIN_OK);
    for (int64_t ranks = 1; ranks <= 3; ++ranks) {
        void *args[] = {&made[0], &made[1], &made[2]};
        assert_int_equal(ranks_run(ranks, measure_on_ranks, args, NULL, NULL),
                         AKIN_OK);
        for (int64_t r = 0; r < ranks; ++r) {
            assert_int_equal(
                akin_model_save_memory(&bytes[1], &n[1], ctx, made[r]),
                AKIN_OK);
            assert_int_equal(n[0], n[1]);
            assert_memory_equal(bytes[0], bytes[1], n[0]);
            akin_free(bytes[1]);
            akin_model_free(made[r]);
        }
    }
    akin_free(bytes[0]);
    akin_model_free(m);
    akin_rows_free(rows);
}

/* ---- what does not belong together ---- */

static void refused(akin_ctx *ctx, akin_status st, const char *why)
{
    akin_index *x = NULL;
    assert_int_equal(akin_index_load(&x, ctx, path_of("s")), st);
    assert_null(x);
    if (strstr(akin_ctx_message(ctx), why) == NULL)
        fail_msg("%s", akin_ctx_message(ctx));
}

static void copy(const char *from, const char *to)
{
    char command[400];
    snprintf(command, sizeof command, "cp -r '%s' '%s'", path_of(from),
             path_of(to));
    assert_int_equal(system(command), 0);
}

/* Any byte of the file that says what the shards are. */
static void flip_bytes(akin_ctx *ctx)
{
    char bytes[1 << 14];
    FILE *f = fopen(path_of("s/index.safetensors"), "r");
    const size_t n = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    for (size_t k = 0; k < n; k += 3) {
        akin_index *x = NULL;
        f = fopen(path_of("s/index.safetensors"), "w");
        bytes[k] = (char)(bytes[k] ^ 16);
        fwrite(bytes, 1, n, f);
        bytes[k] = (char)(bytes[k] ^ 16);
        fclose(f);
        const akin_status st = akin_index_load(&x, ctx, path_of("s"));
        assert_true(st == AKIN_OK || akin_status_exit(st) == 2);
        akin_index_free(x);
    }
    f = fopen(path_of("s/index.safetensors"), "w");
    fwrite(bytes, 1, n, f);
    fclose(f);
}

static void damage(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *rows = random_bags(ctx, 1, 60, 30, false);
    instance x = {
        .name = "part-0.svm", .options = AKIN_INDEX_DEFAULTS, .n_shards = 3};
    akin_index *other = NULL;
    erase();
    write_parts(ctx, rows, 1, ".svm");
    read_all(ctx, &x);
    assert_int_equal(akin_model_builtin(&x.m, ctx, "cosine", x.rows), AKIN_OK);
    assert_int_equal(build(ctx, &x, path_of("s")), AKIN_OK);
    assert_int_equal(build(ctx, &x, path_of("s")), AKIN_OK);  // replaced
    assert_int_equal(akin_index_load(&other, ctx, path_of("s")), AKIN_OK);
    assert_int_equal(akin_index_add(ctx, other, x.rows), AKIN_EINVAL);
    assert_int_equal(akin_index_save(ctx, other, path_of("t")), AKIN_EINVAL);
    akin_index_free(other);
    flip_bytes(ctx);
    copy("s/shard-00001.index", "kept");
    unlink(path_of("s/shard-00001.index"));
    refused(ctx, AKIN_ENOENT, "shard-00001.index: ");
    copy("s/shard-00002.index", "s/shard-00001.index");
    refused(ctx, AKIN_EFORMAT, "shard-00001.index: another file than");
    copy("kept", "s/shard-00001.index");
    assert_int_equal(truncate(path_of("s/shard-00001.index"), 100), 0);
    refused(ctx, AKIN_EFORMAT, "shard-00001.index: ");
    assert_int_equal(mkdir(path_of("other"), 0777), 0);
    copy("kept", "other/x");
    assert_int_equal(build(ctx, &x, path_of("other")), AKIN_EINVAL);
    x.name = "absent-*.svm";
    assert_int_equal(build(ctx, &x, path_of("none")), AKIN_ENOENT);
    assert_int_not_equal(access(path_of("none"), F_OK), 0);
    akin_model_free(x.m);
    akin_rows_free(x.rows);
    akin_rows_free(rows);
}

/* Few postings and distances, where every row counts: sums of all columns. */
static void few_postings(void **state)
{
    enum { N = 1500, D = 600 };
    akin_ctx *ctx = *state;
    akin_search_options o = AKIN_SEARCH_DEFAULTS;
    akin_rows *rows = class_rows(ctx, 1, N, D, 6, 1);
    akin_rows *queries = class_rows(ctx, 2, QUERIES, D, 6, 1);
    akin_model *m = NULL;
    akin_index *x = NULL;
    int64_t *found = NULL;
    double *scores = NULL;
    o.top = TOP;
    assert_int_equal(akin_model_builtin(&m, ctx, "euclidean", rows), AKIN_OK);
    assert_int_equal(akin_index_build(&x, ctx, m, rows, NULL), AKIN_OK);
    find(ctx, x, queries, &o, &found, &scores);
    for (int64_t t = 0; t < QUERIES; ++t) {
        ak_hit best[TOP];
        int64_t n = 0;
        for (int64_t i = 0; i < N; ++i)
            n = ak_hits_offer(best, n, TOP,
                              (ak_hit){reference_score(NULL, queries, t, rows,
                                                       i, AKIN_BY_DISTANCE, 1),
                                       i});
        ak_hits_sort(best, n);
        for (int64_t k = 0; k < TOP; ++k)
            assert_int_equal(found[t * TOP + k], best[k].row);
    }
    akin_free(found);
    akin_free(scores);
    akin_index_free(x);
    akin_model_free(m);
    akin_rows_free(rows);
    akin_rows_free(queries);
}

static int set_up(void **state)
{
    snprintf(folder, sizeof folder, "akin-shards-XXXXXX");
    return mkdtemp(folder) == NULL || support_set_up(state) != 0;
}

static int tear_down(void **state)
{
    erase();
    return rmdir(folder) != 0 || support_tear_down(state) != 0;
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(sparse_rows),
        cmocka_unit_test(signed_weights),
        cmocka_unit_test(dense_rows),
        cmocka_unit_test(graphs),
        cmocka_unit_test(measures_are_of_all_rows),
        cmocka_unit_test(damage),
        cmocka_unit_test(few_postings),
    };
    return cmocka_run_group_tests(cases, set_up, tear_down);
}
