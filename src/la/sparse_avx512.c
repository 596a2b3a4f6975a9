/* The loops of sparse_kernels.h for AVX-512 (F, BW, DQ, VL).
 *
 * spread compares 16 columns of x with 8 of p at once, each of the 8 read from
 * memory into all lanes. */
#include "la/sparse_kernels.h"

#include <immintrin.h>

#define AVX512 \
    __attribute__((target("avx512f,avx512bw,avx512dq,avx512vl,bmi2,popcnt")))

enum { X = 16, P = 8 };

/* Where in p[0 .. 8) each column of x is, 8 where it is not. */
AVX512 static inline __m512i find(__m512i x, const int32_t *p)
{
    __m512i at = _mm512_set1_epi32(P);
    for (int r = 0; r < P; ++r) {
        const __mmask16 here =
            _mm512_cmpeq_epi32_mask(x, _mm512_set1_epi32(p[r]));
        at = _mm512_mask_mov_epi32(at, here, _mm512_set1_epi32(r));
    }
    return at;
}

/* Join to d what p has from position j on at the columns of x. */
AVX512 static inline void spread_block(const int32_t *xc, const ak_sorted *p,
                                       int64_t j, uint32_t *d)
{
    const __m512i at = find(_mm512_loadu_si512(xc), p->cols + j);
    __m512i found;
    if (p->vals) {
        const __m256i v = _mm256_loadu_si256((const void *)(p->vals + j));
        found = _mm512_permutexvar_epi32(at, _mm512_zextsi256_si512(v));
    } else {
        const __mmask16 is = _mm512_cmplt_epi32_mask(at, _mm512_set1_epi32(P));
        found = _mm512_maskz_add_epi32(is, at, _mm512_set1_epi32((int)j + 1));
    }
    _mm512_storeu_si512(d, _mm512_or_si512(_mm512_loadu_si512(d), found));
}

AK_DEFINE_SPREAD(AVX512, X, P)

/* The lanes that exist from element i of n on. */
AVX512 static inline __mmask16 lanes(int64_t i, int64_t n)
{
    return (__mmask16)_bzhi_u32(0xffff, n - i < 16 ? (unsigned)(n - i) : 16);
}

AVX512 static inline __m512d half(const float *v)
{
    return _mm512_cvtps_pd(_mm256_loadu_ps(v));
}

/* Finite floats: the product is 0 only where x is, or p equals n. What is
 * left is converted densely packed. */
AVX512 static int64_t emit(int64_t nx, const int32_t *xc, const float *xv,
                           const uint32_t *p, const uint32_t *n, int32_t *cols,
                           double *vals)
{
    float x[AK_KERNEL_BLOCK + X], a[AK_KERNEL_BLOCK + X],
        b[AK_KERNEL_BLOCK + X];
    int64_t k = 0;
    for (int64_t i = 0; i < nx; i += X) {
        const __mmask16 in = lanes(i, nx);
        const __m512i c = _mm512_maskz_loadu_epi32(in, xc + i);
        const __m512 u = _mm512_maskz_loadu_ps(in, xv + i),
                     v = _mm512_maskz_loadu_ps(in, p + i),
                     w = _mm512_maskz_loadu_ps(in, n + i);
        const __mmask16 nonzero =
            _mm512_mask_cmp_ps_mask(_mm512_cmp_ps_mask(v, w, _CMP_NEQ_UQ), u,
                                    _mm512_setzero_ps(), _CMP_NEQ_UQ);
        _mm512_storeu_si512(cols + k, _mm512_maskz_compress_epi32(nonzero, c));
        _mm512_storeu_ps(x + k, _mm512_maskz_compress_ps(nonzero, u));
        _mm512_storeu_ps(a + k, _mm512_maskz_compress_ps(nonzero, v));
        _mm512_storeu_ps(b + k, _mm512_maskz_compress_ps(nonzero, w));
        k += _mm_popcnt_u32(nonzero);
    }
    for (int64_t i = 0; i < k; i += 8)
        _mm512_storeu_pd(
            vals + i, _mm512_mul_pd(half(x + i),
                                    _mm512_sub_pd(half(a + i), half(b + i))));
    return k;
}

AVX512 static int64_t pack(int64_t n, const uint32_t *at, int32_t *i,
                           int32_t *pos)
{
    const __m512i one = _mm512_set1_epi32(1);
    __m512i l =
        _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    int64_t k = 0;
    for (int64_t m = 0; m < n; m += X) {
        const __m512i p = _mm512_maskz_loadu_epi32(lanes(m, n), at + m);
        const __mmask16 is = _mm512_test_epi32_mask(p, p);
        _mm512_storeu_si512(i + k, _mm512_maskz_compress_epi32(is, l));
        _mm512_storeu_si512(
            pos + k, _mm512_sub_epi32(_mm512_maskz_compress_epi32(is, p), one));
        l = _mm512_add_epi32(l, _mm512_set1_epi32(X));
        k += _mm_popcnt_u32(is);
    }
    return k;
}

/* Sums wait for memory, and eight loads are faster than one gather: measured
 * on Ice Lake, 150 ns against 990 for 300 terms. */
const ak_sparse_kernels ak_sparse_avx512 = {
    X, P, spread, emit, pack, ak_avx2_gather_dot, ak_avx2_dot8};
