/* In place of decode.c and sift.c, in a build without libvips or libvlfeat. */
#include "vision/decode.h"
#include "vision/sift.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static akin_status absent(akin_ctx *ctx)
{
    return ak_fail(ctx, AKIN_EABSENT,
                   "this akin was built without pictures (needs libvips and "
                   "libvlfeat)");
}

akin_status ak_decoder_open(ak_decoder **out, akin_ctx *ctx,
                            const ak_decode_options *options)
{
    *out = NULL;
    return absent(ctx);
}

akin_status ak_decoder_read(ak_decoder *d, akin_ctx *ctx, const char *path,
                            ak_image *out)
{
    return absent(ctx);
}

akin_status ak_decoder_metadata(ak_decoder *d, akin_ctx *ctx, const char *path,
                                ak_metadata *out)
{
    return absent(ctx);
}

void ak_metadata_free(ak_metadata *m)
{
}

akin_status ak_decoder_encode(ak_decoder *d, akin_ctx *ctx,
                              const ak_image *image, int64_t quality,
                              uint8_t **bytes, int64_t *n)
{
    return absent(ctx);
}

void ak_decoder_close(ak_decoder *d)
{
}

akin_status ak_sift_of(ak_sift *out, akin_ctx *ctx, const ak_image *image,
                       const ak_sift_options *options)
{
    *out = (ak_sift){0, NULL, NULL};
    return absent(ctx);
}

void ak_sift_free(ak_sift *s)
{
}
