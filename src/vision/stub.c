/* In place of decode.c and sift.c, in a build without libvips or libvlfeat. */
#include "vision/decode.h"
#include "vision/sift.h"

static akin_status absent(akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EABSENT,
                   "this akin was built without pictures (needs libvips and "
                   "libvlfeat)");
}

akin_status ak_decoder_open(ak_decoder **out, akin_ctx *ctx,
                            const ak_decode_options *options)
{
    (void)options;
    *out = NULL;
    return absent(ctx);
}

akin_status ak_decoder_read(ak_decoder *d, akin_ctx *ctx, const char *path,
                            ak_image *out)
{
    (void)d;
    (void)path;
    (void)out;
    return absent(ctx);
}

akin_status ak_decoder_encode(ak_decoder *d, akin_ctx *ctx,
                              const ak_image *image, int64_t quality,
                              uint8_t **bytes, int64_t *n)
{
    (void)d;
    (void)image;
    (void)quality;
    (void)bytes;
    (void)n;
    return absent(ctx);
}

void ak_decoder_close(ak_decoder *d)
{
    (void)d;
}

akin_status ak_sift_of(ak_sift *out, akin_ctx *ctx, const ak_image *image,
                       const ak_sift_options *options)
{
    (void)image;
    (void)options;
    *out = (ak_sift){0, NULL, NULL};
    return absent(ctx);
}

void ak_sift_free(ak_sift *s)
{
    (void)s;
}
