/* text/folder.h - the documents of a folder, a sub-folder for each class. */
#ifndef AK_TEXT_FOLDER_H
#define AK_TEXT_FOLDER_H

#include "base/ctx.h"
#include "text/warnings.h"

typedef struct ak_document {
    char *path;
    int64_t label;  // number of its class, -1: in none
} ak_document;

/* All zero to begin with. */
typedef struct ak_folder {
    ak_document *documents;
    int64_t n, room;
    char **classes;  // names of the sub-folders
    int64_t n_classes, room_classes;
} ak_folder;

/* The regular files below `path`, sorted by name folder by folder; a file
 * belongs to the sub-folder of `path` it is below. Symbolic links are followed,
 * hidden files are not documents. What cannot be read, is no file or leads
 * back to itself goes to `warnings`. */
akin_status ak_folder_list(ak_folder *f, akin_ctx *ctx, const char *path,
                           ak_warnings *warnings);
void ak_folder_free(ak_folder *f);

#endif
