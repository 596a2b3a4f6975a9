/* Sources: lines and blocks, gzip and zstd, whole or not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include <zlib.h>
#include <zstd.h>

#include "data/io/sink.h"
#include "data/io/source.h"

enum { ROOM = 4096 };

static int enter(void **state)
{
    return akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK;
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    return 0;
}

/* All lines, joined by '|'; EFORMAT leaves the message. */
static akin_status lines(akin_ctx *ctx, const char *path, const void *bytes,
                         size_t n, char *out)
{
    ak_source *s = NULL;
    char *line;
    size_t len;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_memory(&s, ctx, path, AK_SOURCE_TEXT, bytes, n));
    for (*out = '\0';;) {
        AK_TRY(ak_source_line(s, ctx, &line, &len));
        if (line == NULL)
            break;
        assert_int_equal(line[len], '\n');
        strncat(out, line, len);
        strcat(out, "|");
    }
done:
    ak_source_close(s);
    return st;
}

static void gives(akin_ctx *ctx, const char *path, const void *bytes, size_t n,
                  const char *expected)
{
    char text[ROOM];
    if (lines(ctx, path, bytes, n, text) != AKIN_OK)
        fail_msg("%s", akin_ctx_message(ctx));
    assert_string_equal(text, expected);
}

static void refused(akin_ctx *ctx, const char *path, const void *bytes,
                    size_t n, const char *message)
{
    char text[ROOM];
    assert_int_equal(lines(ctx, path, bytes, n, text), AKIN_EFORMAT);
    assert_non_null(strstr(akin_ctx_message(ctx), message));
}

static size_t gzip(unsigned char *to, const char *text)
{
    z_stream z = {0};
    deflateInit2(&z, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    z.next_in = (unsigned char *)(uintptr_t)text;
    z.avail_in = (uInt)strlen(text);
    z.next_out = to;
    z.avail_out = ROOM;
    deflate(&z, Z_FINISH);
    const size_t n = ROOM - z.avail_out;
    deflateEnd(&z);
    return n;
}

static void plain_lines(void **state)
{
    gives(*state, "x", "", 0, "");
    gives(*state, "x", "a\n\nb\r\nc", 7, "a||b|c|");
    gives(*state, "x", "\n", 1, "|");
    gives(*state, "x", "a\rb\r\r\n", 6, "a\rb\r|");
    gives(*state, "x",
          "\xef\xbb\xbf"
          "a\n\xef\xbb\xbf",
          8, "a|\xef\xbb\xbf|");
}

static void gzip_members(void **state)
{
    unsigned char bytes[2 * ROOM];
    size_t n = gzip(bytes, "a\nb");
    gives(*state, "x.gz", bytes, n, "a|b|");
    gives(*state, "x", bytes, n, "a|b|");
    n += gzip(bytes + n, "c\nd\n");
    gives(*state, "x.gz", bytes, n, "a|bc|d|");
    bytes[n] = 'x';
    refused(*state, "x.gz", bytes, n + 1, "damaged gzip data");
    for (size_t k = 0; k < n; ++k)
        if (k != gzip(bytes + ROOM, "a\nb"))  // a whole member
            refused(*state, "x.gz", bytes, k,
                    k < 2 ? "not a gzip" : "truncated");
    bytes[n - 5] ^= 1;
    refused(*state, "x.gz", bytes, n, "damaged gzip data");
}

static void zstd_frames(void **state)
{
    unsigned char bytes[ROOM];
    const size_t n = ZSTD_compress(bytes, ROOM, "a\nb", 3, 3);
    gives(*state, "x.zst", bytes, n, "a|b|");
    gives(*state, "x", bytes, n, "a|b|");
    memcpy(bytes + n, bytes, n);
    gives(*state, "x.zst", bytes, 2 * n, "a|ba|b|");
    for (size_t k = 0; k < n; ++k)
        refused(*state, "x.zst", bytes, k, k < 4 ? "not a zstd" : "truncated");
    refused(*state, "x.zst", bytes, n + 1, "truncated");
    memset(bytes + n, 'x', 8);
    refused(*state, "x.zst", bytes, n + 8, "damaged zstd data");
}

static void endings_must_be_true(void **state)
{
    unsigned char bytes[ROOM];
    const size_t n = gzip(bytes, "a");
    refused(*state, "x.gz", "abcd", 4, "x.gz: not a gzip file");
    refused(*state, "x.zst", bytes, n, "x.zst: not a zstd file");
    refused(*state, "x.gz", "", 0, "x.gz: not a gzip file");
}

/* Longer than any buffer, and not one byte different. */
static void long_lines(void **state)
{
    static const char *const paths[] = {"test-long", "test-long.gz",
                                        "test-long.zst"};
    const size_t n = 3000000;
    char *text = malloc(n), *line;
    assert_non_null(text);
    for (size_t k = 0; k < n; ++k)
        text[k] = (char)('a' + k * k % 23);
    for (int k = 0; k < 3; ++k) {
        ak_sink *sink = NULL;
        ak_source *s = NULL;
        size_t len;
        assert_int_equal(ak_sink_open(&sink, *state, paths[k]), AKIN_OK);
        assert_int_equal(ak_sink_put(sink, *state, text, n), AKIN_OK);
        assert_int_equal(ak_sink_text(sink, *state, "\nend"), AKIN_OK);
        assert_int_equal(ak_sink_close(sink, *state, AKIN_OK), AKIN_OK);
        assert_int_equal(ak_source_open(&s, *state, paths[k], AK_SOURCE_TEXT),
                         AKIN_OK);
        assert_int_equal(ak_source_line(s, *state, &line, &len), AKIN_OK);
        assert_true(len == n && memcmp(line, text, n) == 0);
        assert_int_equal(ak_source_line(s, *state, &line, &len), AKIN_OK);
        assert_true(len == 3 && memcmp(line, "end", 3) == 0);
        assert_int_equal(ak_source_line_number(s), 2);
        ak_source_close(s);
        unlink(paths[k]);
    }
    free(text);
}

static void folders_and_absent_files(void **state)
{
    ak_source *s = NULL;
    assert_int_equal(ak_source_open(&s, *state, ".", AK_SOURCE_TEXT),
                     AKIN_ENOENT);
    assert_int_equal(ak_source_open(&s, *state, "none", AK_SOURCE_TEXT),
                     AKIN_ENOENT);
    assert_string_equal(akin_ctx_message(*state),
                        "none: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plain_lines),
        cmocka_unit_test(gzip_members),
        cmocka_unit_test(zstd_frames),
        cmocka_unit_test(endings_must_be_true),
        cmocka_unit_test(long_lines),
        cmocka_unit_test(folders_and_absent_files),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
