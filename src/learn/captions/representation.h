/* learn/captions/representation.h - faces represented by faces, X = X W + E:
 * what lrr and rlrr share. Faces are rows here: X is n x d, X = V diag(s) Q'
 * with r singular values, and all that is of size d lives in the r coordinates
 * of Q.
 *
 * W, n x n, is held as S + L R': L and R have k columns, S has values for
 * peers alone. */
#ifndef AK_LEARN_CAPTIONS_REPRESENTATION_H
#define AK_LEARN_CAPTIONS_REPRESENTATION_H

#include "data/captions/shared_names.h"

/* X = V diag(s) Q': V n x r, r values above 1e-12 of the largest. */
typedef struct ak_faces_svd {
    int64_t n, d, r;
    double *V, *s;
    double *Q;  // d x r
} ak_faces_svd;

akin_status ak_faces_svd_of(ak_faces_svd *out, akin_ctx *ctx, int64_t n,
                            int64_t d, const double *X);

/* Below *zero W is 0, above *full it is V V'; the default is kappa times the
 * mean of |s^-1 v_j|, between 3 *zero and their median. */
typedef struct ak_lambda_range {
    double zero, standard, full;
} ak_lambda_range;
akin_status ak_lambda_of(ak_lambda_range *out, akin_ctx *ctx,
                         const ak_faces_svd *x, double kappa);

typedef struct ak_representation {
    int64_t n, k;
    const double *L;  // n x k
    const double *R;  // n x k; NULL: W = L, k = n
    const ak_shared_names *peers;
    const double *S;  // S[peers->start[j] + number of i] = S_ij; NULL: none
} ak_representation;

/* Rows [begin, end) of W, each n long. S is symmetric in where it has values,
 * so row i is found in the columns of its peers. Any thread. */
akin_status ak_representation_rows(const ak_representation *w, akin_ctx *ctx,
                                   int64_t begin, int64_t end, double *rows);
/* The same of W'. */
akin_status ak_representation_columns(const ak_representation *w, akin_ctx *ctx,
                                      int64_t begin, int64_t end,
                                      double *columns);

/* S'Y of values for peers, or S Y with a mirror; Y and out are n x b. */
akin_status ak_shared_names_product(akin_ctx *ctx, const ak_shared_names *peers,
                                    const int32_t *mirror, const double *S,
                                    int64_t b, const double *Y, double *out);
/* out += by (A B') Y, or (B A') Y with `transposed`; A and B are n x k. */
akin_status ak_pair_product(akin_ctx *ctx, int64_t n, int64_t k, double by,
                            const double *A, const double *B, bool transposed,
                            int64_t b, const double *Y, double *out);
/* |A B'|_F^2. */
akin_status ak_pair_norm(double *out, akin_ctx *ctx, int64_t n, int64_t k,
                         const double *A, const double *B);

#endif
