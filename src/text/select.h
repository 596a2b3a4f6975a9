/* text/select.h - which terms are kept. */
#ifndef AK_TEXT_SELECT_H
#define AK_TEXT_SELECT_H

#include <akin/text.h>

#include "data/names.h"
#include "data/rows.h"

/* Documents that a term has to be in and may be in, of n; EINVAL where the
 * options make no sense. */
akin_status ak_text_limits(akin_ctx *ctx, const akin_text_options *o, int64_t n,
                           int64_t *least, int64_t *most);

/* The columns to keep, rising: within the limits, no stop words, and of those
 * the `features` that tell most. Room for all columns of the rows. */
akin_status ak_text_select(int32_t *kept, int64_t *n_kept, akin_ctx *ctx,
                           const akin_rows *counts, const akin_text_options *o);

#endif
