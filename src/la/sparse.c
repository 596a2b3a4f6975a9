/* Kernels on sorted sparse vectors: which form of the loops to use, blocks of
 * bounded size, and the ways for vectors of very different lengths. */
#include "la/sparse.h"

#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

#include "base/size.h"
#include "la/forms.h"

enum {
    BLOCK = 512,  // elements of x at a time: the buffers stay in L1
    SLACK = 16,
    SKEW = 32,  // a vector this much longer is searched, not merged
};

static const ak_forms *const forms[] = {
    [AK_LA_PORTABLE] = &ak_forms_portable,
    [AK_LA_AVX2] = &ak_forms_portable,
    [AK_LA_AVX512] = &ak_forms_portable,
};

/* The level in use plus one; 0 until first asked. Two threads may both find
 * it 0, and both write the same. */
static atomic_int in_use;

ak_la_level ak_la_best(void)
{
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

static const ak_forms *form_now(void)
{
    return forms[ak_la_level_now()];
}

/* d[i] = p at column xc[i], by search in the longer of the two. */
static void spread_skewed(int64_t nx, const int32_t *xc, ak_sorted *p, float *d)
{
    int64_t i = 0, j = 0;
    memset(d, 0, (size_t)nx * sizeof *d);
    while (i < nx && j < p->n) {
        if (xc[i] == p->cols[j])
            d[i++] = p->vals[j++];
        else if (xc[i] < p->cols[j])
            i = ak_seek(nx, xc, i, p->cols[j]);
        else
            j = ak_seek(p->n, p->cols, j, xc[i]);
    }
    *p = (ak_sorted){p->n - j, p->cols + j, p->vals + j};
}

static bool skewed(int64_t a, int64_t b)
{
    return a / SKEW >= b || b / SKEW >= a;
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
    const ak_forms *f = form_now();
    float dp[BLOCK + SLACK], dn[BLOCK + SLACK];
    int64_t k = 0;
    for (int64_t i = 0; i < nx; i += BLOCK) {
        const int64_t m = ak_min_i64(nx - i, BLOCK);
        (skewed(nx - i, p.n) ? spread_skewed : f->spread)(m, xc + i, &p, dp);
        (skewed(nx - i, n.n) ? spread_skewed : f->spread)(m, xc + i, &n, dn);
        k += f->emit(m, xc + i, xv + i, dp, dn, cols + k, vals + k);
    }
    return k;
}

static int64_t intersect_skewed(int64_t na, const int32_t *a, int64_t nb,
                                const int32_t *b, int32_t *ia, int32_t *ib)
{
    int64_t i = 0, j = 0, k = 0;
    while (i < na && j < nb) {
        if (a[i] < b[j]) {
            i = ak_seek(na, a, i, b[j]);
        } else if (b[j] < a[i]) {
            j = ak_seek(nb, b, j, a[i]);
        } else {
            ia[k] = (int32_t)i++;
            ib[k++] = (int32_t)j++;
        }
    }
    return k;
}

int64_t ak_intersect(int64_t na, const int32_t *a, int64_t nb, const int32_t *b,
                     int32_t *ia, int32_t *ib)
{
    return (skewed(na, nb) ? intersect_skewed
                           : form_now()->intersect)(na, a, nb, b, ia, ib);
}

double ak_sparse_dot(int64_t na, const int32_t *ac, const float *av, int64_t nb,
                     const int32_t *bc, const float *bv, const double *w)
{
    if (na > nb)  // blocks of the shorter one; a product has no order
        return ak_sparse_dot(nb, bc, bv, na, ac, av, w);
    int32_t ia[BLOCK + SLACK], ib[BLOCK + SLACK];
    double s[8] = {0};
    int64_t k = 0;
    for (int64_t i = 0, j = 0; i < na; i += BLOCK) {
        const int64_t m = ak_min_i64(na - i, BLOCK);
        const int64_t end = i + m < na ? ak_seek(nb, bc, j, ac[i + m]) : nb;
        const int64_t n = ak_intersect(m, ac + i, end - j, bc + j, ia, ib);
        for (int64_t l = 0; l < n; ++l, ++k) {
            const double ab = (double)av[i + ia[l]] * (double)bv[j + ib[l]];
            s[k % 8] += w ? w[ac[i + ia[l]]] * ab : ab;
        }
        j = end;
    }
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

double ak_gather_dot(int64_t n, const int32_t *cols, const double *vals,
                     const double *w)
{
    return form_now()->gather_dot(n, cols, vals, w);
}

double ak_dot8(int64_t n, const double *a, const double *b)
{
    return form_now()->dot8(n, a, b);
}
