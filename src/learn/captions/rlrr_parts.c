/* Products of matrices of which only values for peers, or factors, are held. */
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "learn/captions/rlrr_gap.h"

enum { BLOCK = 64 };

typedef struct sparse_job {
    const ak_peers *peers;
    const int32_t *mirror;  // NULL: S'Y, else S Y
    const double *S, *Y;
    double *out;
    int64_t b;
} sparse_job;

/* Rows [begin, end) of S'Y: column j of S with the rows of its peers. */
static akin_status sparse_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const sparse_job *s = arg;
    const int64_t b = s->b;
    (void)worker;
    for (int64_t j = begin; j < end; ++j) {
        const int32_t *peers;
        const int64_t m = ak_peers_get(s->peers, j, &peers);
        const int64_t start = s->peers->start[j];
        double *out = s->out + j * b;
        memset(out, 0, (size_t)b * sizeof *out);
        for (int64_t k = 0; k < m; ++k) {
            const int64_t at = s->mirror ? s->mirror[start + k] : start + k;
            const double a = s->S[at], *Y = s->Y + peers[k] * b;
            if (a == 0.0)
                continue;
            for (int64_t c = 0; c < b; ++c)
                out[c] += a * Y[c];
        }
    }
    return AKIN_OK;
}

akin_status ak_peers_product(akin_ctx *ctx, const ak_peers *peers,
                             const int32_t *mirror, const double *S, int64_t b,
                             const double *Y, double *out)
{
    sparse_job job = {peers, mirror, S, Y, out, b};
    return ak_parallel_for(ctx, peers->n, BLOCK, sparse_block, &job);
}

akin_status ak_pair_product(akin_ctx *ctx, int64_t n, int64_t k, double by,
                            const double *A, const double *B, bool transposed,
                            int64_t b, const double *Y, double *out)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *low;
    akin_status st = AKIN_OK;
    if (k == 0)
        return st;
    AK_TRY(AK_SCRATCH(ctx, k * b, &low));
    AK_TRY(ak_gemm(ctx, true, false, k, b, n, by, transposed ? A : B, k, Y, b,
                   0.0, low, b));
    AK_TRY(ak_gemm(ctx, false, false, n, b, k, 1.0, transposed ? B : A, k, low,
                   b, 1.0, out, b));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* tr((A'A)(B'B)) */
akin_status ak_pair_norm(double *out, akin_ctx *ctx, int64_t n, int64_t k,
                         const double *A, const double *B)
{
    double *AA, *BB;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, k * k, &AA));
    AK_TRY(AK_SCRATCH(ctx, k * k, &BB));
    AK_TRY(ak_gram(ctx, true, k, n, A, k, AA));
    AK_TRY(ak_gram(ctx, true, k, n, B, k, BB));
    *out = ak_dot(k * k, AA, BB);
done:
    return st;
}
