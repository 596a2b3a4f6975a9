#include "learn/lowrank/spvec.h"

#include "la/clones.h"

double ak_small_dot(int64_t k, const double *x, const double *y)
{
    double s[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t i = 0;
    for (; i + 4 <= k; i += 4)
        for (int l = 0; l < 4; ++l)
            s[l] += x[i + l] * y[i + l];
    for (; i < k; ++i)
        s[0] += x[i] * y[i];
    return (s[0] + s[2]) + (s[1] + s[3]);
}

double ak_spvec_dot(ak_spvec p, ak_spvec q)
{
    double sum = 0.0;
    for (int64_t i = 0, j = 0; i < p.n && j < q.n;) {
        if (p.cols[i] == q.cols[j])
            sum += p.vals[i] * q.vals[j];
        const int32_t c = p.cols[i], d = q.cols[j];
        i += c <= d;
        j += d <= c;
    }
    return sum;
}

AK_CLONES
static void gather_rows(int64_t k, const double *H, ak_spvec p, double *y)
{
    for (int64_t j = 0; j < k; ++j)
        y[j] = 0.0;
    for (int64_t i = 0; i < p.n; ++i) {
        const double *row = H + p.cols[i] * k, v = p.vals[i];
        for (int64_t j = 0; j < k; ++j)
            y[j] += v * row[j];
    }
}

AK_CLONES
static void scatter_rows(int64_t k, double *H, ak_spvec p, double y,
                         const double *r)
{
    for (int64_t i = 0; i < p.n; ++i) {
        double *row = H + p.cols[i] * k;
        const double v = y * p.vals[i];
        for (int64_t j = 0; j < k; ++j)
            row[j] += v * r[j];
    }
}

void ak_rows_project(int64_t k, const double *H, ak_spvec p, double *out)
{
    gather_rows(k, H, p, out);
}

void ak_rows_add(int64_t k, double *H, ak_spvec p, double y, const double *r)
{
    scatter_rows(k, H, p, y, r);
}
