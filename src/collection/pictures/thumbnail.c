/* Small copies of the pictures of a collection. */
#include "collection/collection.h"

akin_status akin_collection_thumbnail(uint8_t **jpeg, int64_t *n, akin_ctx *ctx,
                                      akin_collection *c, int64_t row,
                                      int64_t side)
{
    enum { QUALITY = 80 };
    ak_decode_options o = AK_DECODE_DEFAULTS;
    ak_image image = {0};
    akin_item item;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_item(&item, ctx, c, row));
    if (item.path == NULL || item.width <= 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "%s: %s is no picture",
                       c->catalog.folder, item.name));
    if (c->decoder == NULL || c->decoder_side != side) {
        ak_decoder_close(c->decoder);
        c->decoder = NULL;
        o.side = side;
        AK_TRY(ak_decoder_open(&c->decoder, ctx, &o));
        c->decoder_side = side;
    }
    AK_TRY(ak_decoder_read(c->decoder, ctx, item.path, &image));
    AK_TRY(ak_decoder_encode(c->decoder, ctx, &image, QUALITY, jpeg, n));
done:
    ak_image_free(&image);
    return st;
}
