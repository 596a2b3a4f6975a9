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
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "base/helper.h"

enum { MESSAGE = 300, SIDE_MOST = 16384, FACTS_MOST = 512 };

struct ak_decoder {
    ak_decode_options o;
    ak_helper helper;
    char program[PATH_MAX];
    struct timespec deadline;  // of the current picture
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
    d->helper = (ak_helper){0, -1, -1};
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

/* ---- reading and writing within the time limit ---- */

static void set_deadline(ak_decoder *d)
{
    const double whole = (double)(int64_t)d->o.seconds;
    clock_gettime(CLOCK_MONOTONIC, &d->deadline);
    d->deadline.tv_sec += (time_t)whole;
    d->deadline.tv_nsec += (long)(1e9 * (d->o.seconds - whole));
}

static int milliseconds_left(const ak_decoder *d)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const double left = (double)(d->deadline.tv_sec - now.tv_sec) +
                        1e-9 * (double)(d->deadline.tv_nsec - now.tv_nsec);
    return left <= 0.0 ? 0 : (int)(1000.0 * left) + 1;
}

/* Until it can be read from; false: not in time. */
static bool wait_for(const ak_decoder *d)
{
    struct pollfd p = {.fd = d->helper.from, .events = POLLIN};
    for (;;) {
        const int left = milliseconds_left(d);
        if (left == 0)
            return false;
        const int ready = poll(&p, 1, left);
        if (ready > 0)
            return true;
        if (ready < 0 && errno != EINTR)
            return false;
    }
}

static bool get(const ak_decoder *d, void *bytes, size_t n)
{
    for (size_t have = 0; have < n;) {
        if (!wait_for(d))
            return false;
        const ssize_t got =
            read(d->helper.from, (char *)bytes + have, n - have);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        have += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* A request is short and the other end waits for it: it does not block. */
static bool put(const ak_decoder *d, const void *bytes, size_t n)
{
    for (size_t have = 0; have < n;) {
        const ssize_t did = send(d->helper.to, (const char *)bytes + have,
                                 n - have, MSG_NOSIGNAL);
        if (did < 0 && errno != EINTR)
            return false;
        have += did > 0 ? (size_t)did : 0;
    }
    return true;
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
    const bool late = milliseconds_left(d) == 0;
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
    char text[MESSAGE + 1];
    int32_t n;
    if (!get(d, &n, sizeof n) || n < 0 || n > MESSAGE ||
        !get(d, text, (size_t)n))
        return give_up(d, ctx, path);
    for (int32_t i = 0; i < n; ++i)
        if ((unsigned char)text[i] < ' ' || text[i] == 0x7f)
            text[i] = '?';
    text[n] = '\0';
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
    if (!get(d, &n, sizeof n) || n < 0 || n > FACTS_MOST ||
        !get(d, d->facts, (size_t)n))
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
    if (!get(d, size, sizeof size) || size[0] < 1 || size[1] < 1 ||
        size[0] > d->o.side || size[1] > d->o.side || !take_facts(d))
        return give_up(d, ctx, path);
    image.width = size[0];
    image.height = size[1];
    st = AK_NEW(ctx, image.width * image.height * 3, &image.rgb);
    if (st != AKIN_OK) {
        ak_helper_end(&d->helper, false);  // what it sends is not wanted
        return st;
    }
    if (!get(d, image.rgb, (size_t)(image.width * image.height * 3))) {
        ak_image_free(&image);
        return give_up(d, ctx, path);
    }
    *out = image;
    return AKIN_OK;
}

akin_status ak_decoder_read(ak_decoder *d, akin_ctx *ctx, const char *path,
                            ak_image *out)
{
    const size_t n = strlen(path);
    const int32_t ask[2] = {(int32_t)d->o.side, (int32_t)n};
    char what = '\0';
    d->facts[0] = '\0';
    AK_CHECK(check_file(ctx, path));
    AK_CHECK(start(d, ctx));
    set_deadline(d);
    if (n >= PATH_MAX || !put(d, ask, sizeof ask) || !put(d, path, n) ||
        !get(d, &what, 1) || (what != 'p' && what != 'e'))
        return give_up(d, ctx, path);
    return what == 'p' ? take_pixels(d, ctx, path, out)
                       : take_message(d, ctx, path);
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
    set_deadline(d);
    if (!put(d, ask, sizeof ask) || !put(d, image->rgb, size) ||
        !get(d, &what, 1) || (what != 'j' && what != 'e'))
        AK_TRY(give_up(d, ctx, "a picture"));
    if (what == 'e')
        AK_TRY(take_message(d, ctx, "a picture"));
    if (!get(d, &count, sizeof count) || count < 1 || count > most)
        AK_TRY(give_up(d, ctx, "a picture"));
    AK_TRY(AK_NEW(ctx, count, &room));
    if (!get(d, room, (size_t)count))
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
