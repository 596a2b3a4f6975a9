/* Sparse rows under a diagonal model.
 *
 *   S(q, x) = sum_j x_j (w_j q_j)      (1)  columns of weight 0 left out
 *
 * A column is common when more than one row in COMMON has it. Under a
 * power law a query shares most of its words with a row in common columns:
 * these are kept by rows, and a table of w_j q_j of the whole block fits the
 * cache. Rare columns are kept as lists of rows, and only the lists of the
 * query's own columns are read. Every sum (1) adds the common columns first,
 * then the rare ones, each in increasing order. */
#include <math.h>

#include "base/parallel.h"
#include "index/scan/strategy.h"
#include "la/sparse.h"
#include "model/compare.h"
#include "model/diagonal.h"

/* ---- sparse rows times a table of AK_SCAN_QUERIES columns ------------------
 *
 * One source, compiled for each width of the processor's vectors. Lanes are
 * queries and never mix: the width does not change a bit. */

typedef struct table_rows {
    int64_t *offsets;
    int32_t *cols;
    float *vals;
} table_rows;

/* The sums of a row stay in registers: 16 lanes in vectors of `lanes`. */
#define DEFINE_TABLE_DOT(name, attribute, lanes)                          \
    typedef double name##_vector                                          \
        __attribute__((vector_size((lanes) * sizeof(double))));           \
    attribute static void name(const table_rows *r, const double *table,  \
                               int64_t begin, int64_t end, double *out,   \
                               int64_t stride)                            \
    {                                                                     \
        enum { VECTORS = AK_SCAN_QUERIES / (lanes) };                     \
        for (int64_t i = begin; i < end; ++i) {                           \
            name##_vector sum[VECTORS] = {{0}};                           \
            for (int64_t k = r->offsets[i]; k < r->offsets[i + 1]; ++k) { \
                const double x = r->vals[k];                              \
                const name##_vector *y =                                  \
                    (const name##_vector *)(table + (int64_t)r->cols[k] * \
                                                        AK_SCAN_QUERIES); \
                for (int v = 0; v < VECTORS; ++v)                         \
                    sum[v] += x * y[v];                                   \
            }                                                             \
            for (int t = 0; t < AK_SCAN_QUERIES; ++t)                     \
                out[t * stride + i] = sum[t / (lanes)][t % (lanes)];      \
        }                                                                 \
    }

DEFINE_TABLE_DOT(portable, , 2)
#if defined(__x86_64__)
DEFINE_TABLE_DOT(avx2, __attribute__((target("avx2"))), 4)
DEFINE_TABLE_DOT(avx512, __attribute__((target("avx512f"))), 8)
#else
#define avx2 portable
#define avx512 portable
#endif

/* out[t * stride + i] = sum_k vals[k] table[cols[k]][t] over the entries k of
 * row i, in their order, for begin <= i < end. The table is aligned to 64
 * bytes. Every processor gives the same bits. */
static void table_dot(const table_rows *r, const double *table, int64_t begin,
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

/* ---- the strategy ---- */

enum {
    COMMON = 24,         // 8 to 32 differ by a tenth in time
    COMMON_MOST = 8192,  // columns: a table of 1 MiB
    CHUNK = 512,
};

typedef struct sparse {
    const double *w;  // NULL: ones
    int32_t *place;   // d: number among the common columns from 1, or minus
                      // that among the rare ones; 0: no query or no row has
                      // it, so that memory is touched only where columns are
    unsigned char *many;  // d: 1 for a common column, even if its place is 0
    table_rows common;
    int64_t n_common, n_rare;
    int64_t *list;  // n_rare + 1: of list_rows and list_vals
    int32_t *list_rows;
    float *list_vals;
} sparse;

static double weight(const sparse *p, int64_t j)
{
    return p->w ? p->w[j] : 1.0;
}

static ak_row query_row(const ak_scan_work *s, int64_t t)
{
    return ak_row_of(s->queries.rows, ak_query_at(&s->queries, t));
}

/* Flag the columns that a query uses and that have a weight. */
static void flag_used(const ak_scan_work *s, unsigned char *flags)
{
    for (int64_t t = 0; t < s->queries.count; ++t) {
        const ak_row row = query_row(s, t);
        for (int64_t k = 0; k < row.n; ++k) {
            const int64_t j = ak_row_col(&row, k);
            flags[j] = weight(s->state, j) != 0.0;
        }
    }
}

/* Number the columns; `place` first counts the rows that have each. Whether a
 * column is common depends on the rows alone, not on the queries. */
static akin_status place_columns(sparse *p, akin_ctx *ctx,
                                 const ak_scan_work *s)
{
    const akin_rows *r = s->rows;
    const int64_t d = s->m->d[AKIN_RIGHT];
    int64_t n_many = 0;
    AK_CHECK(AK_SCRATCH(ctx, d, &p->place));
    AK_CHECK(AK_SCRATCH(ctx, d, &p->many));
    flag_used(s, p->many);
    for (int64_t k = 0; k < r->offsets[r->n]; ++k)
        ++p->place[r->cols[k]];
    for (int64_t j = 0; j < d; ++j) {
        const int64_t have = p->place[j];
        if (have == 0)
            continue;
        const bool used = p->many[j], many = have * COMMON > r->n;
        p->many[j] = many && n_many++ < COMMON_MOST;
        if (!used)
            p->place[j] = 0;
        else if (p->many[j])
            p->place[j] = (int32_t)++p->n_common;
        else
            p->place[j] = -(int32_t)++p->n_rare;
    }
    return AKIN_OK;
}

/* Sizes: offsets[i + 1] of the common part, list[k + 1] of each rare one. */
static akin_status count_entries(sparse *p, akin_ctx *ctx, const akin_rows *r)
{
    AK_CHECK(AK_SCRATCH(ctx, r->n + 1, &p->common.offsets));
    AK_CHECK(AK_SCRATCH(ctx, p->n_rare + 1, &p->list));
    for (int64_t i = 0; i < r->n; ++i) {
        p->common.offsets[i + 1] = p->common.offsets[i];
        for (int64_t k = r->offsets[i]; k < r->offsets[i + 1]; ++k) {
            const int32_t at = p->place[r->cols[k]];
            if (at > 0)
                ++p->common.offsets[i + 1];
            else if (at < 0)
                ++p->list[-at];
        }
    }
    for (int64_t k = 0; k < p->n_rare; ++k)
        p->list[k + 1] += p->list[k];
    return AKIN_OK;
}

/* Move every entry to its place. Afterwards list[k] is the end of list k - 1,
 * so it moves up by one. */
static void move_entries(sparse *p, const akin_rows *r)
{
    int64_t to = 0;
    for (int64_t i = 0; i < r->n; ++i)
        for (int64_t k = r->offsets[i]; k < r->offsets[i + 1]; ++k) {
            const int32_t at = p->place[r->cols[k]];
            if (at > 0) {
                p->common.cols[to] = at - 1;
                p->common.vals[to++] = r->vals[k];
            } else if (at < 0) {
                const int64_t there = p->list[-at - 1]++;
                p->list_rows[there] = (int32_t)i;
                p->list_vals[there] = r->vals[k];
            }
        }
    for (int64_t k = p->n_rare; k > 0; --k)
        p->list[k] = p->list[k - 1];
    p->list[0] = 0;
}

/* x'Wx, or x'|W|x for the cosine, in the order of (1). */
static double norm(const ak_scan_work *s, ak_row row)
{
    const sparse *p = s->state;
    double sum = 0.0;
    for (int rare = 0; rare < 2; ++rare)
        for (int64_t k = 0; k < row.n; ++k) {
            const int64_t j = ak_row_col(&row, k);
            if (p->many[j] == rare)
                continue;
            const double w = weight(p, j), x = row.vals[k];
            sum += x * ((s->by == AKIN_BY_COSINE ? fabs(w) : w) * x);
        }
    return sum;
}

static akin_status take_norms(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const ak_scan_work *s = arg;
    (void)worker;
    for (int64_t i = begin; i < end; ++i)
        s->norms[i] = norm(s, ak_row_of(s->rows, i));
    return AKIN_OK;
}

static akin_status sparse_begin(ak_scan_work *s, akin_ctx *ctx)
{
    const akin_rows *r = s->rows;
    sparse *p = NULL;
    if (r->n > INT32_MAX)
        return ak_fail(ctx, AKIN_ESHAPE, "more than 2147483647 rows");
    AK_CHECK(AK_SCRATCH(ctx, 1, &p));
    s->state = p;
    p->w = ak_diagonal_w(s->m);
    AK_CHECK(place_columns(p, ctx, s));
    AK_CHECK(count_entries(p, ctx, r));
    const int64_t n_common = p->common.offsets[r->n];
    const int64_t n_rare = p->list[p->n_rare];
    AK_CHECK(AK_SCRATCH(ctx, n_common, &p->common.cols));
    AK_CHECK(AK_SCRATCH(ctx, n_common, &p->common.vals));
    AK_CHECK(AK_SCRATCH(ctx, n_rare, &p->list_rows));
    AK_CHECK(AK_SCRATCH(ctx, n_rare, &p->list_vals));
    move_entries(p, r);
    s->at_once = AK_SCAN_QUERIES;
    s->chunk = CHUNK;
    s->n_padded = r->n;
    s->table = p->n_common * AK_SCAN_QUERIES;
    if (s->norms)
        AK_CHECK(ak_parallel_for(ctx, r->n, CHUNK, take_norms, s));
    return AKIN_OK;
}

static void sparse_load(const ak_scan_work *s, ak_scan_block *b, int64_t t)
{
    const sparse *p = s->state;
    const ak_row row = query_row(s, b->first + t);
    for (int64_t k = 0; k < row.n; ++k) {
        const int64_t j = ak_row_col(&row, k);
        const int64_t at = p->place[j];
        if (at > 0)
            b->table[(at - 1) * AK_SCAN_QUERIES + t] = weight(p, j) *
                                                       (double)row.vals[k];
    }
    if (s->norms)
        b->norm[t] = norm(s, query_row(s, b->first + t));
}

static akin_status sparse_rows(const ak_scan_work *s, akin_ctx *ctx,
                               ak_scan_block *b, int64_t begin, int64_t end,
                               int64_t worker)
{
    const sparse *p = s->state;
    (void)ctx;
    (void)worker;
    table_dot(&p->common, b->table, begin, end, b->scores, s->n_padded);
    return AKIN_OK;
}

static void sparse_rest(const ak_scan_work *s, ak_scan_block *b, int64_t t)
{
    const sparse *p = s->state;
    double *scores = b->scores + t * s->n_padded;
    const ak_row row = query_row(s, b->first + t);
    for (int64_t k = 0; k < row.n; ++k) {
        const int64_t j = ak_row_col(&row, k);
        const int64_t at = -p->place[j];
        if (at <= 0)
            continue;
        const double wq = weight(p, j) * (double)row.vals[k];
        for (int64_t l = p->list[at - 1]; l < p->list[at]; ++l)
            scores[p->list_rows[l]] += (double)p->list_vals[l] * wq;
    }
}

const ak_scan_strategy ak_scan_sparse = {
    .begin = sparse_begin,
    .load = sparse_load,
    .load_at_once = AK_SCAN_QUERIES,
    .rows = sparse_rows,
    .rest = sparse_rest,
};
