/* Streams give what is there; lists and numbers are sorted out. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "context.h"
#include "data/supervision/lines.h"

static const char path[] = "test_data_stream.txt";

static void write_text(const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* Would block for ever if `next` waited for more than one whole line. */
static void next_does_not_wait_for_more(void **state)
{
    (void)state;
    int pipes[2];
    char name[32];
    akin_stream *s = NULL;
    const int64_t *x;
    int64_t n;
    assert_int_equal(pipe(pipes), 0);
    snprintf(name, sizeof name, "/dev/fd/%d", pipes[0]);
    assert_int_equal(write(pipes[1], "q p n\n1 2 3\n4 5", 15), 15);
    assert_int_equal(akin_stream_open(&s, ctx, AKIN_TRIPLETS, name, 9, 0),
                     AKIN_OK);
    assert_int_equal(akin_stream_next(&x, &n, ctx, s, 100), AKIN_OK);
    assert_int_equal(n, 1);
    assert_memory_equal(x, ((int64_t[]){1, 2, 3}), 24);
    assert_int_equal(write(pipes[1], " 6\n\n# c\n7 8 0\n0 0 0\n2 1 0", 25), 25);
    assert_int_equal(akin_stream_next(&x, &n, ctx, s, 2), AKIN_OK);
    assert_int_equal(n, 2);
    assert_memory_equal(x, ((int64_t[]){4, 5, 6, 7, 8, 0}), 48);
    assert_int_equal(akin_stream_next(&x, &n, ctx, s, 100), AKIN_OK);
    assert_int_equal(n, 1);
    close(pipes[1]);
    assert_int_equal(akin_stream_next(&x, &n, ctx, s, 100), AKIN_OK);
    assert_int_equal(n, 1);
    assert_int_equal(x[0], 2);
    assert_int_equal(akin_stream_next(&x, &n, ctx, s, 100), AKIN_OK);
    assert_int_equal(n, 0);
    akin_stream_close(s);
    close(pipes[0]);
}

static void streams_refuse_what_files_refuse(void **state)
{
    (void)state;
    akin_stream *s = NULL;
    const int64_t *x;
    int64_t n;
    write_text("0 1 1\n0 3 1\n");
    assert_int_equal(akin_stream_open(&s, ctx, AKIN_BAGS, path, 3, 3),
                     AKIN_EINVAL);
    assert_int_equal(akin_stream_open(&s, ctx, AKIN_PAIRS, "no such", 3, 3),
                     AKIN_ENOENT);
    assert_int_equal(akin_stream_open(&s, ctx, AKIN_PAIRS, path, 1, 3),
                     AKIN_OK);
    assert_int_equal(akin_stream_next(&x, &n, ctx, s, 1), AKIN_OK);
    assert_int_equal(akin_stream_next(&x, &n, ctx, s, 1), AKIN_ESHAPE);
    assert_string_equal(
        akin_ctx_message(ctx),
        "test_data_stream.txt:2: row 3 does not exist (there are 3)");
    akin_stream_close(s);
}

static void lists_rise_without_repeats(void **state)
{
    (void)state;
    akin_lists *l = NULL;
    const int64_t *rows;
    write_text("query row\n2 9\n0 5\n2 1\n2 9\n2 3\n");
    assert_int_equal(akin_lists_read(&l, ctx, path, 4, 10), AKIN_OK);
    assert_int_equal(akin_lists_get(&rows, l, 0), 1);
    assert_int_equal(rows[0], 5);
    assert_int_equal(akin_lists_get(&rows, l, 1), 0);
    assert_int_equal(akin_lists_get(&rows, l, 2), 3);
    assert_memory_equal(rows, ((int64_t[]){1, 3, 9}), 24);
    assert_int_equal(akin_lists_get(&rows, l, 3), 0);
    assert_int_equal(akin_lists_get(&rows, l, 4), 0);
    assert_int_equal(akin_lists_get(&rows, l, -1), 0);
    akin_lists_free(l);
    assert_int_equal(akin_lists_read(&l, ctx, path, 2, 10), AKIN_ESHAPE);
    assert_int_equal(akin_lists_read(&l, ctx, path, 4, 9), AKIN_ESHAPE);
}

static void lists_from_memory(void **state)
{
    (void)state;
    akin_lists *l = NULL;
    const int64_t *rows;
    const int64_t pairs[] = {1, 7, 0, 3, 1, 2};
    assert_int_equal(akin_lists_new(&l, ctx, 2, pairs, 3), AKIN_OK);
    assert_int_equal(akin_lists_get(&rows, l, 1), 2);
    assert_memory_equal(rows, ((int64_t[]){2, 7}), 16);
    akin_lists_free(l);
    assert_int_equal(akin_lists_new(&l, ctx, 1, pairs, 3), AKIN_ESHAPE);
}

static void numbers_keep_their_order(void **state)
{
    (void)state;
    int64_t *x = NULL, n = 0;
    write_text("# rows\n5\n\n3\n5\n");
    assert_int_equal(akin_numbers_read(&x, &n, ctx, path, 6), AKIN_OK);
    assert_int_equal(n, 3);
    assert_memory_equal(x, ((int64_t[]){5, 3, 5}), 24);
    akin_free(x);
    assert_int_equal(akin_numbers_read(&x, &n, ctx, path, 5), AKIN_ESHAPE);
}

/* More lines than one buffer, and than one growth of the array. */
static void long_files_are_read_whole(void **state)
{
    (void)state;
    enum { N = 50000 };
    FILE *f = fopen(path, "wb");
    for (int i = 0; i < N; ++i)
        fprintf(f, "%d,%d\r\n", i, N - 1 - i);
    fclose(f);
    const ak_line_form form = {2, {N, N}, false, "a b"};
    int64_t *x = NULL, n = 0, line = 0;
    assert_int_equal(ak_lines_read(ctx, path, form, &x, &n, &line), AKIN_OK);
    assert_int_equal(n, N);
    assert_int_equal(line, 1);
    for (int i = 0; i < N; ++i)
        assert_true(x[2 * i] == i && x[2 * i + 1] == N - 1 - i);
    akin_free(x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CONTEXT_CASE(next_does_not_wait_for_more),
        CONTEXT_CASE(streams_refuse_what_files_refuse),
        CONTEXT_CASE(lists_rise_without_repeats),
        CONTEXT_CASE(lists_from_memory),
        CONTEXT_CASE(numbers_keep_their_order),
        CONTEXT_CASE(long_files_are_read_whole),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    remove(path);
    return failed;
}
