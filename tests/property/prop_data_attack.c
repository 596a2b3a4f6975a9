/* Every truncated prefix and many single-byte changes of a small good file of
 * each format: read, or refused with one line that begins with its name; and
 * no allocation far beyond what the file holds. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"
#include "data/io/formats.h"
#include "data/io/npy.h"

enum { MOST = 1 << 28 };  // a window of zstd takes the half of it

static size_t largest;

static void *measured_alloc(void *user, size_t size)
{
    (void)user;
    largest = size > largest ? size : largest;
    return calloc(1, size);
}

static void *measured_resize(void *user, void *p, size_t size)
{
    (void)user;
    largest = size > largest ? size : largest;
    return realloc(p, size);
}

static void measured_release(void *user, void *p)
{
    (void)user;
    free(p);
}

static char folder[] = "/dev/shm/akin-test-XXXXXX";

/* In memory where that can be: tens of thousands of files are written. */
static int enter(void **state)
{
    const akin_allocator a = {measured_alloc, measured_resize, measured_release,
                              NULL};
    if (mkdtemp(folder) == NULL || chdir(folder) != 0)
        folder[0] = '\0';
    return akin_ctx_new((akin_ctx **)state, &a) != AKIN_OK;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return folder[0] != '\0' && rmdir(folder) != 0;
}

/* A reader of bytes: a file of rows, a file of labels, a stream of akin-mat. */
typedef akin_status (*reader)(akin_rows **out, akin_ctx *ctx, const char *path);

static void put(const char *path, const void *bytes, size_t n)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(bytes, 1, n, f), n);
    fclose(f);
}

static bool refused_well(akin_status st, const char *message, const char *path)
{
    return (st == AKIN_EFORMAT || st == AKIN_ESHAPE || st == AKIN_EINVAL) &&
           strncmp(message, path, strlen(path)) == 0 &&
           strlen(message) > strlen(path) + 2 && strchr(message, '\n') == NULL;
}

static void try_bytes(akin_ctx *ctx, reader read, const char *path,
                      const void *bytes, size_t n)
{
    akin_rows *r = NULL;
    put(path, bytes, n);
    const akin_status st = read(&r, ctx, path);
    const char *message = akin_ctx_message(ctx);
    if (st != AKIN_OK && !refused_well(st, message, path))
        fail_msg("%s of %zu bytes: %s: %s", path, n, akin_status_name(st),
                 message);
    akin_rows_free(r);
    if (largest > MOST)
        fail_msg("%s of %zu bytes: %zu bytes at once", path, n, largest);
}

/* The file is good and is left behind no more. */
static void attack(akin_ctx *ctx, reader read, const char *path)
{
    static const unsigned char masks[] = {0x01, 0x10, 0x80, 0xff};
    static const char values[] = {'\n', ',', '9'};
    char *bytes = NULL;
    size_t n;
    akin_rows *r = NULL;
    assert_int_equal(ak_file_read(ctx, path, &bytes, &n), AKIN_OK);
    if (read(&r, ctx, path) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    akin_rows_free(r);
    for (size_t k = 0; k < n; ++k)
        try_bytes(ctx, read, path, bytes, k);
    for (size_t k = 0; k < n; ++k) {
        const char good = bytes[k];
        for (size_t m = 0; m < sizeof masks; ++m) {
            bytes[k] = (char)(good ^ masks[m]);
            try_bytes(ctx, read, path, bytes, n);
        }
        for (size_t m = 0; m < sizeof values; ++m) {
            bytes[k] = values[m];
            try_bytes(ctx, read, path, bytes, n);
        }
        bytes[k] = good;
    }
    akin_free(bytes);
    unlink(path);
}

static akin_status read_rows(akin_rows **out, akin_ctx *ctx, const char *path)
{
    const akin_read_options o = {
        .size = sizeof o,
        .label_column = strstr(path, ".csv") || strstr(path, ".tsv") ? "label"
                                                                     : NULL};
    return akin_rows_read(out, ctx, path, &o);
}

static akin_rows *example(akin_ctx *ctx, bool sparse)
{
    static const int64_t offsets[] = {0, 2, 3};
    static const int32_t cols[] = {0, 2, 1}, labels[] = {1, 0};
    static const float vals[] = {1, -2.5F, 12345};
    static const float dense[] = {1, 0, -2.5F, 0, 12345, 0};
    static const char *const names[] = {"a", "dog"};
    akin_rows *r = NULL;
    assert_int_equal(
        sparse ? akin_rows_new_sparse(&r, ctx, 2, 3, offsets, cols, vals)
               : akin_rows_new_dense(&r, ctx, 2, 3, dense),
        AKIN_OK);
    assert_int_equal(akin_rows_set_labels(ctx, r, labels, names, 2), AKIN_OK);
    return r;
}

static void files_of_rows(void **state)
{
    static const char *const paths[] = {
        "attack.svm",     "attack.svm.gz", "attack.svm.zst",
        "attack.csv",     "attack.tsv.gz", "attack.npy",
        "attack.npz",     "attack.fvecs",  "attack.safetensors",
        "attack.csv.zst",
    };
    for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k)
        for (int sparse = 0; sparse < 2; ++sparse) {
            akin_rows *r = example(*state, sparse);
            assert_int_equal(akin_rows_write(*state, r, paths[k]), AKIN_OK);
            akin_rows_free(r);
            attack(*state, read_rows, paths[k]);
        }
}

/* Deflated, with lengths in 32 bits: made by NumPy of X = [[1, 2], [3, 4]]. */
static void a_deflated_archive(void **state)
{
    static const unsigned char bytes[] = {
#include "attack_npz.inc"
    };
    put("attack.npz", bytes, sizeof bytes);
    attack(*state, read_rows, "attack.npz");
}

static void integers(void **state)
{
    const int32_t words[] = {2, 10, 20, 2, 30, -40};
    put("attack.ivecs", words, sizeof words);
    attack(*state, read_rows, "attack.ivecs");
}

static akin_status read_labels(akin_rows **out, akin_ctx *ctx, const char *path)
{
    static const float x[] = {1, 2, 3};
    const akin_read_options o = {.size = sizeof o};
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(akin_rows_new_dense(&r, ctx, 3, 1, x));
    AK_TRY(ak_labels_read(r, ctx, path, &o));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

static void files_of_labels(void **state)
{
    char npy[AK_NPY_HEADER + 64] = "";
    const int64_t three = 3;
    const uint32_t texts[6] = {'a', 'b', 0xe9, 0, 'c', 0};
    const size_t n = ak_npy_make_header(npy, "<U2", 1, &three);
    memcpy(npy + n, texts, sizeof texts);
    put("attack-l.npy", npy, n + sizeof texts);
    attack(*state, read_labels, "attack-l.npy");
    put("attack-l.csv", "id,label\n1,x\n2,\"y\"\n3,z;w\n", 25);
    attack(*state, read_labels, "attack-l.csv");
    put("attack-l.txt", "a\nb\n?\n", 6);
    attack(*state, read_labels, "attack-l.txt");
}

static akin_status read_stream(akin_rows **out, akin_ctx *ctx, const char *path)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_BINARY));
    AK_TRY(ak_mat_parse(out, ctx, s));
done:
    ak_source_close(s);
    return st;
}

static size_t add_array(char *to, const char *type, int64_t n, const void *data,
                        size_t bytes)
{
    const size_t m = ak_npy_make_header(to, type, 1, &n);
    memcpy(to + m, data, bytes);
    return m + bytes;
}

static void streams_of_akin_mat(void **state)
{
    char text[2048] = "AKINMAT1s";
    const int64_t shape[] = {3, 2};
    const uint32_t starts[] = {0, 1, 2}, index[] = {2, 0};
    const double values[] = {1.5, -2}, labels[] = {1, 2, 1};
    size_t n = 9;
    n += add_array(text + n, "<i8", 2, shape, sizeof shape);
    n += add_array(text + n, "<u4", 3, starts, sizeof starts);
    n += add_array(text + n, "<u4", 2, index, sizeof index);
    n += add_array(text + n, "<f8", 2, values, sizeof values);
    text[n++] = 'l';
    n += add_array(text + n, "<f8", 3, labels, sizeof labels);
    text[n++] = '.';
    put("attack.stream", text, n);
    attack(*state, read_stream, "attack.stream");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_of_rows),
        cmocka_unit_test(a_deflated_archive),
        cmocka_unit_test(integers),
        cmocka_unit_test(files_of_labels),
        cmocka_unit_test(streams_of_akin_mat),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
