/* tests/support.h - what many test programs need. */
#ifndef AKIN_TESTS_SUPPORT_H
#define AKIN_TESTS_SUPPORT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/ctx.h"
#include "base/rng.h"
#include "data/rows.h"

/* A context as the state of a group of cases. */
static inline int support_set_up(void **state)
{
    akin_ctx *ctx = NULL;
    const akin_status st = akin_ctx_new(&ctx, NULL);
    *state = ctx;
    return st != AKIN_OK;
}

static inline int support_tear_down(void **state)
{
    akin_ctx_free(*state);
    return 0;
}

/* Bags of words in classes: `nnz` words a row, each class prefers its own. */
static inline akin_rows *class_rows(akin_ctx *ctx, uint64_t seed, int64_t n,
                                    int64_t d, int64_t nnz, int64_t classes)
{
    ak_rng rng = ak_rng_new(seed, AK_STREAM_SYNTH);
    akin_rows *rows = NULL;
    int64_t *offsets = calloc((size_t)n + 1, sizeof *offsets);
    int32_t *cols = calloc((size_t)(n * nnz), sizeof *cols);
    int32_t *labels = calloc((size_t)n, sizeof *labels);
    float *vals = calloc((size_t)(n * nnz), sizeof *vals);
    char names[16][4];
    const char *name_list[16];
    int64_t at = 0;
    for (int64_t i = 0; i < n; ++i) {
        unsigned char used[1024] = {0};
        labels[i] = (int32_t)(i % classes);
        for (int64_t k = 0; k < nnz; ++k) {
            int64_t j = ak_rng_below(&rng, d);
            if (ak_rng_unit(&rng) < 0.6)
                j = j / classes * classes + labels[i];
            used[j < d ? j : d - 1] = 1;
        }
        for (int64_t j = 0; j < d; ++j)
            if (used[j]) {
                cols[at] = (int32_t)j;
                vals[at++] = (float)(0.2 + ak_rng_unit(&rng));
            }
        offsets[i + 1] = at;
    }
    for (int64_t c = 0; c < classes; ++c) {
        snprintf(names[c], sizeof names[c], "%d", (int)c);
        name_list[c] = names[c];
    }
    if (akin_rows_new_sparse(&rows, ctx, n, d, offsets, cols, vals) == AKIN_OK)
        if (akin_rows_set_labels(ctx, rows, labels, name_list, classes) !=
            AKIN_OK) {
            akin_rows_free(rows);
            rows = NULL;
        }
    free(offsets);
    free(cols);
    free(vals);
    free(labels);
    return rows;
}

#endif
