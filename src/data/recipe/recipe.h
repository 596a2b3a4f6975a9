/* data/recipe/recipe.h - what rows go through before they are learned from.
 *
 * With a vocabulary, rows first lose the columns that it does not keep. Then a
 * count c of column j in a row with sum s becomes
 *   v = w(c, s) idf_j                 weights
 *   v = (v - shift_j) factor_j        centre and scale
 *   v = R' v                          scale=su only: components
 * and then the row is divided by its length (norm=l2, scale=su) or every row
 * by the same number (norm=global). */
#ifndef AK_DATA_RECIPE_RECIPE_H
#define AK_DATA_RECIPE_RECIPE_H

#include "data/recipe/vocabulary.h"
#include "data/rows.h"
#include "tensors/tensors.h"

typedef enum {
    AK_WEIGHTS_NONE,
    AK_WEIGHTS_BINARY,
    AK_WEIGHTS_TF,
    AK_WEIGHTS_SQRT,
    AK_WEIGHTS_LOG,
    AK_WEIGHTS_TFIDF,
    AK_WEIGHTS_BINARY_IDF,
    AK_WEIGHTS_SQRT_IDF,
    AK_WEIGHTS_COUNT
} ak_weights;

typedef enum {
    AK_SCALE_NONE,
    AK_SCALE_MINMAX,
    AK_SCALE_ZSCORE,
    AK_SCALE_SU,
    AK_SCALE_COUNT
} ak_scale;

typedef enum {
    AK_NORM_NONE,
    AK_NORM_L2,
    AK_NORM_GLOBAL,
    AK_NORM_COUNT
} ak_norm;

/* Their names, in files and options. */
extern const char *const ak_weights_words[AK_WEIGHTS_COUNT];
extern const char *const ak_scale_words[AK_SCALE_COUNT];
extern const char *const ak_norm_words[AK_NORM_COUNT];

struct akin_recipe {
    ak_weights weights;
    ak_scale scale;
    ak_norm norm;
    bool center;
    ak_vocabulary *vocabulary;  // keeps d columns; NULL: there are no others
    int64_t d;
    int64_t index_base;
    double *idf;       // d, ln(N / df), 0 where df = 0; NULL: ones
    double *shift;     // d, NULL: zeros
    double *factor;    // d, NULL: ones
    double *rotation;  // d x rank, NULL: none
    int64_t rank;
    ak_columns columns;            // names of the d columns
    ak_columns label;              // csv: the one column of labels, or none
    char after[AK_PREPARED_SIZE];  // what the rows of the fit went through
    double global;                 // multiplies every row
    char text[96];
};

/* Do the rows have the recipe's columns, and counts where it wants them?
 * ESHAPE or EINVAL if not. */
akin_status ak_recipe_check(const akin_recipe *recipe, akin_ctx *ctx,
                            const akin_rows *rows);
/* What "auto" comes to for these rows takes its place. */
akin_status ak_recipe_settle(akin_recipe_options *o, akin_ctx *ctx,
                             const akin_rows *rows);
/* Do the columns of dense rows have ranges of different order? Nine in ten of
 * them against one in ten, so that a few do not decide. */
akin_status ak_rows_have_mixed_units(bool *mixed, akin_ctx *ctx,
                                     const akin_rows *rows);
/* Row i of `rows`, which passed the check, through the recipe, in double. A
 * sparse result is written to cols and out (room for the row's count) and the
 * count returned; a centred one is dense: cols is not written, out has
 * akin_recipe_dim entries, and the return is that number. Entries that became 0
 * are left out of sparse ones. */
int64_t ak_recipe_row(const akin_recipe *recipe, const akin_rows *rows,
                      int64_t i, int32_t *cols, double *out);
/* Do sparse rows become dense? */
bool ak_recipe_fills(const akin_recipe *recipe);
bool ak_recipe_makes_dense(const akin_recipe *recipe, const akin_rows *rows);
/* An entry of a sparse row before the norm: the count c of column j, in a row
 * whose counts add up to `sum`. */
double ak_recipe_entry(const akin_recipe *r, double c, double sum, int64_t j);

/* Sparse rows of whole numbers that are not negative: counts, of words say. */
bool ak_rows_are_counts(const akin_rows *rows);

/* Is this the name of a column of the rows it is applied to? */
bool ak_recipe_has_column(const akin_recipe *r, const char *name);

akin_status ak_recipe_new(akin_recipe **out, akin_ctx *ctx, int64_t d);
/* Fill in `text` from the words. */
void ak_recipe_name(akin_recipe *r);
bool ak_weights_has_idf(ak_weights w);
bool ak_weights_wants_counts(ak_weights w);

/* As part of a larger file: tensors and notes under `prefix`. `take` leaves
 * NULL when there is none. */
akin_status ak_recipe_put(const akin_recipe *recipe, akin_ctx *ctx,
                          ak_tensors *t, const char *prefix);
akin_status ak_recipe_take(akin_recipe **out, akin_ctx *ctx,
                           const ak_tensors *t, const char *prefix);
akin_status ak_recipe_copy(akin_recipe **out, akin_ctx *ctx,
                           const akin_recipe *recipe);

#endif
