/* Two pictures and their matches, as one SVG that needs no other file. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "collection/collection_internal.h"
#include "plot/svg.h"
#include "vision/decode.h"

/* The pictures beside each other. */
typedef struct ak_picture_pair {
    ak_decoder *decoder;
    int64_t row[2], width[2], height[2];
    double x[2];  // where each begins
} ak_picture_pair;

/* How a match is drawn: strong where much is added, green where the motion
 * agrees. */
typedef struct stroke {
    uint8_t rgb[3];
    double width, opaque;
} stroke;

static akin_status draw_write(akin_ctx *ctx, const char *path,
                              const void *bytes, int64_t n)
{
    ak_writer *to = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_writer_open(&to, ctx, path));
    AK_TRY(ak_writer_put(to, ctx, bytes, (size_t)n));
    st = ak_writer_commit(to, ctx);
    to = NULL;
done:
    ak_writer_abort(to);
    return st;
}

enum { GAP = 16, HEAD = 30, QUALITY = 85 };

typedef struct svg_sheet {
    ak_svg svg;
    ak_picture_pair pair;
} svg_sheet;

static void put_base64(ak_svg *s, const uint8_t *bytes, int64_t n)
{
    static const char digits[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (int64_t i = 0; i < n; i += 3) {
        const int64_t left = n - i;
        const uint32_t v = (uint32_t)bytes[i] << 16 |
                           (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                           (left > 2 ? (uint32_t)bytes[i + 2] : 0);
        ak_svg_put(s, "%c%c%c%c", digits[v >> 18], digits[v >> 12 & 63],
                   left > 1 ? digits[v >> 6 & 63] : '=',
                   left > 2 ? digits[v & 63] : '=');
    }
}

/* The picture in its place, with its name above. */
static akin_status put_picture(svg_sheet *s, akin_ctx *ctx, akin_collection *c,
                               int64_t row, int k)
{
    ak_image image = {0, 0, NULL};
    uint8_t *bytes = NULL;
    int64_t n;
    akin_picture p;
    akin_status st = AKIN_OK;
    AK_TRY(akin_collection_picture(&p, ctx, c, row));
    AK_TRY(ak_decoder_read(s->pair.decoder, ctx, p.path, &image));
    AK_TRY(
        ak_decoder_encode(s->pair.decoder, ctx, &image, QUALITY, &bytes, &n));
    ak_svg_put(&s->svg,
               "<text x=\"%g\" y=\"20\" font-family=\"sans-serif\" "
               "font-size=\"13\" fill=\"#333\">",
               s->pair.x[k]);
    ak_svg_text(&s->svg, p.name, 60);
    ak_svg_put(&s->svg,
               "</text>\n<image x=\"%g\" y=\"%d\" width=\"%" PRId64
               "\" height=\"%" PRId64 "\" href=\"data:image/jpeg;base64,",
               s->pair.x[k], HEAD, s->pair.width[k], s->pair.height[k]);
    put_base64(&s->svg, bytes, n);
    ak_svg_put(&s->svg, "\"/>\n");
done:
    ak_image_free(&image);
    akin_free(bytes);
    return st;
}

static stroke stroke_of(const akin_match *m, double largest)
{
    const double share = largest > 0.0 ? fabs(m->contribution) / largest : 0.0;
    stroke s = {.width = m->agrees ? 1.6 : 1.0,
                .opaque = 0.25 + 0.75 * sqrt(share)};
    const uint8_t red[3] = {0xd6, 0x27, 0x28}, green[3] = {0x2e, 0xe6, 0x5a},
                  yellow[3] = {0xff, 0xb0, 0x00};
    memcpy(s.rgb, m->contribution < 0.0 ? red : m->agrees ? green : yellow, 3);
    return s;
}

static void put_match(svg_sheet *s, const akin_match *m, double largest)
{
    const stroke k = stroke_of(m, largest);
    ak_svg_put(&s->svg,
               "<g fill=\"none\" stroke=\"#%02x%02x%02x\" "
               "stroke-width=\"%.1f\" stroke-opacity=\"%.2f\">",
               k.rgb[0], k.rgb[1], k.rgb[2], k.width, k.opaque);
    ak_svg_put(&s->svg,
               "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/><circle "
               "cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
               s->pair.x[0] + m->left[0], HEAD + m->left[1], 3.0 * m->left[2],
               s->pair.x[1] + m->right[0], HEAD + m->right[1],
               3.0 * m->right[2]);
    if (m->agrees)
        ak_svg_put(&s->svg,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\"/>",
                   s->pair.x[0] + m->left[0], HEAD + m->left[1],
                   s->pair.x[1] + m->right[0], HEAD + m->right[1]);
    ak_svg_put(&s->svg, "</g>\n");
}

static akin_status open_pair(ak_picture_pair *s, akin_ctx *ctx,
                             akin_collection *c, const int64_t row[2])
{
    ak_decode_options o = AK_DECODE_DEFAULTS;
    akin_picture p;
    akin_status st = AKIN_OK;
    for (int k = 0; k < 2; ++k) {
        AK_TRY(akin_collection_picture(&p, ctx, c, row[k]));
        s->row[k] = row[k];
        s->width[k] = p.width;
        s->height[k] = p.height;
    }
    o.side = ak_max_i64(ak_max_i64(s->width[0], s->height[0]),
                        ak_max_i64(s->width[1], s->height[1]));
    s->x[1] = (double)(s->width[0] + GAP);
    AK_TRY(ak_decoder_open(&s->decoder, ctx, &o));
done:
    return st;
}

static void open_svg(svg_sheet *s)
{
    const int64_t w = s->pair.width[0] + GAP + s->pair.width[1];
    const int64_t h = HEAD + ak_max_i64(s->pair.height[0], s->pair.height[1]);
    ak_svg_put(&s->svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%" PRId64
               "\" height=\"%" PRId64 "\" viewBox=\"0 0 %" PRId64 " %" PRId64
               "\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
               w, h, w, h);
}

static akin_status draw_svg(akin_ctx *ctx, akin_collection *c,
                            const ak_picture_pair *pair,
                            const akin_match *matches, int64_t n,
                            const char *path)
{
    svg_sheet s = {.svg = {.ctx = ctx}, .pair = *pair};
    akin_status st = AKIN_OK;
    open_svg(&s);
    for (int k = 0; k < 2; ++k)
        AK_TRY(put_picture(&s, ctx, c, pair->row[k], k));
    for (int64_t k = n - 1; k >= 0; --k)
        put_match(&s, &matches[k], fabs(matches[0].contribution));
    ak_svg_put(&s.svg, "</svg>\n");
    AK_TRY(s.svg.st);
    AK_TRY(draw_write(ctx, path, s.svg.bytes, s.svg.n));
done:
    akin_free(s.svg.bytes);
    return st;
}

/* A stream has no ending, and gets an SVG. */
static akin_status format_of(akin_ctx *ctx, const char *path, bool *png)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    *png = dot && strcasecmp(dot, ".png") == 0;
    if (dot == NULL || *png || strcasecmp(dot, ".svg") == 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: the ending tells no kind of picture that is drawn "
                   "(expected .svg or .png)",
                   path);
}

/* ---- PNG --------------------------------------------------------------- */

enum { WHITE = 255 };

static void blend(ak_image *to, int64_t x, int64_t y, const stroke *k,
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
static double cover_of(const stroke *k, double distance)
{
    return 0.5 * k->width + 0.5 - fabs(distance);
}

static void draw_circle(ak_image *to, const stroke *k, double cx, double cy,
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
static void draw_line(ak_image *to, const stroke *k, const double a[2],
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
    const stroke k = stroke_of(m, largest);
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

static akin_status draw_png(akin_ctx *ctx, akin_collection *c,
                            const ak_picture_pair *pair,
                            const akin_match *matches, int64_t n,
                            const char *path)
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
    AK_TRY(draw_write(ctx, path, bytes, size));
done:
    akin_free(bytes);
    ak_image_free(&sheet);
    return st;
}

akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c, int64_t i,
                                 int64_t j, const akin_match *matches,
                                 int64_t n, const char *path)
{
    const int64_t row[2] = {i, j};
    ak_picture_pair pair = {0};
    bool png;
    akin_status st = AKIN_OK;
    AK_TRY(format_of(ctx, path, &png));
    AK_TRY(open_pair(&pair, ctx, c, row));
    AK_TRY((png ? draw_png : draw_svg)(ctx, c, &pair, matches, n, path));
done:
    ak_decoder_close(pair.decoder);
    return st;
}
