/* data/kernel.h - kernels between rows, dense or sparse.
 *
 *   linear         x'y
 *   rbf            exp(-gamma |x - y|^2)
 *   laplacian      exp(-gamma |x - y|)
 *   poly           (gamma x'y + coef)^degree
 *   chi2           exp(-gamma sum_j (x_j - y_j)^2 / (x_j + y_j))
 *   intersection   sum_j min(x_j, y_j)
 *
 * chi2 and intersection are for histograms: no number may be below 0. */
#ifndef AK_DATA_KERNEL_H
#define AK_DATA_KERNEL_H

#include "data/rows.h"

typedef enum {
    AK_KERNEL_LINEAR,
    AK_KERNEL_RBF,
    AK_KERNEL_POLY,
    AK_KERNEL_CHI2,
    AK_KERNEL_INTERSECTION,
    AK_KERNEL_LAPLACIAN,
    AK_KERNEL_COUNT
} ak_kernel_kind;

typedef struct ak_kernel {
    ak_kernel_kind kind;
    double gamma;  // 0: chosen by ak_kernel_fit
    double coef;
    int64_t degree;
} ak_kernel;

extern const char *const ak_kernel_words[AK_KERNEL_COUNT];
/* AK_KERNEL_COUNT: there is no such word. */
ak_kernel_kind ak_kernel_find(const char *word);

/* Fill in a gamma of 0: one over the median of |x - y|^2 (rbf), of the
 * chi-square distance or of 2 |x - y| (laplacian) over pairs of rows, one over
 * the mean of |x|^2 (poly).
 * EINVAL: the rows have numbers below 0, and the kernel is for histograms. */
akin_status ak_kernel_fit(ak_kernel *k, akin_ctx *ctx, const akin_rows *rows);

double ak_kernel_value(const ak_kernel *k, const akin_rows *a, int64_t i,
                       const akin_rows *b, int64_t j);
/* K (n_a x n_b) between all rows of a and all of b; b NULL: a, and K is
 * symmetric to the bit. */
akin_status ak_kernel_matrix(double *K, akin_ctx *ctx, const ak_kernel *k,
                             const akin_rows *a, const akin_rows *b);
/* Rows that are a kernel matrix themselves, as one. ESHAPE: not square;
 * EINVAL: not symmetric. */
akin_status ak_kernel_given(double *K, akin_ctx *ctx, const akin_rows *rows);

#endif
