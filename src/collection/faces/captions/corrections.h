/* collection/faces/captions/corrections.h - what a person corrected in
 * captions. */
#ifndef AK_COLLECTION_FACES_CAPTIONS_CORRECTIONS_H
#define AK_COLLECTION_FACES_CAPTIONS_CORRECTIONS_H

#include <akin/review.h>

#include "collection/faces/captions/mentions.h"

/* Is this kind of answer about a caption? */
bool ak_corrects_caption(const char *kind);
/* Photo, place and `other` of such an answer; its texts are known to be right.
 */
akin_status ak_correction_check(const ak_catalog *c, akin_ctx *ctx,
                                const akin_answer *x);

/* These need a transaction that writes. `put` stores what answer `number` is
 * about, and corrects the caption. */
akin_status ak_correction_put(const ak_catalog *c, akin_ctx *ctx,
                              int64_t number, const akin_answer *x);
/* Whether answer `number` counts has changed. */
akin_status ak_correction_changed(const ak_catalog *c, akin_ctx *ctx,
                                  int64_t number);
/* Other names were found or given for a photo: keep them, with all corrections.
 */
akin_status ak_corrections_take(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, const akin_caption_names *found);
/* The photo has no caption: it takes corrections that wait for it. */
akin_status ak_corrections_bind(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo);
/* The caption of a photo has lost some of its n bytes: `places` says of each
 * where it is now, -1: gone. Mentions move with it, and answers about a place;
 * those whose place is gone are removed. */
akin_status ak_corrections_move(const ak_catalog *c, akin_ctx *ctx,
                                int64_t photo, const int32_t *places,
                                int64_t n);
/* Answers or names that were found have been removed: correct the caption by
 * those that are left. */
akin_status ak_corrections_again(const ak_catalog *c, akin_ctx *ctx,
                                 int64_t photo);

#endif
