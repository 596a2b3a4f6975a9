/* Pictures from files, decoded by the program akin-decode
 * (helpers/akin_decode.c).
 *
 * What happens to a file that is not a sound picture:
 * - A truncated JPEG: libvips refuses it (VIPS_FAIL_ON_TRUNCATED in the
 *   helper), and the helper answers 'e' with a message.
 * - Other damage: the same, or the helper dies and `give_up` says so.
 * - Too slow: after `seconds` the helper is killed (`give_up`).
 * - Not a regular file, or empty: `check_file` refuses it first.
 *
 * Each is EFORMAT with the path in the message. A run over a folder
 * (collection/images.c) warns, records that the picture is skipped, and
 * continues. If the helper died, the next picture gets a new one. */
#include "vision/decode.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/helper.h"

enum { SIDE_MOST = 16384, FACTS_MOST = 512, METADATA_MOST = 16 << 20 };

struct ak_decoder {
    ak_decode_options o;
    ak_helper helper;
    char program[PATH_MAX];
    char facts[FACTS_MOST + 1];
};

akin_status ak_decoder_open(ak_decoder **out, akin_ctx *ctx,
                            const ak_decode_options *options)
{
    ak_decoder *d = NULL;
    akin_status st = AKIN_OK;
    *out = NULL;
    if (options->side < 1 || options->side > SIDE_MOST)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "pictures of %" PRId64 " pixels a side (expected 1 to "
                       "%d)",
                       options->side, SIDE_MOST));
    AK_TRY(AK_NEW(ctx, 1, &d));
    d->o = *options;
    d->helper = AK_HELPER_NONE;
    if (!ak_helper_find(d->program, "akin-decode"))
        AK_TRY(ak_fail(ctx, AKIN_EIO,
                       "the program akin-decode that reads pictures is not "
                       "installed (expected in %s)",
                       ak_helper_folder()));
    *out = d;
    d = NULL;
done:
    akin_free(d);
    return st;
}

void ak_decoder_close(ak_decoder *d)
{
    if (d == NULL)
        return;
    ak_helper_end(&d->helper, false);
    akin_free(d);
}

/* ---- decoding ---- */

static akin_status start(ak_decoder *d, akin_ctx *ctx)
{
    static const char *const args[] = {"akin-decode", NULL};
    if (d->helper.pid != 0)
        return AKIN_OK;
    errno = ak_helper_start(&d->helper, d->program, args, true);
    return errno == 0 ? AKIN_OK : ak_file_fail(ctx, AKIN_EIO, d->program);
}

/* It died, or is stuck: the next picture gets a new one. */
static akin_status give_up(ak_decoder *d, akin_ctx *ctx, const char *path)
{
    const bool late = ak_helper_is_late(&d->helper);
    ak_helper_end(&d->helper, false);
    if (late)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: decoding exceeded %g seconds",
                       path, d->o.seconds);
    return ak_fail(ctx, AKIN_EFORMAT, "%s: damaged, decoding failed", path);
}

/* Files alone: a pipe would never end, a device is no picture. */
static akin_status check_file(akin_ctx *ctx, const char *path)
{
    struct stat is;
    if (stat(path, &is) != 0 || access(path, R_OK) != 0)
        return ak_file_fail(ctx, AKIN_ENOENT, path);
    if (!S_ISREG(is.st_mode))
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not a regular file", path);
    if (is.st_size == 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: empty file", path);
    return AKIN_OK;
}

static akin_status take_message(ak_decoder *d, akin_ctx *ctx, const char *path)
{
    char text[AK_HELPER_MESSAGE + 1];
    if (!ak_helper_text(&d->helper, text))
        return give_up(d, ctx, path);
    return ak_fail(ctx, AKIN_EFORMAT, "%s: %s", path, text);
}

const char *ak_decoder_facts(const ak_decoder *d)
{
    return d->facts;
}

/* Lines of printable text, whatever was sent. */
static bool take_facts(ak_decoder *d)
{
    int32_t n;
    if (!ak_helper_get(&d->helper, &n, sizeof n) || n < 0 || n > FACTS_MOST ||
        !ak_helper_get(&d->helper, d->facts, (size_t)n))
        return false;
    for (int32_t i = 0; i < n; ++i)
        if (d->facts[i] != '\n' && (d->facts[i] < ' ' || d->facts[i] > '~'))
            d->facts[i] = '?';
    d->facts[n] = '\0';
    return true;
}

static akin_status take_pixels(ak_decoder *d, akin_ctx *ctx, const char *path,
                               ak_image *out)
{
    ak_image image = {0, 0, NULL};
    int32_t size[2];
    akin_status st = AKIN_OK;
    if (!ak_helper_get(&d->helper, size, sizeof size) || size[0] < 1 ||
        size[1] < 1 || size[0] > d->o.side || size[1] > d->o.side ||
        !take_facts(d))
        return give_up(d, ctx, path);
    image.width = size[0];
    image.height = size[1];
    st = AK_NEW(ctx, image.width * image.height * 3, &image.rgb);
    if (st != AKIN_OK) {
        ak_helper_end(&d->helper, false);  // what it sends is not wanted
        return st;
    }
    if (!ak_helper_get(&d->helper, image.rgb,
                       (size_t)(image.width * image.height * 3))) {
        ak_image_free(&image);
        return give_up(d, ctx, path);
    }
    *out = image;
    return AKIN_OK;
}

/* A request about a file, and the first byte of the answer. */
static akin_status ask_about(ak_decoder *d, akin_ctx *ctx, const char *path,
                             int32_t side, char *what)
{
    const size_t n = strlen(path);
    const int32_t head[2] = {side, (int32_t)n};
    AK_CHECK(check_file(ctx, path));
    AK_CHECK(start(d, ctx));
    ak_helper_begin(&d->helper, d->o.seconds);
    if (n >= PATH_MAX || !ak_helper_put(&d->helper, head, sizeof head) ||
        !ak_helper_put(&d->helper, path, n) ||
        !ak_helper_get(&d->helper, what, 1))
        return give_up(d, ctx, path);
    return AKIN_OK;
}

akin_status ak_decoder_read(ak_decoder *d, akin_ctx *ctx, const char *path,
                            ak_image *out)
{
    char what = '\0';
    d->facts[0] = '\0';
    AK_CHECK(ask_about(d, ctx, path, (int32_t)d->o.side, &what));
    if (what != 'p' && what != 'e')
        return give_up(d, ctx, path);
    return what == 'p' ? take_pixels(d, ctx, path, out)
                       : take_message(d, ctx, path);
}

/* ---- metadata ---- */

void ak_metadata_free(ak_metadata *m)
{
    akin_free(m->xmp);
    akin_free(m->iptc);
    *m = (ak_metadata){0};
}

static akin_status take_packet(ak_decoder *d, akin_ctx *ctx, const char *path,
                               int32_t n, uint8_t **out, int64_t *count)
{
    if (n == 0)
        return AKIN_OK;
    AK_CHECK(AK_NEW(ctx, n, out));
    *count = n;
    return ak_helper_get(&d->helper, *out, (size_t)n) ? AKIN_OK
                                                      : give_up(d, ctx, path);
}

akin_status ak_decoder_metadata(ak_decoder *d, akin_ctx *ctx, const char *path,
                                ak_metadata *out)
{
    ak_metadata m = {0};
    int32_t n[3];
    char what = '\0';
    akin_status st = AKIN_OK;
    AK_TRY(ask_about(d, ctx, path, -1, &what));
    if (what == 'e')
        AK_TRY(take_message(d, ctx, path));
    if (what != 'm' || !ak_helper_get(&d->helper, n, sizeof n) || n[0] < 0 ||
        n[1] < 0 || n[0] > METADATA_MOST || n[1] > METADATA_MOST || n[2] < 1 ||
        n[2] > 8)
        AK_TRY(give_up(d, ctx, path));
    AK_TRY(take_packet(d, ctx, path, n[0], &m.xmp, &m.n_xmp));
    AK_TRY(take_packet(d, ctx, path, n[1], &m.iptc, &m.n_iptc));
    m.orientation = n[2];
    *out = m;
    m = (ak_metadata){0};
done:
    if (st == AKIN_ENOMEM)
        ak_helper_end(&d->helper, false);  // what it sends is not wanted
    ak_metadata_free(&m);
    return st;
}

/* ---- encoding ---- */

akin_status ak_decoder_encode(ak_decoder *d, akin_ctx *ctx,
                              const ak_image *image, int64_t quality,
                              uint8_t **bytes, int64_t *n)
{
    const int32_t ask[4] = {0, (int32_t)quality, (int32_t)image->width,
                            (int32_t)image->height};
    const size_t size = 3 * (size_t)(image->width * image->height);
    const int32_t most = (int32_t)size + (1 << 20);
    char what = '\0';
    int32_t count;
    uint8_t *room = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(start(d, ctx));
    ak_helper_begin(&d->helper, d->o.seconds);
    if (!ak_helper_put(&d->helper, ask, sizeof ask) ||
        !ak_helper_put(&d->helper, image->rgb, size) ||
        !ak_helper_get(&d->helper, &what, 1) || (what != 'j' && what != 'e'))
        AK_TRY(give_up(d, ctx, "a picture"));
    if (what == 'e')
        AK_TRY(take_message(d, ctx, "a picture"));
    if (!ak_helper_get(&d->helper, &count, sizeof count) || count < 1 ||
        count > most)
        AK_TRY(give_up(d, ctx, "a picture"));
    AK_TRY(AK_NEW(ctx, count, &room));
    if (!ak_helper_get(&d->helper, room, (size_t)count))
        AK_TRY(give_up(d, ctx, "a picture"));
    *bytes = room;
    *n = count;
    room = NULL;
done:
    if (st == AKIN_ENOMEM)
        ak_helper_end(&d->helper, false);  // what it sends is not wanted
    akin_free(room);
    return st;
}
