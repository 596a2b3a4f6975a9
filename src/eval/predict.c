/* Labels by vote of the nearest rows that have any. */
#include <akin/eval.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "index/scan/scan.h"
#include "index/top_hits.h"

typedef struct votes {
    int64_t count;
    int64_t nearest;  // rank of the first voter
    int32_t label;
} votes;

typedef struct workspace {
    ak_hit *voters;  // k
    votes *votes;    // a label; then those with votes, sorted
} workspace;

typedef struct voting {
    const akin_rows *train;
    unsigned char *unlabelled;  // a row of train: it has no label
    int64_t k, top;
    workspace *workers;  // a worker
    int32_t *labels;
    double *scores;
} voting;

/* Most votes first; a tie goes to the label of the nearest voter. */
static int by_votes(const void *left, const void *right)
{
    const votes *a = left, *b = right;
    if (a->count != b->count)
        return a->count > b->count ? -1 : 1;
    if (a->nearest != b->nearest)
        return a->nearest < b->nearest ? -1 : 1;
    return (a->label > b->label) - (a->label < b->label);
}

/* Counts; returns how many votes there are in all. */
static int64_t count_votes(const voting *e, workspace *b, int64_t n_voters)
{
    int64_t all = 0;
    for (int64_t v = 0; v < n_voters; ++v) {
        const int32_t *labels;
        const int64_t n = akin_rows_labels(&labels, e->train, b->voters[v].row);
        for (int64_t l = 0; l < n; ++l) {
            votes *x = &b->votes[labels[l]];
            if (x->count++ == 0)
                *x = (votes){1, v, labels[l]};
        }
        all += n;
    }
    return all;
}

static akin_status vote(void *arg, int64_t t, const double *scores,
                        int64_t worker)
{
    const voting *e = arg;
    workspace *b = &e->workers[worker];
    const int64_t n_labels = e->train->n_label_names;
    memset(b->votes, 0, (size_t)n_labels * sizeof *b->votes);
    const int64_t n_voters =
        ak_hits_best(scores, e->train->n, e->unlabelled, -1, e->k, b->voters);
    const int64_t all = count_votes(e, b, n_voters);
    qsort(b->votes, (size_t)n_labels, sizeof *b->votes, by_votes);
    for (int64_t k = 0; k < e->top; ++k) {
        const bool there = k < n_labels && b->votes[k].count > 0;
        e->labels[t * e->top + k] = there ? b->votes[k].label : -1;
        e->scores[t * e->top + k] =
            there ? (double)b->votes[k].count / (double)all : 0.0;
    }
    return AKIN_OK;
}

static akin_status prepare(voting *e, akin_ctx *ctx)
{
    const akin_rows *train = e->train;
    const int64_t n_workers = ak_workers(ctx);
    if (e->k < 1 || e->top < 1)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`k` is %" PRId64 " and `top` is %" PRId64
                       " (both must be at least 1)",
                       e->k, e->top);
    if (train->label_offsets == NULL || train->n_label_names == 0)
        return ak_fail(ctx, AKIN_EINVAL, "the training rows have no labels");
    e->k = ak_min_i64(e->k, train->n);
    AK_CHECK(AK_SCRATCH(ctx, train->n, &e->unlabelled));
    for (int64_t i = 0; i < train->n; ++i)
        e->unlabelled[i] = train->label_offsets[i] ==
                           train->label_offsets[i + 1];
    AK_CHECK(AK_SCRATCH(ctx, n_workers, &e->workers));
    for (int64_t w = 0; w < n_workers; ++w) {
        AK_CHECK(AK_SCRATCH(ctx, e->k, &e->workers[w].voters));
        AK_CHECK(AK_SCRATCH(ctx, train->n_label_names, &e->workers[w].votes));
    }
    return AKIN_OK;
}

akin_status akin_predict(int32_t *labels, double *scores, akin_ctx *ctx,
                         const akin_model *m, const akin_rows *queries,
                         const akin_rows *train, int64_t k, int64_t top,
                         akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    voting e = {.train = train, .k = k, .top = top};
    int32_t *map;
    akin_status st = AKIN_OK;
    e.labels = labels;
    e.scores = scores;
    AK_TRY(prepare(&e, ctx));
    AK_TRY(ak_rows_label_map(ctx, queries, train, &map));  // may warn
    const ak_queries all = {queries, NULL, queries->n};
    AK_TRY(AK_SCAN(ctx, m, all, train, by, vote, &e,
                   {labels, (size_t)top * sizeof *labels},
                   {scores, (size_t)top * sizeof *scores}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
