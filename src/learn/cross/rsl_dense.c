/* The sums of several columns are held in registers while X goes by once.
 * BLAS takes a matrix of five columns for a general one, and is three times as
 * slow. Lanes are samples: no sum is across lanes before the end of a column,
 * and then always in the same order. */
#include "learn/cross/rsl_dense.h"

#include <string.h>

#include "la/clones.h"

typedef ak_rsl_v8 v8;

enum { WIDE = 6, TALL = 4, LANES = AK_RSL_LANES };

/* CW columns of U. */
#define DEFINE_PROJECT(CW)                                                   \
    AK_CLONES static void project_##CW(int64_t n, const float *x, int64_t k, \
                                       const double *U, double scale,        \
                                       const double *shift, double *Y)       \
    {                                                                        \
        v8 a[CW][2];                                                         \
        for (int c = 0; c < CW; ++c)                                         \
            a[c][0] = a[c][1] = (v8){0};                                     \
        for (int64_t j = 0; j < n; ++j) {                                    \
            const v8 x0 = AK_RSL_LOAD(x + j * LANES);                        \
            const v8 x1 = AK_RSL_LOAD(x + j * LANES + 8);                    \
            for (int c = 0; c < CW; ++c) {                                   \
                a[c][0] += x0 * U[j * k + c];                                \
                a[c][1] += x1 * U[j * k + c];                                \
            }                                                                \
        }                                                                    \
        for (int c = 0; c < CW; ++c) {                                       \
            a[c][0] = scale * (a[c][0] - shift[c]);                          \
            a[c][1] = scale * (a[c][1] - shift[c]);                          \
            memcpy(Y + c * LANES, a[c], sizeof a[c]);                        \
        }                                                                    \
    }

/* TALL columns of X with CW of C. */
#define DEFINE_GATHER(CW)                                                      \
    AK_CLONES static void gather_##CW(int64_t tiles, int64_t n,                \
                                      const float *x, int64_t rows, int64_t k, \
                                      const double *C, double *Y)              \
    {                                                                          \
        v8 a[TALL][CW];                                                        \
        int64_t at[TALL];                                                      \
        for (int r = 0; r < TALL; ++r)                                         \
            at[r] = (r < rows ? r : 0) * LANES;                                \
        for (int i = 0; i < TALL * CW; ++i)                                    \
            a[i / CW][i % CW] = (v8){0};                                       \
        for (int64_t i = 0; i < tiles * 2; ++i) {                              \
            const float *t = x + i / 2 * n * LANES + i % 2 * 8;                \
            const double *u = C + i / 2 * k * LANES + i % 2 * 8;               \
            v8 b[CW];                                                          \
            for (int c = 0; c < CW; ++c)                                       \
                memcpy(&b[c], u + c * LANES, sizeof b[c]);                     \
            for (int r = 0; r < TALL; ++r) {                                   \
                const v8 v = AK_RSL_LOAD(t + at[r]);                           \
                for (int c = 0; c < CW; ++c)                                   \
                    a[r][c] += v * b[c];                                       \
            }                                                                  \
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
                           const double *U, double scale, const double *shift,
                           double *Y);
typedef void (*gather_fn)(int64_t tiles, int64_t n, const float *x,
                          int64_t rows, int64_t k, const double *C, double *Y);

/* Columns at once: as even as can be. */
static int64_t width_of(int64_t k)
{
    const int64_t parts = (k + WIDE - 1) / WIDE;
    return (k + parts - 1) / parts;
}

void ak_rsl_tile_project(int64_t n, const float *x, int64_t k, const double *U,
                         double scale, const double *shift, double *Y)
{
    static const project_fn fns[WIDE] = {project_1, project_2, project_3,
                                         project_4, project_5, project_6};
    const int64_t wide = width_of(k);
    for (int64_t c = 0; c < k; c += wide) {
        const int64_t cw = k - c < wide ? k - c : wide;
        fns[cw - 1](n, x, k, U + c, scale, shift + c, Y + c * LANES);
    }
}

void ak_rsl_tiles_gather(int64_t tiles, int64_t n, const float *x, int64_t rows,
                         int64_t k, const double *C, double *Y)
{
    static const gather_fn fns[WIDE] = {gather_1, gather_2, gather_3,
                                        gather_4, gather_5, gather_6};
    const int64_t wide = width_of(k);
    for (int64_t j = 0; j < rows; j += TALL)
        for (int64_t c = 0; c < k; c += wide) {
            const int64_t cw = k - c < wide ? k - c : wide;
            fns[cw - 1](tiles, n, x + j * LANES, rows - j, k, C + c * LANES,
                        Y + j * k + c);
        }
}

AK_CLONES void ak_rsl_tile_score(int64_t k, const double *restrict A,
                                 const double *restrict s,
                                 const double *restrict B, double *restrict f)
{
    for (int l = 0; l < LANES; ++l)
        f[l] = 0.0;
    for (int64_t c = 0; c < k; ++c)
        for (int l = 0; l < LANES; ++l)
            f[l] += A[c * LANES + l] * s[c] * B[c * LANES + l];
}

AK_CLONES void ak_rsl_tile_scale(int64_t k, const double *restrict A,
                                 const double *restrict c, double *restrict P)
{
    for (int64_t i = 0; i < k * LANES; i += LANES)
        for (int l = 0; l < LANES; ++l)
            P[i + l] = c[l] * A[i + l];
}

AK_CLONES void ak_rsl_tile_change(int64_t k, const double *restrict A,
                                  const double *restrict B,
                                  const double *restrict C0,
                                  const double *restrict C1,
                                  const double *restrict M,
                                  const double *restrict h, double *restrict w)
{
    for (int at = 0; at < LANES; at += 8) {
        v8 df = {0};
        for (int64_t c = 0; c < k; ++c) {
            v8 e = AK_RSL_LOAD(C0 + c * LANES + at);
            for (int64_t b = 0; b < k; ++b)
                e += AK_RSL_LOAD(A + b * LANES + at) * M[b * k + c];
            df += e * AK_RSL_LOAD(B + c * LANES + at) +
                  AK_RSL_LOAD(A + c * LANES + at) *
                      AK_RSL_LOAD(C1 + c * LANES + at);
        }
        df *= AK_RSL_LOAD(h + at);
        memcpy(w + at, &df, sizeof df);
    }
}

AK_CLONES void ak_rsl_tile_second(int64_t k, const double *restrict A,
                                  const double *restrict B,
                                  const double *restrict w,
                                  const double *restrict c,
                                  const double *restrict s, double *restrict C0,
                                  double *restrict C1, double *restrict AwB)
{
    double wB[LANES];
    for (int64_t b = 0; b < k; ++b) {
        const double over = 1.0 / s[b];
        for (int l = 0; l < LANES; ++l) {
            const int64_t i = b * LANES + l;
            const double x = C0[i];
            wB[l] = w[l] * B[i];
            C0[i] = wB[l] + c[l] * C1[i] * over;
            C1[i] = w[l] * A[i] + c[l] * x * over;
        }
        for (int64_t a = 0; a < k; ++a)
            for (int l = 0; l < LANES; ++l)
                AwB[(a * k + b) * LANES + l] += A[a * LANES + l] * wB[l];
    }
}
