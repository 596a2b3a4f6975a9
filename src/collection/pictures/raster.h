/* collection/pictures/raster.h - lines, circles and letters on a picture. */
#ifndef AK_COLLECTION_RASTER_H
#define AK_COLLECTION_RASTER_H

#include "vision/image.h"

typedef struct ak_stroke {
    uint8_t rgb[3];
    double width, opaque;
} ak_stroke;

void ak_raster_circle(ak_image *to, const ak_stroke *k, double cx, double cy,
                      double r);
void ak_raster_line(ak_image *to, const ak_stroke *k, const double a[2],
                    const double b[2]);
/* In letters twice as large as they are kept, AK_RASTER_ADVANCE pixels from one
 * to the next; `y` is the top. A character beyond ASCII is a question mark, and
 * a text of more than `most` ends in dots. */
enum { AK_RASTER_ADVANCE = 12, AK_RASTER_HEIGHT = 16 };
void ak_raster_text(ak_image *to, const uint8_t rgb[3], int64_t x, int64_t y,
                    const char *text, int64_t most);
/* `from`, made `scale` times as large, with its upper left corner at x, y. */
void ak_raster_paste(ak_image *to, int64_t x, int64_t y, const ak_image *from,
                     double scale);

#endif
