/* cli/collection/gallery.h - the results of a search as a page. */
#ifndef CLI_COLLECTION_GALLERY_H
#define CLI_COLLECTION_GALLERY_H

#include <akin/collection.h>

#include "app/app.h"

/* The results of one query; `title` says what was looked for. */
typedef struct gallery_results {
    const char *title;
    const int64_t *rows;  // -1: the rest is empty
    const double *scores;
    int64_t n;
} gallery_results;

/* One file with everything in it: thumbnails of pictures, the beginnings of
 * texts, names, labels and scores. */
akin_status gallery_write(app *a, const char *path, akin_collection *c,
                          const gallery_results *results, int64_t n);

#endif
