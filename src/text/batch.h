/* text/batch.h - documents cut into words by several threads, and counted one
 * after the other.
 *
 * A thread knows the words that were met before its batch by their numbers, and
 * leaves the others as they are; all are counted in the order of the text. So
 * the bag does not depend on the batches. A long document is a batch of its
 * own, and only a piece of it is in memory. */
#ifndef AK_TEXT_BATCH_H
#define AK_TEXT_BATCH_H

#include "text/bag.h"

/* The words of the next document are in the bag: close it (ak_bag_close) or
 * discard it (ak_bag_undo). Called once for each document, in their order. */
typedef akin_status (*ak_batch_fn)(void *arg);

enum { AK_BATCH_DOCUMENTS = 64 };

typedef struct ak_batch_document {
    int64_t begin, end;  // of its bytes
    int64_t n_tokens;    // -1: more than there is room for
    int64_t n_bad, n_zero;
} ak_batch_document;

/* Set the first three, the rest zero. */
typedef struct ak_batch {
    ak_bag *bag;
    ak_batch_fn end;
    void *arg;

    ak_batch_document documents[AK_BATCH_DOCUMENTS + 1];
    int64_t n;   // whole ones; the one at work comes behind them
    bool alone;  // the one at work is long: it goes into the bag
    char *bytes;
    int64_t room;
    int32_t *tokens;  // each a number, or -1, length and word
    int64_t token_room;
    struct ak_tokenizer *tokenizers;
} ak_batch;

/* A document: open, pieces, then close; or cancel when it cannot be read. */
void ak_batch_open(ak_batch *b);
akin_status ak_batch_feed(ak_batch *b, const void *bytes, size_t n);
/* Has the document at work a zero byte, as far as is known? */
bool ak_batch_is_binary(const ak_batch *b);
akin_status ak_batch_close(ak_batch *b);
void ak_batch_cancel(ak_batch *b);
/* Count the documents that wait; to be called after the last one. */
akin_status ak_batch_flush(ak_batch *b);
void ak_batch_free(ak_batch *b);

#endif
