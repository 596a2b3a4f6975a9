/* The loops of sparse_kernels.h for AVX2 (and BMI2): as sparse_avx512.c does
 * it, eight lanes wide. */
#include "la/sparse_kernels.h"

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2,bmi,bmi2,popcnt")))

enum { W = 8 };

AVX2 static inline __m256i load(const void *p)
{
    return _mm256_loadu_si256((const __m256i *)p);
}

AVX2 static inline void store(void *p, __m256i v)
{
    _mm256_storeu_si256((__m256i *)p, v);
}

/* Where in p[0 .. 8) each column of x is, plus 1; 0 where it is not. */
AVX2 static inline __m256i find(__m256i x, const int32_t *p)
{
    __m256i at = _mm256_setzero_si256();
    for (int r = 0; r < W; ++r) {
        const __m256i is = _mm256_cmpeq_epi32(x, _mm256_set1_epi32(p[r]));
        at =
            _mm256_or_si256(at, _mm256_and_si256(is, _mm256_set1_epi32(r + 1)));
    }
    return at;
}

/* Join to d what p has from position j on at the columns of x. */
AVX2 static inline void spread_block(const int32_t *xc, const ak_sorted *p,
                                     int64_t j, uint32_t *d)
{
    const __m256i at = find(load(xc), p->cols + j);
    const __m256i is = _mm256_cmpgt_epi32(at, _mm256_setzero_si256());
    __m256i found;
    if (p->vals) {
        const __m256i r = _mm256_sub_epi32(at, _mm256_set1_epi32(1));
        found = _mm256_permutevar8x32_epi32(load(p->vals + j), r);
    } else {
        found = _mm256_add_epi32(at, _mm256_set1_epi32((int)j));
    }
    store(d, _mm256_or_si256(load(d), _mm256_and_si256(is, found)));
}

AK_DEFINE_SPREAD(AVX2, W, W)

/* The order that brings the lanes of `mask` to the front. */
AVX2 static inline __m256i front(unsigned mask)
{
    const uint64_t bytes = _pdep_u64(mask, 0x0101010101010101) * 0xff;
    const uint64_t order = _pext_u64(0x0706050403020100, bytes);
    return _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)order));
}

AVX2 static inline __m256d half(const float *v)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(v));
}

AVX2 static int64_t emit(int64_t nx, const int32_t *xc, const float *xv,
                         const uint32_t *p, const uint32_t *n, int32_t *cols,
                         double *vals)
{
    float x[AK_KERNEL_BLOCK + W], a[AK_KERNEL_BLOCK + W],
        b[AK_KERNEL_BLOCK + W];
    const int64_t whole = nx - nx % W;
    int64_t k = 0;
    for (int64_t i = 0; i < whole; i += W) {
        const __m256i u = load(xv + i), v = load(p + i), w = load(n + i);
        const __m256 zero = _mm256_setzero_ps();
        const __m256 nonzero = _mm256_and_ps(
            _mm256_cmp_ps(_mm256_castsi256_ps(v), _mm256_castsi256_ps(w),
                          _CMP_NEQ_UQ),
            _mm256_cmp_ps(_mm256_castsi256_ps(u), zero, _CMP_NEQ_UQ));
        const unsigned mask = (unsigned)_mm256_movemask_ps(nonzero);
        const __m256i order = front(mask);
        store(cols + k, _mm256_permutevar8x32_epi32(load(xc + i), order));
        store(x + k, _mm256_permutevar8x32_epi32(u, order));
        store(a + k, _mm256_permutevar8x32_epi32(v, order));
        store(b + k, _mm256_permutevar8x32_epi32(w, order));
        k += _mm_popcnt_u32(mask);
    }
    for (int64_t i = 0; i < k; i += 4)
        _mm256_storeu_pd(
            vals + i, _mm256_mul_pd(half(x + i),
                                    _mm256_sub_pd(half(a + i), half(b + i))));
    return k + ak_sparse_portable.emit(nx - whole, xc + whole, xv + whole,
                                       p + whole, n + whole, cols + k,
                                       vals + k);
}

AVX2 static int64_t pack(int64_t n, const uint32_t *at, int32_t *i,
                         int32_t *pos)
{
    const __m256i one = _mm256_set1_epi32(1);
    const int64_t whole = n - n % W;
    __m256i l = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    int64_t k = 0;
    for (int64_t m = 0; m < whole; m += W) {
        const __m256i p = load(at + m);
        const __m256i is = _mm256_cmpeq_epi32(p, _mm256_setzero_si256());
        const unsigned mask =
            ~(unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(is)) & 0xff;
        const __m256i order = front(mask);
        store(i + k, _mm256_permutevar8x32_epi32(l, order));
        store(pos + k,
              _mm256_permutevar8x32_epi32(_mm256_sub_epi32(p, one), order));
        l = _mm256_add_epi32(l, _mm256_set1_epi32(W));
        k += _mm_popcnt_u32(mask);
    }
    for (int64_t m = whole; m < n; ++m) {
        i[k] = (int32_t)m;
        pos[k] = (int32_t)(at[m] - 1);
        k += at[m] != 0;
    }
    return k;
}

/* low is s0 to s3, high s4 to s7, without the last n % 8 terms, which are
 * a[0 ..] * b[0 ..]. */
AVX2 static inline double finish(__m256d low, __m256d high, int64_t rest,
                                 const double *a, const double *b)
{
    double s[W];
    _mm256_storeu_pd(s, low);
    _mm256_storeu_pd(s + 4, high);
    for (int64_t l = 0; l < rest; ++l)
        s[l] += a[l] * b[l];
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

AVX2 static inline __m256d gather4(const double *w, const int32_t *cols)
{
    return _mm256_setr_pd(w[cols[0]], w[cols[1]], w[cols[2]], w[cols[3]]);
}

AVX2 double ak_avx2_gather_dot(int64_t n, const int32_t *cols,
                               const double *vals, const double *w)
{
    __m256d low = _mm256_setzero_pd(), high = low;
    int64_t k = 0;
    for (; k + W <= n; k += W) {
        const __m256d a = gather4(w, cols + k), b = gather4(w, cols + k + 4);
        low = _mm256_add_pd(low, _mm256_mul_pd(a, _mm256_loadu_pd(vals + k)));
        high = _mm256_add_pd(high,
                             _mm256_mul_pd(b, _mm256_loadu_pd(vals + k + 4)));
    }
    double a[W];
    for (int64_t l = 0; k + l < n; ++l)
        a[l] = w[cols[k + l]];
    return finish(low, high, n - k, a, vals + k);
}

AVX2 double ak_avx2_dot8(int64_t n, const double *a, const double *b)
{
    __m256d low = _mm256_setzero_pd(), high = low;
    int64_t k = 0;
    for (; k + W <= n; k += W) {
        low = _mm256_add_pd(
            low, _mm256_mul_pd(_mm256_loadu_pd(a + k), _mm256_loadu_pd(b + k)));
        high = _mm256_add_pd(high, _mm256_mul_pd(_mm256_loadu_pd(a + k + 4),
                                                 _mm256_loadu_pd(b + k + 4)));
    }
    return finish(low, high, n - k, a + k, b + k);
}

const ak_sparse_kernels ak_sparse_avx2 = {
    W, W, spread, emit, pack, ak_avx2_gather_dot, ak_avx2_dot8};
