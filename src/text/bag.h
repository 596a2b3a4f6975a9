/* text/bag.h - documents one after the other, to rows of counts.
 *
 * A term is numbered when it is first met; `end` numbers the terms that stay
 * by their bytes. Memory goes with the different terms of each document, not
 * with its length. */
#ifndef AK_TEXT_BAG_H
#define AK_TEXT_BAG_H

#include "data/io/row_builder.h"
#include "text/words.h"

/* How often a term has been met. */
typedef struct ak_term {
    int64_t documents;  // that have it
    int64_t row;        // the last of them
    int64_t at;         // its entry there
} ak_term;

typedef struct ak_bag {
    akin_ctx *ctx;
    ak_names names;        // of the terms
    bool fixed;            // no term but these
    const ak_names *stop;  // words that are no terms; NULL: none
    ak_term *terms;        // one for each name
    int64_t room;
    ak_row_builder build;
    int64_t begin;    // where the entries of the document begin
    int64_t n_words;  // all that were counted
    ak_words words;
} ak_bag;

/* With `vocabulary` only its terms count, and have its columns. */
akin_status ak_bag_begin(ak_bag *b, akin_ctx *ctx, const ak_columns *vocabulary,
                         const ak_names *stop, int64_t least, int64_t most);
/* A document: begin, pieces, then one of the two ends. Labels are set by
 * ak_row_builder_labels in between. */
void ak_bag_open(ak_bag *b);
akin_status ak_bag_feed(ak_bag *b, const void *bytes, size_t n);
akin_status ak_bag_close(ak_bag *b);
/* The same word by word, of the document at work: what a word is as far as is
 * known yet, the next one by its number, the next one. */
enum { AK_BAG_NEW = -1, AK_BAG_NO_TERM = -2 };
int32_t ak_bag_look(const ak_bag *b, const char *word, size_t n);
akin_status ak_bag_count(ak_bag *b, int32_t term);
akin_status ak_bag_add(ak_bag *b, const char *word, size_t n);
void ak_bag_undo(ak_bag *b);
/* For terms that others number: those known before the first document, each
 * with the next number; and instead of the end of a document its counts by
 * increasing number, borrowed until ak_bag_undo, which has to follow. */
akin_status ak_bag_know(ak_bag *b, const char *term, size_t n);
akin_status ak_bag_take(ak_bag *b, const int32_t **terms, const float **counts,
                        int64_t *n);
/* Different terms of the document so far. */
int64_t ak_bag_terms(const ak_bag *b);
/* The rows, with the terms that are in `least` to `most` documents. */
akin_status ak_bag_end(ak_bag *b, akin_rows **out, int64_t least, int64_t most);
void ak_bag_drop(ak_bag *b);

#endif
