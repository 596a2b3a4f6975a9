/* data/recipe/vocabulary.h - which columns of raw rows a recipe keeps, and the
 * terms they stand for; what documents are read with. */
#ifndef AK_DATA_RECIPE_VOCABULARY_H
#define AK_DATA_RECIPE_VOCABULARY_H

#include "data/rows.h"
#include "tensors/tensors.h"

/* How words are made of a text, should there once be other ways
 * (text/words.h). */
#define AK_WORDS_NAME "nfkc-casefold"

typedef struct ak_vocabulary {
    int64_t d;           // columns of the raw rows
    int64_t n_kept;      // of them
    int32_t *kept;       // increasing
    ak_columns terms;    // names of the d columns; none: counts without
    ak_columns classes;  // names of the labels it was chosen by
    char *choices;       // "stop-words=english min-df=2", for people
} ak_vocabulary;

/* Of d columns, keeping `kept`, which is copied. */
akin_status ak_vocabulary_new(ak_vocabulary **out, akin_ctx *ctx, int64_t d,
                              const int32_t *kept, int64_t n_kept);
void ak_vocabulary_free(ak_vocabulary *v);
akin_status ak_vocabulary_copy(ak_vocabulary **out, akin_ctx *ctx,
                               const ak_vocabulary *v);

/* Do both keep the same columns of the same terms? NULL: all columns. */
bool ak_vocabulary_is(const ak_vocabulary *a, const ak_vocabulary *b);

/* The rows with the columns that are kept, under their new numbers; labels,
 * groups and names go with them. ESHAPE: rows of more columns. */
akin_status ak_vocabulary_keep(akin_rows **out, akin_ctx *ctx,
                               const ak_vocabulary *v, const akin_rows *rows);
/* The names of the columns that are kept, added to `to`. */
akin_status ak_vocabulary_names(ak_columns *to, akin_ctx *ctx,
                                const ak_vocabulary *v,
                                const ak_columns *names);

/* As part of a larger file, as recipes are. `take` leaves NULL when there is
 * none. */
akin_status ak_vocabulary_put(const ak_vocabulary *v, akin_ctx *ctx,
                              ak_tensors *t, const char *prefix);
akin_status ak_vocabulary_take(ak_vocabulary **out, akin_ctx *ctx,
                               const ak_tensors *t, const char *prefix);

#endif
