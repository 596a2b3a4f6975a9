/* la/sparse_kernels.h - the few loops that differ between processors.
 *
 * sparse.c builds the functions of sparse.h on one of these tables. They move
 * values, or compute lane by lane in the order that sparse.h states, so they
 * cannot differ by a bit. */
#ifndef AK_LA_SPARSE_KERNELS_H
#define AK_LA_SPARSE_KERNELS_H

#include <stddef.h>
#include <stdint.h>

enum {
    AK_KERNEL_BLOCK = 512,  // most elements of x in one call
    AK_KERNEL_SLACK = 16,   // written beyond the end of a result
};

typedef struct ak_sorted {
    int64_t n;
    const int32_t *cols;
    const float *vals;  // NULL: only positions are wanted
} ak_sorted;

typedef struct ak_sparse_kernels {
    int64_t least_x, least_p;  // fewest elements that spread can do with
    /* d[i] = the bits of p's value at column xc[i], or without values its
     * position plus 1; d comes as zeros. Returns how many entries of p no
     * later column of x can meet, or somewhat fewer. */
    int64_t (*spread)(int64_t nx, const int32_t *xc, const ak_sorted *p,
                      uint32_t *d);
    /* v[i] = x[i] * (p[i] - n[i]), zeros left out; p and n as spread leaves
     * them. Returns how many. */
    int64_t (*emit)(int64_t nx, const int32_t *xc, const float *xv,
                    const uint32_t *p, const uint32_t *n, int32_t *cols,
                    double *vals);
    /* The i and at[i] - 1 where at[i] is not 0. Returns how many. */
    int64_t (*pack)(int64_t n, const uint32_t *at, int32_t *i, int32_t *pos);
    double (*gather_dot)(int64_t n, const int32_t *cols, const double *vals,
                         const double *w);
    double (*dot8)(int64_t n, const double *a, const double *b);
} ak_sparse_kernels;

extern const ak_sparse_kernels ak_sparse_portable;
#ifdef __x86_64__
extern const ak_sparse_kernels ak_sparse_avx2, ak_sparse_avx512;
double ak_avx2_gather_dot(int64_t n, const int32_t *cols, const double *vals,
                          const double *w);
double ak_avx2_dot8(int64_t n, const double *a, const double *b);
#endif

/* -1 when a < b, else 0, without a branch: which of two vectors is behind is
 * as good as random, and a compiler may well prefer to guess. */
static inline int64_t ak_below(int32_t a, int32_t b)
{
    return ((int64_t)a - (int64_t)b) >> 63;
}

/* spread() of sparse_kernels.h from a spread_block(xc, p, j, d), which joins to
 * d[0 .. X) by `or` what p[j .. j + P) has at the columns xc[0 .. X). Of two
 * blocks, the one that ends first moves on. The last ones reach back over those
 * before them: what is found twice is the same. */
#define AK_DEFINE_SPREAD(TARGET, X, P)                                       \
    TARGET static inline int64_t spread_all(int64_t nx, const int32_t *xc,   \
                                            const ak_sorted *p, uint32_t *d) \
    {                                                                        \
        const int64_t last_i = nx - (X), last_j = p->n - (P);                \
        int64_t i = 0, j = 0;                                                \
        while (i <= last_i && j <= last_j) {                                 \
            const int32_t a = xc[i + (X)-1], b = p->cols[j + (P)-1];         \
            spread_block(xc + i, p, j, d + i);                               \
            i += (X) & ~ak_below(b, a);                                      \
            j += (P) & ~ak_below(a, b);                                      \
        }                                                                    \
        while (i < nx && j < p->n) {                                         \
            const int64_t h = i < last_i ? i : last_i;                       \
            const int64_t l = j < last_j ? j : last_j;                       \
            const int32_t a = xc[h + (X)-1], b = p->cols[l + (P)-1];         \
            spread_block(xc + h, p, l, d + h);                               \
            i += (X) & ~ak_below(b, a);                                      \
            j += (P) & ~ak_below(a, b);                                      \
        }                                                                    \
        return j < p->n ? j : p->n;                                          \
    }                                                                        \
    /* Two loops, neither of which asks whether there are values. */         \
    TARGET static int64_t spread(int64_t nx, const int32_t *xc,              \
                                 const ak_sorted *p, uint32_t *d)            \
    {                                                                        \
        const ak_sorted bare = {p->n, p->cols, NULL}, full = *p;             \
        return p->vals ? spread_all(nx, xc, &full, d)                        \
                       : spread_all(nx, xc, &bare, d);                       \
    }

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
