/* data/io/csr.h - rows from compressed sparse rows or columns (CSR, CSC), as
 * other programs write them. */
#ifndef AK_DATA_IO_CSR_H
#define AK_DATA_IO_CSR_H

#include "data/rows.h"

typedef struct ak_csr {
    int64_t n, d;     // rows and columns, whichever are compressed
    bool by_column;   // compressed columns
    int64_t count;    // of indices and values
    int64_t *starts;  // n + 1, or d + 1
    int32_t *index;   // columns, or rows
    float *vals;
} ak_csr;

/* Checks everything; sorts what is out of order, drops zeros, refuses repeats
 * and what is not finite. Messages start with `name`. Takes the arrays,
 * also when it fails. */
akin_status ak_rows_from_csr(akin_rows **out, akin_ctx *ctx, const char *name,
                             ak_csr *c);
void ak_csr_free(ak_csr *c);

#endif
