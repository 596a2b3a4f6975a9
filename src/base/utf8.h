/* base/utf8.h - what is text and what is not. */
#ifndef AK_BASE_UTF8_H
#define AK_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of the character at the beginning of `n` > 0 bytes, 0 when it is not
 * UTF-8 or a control code. */
size_t ak_utf8_length(const char *text, size_t n);
/* What is wrong with a character of length 0, in words. */
const char *ak_utf8_what(const char *text);
/* Bytes at the beginning of `n` that are such characters. */
size_t ak_utf8_span(const char *text, size_t n);
/* Is all of it fit for names and captions, in XML and on a terminal? Also the
 * controls of Latin-1 (U+0080 to U+009F), U+FFFE and U+FFFF are not. */
bool ak_utf8_is_shown(const char *text, size_t n);

/* Is it probably Latin-1: are there bytes beyond ASCII, and does none of them
 * begin a character? Where some do, it is UTF-8 that is damaged. */
bool ak_utf8_is_latin1(const char *text, size_t n);
/* Latin-1 as UTF-8, into at most 2 n bytes; returns how many. */
size_t ak_utf8_of_latin1(char *out, const char *text, size_t n);

#endif
