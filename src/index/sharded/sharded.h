/* index/sharded/sharded.h - one index in several files, a range of rows each.
 *
 * A folder holds index.safetensors, which has the model and what the shards
 * are, and shard-00000.index and so on, which are ordinary indexes. Row i of a
 * shard is row `first` + i of all. A search asks every shard and keeps the best
 * hits of all, which are those of one index: scores depend on the row alone. */
#ifndef AK_INDEX_SHARDED_SHARDED_H
#define AK_INDEX_SHARDED_SHARDED_H

#include <limits.h>

#include "index/index.h"

#define AK_SHARDED_FILE "index.safetensors"

/* What the file of the folder says of a shard. */
typedef struct ak_shard {
    int64_t number;    // in the name of its file
    int64_t rows;      // never 0
    int64_t bytes;     // of the file
    int64_t checksum;  // of its header, which has those of all it holds
} ak_shard;

typedef struct ak_sharded {
    int64_t n;
    const ak_shard *table;  // n, borrowed from the file or from whoever writes
    akin_index **shards;    // n; NULL: this is only to be written
    char **paths;           // n
    int64_t *first;         // n + 1: rows before each
} ak_sharded;

/* Shard k of a loaded index. */
static inline const akin_index *ak_sharded_at(const akin_index *x, int64_t k)
{
    return ((const ak_sharded *)x->state)->shards[k];
}

/* The file of a shard. EIO where the path is too long. */
akin_status ak_shard_path(char to[PATH_MAX], akin_ctx *ctx, const char *folder,
                          int64_t number);
/* Bytes and checksum of a shard's file. EFORMAT: it cannot be one. */
akin_status ak_shard_measure(ak_shard *s, akin_ctx *ctx, const char *path);

/* Write the file of a folder whose shards are there; `like` is one of them. */
akin_status ak_sharded_write(akin_ctx *ctx, const char *folder,
                             const akin_index *like, const ak_shard *shards,
                             int64_t n);
akin_status ak_sharded_put(const akin_index *x, akin_ctx *ctx, ak_tensors *t);
/* Load the shards, which lie beside the file. */
akin_status ak_sharded_take(akin_index *x, akin_ctx *ctx, const ak_tensors *t);

#endif
