/* collection/terms.h - the terms of a collection of documents: each has a
 * number, which is its column, and keeps it; terms that come with later
 * documents take the next ones. Stop words have numbers below 0. */
#ifndef AK_COLLECTION_TERMS_H
#define AK_COLLECTION_TERMS_H

#include <akin/text.h>

#include "collection/items.h"
#include "text/bag.h"

/* The names of spaces whose columns have terms. */
extern const char ak_space_terms[], ak_space_vectors[];

/* Of a new collection: how long words are, the stop words, and no term. */
akin_status ak_terms_start(const ak_catalog *c, akin_ctx *ctx,
                           const akin_text_options *o, const ak_names *stop);
/* A bag that knows all terms, and the stop words, which it borrows. */
akin_status ak_terms_load(const ak_catalog *c, akin_ctx *ctx, ak_names *stop,
                          ak_bag *bag);
/* Add the terms of the bag from number `first` on. */
akin_status ak_terms_save(const ak_catalog *c, akin_ctx *ctx, const ak_bag *bag,
                          int64_t first);
/* The names of columns of vectors are kept as terms, where each column has one
 * of its own; later rows have the same. ESHAPE: they have others. */
akin_status ak_terms_put_columns(const ak_catalog *c, akin_ctx *ctx,
                                 const akin_rows *rows);
akin_status ak_terms_check_columns(const ak_catalog *c, akin_ctx *ctx,
                                   const akin_rows *rows);
/* The column of a term; -1: it has none. */
akin_status ak_terms_find(const ak_catalog *c, akin_ctx *ctx, const char *term,
                          int64_t *number);
/* Name the columns of rows. */
akin_status ak_terms_name(const ak_catalog *c, akin_ctx *ctx, akin_rows *rows);

/* Texts, or files of text, as rows of d columns; other terms are left out. */
akin_status ak_terms_count(akin_rows **out, akin_ctx *ctx, const ak_catalog *c,
                           int64_t d, const char *const *texts,
                           const size_t *lengths, int64_t n);
akin_status ak_terms_count_files(akin_rows **out, akin_ctx *ctx,
                                 const ak_catalog *c, int64_t d,
                                 const char *const *files, int64_t n);

#endif
