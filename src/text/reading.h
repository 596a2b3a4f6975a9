/* text/reading.h - what readers of documents share. */
#ifndef AK_TEXT_READING_H
#define AK_TEXT_READING_H

#include <akin/text.h>

#include "data/io/sink.h"
#include "text/bag.h"
#include "text/trouble.h"

enum { AK_TEXT_PIECE = 1 << 16 };

typedef struct ak_reading {
    akin_ctx *ctx;
    const char *path;
    const akin_text_options *options;
    ak_bag bag;
    ak_trouble trouble;
    const char *folder;  // the class of the last document, of folders
    ak_sink *list;       // NULL: not asked for
    char *piece;         // AK_TEXT_PIECE bytes, scratch
} ak_reading;

/* All documents of a folder, or of a csv file. */
akin_status ak_reading_folder(ak_reading *r);
akin_status ak_reading_csv(ak_reading *r, char delimiter);

/* The document that was fed is whole: a row for it, unless it is binary.
 * `label` (NULL: none) may be a list parted by `delimiter`, or, without one
 * ('\0'), the name of a folder; `name` is for messages and the list. */
akin_status ak_reading_close(ak_reading *r, const char *name, const char *label,
                             char delimiter);

#endif
