/* Lines, circles and letters on a picture; edges are smooth. */
#include "collection/pictures/raster.h"

#include <math.h>
#include <string.h>

#include "collection/pictures/letters.h"

enum { ENLARGED = 2, DOTS = 3 };

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

void ak_raster_circle(ak_image *to, const ak_stroke *k, double cx, double cy,
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
void ak_raster_line(ak_image *to, const ak_stroke *k, const double a[2],
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

/* ---- text ---- */

static void put_letter(ak_image *to, const ak_stroke *ink, int64_t x, int64_t y,
                       int letter)
{
    const uint8_t *columns = ak_letters[letter - AK_LETTER_FIRST];
    for (int64_t u = 0; u < ENLARGED * AK_LETTER_WIDTH; ++u)
        for (int64_t v = 0; v < ENLARGED * AK_LETTER_HEIGHT; ++v)
            if (columns[u / ENLARGED] >> (v / ENLARGED) & 1)
                blend(to, x + u, y + v, ink, 1.0);
}

/* The bytes of the character that begins here; a broken one has 1. */
static int64_t bytes_of(const char *text)
{
    int64_t n = 1;
    while (((unsigned char)text[0] & 0xc0U) == 0xc0U &&
           ((unsigned char)text[n] & 0xc0U) == 0x80U)
        ++n;
    return n;
}

static int64_t length_of(const char *text)
{
    int64_t n = 0;
    for (; *text != '\0'; text += bytes_of(text))
        ++n;
    return n;
}

void ak_raster_text(ak_image *to, const uint8_t rgb[3], int64_t x, int64_t y,
                    const char *text, int64_t most)
{
    const ak_stroke ink = {{rgb[0], rgb[1], rgb[2]}, 1.0, 1.0};
    const int64_t n = length_of(text);
    const int64_t shown = n > most ? ak_max_i64(0, most - DOTS) : n;
    for (int64_t i = 0; i < shown; ++i, text += bytes_of(text)) {
        const bool known = *text >= AK_LETTER_FIRST && *text <= AK_LETTER_LAST;
        put_letter(to, &ink, x + i * AK_RASTER_ADVANCE, y, known ? *text : '?');
    }
    for (int64_t i = shown; n > most && i < ak_min_i64(most, shown + DOTS); ++i)
        put_letter(to, &ink, x + i * AK_RASTER_ADVANCE, y, '.');
}

/* ---- pictures ---- */

/* Between the four pixels around a place. */
static uint8_t sample(const ak_image *from, double x, double y, int channel)
{
    x = fmin(fmax(x, 0.0), (double)(from->width - 1));
    y = fmin(fmax(y, 0.0), (double)(from->height - 1));
    const int64_t u = (int64_t)x, v = (int64_t)y;
    const int64_t right = ak_min_i64(u + 1, from->width - 1);
    const int64_t below = ak_min_i64(v + 1, from->height - 1);
    const double s = x - (double)u, t = y - (double)v;
    const uint8_t *p = from->rgb + channel;
    const int64_t w = from->width;
    const double top = (1.0 - s) * p[3 * (v * w + u)] +
                       s * p[3 * (v * w + right)];
    const double bottom = (1.0 - s) * p[3 * (below * w + u)] +
                          s * p[3 * (below * w + right)];
    return (uint8_t)lrint((1.0 - t) * top + t * bottom);
}

void ak_raster_paste(ak_image *to, int64_t x, int64_t y, const ak_image *from,
                     double scale)
{
    const int64_t w =
        ak_min_i64((int64_t)lrint(scale * (double)from->width), to->width - x);
    const int64_t h = ak_min_i64((int64_t)lrint(scale * (double)from->height),
                                 to->height - y);
    for (int64_t v = 0; v < h; ++v)
        for (int64_t u = 0; u < w; ++u)
            for (int k = 0; k < 3; ++k)
                to->rgb[3 * ((y + v) * to->width + x + u) + k] =
                    sample(from, ((double)u + 0.5) / scale - 0.5,
                           ((double)v + 0.5) / scale - 0.5, k);
}
