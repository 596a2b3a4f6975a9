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
    bool is_in_span;   // columns keep their scale, and the covariance is shrunk
                       // towards a multiple of I in the span of the rows
    int64_t rank;      // of B at most; 0: all

    double used;    // written: the shrinkage,
    int64_t k;      // the directions,
    double *B;      // and they, d x k; as all of these in scratch memory
    double *mean;   // of the rows: d,
    double *means;  // of the classes, less that, as B takes them: classes x d,
    double *mass;   // and their rows: classes
    int64_t t;      // of is_in_span: T, d x t, makes the covariance within
    double *T;      // classes I
} ak_lda;

/* EINVAL: the rows of all classes have the same mean. */
akin_status ak_lda_directions(ak_lda *p, akin_ctx *ctx);

#endif
