/* tune/caption_pairs.h - what captions say of two faces. */
#ifndef AK_TUNE_CAPTION_PAIRS_H
#define AK_TUNE_CAPTION_PAIRS_H

#include "data/supervision/supervision.h"

/* Pairs of faces of captioned photos: the captions share a name, or they do
 * not. As many of either kind where there are enough. EINVAL: there are no
 * pairs of one kind. */
akin_status ak_caption_pairs(akin_supervision **out, akin_ctx *ctx,
                             const akin_supervision *captions);

#endif
