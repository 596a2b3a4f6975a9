/* cli/collection/face_names.h - names of akin name, for the faces of a
 * collection. */
#ifndef CLI_COLLECTION_FACE_NAMES_H
#define CLI_COLLECTION_FACE_NAMES_H

#include <akin/collection.h>
#include <akin/naming.h>

#include "app/app.h"

/* All zero to begin with. */
typedef struct face_names {
    akin_rows *rows;
    akin_supervision *known;
    akin_face_names *said;
    akin_naming *naming;
    const char **names;  // of each row; NULL: it has none
} face_names;

akin_status face_names_read(app *a, face_names *g, const char *path,
                            akin_collection *c);
/* Those that akin name would give now, by what it has kept in the collection.
 * `names` NULL: it has kept nothing that fits. */
akin_status face_names_kept(app *a, face_names *g, const char *collection,
                            akin_collection *c);
void face_names_free(face_names *g);

/* Say so if a run over its photos has not ended. */
void face_names_warn_open(app *a, const akin_collection *c, const char *path);

#endif
