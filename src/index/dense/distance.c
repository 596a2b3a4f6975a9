/* One body, compiled for each width of the processor's vectors. */
#include "index/dense/distance.h"

#include <stdint.h>

#include "la/sparse.h"

typedef float four __attribute__((vector_size(4 * sizeof(float))));

/* Four running vectors of sums, added up in parts of four; what is left over is
 * added one by one. */
#define DEFINE_SUMS(name, attribute, lanes, term)                              \
    attribute static inline float name(const float *a, const float *b,         \
                                       int64_t n)                              \
    {                                                                          \
        typedef float vector                                                   \
            __attribute__((vector_size((lanes) * sizeof(float)), aligned(4))); \
        vector s[4] = {{0}};                                                   \
        int64_t i = 0;                                                         \
        for (; i + 4 * (lanes) <= n; i += 4 * (lanes))                         \
            for (int k = 0; k < 4; ++k) {                                      \
                const vector x = *(const vector *)(a + i + k * (lanes));       \
                const vector y = *(const vector *)(b + i + k * (lanes));       \
                s[k] += term;                                                  \
            }                                                                  \
        union {                                                                \
            vector whole;                                                      \
            four part[(lanes) / 4];                                            \
        } u = {.whole = (s[0] + s[1]) + (s[2] + s[3])};                        \
        for (int k = 1; k < (lanes) / 4; ++k)                                  \
            u.part[0] += u.part[k];                                            \
        float sum = (u.part[0][0] + u.part[0][2]) +                            \
                    (u.part[0][1] + u.part[0][3]);                             \
        for (; i < n; ++i) {                                                   \
            const float x = a[i], y = b[i];                                    \
            sum += term;                                                       \
        }                                                                      \
        return sum;                                                            \
    }
#define DEFINE_DISTANCES(name, attribute, lanes)                          \
    DEFINE_SUMS(name##_dot, attribute, lanes, x *y)                       \
    DEFINE_SUMS(name##_gap, attribute, lanes, (x - y) * (x - y))          \
    attribute static float name##_minus_dot(const void *a, const void *b, \
                                            const void *dim)              \
    {                                                                     \
        return -name##_dot(a, b, *(const int64_t *)dim);                  \
    }                                                                     \
    attribute static float name##_distance(const void *a, const void *b,  \
                                           const void *dim)               \
    {                                                                     \
        return name##_gap(a, b, *(const int64_t *)dim);                   \
    }

DEFINE_DISTANCES(portable, , 4)
#if defined(__x86_64__)
DEFINE_DISTANCES(avx2, __attribute__((target("avx2"))), 8)
DEFINE_DISTANCES(avx512, __attribute__((target("avx512f"))), 16)
#else
#define avx2_minus_dot portable_minus_dot
#define avx2_distance portable_distance
#define avx512_minus_dot portable_minus_dot
#define avx512_distance portable_distance
#endif

ak_distance_fn ak_distance_of(bool distance)
{
    switch (ak_la_level_now()) {
    case AK_LA_AVX512:
        return distance ? avx512_distance : avx512_minus_dot;
    case AK_LA_AVX2:
        return distance ? avx2_distance : avx2_minus_dot;
    default:
        return distance ? portable_distance : portable_minus_dot;
    }
}
