/* export/query_side.h - from a raw row to the vector of a query.
 *
 * With c the value of a raw row in the column of feature j, and s the sum of
 * its values in the columns of all features,
 *
 *   z_j = ((g(c, s) idf_j) - shift_j) factor_j                     (1)
 *   z   = z global, or z global / |z|                              (2)
 *   v   = offset + sum_j z_j axes_j,  or  v_j = weight_j z_j       (3)
 *   v   = v, v / |v| or v / sqrt(sum_j |v_j z_j|)                  (4)
 *
 * g is c, or as the weights of the recipe say: 1, c / s, sqrt(c), log(1 + c).
 */
#ifndef AK_EXPORT_QUERY_SIDE_H
#define AK_EXPORT_QUERY_SIDE_H

#include <akin/index.h>

#include "data/recipe/recipe.h"

typedef enum {
    AK_LENGTH_NONE,
    AK_LENGTH_VECTOR,
    AK_LENGTH_WEIGHTED,
    AK_LENGTH_COUNT
} ak_length;

extern const char *const ak_length_words[AK_LENGTH_COUNT];

typedef struct ak_query_side {
    bool known;          // false: it is not of this form, akin embed has it
    ak_weights weights;  // without idf
    bool unit;           // (2) has |z|
    ak_length length;    // (4)
    double global;
    int64_t d, dim;                         // features, numbers of a vector
    int32_t *source;                        // d: raw columns
    double *idf, *shift, *factor, *weight;  // d
    double *axes;                           // d x dim; NULL: there are none
    double *offset;                         // dim; NULL: zeros
} ak_query_side;

/* That of an index whose vectors are compared by the dot product, or by the
 * distance. `sparse` as ak_export says. */
akin_status ak_query_side_make(ak_query_side *q, akin_ctx *ctx,
                               const akin_index *x, bool sparse,
                               akin_compare by);
/* Arrays of all but the axes. */
akin_status ak_query_side_room(ak_query_side *q, akin_ctx *ctx, int64_t d,
                               int64_t dim);
void ak_query_side_free(ak_query_side *q);
/* Does some feature have a shift? Then a row has no zeros. */
bool ak_query_side_fills(const ak_query_side *q);

/* features.csv: feature,source,idf,shift,factor,weight,axes. `q` has what the
 * manifest says. */
akin_status ak_query_side_write(const ak_query_side *q, akin_ctx *ctx,
                                const char *path);
akin_status ak_query_side_read(ak_query_side *q, akin_ctx *ctx,
                               const char *path);

/* The vector of raw row i: dim numbers. `z` has room for d. Returns -1, or the
 * feature whose numbers are too large for the vector to be finite. */
int64_t ak_query_side_apply(const ak_query_side *q, const akin_rows *rows,
                            int64_t i, double *z, double *v);

#endif
