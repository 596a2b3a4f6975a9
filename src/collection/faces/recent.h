/* collection/faces/recent.h - captions that were corrected after the names of a
 * review were learned; inside faces/ alone. */
#ifndef AK_COLLECTION_FACES_RECENT_H
#define AK_COLLECTION_FACES_RECENT_H

#include "collection/faces/review.h"

/* Candidates that captions have lost or got since: names that were lost are
 * refused for all faces of the photo, as if a person had said so; `added` gets
 * the others. */
akin_status ak_recent_take(ak_recent_names *added, ak_told_list *said,
                           akin_ctx *ctx, const ak_catalog *now,
                           const akin_review *r);
void ak_recent_free(ak_recent_names *l);

/* Add such names to the candidates of a row: they share the probability that it
 * is nobody of the caption. Returns how many there are then, at most `most`. */
int64_t ak_recent_add(akin_candidate *list, int64_t n, int64_t most,
                      const akin_review *r, int64_t row);

#endif
