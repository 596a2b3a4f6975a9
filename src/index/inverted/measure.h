/* index/inverted/measure.h - sizes of rows: sums, scales, norms and bounds.
 *
 * From the rows that are added, or from the postings of all rows: in both, a
 * row's entries are summed by increasing column, so that the bits are the
 * same. */
#ifndef AK_INDEX_INVERTED_MEASURE_H
#define AK_INDEX_INVERTED_MEASURE_H

#include "index/inverted/inverted.h"

/* Do weights and recipe need s_i, and a square norm beside the absolute one? */
bool ak_inverted_has_sum(const ak_inverted *v);
bool ak_inverted_has_self(const ak_inverted *v, int64_t d);

/* Of rows after those already there, of d columns; and raise most[2 j],
 * most[2 j + 1] to the largest |x_ij| and cosine of each column. ENUMERIC: a
 * value is too large for a float. */
akin_status ak_inverted_measure_rows(ak_inverted *v, akin_ctx *ctx,
                                     const akin_rows *rows, int64_t d,
                                     float *most);

/* New bands, in place of those of `v`, which are not released. */
akin_status ak_inverted_measure_bands(ak_inverted *v, akin_ctx *ctx);

/* Of all rows, by the postings: `to`, a copy of an index with other weights or
 * another recipe, gets new arrays and does not own the old ones. Sums, scales
 * and bands stay unless `rescale`. On failure there are none. */
akin_status ak_inverted_measure(ak_inverted *to, akin_ctx *ctx, int64_t d,
                                bool rescale);
/* Release the arrays that it made. */
void ak_inverted_unmeasure(ak_inverted *v, bool rescale);

#endif
