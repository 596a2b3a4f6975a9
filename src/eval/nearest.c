/* The nearest rows of each query. */
#include <akin/eval.h>
#include <math.h>

#include "base/parallel.h"
#include "index/scan/scan.h"
#include "index/top_hits.h"

typedef struct search {
    int64_t n, top;
    bool same;
    ak_hit *room;  // heap a worker
    int64_t heap;  // = min(top, n)
    int64_t *nearest;
    double *scores;
} search;

static akin_status find(void *arg, int64_t t, const double *scores,
                        int64_t worker)
{
    const search *s = arg;
    ak_hit *best = s->room + worker * s->heap;
    const int64_t count =
        ak_hits_best(scores, s->n, NULL, s->same ? t : -1, s->heap, best);
    for (int64_t k = 0; k < s->top; ++k) {
        const bool there = k < count;
        s->nearest[t * s->top + k] = there ? best[k].row : -1;
        s->scores[t * s->top + k] = there ? best[k].score : NAN;
    }
    return AKIN_OK;
}

akin_status akin_nearest(int64_t **nearest, double **scores, akin_ctx *ctx,
                         const akin_model *m, const akin_rows *queries,
                         const akin_rows *rows, int64_t top, akin_compare by,
                         int same)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    search s = {.n = rows->n, .top = top, .same = same != 0};
    int64_t size = 0;
    akin_status st = AKIN_OK;
    if (top < 1 || !ak_mul_i64(queries->n, top, &size))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "`top` is %" PRId64
                       " (must be at least 1, and the results must fit memory)",
                       top));
    s.heap = ak_min_i64(top, rows->n);
    AK_TRY(AK_SCRATCH(ctx, s.heap * ak_workers(ctx), &s.room));
    AK_TRY(AK_NEW(ctx, size, &s.nearest));
    AK_TRY(AK_NEW(ctx, size, &s.scores));
    const ak_queries all = {queries, NULL, queries->n};
    AK_TRY(AK_SCAN(ctx, m, all, rows, by, find, &s,
                   {s.nearest, (size_t)top * sizeof *s.nearest},
                   {s.scores, (size_t)top * sizeof *s.scores}));
    *nearest = s.nearest;
    *scores = s.scores;
    s.nearest = NULL;
    s.scores = NULL;
done:
    akin_free(s.nearest);
    akin_free(s.scores);
    ak_scratch_end(ctx, mark);
    return st;
}
