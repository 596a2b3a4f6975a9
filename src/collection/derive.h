/* collection/derive.h - files made from the catalogue: bags, colours, index. */
#ifndef AK_COLLECTION_DERIVE_H
#define AK_COLLECTION_DERIVE_H

#include <akin/index.h>

#include "collection/catalog.h"

/* Each picture a row of how often it has each of `words` words. */
akin_status ak_derive_bags(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                           int64_t words);
/* And its colours; NULL: they were not asked for. */
akin_status ak_derive_colours(akin_rows **out, akin_ctx *ctx,
                              const ak_catalog *c);
/* One row of word counts: sorted words and how many of each. `words` is
 * sorted by the call. */
int64_t ak_bag_of_words(int32_t *words, int64_t n, int32_t *cols, float *vals);

/* Write them all, or none. */
akin_status ak_derive(akin_ctx *ctx, const ak_catalog *c, int64_t words);
/* The index alone; by `model`, NULL: square roots of
 * counts, times idf. */
akin_status ak_derive_index(akin_index **out, akin_ctx *ctx,
                            const akin_model *model, const akin_rows *bags);

#endif
