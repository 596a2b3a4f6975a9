/* text/stop.h - words that are no terms. */
#ifndef AK_TEXT_STOP_H
#define AK_TEXT_STOP_H

#include "data/names.h"

/* "english", "none" (or NULL), or the words of a file. */
akin_status ak_stop_words(ak_names *out, akin_ctx *ctx, const char *which);

#endif
