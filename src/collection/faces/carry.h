/* collection/faces/carry.h - what people said of faces, from a collection to
 * the one that replaces it. */
#ifndef AK_COLLECTION_FACES_CARRY_H
#define AK_COLLECTION_FACES_CARRY_H

#include "collection/catalog.h"

/* All zero to begin with. */
typedef struct ak_carried {
    ak_catalog old;
    bool is_open;
} ak_carried;

/* Before the collection at the path is locked to be replaced. One that cannot
 * be read, or has no faces, has nothing to carry. */
akin_status ak_carry_begin(ak_carried *x, akin_ctx *ctx, const char *path,
                           bool force);
/* Before photos come to the new collection: what keeps removed persons away,
 * and corrections of captions, which wait for their photos. Inside of a
 * transaction. */
akin_status ak_carry_captions(const ak_carried *x, akin_ctx *ctx,
                              const ak_catalog *to);
/* All answers but corrections of captions, and the places of the faces: a face
 * that comes to such a place later is that one. Of faces that are there
 * already, one with the same vector in the same photo is. Inside of a
 * transaction. */
akin_status ak_carry_put(const ak_carried *x, akin_ctx *ctx,
                         const ak_catalog *to);
void ak_carry_end(ak_carried *x);

#endif
