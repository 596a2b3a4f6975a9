/* cluster/codebook.h - k words in d dimensions, and which one a point is.
 *
 * With few words a point is compared with all of them. With many, the words
 * lie in cells around the words of a coarser codebook, and a point is compared
 * with those of the `probe` nearest cells alone. The words of a cell are
 * numbered one after the other, so a cell is one matrix product. */
#ifndef AK_CLUSTER_CODEBOOK_H
#define AK_CLUSTER_CODEBOOK_H

#include "base/ctx.h"
#include "cluster/points.h"
#include "tensors/tensors.h"

typedef struct ak_codebook ak_codebook;
struct ak_codebook {
    int64_t k, d;
    float *at;              // k x d, the words
    float *half;            // k, half the squared length of each
    ak_codebook *cells;     // NULL: one cell
    int64_t *cell_offsets;  // words of cell i: [cell_offsets[i], ..[i + 1])
    int64_t probe;          // cells to look into
};

enum { AK_PROBE_MOST = 256 };

/* Words at the points, one each. */
akin_status ak_codebook_new(ak_codebook **out, akin_ctx *ctx,
                            const ak_points *points);
void ak_codebook_free(ak_codebook *c);
/* Word w has moved. */
void ak_codebook_measure(ak_codebook *c, int64_t w);

/* Put the words into about sqrt(probe k) cells, like to like; they are
 * renumbered by cell. old[w] (unless NULL) is what word w was before.
 * Cells that are there already only follow the words that have moved. */
akin_status ak_codebook_divide(ak_codebook *c, akin_ctx *ctx, int64_t probe,
                               int64_t *old);

/* The nearest word of each point, and (unless NULL) the squared distance to it.
 * Words nearly as near may be taken for it: distances are compared in float. */
akin_status ak_codebook_assign(const ak_codebook *c, akin_ctx *ctx,
                               const ak_points *points, int32_t *word,
                               float *distance);

akin_status ak_codebook_put(const ak_codebook *c, akin_ctx *ctx, ak_tensors *t);
/* EFORMAT: the tensors do not make a codebook. */
akin_status ak_codebook_take(ak_codebook **out, akin_ctx *ctx,
                             const ak_tensors *t);

#endif
