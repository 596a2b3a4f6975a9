/* learn/captions/lr_svm.h - the parts of lr-svm; learn/captions/lr_svm.c has
 * (1) to (5). */
#ifndef AK_LEARN_CAPTIONS_LR_SVM_H
#define AK_LEARN_CAPTIONS_LR_SVM_H

#include "data/captions/shared_names.h"

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
                            const ak_shared_names *peers, int64_t d,
                            const double *X, const ak_lr_svm_params *p);

/* W (n_names x d): a support vector machine for each name against all other
 * faces, less the one for no name; a label of -1 is against all of them. */
akin_status ak_lr_machines(double *W, akin_ctx *ctx, int64_t n, int64_t d,
                           const double *X, const int32_t *labels,
                           int64_t n_names, double C);

#endif
