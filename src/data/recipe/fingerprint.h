/* data/recipe/fingerprint.h - which recipe rows went through.
 *
 * Rows that come out of a recipe carry its fingerprint and its words, such as
 * "0123456789abcdef weights=tfidf norm=l2" (akin_rows.prepared). Files of rows
 * keep them, so that no recipe is applied twice:
 *   - weights are never applied to rows that have weights already;
 *   - centre and scale are not applied to rows that were centred or scaled,
 *     unless the recipe was fitted to rows of that same fingerprint;
 *   - a recipe with norm=global is not applied to what it made itself.
 * Selecting columns again, and norm=l2 again, changes nothing.
 *
 * Rows of a learned space carry the fingerprint of their model and the word
 * "embedded". No recipe is applied to them but one that was fitted to rows of
 * that same space. */
#ifndef AK_DATA_RECIPE_FINGERPRINT_H
#define AK_DATA_RECIPE_FINGERPRINT_H

#include "data/recipe/recipe.h"

/* Of everything that determines what it does to rows. */
uint64_t ak_recipe_fingerprint(const akin_recipe *r);

/* `out` came from `in` by the recipe: note it there. */
void ak_recipe_mark(const akin_recipe *r, const akin_rows *in, akin_rows *out);

/* The rows are of the learned space of a model with this fingerprint. */
void ak_embedding_mark(akin_rows *rows, uint64_t fingerprint);

/* EINVAL: the recipe would be applied twice; the message has the remedy. */
akin_status ak_recipe_check_once(const akin_recipe *r, akin_ctx *ctx,
                                 const akin_rows *rows);

/* Warns where the rows went through another recipe than those that this one
 * was fitted to, or are counts where those had weights. */
void ak_recipe_warn_other(const akin_recipe *r, akin_ctx *ctx,
                          const akin_rows *rows);

/* Is a word such as "weights=" in what rows went through? */
bool ak_prepared_has(const char *prepared, const char *word);
/* Copies a text of that form; false: it is not one. */
bool ak_prepared_take(const char *text, size_t n, char to[AK_PREPARED_SIZE]);

#endif
