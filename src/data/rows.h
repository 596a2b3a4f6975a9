/* data/rows.h - what rows are made of.
 *
 * Dense rows are n x d float, row-major; sparse ones CSR with 64-bit offsets,
 * 32-bit columns that rise within a row, float values, no explicit zeros.
 * Values are finite: readers see to it. */
#ifndef AK_DATA_ROWS_H
#define AK_DATA_ROWS_H

#include <akin/data.h>

#include "base/ctx.h"
#include "data/columns.h"

enum { AK_PREPARED_SIZE = 256 };

/* Arrays of rows that belong to the caller; nobody writes to them. */
enum { AK_LENT_OFFSETS = 1, AK_LENT_COLS = 2, AK_LENT_VALS = 4 };

struct akin_rows {
    int64_t n, d;
    int64_t *offsets;  // n + 1; NULL: dense
    int32_t *cols;     // offsets[n]
    float *vals;       // offsets[n], or n * d

    int64_t *label_offsets;  // n + 1; NULL: no labels
    int32_t *labels;         // label_offsets[n], increasing within a row
    char **label_names;      // owned, each allocated separately; added
                             // by ak_names_add_label: one text a number
    int64_t n_label_names;
    char *label_column;  // csv: the name of their column; NULL: none

    ak_columns columns;  // names of the d columns, as far as they have any

    char prepared[AK_PREPARED_SIZE];  // the recipe they went through: its
                                      // fingerprint and words; "": none
    uint32_t *raw_sums;  // n, checksums of the rows before a recipe; NULL: they
                         // went through none

    int64_t *groups;  // n, the qid of svmlight, -1 none; NULL: no groups
    int64_t index_base;

    unsigned lent;  // arrays that are the caller's: AK_LENT_... or-ed
    void (*release)(void *user);  // of these arrays; NULL: nothing to call
    void *release_user;
};

/* A sparse row, borrowed. */
typedef struct ak_sparse {
    int64_t n;
    const int32_t *cols;
    const float *vals;
} ak_sparse;

static inline ak_sparse ak_rows_sparse(const akin_rows *r, int64_t i)
{
    const int64_t at = r->offsets[i];
    return (ak_sparse){r->offsets[i + 1] - at, r->cols + at, r->vals + at};
}

static inline const float *ak_rows_dense(const akin_rows *r, int64_t i)
{
    return r->vals + i * r->d;
}

/* An empty object that owns nothing yet; free with akin_rows_free, which
 * releases whatever arrays have been put in by then (all from ctx). */
akin_status ak_rows_new(akin_rows **out, akin_ctx *ctx, int64_t n, int64_t d);

/* EINVAL unless the numbers are in range, n rows of d columns. */
akin_status ak_rows_check_shape(akin_ctx *ctx, int64_t n, int64_t d);
/* EINVAL "row 3, column 2 is not finite". */
akin_status ak_rows_not_finite(akin_ctx *ctx, int64_t row, int64_t column);

/* Row i with all its zeros: borrowed, or written to `room` of d floats. */
const float *ak_rows_full(const akin_rows *r, int64_t i, float *room);

/* The rows of several parts one after another, without labels; a part may be
 * NULL. ESHAPE: some are dense and some sparse, or dense ones differ in
 * width. */
akin_status ak_rows_join(akin_rows **out, akin_ctx *ctx,
                         const akin_rows *const *parts, int64_t n_parts);

/* Copy the labels of `from`, of its rows `which` (NULL: all), to `to`. */
akin_status ak_rows_copy_labels(akin_rows *to, akin_ctx *ctx,
                                const akin_rows *from, const int64_t *which);

/* The same of its groups. */
akin_status ak_rows_copy_groups(akin_rows *to, akin_ctx *ctx,
                                const akin_rows *from, const int64_t *which);

/* Move the labels of `from`, which has as many rows, to `to`. */
void ak_rows_take_labels(akin_rows *to, akin_rows *from);

/* Do rows i of a and j of b share a label? `map` takes label numbers of a to
 * those of b (-1: none), NULL when both have the same names. */
bool ak_rows_share_label(const akin_rows *a, int64_t i, const akin_rows *b,
                         int64_t j, const int32_t *map);
/* Such a map by name, from scratch. Warns when both have labels and share
 * none. */
akin_status ak_rows_label_map(akin_ctx *ctx, const akin_rows *a,
                              const akin_rows *b, int32_t **map);

#endif
