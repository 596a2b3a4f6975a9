/* cli/pictures.h - collections, as the flags name them and their pictures. */
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include <akin/collection.h>

#include "app/app.h"

/* A row of a collection by number or by the name of its picture. */
akin_status cli_picture_row(app *a, akin_collection *c, const char *text,
                            int64_t *row);
/* Collections are folders, and no other file that akin reads is one. */
bool cli_is_folder(const char *path);

/* MODEL, a file or the name of a measure without learning, whose statistics
 * are those of the collection. */
akin_status cli_picture_model(app *a, const akin_collection *c,
                              const char *name, akin_model **out);

/* A name for a line: control characters become '?'. To be freed with free(). */
akin_status cli_picture_shown(app *a, const char *name, char **out);

#endif
