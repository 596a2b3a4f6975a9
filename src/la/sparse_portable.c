/* The loops of sparse_kernels.h in plain C. */
#include "la/sparse_kernels.h"

#include <string.h>

static int64_t spread(int64_t nx, const int32_t *xc, const ak_sorted *p,
                      uint32_t *d)
{
    const ak_sorted q = *p;
    int64_t i = 0, j = 0;
    while (i < nx && j < q.n) {
        const int32_t a = xc[i], b = q.cols[j];
        const int64_t less = ak_below(a, b), more = ak_below(b, a);
        uint32_t bits = (uint32_t)(j + 1);
        if (q.vals)
            memcpy(&bits, q.vals + j, sizeof bits);
        d[i] = bits & ~(uint32_t)(less | more);  // again until i moves on
        i += 1 + more;
        j += 1 + less;
    }
    return j;
}

static double as_value(uint32_t bits)
{
    float v;
    memcpy(&v, &bits, sizeof v);
    return (double)v;
}

static int64_t emit(int64_t nx, const int32_t *xc, const float *xv,
                    const uint32_t *p, const uint32_t *n, int32_t *cols,
                    double *vals)
{
    int64_t k = 0;
    for (int64_t i = 0; i < nx; ++i) {
        const double v = (double)xv[i] * (as_value(p[i]) - as_value(n[i]));
        cols[k] = xc[i];
        vals[k] = v;
        k += v != 0.0;
    }
    return k;
}

static int64_t pack(int64_t n, const uint32_t *at, int32_t *i, int32_t *pos)
{
    int64_t k = 0;
    for (int64_t l = 0; l < n; ++l) {
        i[k] = (int32_t)l;
        pos[k] = (int32_t)(at[l] - 1);
        k += at[l] != 0;
    }
    return k;
}

static double sum8(const double *s)
{
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

static double gather_dot(int64_t n, const int32_t *cols, const double *vals,
                         const double *w)
{
    double s[8] = {0};
    int64_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int64_t l = 0; l < 8; ++l)
            s[l] += w[cols[k + l]] * vals[k + l];
    for (int64_t l = 0; k + l < n; ++l)
        s[l] += w[cols[k + l]] * vals[k + l];
    return sum8(s);
}

static double dot8(int64_t n, const double *a, const double *b)
{
    double s[8] = {0};
    int64_t k = 0;
    for (; k + 8 <= n; k += 8)
        for (int64_t l = 0; l < 8; ++l)
            s[l] += a[k + l] * b[k + l];
    for (int64_t l = 0; k + l < n; ++l)
        s[l] += a[k + l] * b[k + l];
    return sum8(s);
}

const ak_sparse_kernels ak_sparse_portable = {1,    1,          spread, emit,
                                              pack, gather_dot, dot8};
