#include "la/shared.h"

#include <string.h>

#include "la/dense.h"

enum {
    BLOCKS = 16,          // of a sum at most,
    NUMBERS = 1 << 25,    // of so many numbers together
    MULTIPLY_ROWS = 256,  // of a block
};

typedef struct sum_job {
    ak_sum_fn fn;
    void *arg;
    int64_t block, size;
    double *sums;
} sum_job;

static akin_status sum_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const sum_job *j = arg;
    return j->fn(j->arg, begin, end, worker,
                 j->sums + begin / j->block * j->size);
}

/* There are 1, 2, 4, 8 or 16 blocks. */
int64_t ak_shared_block(int64_t n, int64_t least, int64_t size)
{
    int64_t blocks = 1;
    while (2 * blocks <= BLOCKS && 2 * blocks <= n / least &&
           (blocks == 1 || 2 * blocks * size <= NUMBERS))
        blocks *= 2;
    return ak_max_i64(1, (n + blocks - 1) / blocks);
}

akin_status ak_shared_sum(akin_ctx *ctx, int64_t n, int64_t least, int64_t size,
                          ak_sum_fn fn, void *arg, double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    sum_job j = {fn, arg, ak_shared_block(n, least, size), size, out};
    const int64_t blocks = (n + j.block - 1) / j.block;
    akin_status st = AKIN_OK;
    memset(out, 0, (size_t)size * sizeof *out);
    if (blocks > 1)
        AK_TRY(ak_scratch(ctx, blocks, (size_t)size * sizeof *out, &j.sums));
    AK_TRY(ak_comm_for(ctx, n, j.block, sum_block, &j));
    AK_TRY(ak_comm_sum(ctx, n, j.block, size, j.sums));
    if (blocks > 1)
        memcpy(out, j.sums, (size_t)size * sizeof *out);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

typedef struct product {
    bool trans;
    int64_t n, b, lda;
    double alpha;
    const double *A, *B;
    double *Y;
} product;

static akin_status gram_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker, double *sum)
{
    const product *p = arg;
    (void)worker;
    return ak_gram_add(NULL, p->trans, p->n, end - begin, 1.0,
                       p->A + (p->trans ? begin * p->lda : begin), p->lda, sum);
}

akin_status ak_shared_gram(akin_ctx *ctx, bool trans, int64_t n, int64_t k,
                           const double *A, int64_t lda, double *C)
{
    product p = {.trans = trans, .n = n, .lda = lda, .A = A};
    AK_CHECK(ak_check_dims(ctx, n, k, lda));
    AK_CHECK(ak_shared_sum(ctx, k, AK_SHARED_ROWS, n * n, gram_block, &p, C));
    ak_mirror(n, C);
    return AKIN_OK;
}

static akin_status cross_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker, double *sum)
{
    const product *p = arg;
    (void)worker;
    return ak_gemm(NULL, true, false, p->n, p->b, end - begin, p->alpha,
                   p->A + begin * p->n, p->n, p->B + begin * p->b, p->b, 0.0,
                   sum, p->b);
}

akin_status ak_shared_cross(akin_ctx *ctx, int64_t m, int64_t a, double alpha,
                            const double *A, int64_t b, const double *B,
                            double *C)
{
    product p = {.n = a, .b = b, .alpha = alpha, .A = A, .B = B};
    AK_CHECK(ak_check_dims(ctx, m, a, b));
    return ak_shared_sum(ctx, m, AK_SHARED_ROWS, a * b, cross_block, &p, C);
}

static akin_status multiply_block(void *arg, int64_t begin, int64_t end,
                                  int64_t worker)
{
    const product *p = arg;
    (void)worker;
    return ak_gemm(NULL, false, false, end - begin, p->b, p->n, 1.0,
                   p->A + begin * p->n, p->n, p->B, p->b, 0.0,
                   p->Y + begin * p->b, p->b);
}

akin_status ak_shared_multiply(akin_ctx *ctx, int64_t m, int64_t a,
                               const double *A, int64_t b, const double *B,
                               double *Y)
{
    product p = {.n = a, .b = b, .A = A, .B = B, .Y = Y};
    AK_CHECK(ak_check_dims(ctx, m, a, b));
    if (b == 0)
        return AKIN_OK;
    return AK_COMM_MAP(ctx, m, MULTIPLY_ROWS, multiply_block, &p,
                       {Y, (size_t)b * sizeof *Y});
}
