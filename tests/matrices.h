/* tests/matrices.h - small dense matrices, row-major, the slow way. */
#ifndef AKIN_TESTS_MATRICES_H
#define AKIN_TESTS_MATRICES_H

#include <math.h>

#include "base/rng.h"
#include "learn/cross/fixed_rank.h"

/* x = U diag(s) V' + xi, m x n; xi NULL: the point alone, s NULL: xi alone. */
static inline void dense_of(ak_fixed_rank r, ak_fixed_point x, const double *s,
                            const double *xi, double *W)
{
    const double *Up = xi ? xi + r.k * r.k : NULL;
    const double *Vp = xi ? Up + r.m * r.k : NULL;
    for (int64_t i = 0; i < r.m; ++i)
        for (int64_t j = 0; j < r.n; ++j) {
            double sum = 0.0;
            for (int64_t c = 0; c < r.k; ++c) {
                const double u = x.U[i * r.k + c], v = x.V[j * r.k + c];
                sum += s ? u * s[c] * v : 0.0;
                if (xi == NULL)
                    continue;
                sum += Up[i * r.k + c] * v + u * Vp[j * r.k + c];
                for (int64_t e = 0; e < r.k; ++e)
                    sum += u * xi[c * r.k + e] * x.V[j * r.k + e];
            }
            W[i * r.n + j] = sum;
        }
}

static inline double distance(int64_t n, const double *x, const double *y)
{
    double sum = 0.0;
    for (int64_t i = 0; i < n; ++i)
        sum += (x[i] - y[i]) * (x[i] - y[i]);
    return sqrt(sum);
}

/* |Q'Q - I| of an m x k matrix. */
static inline double defect(int64_t m, int64_t k, const double *Q)
{
    double worst = 0.0;
    for (int64_t a = 0; a < k; ++a)
        for (int64_t b = 0; b < k; ++b) {
            double sum = a == b ? -1.0 : 0.0;
            for (int64_t i = 0; i < m; ++i)
                sum += Q[i * k + a] * Q[i * k + b];
            worst = fmax(worst, fabs(sum));
        }
    return worst;
}

#endif
