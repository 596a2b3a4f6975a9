/* collection/items.h - the things of a collection, and the spaces of their
 * features. Items are numbered from 0 in the order they came, and a number is
 * never given to another. The row of an item is its place among those that are
 * there. */
#ifndef AK_COLLECTION_ITEMS_H
#define AK_COLLECTION_ITEMS_H

#include "collection/catalog.h"

/* ---- spaces ---- */

typedef enum {
    AK_FORM_WORDS,   // a number for each local feature
    AK_FORM_SPARSE,  // columns and values
    AK_FORM_DENSE
} ak_form;

enum { AK_MOST_SPACES = 16, AK_SPACE_NAME = 32 };

typedef struct ak_space {
    int64_t id;  // 0 is what the collection was made for; -1: none
    int64_t dim;
    ak_form form;
    char name[AK_SPACE_NAME];
} ak_space;

/* By name; id -1 where there is none. */
akin_status ak_space_find(const ak_catalog *c, akin_ctx *ctx, const char *name,
                          ak_space *out);
akin_status ak_space_get(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                         ak_space *out);
/* Add it, or change its columns. */
akin_status ak_space_put(const ak_catalog *c, akin_ctx *ctx, const ak_space *s);

/* Items that have features there. */
akin_status ak_space_count(const ak_catalog *c, akin_ctx *ctx,
                           const ak_space *s, int64_t *n);

/* ---- items ---- */

enum { AK_HASH_SIZE = 16 };

typedef struct ak_catalog_item {
    int64_t id;              // -1: not there
    ak_blob name;            // bytes, no zero among them
    ak_blob path;            // of its file; NULL: it has none
    int64_t folder;          // that the file was found in; 0: none
    const char *labels;      // separated by newlines
    int64_t size, modified;  // of the file; nanoseconds
    ak_blob hash;            // AK_HASH_SIZE bytes of its content; NULL: unknown
    int64_t width, height;   // of a picture
    int64_t n;               // local features, or words
    const char *snippet;     // what a list shows of it; NULL: nothing
} ak_catalog_item;

/* All of these need a transaction that writes. A new item (id -1) takes the
 * next number, a removed one that is back its own; it waits to be indexed, as
 * does one with new features. */
akin_status ak_item_insert(const ak_catalog *c, akin_ctx *ctx,
                           ak_catalog_item *item);
akin_status ak_item_update(const ak_catalog *c, akin_ctx *ctx,
                           const ak_catalog_item *item);
akin_status ak_item_features(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                             int64_t space, ak_blob row, ak_blob frames);
/* Something was said of the item: it is known by its features from now on. */
akin_status ak_item_judged(const ak_catalog *c, akin_ctx *ctx, int64_t id);
/* It was removed and is back: so it is if anything was said of it. */
akin_status ak_item_judged_again(const ak_catalog *c, akin_ctx *ctx,
                                 int64_t id);
/* The hash that it is known by, of a row in the form of its space. */
akin_status ak_row_hash(akin_ctx *ctx, const ak_space *space, ak_blob row,
                        unsigned char hash[AK_HASH_SIZE]);
akin_status ak_item_labels(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                           const char *labels);
/* A number where the text is one. "" removes the field. */
akin_status ak_item_field(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                          const char *name, const char *value);
/* All fields of an item: n names and values by turns, each with a zero byte. */
akin_status ak_item_fields(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                           const char *texts, int64_t n);
akin_status ak_item_remove(const ak_catalog *c, akin_ctx *ctx, int64_t id);

/* The file of an item was moved. */
akin_status ak_item_move(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                         ak_blob path, ak_blob name, int64_t folder);

/* The number that the next item takes. */
akin_status ak_items_next(const ak_catalog *c, akin_ctx *ctx, int64_t *id);

/* The item of a name or path. EINVAL: no item has it, or several do. */
akin_status ak_item_find(const ak_catalog *c, akin_ctx *ctx, const char *name,
                         int64_t *id);

/* How many items there are. */
akin_status ak_items_count(const ak_catalog *c, akin_ctx *ctx, int64_t *n);

/* Of bytes, and of the content of a file. */
void ak_hash_bytes(const void *bytes, size_t n,
                   unsigned char hash[AK_HASH_SIZE]);
akin_status ak_hash_file(akin_ctx *ctx, const char *path,
                         unsigned char hash[AK_HASH_SIZE]);

#endif
