/* naming/decoys.h - faces beside names that are surely not theirs; inside
 * naming/ alone.
 *
 * Some photos are given the names of another photo. What votes such a name
 * gets for a face is what any wrong name gets, and against it the votes for
 * the names of a caption are judged. */
#ifndef AK_NAMING_DECOYS_H
#define AK_NAMING_DECOYS_H

#include "naming/assign.h"

typedef struct ak_decoy {
    int32_t face;
    int32_t name;
    int64_t other;       // the photo that the name is of; it is left out of the
                         // votes, as the own photo of a face is
    int64_t mention;     // place of the name among the names of all captions
    int64_t first, end;  // its voters
} ak_decoy;

typedef struct ak_decoys {
    int64_t n;
    ak_decoy *list;
    int32_t *voters;        // faces whose captions have the name
    int32_t *places;        // of the voters among the peers of the face
    ak_shared_names peers;  // of faces with decoys: all their voters
    ak_affinity affinity;   // values NULL: none
} ak_decoys;

/* Chooses decoys by the captions alone; scratch memory. */
akin_status ak_decoys_choose(ak_decoys *out, akin_ctx *ctx,
                             const ak_shared_names *peers);

#endif
