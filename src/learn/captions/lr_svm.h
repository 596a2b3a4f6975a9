/* learn/captions/lr_svm.h - which face of a photo is which name of its caption,
 * such that the faces of a name are of low rank; then a linear score for each
 * name. [1] Zeng, Xiao, Jia, Chan, Gao, Xu, Ma. Learning by associating
 * ambiguously labeled images. CVPR 2013.
 *
 *   min over P, E of  sum over names c of |X_c - E_c|_* + lambda |E_c|_1    (1)
 *
 * X_c has a row for each photo whose caption has name c: the face that P gives
 * the name, or zeros; a name goes to one face and a face has one name, at the
 * most, and as many names are given as can be. With A_c = X_c - E_c,
 * multipliers U_c and a penalty rho, in turn
 *
 *   A_c <- singular values of X_c - E_c + U_c/rho less 1/rho               (2)
 *   E_c <- X_c - A_c + U_c/rho, drawn to zero by lambda/rho                (3)
 *   P   <- the assignment of each photo with scores 2 x.b - |x|^2, b the row
 *          of A_c + E_c - U_c/rho                                          (4)
 *   U_c <- U_c + rho (X_c - A_c - E_c),  rho <- (1 + delta) rho            (5)
 */
#ifndef AK_LEARN_CAPTIONS_LR_SVM_H
#define AK_LEARN_CAPTIONS_LR_SVM_H

#include "data/captions/peers.h"

typedef struct ak_lr_svm_params {
    double lambda;
    double rho, delta_rho;
    double eps;    // |X - A - E| over |X| at which it ends
    int64_t most;  // iterations
} ak_lr_svm_params;

typedef struct ak_lr_svm_result {
    int32_t *labels;  // n: a name, or n_names; scratch
    double objective;
    int64_t iterations;
    bool converged;
} ak_lr_svm_result;

/* (1) to (5), from the mean of a photo's faces in all its rows of X_c on. X is
 * n x d. Scratch memory. */
akin_status ak_lr_associate(ak_lr_svm_result *out, akin_ctx *ctx,
                            const ak_peers *peers, int64_t d, const double *X,
                            const ak_lr_svm_params *p);

/* W (n_names x d): a support vector machine for each name against all other
 * faces, less the one for no name; a label of -1 is against all of them. */
akin_status ak_lr_machines(double *W, akin_ctx *ctx, int64_t n, int64_t d,
                           const double *X, const int32_t *labels,
                           int64_t n_names, double C);

#endif
