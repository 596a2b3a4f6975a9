/* npy, npz, fvecs and ivecs files; every format written and read back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "data/io/formats.h"
#include "data/io/npy.h"

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return 0;
}

/* A .npy of this dictionary and data. */
static akin_status npy(akin_ctx *ctx, const char *dict, const void *data,
                       size_t n, akin_rows **out)
{
    unsigned char file[512] = "\x93NUMPY\1\0";
    ak_source *s = NULL;
    const size_t m = strlen(dict);
    file[8] = (unsigned char)m;
    memcpy(file + 10, dict, m);
    memcpy(file + 10 + m, data, n);
    *out = NULL;
    assert_int_equal(
        ak_source_memory(&s, ctx, "x.npy", AK_SOURCE_BINARY, file, 10 + m + n),
        AKIN_OK);
    const akin_status st = ak_npy_parse(out, ctx, s, NULL);
    ak_source_close(s);
    return st;
}

static void npy_orders_and_types(void **state)
{
    const int16_t whole[] = {1, 2, 3, 4, 5, 6};
    const unsigned char big[] = {0x40, 0x49, 0x0f, 0xdb};
    akin_rows *r;
    assert_int_equal(npy(*state,
                         "{'descr': '<i2', 'fortran_order': False, 'shape': "
                         "(2, 3), }   \n",
                         whole, sizeof whole, &r),
                     AKIN_OK);
    assert_true(r->n == 2 && r->d == 3 && r->vals[1] == 2);
    akin_rows_free(r);
    assert_int_equal(npy(*state,
                         "{'shape': (2L, 3L), \"descr\": '<i2', "
                         "'fortran_order': True}",
                         whole, sizeof whole, &r),
                     AKIN_OK);
    assert_true(r->n == 2 && r->d == 3 && r->vals[1] == 3);
    akin_rows_free(r);
    assert_int_equal(
        npy(*state, "{'descr': '>f4', 'fortran_order': False, 'shape': (1,)}",
            big, sizeof big, &r),
        AKIN_OK);
    assert_true(r->n == 1 && r->d == 1 && r->vals[0] == 3.14159274F);
    akin_rows_free(r);
}

static void npy_refused(void **state)
{
    static const struct {
        const char *dict;
        akin_status st;
        const char *message;
    } cases[] = {
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)}",
         AKIN_EFORMAT, "x.npy: 8 bytes of data (expected 12 of shape 3 x 1)"},
        {"{'descr': '|O', 'fortran_order': False, 'shape': (1,)}", AKIN_EFORMAT,
         "x.npy: header: array of Python objects (expected numbers)"},
        {"{'descr': '<f2', 'fortran_order': False, 'shape': (4,)}",
         AKIN_EFORMAT,
         "x.npy: header: type <f2 (expected f4 f8, i1 to i8, u1 to u8, b1)"},
        {"{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (2,)}",
         AKIN_EFORMAT,
         "x.npy: header: structured array (expected plain numbers)"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1, 1)}",
         AKIN_ESHAPE, "x.npy: header: more than 2 dimensions"},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(4294967296, 4294967296)}",
         AKIN_EFORMAT, "x.npy: header: shape is too large"},
        {"{'descr': '<f4', 'fortran_order': False}", AKIN_EFORMAT,
         "x.npy: header: the keys must be descr, fortran_order and shape"},
        {"{'descr': '<f4', 'descr': '<f4'}", AKIN_EFORMAT,
         "x.npy: header: unknown or repeated key"},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}",
         AKIN_EFORMAT, "x.npy: row 0, column 0 is not finite in 32 bits"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (1, 2)}",
         AKIN_EFORMAT, "x.npy: row 0, column 1 is not finite in 32 bits"},
        {"{'descr': '<f4', 'fortran_order': True, 'shape': (0, 2)}",
         AKIN_EFORMAT, "x.npy: 8 bytes of data (expected 0 of shape 0 x 2)"},
    };
    const unsigned char nan[8] = {0, 0, 0, 0, 0, 0, 0xf8, 0x7f};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
        akin_rows *r;
        assert_int_equal(npy(*state, cases[k].dict, nan, sizeof nan, &r),
                         cases[k].st);
        assert_string_equal(akin_ctx_message(*state), cases[k].message);
    }
}

static akin_status vecs(akin_ctx *ctx, const int32_t *words, size_t n,
                        akin_rows **out)
{
    ak_source *s = NULL;
    *out = NULL;
    assert_int_equal(
        ak_source_memory(&s, ctx, "x.ivecs", AK_SOURCE_BINARY, words, n),
        AKIN_OK);
    const akin_status st = ak_ivecs_parse(out, ctx, s, NULL);
    ak_source_close(s);
    return st;
}

static void vecs_good_and_bad(void **state)
{
    const int32_t words[] = {2, 10, 20, 2, 30, -40};
    const int32_t uneven[] = {2, 10, 20, 1, 30};
    const int32_t huge[] = {INT32_MAX, 10};
    akin_rows *r;
    assert_int_equal(vecs(*state, words, sizeof words, &r), AKIN_OK);
    assert_true(r->n == 2 && r->d == 2 && r->vals[3] == -40);
    akin_rows_free(r);
    assert_int_equal(vecs(*state, uneven, sizeof uneven, &r), AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state),
                        "x.ivecs: row 1 has another length than the first row");
    assert_int_equal(vecs(*state, words, 20, &r), AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state),
                        "x.ivecs: row 1 is truncated");
    assert_int_equal(vecs(*state, huge, sizeof huge, &r), AKIN_EFORMAT);
    assert_int_equal(vecs(*state, words, 0, &r), AKIN_EFORMAT);
}

/* ---- every format there and back -------------------------------------------
 */

static void same_row(const akin_rows *a, const akin_rows *b, int64_t i)
{
    float room_a[8], room_b[8];
    assert_memory_equal(ak_rows_full(a, i, room_a), ak_rows_full(b, i, room_b),
                        (size_t)a->d * sizeof *room_a);
}

static void same_labels(const akin_rows *a, const akin_rows *b, int64_t i)
{
    const int32_t *la, *lb;
    const int64_t n = akin_rows_labels(&la, a, i);
    assert_int_equal(akin_rows_labels(&lb, b, i), n);
    for (int64_t k = 0; k < n; ++k)
        assert_string_equal(a->label_names[la[k]], b->label_names[lb[k]]);
}

static akin_rows *example(akin_ctx *ctx, bool sparse)
{
    static const float dense[4][5] = {{0, 1.5F, 0, -2, 0},
                                      {0, 0, 0, 0, 0},
                                      {1e-30F, 0, 3.4028234e38F, 0.1F, 0},
                                      {0, 0, 0, 7, 0}};
    static const int64_t offsets[] = {0, 2, 2, 5, 6};
    static const int32_t cols[] = {1, 3, 0, 2, 3, 3};
    static const float vals[] = {1.5F, -2, 1e-30F, 3.4028234e38F, 0.1F, 7};
    akin_rows *r = NULL;
    if (sparse)
        assert_int_equal(
            akin_rows_new_sparse(&r, ctx, 4, 5, offsets, cols, vals), AKIN_OK);
    else
        assert_int_equal(akin_rows_new_dense(&r, ctx, 4, 5, dense[0]), AKIN_OK);
    return r;
}

/* Several labels on the last row, none on the second. */
static void label(akin_ctx *ctx, akin_rows *r)
{
    static const int32_t one[] = {0, -1, 1, 2};
    static const char *const names[] = {"x", "caf\xc3\xa9", "\xe6\x97\xa5z"};
    assert_int_equal(akin_rows_set_labels(ctx, r, one, names, 3), AKIN_OK);
    assert_int_equal(ak_resize(ctx, 4, sizeof *r->labels, &r->labels), AKIN_OK);
    r->labels[2] = 0;
    r->labels[3] = 2;
    r->label_offsets[4] = 4;
}

static void there_and_back(akin_ctx *ctx, const char *path, bool sparse,
                           bool labels)
{
    const akin_read_options o = {.size = sizeof o,
                                 .label_column = labels && strstr(path, "sv") &&
                                                         !strstr(path, ".svm")
                                                     ? "label"
                                                     : NULL};
    akin_rows *r = example(ctx, sparse), *back = NULL;
    if (labels)
        label(ctx, r);
    if (akin_rows_write(ctx, r, path) != AKIN_OK ||
        akin_rows_read(&back, ctx, path, &o) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_int_equal(back->n, 4);
    assert_int_equal(back->d, 5);
    for (int64_t i = 0; i < 4; ++i) {
        same_row(r, back, i);
        if (labels)
            same_labels(r, back, i);
    }
    akin_rows_free(r);
    akin_rows_free(back);
    assert_int_equal(unlink(path), 0);
}

static void written_files_read_back(void **state)
{
    static const char *const paths[] = {
        "test-b.svm",     "test-b.csv",         "test-b.tsv", "test-b.npz",
        "test-b.csv.zst", "test-b.safetensors", "test-b.npy", "test-b.fvecs"};
    for (size_t k = 0; k < sizeof paths / sizeof *paths; ++k)
        for (int sparse = 0; sparse < 2; ++sparse) {
            there_and_back(*state, paths[k], sparse, false);
            if (k < 6)
                there_and_back(*state, paths[k], sparse, true);
        }
}

static void npz_says_what_there_is(void **state)
{
    akin_rows *r = example(*state, false), *back = NULL;
    const akin_read_options o = {.size = sizeof o, .variable = "Z"};
    assert_int_equal(akin_rows_write(*state, r, "test-z.npz"), AKIN_OK);
    assert_int_equal(akin_rows_read(&back, *state, "test-z.npz", &o),
                     AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state),
                        "test-z.npz: no array Z (there are: X.npy)");
    unlink("test-z.npz");
    akin_rows_free(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(npy_orders_and_types),
        cmocka_unit_test(npy_refused),
        cmocka_unit_test(vecs_good_and_bad),
        cmocka_unit_test(written_files_read_back),
        cmocka_unit_test(npz_says_what_there_is),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
