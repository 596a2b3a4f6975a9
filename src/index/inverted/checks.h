/* index/inverted/checks.h - checksums of blocks that lie in a mapped file.
 *
 * A file is not read as a whole when it is opened: a block is compared with its
 * checksum when it is first used. Any number of threads may do so. */
#ifndef AK_INDEX_INVERTED_CHECKS_H
#define AK_INDEX_INVERTED_CHECKS_H

#include <stdatomic.h>

#include "tensors/tensors.h"

typedef struct ak_checks {
    const ak_tensors *file;
    const uint32_t *sums;    // n blocks
    _Atomic int64_t bad;     // one that is damaged, -1: none is known
    _Atomic uint64_t *seen;  // a bit for each that is right
} ak_checks;

akin_status ak_checks_new(ak_checks **out, akin_ctx *ctx,
                          const ak_tensors *file, const uint32_t *sums,
                          int64_t n);
void ak_checks_free(ak_checks *c, const akin_allocator *a);

static inline bool ak_checks_seen(const ak_checks *c, int64_t b)
{
    return atomic_load_explicit(&c->seen[b / 64], memory_order_relaxed) >>
               b % 64 &
           1;
}
/* Compare block b, which has these bytes. */
bool ak_checks_look(ak_checks *c, int64_t b, const void *data, size_t bytes);
/* Block b is damaged in some other way. */
void ak_checks_blame(ak_checks *c, int64_t b);

#endif
