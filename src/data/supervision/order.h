/* data/supervision/order.h - the rows that have a label, shuffled anew in each
 * pass.
 *
 * Number t of the order is a function of the seed, the rows and t alone, so
 * that a run can be taken up again anywhere. */
#ifndef AK_DATA_SUPERVISION_ORDER_H
#define AK_DATA_SUPERVISION_ORDER_H

#include "base/rng.h"
#include "data/supervision/supervision.h"

typedef struct ak_order {
    ak_rng root;
    int64_t n;       // rows in a pass
    int64_t *rows;   // rising
    int64_t *order;  // of the pass that was drawn from last
    int64_t pass;    // its number, -1: none
} ak_order;

/* EINVAL unless the supervision is labels, and of two kinds or more. */
akin_status ak_order_new(ak_order **out, akin_ctx *ctx,
                         const akin_supervision *s);
void ak_order_free(ak_order *o);
/* Rows number `from` to `from + count`. */
void ak_order_draw(ak_order *o, int64_t from, int64_t count, int64_t *rows);

#endif
