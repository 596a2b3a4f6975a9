/* collection/faces/answers.h - what a person said of faces, as it holds now. */
#ifndef AK_COLLECTION_FACES_ANSWERS_H
#define AK_COLLECTION_FACES_ANSWERS_H

#include <akin/review.h>

#include "collection/catalog.h"
#include "data/captions/folded_names.h"

struct akin_answers {
    ak_catalog catalog;
    char folder[PATH_MAX];
    bool writes;
    sqlite3_stmt *next;             // the answer asked for last
    struct ak_face_finder *finder;  // of drawn boxes; NULL until there is one
    int64_t side, descriptor;       // that it was made for
};

/* Open the catalogue to write, unless it is: who reads answers may lack the
 * permission. */
akin_status ak_answers_write(akin_answers *a, akin_ctx *ctx);
/* Faces have come or left: bring the index up to date, unless another process
 * is changing it, which then does. The answer is on the disk and holds: what
 * goes wrong is logged, but for a lack of memory. */
akin_status ak_answers_index(const akin_answers *a, akin_ctx *ctx);

/* Of an answer that is to be stored: texts that are UTF-8; and the number of
 * that with its key, 0: there is none. */
akin_status ak_answer_check(const ak_catalog *c, akin_ctx *ctx,
                            const akin_answer *x);
akin_status ak_answer_by_key(const ak_catalog *c, akin_ctx *ctx,
                             const char *key, int64_t *number);

/* Names that are other names of a person, however they are written. All zero to
 * begin with. */
typedef struct ak_merges {
    ak_folded_names names;
    int32_t *other;  // of each name; -1: it is the person's own
    int64_t room;
} ak_merges;

akin_status ak_merges_read(ak_merges *out, akin_ctx *ctx, const ak_catalog *c);
/* The name of the person that is called so; borrowed. */
akin_status ak_merged_name(const char **out, akin_ctx *ctx, const ak_merges *m,
                           const char *name);
void ak_merges_free(ak_merges *m);

typedef enum { AK_TOLD_IS, AK_TOLD_IS_NOT, AK_TOLD_NONE } ak_told_kind;

/* An answer that holds, or the name that a face came with, in boxes or XMP
 * (number below 0); `name` belongs to the list, -1: none. */
typedef struct ak_told {
    int64_t number, item, photo;
    ak_told_kind kind;
    int32_t name;
} ak_told;

/* Of faces that are there, by item. All zero to begin with. */
typedef struct ak_told_list {
    ak_told *all;
    int64_t n, room;
    ak_folded_names names;
    int64_t last;  // number of the last answer of all
} ak_told_list;

akin_status ak_told_read(ak_told_list *out, akin_ctx *ctx, const ak_catalog *c);
const char *ak_told_name(const ak_told_list *l, const ak_told *x);
void ak_told_free(ak_told_list *l);

/* As confirmed names of the rows; NULL: there are none. */
akin_status ak_told_confirmed(akin_face_names **out, akin_ctx *ctx,
                              akin_supervision *captions, const ak_told_list *l,
                              const akin_collection *c);

#endif
