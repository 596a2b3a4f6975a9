/* Retrieval: the average precision of every query's ranking. */
#include "eval/retrieval.h"

#include <math.h>

#include "base/parallel.h"
#include "index/scan/scan.h"

static const int64_t cuts[AKIN_PRECISIONS] = {1, 5, 10, 20, 50, 100};

int64_t akin_precision_cut(int64_t i)
{
    return i >= 0 && i < AKIN_PRECISIONS ? cuts[i] : 0;
}

/* What one worker needs for one query. */
typedef struct desk {
    unsigned char *flags;            // n
    ak_hit *hits;                    // n
    int64_t *ranks;                  // n
    int64_t found[AKIN_PRECISIONS];  // relevant rows up to each cut, summed
} desk;

typedef struct measuring {
    ak_retrieval r;
    desk *desks;
    double *ap;  // of each query
} measuring;

static akin_status measure(void *arg, int64_t t, const double *scores,
                           int64_t worker)
{
    const measuring *m = arg;
    desk *d = &m->desks[worker];
    const int64_t n = ak_relevant(&m->r, t, d->flags, d->hits);
    for (int64_t k = 0; k < n; ++k)
        d->hits[k].score = scores[d->hits[k].row];
    ak_ranks(scores, d->flags, m->r.rows->n, d->hits, n, d->ranks);
    for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
        for (int64_t k = 0; k < n && d->ranks[k] <= cuts[c]; ++k)
            ++d->found[c];
    m->ap[t] = akin_average_precision(d->ranks, n, n, m->r.o.trapezoid != 0);
    return AKIN_OK;
}

/* Sums over queries in their order, and over whole numbers in any. */
static void sum_up(akin_retrieval *out, const measuring *m, int64_t n_desks)
{
    *out = (akin_retrieval){.rows = m->r.rows->n};
    for (int64_t i = 0; m->r.o.exclude && i < m->r.rows->n; ++i)
        out->rows -= m->r.o.exclude[i] != 0;
    for (int64_t t = 0; t < m->r.count; ++t) {
        if (isnan(m->ap[t])) {
            ++out->skipped;
            continue;
        }
        ++out->queries;
        out->map += m->ap[t];
    }
    const double queries = (double)out->queries;
    out->map = out->queries ? out->map / queries : NAN;
    for (int64_t c = 0; c < AKIN_PRECISIONS; ++c) {
        int64_t found = 0;
        for (int64_t w = 0; w < n_desks; ++w)
            found += m->desks[w].found[c];
        out->precision_at[c] =
            out->queries ? (double)found / (queries * (double)cuts[c]) : NAN;
    }
}

static akin_status take_desks(measuring *m, akin_ctx *ctx, int64_t n_desks)
{
    const int64_t n = m->r.rows->n;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n_desks, &m->desks));
    for (int64_t w = 0; w < n_desks; ++w) {
        AK_TRY(AK_SCRATCH(ctx, n, &m->desks[w].flags));
        AK_TRY(AK_SCRATCH(ctx, n, &m->desks[w].hits));
        AK_TRY(AK_SCRATCH(ctx, n, &m->desks[w].ranks));
    }
done:
    return st;
}

static akin_status set_queries(ak_retrieval *r, akin_ctx *ctx,
                               const akin_rows *rows,
                               const akin_retrieval_options *o)
{
    r->o = (akin_retrieval_options)AKIN_RETRIEVAL_DEFAULTS;
    ak_options_take(&r->o, sizeof r->o, o);
    if (r->o.queries && r->o.query_rows)
        return ak_fail(ctx, AKIN_EINVAL,
                       "queries are rows or have a file of their own, not "
                       "both");
    r->rows = rows;
    r->queries = r->o.queries ? r->o.queries : rows;
    r->count = r->o.query_rows ? r->o.n_query_rows : r->queries->n;
    return AKIN_OK;
}

akin_status akin_eval_retrieval(akin_retrieval *out, double *ap, akin_ctx *ctx,
                                const akin_model *m, const akin_rows *rows,
                                const akin_retrieval_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n_desks = ak_workers(ctx);
    measuring all = {.ap = ap};
    akin_rows *like = NULL;
    ak_queries queries;
    akin_status st = AKIN_OK;
    AK_TRY(set_queries(&all.r, ctx, rows, o));
    AK_TRY(ak_relevant_begin(&all.r, ctx));
    AK_TRY(take_desks(&all, ctx, n_desks));
    if (ap == NULL)
        AK_TRY(AK_SCRATCH(ctx, all.r.count, &all.ap));
    queries = (ak_queries){all.r.queries, all.r.o.query_rows, all.r.count};
    if (all.r.o.like) {
        AK_TRY(ak_like_rows(&like, ctx, &all.r));
        queries = (ak_queries){like, NULL, all.r.count};
    }
    AK_TRY(ak_scan(ctx, m, queries, rows, all.r.o.by, measure, &all));
    sum_up(out, &all, n_desks);
done:
    akin_rows_free(like);
    ak_scratch_end(ctx, mark);
    return st;
}
