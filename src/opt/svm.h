/* opt/svm.h - a linear support vector machine, by its dual. */
#ifndef AK_OPT_SVM_H
#define AK_OPT_SVM_H

#include <stdatomic.h>

#include "base/ctx.h"
#include "base/rng.h"

/*   min over w of |w|^2 / 2 + C sum_i loss(y_i w.x_i)                    (1)
 *
 * with loss max(0, 1 - z), or its square. */
typedef struct ak_svm {
    int64_t n, d;
    const double *X;  // n x d
    const double *y;  // n, 1 or -1
    const double *C;  // n, of each point; above 0
    bool squared;
    double tol;  // of the largest violation, as in (1) of svm.c
    int64_t max_sweeps;
    /* Asked after each sweep whether to end; NULL: go on. */
    bool (*stop)(void *arg, const struct ak_svm *p);
    void *stop_arg;

    double *w;       // d, written
    double *alpha;   // n, from a start in range on; 0 <= alpha (<= C)
    int64_t *order;  // n, room
    int64_t sweeps;  // written, as are the last three
    bool converged;
    double primal, dual;  // values of both
} ak_svm;

/* Any thread: allocates nothing. */
void ak_svm_solve(ak_svm *p, ak_rng *rng);

/* A machine for each label, on the same points. */
typedef struct ak_svm_set {
    int64_t n, d, labels;
    const double *X;  // n x d
    double C;
    bool squared;
    double tol;
    int64_t max_sweeps;
    ak_rng rng;
    /* Reports progress and hears a request to stop: then the labels end after
     * the sweep they are in. NULL: neither. */
    akin_ctx *watched;
    akin_progress report;  // what it reports; no `what`: sweeps

    double *y;          // n of each label: -1 before the caller marks with 1
    double *w, *alpha;  // d and n of each label
    double *weight;     // C, n times
    int64_t *order;     // n of each label, room
    int64_t *sweeps;    // one a label, as are those below
    double *primal, *dual;
    unsigned char *converged;
    atomic_bool stopped;
    _Atomic int64_t last_sweeps;  // of the label that has last made one
} ak_svm_set;

/* Scratch for all that is written; n, d, labels and C are set. ESHAPE: more
 * than 2^28 numbers. */
akin_status ak_svm_set_room(ak_svm_set *s, akin_ctx *ctx);
/* In parallel, from alpha on; each label has one sweep at least. ENUMERIC: a
 * value is not finite. */
akin_status ak_svm_set_solve(ak_svm_set *s, akin_ctx *ctx);

#endif
