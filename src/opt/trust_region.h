/* opt/trust_region.h - minimise a smooth function on a manifold.
 *
 * The manifold and the function are callbacks; a tangent vector is an array of
 * numbers, and the provider of the callbacks keeps the point. */
#ifndef AK_OPT_TRUST_REGION_H
#define AK_OPT_TRUST_REGION_H

#include "base/ctx.h"
#include "base/rng.h"

typedef struct ak_objective {
    void *self;
    int64_t size;  // numbers in a tangent vector
    int64_t dim;   // of the manifold
    /* The value at the point, and the length of what it is measured by. */
    double (*value)(void *self);
    double (*norm)(void *self);
    /* The gradient at the point, and the Hessian times a tangent vector. */
    akin_status (*gradient)(void *self, akin_ctx *ctx, double *g);
    akin_status (*hessian)(void *self, akin_ctx *ctx, const double *xi,
                           double *out);
    /* The value where a step from the point leads; `accept` then goes there.
     * A Hessian in between forgets the attempt. */
    akin_status (*attempt)(void *self, akin_ctx *ctx, const double *step,
                           double *value);
    akin_status (*accept)(void *self, akin_ctx *ctx);
    /* <a, b> at the point; NULL: the dot product. */
    akin_status (*inner)(void *self, akin_ctx *ctx, const double *a,
                         const double *b, double *product);
    /* A random tangent vector at the point, for ak_check_derivatives. */
    akin_status (*random)(void *self, akin_ctx *ctx, ak_rng *rng, double *xi);
} ak_objective;

typedef struct ak_trust_options {
    double tol;  // gradient, against max(1, the first) or the first itself
    bool relative;
    double first;    // gradient and iterations of the runs that this one
    int64_t before;  // continues; 0: it is the first
    double fall;  // what the last step may promise, of the value; 0: anything
    int64_t max_iterations;
    double radius, radius_max;  // the first one, and none is larger
} ak_trust_options;

typedef enum {
    AK_TRUST_GRADIENT,
    AK_TRUST_LIMIT,
    AK_TRUST_RADIUS  // no step brings anything
} ak_trust_end;

typedef struct ak_trust_info {
    ak_trust_end end;
    int64_t iterations, products, rejected;  // without those before;
                                             // products: with the Hessian
    double value, gradient, gradient_first;
    double rise;  // the largest of the value in one step: rounding
} ak_trust_info;

/* From the point of `f` to a stationary one; the point is then the last that
 * was accepted. ENUMERIC: a value or gradient is not finite at the start. */
akin_status ak_trust_region(akin_ctx *ctx, const ak_objective *f,
                            const ak_trust_options *o, ak_trust_info *info);

/* Derivatives against differences along random directions, relative errors:
 * the first and second difference of the value, best of several steps, and
 * <eta, H xi> against <xi, H eta>. The point stays. */
typedef struct ak_derivatives {
    double gradient, hessian, symmetry;
} ak_derivatives;
akin_status ak_check_derivatives(akin_ctx *ctx, const ak_objective *f,
                                 ak_rng *rng, ak_derivatives *worst);

#endif
