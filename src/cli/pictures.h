/* cli/pictures.h - collections, as the flags name them and their pictures. */
#ifndef CLI_PICTURES_H
#define CLI_PICTURES_H

#include <akin/collection.h>

#include "app/app.h"

/* A row of a collection by number or by the name of its picture. */
akin_status cli_picture_row(app *a, akin_collection *c, const char *text,
                            int64_t *row);
/* "12,k1/a.jpg,77" as rows, to be freed with free(). `c` NULL: numbers alone,
 * as cli_row_list has them. */
akin_status cli_picture_list(app *a, akin_collection *c, int64_t **rows,
                             int64_t *count, const char *flag,
                             const char *text);

/* MODEL, a file or the name of a measure without learning, whose statistics
 * are those of the collection. */
akin_status cli_picture_model(app *a, const akin_collection *c,
                              const char *name, akin_model **out);

/* A name for a line: control characters become '?'. To be freed with free(). */
akin_status cli_picture_shown(app *a, const char *name, char **out);

#endif
