/* opt/lbfgs.h - minimise a function with a known gradient. */
#ifndef AK_OPT_LBFGS_H
#define AK_OPT_LBFGS_H

#include "base/ctx.h"

/* The value at x and its gradient (or, where there is none, a limit of
 * gradients). */
typedef akin_status (*ak_value_fn)(void *arg, akin_ctx *ctx, const double *x,
                                   double *value, double *gradient);

typedef struct ak_lbfgs {
    int64_t n;
    double *x;   // the start, and then the best that was found
    double tol;  // stops when ten iterations improve the objective by less than
                 // this fraction
    double gradient_tol;  // or when the gradient is this share of that at the
                          // start, or less
    int64_t max_iterations;

    int64_t iterations;  // written, as are the others below
    double value;
    double gradient;  // its length, as a share of that at the start
    bool converged;
} ak_lbfgs;

/* Limited-memory BFGS with the weak Wolfe conditions, which also works where
 * the function has kinks. ENUMERIC: the start has no finite value.
 * */
akin_status ak_lbfgs_run(ak_lbfgs *p, akin_ctx *ctx, ak_value_fn fn, void *arg);

#endif
