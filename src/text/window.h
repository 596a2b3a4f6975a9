/* text/window.h - several documents at a time: read one after the other, cut
 * into words by several threads, counted one after the other again.
 *
 * A thread knows the words that were met before the window by their numbers,
 * and leaves the others as they are; all are counted in the order of the text.
 * So the bag is the one that documents give one by one. */
#ifndef AK_TEXT_WINDOW_H
#define AK_TEXT_WINDOW_H

#include "text/reading.h"

enum { AK_WINDOW_DOCUMENTS = 64 };

typedef struct ak_window_part {
    const char *path, *label;
    int64_t begin, end;  // of its bytes
    int64_t n_tokens;    // -1: more than there is room for
    int64_t n_bad, n_zero;
} ak_window_part;

/* All zero but `r` to begin with. */
typedef struct ak_window {
    ak_reading *r;
    ak_window_part parts[AK_WINDOW_DOCUMENTS];
    int64_t n;
    char *bytes;  // of all
    int64_t room;
    int32_t *tokens;  // each a number, or -1, length and word
    int64_t token_room;
    struct ak_cutter *cutters;  // one a worker
} ak_window;

/* Take a document in; `*taken` false when it is long or cannot be read, and is
 * to be read alone. */
akin_status ak_window_take(ak_window *w, const char *path, const char *label,
                           bool *taken);
bool ak_window_is_full(const ak_window *w);
/* Count all that were taken. */
akin_status ak_window_count(ak_window *w);
void ak_window_free(ak_window *w);

#endif
