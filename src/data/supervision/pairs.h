/* data/supervision/pairs.h - pairs of rows that match or do not, given one by
 * one or as a grid: every left row with every right row, where the labels
 * decide. */
#ifndef AK_DATA_SUPERVISION_PAIRS_H
#define AK_DATA_SUPERVISION_PAIRS_H

#include "data/supervision/supervision.h"

/* One side of a grid: the rows that have labels, and these. */
typedef struct ak_grid_side {
    int64_t n;
    int64_t *rows;     // their numbers, increasing
    int64_t *offsets;  // n + 1
    int32_t *labels;   // of rows[a]: labels[offsets[a]..[a + 1]), numbers that
                       // mean the same on both sides, increasing
    int32_t *classes;  // the one label of each; NULL: some have several
} ak_grid_side;

/* Pairs of a supervision. All arrays are borrowed or scratch. */
typedef struct ak_pairs {
    const akin_rows *left, *right;  // the same rows twice where there is one
                                    // side only
    int64_t count, n_match;         // pairs; of them those that match
    double weight[2];               // of a pair that does not match, and of one
                                    // that does; their mean over all pairs is 1
    const int64_t *numbers;         // given: i, j and 1 or -1 of each pair
    bool is_grid;                   // or all of side[0] x side[1]
    ak_grid_side side[2];
    int64_t n_labels;  // names on either side
} ak_pairs;

/* EINVAL where there are no pairs, where all match or none does, and where a
 * side of a grid has no labels. Needs a scratch mark of the caller. */
akin_status ak_pairs_of(ak_pairs *out, akin_ctx *ctx,
                        const akin_supervision *s);
/* The same for a learner that is content with pairs that match. */
akin_status ak_pairs_matching(ak_pairs *out, akin_ctx *ctx,
                              const akin_supervision *s);

/* EINVAL where all rows of one side of a grid have the same labels, for a
 * learner of dot products of centred rows: their sum is 0 there. */
akin_status ak_pairs_differ(const ak_pairs *p, akin_ctx *ctx);

/* The rows of one set whose labels are known, as a side of a grid. EINVAL:
 * there are none. */
akin_status ak_grid_side_of(ak_grid_side *out, akin_ctx *ctx,
                            const akin_supervision *s);

static inline const char *ak_side_name(int side)
{
    return side == 0 ? "left" : "right";
}

/* Of a grid: do row number a of the left side and b of the right match? */
static inline bool ak_pairs_match(const ak_pairs *p, int64_t a, int64_t b)
{
    const ak_grid_side *x = &p->side[0], *y = &p->side[1];
    int64_t i = x->offsets[a], j = y->offsets[b];
    while (i < x->offsets[a + 1] && j < y->offsets[b + 1]) {
        if (x->labels[i] == y->labels[j])
            return true;
        if (x->labels[i] < y->labels[j])
            ++i;
        else
            ++j;
    }
    return false;
}

/* Pair number t, of a list or a grid: its left row, its right row, and whether
 * they match. */
static inline bool ak_pairs_at(const ak_pairs *p, int64_t t, int64_t *i,
                               int64_t *j)
{
    if (!p->is_grid) {
        *i = p->numbers[3 * t];
        *j = p->numbers[3 * t + 1];
        return p->numbers[3 * t + 2] > 0;
    }
    const int64_t a = t / p->side[1].n, b = t % p->side[1].n;
    *i = p->side[0].rows[a];
    *j = p->side[1].rows[b];
    return ak_pairs_match(p, a, b);
}

#endif
