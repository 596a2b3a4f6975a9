/* data/supervision/lines.h - lines of whole numbers: pairs, triplets,
 * quadruplets, lists.
 *
 * Numbers are separated by blanks or one comma, `#` starts a comment, empty
 * lines are skipped, and so is a first line of as many words, each beginning
 * with a letter: a header. */
#ifndef AK_DATA_SUPERVISION_LINES_H
#define AK_DATA_SUPERVISION_LINES_H

#include <akin/data.h>

#include "base/ctx.h"
#include "data/io/source.h"

enum { AK_LINE_NUMBERS = 4 };

/* What a line holds. */
typedef struct ak_line_form {
    int64_t n;                       // numbers a line
    int64_t below[AK_LINE_NUMBERS];  // rows there are, of each but the sign
    bool sign;                       // the last number is 1 or -1
    const char *names;               // "q p n", for messages
} ak_line_form;

/* Pairs, triplets, quadruplets; n is 0 for any other knowledge. */
ak_line_form ak_line_form_of(akin_knowledge what, int64_t n_left,
                             int64_t n_right);

/* A text that is parsed piece by piece; begin with source and form. */
typedef struct ak_lines {
    ak_source *source;
    ak_line_form form;
    bool begun;  // a line has come that was not empty: no header any more
    bool more;   // numbers behind those of the form are ignored
    int64_t first, last;  // lines with an example
} ak_lines;

/* At most `most` examples, fewer only at the end or, when `eager`, as soon as
 * there are some and more would have to be waited for. */
akin_status ak_lines_next(ak_lines *l, akin_ctx *ctx, bool eager, int64_t most,
                          int64_t *numbers, int64_t *count);
/* All that is left; free `*numbers` with akin_free. */
akin_status ak_lines_all(ak_lines *l, akin_ctx *ctx, int64_t **numbers,
                         int64_t *count);
/* A whole file. `first_line` NULL, or the line of the first example where each
 * of the others has the next one; 0 where they do not. */
akin_status ak_lines_read(akin_ctx *ctx, const char *path, ak_line_form form,
                          int64_t **numbers, int64_t *count,
                          int64_t *first_line);

/* The same rules for numbers in memory. */
akin_status ak_lines_check(akin_ctx *ctx, ak_line_form form,
                           const int64_t *numbers, int64_t count);

/* Sort and drop repeats; returns how many are left. */
int64_t ak_numbers_sort(int64_t *x, int64_t n);

#endif
