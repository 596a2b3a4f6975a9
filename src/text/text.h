/* text/text.h - a document as its source has it: name, text, labels, fields.
 *
 * A source fills it: begin, room, then name, labels and fields. Texts that it
 * passes are borrowed and live as long as the document, except for those that
 * are written here: clean labels and numbers. */
#ifndef AK_TEXT_TEXT_H
#define AK_TEXT_TEXT_H

#include "data/names.h"
#include "text/warnings.h"

/* n bytes with a zero byte behind them. */
typedef struct ak_bytes {
    const char *text;
    size_t n;
} ak_bytes;

typedef struct ak_text_field {
    const char *name;
    ak_bytes value;
} ak_text_field;

/* All zero to begin with, but for `warnings` and `any_labels`. */
typedef struct ak_text {
    const char *where;  // for messages: PATH, or FILE:LINE
    const char *path;   // of a file that is a document, NULL: of none
    ak_bytes name;      // none: n is 0
    bool numbered;      // its name is FILE:N, for want of another
    ak_bytes text;      // of a record; that of a file comes in pieces
    ak_bytes *labels;   // without control characters
    int64_t n_labels;
    ak_text_field *fields;
    int64_t n_fields;

    ak_warnings *warnings;
    bool any_labels;  // also those that files of rows cannot hold
    int64_t room_labels, room_fields;
    char *written;
    int64_t n_written, room_written;
    ak_names known;  // the labels of all documents so far
} ak_text;

enum { AK_NUMBER_ROOM = 32 };  // bytes that a number takes

/* The next document, in whose labels and numbers `n` bytes are written at the
 * most. */
akin_status ak_text_begin(ak_text *t, akin_ctx *ctx, const char *where,
                          int64_t n);
/* Bytes that the labels in a text of n bytes take. */
int64_t ak_text_label_room(size_t n);
/* A whole number or a real one, as text. */
ak_bytes ak_text_number(ak_text *t, int64_t x);
ak_bytes ak_text_real(ak_text *t, double x);

/* Add a label. Characters with a meaning in data files become '_', bytes that
 * are not UTF-8 U+FFFD, with a warning for the first document. EFORMAT: it is
 * empty or there already; `all` is what the source had, for the message. */
akin_status ak_text_label(ak_text *t, akin_ctx *ctx, ak_bytes label,
                          const char *all);
/* Add the labels of a list separated by ';'. An empty text and "?" are none. */
akin_status ak_text_label_list(ak_text *t, akin_ctx *ctx, ak_bytes list);
/* Add the name of a folder as a label; `first`: this is the first document of
 * it, and a warning is due when another folder gave the same label. */
akin_status ak_text_folder_label(ak_text *t, akin_ctx *ctx, const char *name,
                                 bool first);
akin_status ak_text_add_field(ak_text *t, akin_ctx *ctx, const char *name,
                              ak_bytes value);
void ak_text_free(ak_text *t);

#endif
