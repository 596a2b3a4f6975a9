/* data/recipe/recipe_body.h - inside of a recipe.
 *
 * With a vocabulary, rows first lose the columns that it does not keep. Then a
 * count c of column j in a row with sum s becomes
 *   v = w(c, s) idf_j                 weights
 *   v = (v - shift_j) factor_j        centre and scale
 *   v = R' v                          scale=su only: components
 * and then the row is divided by its length (norm=l2, scale=su) or every row
 * by the same number (norm=global). */
#ifndef AK_DATA_RECIPE_RECIPE_BODY_H
#define AK_DATA_RECIPE_RECIPE_BODY_H

#include "data/recipe/recipe.h"
#include "data/recipe/vocabulary.h"

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
    double *idf;       // d, NULL: ones
    double *shift;     // d, NULL: zeros
    double *factor;    // d, NULL: ones
    double *rotation;  // d x rank, NULL: none
    int64_t rank;
    ak_columns columns;  // names of the d columns
    double global;       // multiplies every row
    char text[96];
};

/* An entry of a sparse row before the norm: the count c of column j, in a row
 * whose counts add up to `sum`. */
double ak_recipe_entry(const akin_recipe *r, double c, double sum, int64_t j);
akin_status ak_recipe_new(akin_recipe **out, akin_ctx *ctx, int64_t d);
/* Fill in `text` from the words. */
void ak_recipe_name(akin_recipe *r);
bool ak_weights_has_idf(ak_weights w);
/* Numbers in the longest row that comes out. */
int64_t ak_recipe_width(const akin_recipe *r, const akin_rows *rows);
/* EINVAL when n sparse rows are too many to be made dense. */
akin_status ak_recipe_check_dense(akin_ctx *ctx, int64_t n, int64_t d);
/* The rotation, once the shift is there. */
akin_status ak_recipe_fit_su(akin_recipe *r, akin_ctx *ctx,
                             const akin_rows *rows);

/* Sparse rows are not made dense beyond this many numbers. */
#define AK_RECIPE_DENSE_MOST (INT64_C(1) << 31)

#endif
