/* collection/feedback/residual.h - what a user's weights add to those of the
 * model in use.
 *
 * With the weights w of a diagonal model in use, a user has w + r. r is kept
 * sparse, and is added to whatever diagonal model is in use later. A psd model
 * has weights 1 in its learned space: r is added to these as long as the model
 * is in use. */
#ifndef AK_COLLECTION_RESIDUAL_H
#define AK_COLLECTION_RESIDUAL_H

#include "collection/versions.h"

/* Is the model diagonal or psd? */
bool ak_residual_fits(const akin_model *m);
/* Prepared rows in the learned space, where the weights 1 are those of the
 * model: all of them as items, then as queries. */
akin_status ak_residual_rows(akin_rows **out, akin_ctx *ctx,
                             const akin_rows *ready, const akin_model *m);
/* r of weights that were learned from such rows, as a model without a recipe.
 */
akin_status ak_residual_of(akin_model **out, akin_ctx *ctx, const akin_model *m,
                           const akin_model *learned);
/* The model with r added. Columns that it does not know are left out. */
akin_status ak_residual_add(akin_model **out, akin_ctx *ctx,
                            const akin_model *m, const akin_model *residual);

/* Are the weights the same? */
bool ak_residual_is_same(const akin_model *one, const akin_model *other);

/* Can the residual of version v be added to a model of this kind, the version
 * in use? */
akin_status ak_residual_is_for(bool *out, akin_ctx *ctx, const ak_catalog *c,
                               const akin_model *residual, const ak_version *v,
                               const char *kind, const ak_version *in_use);
/* The failure of a version that cannot. */
akin_status ak_residual_refuse(akin_ctx *ctx, const ak_catalog *c,
                               const ak_version *v);

/* The version of a user that is in use; 0: none. */
akin_status ak_user_version(const ak_catalog *c, akin_ctx *ctx,
                            const char *user, int64_t *version);

#endif
