/* text/persons/letters.h - characters of captions: letters with their case,
 * marks, blanks. Latin, Greek and Cyrillic letters have a case; those of other
 * scripts are letters without one. No tables, so that builds without Unicode
 * find the same names. */
#ifndef AK_TEXT_PERSONS_LETTERS_H
#define AK_TEXT_PERSONS_LETTERS_H

#include <stddef.h>
#include <stdint.h>

typedef enum ak_char_kind {
    AK_CHAR_BLANK,  // also control characters, invisible ones, and bytes that
                    // are not UTF-8
    AK_CHAR_UPPER,
    AK_CHAR_LOWER,
    AK_CHAR_UNCASED,  // a letter without case, or an accent of its own
    AK_CHAR_DIGIT,
    AK_CHAR_APOSTROPHE,
    AK_CHAR_HYPHEN,
    AK_CHAR_QUOTE,
    AK_CHAR_OTHER  // marks
} ak_char_kind;

typedef struct ak_char {
    uint32_t code;
    uint32_t lower;  // the same in small letters
    ak_char_kind kind;
    uint32_t bytes;
} ak_char;

/* The character at the beginning of `n` > 0 bytes. */
ak_char ak_char_read(const char *text, size_t n);
/* Write it as UTF-8; returns its bytes, at most 4. */
size_t ak_char_write(uint32_t code, char *to);

static inline int ak_char_is_letter(ak_char_kind kind)
{
    return kind == AK_CHAR_UPPER || kind == AK_CHAR_LOWER ||
           kind == AK_CHAR_UNCASED;
}

#endif
