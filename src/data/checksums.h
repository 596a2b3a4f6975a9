/* data/checksums.h - checksums of rows, to recognise rows again.
 *
 * A checksum has 32 bits and depends on the columns and values that are not 0:
 * not on the layout, the order of the rows, or their labels. That of a row that
 * went through a recipe is that of the raw row, since recipes make different
 * rows equal. Of a large set a
 * sample is kept: the checksums that begin with `level` zero bits, with the
 * least level that leaves AK_CHECKSUMS_MOST or fewer. Rows are sampled by their
 * content, so the same rule applied to other rows compares like with like. */
#ifndef AK_DATA_CHECKSUMS_H
#define AK_DATA_CHECKSUMS_H

#include "data/rows.h"
#include "tensors/tensors.h"

enum { AK_CHECKSUMS_MOST = 1 << 16 };

/* All zero: nothing is known. */
typedef struct ak_checksums {
    bool known;
    int64_t level;
    int64_t n;
    uint32_t *sums;  // n, increasing
    /* Of all rows of the data, whether used or not: how many there are, and how
     * many of them equal another one. */
    int64_t rows, repeated;
} ak_checksums;

/* How many of some rows are in a set. */
typedef struct ak_checksum_matches {
    int64_t sampled;  // rows that the rule of the set samples
    int64_t found;    // of these
} ak_checksum_matches;

/* The checksum of each row. */
akin_status ak_rows_checksums(uint32_t **out, akin_ctx *ctx,
                              const akin_rows *rows);

/* Of the rows with a flag in `used`; NULL: of all. */
akin_status ak_checksums_of(ak_checksums *out, akin_ctx *ctx,
                            const akin_rows *rows, const unsigned char *used);
/* Add those of another set; counts of rows stay. */
akin_status ak_checksums_join(ak_checksums *to, akin_ctx *ctx,
                              const ak_checksums *other);
akin_status ak_checksums_copy(ak_checksums *to, akin_ctx *ctx,
                              const ak_checksums *from);
void ak_checksums_free(ak_checksums *c);
/* Of the rows with a flag in `used`; NULL: of all. */
akin_status ak_checksums_match(ak_checksum_matches *out, akin_ctx *ctx,
                               const ak_checksums *c, const akin_rows *rows,
                               const unsigned char *used);

/* As part of a larger file, under `prefix`, borrowed; nothing where nothing is
 * known. */
akin_status ak_checksums_put(const ak_checksums *c, akin_ctx *ctx,
                             ak_tensors *t, const char *prefix);
akin_status ak_checksums_take(ak_checksums *c, akin_ctx *ctx,
                              const ak_tensors *t, const char *prefix);

#endif
