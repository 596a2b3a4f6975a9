/* One body, compiled for each width of the processor's vectors. Lanes are
 * queries, which never meet: the width does not change a bit. */
#include "index/table.h"

#include "index/scan.h"
#include "la/sparse.h"

#if defined(__x86_64__)
#define FOR(what) __attribute__((target(what)))
#else
#define FOR(what)
#endif

enum { LANES = 8, VECTORS = AK_SCAN_QUERIES / LANES };
typedef double vector __attribute__((vector_size(LANES * sizeof(double))));

__attribute__((always_inline)) static inline void
body(const ak_table_rows *r, const double *table, int64_t begin, int64_t end,
     double *out, int64_t stride)
{
    for (int64_t i = begin; i < end; ++i) {
        vector sum[VECTORS] = {{0}};
        for (int64_t k = r->offsets[i]; k < r->offsets[i + 1]; ++k) {
            const double x = r->vals[k];
            const vector *y =
                (const vector *)(table + r->cols[k] * AK_SCAN_QUERIES);
            for (int v = 0; v < VECTORS; ++v)
                sum[v] += x * y[v];
        }
        for (int t = 0; t < AK_SCAN_QUERIES; ++t)
            out[t * stride + i] = sum[t / LANES][t % LANES];
    }
}

static void portable(const ak_table_rows *r, const double *table, int64_t begin,
                     int64_t end, double *out, int64_t stride)
{
    body(r, table, begin, end, out, stride);
}

FOR("avx2")
static void avx2(const ak_table_rows *r, const double *table, int64_t begin,
                 int64_t end, double *out, int64_t stride)
{
    body(r, table, begin, end, out, stride);
}

FOR("avx512f")
static void avx512(const ak_table_rows *r, const double *table, int64_t begin,
                   int64_t end, double *out, int64_t stride)
{
    body(r, table, begin, end, out, stride);
}

void ak_table_dot(const ak_table_rows *r, const double *table, int64_t begin,
                  int64_t end, double *out, int64_t stride)
{
    const ak_la_level level = ak_la_level_now();
    (level == AK_LA_AVX512 ? avx512
     : level == AK_LA_AVX2 ? avx2
                           : portable)(r, table, begin, end, out, stride);
}
