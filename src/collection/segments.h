/* collection/segments.h - the index of a collection, in files.
 *
 * A segment is an index over some of the items; together they have each item
 * once. Its file never changes. Items that come later go into a new segment,
 * which may replace small ones; in small collections it replaces all of them.
 * A reader uses the segments of its snapshot, whose files stay readable to it
 * when they are removed. */
#ifndef AK_COLLECTION_SEGMENTS_H
#define AK_COLLECTION_SEGMENTS_H

#include <akin/index.h>

#include "collection/versions.h"

/* An opened segment. */
typedef struct ak_segment {
    int64_t id, n;
    int64_t version;      // whose model it has
    int32_t *ids;         // n items, increasing
    unsigned char *dead;  // n; NULL: none of them is
    akin_index *x;
} ak_segment;

/* "COLLECTION/segments/12.safetensors" */
akin_status ak_segment_path(const ak_catalog *c, akin_ctx *ctx, int64_t id,
                            char path[PATH_MAX]);

/* Those of the version, under its model (NULL: version 0). What is open
 * already, `old`, is used again and taken from there. AKIN_ENOENT: a file was
 * removed since the snapshot was taken; take a new one. */
akin_status ak_segments_open(ak_segment **out, int64_t *n, akin_ctx *ctx,
                             const ak_catalog *c, const ak_version *v,
                             const akin_model *model, ak_segment *old,
                             int64_t n_old);
void ak_segments_free(ak_segment *segments, int64_t n);
/* The status, where a file is lost or damaged with what helps in the message.
 */
akin_status ak_segment_fail(const ak_catalog *c, akin_ctx *ctx, akin_status st,
                            int64_t version);

/* Index the items that wait. */
akin_status ak_segments_update(const ak_catalog *c, akin_ctx *ctx);
/* The same inside of a transaction that the caller has begun. */
akin_status ak_segments_fill(const ak_catalog *c, akin_ctx *ctx);

/* Use a version from now on, with its model (NULL: 0). Weights alone are
 * exchanged where the segments can stay; otherwise, and for the version that is
 * in use, they are built again. */
akin_status ak_segments_switch(const ak_catalog *c, akin_ctx *ctx,
                               const ak_version *v, const akin_model *model);

#endif
