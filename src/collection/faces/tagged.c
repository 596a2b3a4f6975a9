#include "collection/faces/tagged.h"

#include <string.h>

#include "collection/faces/metadata/iptc.h"
#include "collection/faces/metadata/sidecar.h"

void ak_tags_free(ak_tags *t)
{
    ak_caption_free(&t->caption);
    ak_boxes_free(&t->boxes);
    akin_free(t->remark);
    *t = (ak_tags){0};
}

/* ---- where it is written ---- */

static akin_status parse_file(ak_xmp *x, akin_ctx *ctx, const char *path)
{
    ak_source *s = NULL;
    char *text = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_BINARY));
    bool claimed;
    const int64_t left = ak_source_left(s, &claimed);
    if (left > AK_XMP_MOST)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: too large for XMP", path));
    AK_TRY(AK_NEW(ctx, left < 0 ? AK_XMP_MOST : left, &text));
    AK_TRY(ak_source_read(s, ctx, text, left < 0 ? AK_XMP_MOST : (size_t)left,
                          &n));
    AK_TRY(ak_xmp_parse(x, ctx, path, text, n));
done:
    ak_source_close(s);
    akin_free(text);
    return st;
}

/* IPTC is older than UTF-8: Latin-1 is usual. */
static akin_status take_iptc(ak_tags *t, akin_ctx *ctx, const ak_metadata *m)
{
    size_t n;
    const char *text = ak_iptc_caption(m->iptc, (size_t)m->n_iptc, &n);
    return text == NULL || n == 0 || n > AK_CAPTION_MOST
               ? AKIN_OK
               : ak_caption_of_text(&t->caption, ctx, text, n);
}

static akin_status parse_photo(ak_tags *t, ak_xmp *x, akin_ctx *ctx,
                               ak_decoder *decoder, const char *path)
{
    ak_metadata m = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_decoder_metadata(decoder, ctx, path, &m));
    if (m.n_iptc > 0)
        AK_TRY(take_iptc(t, ctx, &m));
    if (m.n_xmp > 0)
        AK_TRY(
            ak_xmp_parse(x, ctx, path, (const char *)m.xmp, (size_t)m.n_xmp));
done:
    ak_metadata_free(&m);
    return st;
}

/* ---- what it says ---- */

/* Regions are of the stored picture. */
static akin_status turn_regions(ak_xmp *x, akin_ctx *ctx, ak_decoder *decoder,
                                const char *path, int64_t width, int64_t height)
{
    ak_metadata m = {0};
    if (x->n_regions == 0)
        return AKIN_OK;
    AK_CHECK(ak_decoder_metadata(decoder, ctx, path, &m));
    ak_xmp_turn_all(x, m.orientation, width, height);
    ak_metadata_free(&m);
    return AKIN_OK;
}

static akin_status take_regions(ak_tags *t, akin_ctx *ctx, const ak_xmp *x,
                                double width, double height)
{
    t->n_unusable = x->n_unusable;
    t->has_regions = x->has_regions && (x->n_regions > 0 || x->n_unusable == 0);
    for (int64_t i = 0; i < x->n_regions; ++i) {
        const ak_xmp_region *g = &x->regions[i];
        const double box[4] = {(g->x - g->w / 2.0) * width,
                               (g->y - g->h / 2.0) * height, g->w * width,
                               g->h * height};
        AK_CHECK(ak_boxes_add(&t->boxes, ctx, box, g->name,
                              g->name ? strlen(g->name) : 0));
    }
    return AKIN_OK;
}

static akin_status take_xmp(ak_tags *t, akin_ctx *ctx, const ak_xmp *x,
                            int64_t width, int64_t height)
{
    ak_caption c = {NULL, NULL};
    akin_status st = AKIN_OK;
    if (x->caption != NULL) {
        AK_TRY(ak_caption_of_text(&c, ctx, x->caption, strlen(x->caption)));
        akin_free(t->caption.text);
        t->caption.text = c.text;
        c.text = NULL;
    }
    if (x->persons != NULL)
        AK_TRY(ak_caption_of_names(&t->caption, ctx, x->persons,
                                   (size_t)x->n_persons, '\n'));
    AK_TRY(take_regions(t, ctx, x, (double)width, (double)height));
done:
    ak_caption_free(&c);
    return st;
}

akin_status ak_tags_read(ak_tags *out, akin_ctx *ctx, ak_decoder *decoder,
                         const char *path, int64_t width, int64_t height)
{
    char sidecar[PATH_MAX];
    ak_xmp x = {0};
    ak_tags t = {0};
    akin_status st = ak_sidecar_find(path, sidecar)
                         ? parse_file(&x, ctx, sidecar)
                         : parse_photo(&t, &x, ctx, decoder, path);
    if (st == AKIN_OK)
        st = turn_regions(&x, ctx, decoder, path, width, height);
    if (st == AKIN_OK)
        st = take_xmp(&t, ctx, &x, width, height);
    if (st == AKIN_EFORMAT || st == AKIN_ENOENT || st == AKIN_ESHAPE)
        st = ak_strdup(ctx, akin_ctx_message(ctx), &t.remark);
    ak_xmp_free(&x);
    if (st == AKIN_OK)
        *out = t;
    else
        ak_tags_free(&t);
    return st;
}
