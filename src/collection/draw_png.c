/* The drawing as pixels. */
#include <math.h>
#include <string.h>

#include "collection/draw.h"

enum { WHITE = 255 };

static void blend(ak_image *to, int64_t x, int64_t y, const ak_stroke *k,
                  double cover)
{
    if (cover <= 0.0 || x < 0 || y < 0 || x >= to->width || y >= to->height)
        return;
    const double a = k->opaque * fmin(1.0, cover);
    uint8_t *p = to->rgb + 3 * (y * to->width + x);
    for (int i = 0; i < 3; ++i)
        p[i] = (uint8_t)lrint(p[i] + a * (k->rgb[i] - p[i]));
}

/* How much of a pixel lies on a line of this width, at a distance from its
 * middle. */
static double cover_of(const ak_stroke *k, double distance)
{
    return 0.5 * k->width + 0.5 - fabs(distance);
}

static void draw_circle(ak_image *to, const ak_stroke *k, double cx, double cy,
                        double r)
{
    const double reach = r + k->width;
    const int64_t bottom = (int64_t)fmin(cy + reach, (double)to->height);
    const int64_t right = (int64_t)fmin(cx + reach, (double)to->width);
    for (int64_t y = (int64_t)fmax(cy - reach, 0.0); y <= bottom; ++y)
        for (int64_t x = (int64_t)fmax(cx - reach, 0.0); x <= right; ++x)
            blend(to, x, y, k,
                  cover_of(k, hypot((double)x - cx, (double)y - cy) - r));
}

/* From a to b along the longer side of what it spans; each step crosses it. */
static void draw_line(ak_image *to, const ak_stroke *k, const double a[2],
                      const double b[2])
{
    const double d[2] = {b[0] - a[0], b[1] - a[1]};
    const int along = fabs(d[0]) < fabs(d[1]), across = 1 - along;
    const double slope = d[along] == 0.0 ? 0.0 : d[across] / d[along];
    const double tilt = 1.0 / hypot(1.0, slope);
    const int64_t reach = (int64_t)(k->width / tilt) + 2;
    const int64_t end = (int64_t)fmax(a[along], b[along]);
    for (int64_t u = (int64_t)fmin(a[along], b[along]); u <= end; ++u) {
        const double v = a[across] + slope * ((double)u - a[along]);
        for (int64_t w = (int64_t)v - reach; w <= (int64_t)v + reach; ++w)
            blend(to, along ? w : u, along ? u : w, k,
                  cover_of(k, ((double)w - v) * tilt));
    }
}

static void draw_match(ak_image *to, const ak_picture_pair *pair,
                       const akin_match *m, double largest)
{
    const ak_stroke k = ak_stroke_of(m, largest);
    const double a[2] = {pair->x[0] + m->left[0], m->left[1]};
    const double b[2] = {pair->x[1] + m->right[0], m->right[1]};
    draw_circle(to, &k, a[0], a[1], 3.0 * m->left[2]);
    draw_circle(to, &k, b[0], b[1], 3.0 * m->right[2]);
    if (m->agrees)
        draw_line(to, &k, a, b);
}

/* A picture that has changed since may have another size: it is cut off. */
static akin_status paste(ak_image *to, akin_ctx *ctx, akin_collection *c,
                         const ak_picture_pair *pair, int side)
{
    const int64_t x = (int64_t)pair->x[side];
    ak_image image = {0, 0, NULL};
    akin_picture p;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_picture(&p, ctx, c, pair->row[side]));
    AK_TRY(ak_decoder_read(pair->decoder, ctx, p.path, &image));
    const int64_t w = ak_min_i64(image.width, pair->width[side]);
    const int64_t h = ak_min_i64(image.height, pair->height[side]);
    for (int64_t y = 0; y < h; ++y)
        memcpy(to->rgb + 3 * (y * to->width + x),
               image.rgb + 3 * y * image.width, (size_t)(3 * w));
done:
    ak_image_free(&image);
    return st;
}

akin_status ak_draw_png(akin_ctx *ctx, akin_collection *c,
                        const ak_picture_pair *pair, const akin_match *matches,
                        int64_t n, const char *path)
{
    ak_image sheet = {(int64_t)pair->x[1] + pair->width[1],
                      ak_max_i64(pair->height[0], pair->height[1]), NULL};
    uint8_t *bytes = NULL;
    int64_t size;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 3 * sheet.width * sheet.height, &sheet.rgb));
    memset(sheet.rgb, WHITE, (size_t)(3 * sheet.width * sheet.height));
    for (int side = 0; side < 2; ++side)
        AK_TRY(paste(&sheet, ctx, c, pair, side));
    for (int64_t k = n - 1; k >= 0; --k)
        draw_match(&sheet, pair, &matches[k], fabs(matches[0].contribution));
    AK_TRY(ak_decoder_encode(pair->decoder, ctx, &sheet, 0, &bytes, &size));
    AK_TRY(ak_draw_write(ctx, path, bytes, size));
done:
    akin_free(bytes);
    ak_image_free(&sheet);
    return st;
}
