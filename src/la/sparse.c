/* Kernels on sorted sparse vectors: the choice of the loops for the processor,
 * blocks of bounded size, and searches for vectors of very different lengths.
 */
#include "la/sparse.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "la/sparse_kernels.h"

enum { SKEW = 32 };  // a vector this much longer is searched, not merged

static const ak_sparse_kernels *const kernels[] = {
    [AK_LA_PORTABLE] = &ak_sparse_portable,
#ifdef __x86_64__
    [AK_LA_AVX2] = &ak_sparse_avx2,
    [AK_LA_AVX512] = &ak_sparse_avx512,
#endif
};

/* The level in use plus one; 0 until first asked. Two threads may both find
 * it 0, and both write the same. */
static atomic_int in_use;

ak_la_level ak_la_best(void)
{
#ifdef __x86_64__
    if (__builtin_cpu_supports("avx512f") &&
        __builtin_cpu_supports("avx512bw") &&
        __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2"))
        return AK_LA_AVX512;
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2"))
        return AK_LA_AVX2;
#endif
    return AK_LA_PORTABLE;
}

ak_la_level ak_la_level_now(void)
{
    int level = atomic_load_explicit(&in_use, memory_order_relaxed);
    if (level == 0) {
        level = (int)ak_la_best() + 1;
        atomic_store_explicit(&in_use, level, memory_order_relaxed);
    }
    return (ak_la_level)(level - 1);
}

void ak_la_use(ak_la_level level)
{
    const ak_la_level best = ak_la_best();
    atomic_store_explicit(&in_use, (int)(level < best ? level : best) + 1,
                          memory_order_relaxed);
}

static const ak_sparse_kernels *kernels_now(void)
{
    return kernels[ak_la_level_now()];
}

/* As `spread` of the kernels, by search in whichever is behind. */
static int64_t spread_skewed(int64_t nx, const int32_t *xc, const ak_sorted *p,
                             uint32_t *d)
{
    int64_t i = 0, j = 0;
    while (i < nx && j < p->n) {
        if (xc[i] < p->cols[j]) {
            i = ak_seek(nx, xc, i, p->cols[j]);
        } else if (p->cols[j] < xc[i]) {
            j = ak_seek(p->n, p->cols, j, xc[i]);
        } else {
            d[i] = (uint32_t)(j + 1);
            if (p->vals)
                memcpy(d + i, p->vals + j, sizeof *d);
            ++i;
            ++j;
        }
    }
    return j;
}

/* A block of x, of which `left` elements remain, against p; p then starts where
 * the next block can have a match. */
static void spread(const ak_sparse_kernels *f, int64_t left, int64_t nx,
                   const int32_t *xc, ak_sorted *p, uint32_t *d)
{
    const bool skewed = left / SKEW >= p->n || p->n / SKEW >= left;
    const bool small = nx < f->least_x || p->n < f->least_p;
    memset(d, 0, (size_t)nx * sizeof *d);
    const int64_t j = skewed  ? spread_skewed(nx, xc, p, d)
                      : small ? ak_sparse_portable.spread(nx, xc, p, d)
                              : f->spread(nx, xc, p, d);
    *p = (ak_sorted){p->n - j, p->cols + j, p->vals ? p->vals + j : NULL};
}

/* x is so long that even reading it costs more than looking for p and n. */
static int64_t hadamard_long_x(int64_t nx, const int32_t *xc, const float *xv,
                               ak_sorted p, ak_sorted n, int32_t *cols,
                               double *vals)
{
    int64_t i = 0, j = 0, l = 0, k = 0;
    while (i < nx && (j < p.n || l < n.n)) {
        const bool from_n = j == p.n || (l < n.n && n.cols[l] < p.cols[j]);
        const int32_t c = from_n ? n.cols[l] : p.cols[j];
        double u = 0.0;
        if (j < p.n && p.cols[j] == c)
            u = (double)p.vals[j++];
        if (l < n.n && n.cols[l] == c)
            u -= (double)n.vals[l++];
        i = ak_seek(nx, xc, i, c);
        if (i < nx && xc[i] == c) {
            cols[k] = c;
            vals[k] = (double)xv[i] * u;
            k += vals[k] != 0.0;
        }
    }
    return k;
}

int64_t ak_hadamard(int64_t nx, const int32_t *xc, const float *xv, int64_t np,
                    const int32_t *pc, const float *pv, int64_t nn,
                    const int32_t *nc, const float *nv, int32_t *cols,
                    double *vals)
{
    ak_sorted p = {np, pc, pv}, n = {nn, nc, nv};
    if (nx / SKEW >= np + nn)
        return hadamard_long_x(nx, xc, xv, p, n, cols, vals);
    const ak_sparse_kernels *f = kernels_now();
    uint32_t dp[AK_KERNEL_BLOCK + AK_KERNEL_SLACK];
    uint32_t dn[AK_KERNEL_BLOCK + AK_KERNEL_SLACK];
    int64_t k = 0;
    for (int64_t i = 0; i < nx; i += AK_KERNEL_BLOCK) {
        const int64_t m = ak_min_i64(nx - i, AK_KERNEL_BLOCK);
        spread(f, nx - i, m, xc + i, &p, dp);
        spread(f, nx - i, m, xc + i, &n, dn);
        k += f->emit(m, xc + i, xv + i, dp, dn, cols + k, vals + k);
    }
    return k;
}

/* The columns that a block of a shares with b: positions in the block, and in
 * b as it is before the call. Room for the block and the slack. */
static int64_t meet(const ak_sparse_kernels *f, int64_t left, const int32_t *a,
                    ak_sorted *b, int32_t *ia, int32_t *ib)
{
    uint32_t at[AK_KERNEL_BLOCK + AK_KERNEL_SLACK];
    const int64_t m = ak_min_i64(left, AK_KERNEL_BLOCK);
    spread(f, left, m, a, b, at);
    return f->pack(m, at, ia, ib);
}

double ak_sparse_dot(int64_t na, const int32_t *ac, const float *av, int64_t nb,
                     const int32_t *bc, const float *bv, const double *w)
{
    if (na > nb)
        return ak_sparse_dot(nb, bc, bv, na, ac, av, w);
    const ak_sparse_kernels *f = kernels_now();
    int32_t ia[AK_KERNEL_BLOCK + AK_KERNEL_SLACK];
    int32_t ib[AK_KERNEL_BLOCK + AK_KERNEL_SLACK];
    ak_sorted rest = {nb, bc, NULL};
    double s[8] = {0};
    int64_t k = 0;
    for (int64_t i = 0; i < na; i += AK_KERNEL_BLOCK) {
        const int64_t j = rest.cols - bc;
        const int64_t n = meet(f, na - i, ac + i, &rest, ia, ib);
        for (int64_t l = 0; l < n; ++l, ++k) {
            const double ab = (double)av[i + ia[l]] * (double)bv[j + ib[l]];
            s[k % 8] += w ? w[ac[i + ia[l]]] * ab : ab;
        }
    }
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

double ak_gather_dot(int64_t n, const int32_t *cols, const double *vals,
                     const double *w)
{
    return kernels_now()->gather_dot(n, cols, vals, w);
}

double ak_dot8(int64_t n, const double *a, const double *b)
{
    return n > 0 ? kernels_now()->dot8(n, a, b) : 0.0;  // a may be NULL
}
