/* index/inverted/block_checks.h - checksums of the blocks of a mapped file.
 *
 * A file is not read as a whole when it is opened: a block is verified when it
 * is first used, by any thread. */
#ifndef AK_INDEX_INVERTED_BLOCK_CHECKS_H
#define AK_INDEX_INVERTED_BLOCK_CHECKS_H

#include <stdatomic.h>

#include "tensors/tensors.h"

typedef struct ak_block_checks {
    const ak_tensors *file;
    const uint32_t *sums;        // n blocks
    _Atomic int64_t bad;         // a damaged block, -1: none known
    _Atomic uint64_t *verified;  // a bit per block
} ak_block_checks;

akin_status ak_block_checks_new(ak_block_checks **out, akin_ctx *ctx,
                                const ak_tensors *file, const uint32_t *sums,
                                int64_t n);
void ak_block_checks_free(ak_block_checks *c);

/* Block b is damaged. */
void ak_block_checks_blame(ak_block_checks *c, int64_t b);
/* Compare the data of block b with its checksum; false: damaged. */
bool ak_block_checks_verify(ak_block_checks *c, int64_t b, const void *data,
                            size_t bytes);
static inline bool ak_block_checks_verified(const ak_block_checks *c, int64_t b)
{
    return atomic_load_explicit(&c->verified[b / 64], memory_order_relaxed) >>
               b % 64 &
           1;
}

#endif
