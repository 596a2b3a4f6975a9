/* text/persons/cues.h - words that say where someone is in a picture, or how
 * names belong together: English, German, French, Spanish. */
#ifndef AK_TEXT_PERSONS_CUES_H
#define AK_TEXT_PERSONS_CUES_H

#include <stddef.h>
#include <stdint.h>

typedef enum ak_cue_kind {
    AK_CUE_NONE,
    AK_CUE_SIDE,        // left; value: an akin_picture_side
    AK_CUE_LETTER,      // l, in parentheses; value: an akin_picture_side
    AK_CUE_RANK,        // second; value: 2
    AK_CUE_ORDER,       // l-r; value: the akin_picture_side it begins with
    AK_CUE_ROW,         // row
    AK_CUE_PLACE,       // front, back, seated; value: an akin_picture_row
    AK_CUE_FROM,        // from (the left)
    AK_CUE_FAR,         // far (left)
    AK_CUE_BE,          // is, stands
    AK_CUE_AND,         // and, &
    AK_CUE_ALIAS,       // alias
    AK_CUE_MR,          // Mr.
    AK_CUE_MRS,         // Mrs., Lady: kept where no given name follows
    AK_CUE_KIN,         // wife, son: of the same family name
    AK_CUE_FAMILY,      // (the X) brothers
    AK_CUE_ARTICLE,     // the
    AK_CUE_POSSESSIVE,  // his
    AK_CUE_AT,          // at (left), in (the background)
    AK_CUE_SOMEONE      // me, an unidentified man: counts in a list
} ak_cue_kind;

typedef struct ak_cue {
    uint8_t kind;
    uint8_t value;
} ak_cue;

/* Of a word in small letters; an abbreviation may end with its dot. */
ak_cue ak_cue_find(const char *word, size_t n);

#endif
