/* akin-decode: pictures from files, as bytes, one after the other.
 *
 * A separate program, with limits on memory, because the loaders behind
 * libvips meet files that nobody has checked. It serves until its input ends.
 * A request:
 *   SIDE LENGTH PATH      int32, int32, LENGTH bytes: the picture in a file,
 *                         made smaller until neither side is above SIDE
 * or, to write one:
 *   0 QUALITY WIDTH HEIGHT RGB  int32 each, three bytes a pixel
 * and the answer, for vision/decode.c:
 *   'p' WIDTH HEIGHT RGB  int32, int32, three bytes a pixel
 *   'j' LENGTH BYTES      int32: the picture as JPEG, as PNG of quality 0
 *   'e' LENGTH TEXT       int32: what is wrong with it
 * Who started it sees to the time it takes. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <vips/vips.h>

#include "helpers/limits.h"

enum { PATHS = 1 << 16, MESSAGE = 300, SIDE = 16384 };

#define MOST_PIXELS 1e8  // of a picture before it is made smaller

static void put(const void *bytes, size_t n)
{
    if (fwrite(bytes, 1, n, stdout) != n)
        _exit(1);
}

static void put_number(int32_t x)
{
    put(&x, sizeof x);
}

static void refuse(const char *what)
{
    char text[MESSAGE];
    snprintf(text, sizeof text, "%s", what);
    char *end = strchr(text, '\n');
    const size_t n = end ? (size_t)(end - text) : strlen(text);
    put("e", 1);
    put_number((int32_t)n);
    put(text, n);
}

/* In words of ours where libvips speaks of itself. What it says begins with
 * the name of the part that says it. */
static void refuse_as_told(void)
{
    const char *why = vips_error_buffer();
    const char *colon = strstr(why, ": ");
    char text[MESSAGE];
    if (strstr(why, "is not a known file format"))
        why = "not a picture, or in a format that is not read";
    else if (colon && strncmp(colon, ": operation is blocked", 22) == 0) {
        snprintf(text, sizeof text,
                 "in a format that is not read: libvips does not trust its "
                 "loader (%.*s)",
                 (int)(colon - why), why);
        why = text;
    } else if (*why == '\0')
        why = "damaged";
    else if (colon)
        why = colon + 2;
    refuse(why);
}

static bool get(void *bytes, size_t n)
{
    return fread(bytes, 1, n, stdin) == n;
}

/* The header alone: is it a picture that we would decode? */
static bool look(const char *path)
{
    VipsImage *head =
        vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    if (head == NULL) {
        refuse_as_told();
        return false;
    }
    const double pixels = (double)vips_image_get_width(head) *
                          vips_image_get_height(head);
    g_object_unref(head);
    if (pixels > MOST_PIXELS) {
        refuse("the picture has more than 100 million pixels");
        return false;
    }
    return true;
}

/* Three bytes a pixel, whatever it was. */
static VipsImage *as_rgb(VipsImage *in)
{
    VipsImage *flat = NULL, *rgb = NULL, *bytes = NULL;
    if (!vips_image_hasalpha(in) || vips_flatten(in, &flat, NULL) != 0)
        flat = (VipsImage *)g_object_ref(in);
    if (vips_colourspace(flat, &rgb, VIPS_INTERPRETATION_sRGB, NULL) == 0 &&
        vips_cast(rgb, &bytes, VIPS_FORMAT_UCHAR, NULL) != 0)
        bytes = NULL;
    g_object_unref(flat);
    if (rgb)
        g_object_unref(rgb);
    return bytes;
}

static void answer(const char *path, int32_t side)
{
    VipsImage *small = NULL, *rgb = NULL;
    size_t n = 0;
    void *pixels = NULL;
    vips_error_clear();
    if (!look(path))
        return;
    if (vips_thumbnail(path, &small, side, "height", side, "size",
                       VIPS_SIZE_DOWN, "fail_on", VIPS_FAIL_ON_TRUNCATED,
                       NULL) == 0)
        rgb = as_rgb(small);
    if (rgb && vips_image_get_bands(rgb) == 3)
        pixels = vips_image_write_to_memory(rgb, &n);
    if (pixels) {
        put("p", 1);
        put_number(vips_image_get_width(rgb));
        put_number(vips_image_get_height(rgb));
        put(pixels, n);
    } else if (rgb && vips_image_get_bands(rgb) != 3)
        refuse("not a colour or greyscale picture");
    else
        refuse_as_told();
    g_free(pixels);
    if (rgb)
        g_object_unref(rgb);
    if (small)
        g_object_unref(small);
}

/* A picture that follows, as JPEG or PNG; false: that was no request. */
static bool encode(int32_t quality)
{
    int32_t size[2];
    VipsImage *image = NULL;
    void *pixels = NULL, *bytes = NULL;
    size_t n = 0;
    if (!get(size, sizeof size) || size[0] < 1 || size[1] < 1 ||
        size[0] > SIDE || size[1] > SIDE)
        return false;
    const size_t all = 3 * (size_t)size[0] * (size_t)size[1];
    pixels = malloc(all);
    if (pixels == NULL || !get(pixels, all))
        return false;
    vips_error_clear();
    image = vips_image_new_from_memory(pixels, all, size[0], size[1], 3,
                                       VIPS_FORMAT_UCHAR);
    if (image && (quality == 0 ? vips_pngsave_buffer(image, &bytes, &n, NULL)
                               : vips_jpegsave_buffer(image, &bytes, &n, "Q",
                                                      quality, NULL)) == 0) {
        put("j", 1);
        put_number((int32_t)n);
        put(bytes, n);
    } else
        refuse_as_told();
    g_free(bytes);
    if (image)
        g_object_unref(image);
    free(pixels);
    return true;
}

int main(int argc, char **argv)
{
    static char path[PATHS + 1];
    int32_t ask[2];
    (void)argc;
    /* Loops that libvips compiles go through a small file. */
    ak_set_limits((rlim_t)3 << 30, RLIM_INFINITY, (rlim_t)1 << 20);
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    vips_block_untrusted_set(TRUE);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    while (get(ask, sizeof ask)) {
        if (ask[0] < 0 || ask[1] < 0 || ask[1] > PATHS ||
            !(ask[0] == 0 ? encode(ask[1]) : get(path, (size_t)ask[1])))
            return 1;
        path[ask[0] == 0 ? 0 : ask[1]] = '\0';
        if (ask[0] > 0)
            answer(path, ask[0]);
        if (fflush(stdout) != 0)
            return 1;
    }
    vips_shutdown();
    return 0;
}
