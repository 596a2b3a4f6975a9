/* Pictures: what is in them, and that bad ones cost a line and no more. */
#include "support.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

#include "png.h"
#include "vision/decode.h"

static char folder[] = "/tmp/akin-vision-XXXXXX";

static const char *file(const char *name)
{
    static char path[2][128];
    static int turn;
    turn = !turn;
    snprintf(path[turn], sizeof path[turn], "%s/%s", folder, name);
    return path[turn];
}

static void write_text(const char *path, const char *text)
{
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static ak_decoder *decoder(akin_ctx *ctx, int64_t side, double seconds)
{
    const ak_decode_options o = {side, seconds};
    ak_decoder *d = NULL;
    assert_int_equal(ak_decoder_open(&d, ctx, &o), AKIN_OK);
    return d;
}

static void picture_comes_as_it_is(void **state)
{
    enum { W = 37, H = 23 };
    unsigned char rgb[H * W * 3];
    ak_decoder *d = decoder(*state, 1024, 30.0);
    ak_image image = {0, 0, NULL};
    for (int i = 0; i < H * W * 3; ++i)
        rgb[i] = (unsigned char)(i * 7);
    assert_true(png_write(file("a.png"), W, H, rgb, 1.0));
    assert_int_equal(ak_decoder_read(d, *state, file("a.png"), &image),
                     AKIN_OK);
    assert_int_equal(image.width, W);
    assert_int_equal(image.height, H);
    assert_memory_equal(image.rgb, rgb, sizeof rgb);
    ak_image_free(&image);
    ak_decoder_close(d);
}

static void large_one_is_made_smaller(void **state)
{
    ak_decoder *d = decoder(*state, 100, 30.0);
    ak_image image = {0, 0, NULL};
    assert_true(png_write(file("b.png"), 400, 200, NULL, 1.0));
    assert_int_equal(ak_decoder_read(d, *state, file("b.png"), &image),
                     AKIN_OK);
    assert_int_equal(image.width, 100);
    assert_int_equal(image.height, 50);
    ak_image_free(&image);
    ak_decoder_close(d);
}

static void check_refused(akin_ctx *ctx, ak_decoder *d, const char *path,
                          akin_status wanted)
{
    ak_image image = {0, 0, NULL};
    assert_int_equal(ak_decoder_read(d, ctx, path, &image), wanted);
    assert_null(image.rgb);
    const char *said = akin_ctx_message(ctx);
    assert_true(strncmp(said, path, strlen(path)) == 0);
    assert_null(strchr(said, '\n'));
}

static void bad_ones_cost_a_line(void **state)
{
    ak_decoder *d = decoder(*state, 1024, 30.0);
    write_text(file("empty.jpg"), "");
    write_text(file("text.jpg"), "this is not a picture\n");
    assert_true(png_write(file("cut.png"), 300, 200, NULL, 0.5));
    assert_true(png_write(file("huge.png"), 20000, 6000, NULL, 1.0));
    check_refused(*state, d, file("empty.jpg"), AKIN_EFORMAT);
    check_refused(*state, d, file("text.jpg"), AKIN_EFORMAT);
    check_refused(*state, d, file("cut.png"), AKIN_EFORMAT);
    check_refused(*state, d, file("huge.png"), AKIN_EFORMAT);
    check_refused(*state, d, file("none.png"), AKIN_ENOENT);
    check_refused(*state, d, folder, AKIN_EFORMAT);
    ak_decoder_close(d);
    picture_comes_as_it_is(state);
}

/* A program in place of akin-decode, which may take some seconds. */
static void with_program(akin_ctx *ctx, const char *script, double seconds,
                         const char *said)
{
    ak_decoder *d;
    const char *before = getenv("AKIN_LIBEXEC");
    char *old = before ? strdup(before) : NULL;
    write_text(file("akin-decode"), script);
    chmod(file("akin-decode"), 0700);
    setenv("AKIN_LIBEXEC", folder, 1);
    d = decoder(ctx, 1024, seconds);
    if (old)
        setenv("AKIN_LIBEXEC", old, 1);
    else
        unsetenv("AKIN_LIBEXEC");
    free(old);
    assert_true(png_write(file("c.png"), 20, 20, NULL, 1.0));
    for (int i = 0; i < 2; ++i) {
        check_refused(ctx, d, file("c.png"), AKIN_EFORMAT);
        assert_non_null(strstr(akin_ctx_message(ctx), said));
    }
    ak_decoder_close(d);
    unlink(file("akin-decode"));
}

static void dead_or_stuck_decoders_are_replaced(void **state)
{
    static const char *const dying[] = {
        "#!/bin/sh\nexit 1\n",
        "#!/bin/sh\nhead -c 8 >/dev/null; kill -SEGV $$\n",
        "#!/bin/sh\nprintf p; head -c 99 /dev/zero\n",
        "#!/bin/sh\nyes\n",
    };
    for (int i = 0; i < 4; ++i)
        with_program(*state, dying[i], 60.0, "decoding failed");
    with_program(*state, "#!/bin/sh\nsleep 60\n", 0.3, "exceeded 0.3");
}

static int set_up(void **state)
{
    return mkdtemp(folder) == NULL || support_set_up(state);
}

static int tear_down(void **state)
{
    static const char *const names[] = {"a.png",    "b.png",    "c.png",
                                        "cut.png",  "huge.png", "text.jpg",
                                        "empty.jpg"};
    for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
        unlink(file(names[i]));
    rmdir(folder);
    return support_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(picture_comes_as_it_is),
        cmocka_unit_test(large_one_is_made_smaller),
        cmocka_unit_test(bad_ones_cost_a_line),
        cmocka_unit_test(dead_or_stuck_decoders_are_replaced),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
