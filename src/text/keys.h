/* text/keys.h - which column or key of a record is what, and where it is. */
#ifndef AK_TEXT_KEYS_H
#define AK_TEXT_KEYS_H

#include "data/columns.h"

/* The column called text, body or content, in any case; -1: none. */
int64_t ak_keys_text(const ak_columns *names);
/* The column called label, class, target, y or labels, other than `text`; -1:
 * none. */
int64_t ak_keys_label(const ak_columns *names, int64_t text);
/* The column `wanted` (-1: there is none), NULL: the one called id, name, title
 * or key, other than these two, in any case; -1: none. */
int64_t ak_keys_name(const ak_columns *names, const char *wanted, int64_t text,
                     int64_t label);

/* Room for FILE:LINE, and the text itself. */
akin_status ak_keys_where(akin_ctx *ctx, const char *path, char **where);
void ak_keys_write_where(char *where, const char *path, int64_t line);

#endif
