/* MATLAB files: what akin-mat may send, and how it may end. */
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

#include "data/io/formats.h"
#include "data/io/mat_config.h"

#ifdef AK_HAVE_MAT
enum { HAVE_MAT = 1 };
#else
enum { HAVE_MAT = 0 };
#endif

static char folder[] = "akin-test-XXXXXX";

static void put(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    assert_int_equal(chmod(path, mode), 0);
}

static int enter(void **state)
{
    if (akin_ctx_new((akin_ctx **)state, NULL) != AKIN_OK ||
        mkdtemp(folder) == NULL || chdir(folder) != 0)
        return 1;
    put("x.mat", "", 0644);
    return setenv("AKIN_LIBEXEC", ".", 1);
}

static int leave(void **state)
{
    akin_ctx_free(*state);
    unlink("x.mat");
    unlink("akin-mat");
    return chdir("..") != 0 || rmdir(folder) != 0;
}

/* Read with this script as the program; what comes of it. */
static void ends(akin_ctx *ctx, const char *script, akin_status st,
                 const char *message)
{
    char text[512];
    akin_rows *r = NULL;
    snprintf(text, sizeof text, "#!/bin/sh\n%s\n", script);
    put("akin-mat", text, 0755);
    assert_int_equal(akin_rows_read(&r, ctx, "x.mat", NULL), st);
    if (message != NULL)
        assert_string_equal(akin_ctx_message(ctx), message);
    akin_rows_free(r);
}

#define ARRAY                                                         \
    "\\223NUMPY\\1\\0\\70\\0{\"descr\": \"|u1\", \"fortran_order\": " \
    "False, \"shape\": (2,1)}"

static void endings(void **state)
{
    if (!HAVE_MAT)
        skip();
    ends(*state, "printf 'AKINMAT1d" ARRAY "ABn.'", AKIN_OK, NULL);
    ends(*state, "printf 'AKINMAT1d" ARRAY "ABn.'; sleep 60 >&- &", AKIN_OK,
         NULL);
    ends(*state, "printf 'AKINMAT1d" ARRAY "ABn.'; kill -SEGV $$", AKIN_OK,
         NULL);
    ends(*state, "kill -SEGV $$", AKIN_EFORMAT,
         "x.mat: damaged, reading it failed (signal 11)");
    ends(*state, "printf 'AKINMAT1d'; kill -XCPU $$", AKIN_EFORMAT,
         "x.mat: reading it exceeded its time or memory limit");
    ends(*state, "exit 1", AKIN_EFORMAT, "x.mat: truncated");
    ends(*state, "printf 'AKINMAT1eno\\nluck'", AKIN_EFORMAT, "x.mat: no?luck");
    ends(*state, "printf 'AKINMAT1e'", AKIN_EFORMAT, "x.mat: cannot be read");
    ends(*state, "yes", AKIN_EFORMAT, "x.mat: akin-mat is of another version");
    ends(*state, "printf 'AKINMAT1d" ARRAY "ABe.'", AKIN_EFORMAT, "x.mat: .");
    ends(*state, "printf 'AKINMAT1d" ARRAY "ABnn'", AKIN_EFORMAT,
         "x.mat: akin-mat stopped before the end");
    ends(*state, "printf 'AKINMAT1d" ARRAY "ABn.x'", AKIN_EFORMAT,
         "x.mat: trailing bytes");
    ends(*state, "printf 'AKINMAT1d" ARRAY "A'", AKIN_EFORMAT,
         "x.mat: truncated");
}

static void keep_line(void *user, akin_log_level level, const char *line)
{
    assert_int_equal(level, AKIN_LOG_INFO);
    strcpy(user, line);
}

static void a_choice_is_told(void **state)
{
    char said[600] = "";
    if (!HAVE_MAT)
        skip();
    akin_ctx_set_log(*state, keep_line, said);
    ends(*state,
         "printf 'AKINMAT1d" ARRAY "ABntX\\nit is'; head -c 493 /dev/zero; "
         "printf .",
         AKIN_OK, NULL);
    assert_string_equal(said, "x.mat: X?it is");
    ends(*state, "printf 'AKINMAT1d" ARRAY "ABntX is it.'", AKIN_EFORMAT,
         "x.mat: truncated");
    akin_ctx_set_log(*state, NULL, NULL);
}

static void an_absent_program(void **state)
{
    akin_rows *r = NULL;
    unlink("akin-mat");
    assert_int_equal(akin_rows_read(&r, *state, "x.mat", NULL),
                     HAVE_MAT ? AKIN_EIO : AKIN_EABSENT);
}

static void arguments(void **state)
{
    if (!HAVE_MAT)
        skip();
    const akin_read_options o = {
        .size = sizeof o, .variable = "V 1", .label_variable = "$(L)"};
    akin_rows *r = NULL;
    put("akin-mat", "#!/bin/sh\nprintf \"AKINMAT1e$1|$2|$3\"\n", 0755);
    assert_int_equal(akin_rows_read(&r, *state, "x.mat", &o), AKIN_EFORMAT);
    assert_string_equal(akin_ctx_message(*state), "x.mat: x.mat|V 1|$(L)");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(endings),
        cmocka_unit_test(a_choice_is_told),
        cmocka_unit_test(an_absent_program),
        cmocka_unit_test(arguments),
    };
    return cmocka_run_group_tests(tests, enter, leave);
}
