/* cli/liked.h - --like and --unlike: rows of an index, pictures of a
 * collection, other pictures. */
#ifndef CLI_LIKED_H
#define CLI_LIKED_H

#include <akin/collection.h>

#include "app/app.h"

/* All zero to begin with. */
typedef struct cli_liked {
    int64_t *rows;
    int64_t n;
    akin_rows *others;  // pictures that are not in the collection
} cli_liked;

/* All values of a flag, of which each is "12,k1/a.jpg,new.jpg", or a single
 * name with commas in it. `c` NULL: numbers alone. */
akin_status cli_liked_read(app *a, cli_liked *out, akin_collection *c,
                           const char *flag);
void cli_liked_free(cli_liked *l);

/* Pictures as rows; says so when there is nothing to be seen in them. */
akin_status cli_describe(app *a, akin_collection *c, const char *const *files,
                         int64_t n, akin_rows **out);

#endif
