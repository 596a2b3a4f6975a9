/* data/io/header.h - the first line of a csv file: what separates its cells,
 * and which column is which. */
#ifndef AK_DATA_IO_HEADER_H
#define AK_DATA_IO_HEADER_H

#include "data/columns.h"

/* What separates the cells of a text that begins with this line: a comma, or
 * else a semicolon or a tab. Where there are commas too, those of `1,5;2,3` are
 * decimal points. */
char ak_header_delimiter(const char *text, size_t n);

/* Is it a number with a decimal comma, such as 1,5? */
bool ak_is_decimal_comma(const char *text, size_t n);

/* Is `wanted` the word for no labels? NULL is not. */
bool ak_header_no_label(const char *wanted);
/* Is `wanted` a whole number, of a column? */
bool ak_header_is_number(const char *wanted);
/* The column that is called `wanted` (by_name), in any case where none is
 * called exactly so; or the one of that number (below 0: from the last); -1:
 * there is none. */
int64_t ak_header_find(const ak_columns *header, const char *wanted,
                       bool by_name);
/* The column that is called label, class, target or y, in any case; -1: none.
 * The earlier of these words goes first. */
int64_t ak_header_label(const ak_columns *header);
/* Another column with such a name beside column k, or -1. */
int64_t ak_header_other_label(const ak_columns *header, int64_t k);
/* Log that column k was found to be the labels; `remedy` is what `label_column`
 * none does. */
void ak_header_tell_label(akin_ctx *ctx, const ak_columns *header, int64_t k,
                          const char *path, const char *remedy);
/* EFORMAT: there is no column `wanted`. With the name that is near, or else
 * with the text `otherwise`. */
akin_status ak_header_missing(akin_ctx *ctx, const ak_columns *header,
                              const char *wanted, const char *path,
                              int64_t line, const char *otherwise);

#endif
