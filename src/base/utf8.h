/* base/utf8.h - what is text and what is not. */
#ifndef AK_BASE_UTF8_H
#define AK_BASE_UTF8_H

#include <stddef.h>

/* Bytes of the character at the beginning of `n` > 0 bytes, 0 when it is not
 * UTF-8 or a control code. */
size_t ak_utf8_length(const char *text, size_t n);
/* What is wrong with a character of length 0, in words. */
const char *ak_utf8_what(const char *text);
/* Bytes at the beginning of `n` that are such characters. */
size_t ak_utf8_span(const char *text, size_t n);

#endif
