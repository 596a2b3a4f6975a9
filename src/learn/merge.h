/* learn/merge.h - one state from ranks that learned from examples of their own.
 *
 * A state has rows of numbers, which all ranks have alike after a merge. A rank
 * sends the rows that it has changed since: their numbers, and the changes. All
 * ranks add these, in the order of the ranks:
 *
 *   x = before + sum over ranks r of (x_r - before)             (1)
 *
 * Sums of gradients add up to what one rank would have, up to rounding. For
 * weights, (1) is the sum of steps that did not see each other. */
#ifndef AK_LEARN_MERGE_H
#define AK_LEARN_MERGE_H

#include "base/ctx.h"

/* Rows of a state, and how they were after the last merge. */
typedef struct ak_merge_rows {
    int64_t n, width;  // rows, and numbers in each
    double *now;       // n x width
    double *before;    // the same; NULL until ak_merge_begin
} ak_merge_rows;

/* Take the rows as those that all ranks have. */
akin_status ak_merge_begin(ak_merge_rows *m, akin_ctx *ctx);
void ak_merge_end(ak_merge_rows *m);

/* What a learner does with row i; `arg` is its own. */
typedef void (*ak_merge_fn)(const void *arg, int64_t i, double *x);

/* Changes of all ranks; scratch memory. */
typedef struct ak_changes {
    int64_t n;  // rows, some more than once
    const unsigned char *records;
} ak_changes;

/* Collect the changes. `settle`, or NULL, is applied to a copy of a changed row
 * and to a copy of what it was before; `map`, or NULL, to their difference. */
akin_status ak_merge_collect(ak_changes *c, akin_ctx *ctx,
                             const ak_merge_rows *m, ak_merge_fn settle,
                             ak_merge_fn map, const void *arg);
/* Undo the changes of this rank. */
void ak_merge_undo(const ak_changes *c, const ak_merge_rows *m);
/* Add those of all ranks. `settle`, or NULL, comes before, `finish`, or NULL,
 * after all of a row. */
void ak_merge_add(const ak_changes *c, const ak_merge_rows *m,
                  ak_merge_fn settle, ak_merge_fn finish, const void *arg);

/* (1) for n numbers. */
akin_status ak_merge_sums(akin_ctx *ctx, int64_t n, const double *before,
                          double *x);

#endif
