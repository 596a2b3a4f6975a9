/* learn/cross/kernel_map.h - the rows of a side for learners that need only dot
 * products: as they are, by a kernel, or as a given kernel matrix.
 *
 * A kernel gives each row a few features, z(x) = T'k(x). Learners work on z
 * alone; what they learn is turned into a model of the rows. */
#ifndef AK_LEARN_CROSS_KERNEL_MAP_H
#define AK_LEARN_CROSS_KERNEL_MAP_H

#include "model/kernel.h"

typedef enum { AK_MAP_PLAIN, AK_MAP_KERNEL, AK_MAP_GIVEN } ak_map_way;

typedef struct ak_kernel_map {
    ak_map_way way;
    ak_kernel kernel;
    const akin_rows *rows;
    int64_t n;  // samples: rows which[0..n)
    int64_t *which;
    int64_t m;  // support rows: support[0..m)
    int64_t *support;
    int64_t r;  // features of a kernel
    double *T;  // m x r, see ak_kernel_features
} ak_kernel_map;

/* Rows of a learner's option table: the kernel, that of the right side, and
 * whether rows are centred and scaled in its space. */
#define AK_KERNEL_GIVEN "kernel|kernel_right"
#define AK_OPTION_KERNEL(struct_) AK_OPTION_KERNEL_OR(struct_, "", "")
/* The same with a further word, and what it means. */
#define AK_OPTION_KERNEL_OR(struct_, word, text)                            \
    AK_OPTION_WORD(struct_, kernel,                                         \
                   word "none|linear|rbf|laplacian|poly|chi2|intersection|" \
                        "precomputed",                                      \
                   "learn in the space of a kernel; precomputed: the rows " \
                   "are a kernel matrix" text),                             \
        AK_OPTION_IF(                                                       \
            struct_, gamma, 0.0, 1e12, AK_KERNEL_GIVEN,                     \
            "scale of rbf, laplacian, chi2 and poly; 0: from the median "   \
            "distance or the mean square length"),                          \
        AK_OPTION_IF(struct_, coef, -1e12, 1e12, AK_KERNEL_GIVEN,           \
                     "constant of poly"),                                   \
        AK_OPTION_IF(struct_, degree, 1, 100, AK_KERNEL_GIVEN,              \
                     "degree of poly"),                                     \
        AK_OPTION_IF(struct_, support, 0, 1e6, AK_KERNEL_GIVEN,             \
                     "support rows of a kernel; 0: all, at most 4000")
#define AK_OPTION_KERNEL_RIGHT(struct_)                                     \
    AK_OPTION_WORD(struct_, kernel_right,                                   \
                   "same|none|linear|rbf|laplacian|poly|chi2|intersection|" \
                   "precomputed",                                           \
                   "kernel of the right side, if another")
#define AK_OPTION_KERNEL_PLACE(struct_)                                       \
    AK_OPTION_WORD(                                                           \
        struct_, origin, "mean|zero",                                         \
        "in the space of a kernel, rows are centred or as they are"),         \
        AK_OPTION_WORD(struct_, length, "one|given",                          \
                       "in the space of a kernel, rows are scaled to a mean " \
                       "square length of 1, or not")

/* The options of a learner. */
typedef struct ak_kernel_choice {
    const char *kernel;        // none, precomputed, or one of ak_kernel_words
    const char *kernel_right;  // also "same"
    double gamma, coef;
    int64_t degree;
} ak_kernel_choice;

/* A plain side gets the linear kernel where the other side has a kernel. */
void ak_kernel_map_choose(ak_kernel_map map[2], const ak_kernel_choice *o);

/* Features whose dot products are a kernel. With K = Q diag(w) Q' over m
 * support rows, eigenvalues below 1e-10 of the largest left out,
 *
 *   T = Q diag(w)^-1/2,  z(x) = T'k(x),  z(x)'z(y) = k(x)'K^+ k(y)       (1)
 *
 * which is the kernel itself among the support rows, and its approximation of
 * Nystroem elsewhere. T and Z = K T are m x r, scratch; K is destroyed. EINVAL:
 * K is zero, or has an eigenvalue that is not above 0 but for rounding. */
akin_status ak_kernel_features(double **T, double **Z, int64_t *r,
                               akin_ctx *ctx, int64_t m, double *K);
/* Features Z (n x r, scratch) of the samples of a side that is not plain. If
 * there are more than `most` rows (0: 4000), that many are drawn at random as
 * support. */
akin_status ak_kernel_map_features(double **Z, akin_ctx *ctx,
                                   ak_kernel_map *map, int64_t most);
/* Put the name of side 0 or 1 in front of the message of an error. */
akin_status ak_kernel_map_blame(akin_ctx *ctx, akin_status st, int side);
/* EINVAL: a rank above the dimension of either side. */
akin_status ak_kernel_map_rank(akin_ctx *ctx, const ak_kernel_map map[2],
                               const int64_t dim[2], int64_t rank);
/* F = T A, A r x k, so that A'z(x) = F'k(x). A itself for a plain side. */
akin_status ak_kernel_map_factors(double **F, akin_ctx *ctx,
                                  const ak_kernel_map *map, int64_t k,
                                  double *A);
/* One side in the form that a model takes; the caller frees *unit. */
akin_status ak_kernel_map_part(ak_kernel_part *out, akin_rows **unit,
                               akin_ctx *ctx, const ak_kernel_map *map,
                               const double *F, const double *offset);
/* F'x - offset on either side: kind `kernel`, or `factored` without one, where
 * an offset may be NULL on both. */
akin_status ak_kernel_map_model(akin_model **out, akin_ctx *ctx,
                                const ak_kernel_map map[2], int64_t k,
                                double *const F[2], double *const offset[2],
                                akin_compare by);

#endif
