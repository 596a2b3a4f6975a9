#include "opt/vectors.h"

#include "base/parallel.h"
#include "la/clones.h"
#include "la/sparse.h"

enum { BLOCK = 8192 };

typedef struct vectors {
    double a, b;
    const double *x;
    double *y;
    double *sums;  // one a block
} vectors;

static akin_status dot_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const vectors *v = arg;
    (void)worker;
    v->sums[begin / BLOCK] = ak_dot8(end - begin, v->x + begin, v->y + begin);
    return AKIN_OK;
}

akin_status ak_vector_dot(akin_ctx *ctx, int64_t n, const double *x,
                          const double *y, double *sum)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t blocks = n / BLOCK + (n % BLOCK != 0);
    vectors v = {.x = x, .y = (double *)y};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, blocks, &v.sums));
    AK_TRY(ak_parallel_for(ctx, n, BLOCK, dot_block, &v));
    *sum = 0.0;
    for (int64_t i = 0; i < blocks; ++i)
        *sum += v.sums[i];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

AK_CLONES static void add(int64_t n, double a, const double *restrict x,
                          double b, double *restrict y)
{
    if (b == 0.0)
        for (int64_t i = 0; i < n; ++i)
            y[i] = a * x[i];
    else
        for (int64_t i = 0; i < n; ++i)
            y[i] = a * x[i] + b * y[i];
}

static akin_status add_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const vectors *v = arg;
    (void)worker;
    add(end - begin, v->a, v->x + begin, v->b, v->y + begin);
    return AKIN_OK;
}

akin_status ak_vector_add(akin_ctx *ctx, int64_t n, double a, const double *x,
                          double b, double *y)
{
    vectors v = {a, b, x, y, NULL};
    return ak_parallel_for(ctx, n, BLOCK, add_block, &v);
}
