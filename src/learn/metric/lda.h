/* learn/metric/lda.h - directions that separate classes. */
#ifndef AK_LEARN_METRIC_LDA_H
#define AK_LEARN_METRIC_LDA_H

#include "base/ctx.h"
#include "data/rows.h"

/* Rows and the classes that they belong to. */
typedef struct ak_lda {
    int64_t n, d;
    double *X;             // n x d; centred and scaled afterwards
    const int64_t *which;  // number of each in `rows`, whose labels they have
    const akin_rows *rows;
    double shrinkage;  // below 0: by the rule of Ledoit and Wolf
    bool is_weighted;  // directions by how well they separate
    int64_t rank;      // of B at most; 0: all

    double used;  // written: the shrinkage,
    int64_t k;    // the directions,
    double *B;    // and they, d x k, in scratch memory
} ak_lda;

/* EINVAL: the rows of all classes have the same mean. */
akin_status ak_lda_directions(ak_lda *p, akin_ctx *ctx);

#endif
