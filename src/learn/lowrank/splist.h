/* learn/lowrank/splist.h - sparse vectors, one after the other. How many there
 * are is for the owner to know: of two lists filled together one may be ahead
 * after a failure. */
#ifndef AK_LEARN_LOWRANK_SPLIST_H
#define AK_LEARN_LOWRANK_SPLIST_H

#include "learn/learner.h"
#include "learn/lowrank/spvec.h"

typedef struct ak_splist {
    int64_t *start;  // one more than there are vectors
    int32_t *cols;
    double *vals;
    int64_t n_room, room;
} ak_splist;

void ak_splist_free(ak_splist *l, akin_ctx *ctx);
/* eta v as vector number i; the ones before it are there. */
akin_status ak_splist_put(ak_splist *l, akin_ctx *ctx, int64_t i, double eta,
                          ak_spvec v);
ak_spvec ak_splist_at(const ak_splist *l, int64_t i);

/* The first `count` in a file: NAME, NAME.cols, NAME.start. Put lists in the
 * order of their names: empty tensors have no other order in a file. */
akin_status ak_splist_save(const ak_splist *l, akin_ctx *ctx, ak_tensors *t,
                           const char *name, int64_t count);
/* Into an empty list; EFORMAT when a column is n or more. */
akin_status ak_splist_load(ak_splist *l, akin_ctx *ctx, const ak_tensors *t,
                           const char *name, int64_t n, int64_t *count);

#endif
