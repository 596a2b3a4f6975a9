/* collection/faces/metadata/xmp.h - what XMP says of the persons in a picture:
 * regions of faces (Metadata Working Group, or Microsoft's), persons (IPTC
 * extension), the caption. */
#ifndef AK_COLLECTION_FACES_METADATA_XMP_H
#define AK_COLLECTION_FACES_METADATA_XMP_H

#include "base/ctx.h"

/* The centre and the size of a face, as shares of the picture; of the stored
 * one, before EXIF turns it. */
typedef struct ak_xmp_region {
    double x, y, w, h;
    char *name;  // NULL: not known
} ak_xmp_region;

/* The same of the picture as it is seen, by the orientation of EXIF (1 to 8);
 * `back`: from there to the stored one. */
void ak_xmp_turn(ak_xmp_region *g, int orientation, bool back);

typedef struct ak_xmp {
    bool has_regions;   // a list of regions, perhaps an empty one
    bool has_others;    // regions that are not faces, or not understood
    double applied[2];  // width and height of the picture that they are of;
                        // 0: not said
    ak_xmp_region *regions;
    int64_t n_regions, regions_room;
    int64_t n_unusable;  // other regions of faces, without a valid place
    char *persons;       // a line each; NULL: not said
    int64_t n_persons, persons_room;
    char *caption;  // NULL: none
} ak_xmp;

/* Regions as they are seen in a picture of this size, with this orientation of
 * EXIF. They are of the stored picture, unless its sides are exchanged and they
 * are said to be of one that has the sides of the seen one. */
void ak_xmp_turn_all(ak_xmp *x, int orientation, int64_t width, int64_t height);

/* Parse an XMP packet or sidecar. All zero to begin with. EFORMAT: no XML, a
 * document type (entities are not read), or larger than anybody needs; the
 * message begins with `name`. */
akin_status ak_xmp_parse(ak_xmp *out, akin_ctx *ctx, const char *name,
                         const char *bytes, size_t n);
void ak_xmp_free(ak_xmp *x);

enum { AK_XMP_MOST = 16 << 20 };  // bytes

#endif
