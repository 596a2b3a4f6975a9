/* collection/feedback/residual.h - what a user's weights add to those of the
 * model in use.
 *
 * With the weights w of the model in use, a user has w + r. r is kept sparse,
 * and is added to whatever model is in use later. */
#ifndef AK_COLLECTION_RESIDUAL_H
#define AK_COLLECTION_RESIDUAL_H

#include "collection/versions.h"

/* Prepared rows, twice: as items, then as queries, scaled so that the weights 1
 * compare them as the diagonal model does. */
akin_status ak_residual_rows(akin_rows **out, akin_ctx *ctx,
                             const akin_rows *ready, const akin_model *m);
/* r of weights that were learned from such rows, as a model without a recipe.
 */
akin_status ak_residual_of(akin_model **out, akin_ctx *ctx, const akin_model *m,
                           const akin_model *learned);
/* The model with r added. Columns that it does not know are left out. */
akin_status ak_residual_add(akin_model **out, akin_ctx *ctx,
                            const akin_model *m, const akin_model *residual);

/* The version of a user that is in use; 0: there is none, or it is of other
 * features. */
akin_status ak_user_version(const ak_catalog *c, akin_ctx *ctx,
                            const char *user, const ak_space *space,
                            int64_t *version);

#endif
