/* Two pictures beside each other with their matches drawn: names above, the
 * score and what the colours mean below. As SVG, or as PNG. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "collection/collection.h"
#include "collection/pictures/raster.h"
#include "plot/svg.h"
#include "vision/decode.h"

enum {
    MARGIN = 12,
    GAP = 16,
    HEAD = 36,
    LINE = 24,          // from a line of text to the next
    LEAST_WIDTH = 800,  // of both pictures and what is between them
    LETTER = 9,         // width of a letter of the SVG, nearly
    SWATCH = 40,        // of the legend, and its text
    QUALITY = 85,       // of the pictures in the SVG
    WHITE = 255,
    LEGEND_MOST = 6,
    LEGEND_SIZE = 96,
};

static const double FEATURE = 3.0;  // radius of a circle, in sizes
static const double LINES_FEW = 20.0, LINE_LEAST = 0.2;

static const uint8_t dark[3] = {0x22, 0x22, 0x22}, red[3] = {0xd6, 0x27, 0x28},
                     green[3] = {0x18, 0xc8, 0x46},
                     yellow[3] = {0xff, 0xa0, 0x00};

/* A line of text below the pictures, after a mark of a colour unless NULL. */
typedef struct legend_line {
    const uint8_t *rgb;
    bool joined;  // a line between two circles, as matches that agree have
    char text[LEGEND_SIZE];
} legend_line;

typedef struct sheet {
    ak_decoder *decoder;
    int64_t row[2];
    double scale;  // of the pictures
    double x[2], width[2], height[2];
    double total_width, total_height, foot;  // where the legend begins
    double line;  // how opaque lines are; many hide the pictures
    legend_line legend[LEGEND_MOST];
    int n_lines;
} sheet;

/* ---- what is drawn where ---- */

static void add_line(sheet *s, const uint8_t *rgb, bool joined,
                     const char *text)
{
    legend_line *l = &s->legend[s->n_lines++];
    l->rgb = rgb;
    l->joined = joined;
    snprintf(l->text, sizeof l->text, "%s", text);
}

static void add_count(sheet *s, const uint8_t *rgb, bool joined, int64_t n,
                      const char *what)
{
    char text[LEGEND_SIZE];
    if (n == 0)
        return;
    snprintf(text, sizeof text, "%" PRId64 " feature%s %s", n,
             n == 1 ? "" : "s", what);
    add_line(s, rgb, joined, text);
}

static const uint8_t *colour_of(const akin_match *m)
{
    return m->contribution < 0.0 ? red : m->agrees ? green : yellow;
}

static void make_legend(sheet *s, const akin_match *matches, int64_t n,
                        double score)
{
    int64_t agree = 0, lower = 0;
    char text[LEGEND_SIZE];
    for (int64_t k = 0; k < n; ++k) {
        lower += colour_of(&matches[k]) == red;
        agree += colour_of(&matches[k]) == green;
    }
    s->line =
        fmin(1.0, fmax(LINE_LEAST, sqrt(LINES_FEW / (double)(agree + 1))));
    snprintf(text, sizeof text, "score %.6g", score);
    add_line(s, NULL, false, text);
    add_count(s, green, true, agree, "in common that move together");
    add_count(s, yellow, false, n - agree - lower,
              agree > 0 ? "in common beside them" : "in common");
    add_count(s, red, false, lower, "in common that lower the score");
    add_line(s, NULL, false,
             n > 0 ? "A circle is a feature: the stronger, the more it adds."
                   : "The pictures have no feature in common.");
}

static akin_status open_sheet(sheet *s, akin_ctx *ctx, akin_collection *c,
                              const int64_t row[2])
{
    ak_decode_options o = AK_DECODE_DEFAULTS;
    int64_t side = 1;
    akin_item p;
    for (int k = 0; k < 2; ++k) {
        AK_CHECK(akin_collection_item(&p, ctx, c, row[k]));
        s->row[k] = row[k];
        s->width[k] = (double)p.width;
        s->height[k] = (double)p.height;
        side = ak_max_i64(side, ak_max_i64(p.width, p.height));
    }
    o.side = side;
    s->scale = fmax(1.0, (LEAST_WIDTH - GAP) / (s->width[0] + s->width[1]));
    for (int k = 0; k < 2; ++k) {
        s->width[k] = rint(s->scale * s->width[k]);
        s->height[k] = rint(s->scale * s->height[k]);
    }
    s->x[0] = MARGIN;
    s->x[1] = MARGIN + s->width[0] + GAP;
    s->total_width = s->x[1] + s->width[1] + MARGIN;
    s->foot = HEAD + fmax(s->height[0], s->height[1]) + MARGIN;
    return ak_decoder_open(&s->decoder, ctx, &o);
}

/* How a match is drawn: strong where much is added. */
static ak_stroke stroke_of(const akin_match *m, double largest)
{
    const double share = largest > 0.0 ? fabs(m->contribution) / largest : 0.0;
    ak_stroke s = {.width = m->agrees ? 2.0 : 1.4,
                   .opaque = 0.35 + 0.65 * sqrt(share)};
    memcpy(s.rgb, colour_of(m), 3);
    return s;
}

/* x, y and radius of the circle of a feature. */
static void place(const sheet *s, const double feature[3], int side,
                  double out[3])
{
    out[0] = s->x[side] + s->scale * feature[0];
    out[1] = HEAD + s->scale * feature[1];
    out[2] = s->scale * FEATURE * feature[2];
}

static double line_at(const sheet *s, int k)
{
    return s->foot + (double)(k * LINE);
}

static akin_status read_picture(akin_item *p, ak_image *image, akin_ctx *ctx,
                                akin_collection *c, const sheet *s, int side)
{
    AK_CHECK(akin_collection_item(p, ctx, c, s->row[side]));
    return ak_decoder_read(s->decoder, ctx, p->path, image);
}

/* ---- SVG ---- */

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

static void put_text(ak_svg *svg, double x, double y, const char *text,
                     double width)
{
    ak_svg_put(svg, "<text x=\"%g\" y=\"%g\">", x, y);
    ak_svg_text(svg, text, (int64_t)fmax(1.0, width / LETTER));
    ak_svg_put(svg, "</text>\n");
}

/* The picture in its place, with its name above. */
static akin_status put_picture(ak_svg *svg, akin_ctx *ctx, akin_collection *c,
                               const sheet *s, int side)
{
    ak_image image = {0, 0, NULL};
    uint8_t *bytes = NULL;
    int64_t n;
    akin_item p;
    akin_status st = AKIN_OK;
    AK_TRY(read_picture(&p, &image, ctx, c, s, side));
    AK_TRY(ak_decoder_encode(s->decoder, ctx, &image, QUALITY, &bytes, &n));
    put_text(svg, s->x[side], HEAD - MARGIN, p.name, s->width[side]);
    ak_svg_put(svg,
               "<image x=\"%g\" y=\"%d\" width=\"%g\" height=\"%g\" "
               "href=\"data:image/jpeg;base64,",
               s->x[side], HEAD, s->width[side], s->height[side]);
    put_base64(svg, bytes, n);
    ak_svg_put(svg, "\"/>\n");
done:
    ak_image_free(&image);
    akin_free(bytes);
    return st;
}

/* Two circles and, unless it is 0, a line that is so opaque. */
static void put_marks(ak_svg *svg, const ak_stroke *k, const double a[3],
                      const double b[3], double line)
{
    ak_svg_put(svg,
               "<g fill=\"none\" stroke=\"#%02x%02x%02x\" "
               "stroke-width=\"%.1f\" stroke-opacity=\"%.2f\">"
               "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/><circle "
               "cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>",
               k->rgb[0], k->rgb[1], k->rgb[2], k->width, k->opaque, a[0], a[1],
               a[2], b[0], b[1], b[2]);
    if (line > 0.0)
        ak_svg_put(svg,
                   "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" "
                   "opacity=\"%.2f\"/>",
                   a[0], a[1], b[0], b[1], line);
    ak_svg_put(svg, "</g>\n");
}

/* The circles at both ends of a mark of the legend. */
static void place_mark(const sheet *s, int k, double a[3], double b[3])
{
    const double y = line_at(s, k) + 0.5 * AK_RASTER_HEIGHT;
    const double ends[2] = {MARGIN + 6.0, MARGIN + SWATCH - 14.0};
    for (int i = 0; i < 3; ++i) {
        a[i] = i == 0 ? ends[0] : i == 1 ? y : 5.0;
        b[i] = i == 0 ? ends[1] : i == 1 ? y : 5.0;
    }
}

static ak_stroke mark_stroke(const legend_line *l)
{
    ak_stroke k = {.width = 2.0, .opaque = 1.0};
    memcpy(k.rgb, l->rgb, 3);
    return k;
}

static void put_legend(ak_svg *svg, const sheet *s)
{
    double a[3], b[3];
    for (int k = 0; k < s->n_lines; ++k) {
        const legend_line *l = &s->legend[k];
        if (l->rgb != NULL) {
            const ak_stroke stroke = mark_stroke(l);
            place_mark(s, k, a, b);
            put_marks(svg, &stroke, a, b, l->joined ? 1.0 : 0.0);
        }
        put_text(svg, MARGIN + (l->rgb ? SWATCH : 0), line_at(s, k) + 14.0,
                 l->text, LEAST_WIDTH);
    }
}

static akin_status draw_svg(akin_ctx *ctx, akin_collection *c, const sheet *s,
                            const akin_match *matches, int64_t n,
                            const char *path)
{
    ak_svg svg = {.ctx = ctx};
    double a[3], b[3];
    akin_status st = AKIN_OK;
    ak_svg_put(&svg,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" "
               "height=\"%g\" viewBox=\"0 0 %g %g\" font-family=\"sans-serif\" "
               "font-size=\"16\" fill=\"#222\">\n"
               "<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>\n",
               s->total_width, s->total_height, s->total_width,
               s->total_height);
    for (int side = 0; side < 2; ++side)
        AK_TRY(put_picture(&svg, ctx, c, s, side));
    for (int64_t k = n - 1; k >= 0; --k) {
        const ak_stroke stroke =
            stroke_of(&matches[k], fabs(matches[0].contribution));
        place(s, matches[k].left, 0, a);
        place(s, matches[k].right, 1, b);
        put_marks(&svg, &stroke, a, b, matches[k].agrees ? s->line : 0.0);
    }
    put_legend(&svg, s);
    ak_svg_put(&svg, "</svg>\n");
    AK_TRY(svg.st);
    AK_TRY(ak_file_write(ctx, path, svg.bytes, (size_t)svg.n));
done:
    akin_free(svg.bytes);
    return st;
}

/* ---- PNG ---- */

/* A picture that has changed since may have another size: it is made to fit. */
static akin_status paste(ak_image *to, akin_ctx *ctx, akin_collection *c,
                         const sheet *s, int side)
{
    ak_image image = {0, 0, NULL};
    akin_item p;
    akin_status st = AKIN_OK;
    AK_TRY(read_picture(&p, &image, ctx, c, s, side));
    ak_raster_text(to, dark, (int64_t)s->x[side], MARGIN, p.name,
                   (int64_t)s->width[side] / AK_RASTER_ADVANCE);
    ak_raster_paste(to, (int64_t)s->x[side], HEAD, &image,
                    fmin(s->width[side] / (double)image.width,
                         s->height[side] / (double)image.height));
done:
    ak_image_free(&image);
    return st;
}

static void draw_marks(ak_image *to, const ak_stroke *k, const double a[3],
                       const double b[3], double line)
{
    ak_stroke thin = *k;
    thin.opaque *= line;
    ak_raster_circle(to, k, a[0], a[1], a[2]);
    ak_raster_circle(to, k, b[0], b[1], b[2]);
    if (line > 0.0)
        ak_raster_line(to, &thin, a, b);
}

static void draw_legend(ak_image *to, const sheet *s)
{
    double a[3], b[3];
    for (int k = 0; k < s->n_lines; ++k) {
        const legend_line *l = &s->legend[k];
        if (l->rgb != NULL) {
            const ak_stroke stroke = mark_stroke(l);
            place_mark(s, k, a, b);
            draw_marks(to, &stroke, a, b, l->joined ? 1.0 : 0.0);
        }
        ak_raster_text(to, dark, MARGIN + (l->rgb ? SWATCH : 0),
                       (int64_t)line_at(s, k), l->text, LEGEND_SIZE);
    }
}

static akin_status draw_png(akin_ctx *ctx, akin_collection *c, const sheet *s,
                            const akin_match *matches, int64_t n,
                            const char *path)
{
    ak_image to = {(int64_t)s->total_width, (int64_t)s->total_height, NULL};
    uint8_t *bytes = NULL;
    int64_t size;
    double a[3], b[3];
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 3 * to.width * to.height, &to.rgb));
    memset(to.rgb, WHITE, (size_t)(3 * to.width * to.height));
    for (int side = 0; side < 2; ++side)
        AK_TRY(paste(&to, ctx, c, s, side));
    for (int64_t k = n - 1; k >= 0; --k) {
        const ak_stroke stroke =
            stroke_of(&matches[k], fabs(matches[0].contribution));
        place(s, matches[k].left, 0, a);
        place(s, matches[k].right, 1, b);
        draw_marks(&to, &stroke, a, b, matches[k].agrees ? s->line : 0.0);
    }
    draw_legend(&to, s);
    AK_TRY(ak_decoder_encode(s->decoder, ctx, &to, 0, &bytes, &size));
    AK_TRY(ak_file_write(ctx, path, bytes, (size_t)size));
done:
    akin_free(bytes);
    ak_image_free(&to);
    return st;
}

/* A stream has no extension, and gets an SVG. */
static akin_status format_of(akin_ctx *ctx, const char *path, bool *png)
{
    const char *slash = strrchr(path, '/');
    const char *dot = strrchr(slash ? slash : path, '.');
    *png = dot && strcasecmp(dot, ".png") == 0;
    if (dot == NULL || *png || strcasecmp(dot, ".svg") == 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: unknown file extension (expected .svg or .png)", path);
}

akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c, int64_t i,
                                 int64_t j, const akin_match *matches,
                                 int64_t n, double score, const char *path)
{
    const int64_t row[2] = {i, j};
    sheet s = {0};
    bool png;
    akin_status st = AKIN_OK;
    AK_TRY(format_of(ctx, path, &png));
    AK_TRY(open_sheet(&s, ctx, c, row));
    make_legend(&s, matches, n, score);
    s.total_height = line_at(&s, s.n_lines) + MARGIN;
    AK_TRY((png ? draw_png : draw_svg)(ctx, c, &s, matches, n, path));
done:
    ak_decoder_close(s.decoder);
    return st;
}
