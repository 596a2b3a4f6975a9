/* collection/labels.h - what pictures are called: by the sub-folder they are
 * in, or by a csv with the columns `file` and `label`. */
#ifndef AK_COLLECTION_LABELS_H
#define AK_COLLECTION_LABELS_H

#include "data/names.h"

/* All zero to begin with: no csv. */
typedef struct ak_picture_labels {
    bool given;
    ak_names files;
    char **texts;  // of each file, labels separated by newlines
    int64_t n, room;
} ak_picture_labels;

/* `column` NULL: "label". EFORMAT with file and line. */
akin_status ak_picture_labels_read(ak_picture_labels *l, akin_ctx *ctx,
                                   const char *path, const char *column);
void ak_picture_labels_free(ak_picture_labels *l);

/* The labels of a file, by its name below the folder, else those of the
 * sub-folder (NULL: none) when there is no csv. From scratch. */
akin_status ak_picture_labels_of(const ak_picture_labels *l, akin_ctx *ctx,
                                 const char *name, const char *folder,
                                 char **out);

#endif
