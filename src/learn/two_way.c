#include "learn/two_way.h"

#include <math.h>
#include <string.h>

#include "base/comm.h"

enum { ROWS = 64, COLUMNS = 256 };  // in a block

/* The columns that occur, numbered; `number` has room for all. */
static akin_status number_columns(ak_two_way *x, akin_ctx *ctx,
                                  const akin_rows *rows, const int64_t *which,
                                  int64_t *number, int64_t *count)
{
    *count = 0;
    for (int64_t i = 0; i < x->n; ++i) {
        const ak_sparse row = ak_rows_sparse(rows, which[i]);
        for (int64_t k = 0; k < row.n; ++k)
            ++number[row.cols[k]];
        *count += row.n;
    }
    for (int64_t j = 0; j < rows->d; ++j)
        x->u += number[j] > 0;
    AK_CHECK(AK_SCRATCH(ctx, x->u, &x->columns));
    AK_CHECK(AK_SCRATCH(ctx, x->u + 1, &x->starts));
    for (int64_t j = 0, c = 0; j < rows->d; ++j)
        if (number[j] > 0) {
            x->starts[c + 1] = x->starts[c] + number[j];
            x->columns[c] = j;
            number[j] = c++;
        }
    return AKIN_OK;
}

akin_status ak_two_way_of(ak_two_way *out, akin_ctx *ctx, const akin_rows *rows,
                          const int64_t *which, int64_t n)
{
    ak_two_way x = {.n = n};
    int64_t *number, *next, count, k = 0;
    AK_CHECK(AK_SCRATCH(ctx, rows->d, &number));
    AK_CHECK(number_columns(&x, ctx, rows, which, number, &count));
    AK_CHECK(AK_SCRATCH(ctx, x.u, &next));
    AK_CHECK(AK_SCRATCH(ctx, n + 1, &x.offsets));
    AK_CHECK(AK_SCRATCH(ctx, count, &x.cols));
    AK_CHECK(AK_SCRATCH(ctx, count, &x.vals));
    AK_CHECK(AK_SCRATCH(ctx, count, &x.at));
    AK_CHECK(AK_SCRATCH(ctx, count, &x.nums));
    memcpy(next, x.starts, (size_t)x.u * sizeof *next);
    for (int64_t i = 0; i < n; ++i) {
        const ak_sparse row = ak_rows_sparse(rows, which[i]);
        for (int64_t e = 0; e < row.n; ++e, ++k) {
            const int64_t c = number[row.cols[e]];
            x.cols[k] = (int32_t)c;
            x.vals[k] = row.vals[e];
            x.at[next[c]] = (int32_t)i;
            x.nums[next[c]++] = row.vals[e];
        }
        x.offsets[i + 1] = k;
    }
    *out = x;
    return AKIN_OK;
}

double ak_two_way_mean(const ak_two_way *x, double *mean)
{
    double square = 0.0;
    for (int64_t j = 0; j < x->u; ++j) {
        const int64_t begin = x->starts[j], end = x->starts[j + 1];
        mean[j] = 0.0;
        for (int64_t k = begin; k < end; ++k)
            mean[j] += (double)x->nums[k] / (double)x->n;
        for (int64_t k = begin; k < end; ++k)
            square += pow((double)x->nums[k] - mean[j], 2.0);
        square += (double)(x->n - (end - begin)) * mean[j] * mean[j];
    }
    return square;
}

typedef struct product {
    const ak_two_way *x;
    int64_t L;
    const double *in;
    double *out;
} product;

/* out += sum_k nums[k] in[at[k]], L numbers each, k in [begin, end). */
static void gather(const product *p, int64_t begin, int64_t end,
                   const int32_t *at, const float *nums, double *out)
{
    for (int64_t k = begin; k < end; ++k) {
        const double *in = p->in + at[k] * p->L;
        const double v = nums[k];
        for (int64_t c = 0; c < p->L; ++c)
            out[c] += v * in[c];
    }
}

static akin_status add_block(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    const product *p = arg;
    const ak_two_way *x = p->x;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        gather(p, x->offsets[i], x->offsets[i + 1], x->cols, x->vals,
               p->out + i * p->L);
    return AKIN_OK;
}

static akin_status cross_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const product *p = arg;
    const ak_two_way *x = p->x;
    (void)worker;
    memset(p->out + begin * p->L, 0,
           (size_t)((end - begin) * p->L) * sizeof *p->out);
    for (int64_t j = begin; j < end; ++j)
        gather(p, x->starts[j], x->starts[j + 1], x->at, x->nums,
               p->out + j * p->L);
    return AKIN_OK;
}

akin_status ak_two_way_add(akin_ctx *ctx, const ak_two_way *x, int64_t L,
                           const double *W, double *Y)
{
    product p = {x, L, W, Y};
    return AK_COMM_MAP(ctx, x->n, ROWS, add_block, &p,
                       {Y, (size_t)L * sizeof *Y});
}

akin_status ak_two_way_cross(akin_ctx *ctx, const ak_two_way *x, int64_t L,
                             const double *Z, double *G)
{
    product p = {x, L, Z, G};
    return AK_COMM_MAP(ctx, x->u, COLUMNS, cross_block, &p,
                       {G, (size_t)L * sizeof *G});
}
