/* collection/faces/boxes.h - faces whose places somebody has given. */
#ifndef AK_COLLECTION_FACES_BOXES_H
#define AK_COLLECTION_FACES_BOXES_H

#include <math.h>

#include "collection/faces/named_photos.h"
#include "data/io/source.h"

/* Places are kept to 1/1024 of a pixel, so that shares of a picture, as XMP has
 * them, lead back to the same place. */
static inline double ak_pixels(double x)
{
    return round(1024.0 * x) / 1024.0;
}

/* Of two boxes: intersection over union. From AK_SAME_PLACE on they are of the
 * same face. */
#define AK_SAME_PLACE 0.5
double ak_box_overlap(const double a[4], const double b[4]);

/* The faces of one photo. All zero to begin with. */
typedef struct ak_boxes {
    int64_t n, room, names_room, lines_room;
    double *boxes;   // n x 4: x y width height, pixels of the photo as seen
    char **names;    // of the persons; NULL: not known
    int64_t *lines;  // of the file that has them; NULL: none
} ak_boxes;

/* `name` NULL or "": nobody is known. */
akin_status ak_boxes_add(ak_boxes *b, akin_ctx *ctx, const double box[4],
                         const char *name, size_t n);
void ak_boxes_free(ak_boxes *b);

/* Has the photo of this size a pixel of the box? */
bool ak_box_is_inside(const double box[4], int64_t width, int64_t height);
/* Those of which it has, without lines. */
akin_status ak_boxes_inside(ak_boxes *out, akin_ctx *ctx, const ak_boxes *b,
                            int64_t width, int64_t height);

/* Those of many photos. */
typedef struct ak_box_file {
    ak_named_photos photos;
    ak_boxes *boxes;  // of each photo
    int64_t n, room;
} ak_box_file;

/* CSV with a header photo,x,y,width,height and perhaps name. */
akin_status ak_box_file_read(ak_box_file *f, akin_ctx *ctx, ak_source *source);
/* By ak_named_photos_find; NULL: there is none. */
const ak_boxes *ak_box_file_find(const ak_box_file *f, const char *photo);
void ak_box_file_free(ak_box_file *f);

#endif
