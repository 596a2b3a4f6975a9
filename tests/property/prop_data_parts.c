/* Rows in several files, or in shards of them: the same as those of one. */
#include <sys/stat.h>
#include <unistd.h>

#include "data/append.h"
#include "ranks.h"
#include "support.h"

enum { ROUNDS = 60, MOST_ROWS = 40, LONGEST = 200, MOST_PARTS = 5 };

static char folder[64];

static void draw_line(ak_rng *r, char line[LONGEST], int64_t base)
{
    static const char *const labels[] = {"a",  "b,a", "?", "1.0",
                                         "+1", "c",   "b", "a,c"};
    char *to = line;
    to += sprintf(to, "%s", labels[ak_rng_below(r, 8)]);
    if (ak_rng_below(r, 5) == 0)
        to += sprintf(to, " qid:%d", (int)ak_rng_below(r, 9));
    for (int64_t j = base; j < 12; ++j)
        if (ak_rng_below(r, 3) == 0)
            to +=
                sprintf(to, " %d:%g", (int)j, 0.5 * (double)ak_rng_below(r, 9));
}

static const char *path_of(const char *name)
{
    static char path[4][128];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

/* The same lines in one file, and in parts that may have none. */
static void write_files(ak_rng *r)
{
    const int64_t n = 1 + ak_rng_below(r, MOST_ROWS);
    const int64_t parts = 1 + ak_rng_below(r, MOST_PARTS);
    const int64_t base = ak_rng_below(r, 2);
    char name[32], line[LONGEST];
    FILE *f[MOST_PARTS + 1];
    for (int64_t k = 0; k <= parts; ++k) {
        snprintf(name, sizeof name, k ? "part-%d.svm" : "all%.0d.svm", (int)k);
        f[k] = fopen(path_of(name), "w");
    }
    for (int64_t i = 0, k = 1; i < n; ++i) {
        k += ak_rng_below(r, parts - k + 1) * (ak_rng_below(r, 4) == 0);
        draw_line(r, line, base);
        fprintf(f[0], "%s\n", line);
        fprintf(f[k], "%s\n", line);
    }
    for (int64_t k = 0; k <= parts; ++k)
        fclose(f[k]);
}

static void empty_folder(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -f '%s'/*", folder);
    assert_int_equal(system(command), 0);
}

static akin_status read_rows(akin_ctx *ctx, const char *name, akin_rows **out)
{
    akin_read_options o = AKIN_READ_DEFAULTS;
    if (strstr(name, ".csv") != NULL)
        o.label_column = "kind";
    return akin_rows_read(out, ctx, path_of(name), &o);
}

static void assert_same(const akin_rows *a, const akin_rows *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->d, b->d);
    assert_int_equal(a->index_base, b->index_base);
    assert_int_equal(a->n_label_names, b->n_label_names);
    for (int64_t k = 0; k < a->n_label_names; ++k)
        assert_string_equal(a->label_names[k], b->label_names[k]);
    for (int64_t i = 0; i < a->n; ++i) {
        const int32_t *ca, *cb, *la, *lb;
        const float *va, *vb;
        const int64_t n = akin_rows_row(&ca, &va, a, i);
        const int64_t m = akin_rows_labels(&la, a, i);
        assert_int_equal(akin_rows_row(&cb, &vb, b, i), n);
        assert_int_equal(akin_rows_labels(&lb, b, i), m);
        assert_memory_equal(va, vb, (size_t)n * sizeof *va);
        if (ca != NULL)
            assert_memory_equal(ca, cb, (size_t)n * sizeof *ca);
        if (m > 0)
            assert_memory_equal(la, lb, (size_t)m * sizeof *la);
        assert_int_equal(a->groups ? a->groups[i] : -1,
                         b->groups ? b->groups[i] : -1);
    }
}

/* What one file gives or is refused for, parts do too. */
static void compare(akin_ctx *ctx, const char *extension)
{
    char one[32], many[32];
    akin_rows *a = NULL, *b = NULL;
    snprintf(one, sizeof one, "all%s", extension);
    snprintf(many, sizeof many, "part-*%s", extension);
    const akin_status st = read_rows(ctx, one, &a);
    const akin_status other = read_rows(ctx, many, &b);
    if (st != other)
        fail_msg("%d and %d: %s", st, other, akin_ctx_message(ctx));
    if (st == AKIN_OK)
        assert_same(a, b);
    akin_rows_free(a);
    akin_rows_free(b);
}

static void svmlight_in_parts(void **state)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        empty_folder();
        write_files(&r);
        compare(*state, ".svm");
    }
}

/* The shards of one file or of many, one after another, have its rows. */
static void compare_shards(akin_ctx *ctx, const char *name, int64_t n_shards)
{
    akin_read_options o = AKIN_READ_DEFAULTS;
    ak_appender all = {0};
    akin_rows *a = NULL, *b = NULL;
    o.label_column = strstr(name, ".csv") != NULL ? "kind" : NULL;
    if (akin_rows_read(&a, ctx, path_of(name), &o) != AKIN_OK)
        return;
    o.index_base = a->index_base;
    o.dim = a->d;
    for (int64_t s = 0; s < n_shards; ++s) {
        akin_rows *part = NULL;
        if (akin_rows_read_shard(&part, ctx, path_of(name), s, n_shards, &o) !=
            AKIN_OK)
            fail_msg("shard %d of %d: %s", (int)s, (int)n_shards,
                     akin_ctx_message(ctx));
        if (part != NULL)
            assert_int_equal(ak_append_rows(&all, ctx, part, "", ""), AKIN_OK);
    }
    assert_int_equal(ak_append_end(&all, ctx, &b), AKIN_OK);
    assert_same(a, b);
    akin_rows_free(a);
    akin_rows_free(b);
}

static void svmlight_in_shards(void **state)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        empty_folder();
        write_files(&r);
        for (int64_t n = 1; n <= 7; n += 2) {
            compare_shards(*state, "all.svm", n);
            compare_shards(*state, "part-*.svm", n);
        }
        compare_shards(*state, "all.svm", 300);
    }
}

static akin_status read_on_ranks(akin_ctx *ctx, void *arg)
{
    char path[128];
    snprintf(path, sizeof path, "%s/part-*.svm", folder);
    return akin_rows_read_shared(arg, ctx, path, NULL);
}

/* Each rank reads a part, and all have the rows of one file. */
static void svmlight_on_ranks(void **state)
{
    for (uint64_t seed = 1; seed <= ROUNDS; ++seed) {
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        akin_rows *one = NULL, *got[3] = {NULL};
        void *args[] = {&got[0], &got[1], &got[2]};
        empty_folder();
        write_files(&r);
        const akin_status st = read_rows(*state, "all.svm", &one);
        const int64_t ranks = 2 + (int64_t)seed % 2;
        assert_int_equal(ranks_run(ranks, read_on_ranks, args, NULL, NULL), st);
        for (int64_t k = 0; k < ranks; ++k) {
            if (st == AKIN_OK)
                assert_same(one, got[k]);
            akin_rows_free(got[k]);
        }
        akin_rows_free(one);
    }
}

static void put(const char *name, const char *text)
{
    FILE *f = fopen(path_of(name), "w");
    fputs(text, f);
    fclose(f);
}

static void csv_in_parts(void **state)
{
    akin_rows *r = NULL;
    empty_folder();
    put("part-2.csv", "x,kind\n5,u\n");
    put("part-10.csv", "x,kind\n1,v\n2,u\n");
    put("part-3.csv", "");
    put("all.csv", "x,kind\n1,v\n2,u\n5,u\n");
    compare(*state, ".csv");
    put("part-4.csv", "z,kind\n5,u\n");
    assert_int_equal(read_rows(*state, "part-*.csv", &r), AKIN_ESHAPE);
    assert_non_null(strstr(akin_ctx_message(*state),
                           "part-4.csv: column 0 is called 'z' (expected 'x', "
                           "as in "));
}

static void csv_in_shards(void **state)
{
    empty_folder();
    put("a.csv", "x,kind\n1,v\n2,u\n5,u\n\n6,w\n77,v\r\n8,u");
    put("b.csv", "1,v\n2,u\n5,u\n6,w\n77,v\n8,u\n");
    put("part-1.csv", "x,kind\n1,v\n2,u\n");
    put("part-2.csv", "x,kind\n4,u\n3,z\n9,z\n");
    for (int64_t n = 1; n <= 9; ++n) {
        compare_shards(*state, "a.csv", n);
        compare_shards(*state, "part-*.csv", n);
    }
}

static void csv_without_a_header(void **state)
{
    akin_rows *r = NULL;
    int64_t n = 0;
    empty_folder();
    put("b.csv", "1,2\n3,4\n5,6\n7,8\n");
    for (int64_t s = 0; s < 3; ++s) {
        assert_int_equal(
            akin_rows_read_shard(&r, *state, path_of("b.csv"), s, 3, NULL),
            AKIN_OK);
        for (int64_t i = 0; r != NULL && i < r->n; ++i, ++n)
            assert_int_equal((int)ak_rows_dense(r, i)[0], 2 * n + 1);
        akin_rows_free(r);
    }
    assert_int_equal(n, 4);
}

/* Binary rows are cut between rows; a file that cannot be cut is in the first
 * shard. */
static void other_formats_in_shards(void **state)
{
    static const char *const names[] = {"x.npy", "x.svm.gz", "x.npz",
                                        "x.fvecs"};
    for (uint64_t seed = 1; seed <= 8; ++seed) {
        float values[40 * 3];
        akin_rows *rows = NULL;
        ak_rng r = ak_rng_new(seed, AK_STREAM_SYNTH);
        const int64_t n = 1 + ak_rng_below(&r, 40);
        for (int64_t k = 0; k < 3 * n; ++k)
            values[k] = (float)ak_rng_unit(&r) + 0.5F;
        akin_rows_new_dense(&rows, *state, n, 3, values);
        empty_folder();
        for (size_t f = 0; f < sizeof names / sizeof *names; ++f) {
            assert_int_equal(akin_rows_write(*state, rows, path_of(names[f])),
                             AKIN_OK);
            for (int64_t s = 1; s <= 6; ++s)
                compare_shards(*state, names[f], s);
        }
        akin_rows_free(rows);
    }
}

static void errors_of_a_shard_have_their_line(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *r = NULL;
    int64_t failed = 0;
    empty_folder();
    put("x.svm", "1 1:1\n1 1:1\n# none\n1 1:1\n1 1:1\n1 1:y\n1 1:1\n");
    for (int64_t s = 0; s < 4; ++s) {
        const akin_status st =
            akin_rows_read_shard(&r, ctx, path_of("x.svm"), s, 4, NULL);
        failed += st == AKIN_EFORMAT;
        if (st != AKIN_OK)
            assert_non_null(strstr(akin_ctx_message(ctx), "x.svm:6:5: "));
        else
            akin_rows_free(r);
    }
    assert_int_equal(failed, 1);
}

static void parts_that_do_not_fit(void **state)
{
    akin_ctx *ctx = *state;
    akin_rows *r = NULL;
    empty_folder();
    assert_int_equal(read_rows(ctx, "part-*.svm", &r), AKIN_ENOENT);
    put("part-1.svm", "1 1:1\n");
    put("part-2.svm", "1 1:1\n2 2:x\n");
    assert_int_equal(read_rows(ctx, "part-*.svm", &r), AKIN_EFORMAT);
    assert_non_null(strstr(akin_ctx_message(ctx), "part-2.svm:2:5: "));
    put("part-2.csv", "1,2\n");
    assert_int_equal(read_rows(ctx, "part-?.???", &r), AKIN_ESHAPE);
    assert_non_null(strstr(akin_ctx_message(ctx), "rows are dense"));
    assert_null(r);
}

/* A file whose name has a star in it is that file. */
static void a_name_is_not_a_pattern(void **state)
{
    akin_rows *r = NULL;
    empty_folder();
    put("x*.svm", "1 1:1\n");
    put("xy.svm", "1 1:1\n2 2:1\n");
    assert_int_equal(read_rows(*state, "x*.svm", &r), AKIN_OK);
    assert_int_equal(akin_rows_count(r), 1);
    akin_rows_free(r);
}

static int set_up(void **state)
{
    snprintf(folder, sizeof folder, "akin-parts-XXXXXX");
    return mkdtemp(folder) == NULL || support_set_up(state) != 0;
}

static int tear_down(void **state)
{
    empty_folder();
    return rmdir(folder) != 0 || support_tear_down(state) != 0;
}

int main(void)
{
    const struct CMUnitTest cases[] = {
        cmocka_unit_test(svmlight_in_parts),
        cmocka_unit_test(csv_in_parts),
        cmocka_unit_test(svmlight_in_shards),
        cmocka_unit_test(svmlight_on_ranks),
        cmocka_unit_test(csv_in_shards),
        cmocka_unit_test(csv_without_a_header),
        cmocka_unit_test(other_formats_in_shards),
        cmocka_unit_test(errors_of_a_shard_have_their_line),
        cmocka_unit_test(parts_that_do_not_fit),
        cmocka_unit_test(a_name_is_not_a_pattern),
    };
    return cmocka_run_group_tests(cases, set_up, tear_down);
}
