/* Losses of rsl and their derivatives, z = y f:
 *
 *   log      log(1 + e^-z)        -y p          p (1 - p),  p = 1 / (1 + e^z)
 *   hinge2   max(0, 1 - z)^2      -2 y (1 - z)  2, both where z < 1
 *   ridge    (f - y)^2            2 (f - y)     2
 *
 * Derivatives are taken in every product with the Hessian of a grid, so the
 * exponential is one that the compiler can put into vectors, and the logarithm
 * is too. */
#include <math.h>
#include <string.h>

#include "la/clones.h"
#include "learn/cross/rsl.h"

enum { TERMS = 128 };

/* e^x for x <= 0, to 2 units in the last place: x = n log 2 + r with
 * |r| <= log(2) / 2, the Taylor series of e^r, and n put into the exponent. */
static inline double exp_negative(double x)
{
    const double magic = 6755399441055744.0 + 1023.0;  // 1.5 2^52, and the bias
    const double clipped = x < -700.0 ? -700.0 : x;
    const double shifted = clipped * 1.44269504088896340736 + magic;
    const double n = shifted - magic;
    const double r = (clipped - n * 6.93147180369123816490e-01) -
                     n * 1.90821492927058770002e-10;
    double sum = 1.0 / 6227020800.0, power;
    uint64_t bits;
    sum = sum * r + 1.0 / 479001600.0;
    sum = sum * r + 1.0 / 39916800.0;
    sum = sum * r + 1.0 / 3628800.0;
    sum = sum * r + 1.0 / 362880.0;
    sum = sum * r + 1.0 / 40320.0;
    sum = sum * r + 1.0 / 5040.0;
    sum = sum * r + 1.0 / 720.0;
    sum = sum * r + 1.0 / 120.0;
    sum = sum * r + 1.0 / 24.0;
    sum = sum * r + 1.0 / 6.0;
    sum = sum * r + 0.5;
    sum = sum * r + 1.0;
    sum = sum * r + 1.0;
    memcpy(&bits, &shifted, sizeof bits);
    bits <<= 52;
    memcpy(&power, &bits, sizeof power);
    return sum * power;
}

/* log(1 + e) for 0 <= e <= 1, to 3 units in the last place: 2 artanh(t) with
 * t = e / (2 + e), whose series is in t^2 <= 1/9. */
static inline double log_one_plus(double e)
{
    const double t = e / (2.0 + e), u = t * t;
    double sum = 1.0 / 33.0;
    sum = sum * u + 1.0 / 31.0;
    sum = sum * u + 1.0 / 29.0;
    sum = sum * u + 1.0 / 27.0;
    sum = sum * u + 1.0 / 25.0;
    sum = sum * u + 1.0 / 23.0;
    sum = sum * u + 1.0 / 21.0;
    sum = sum * u + 1.0 / 19.0;
    sum = sum * u + 1.0 / 17.0;
    sum = sum * u + 1.0 / 15.0;
    sum = sum * u + 1.0 / 13.0;
    sum = sum * u + 1.0 / 11.0;
    sum = sum * u + 1.0 / 9.0;
    sum = sum * u + 1.0 / 7.0;
    sum = sum * u + 1.0 / 5.0;
    sum = sum * u + 1.0 / 3.0;
    return 2.0 * (t + t * u * sum);
}

AK_CLONES static void log_terms(int64_t n, const double *restrict f,
                                const double *restrict w, double *restrict out)
{
    for (int64_t i = 0; i < n; ++i) {
        const double z = w[i] < 0.0 ? -f[i] : f[i];
        const double e = exp_negative(-fabs(z));
        out[i] = fabs(w[i]) * (log_one_plus(e) + (z < 0.0 ? -z : 0.0));
    }
}

static double log_losses(int64_t n, const double *f, const double *w)
{
    double sum = 0.0, terms[TERMS];
    for (int64_t at = 0; at < n; at += TERMS) {
        const int64_t some = ak_min_i64(TERMS, n - at);
        log_terms(some, f + at, w + at, terms);
        for (int64_t i = 0; i < some; ++i)
            sum += terms[i];
    }
    return sum;
}

double ak_rsl_losses(ak_rsl_loss loss, int64_t n, const double *f,
                     const double *w)
{
    double sum = 0.0;
    if (loss == AK_RSL_LOG)
        return log_losses(n, f, w);
    for (int64_t i = 0; i < n; ++i) {
        const double room = 1.0 - (w[i] < 0.0 ? -f[i] : f[i]);
        if (loss == AK_RSL_RIDGE || room > 0.0)
            sum += fabs(w[i]) * room * room;
    }
    return sum;
}

AK_CLONES static void log_slopes(int64_t n, const double *restrict f,
                                 const double *restrict w, double *restrict c,
                                 double *restrict h)
{
    for (int64_t i = 0; i < n; ++i) {
        const double z = w[i] < 0.0 ? -f[i] : f[i];
        const double e = exp_negative(-fabs(z)), q = 1.0 / (1.0 + e);
        const double p = z < 0.0 ? q : e * q;
        c[i] = -w[i] * p;
        h[i] = fabs(w[i]) * e * q * q;
    }
}

AK_CLONES static void square_slopes(double ends, int64_t n,
                                    const double *restrict f,
                                    const double *restrict w,
                                    double *restrict c, double *restrict h)
{
    for (int64_t i = 0; i < n; ++i) {
        const double z = w[i] < 0.0 ? -f[i] : f[i];
        const double on = z < ends ? 2.0 : 0.0;
        c[i] = -w[i] * on * (1.0 - z);
        h[i] = fabs(w[i]) * on;
    }
}

void ak_rsl_slopes(ak_rsl_loss loss, int64_t n, const double *f,
                   const double *w, double *c, double *h)
{
    if (loss == AK_RSL_LOG)
        log_slopes(n, f, w, c, h);
    else
        square_slopes(loss == AK_RSL_HINGE2 ? 1.0 : INFINITY, n, f, w, c, h);
}
