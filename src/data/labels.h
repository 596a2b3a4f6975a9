/* data/labels.h - names of labels: matched, and kept in files. */
#ifndef AK_DATA_LABELS_H
#define AK_DATA_LABELS_H

#include "data/names.h"
#include "tensors/tensors.h"

/* map[k] = the position of from[k] in `to`, -1: none. Scratch memory. */
akin_status ak_label_map(akin_ctx *ctx, int64_t n_from, char *const *from,
                         int64_t n_to, char *const *to, int32_t **map);

/* EINVAL: a name has a line break or is not UTF-8, and no file could keep
 * it. */
akin_status ak_label_names_check(akin_ctx *ctx, int64_t n, char *const *names);
/* The note "label_names", separated by newlines. EINVAL as above. */
akin_status ak_label_names_put(ak_tensors *t, akin_ctx *ctx, int64_t n,
                               char *const *names);
/* n texts, each allocated separately. EFORMAT: the note is not there, or
 * has a name twice. */
akin_status ak_label_names_take(char ***texts, int64_t *n, akin_ctx *ctx,
                                const ak_tensors *t);

#endif
