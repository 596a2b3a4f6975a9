/* One body, compiled for each width of the processor's vectors. Lanes are
 * queries, which never meet: the width does not change a bit. */
#include "index/scan/table.h"

#include "index/scan/scan.h"
#include "la/sparse.h"

/* The sums of a row stay in registers: 16 lanes in vectors of `lanes`. */
#define DEFINE_TABLE_DOT(name, attribute, lanes)                            \
    typedef double name##_vector                                            \
        __attribute__((vector_size((lanes) * sizeof(double))));             \
    attribute static void name(const ak_table_rows *r, const double *table, \
                               int64_t begin, int64_t end, double *out,     \
                               int64_t stride)                              \
    {                                                                       \
        enum { VECTORS = AK_SCAN_QUERIES / (lanes) };                       \
        for (int64_t i = begin; i < end; ++i) {                             \
            name##_vector sum[VECTORS] = {{0}};                             \
            for (int64_t k = r->offsets[i]; k < r->offsets[i + 1]; ++k) {   \
                const double x = r->vals[k];                                \
                const name##_vector *y =                                    \
                    (const name##_vector *)(table + (int64_t)r->cols[k] *   \
                                                        AK_SCAN_QUERIES);   \
                for (int v = 0; v < VECTORS; ++v)                           \
                    sum[v] += x * y[v];                                     \
            }                                                               \
            for (int t = 0; t < AK_SCAN_QUERIES; ++t)                       \
                out[t * stride + i] = sum[t / (lanes)][t % (lanes)];        \
        }                                                                   \
    }

DEFINE_TABLE_DOT(portable, , 2)
#if defined(__x86_64__)
DEFINE_TABLE_DOT(avx2, __attribute__((target("avx2"))), 4)
DEFINE_TABLE_DOT(avx512, __attribute__((target("avx512f"))), 8)
#else
#define avx2 portable
#define avx512 portable
#endif

void ak_table_dot(const ak_table_rows *r, const double *table, int64_t begin,
                  int64_t end, double *out, int64_t stride)
{
    switch (ak_la_level_now()) {
    case AK_LA_AVX512:
        avx512(r, table, begin, end, out, stride);
        break;
    case AK_LA_AVX2:
        avx2(r, table, begin, end, out, stride);
        break;
    default:
        portable(r, table, begin, end, out, stride);
    }
}
