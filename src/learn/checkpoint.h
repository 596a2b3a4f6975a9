/* learn/checkpoint.h - the state of a run in a file, and on from there.
 *
 * The file has notes of what the run is: learner, options, seed, data, version,
 * and its position. Tensors "SECTION.NAME" are the numbers of
 * base/checkpoint.h; those of an online learner are under "online.". Rank 0
 * reads and writes it. */
#ifndef AK_LEARN_CHECKPOINT_H
#define AK_LEARN_CHECKPOINT_H

#include "base/checkpoint.h"
#include "learn/learner.h"

#define AK_CHECKPOINT_ONLINE "online."

typedef struct ak_checkpoint_file {
    ak_checkpoint head;  // must be first
    const char *path;
    const ak_learner *learner;
    const akin_options *options;
    uint64_t data;      // fingerprint
    int64_t every, at;  // iterations or examples
    ak_tensors *found;  // what the file had; NULL: there was none
    int64_t left;       // numbers of it that were not restored
} ak_checkpoint_file;

/* EINVAL: the learner has none, or the file is of another run; EFORMAT: it is
 * damaged. Close it also then. */
akin_status ak_checkpoint_open(ak_checkpoint_file *c, akin_ctx *ctx,
                               const akin_checkpoint_options *o,
                               const ak_learner *learner,
                               const akin_options *options,
                               const akin_supervision *data);
/* All sections as they are, and the state of an online learner, if any. */
akin_status ak_checkpoint_write(const ak_checkpoint_file *c, akin_ctx *ctx,
                                const ak_tensors *online);
/* EFORMAT: the file had more than the run asked for. */
akin_status ak_checkpoint_check(const ak_checkpoint_file *c, akin_ctx *ctx);
void ak_checkpoint_close(ak_checkpoint_file *c);

#endif
