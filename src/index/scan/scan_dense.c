/* Models that embed, and dense rows under a diagonal model: matrix products.
 *
 *   S(q, x) = a(q) . b(x)
 *
 * where a and b embed the two sides, or a(q) = W q and b(x) = x. The embedded
 * rows are kept; dense rows are converted to double a chunk at a time. A block
 * of queries and a chunk of rows are always multiplied whole, the last ones
 * padded with zeros: BLAS then takes the same steps for every score. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "index/scan/strategy.h"
#include "la/dense.h"
#include "la/sparse.h"
#include "model/compare.h"
#include "model/diagonal.h"

enum {
    CHUNK = 512,
    CHUNK_NUMBERS = 1 << 20,  // shorter chunks of longer rows: 8 MiB
    MANY_ROWS = 1 << 17,      // smaller blocks: a block of scores is 64 MiB
};

typedef struct dense {
    int64_t k;
    const double *w;  // diagonal, NULL: ones
    bool embeds;
    double *B;  // n_padded x k, embedded rows; NULL: dense rows as they are
} dense;

/* Row i of one side in the learned space, without the weights: k numbers. */
static void embed_row(const ak_scan_work *s, const akin_rows *rows, int64_t i,
                      akin_side side, double *out)
{
    const dense *p = s->state;
    if (p->embeds) {
        s->m->kind->embed(s->m, rows, i, side, out);
        return;
    }
    const ak_row row = ak_row_of(rows, i);
    if (row.cols)
        memset(out, 0, (size_t)p->k * sizeof *out);
    for (int64_t j = 0; j < row.n; ++j)
        out[ak_row_col(&row, j)] = row.vals[j];
}

/* x'Wx, x'|W|x for the cosine, of a row in the learned space. */
static double norm(const ak_scan_work *s, const double *x)
{
    const dense *p = s->state;
    if (p->w == NULL)
        return ak_dot8(p->k, x, x);
    double sum = 0.0;
    for (int64_t j = 0; j < p->k; ++j) {
        const double w = s->by == AKIN_BY_COSINE ? fabs(p->w[j]) : p->w[j];
        sum += x[j] * (w * x[j]);
    }
    return sum;
}

typedef struct embed_job {
    const ak_scan_work *s;
    double *room;  // k per worker, where rows are not kept
} embed_job;

static akin_status embed_rows(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const embed_job *a = arg;
    const ak_scan_work *s = a->s;
    const dense *p = s->state;
    for (int64_t i = begin; i < end; ++i) {
        double *x = p->B ? p->B + i * p->k : a->room + worker * p->k;
        embed_row(s, s->rows, i, AKIN_RIGHT, x);
        if (s->norms)
            s->norms[i] = norm(s, x);
    }
    return AKIN_OK;
}

static int64_t chunk_of(int64_t k)
{
    int64_t chunk = CHUNK;
    while (chunk > AK_SCAN_QUERIES && chunk * k > CHUNK_NUMBERS)
        chunk /= 2;
    return chunk;
}

static akin_status set_sizes(ak_scan_work *s, akin_ctx *ctx)
{
    const dense *p = s->state;
    const int64_t n = s->rows->n;
    if (n > INT32_MAX - CHUNK || p->k > INT32_MAX)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "%" PRId64 " rows of %" PRId64 " numbers are too many",
                       n, p->k);
    s->chunk = chunk_of(p->k);
    s->n_padded = (n + s->chunk - 1) / s->chunk * s->chunk;
    s->at_once = n > MANY_ROWS ? AK_SCAN_QUERIES : AK_SCAN_MOST;
    s->table = s->at_once * p->k;
    s->room = p->embeds ? 0 : s->chunk * p->k;
    return AKIN_OK;
}

static akin_status dense_begin(ak_scan_work *s, akin_ctx *ctx)
{
    const ak_model_kind *kind = s->m->kind;
    embed_job a = {.s = s};
    int64_t size = 0;
    dense *p = NULL;
    AK_CHECK(AK_SCRATCH(ctx, 1, &p));
    s->state = p;
    p->embeds = kind->embed != NULL;
    p->k = p->embeds ? kind->embed_dim(s->m) : s->m->d[AKIN_RIGHT];
    p->w = p->embeds ? NULL : ak_diagonal_w(s->m);
    AK_CHECK(set_sizes(s, ctx));
    if (!ak_mul_i64(s->n_padded, p->k, &size))
        return ak_nomem(ctx, SIZE_MAX);
    if (p->embeds)
        AK_CHECK(AK_SCRATCH(ctx, size, &p->B));
    AK_CHECK(AK_SCRATCH(ctx, p->k * ak_workers(ctx), &a.room));
    if (p->embeds || s->norms)
        AK_CHECK(ak_parallel_for(ctx, s->rows->n, 16, embed_rows, &a));
    return AKIN_OK;
}

static void dense_load(const ak_scan_work *s, ak_scan_block *b, int64_t t)
{
    const dense *p = s->state;
    double *a = b->table + t * p->k;
    embed_row(s, s->queries.rows, ak_query_at(&s->queries, b->first + t),
              AKIN_LEFT, a);
    if (s->norms)
        b->norm[t] = norm(s, a);
    for (int64_t j = 0; p->w && j < p->k; ++j)
        a[j] *= p->w[j];
}

/* The rows of a chunk, padded. */
static const double *chunk_rows(const ak_scan_work *s, ak_scan_block *b,
                                int64_t begin, int64_t end, int64_t worker)
{
    const dense *p = s->state;
    if (p->B)
        return p->B + begin * p->k;
    double *room = b->room + worker * s->room;
    for (int64_t i = begin; i < end; ++i)
        embed_row(s, s->rows, i, AKIN_RIGHT, room + (i - begin) * p->k);
    memset(room + (end - begin) * p->k, 0,
           (size_t)((s->chunk - (end - begin)) * p->k) * sizeof *room);
    return room;
}

static akin_status dense_rows(const ak_scan_work *s, akin_ctx *ctx,
                              ak_scan_block *b, int64_t begin, int64_t end,
                              int64_t worker)
{
    const dense *p = s->state;
    if (p->k == 0)
        return AKIN_OK;  // the scores are still zero
    const double *B = chunk_rows(s, b, begin, end, worker);
    return ak_gemm(ctx, false, true, s->at_once, s->chunk, p->k, 1.0, b->table,
                   p->k, B, p->k, 0.0, b->scores + begin, s->n_padded);
}

const ak_scan_strategy ak_scan_dense = {
    .begin = dense_begin,
    .load = dense_load,
    .load_at_once = 1,
    .rows = dense_rows,
};
