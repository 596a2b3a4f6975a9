/* Files are whole or not there. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/file.h"

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

static void put(akin_ctx *ctx, const char *path, const char *text, bool keep)
{
    ak_writer *w = NULL;
    assert_int_equal(ak_writer_open(&w, ctx, path), AKIN_OK);
    assert_int_equal(ak_writer_put(w, ctx, text, strlen(text)), AKIN_OK);
    const akin_status st = keep ? AKIN_OK : AKIN_ECANCELLED;
    assert_int_equal(ak_writer_close(w, ctx, st), st);
}

static void expect(akin_ctx *ctx, const char *path, const char *text)
{
    char *bytes = NULL;
    size_t n = 0;
    assert_int_equal(ak_file_read(ctx, path, &bytes, &n), AKIN_OK);
    assert_string_equal(bytes, text);
    assert_int_equal(n, strlen(text));
    akin_free(bytes);
}

static void abort_keeps_the_old_file(void **state)
{
    put(*state, "a", "old", true);
    put(*state, "a", "new", false);
    expect(*state, "a", "old");
    put(*state, "a", "new", true);
    expect(*state, "a", "new");
    assert_int_equal(unlink("a"), 0);  // leave() fails if anything else stays
}

static void a_link_stays_a_link(void **state)
{
    struct stat s;
    put(*state, "real", "old", true);
    assert_int_equal(symlink("real", "link"), 0);
    put(*state, "link", "new", true);
    assert_int_equal(lstat("link", &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    expect(*state, "real", "new");
    unlink("link");
    unlink("real");
}

static void a_full_disk_is_said(void **state)
{
    ak_writer *w = NULL;
    assert_int_equal(ak_writer_open(&w, *state, "/dev/full"), AKIN_OK);
    ak_writer_put(w, *state, "x", 1);
    assert_int_equal(ak_writer_close(w, *state, AKIN_OK), AKIN_ENOSPC);
    assert_string_equal(akin_ctx_message(*state),
                        "/dev/full: No space left on device");
}

static void a_missing_folder_is_said(void **state)
{
    ak_writer *w = NULL;
    char *bytes = NULL;
    size_t n;
    assert_int_equal(ak_writer_open(&w, *state, "none/a"), AKIN_EIO);
    assert_int_equal(ak_file_read(*state, "none/a", &bytes, &n), AKIN_ENOENT);
    assert_int_equal(ak_file_read(*state, ".", &bytes, &n), AKIN_ENOENT);
}

static void several_files_are_all_or_none(void **state)
{
    akin_outputs files;
    put(*state, "a", "old", true);
    akin_outputs_begin(*state, &files);
    put(*state, "a", "new", true);
    put(*state, "b", "new", true);
    expect(*state, "a", "old");
    assert_int_equal(akin_outputs_end(*state, &files, AKIN_EIO), AKIN_EIO);
    expect(*state, "a", "old");
    assert_int_not_equal(access("b", F_OK), 0);

    akin_outputs_begin(*state, &files);
    put(*state, "a", "new", true);
    put(*state, "b", "new", true);
    assert_int_equal(akin_outputs_end(*state, &files, AKIN_OK), AKIN_OK);
    expect(*state, "a", "new");
    expect(*state, "b", "new");
    assert_int_equal(unlink("a"), 0);
    assert_int_equal(unlink("b"), 0);
}

static void a_text_waits_with_the_others(void **state)
{
    akin_outputs files;
    akin_outputs_begin(*state, &files);
    assert_int_equal(akin_output_write(*state, "a", "text"), AKIN_OK);
    assert_int_not_equal(access("a", F_OK), 0);
    assert_int_equal(akin_outputs_end(*state, &files, AKIN_EIO), AKIN_EIO);
    assert_int_not_equal(access("a", F_OK), 0);

    assert_int_equal(akin_output_write(*state, "a", ""), AKIN_OK);
    expect(*state, "a", "");
    assert_int_equal(akin_output_write(*state, "a", "text"), AKIN_OK);
    expect(*state, "a", "text");
    assert_int_equal(akin_output_write(*state, "no/a", "text"), AKIN_EIO);
    assert_int_equal(unlink("a"), 0);
}

static void two_names_of_one_file_are_refused(void **state)
{
    akin_outputs files;
    ak_writer *w = NULL;
    assert_int_equal(symlink("a", "link"), 0);
    akin_outputs_begin(*state, &files);
    put(*state, "a", "one", true);
    assert_int_equal(ak_writer_open(&w, *state, "./link"), AKIN_OK);
    assert_int_equal(ak_writer_close(w, *state, AKIN_OK), AKIN_EINVAL);
    assert_int_equal(akin_outputs_end(*state, &files, AKIN_EINVAL),
                     AKIN_EINVAL);
    assert_int_not_equal(access("a", F_OK), 0);
    assert_int_equal(unlink("link"), 0);
}

static void a_link_to_nothing_yet_is_followed(void **state)
{
    struct stat s;
    assert_int_equal(symlink("middle", "link"), 0);
    assert_int_equal(symlink("./end", "middle"), 0);
    put(*state, "link", "text", true);
    expect(*state, "end", "text");
    assert_int_equal(lstat("link", &s), 0);
    assert_true(S_ISLNK(s.st_mode));
    assert_int_equal(unlink("link"), 0);
    assert_int_equal(unlink("middle"), 0);
    assert_int_equal(unlink("end"), 0);
}

static void a_look_changes_nothing(void **state)
{
    assert_int_equal(akin_output_check(*state, "a"), AKIN_OK);
    assert_int_not_equal(access("a", F_OK), 0);
    assert_int_equal(akin_output_check(*state, "no/a"), AKIN_EIO);
    assert_int_equal(akin_output_check(*state, "."), AKIN_EIO);
    assert_int_equal(akin_output_check(*state, "/dev/null"), AKIN_OK);
    assert_int_equal(akin_output_check(*state, "-"), AKIN_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(abort_keeps_the_old_file),
        cmocka_unit_test(a_link_stays_a_link),
        cmocka_unit_test(a_full_disk_is_said),
        cmocka_unit_test(several_files_are_all_or_none),
        cmocka_unit_test(a_text_waits_with_the_others),
        cmocka_unit_test(two_names_of_one_file_are_refused),
        cmocka_unit_test(a_link_to_nothing_yet_is_followed),
        cmocka_unit_test(a_look_changes_nothing),
        cmocka_unit_test(a_missing_folder_is_said),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
