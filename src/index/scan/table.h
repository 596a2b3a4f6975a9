/* index/scan/table.h - sparse rows times a table of AK_SCAN_QUERIES columns. */
#ifndef AK_INDEX_SCAN_TABLE_H
#define AK_INDEX_SCAN_TABLE_H

#include <stdint.h>

typedef struct ak_table_rows {
    int64_t *offsets;
    int32_t *cols;
    float *vals;
} ak_table_rows;

/* out[t * stride + i] = sum_k vals[k] table[cols[k]][t] over the entries k of
 * row i, in their order, for begin <= i < end. The table is aligned to 64
 * bytes. Every processor gives the same bits. */
void ak_table_dot(const ak_table_rows *r, const double *table, int64_t begin,
                  int64_t end, double *out, int64_t stride);

#endif
