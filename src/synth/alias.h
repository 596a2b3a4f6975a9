/* synth/alias.h - draws from a table of frequencies, in constant time.
 *
 *   Walker. An efficient method for generating discrete random variables with
 *   general distributions. ACM TOMS 3(3), 1977; built as Vose (1991) does. */
#ifndef AK_SYNTH_ALIAS_H
#define AK_SYNTH_ALIAS_H

#include "base/ctx.h"
#include "base/rng.h"

/* Cell i gives i with probability own / 2^32 and `other` otherwise. */
typedef struct ak_alias_cell {
    uint32_t own;
    int32_t other;
} ak_alias_cell;

typedef struct ak_alias {
    int64_t n;
    ak_alias_cell *cells;
} ak_alias;

/* From n weights, not negative and not all 0, which are overwritten. Uses
 * scratch memory of the context. */
akin_status ak_alias_new(ak_alias *out, akin_ctx *ctx, int64_t n,
                         double *weights);

/* The upper half of a wide product chooses the cell, the lower the side. */
static inline int32_t ak_alias_draw(const ak_alias *a, ak_rng *r)
{
    const ak_u128 wide = (ak_u128)ak_rng_next(r) * (uint64_t)a->n;
    const int32_t i = (int32_t)(wide >> 64);
    const ak_alias_cell c = a->cells[i];
    return (uint32_t)((uint64_t)wide >> 32) < c.own ? i : c.other;
}

#endif
