/* The sums of several columns are held in registers while X goes by once.
 * BLAS takes a matrix of five columns for a general one, and is three times as
 * slow. Lanes are samples: no sum is across lanes before the end of a column,
 * and then always in the same order. */
#include "learn/rsl_dense.h"

#include <string.h>

#include "la/clones.h"

typedef double v8 __attribute__((vector_size(64)));
typedef float f8 __attribute__((vector_size(32)));

enum { WIDE = 6, TALL = 4 };

#define LOAD_FLOATS(to, from)                   \
    do {                                        \
        f8 f_;                                  \
        memcpy(&f_, (from), sizeof f_);         \
        (to) = __builtin_convertvector(f_, v8); \
    } while (0)

/* CW columns of U. */
#define DEFINE_PROJECT(CW)                                                   \
    AK_CLONES static void project_##CW(int64_t n, const float *x, int64_t k, \
                                       const double *U, int64_t count,       \
                                       double *Y)                            \
    {                                                                        \
        v8 a[CW][2] = {{{0}}};                                               \
        double t[AK_RSL_LANES];                                              \
        for (int64_t j = 0; j < n; ++j) {                                    \
            v8 x0, x1;                                                       \
            LOAD_FLOATS(x0, x + j * AK_RSL_LANES);                           \
            LOAD_FLOATS(x1, x + j * AK_RSL_LANES + 8);                       \
            for (int c = 0; c < CW; ++c) {                                   \
                a[c][0] += x0 * U[j * k + c];                                \
                a[c][1] += x1 * U[j * k + c];                                \
            }                                                                \
        }                                                                    \
        for (int c = 0; c < CW; ++c) {                                       \
            memcpy(t, a[c], sizeof t);                                       \
            for (int64_t i = 0; i < count; ++i)                              \
                Y[i * k + c] = t[i];                                         \
        }                                                                    \
    }

/* TALL columns of X with CW of C. */
#define DEFINE_GATHER(CW)                                                      \
    AK_CLONES static void gather_##CW(int64_t stride, const float *x,          \
                                      int64_t k, const double *C, int64_t ldc, \
                                      int64_t count, int64_t rows, double *Y)  \
    {                                                                          \
        v8 a[TALL][CW] = {{{0}}};                                              \
        for (int64_t i = 0; i < count; i += 8) {                               \
            v8 v[TALL], b[CW];                                                 \
            for (int r = 0; r < TALL; ++r)                                     \
                LOAD_FLOATS(v[r], x + (r < rows ? r : 0) * stride + i);        \
            for (int c = 0; c < CW; ++c)                                       \
                memcpy(&b[c], C + c * ldc + i, sizeof b[c]);                   \
            for (int r = 0; r < TALL; ++r)                                     \
                for (int c = 0; c < CW; ++c)                                   \
                    a[r][c] += v[r] * b[c];                                    \
        }                                                                      \
        for (int r = 0; r < TALL && r < rows; ++r)                             \
            for (int c = 0; c < CW; ++c) {                                     \
                const v8 s = a[r][c];                                          \
                Y[r * k + c] += ((s[0] + s[4]) + (s[2] + s[6])) +              \
                                ((s[1] + s[5]) + (s[3] + s[7]));               \
            }                                                                  \
    }

#define DEFINE_BOTH(CW) DEFINE_PROJECT(CW) DEFINE_GATHER(CW)
DEFINE_BOTH(1)
DEFINE_BOTH(2)
DEFINE_BOTH(3)
DEFINE_BOTH(4)
DEFINE_BOTH(5)
DEFINE_BOTH(6)

typedef void (*project_fn)(int64_t n, const float *x, int64_t k,
                           const double *U, int64_t count, double *Y);
typedef void (*gather_fn)(int64_t stride, const float *x, int64_t k,
                          const double *C, int64_t ldc, int64_t count,
                          int64_t rows, double *Y);

/* Columns at once: as even as can be. */
static int64_t width_of(int64_t k)
{
    const int64_t parts = (k + WIDE - 1) / WIDE;
    return (k + parts - 1) / parts;
}

void ak_rsl_dense_project(int64_t n, const float *x, int64_t k, const double *U,
                          int64_t count, double *Y)
{
    static const project_fn fns[WIDE] = {project_1, project_2, project_3,
                                         project_4, project_5, project_6};
    const int64_t wide = width_of(k);
    for (int64_t c = 0; c < k; c += wide) {
        const int64_t cw = k - c < wide ? k - c : wide;
        fns[cw - 1](n, x, k, U + c, count, Y + c);
    }
}

void ak_rsl_dense_gather(int64_t rows, int64_t stride, const float *x,
                         int64_t k, const double *C, int64_t ldc, int64_t count,
                         double *Y)
{
    static const gather_fn fns[WIDE] = {gather_1, gather_2, gather_3,
                                        gather_4, gather_5, gather_6};
    const int64_t wide = width_of(k);
    for (int64_t j = 0; j < rows; j += TALL)
        for (int64_t c = 0; c < k; c += wide) {
            const int64_t cw = k - c < wide ? k - c : wide;
            fns[cw - 1](stride, x + j * stride, k, C + c * ldc, ldc, count,
                        rows - j, Y + j * k + c);
        }
}
