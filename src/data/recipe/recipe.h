/* data/recipe/recipe.h - what rows go through before they are learned from. */
#ifndef AK_DATA_RECIPE_RECIPE_H
#define AK_DATA_RECIPE_RECIPE_H

#include "data/rows.h"
#include "tensors/tensors.h"

/* Do the rows have the recipe's columns, and counts where it wants them?
 * ESHAPE or EINVAL if not. */
akin_status ak_recipe_check(const akin_recipe *recipe, akin_ctx *ctx,
                            const akin_rows *rows);
/* Row i of `rows`, which passed the check, through the recipe, in double. A
 * sparse result is written to cols and out (room for the row's count) and the
 * count returned; a centred one is dense: cols is not written, out has
 * akin_recipe_dim entries, and the return is that number. Entries that became 0
 * are left out of sparse ones. */
int64_t ak_recipe_row(const akin_recipe *recipe, const akin_rows *rows,
                      int64_t i, int32_t *cols, double *out);
bool ak_recipe_makes_dense(const akin_recipe *recipe, const akin_rows *rows);
/* ln(N / df), 0 where df = 0; NULL when the weights have no idf. */
const double *ak_recipe_idf(const akin_recipe *recipe);

/* As part of a larger file: tensors and notes under `prefix`. `take` leaves
 * NULL when there is none. */
akin_status ak_recipe_put(const akin_recipe *recipe, akin_ctx *ctx,
                          ak_tensors *t, const char *prefix);
akin_status ak_recipe_take(akin_recipe **out, akin_ctx *ctx,
                           const ak_tensors *t, const char *prefix);
akin_status ak_recipe_copy(akin_recipe **out, akin_ctx *ctx,
                           const akin_recipe *recipe);

#endif
