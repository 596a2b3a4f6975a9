/* la/forms.h - the few loops that differ between processors.
 *
 * sparse.c builds the functions of sparse.h on one of these tables. Values are
 * moved, not computed with, or computed lane by lane in the order sparse.h
 * states, so the tables cannot differ by a bit. Columns are not negative. */
#ifndef AK_LA_FORMS_H
#define AK_LA_FORMS_H

#include <stdint.h>

/* A sorted sparse vector that is consumed from the front. */
typedef struct ak_sorted {
    int64_t n;
    const int32_t *cols;
    const float *vals;
} ak_sorted;

typedef struct ak_forms {
    /* d[i] = the value of p at column xc[i], 0 where it has none. Writes up to
     * 15 elements beyond d[nx - 1]. Drops from p what lies in or before the
     * columns of x; it may leave up to 15 such entries in front. */
    void (*spread)(int64_t nx, const int32_t *xc, ak_sorted *p, float *d);
    /* v[i] = x[i] * (p[i] - n[i]), zeros left out; p and n as spread leaves
     * them. Returns how many; writes up to 15 more. */
    int64_t (*emit)(int64_t nx, const int32_t *xc, const float *xv,
                    const float *p, const float *n, int32_t *cols,
                    double *vals);
    int64_t (*intersect)(int64_t na, const int32_t *a, int64_t nb,
                         const int32_t *b, int32_t *ia, int32_t *ib);
    double (*gather_dot)(int64_t n, const int32_t *cols, const double *vals,
                         const double *w);
    double (*dot8)(int64_t n, const double *a, const double *b);
} ak_forms;

extern const ak_forms ak_forms_portable;

/* First position from i on whose column is not below c: steps that double,
 * then halve. */
static inline int64_t ak_seek(int64_t n, const int32_t *cols, int64_t i,
                              int32_t c)
{
    if (i >= n || cols[i] >= c)
        return i;
    int64_t step = 1;
    while (step < n - i && cols[i + step] < c) {
        i += step;
        step *= 2;
    }
    int64_t end = step < n - i ? i + step : n;
    while (end - i > 1) {  // cols[i] < c, and cols[end] >= c or end is n
        const int64_t mid = i + (end - i) / 2;
        if (cols[mid] < c)
            i = mid;
        else
            end = mid;
    }
    return end;
}

#endif
