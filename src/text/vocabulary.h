/* text/vocabulary.h - options of text, and how often a term may occur. */
#ifndef AK_TEXT_VOCABULARY_H
#define AK_TEXT_VOCABULARY_H

#include <akin/text.h>

#include "data/rows.h"

/* Options as given, the rest from the defaults; EINVAL where they make no
 * sense. */
akin_status ak_text_options_take(akin_text_options *o, akin_ctx *ctx,
                                 const akin_text_options *given);
/* Documents that a term has to be in and may be in, of n; EINVAL where the
 * options make no sense. */
akin_status ak_text_limits(akin_ctx *ctx, const akin_text_options *o, int64_t n,
                           int64_t *least, int64_t *most);

#endif
