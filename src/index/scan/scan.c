/* Blocks of queries through all rows: dot products by one of the strategys,
 * then what the dot product means, then the caller. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "index/scan/strategy.h"
#include "model/diagonal.h"

static bool no_negative_weight(const akin_model *m)
{
    const double *w = ak_model_is_diagonal(m) ? ak_diagonal_w(m) : NULL;
    for (int64_t j = 0; w && j < m->d[0]; ++j)
        if (w[j] < 0.0)
            return false;
    return true;
}

/* Cosine, or minus the squared distance, from dot products and norms (square
 * roots for the cosine). Two equal sparse rows have products and norms of the
 * same bits: distance 0. */
static void to_scores(const ak_scan_work *s, double norm, double *scores)
{
    const int64_t n = s->rows->n;
    const double root = sqrt(norm);
    for (int64_t i = 0; i < n && s->by == AKIN_BY_COSINE; ++i) {
        const double size = root * s->norms[i];
        scores[i] = size > 0.0 ? scores[i] / size : 0.0;
    }
    for (int64_t i = 0; i < n && s->by == AKIN_BY_DISTANCE; ++i) {
        const double minus = (2.0 * scores[i] - norm) - s->norms[i];
        scores[i] = s->metric && minus > 0.0 ? 0.0 : minus;
    }
}

typedef struct scan_run {
    ak_scan_work s;
    ak_scan_block b;
    akin_ctx *ctx;
    ak_scan_fn fn;
    void *arg;
} scan_run;

static akin_status load_queries(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    scan_run *r = arg;
    (void)worker;
    for (int64_t t = begin; t < end; ++t)
        r->s.strategy->load(&r->s, &r->b, t);
    return AKIN_OK;
}

static akin_status scan_rows(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    scan_run *r = arg;
    return r->s.strategy->rows(&r->s, r->ctx, &r->b, begin, end, worker);
}

static akin_status deliver_query(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    scan_run *r = arg;
    akin_status st = AKIN_OK;
    for (int64_t t = begin; t < end && st == AKIN_OK; ++t) {
        double *scores = r->b.scores + t * r->s.n_padded;
        if (r->s.strategy->rest)
            r->s.strategy->rest(&r->s, &r->b, t);
        if (r->s.norms)
            to_scores(&r->s, r->b.norm[t], scores);
        st = r->fn(r->arg, r->b.first + t, scores, worker);
    }
    return st;
}

static akin_status run_block(scan_run *r)
{
    const ak_scan_work *s = &r->s;
    memset(r->b.table, 0, (size_t)s->table * sizeof *r->b.table);
    AK_CHECK(ak_parallel_for(r->ctx, r->b.count, s->strategy->load_at_once,
                             load_queries, r));
    AK_CHECK(ak_parallel_for(r->ctx, s->rows->n, s->chunk, scan_rows, r));
    return ak_parallel_for(r->ctx, r->b.count, 1, deliver_query, r);
}

static akin_status take_memory(scan_run *r)
{
    const ak_scan_work *s = &r->s;
    int64_t scores = 0, room = 0;
    if (!ak_mul_i64(s->at_once, s->n_padded, &scores) ||
        !ak_mul_i64(s->room, ak_workers(r->ctx), &room))
        return ak_nomem(r->ctx, SIZE_MAX);
    AK_CHECK(AK_SCRATCH(r->ctx, scores, &r->b.scores));
    AK_CHECK(AK_SCRATCH(r->ctx, s->table, &r->b.table));
    return AK_SCRATCH(r->ctx, room, &r->b.room);
}

static akin_status begin(ak_scan_work *s, akin_ctx *ctx)
{
    const akin_rows *rows = s->rows;
    AK_CHECK(ak_model_check_compares(s->m, ctx));
    AK_CHECK(ak_model_check_rows(s->m, ctx, s->queries.rows, AKIN_LEFT));
    AK_CHECK(ak_model_check_rows(s->m, ctx, rows, AKIN_RIGHT));
    s->metric = no_negative_weight(s->m);
    s->strategy = rows->offsets && ak_model_is_diagonal(s->m) ? &ak_scan_sparse
                                                              : &ak_scan_dense;
    if (s->by != AKIN_BY_DOT)
        AK_CHECK(AK_SCRATCH(ctx, rows->n, &s->norms));
    AK_CHECK(s->strategy->begin(s, ctx));
    for (int64_t i = 0; i < rows->n && s->by == AKIN_BY_COSINE; ++i)
        s->norms[i] = sqrt(s->norms[i]);
    return AKIN_OK;
}

static akin_status scan(akin_ctx *ctx, const akin_model *m, ak_queries queries,
                        const akin_rows *rows, akin_compare by, ak_scan_fn fn,
                        void *arg)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_rank_range own = ak_comm_own(ctx, queries.count, AK_SCAN_QUERIES);
    scan_run r = {.ctx = ctx, .fn = fn, .arg = arg};
    akin_status st = AKIN_OK;
    r.s = (ak_scan_work){.m = m, .queries = queries, .rows = rows, .by = by};
    AK_TRY(begin(&r.s, ctx));
    AK_TRY(take_memory(&r));
    for (int64_t t = own.begin; t < own.end; t += r.b.count) {
        r.b.first = t;
        r.b.count = ak_min_i64(r.s.at_once, own.end - t);
        AK_TRY(run_block(&r));
        AK_TRY(ak_ctx_tick(ctx, "queries", t + r.b.count - own.begin,
                           own.end - own.begin, NAN));
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* A learned space that also keeps the rows' own columns is sparse: rows are
 * embedded first and compared there. */
static akin_status scan_embedded(akin_ctx *ctx, const akin_model *m,
                                 ak_queries queries, const akin_rows *rows,
                                 akin_compare by, ak_scan_fn fn, void *arg)
{
    akin_rows *left = NULL, *right = NULL;
    akin_model *plain = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_embed(&left, ctx, m, queries.rows, AKIN_LEFT));
    AK_TRY(ak_model_embed(&right, ctx, m, rows, AKIN_RIGHT));
    AK_TRY(akin_model_builtin(&plain, ctx, "cosine", right));
    queries.rows = left;
    AK_TRY(scan(ctx, plain, queries, right, by, fn, arg));
done:
    akin_model_free(plain);
    akin_rows_free(left);
    akin_rows_free(right);
    return st;
}

akin_status ak_scan(akin_ctx *ctx, const akin_model *m, ak_queries queries,
                    const akin_rows *rows, akin_compare by, ak_scan_fn fn,
                    void *arg, const ak_comm_array *results, int64_t n_results)
{
    if (by == AKIN_BY_DEFAULT)
        by = m->by;
    AK_CHECK(ak_comm_agree(ctx, (m->kind->own ? scan_embedded : scan)(
                                    ctx, m, queries, rows, by, fn, arg)));
    return ak_comm_gather(ctx, queries.count, AK_SCAN_QUERIES, results,
                          n_results);
}
