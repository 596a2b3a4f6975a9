/* collection/faces/metadata/sidecar.h - an XMP file that is there already: what
 * it says of faces, and where to write that anew without touching the rest. */
#ifndef AK_COLLECTION_FACES_METADATA_SIDECAR_H
#define AK_COLLECTION_FACES_METADATA_SIDECAR_H

#include <limits.h>

#include "collection/faces/metadata/xmp.h"

typedef struct ak_sidecar_cut {
    size_t from, to;
} ak_sidecar_cut;

/* All zero to begin with. */
typedef struct ak_sidecar {
    char *bytes;
    size_t n;
    ak_xmp says;
    ak_sidecar_cut *cuts;  // bytes that regions, persons and the caption take,
    int64_t n_cuts, room;  // increasing
    size_t end;            // of the properties: where others can be added
    char *about;           // of the properties; NULL: ""
} ak_sidecar;

/* The file beside a photo: named after all of its name, or without its
 * extension; false: there is none. */
bool ak_sidecar_find(const char *photo, char path[PATH_MAX]);

/* `caption`: that is cut too. EFORMAT: it is no XMP that can be added to. */
akin_status ak_sidecar_read(ak_sidecar *out, akin_ctx *ctx, const char *path,
                            bool caption);
/* The same of bytes, which are copied, for tests; `name` begins messages. */
akin_status ak_sidecar_parse(ak_sidecar *out, akin_ctx *ctx, const char *name,
                             const char *bytes, size_t n, bool caption);
void ak_sidecar_free(ak_sidecar *s);

#endif
