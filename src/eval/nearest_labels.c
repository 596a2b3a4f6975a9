/* Labels ranked by rows: a label is as near to a query as the nearest row that
 * has it. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "data/rows.h"
#include "eval/average_precision.h"
#include "eval/queries.h"
#include "index/scan/scan.h"

/* What one worker needs for one query. */
typedef struct workspace {
    double *best;          // a label: the score of its nearest row
    unsigned char *flags;  // a label
    ak_hit *hits;          // a label
    int64_t *ranks;        // a label
} workspace;

typedef struct ranking {
    const akin_rows *rows;
    const int64_t *queries;
    const unsigned char *exclude;
    workspace *workers;
    double *ap, *first;
} ranking;

static void find_nearest(const ranking *r, int64_t query, const double *scores,
                         double *best)
{
    const akin_rows *rows = r->rows;
    for (int64_t l = 0; l < rows->n_label_names; ++l)
        best[l] = -INFINITY;
    for (int64_t i = 0; i < rows->n; ++i) {
        if (i == query || (r->exclude != NULL && r->exclude[i]))
            continue;
        for (int64_t k = rows->label_offsets[i]; k < rows->label_offsets[i + 1];
             ++k)
            best[rows->labels[k]] = fmax(best[rows->labels[k]], scores[i]);
    }
}

static akin_status rank(void *arg, int64_t t, const double *scores,
                        int64_t worker)
{
    const ranking *r = arg;
    const workspace *w = &r->workers[worker];
    const int32_t *labels;
    const int64_t query = r->queries[t], n_labels = r->rows->n_label_names;
    const int64_t n = akin_rows_labels(&labels, r->rows, query);
    r->ap[t] = r->first[t] = NAN;
    if (n == 0)
        return AKIN_OK;
    find_nearest(r, query, scores, w->best);
    memset(w->flags, AK_WRONG, (size_t)n_labels);
    for (int64_t k = 0; k < n; ++k) {
        w->flags[labels[k]] = AK_RELEVANT;
        w->hits[k] = (ak_hit){w->best[labels[k]], labels[k]};
    }
    ak_ranks(w->best, w->flags, n_labels, w->hits, n, w->ranks);
    r->ap[t] = akin_average_precision(w->ranks, n, n, 0);
    r->first[t] = (double)(w->ranks[0] == 1);
    return AKIN_OK;
}

akin_status ak_eval_nearest_labels(double *ap, double *first, akin_ctx *ctx,
                                   const akin_model *m, const akin_rows *rows,
                                   const int64_t *queries, int64_t n_queries,
                                   const unsigned char *exclude,
                                   akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n_workers = ak_workers(ctx), n_labels = rows->n_label_names;
    ranking r = {.rows = rows, .queries = queries, .exclude = exclude};
    akin_status st = AKIN_OK;
    r.ap = ap;
    r.first = first;
    if (rows->label_offsets == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "the rows have no labels"));
    AK_TRY(AK_SCRATCH(ctx, n_workers, &r.workers));
    for (int64_t w = 0; w < n_workers; ++w) {
        AK_TRY(AK_SCRATCH(ctx, n_labels, &r.workers[w].best));
        AK_TRY(AK_SCRATCH(ctx, n_labels, &r.workers[w].flags));
        AK_TRY(AK_SCRATCH(ctx, n_labels, &r.workers[w].hits));
        AK_TRY(AK_SCRATCH(ctx, n_labels, &r.workers[w].ranks));
    }
    const ak_queries all = {rows, queries, n_queries};
    AK_TRY(AK_SCAN(ctx, m, all, rows, by, rank, &r, {ap, sizeof *ap},
                   {first, sizeof *first}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
