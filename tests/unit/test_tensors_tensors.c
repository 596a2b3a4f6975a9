/* Tensors: what is written is read back, and nothing else is accepted. */
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
#include "tensors/tensors.h"

static char folder[] = "akin-test-XXXXXX";

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK ||
           mkdtemp(folder) == NULL || chdir(folder) != 0;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return chdir("..") != 0 || rmdir(folder) != 0;
}

static const double w[6] = {0.5, -1.0, 2.0, 0.0, 1e-300, 3.0};
static const unsigned char flags[3] = {1, 0, 255};
static const int32_t cols[5] = {0, 2, 3, 7, 1 << 30};

/* Small elements first, so that the writer has to reorder them. */
static void sample(akin_ctx *ctx, const char *path)
{
    ak_tensors *t = NULL;
    assert_int_equal(ak_tensors_new(&t, ctx), AKIN_OK);
    ak_tensors_put_vector(t, ctx, "flags", AK_DTYPE_U8, 3, flags);
    ak_tensors_put_vector(t, ctx, "cols", AK_DTYPE_I32, 5, cols);
    ak_tensors_put_copy(t, ctx, (ak_tensor){"w", AK_DTYPE_F64, 2, {2, 3}, w});
    ak_tensors_put(t, ctx, (ak_tensor){"one", AK_DTYPE_F64, 0, {0}, w});
    ak_tensors_put_vector(t, ctx, "none", AK_DTYPE_F32, 0, w);
    ak_tensors_note(t, ctx, "kind", "test");
    ak_tensors_note_i64(t, ctx, "dim", 7);
    ak_tensors_note_f64(t, ctx, "eta", 0.1);
    ak_tensors_note(t, ctx, "kind", "sample \"\xc3\xbc\"\n");
    assert_int_equal(ak_tensors_write(t, ctx, path), AKIN_OK);
    ak_tensors_free(t);
}

static void what_is_written_is_read(void **state)
{
    ak_tensors *t = NULL;
    const ak_tensor *x = NULL;
    int64_t dim;
    double eta;
    sample(*state, "a");
    assert_int_equal(ak_tensors_read(&t, *state, "a"), AKIN_OK);
    assert_int_equal(ak_tensors_count(t), 5);
    assert_int_equal(ak_tensors_need(t, *state, "w", AK_DTYPE_F64, 2, &x),
                     AKIN_OK);
    assert_int_equal(x->shape[1], 3);
    assert_memory_equal(x->data, w, sizeof w);
    assert_int_equal(ak_tensors_find(t, "none")->shape[0], 0);
    for (int64_t i = 0; i < 5; ++i) {
        x = ak_tensors_at(t, i);
        assert_int_equal((uintptr_t)x->data % ak_dtype_size(x->dtype), 0);
    }
    assert_string_equal(ak_tensors_get_note(t, "kind"),
                        "sample \"\xc3\xbc\"\n");
    assert_string_equal(ak_tensors_get_note(t, "eta"), "0.1");
    assert_null(ak_tensors_get_note(t, "xxh3"));
    assert_int_equal(ak_tensors_need_i64(t, *state, "dim", &dim), AKIN_OK);
    assert_int_equal(ak_tensors_need_f64(t, *state, "eta", &eta), AKIN_OK);
    assert_true(dim == 7 && eta == 0.1);
    ak_tensors_free(t);
    unlink("a");
}

static void the_same_set_gives_the_same_bytes(void **state)
{
    char *a, *b;
    size_t na, nb;
    ak_tensors *t = NULL;
    sample(*state, "a");
    assert_int_equal(ak_tensors_read(&t, *state, "a"), AKIN_OK);
    assert_int_equal(ak_tensors_write(t, *state, "b"), AKIN_OK);
    ak_tensors_free(t);
    assert_int_equal(ak_file_read(*state, "a", &a, &na), AKIN_OK);
    assert_int_equal(ak_file_read(*state, "b", &b, &nb), AKIN_OK);
    assert_int_equal(na, nb);
    assert_int_equal(ak_tensors_parse(&t, *state, "b", b, nb), AKIN_OK);
    ak_tensors_free(t);
    akin_free(a);
    akin_free(b);
    unlink("a");
    unlink("b");
}

static void needs_are_said(void **state)
{
    ak_tensors *t = NULL;
    const ak_tensor *x;
    int64_t i;
    double f;
    sample(*state, "a");
    assert_int_equal(ak_tensors_read(&t, *state, "a"), AKIN_OK);
    assert_int_equal(ak_tensors_need(t, *state, "v", AK_DTYPE_F64, 1, &x),
                     AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state), "a: there is no tensor 'v'");
    assert_int_equal(ak_tensors_need(t, *state, "w", AK_DTYPE_F32, 2, &x),
                     AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state),
                        "a: tensor 'w' is F64 (expected F32)");
    assert_int_equal(ak_tensors_need(t, *state, "w", AK_DTYPE_F64, 1, &x),
                     AKIN_EFORMAT);
    assert_int_equal(ak_tensors_need_i64(t, *state, "eta", &i), AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state),
                        "a: note 'eta' is '0.1' (expected a number)");
    assert_int_equal(ak_tensors_need_f64(t, *state, "kind", &f), AKIN_EFORMAT);
    assert_int_equal(ak_tensors_need_f64(t, *state, "nix", &f), AKIN_EFORMAT);
    assert_int_equal(ak_tensors_read(&t, *state, "nix"), AKIN_ENOENT);
    ak_tensors_free(t);
    unlink("a");
}

static void names_are_new_and_text_is_utf8(void **state)
{
    ak_tensors *t = NULL;
    assert_int_equal(ak_tensors_new(&t, *state), AKIN_OK);
    assert_int_equal(ak_tensors_put_vector(t, *state, "w", AK_DTYPE_F64, 6, w),
                     AKIN_OK);
    assert_int_equal(ak_tensors_put_vector(t, *state, "w", AK_DTYPE_F64, 6, w),
                     AKIN_EINVAL);
    assert_int_equal(
        ak_tensors_put_vector(t, *state, "__metadata__", AK_DTYPE_F64, 6, w),
        AKIN_EINVAL);
    assert_int_equal(ak_tensors_note(t, *state, "format", "x"), AKIN_EINVAL);
    assert_int_equal(ak_tensors_note(t, *state, "xxh3.w", "x"), AKIN_EINVAL);
    assert_int_equal(ak_tensors_note(t, *state, "label", "\xff"), AKIN_OK);
    assert_int_equal(ak_tensors_write(t, *state, "a"), AKIN_EINVAL);
    ak_tensors_free(t);
}

static void every_change_is_noticed(void **state)
{
    char *a;
    size_t n;
    ak_tensors *t = NULL;
    sample(*state, "a");
    assert_int_equal(ak_file_read(*state, "a", &a, &n), AKIN_OK);
    for (size_t i = 0; i < n; ++i) {
        assert_int_equal(ak_tensors_parse(&t, *state, "a", a, i), AKIN_EFORMAT);
        for (int bit = 0; bit < 8; ++bit) {  // all changes: test_model_file
            a[i] = (char)(a[i] ^ (1 << bit));
            assert_int_equal(ak_tensors_parse(&t, *state, "a", a, n),
                             AKIN_EFORMAT);
            assert_memory_equal(akin_ctx_message(*state), "a: ", 3);
            a[i] = (char)(a[i] ^ (1 << bit));
        }
    }
    a[n - 1] ^= 1;
    assert_int_equal(ak_tensors_parse(&t, *state, "a", a, n), AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state),
                        "a: tensor 'flags' does not match its checksum");
    akin_free(a);
    unlink("a");
}

/* A file with this header and `n` bytes of data. */
static akin_status parse(akin_ctx *ctx, const char *header, size_t n,
                         ak_tensors **t)
{
    static unsigned char bytes[4096];
    const uint64_t length = strlen(header);
    memcpy(bytes, &length, 8);
    memcpy(bytes + 8, header, length);
    for (size_t i = 0; i < n; ++i)
        bytes[8 + length + i] = (unsigned char)i;
    return ak_tensors_parse(t, ctx, "x", bytes, 8 + length + n);
}

#define ENTRY(type, shape, offsets) \
    "{\"dtype\":\"" type "\",\"shape\":" shape ",\"data_offsets\":" offsets "}"

static void files_of_others_are_read(void **state)
{
    ak_tensors *t = NULL;
    const ak_tensor *b;
    assert_int_equal(parse(*state, "{}", 0, &t), AKIN_OK);
    ak_tensors_free(t);
    assert_int_equal(
        parse(*state,
              "{\"b\":" ENTRY("F64", "[1]", "[3,11]") ",\"a\":" ENTRY(
                  "U8", "[3]", "[0,3]") "}",
              11, &t),
        AKIN_OK);
    assert_string_equal(ak_tensors_at(t, 0)->name, "a");
    b = ak_tensors_find(t, "b");
    assert_int_equal((uintptr_t)b->data % 8, 0);
    assert_memory_equal(b->data, "\3\4\5\6\7\10\11\12", 8);
    ak_tensors_free(t);
}

static const struct {
    const char *header;
    const char *says;
} refused[] = {
    {"", "the header does not begin with '{'"},
    {" {}", "the header does not begin with '{'"},
    {"{", "the header is not valid JSON near byte 9"},
    {"{}x", "the header is not valid JSON near byte 11"},
    {"{\"\xff\":1}", "the header is not valid JSON near byte 10"},
    {"{\"__metadata__\":1}", "__metadata__ is not an object"},
    {"{\"__metadata__\":{\"a\":1}}", "note 'a' is not a string"},
    {"{\"__metadata__\":{\"format\":\"akin\",\"format_version\":\"99\"}}",
     "format version 99 is not known (expected 1 to 2)"},
    {"{\"__metadata__\":{\"format\":\"akin\",\"format_version\":\"1\"},"
     "\"w\":" ENTRY("F64", "[1]", "[0,8]") "}",
     "tensor 'w' does not match its checksum"},
    {"{\"__metadata__\":{\"format\":\"akin\",\"format_version\":\"1\","
     "\"xxh3.w\":\"3a1c2d7c85af88f8\"},\"w\":" ENTRY("F64", "[1]", "[0,8]") "}",
     "the header does not match its checksum"},
    {"{\"__metadata__\":{\"xxh3.v\":\"3a1c2d7c85af88f8\"},"
     "\"w\":" ENTRY("F64", "[1]", "[0,8]") "}",
     "tensor 'w' does not match its checksum"},
    {"{\"__metadata__\":{\"xxh3\":\"3a1c2d7c85af88f8\"},"
     "\"w\":" ENTRY("F64", "[1]", "[0,8]") "}",
     "tensor 'w' does not match its checksum"},
    {"{\"w\":1}", "tensor 'w' has no dtype"},
    {"{\"w\":" ENTRY("BF16", "[4]", "[0,8]") "}",
     "tensor 'w' has the unsupported dtype 'BF16' (expected U8, I32, I64, F32 "
     "or F64)"},
    {"{\"w\":" ENTRY("F64", "[1,1,1,1,1]", "[0,8]") "}",
     "the shape of tensor 'w' is not a list of up to 4 whole numbers"},
    {"{\"w\":" ENTRY("F64", "[-1]", "[0,8]") "}",
     "the shape of tensor 'w' is not a list of up to 4 whole numbers"},
    {"{\"w\":" ENTRY("F64", "[1.0]", "[0,8]") "}",
     "the shape of tensor 'w' is not a list of up to 4 whole numbers"},
    {"{\"w\":" ENTRY("F64", "[1]", "[0]") "}",
     "the data_offsets of tensor 'w' are not two increasing numbers"},
    {"{\"w\":" ENTRY("F64", "[1]", "[8,0]") "}",
     "the data_offsets of tensor 'w' are not two increasing numbers"},
    {"{\"w\":" ENTRY("F64", "[2]", "[0,16]") "}",
     "truncated: tensor 'w' ends at byte 16 of the data, which has 8"},
    {"{\"w\":" ENTRY("F64", "[2]", "[0,8]") "}",
     "tensor 'w' has 8 bytes, which is not its shape"},
    {"{\"w\":" ENTRY("F64", "[2305843009213693953]", "[0,8]") "}",
     "tensor 'w' has 8 bytes, which is not its shape"},
    {"{\"w\":" ENTRY("U8", "[4]", "[4,8]") "}",
     "tensor 'w' begins at byte 4 of the data (expected 0)"},
    {"{\"w\":" ENTRY("U8", "[5]", "[0,5]") ",\"v\":" ENTRY("U8", "[4]",
                                                           "[4,8]") "}",
     "tensor 'v' begins at byte 4 of the data (expected 5)"},
    {"{\"w\":" ENTRY("U8", "[4]", "[0,4]") "}",
     "the data have 8 bytes (expected 4)"},
    {"{\"w\":" ENTRY("U8", "[8]", "[0,8]") ",\"w\":" ENTRY("U8", "[8]",
                                                           "[0,8]") "}",
     "the header is not valid JSON near byte 64"},
};

static void wrong_headers_are_refused(void **state)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; ++i) {
        ak_tensors *t = NULL;
        assert_int_equal(parse(*state, refused[i].header, 8, &t), AKIN_EFORMAT);
        assert_string_equal(akin_ctx_message(*state) + 3, refused[i].says);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(the_same_set_gives_the_same_bytes),
        cmocka_unit_test(needs_are_said),
        cmocka_unit_test(names_are_new_and_text_is_utf8),
        cmocka_unit_test(every_change_is_noticed),
        cmocka_unit_test(files_of_others_are_read),
        cmocka_unit_test(wrong_headers_are_refused),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
