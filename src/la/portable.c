/* The loops of forms.h in plain C. Merging advances by comparison results
 * rather than by branches: which side is behind cannot be predicted. */
#include "la/forms.h"

#include <string.h>

static void spread(int64_t nx, const int32_t *xc, ak_sorted *p, float *d)
{
    int64_t i = 0, j = 0;
    while (i < nx && j < p->n) {
        const int32_t a = xc[i], b = p->cols[j];
        const float v = p->vals[j];
        d[i] = a == b ? v : 0.0f;  // written again until i moves on
        i += a <= b;
        j += b <= a;
    }
    if (i < nx)
        memset(d + i, 0, (size_t)(nx - i) * sizeof *d);
    *p = (ak_sorted){p->n - j, p->cols + j, p->vals + j};
}

static int64_t emit(int64_t nx, const int32_t *xc, const float *xv,
                    const float *p, const float *n, int32_t *cols, double *vals)
{
    int64_t k = 0;
    for (int64_t i = 0; i < nx; ++i) {
        const double v = (double)xv[i] * ((double)p[i] - (double)n[i]);
        cols[k] = xc[i];
        vals[k] = v;
        k += v != 0.0;
    }
    return k;
}

static int64_t intersect(int64_t na, const int32_t *a, int64_t nb,
                         const int32_t *b, int32_t *ia, int32_t *ib)
{
    int64_t i = 0, j = 0, k = 0;
    while (i < na && j < nb) {
        const int32_t s = a[i], t = b[j];
        ia[k] = (int32_t)i;
        ib[k] = (int32_t)j;
        k += s == t;
        i += s <= t;
        j += t <= s;
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

const ak_forms ak_forms_portable = {spread, emit, intersect, gather_dot, dot8};
