/* vision/decode.h - pictures from files, decoded by the program akin-decode.
 *
 * A decoder is a process that decodes one picture after another. One that dies
 * or takes too long over a picture costs that picture: the next one gets a new
 * process. */
#ifndef AK_VISION_DECODE_H
#define AK_VISION_DECODE_H

#include "vision/image.h"

typedef struct ak_decoder ak_decoder;

typedef struct ak_decode_options {
    int64_t side;    // longest side, larger pictures are made smaller
    double seconds;  // for one picture
} ak_decode_options;

#define AK_DECODE_DEFAULTS \
    {                      \
        1024, 30.0         \
    }

/* EABSENT: this build has no pictures; EIO: the program is not there. */
akin_status ak_decoder_open(ak_decoder **out, akin_ctx *ctx,
                            const ak_decode_options *options);
/* EFORMAT: not a picture, damaged, too large, or too slow; the message begins
 * with the path. */
akin_status ak_decoder_read(ak_decoder *d, akin_ctx *ctx, const char *path,
                            ak_image *out);
/* What the file of the picture that was read last tells of it: lines `name
 * value`, of date (2020-05-17T12:30:00), camera, latitude and longitude
 * (degrees), width and height (as in the file). Borrowed until the next call.
 */
const char *ak_decoder_facts(const ak_decoder *d);
/* What is written in a file: packets of XMP and of IPTC, as they are; from
 * the context, free with ak_metadata_free. */
typedef struct ak_metadata {
    uint8_t *xmp, *iptc;  // NULL: none
    int64_t n_xmp, n_iptc;
    int orientation;  // of EXIF, 1 to 8: how the stored picture is turned
} ak_metadata;
akin_status ak_decoder_metadata(ak_decoder *d, akin_ctx *ctx, const char *path,
                                ak_metadata *out);
void ak_metadata_free(ak_metadata *m);
/* The same program writes pictures: bytes of a JPEG, from the context; quality
 * 1 to 100, or 0 for a PNG. */
akin_status ak_decoder_encode(ak_decoder *d, akin_ctx *ctx,
                              const ak_image *image, int64_t quality,
                              uint8_t **bytes, int64_t *n);
void ak_decoder_close(ak_decoder *d);

#endif
