#include "learn/lowrank/padded_rows.h"

#include "base/size.h"

enum { MOST = 8 };  // vectors at a time

/* b vectors of each row. */
#define SUM_ROWS(b)                                                     \
    AK_INLINE void sum_rows_##b(int64_t n, int64_t ld, const double *M, \
                                const int32_t *rows, const double *x,   \
                                double *y)                              \
    {                                                                   \
        ak_v4 s[b] = {{0.0}};                                           \
        for (int64_t i = 0; i < n; ++i) {                               \
            const double *row = M + (rows ? rows[i] : i) * ld;          \
            for (int l = 0; l < (b); ++l)                               \
                s[l] += x[i] * AK_CV4(row + l * AK_LANES);              \
        }                                                               \
        for (int l = 0; l < (b); ++l)                                   \
            AK_V4(y + l * AK_LANES) = s[l];                             \
    }

#define ADD_TO_ROWS(b)                                                         \
    AK_INLINE void add_to_rows_##b(int64_t n, int64_t ld, double *M,           \
                                   const int32_t *rows, const double *x,       \
                                   const double *y)                            \
    {                                                                          \
        ak_v4 s[b];                                                            \
        for (int l = 0; l < (b); ++l)                                          \
            s[l] = AK_CV4(y + l * AK_LANES);                                   \
        for (int64_t i = 0; i < n; ++i) {                                      \
            double *row = M + (rows ? rows[i] : i) * ld;                       \
            for (int l = 0; l < (b); ++l)                                      \
                AK_V4(row + l * AK_LANES) += x[i] * s[l];                      \
        }                                                                      \
    }                                                                          \
    AK_INLINE void add_two_to_rows_##b(int64_t n, int64_t ld, double *M,       \
                                       const double *x, const double *y,       \
                                       const double *u, const double *v)       \
    {                                                                          \
        ak_v4 s[b], t[b];                                                      \
        for (int l = 0; l < (b); ++l) {                                        \
            s[l] = AK_CV4(y + l * AK_LANES);                                   \
            t[l] = AK_CV4(v + l * AK_LANES);                                   \
        }                                                                      \
        for (int64_t i = 0; i < n; ++i)                                        \
            for (int l = 0; l < (b); ++l)                                      \
                AK_V4(M + i * ld + l * AK_LANES) += x[i] * s[l] + u[i] * t[l]; \
    }

#define EACH(f) f(1) f(2) f(3) f(4) f(5) f(6) f(7) f(8)
EACH(SUM_ROWS)
EACH(ADD_TO_ROWS)

/* Eight vectors at a time, then what is left in one go. */
#define IN_BLOCKS(call)                                  \
    for (int64_t j = 0; j < ld; j += MOST * AK_LANES)    \
        switch (ak_min_i64((ld - j) / AK_LANES, MOST)) { \
            EACH(call)                                   \
        }

AK_CLONES
void ak_sum_rows(int64_t n, int64_t ld, const double *M, const int32_t *rows,
                 const double *x, double *y)
{
#define CALL(b)                                     \
    case b:                                         \
        sum_rows_##b(n, ld, M + j, rows, x, y + j); \
        break;
    IN_BLOCKS(CALL)
#undef CALL
}

AK_CLONES
void ak_add_to_rows(int64_t n, int64_t ld, double *M, const int32_t *rows,
                    const double *x, const double *y)
{
#define CALL(b)                                        \
    case b:                                            \
        add_to_rows_##b(n, ld, M + j, rows, x, y + j); \
        break;
    IN_BLOCKS(CALL)
#undef CALL
}

AK_CLONES
void ak_add_two_to_rows(int64_t n, int64_t ld, double *M, const double *x,
                        const double *y, const double *u, const double *v)
{
#define CALL(b)                                                \
    case b:                                                    \
        add_two_to_rows_##b(n, ld, M + j, x, y + j, u, v + j); \
        break;
    IN_BLOCKS(CALL)
#undef CALL
}
