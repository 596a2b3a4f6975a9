/* data/captions/bags.h - captioned photos: faces with candidate names. */
#ifndef AK_DATA_CAPTIONS_BAGS_H
#define AK_DATA_CAPTIONS_BAGS_H

#include "data/io/source.h"
#include "data/supervision/supervision.h"

/* Captions, as CSV with a header that names the columns photo, faces and
 * names, or as JSON lines with these keys. Faces are rows below n_rows. */
akin_status ak_bags_read(ak_bags **out, akin_ctx *ctx, ak_source *source,
                         int64_t n_rows);
/* JSON lines when the path ends so, else CSV. */
akin_status ak_bags_write(akin_ctx *ctx, const ak_bags *bags, const char *path);
/* Each of n_rows rows a photo of its own, with all of these names. */
akin_status ak_bags_anyone(ak_bags **out, akin_ctx *ctx, int64_t n_rows,
                           int64_t n_names, const char *const *names);
/* Of these rows, which photo shows which, and the names of each caption; what
 * photos are called does not count. */
uint64_t ak_bags_checksum(const ak_bags *bags, const akin_rows *rows);
/* Of one photo: what it is called, the rows of its faces, and its names. */
uint64_t ak_bags_photo_checksum(const ak_bags *bags, const akin_rows *rows,
                                int64_t photo);
/* The photos i with flags[i] == wanted; all names are kept. */
akin_status ak_bags_select(ak_bags **out, akin_ctx *ctx, const ak_bags *bags,
                           const unsigned char *flags, int wanted);
/* Leaves out names that fewer than `least` captions have, and photos then
 * without a name: these become *dropped. */
akin_status ak_bags_drop_rare(ak_bags *bags, akin_ctx *ctx, int64_t least,
                              char ***dropped, int64_t *n_dropped);
void ak_bags_free(ak_bags *bags);

#endif
