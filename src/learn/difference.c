#include "learn/difference.h"

int64_t ak_difference_room(const akin_rows *rows, int64_t x, int64_t y)
{
    if (rows->offsets == NULL)
        return rows->d;
    return ak_rows_sparse(rows, x).n + ak_rows_sparse(rows, y).n;
}

static int64_t dense_difference(const akin_rows *rows, int64_t x, int64_t y,
                                int32_t *cols, double *z)
{
    const float *a = ak_rows_dense(rows, x), *b = ak_rows_dense(rows, y);
    int64_t n = 0;
    for (int64_t j = 0; j < rows->d; ++j)
        if (a[j] != b[j]) {
            cols[n] = (int32_t)j;
            z[n++] = (double)a[j] - (double)b[j];
        }
    return n;
}

int64_t ak_difference(const akin_rows *rows, int64_t x, int64_t y,
                      int32_t *cols, double *z)
{
    if (rows->offsets == NULL)
        return dense_difference(rows, x, y, cols, z);
    const ak_sparse a = ak_rows_sparse(rows, x), b = ak_rows_sparse(rows, y);
    int64_t n = 0, i = 0, j = 0;
    while (i < a.n || j < b.n) {
        const int32_t ca = i < a.n ? a.cols[i] : INT32_MAX;
        const int32_t cb = j < b.n ? b.cols[j] : INT32_MAX;
        const bool take_a = i < a.n && ca <= cb, take_b = j < b.n && cb <= ca;
        const double v = (take_a ? (double)a.vals[i] : 0.0) -
                         (take_b ? (double)b.vals[j] : 0.0);
        cols[n] = take_a ? ca : cb;
        z[n] = v;
        n += v != 0.0;
        i += take_a;
        j += take_b;
    }
    return n;
}
