/* data/io/parts.h - the files that a path stands for.
 *
 * A path with *, ? or [ that no file is called by is a pattern: the files that
 * match it, in the order of the bytes of their names, are read as if they were
 * one. Each is a whole file of its format, with a header of its own where the
 * format has one; a file of no bytes is a part without rows. */
#ifndef AK_DATA_IO_PARTS_H
#define AK_DATA_IO_PARTS_H

#include "data/io/formats.h"

bool ak_path_is_pattern(const char *path);

typedef struct ak_parts {
    char **paths;    // each allocated separately
    int64_t *bytes;  // n + 1, where the bytes of each begin among all
    int64_t n;
} ak_parts;

/* Of a pattern, or of one file. ENOENT: there is none. */
akin_status ak_parts_find(ak_parts *parts, akin_ctx *ctx, const char *path);
void ak_parts_free(ak_parts *parts);

/* The rows of a shard of the bytes of all parts, NULL when it has none. Shards
 * are of the same size but for the last row of each; what cannot be cut is in
 * the shard that has its first byte. */
akin_status ak_parts_read(akin_rows **out, akin_ctx *ctx, const ak_parts *parts,
                          const akin_read_options *o, int64_t shard,
                          int64_t n_shards);

#endif
