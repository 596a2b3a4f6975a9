/* collection/derive.h - rows made from the features in the catalogue. */
#ifndef AK_COLLECTION_DERIVE_H
#define AK_COLLECTION_DERIVE_H

#include <akin/data.h>

#include "collection/items.h"
#include "data/rows.h"

/* All items that have features in the space. `labels`: with theirs. *ids (may
 * be NULL) gets their numbers, increasing. */
akin_status ak_derive_rows(akin_rows **out, int32_t **ids, akin_ctx *ctx,
                           const ak_catalog *c, const ak_space *space,
                           bool labels);
/* Those of a list that have features there, and which these are. */
akin_status ak_derive_present(akin_rows **out, int32_t **ids, akin_ctx *ctx,
                              const ak_catalog *c, const ak_space *space,
                              const int64_t *list, int64_t n);
/* The same without their numbers; *out NULL: none of them has any. */
akin_status ak_derive_some(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                           const ak_space *space, const int64_t *list,
                           int64_t n);
/* Those of a list, in its order. ESHAPE: one of them has no features there. */
akin_status ak_derive_items(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                            const ak_space *space, const int64_t *ids,
                            int64_t n);

/* A sparse row as the catalogue keeps it; from scratch. */
akin_status ak_sparse_blob(ak_blob *out, akin_ctx *ctx, ak_sparse row);

/* The features of a query from outside, by its number in the catalogue. */
akin_status ak_derive_query(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                            const ak_space *space, int64_t id);

/* One row of word counts: sorted words and how many of each. `words` is
 * sorted by the call. */
int64_t ak_bag_of_words(int32_t *words, int64_t n, int32_t *cols, float *vals);

#endif
