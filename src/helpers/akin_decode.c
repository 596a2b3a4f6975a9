/* akin-decode: pictures from files, as bytes, one after the other.
 *
 * A separate program, with limits on memory, because the loaders behind
 * libvips meet files that nobody has checked. It serves until its input ends.
 * A request:
 *   SIDE LENGTH PATH      int32, int32, LENGTH bytes: the picture in a file,
 *                         made smaller until neither side is above SIDE
 * or, for what is written in the file beside the picture:
 *   -1 LENGTH PATH
 * or, to write one:
 *   0 QUALITY WIDTH HEIGHT RGB  int32 each, three bytes a pixel
 * and the answer, for vision/decode.c:
 *   'p' WIDTH HEIGHT LENGTH FACTS RGB  int32 each, LENGTH bytes of lines `name
 *                         value` that the file tells of it, three bytes a pixel
 *   'm' LENGTH LENGTH XMP IPTC  int32 each: 0 where it has none
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

#include "helpers/fence.h"
#include "helpers/limits.h"

enum { PATHS = 1 << 16, MESSAGE = 300, SIDE = 16384, FACTS = 512, FACT = 96 };
enum { METADATA = 16 << 20 };

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

/* ---- facts: what the camera wrote into the file ---- */

typedef struct facts {
    char text[FACTS];
    size_t n;
} facts;

/* A line that does not fit is left out. */
static void add_fact(facts *f, const char *name, const char *value)
{
    const int n =
        snprintf(f->text + f->n, sizeof f->text - f->n, "%s %s\n", name, value);
    if (n > 0 && (size_t)n < sizeof f->text - f->n)
        f->n += (size_t)n;
    f->text[f->n] = '\0';
}

/* libvips has "VALUE (VALUE as text, type, components, bytes)"; only what is
 * before the bracket. "": there is none. */
static void exif_of(VipsImage *head, const char *name, char value[FACT])
{
    const char *text = NULL;
    size_t n = 0;
    value[0] = '\0';
    if (vips_image_get_typeof(head, name) != VIPS_TYPE_REF_STRING ||
        vips_image_get_string(head, name, &text) != 0)
        return;
    const char *end = strstr(text, " (");
    for (const char *p = end; p != NULL; p = strstr(p + 1, " ("))
        if (strncmp(p + 2, text, (size_t)(p - text)) == 0)
            end = p;  // the text has a bracket itself
    for (; text[n] != '\0' && text + n != end && n + 1 < FACT; ++n)
        value[n] = text[n] >= ' ' && text[n] <= '~' ? text[n] : '?';
    while (n > 0 && value[n - 1] == ' ')
        --n;
    value[n] = '\0';
}

/* "2020:05:17 12:30:00" to "2020-05-17T12:30:00". */
static bool add_date(facts *f, VipsImage *head, const char *name)
{
    char value[FACT], text[FACT];
    int t[6], end = 0;
    exif_of(head, name, value);
    if (sscanf(value, "%4d:%2d:%2d %2d:%2d:%2d%n", &t[0], &t[1], &t[2], &t[3],
               &t[4], &t[5], &end) != 6 ||
        value[end] != '\0' || t[0] < 1 || t[1] < 1 || t[1] > 12 || t[2] < 1 ||
        t[2] > 31 || t[3] < 0 || t[3] > 23 || t[4] < 0 || t[4] > 59 ||
        t[5] < 0 || t[5] > 60)
        return false;
    snprintf(text, sizeof text, "%04d-%02d-%02dT%02d:%02d:%02d", t[0], t[1],
             t[2], t[3], t[4], t[5]);
    add_fact(f, "date", text);
    return true;
}

/* The maker once, also where the model begins with it. */
static void add_camera(facts *f, VipsImage *head)
{
    char make[FACT], model[FACT], text[2 * FACT];
    exif_of(head, "exif-ifd0-Make", make);
    exif_of(head, "exif-ifd0-Model", model);
    const bool both = make[0] != '\0' && model[0] != '\0' &&
                      g_ascii_strncasecmp(make, model, strlen(make)) != 0;
    snprintf(text, sizeof text, "%s%s%s", both ? make : "", both ? " " : "",
             model[0] != '\0' ? model : make);
    if (text[0] != '\0')
        add_fact(f, "camera", text);
}

/* Degrees, minutes and seconds as "48/1 51/1 2961/100". */
static void add_degrees(facts *f, VipsImage *head, const char *name,
                        const char *value_name, const char *sign_name,
                        char negative, double most)
{
    char value[FACT], sign[FACT], text[FACT];
    long u[6];
    exif_of(head, value_name, value);
    exif_of(head, sign_name, sign);
    if (sscanf(value, "%ld/%ld %ld/%ld %ld/%ld", &u[0], &u[1], &u[2], &u[3],
               &u[4], &u[5]) != 6)
        return;
    double degrees = 0.0, unit = 1.0;
    for (int i = 0; i < 3; ++i, unit *= 60.0) {
        if (u[2 * i + 1] <= 0 || u[2 * i] < 0)
            return;
        degrees += (double)u[2 * i] / (double)u[2 * i + 1] / unit;
    }
    if (!(degrees <= most))
        return;
    snprintf(text, sizeof text, "%.7g",
             sign[0] == negative ? -degrees : degrees);
    add_fact(f, name, text);
}

/* Its size as it is seen, and what EXIF says, as far as that makes sense. */
static void find_facts(facts *f, VipsImage *head)
{
    const bool turned = vips_image_get_orientation_swap(head);
    const int w = vips_image_get_width(head), h = vips_image_get_height(head);
    char text[FACT];
    snprintf(text, sizeof text, "%d", turned ? h : w);
    add_fact(f, "width", text);
    snprintf(text, sizeof text, "%d", turned ? w : h);
    add_fact(f, "height", text);
    if (!add_date(f, head, "exif-ifd2-DateTimeOriginal") &&
        !add_date(f, head, "exif-ifd2-DateTimeDigitized"))
        add_date(f, head, "exif-ifd0-DateTime");
    add_camera(f, head);
    add_degrees(f, head, "latitude", "exif-ifd3-GPSLatitude",
                "exif-ifd3-GPSLatitudeRef", 'S', 90.0);
    add_degrees(f, head, "longitude", "exif-ifd3-GPSLongitude",
                "exif-ifd3-GPSLongitudeRef", 'W', 180.0);
}

/* ---- what people wrote into the file ---- */

/* The bytes of a field; nothing where there are none, or too many. */
static size_t blob_of(VipsImage *head, const char *name, const void **bytes)
{
    size_t n = 0;
    *bytes = "";
    if (vips_image_get_typeof(head, name) != VIPS_TYPE_BLOB ||
        vips_image_get_blob(head, name, bytes, &n) != 0 || n > METADATA)
        return 0;
    return n;
}

static void tell(const char *path)
{
    const void *xmp, *iptc;
    vips_error_clear();
    VipsImage *head =
        vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    if (head == NULL) {
        refuse_as_told();
        return;
    }
    const size_t n_xmp = blob_of(head, VIPS_META_XMP_NAME, &xmp);
    const size_t n_iptc = blob_of(head, VIPS_META_IPTC_NAME, &iptc);
    put("m", 1);
    put_number((int32_t)n_xmp);
    put_number((int32_t)n_iptc);
    put_number(vips_image_get_orientation(head));
    put(xmp, n_xmp);
    put(iptc, n_iptc);
    g_object_unref(head);
}

/* ---- pictures ---- */

/* The header alone: is it a picture that we would decode? */
static bool look(const char *path, facts *f)
{
    VipsImage *head =
        vips_image_new_from_file(path, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
    if (head == NULL) {
        refuse_as_told();
        return false;
    }
    const double pixels = (double)vips_image_get_width(head) *
                          vips_image_get_height(head);
    find_facts(f, head);
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
    facts f = {.n = 0};
    vips_error_clear();
    if (!look(path, &f))
        return;
    vips_error_clear();
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
        put_number((int32_t)f.n);
        put(f.text, f.n);
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
    /* Loops that libvips compiles at its start go through a small file. */
    ak_set_limits((rlim_t)3 << 30, RLIM_INFINITY, (rlim_t)1 << 20);
    if (VIPS_INIT(argv[0]) != 0)
        return 1;
    ak_set_fence(AK_FENCE_READ);
    vips_block_untrusted_set(TRUE);
    vips_concurrency_set(1);
    vips_cache_set_max(0);
    while (get(ask, sizeof ask)) {
        if (ask[0] < -1 || ask[1] < 0 || ask[1] > PATHS ||
            !(ask[0] == 0 ? encode(ask[1]) : get(path, (size_t)ask[1])))
            return 1;
        path[ask[0] == 0 ? 0 : ask[1]] = '\0';
        if (ask[0] > 0)
            answer(path, ask[0]);
        else if (ask[0] < 0)
            tell(path);
        if (fflush(stdout) != 0)
            return 1;
    }
    vips_shutdown();
    return 0;
}
