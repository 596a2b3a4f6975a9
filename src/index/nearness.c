/* One body, compiled for each width of the processor's vectors. */
#include "index/nearness.h"

#include <stdint.h>

#include "la/sparse.h"

/* Two running vectors of sums; what is left over is added one by one. */
#define DEFINE_NEARNESS(name, attribute, lanes)                            \
    typedef float name##_vector                                            \
        __attribute__((vector_size((lanes) * sizeof(float)), aligned(4))); \
    attribute static float name##_sum(name##_vector x)                     \
    {                                                                      \
        float sum = 0.0F;                                                  \
        for (int l = 0; l < (lanes); ++l)                                  \
            sum += x[l];                                                   \
        return sum;                                                        \
    }                                                                      \
    attribute static float name##_dot(const float *a, const float *b,      \
                                      int64_t n)                           \
    {                                                                      \
        name##_vector s = {0}, t = {0};                                    \
        int64_t i = 0;                                                     \
        for (; i + 2 * (lanes) <= n; i += 2 * (lanes)) {                   \
            s += *(const name##_vector *)(a + i) *                         \
                 *(const name##_vector *)(b + i);                          \
            t += *(const name##_vector *)(a + i + (lanes)) *               \
                 *(const name##_vector *)(b + i + (lanes));                \
        }                                                                  \
        float sum = name##_sum(s + t);                                     \
        for (; i < n; ++i)                                                 \
            sum += a[i] * b[i];                                            \
        return sum;                                                        \
    }                                                                      \
    attribute static float name##_gap(const float *a, const float *b,      \
                                      int64_t n)                           \
    {                                                                      \
        name##_vector s = {0}, t = {0};                                    \
        int64_t i = 0;                                                     \
        for (; i + 2 * (lanes) <= n; i += 2 * (lanes)) {                   \
            const name##_vector x = *(const name##_vector *)(a + i) -      \
                                    *(const name##_vector *)(b + i);       \
            const name##_vector y =                                        \
                *(const name##_vector *)(a + i + (lanes)) -                \
                *(const name##_vector *)(b + i + (lanes));                 \
            s += x * x;                                                    \
            t += y * y;                                                    \
        }                                                                  \
        float sum = name##_sum(s + t);                                     \
        for (; i < n; ++i)                                                 \
            sum += (a[i] - b[i]) * (a[i] - b[i]);                          \
        return sum;                                                        \
    }

DEFINE_NEARNESS(portable, , 4)
#if defined(__x86_64__)
DEFINE_NEARNESS(avx2, __attribute__((target("avx2"))), 8)
DEFINE_NEARNESS(avx512, __attribute__((target("avx512f"))), 16)
#else
#define avx2_dot portable_dot
#define avx2_gap portable_gap
#define avx512_dot portable_dot
#define avx512_gap portable_gap
#endif

float ak_minus_dot(const void *a, const void *b, const void *dim)
{
    const int64_t n = *(const int64_t *)dim;
    switch (ak_la_level_now()) {
    case AK_LA_AVX512:
        return -avx512_dot(a, b, n);
    case AK_LA_AVX2:
        return -avx2_dot(a, b, n);
    default:
        return -portable_dot(a, b, n);
    }
}

float ak_squared_distance(const void *a, const void *b, const void *dim)
{
    const int64_t n = *(const int64_t *)dim;
    switch (ak_la_level_now()) {
    case AK_LA_AVX512:
        return avx512_gap(a, b, n);
    case AK_LA_AVX2:
        return avx2_gap(a, b, n);
    default:
        return portable_gap(a, b, n);
    }
}
