/* Labels in order of a ranker's scores, and how good that order is. */
#include <akin/eval.h>
#include <math.h>
#include <string.h>

#include "base/comm.h"
#include "data/labels.h"
#include "eval/average_precision.h"
#include "eval/queries.h"
#include "model/model.h"

enum { BLOCK = 16 };

/* What one worker needs for one row. */
typedef struct workspace {
    double *scores;        // a label
    double *room;          // of the model
    unsigned char *flags;  // a label
    ak_hit *hits;          // a label
    int64_t *ranks;        // a label
} workspace;

typedef struct ranking {
    const akin_model *m;
    const akin_rows *rows;
    int64_t n, top;  // labels
    workspace *workers;
    const int32_t *map;  // labels of the rows to those of the model
    int32_t *labels;     // ranking: top a row
    double *best;
    double *ap, *first;  // measuring: one a row; NAN: no label
    int32_t *found;      // AKIN_PRECISIONS a row
} ranking;

static akin_status make_workers(ranking *j, akin_ctx *ctx)
{
    const int64_t n_workers = ak_workers(ctx);
    AK_CHECK(ak_model_check_labels(j->m, ctx));
    AK_CHECK(ak_model_check_rows(j->m, ctx, j->rows, AKIN_LEFT));
    j->n = ak_model_labels(j->m).n;
    AK_CHECK(AK_SCRATCH(ctx, n_workers, &j->workers));
    for (int64_t w = 0; w < n_workers; ++w) {
        workspace *d = &j->workers[w];
        AK_CHECK(AK_SCRATCH(ctx, j->n, &d->scores));
        AK_CHECK(AK_SCRATCH(ctx, akin_model_rank(j->m), &d->room));
        AK_CHECK(AK_SCRATCH(ctx, j->n, &d->flags));
        AK_CHECK(AK_SCRATCH(ctx, j->n, &d->hits));
        AK_CHECK(AK_SCRATCH(ctx, j->n, &d->ranks));
    }
    return AKIN_OK;
}

static akin_status rank_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const ranking *j = arg;
    workspace *d = &j->workers[worker];
    for (int64_t i = begin; i < end; ++i) {
        j->m->kind->label_scores(j->m, j->rows, i, d->scores, d->room);
        const int64_t count = ak_hits_best(d->scores, j->n, NULL, -1,
                                           ak_min_i64(j->top, j->n), d->hits);
        for (int64_t k = 0; k < j->top; ++k) {
            const bool there = k < count;
            j->labels[i * j->top + k] = there ? (int32_t)d->hits[k].row : -1;
            j->best[i * j->top + k] = there ? d->hits[k].score : 0.0;
        }
    }
    return AKIN_OK;
}

akin_status akin_rank_labels(int32_t *labels, double *scores, akin_ctx *ctx,
                             const akin_model *m, const akin_rows *rows,
                             int64_t top)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ranking j = {.m = m, .rows = rows, .top = top, .labels = labels};
    akin_status st = AKIN_OK;
    j.best = scores;
    if (top < 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "`top` is %" PRId64 " (must be at least 1)", top));
    AK_TRY(make_workers(&j, ctx));
    AK_TRY(AK_COMM_MAP(ctx, rows->n, BLOCK, rank_block, &j,
                       {labels, (size_t)top * sizeof *labels},
                       {scores, (size_t)top * sizeof *scores}));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Row i: its labels among all, by their scores. */
static void measure_row(const ranking *j, int64_t i, workspace *d)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, j->rows, i);
    int64_t known = 0;
    j->ap[i] = j->first[i] = NAN;
    if (n == 0)
        return;
    j->m->kind->label_scores(j->m, j->rows, i, d->scores, d->room);
    memset(d->flags, AK_WRONG, (size_t)j->n);
    for (int64_t k = 0; k < n; ++k) {
        const int32_t l = j->map[labels[k]];
        if (l < 0)
            continue;
        d->flags[l] = AK_RELEVANT;
        d->hits[known++] = (ak_hit){d->scores[l], l};
    }
    ak_ranks(d->scores, d->flags, j->n, d->hits, known, d->ranks);
    j->ap[i] = akin_average_precision(d->ranks, known, n, 0);
    j->first[i] = known > 0 ? 1.0 / (double)d->ranks[0] : 0.0;
    for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
        for (int64_t k = 0; k < known && d->ranks[k] <= akin_precision_cut(c);
             ++k)
            ++j->found[i * AKIN_PRECISIONS + c];
}

static akin_status measure_block(void *arg, int64_t begin, int64_t end,
                                 int64_t worker)
{
    const ranking *j = arg;
    for (int64_t i = begin; i < end; ++i)
        measure_row(j, i, &j->workers[worker]);
    return AKIN_OK;
}

static void sum_up(akin_ranking *out, const ranking *j)
{
    *out = (akin_ranking){.labels = j->n};
    for (int64_t i = 0; i < j->rows->n; ++i) {
        if (isnan(j->ap[i])) {
            ++out->skipped;
            continue;
        }
        ++out->rows;
        out->map += j->ap[i];
        out->mrr += j->first[i];
        for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
            out->precision_at[c] += j->found[i * AKIN_PRECISIONS + c];
    }
    const double rows = out->rows > 0 ? (double)out->rows : NAN;
    out->map /= rows;
    out->mrr /= rows;
    for (int64_t c = 0; c < AKIN_PRECISIONS; ++c)
        out->precision_at[c] /= rows * (double)akin_precision_cut(c);
}

static void warn_if_unknown(akin_ctx *ctx, const akin_rows *rows,
                            const int32_t *map)
{
    for (int64_t l = 0; l < rows->n_label_names; ++l)
        if (map[l] >= 0)
            return;
    if (rows->n_label_names > 0)
        ak_log(ctx, AKIN_LOG_WARNING,
               "the model knows none of the labels of the rows ('%s', ...)",
               rows->label_names[0]);
}

akin_status ak_eval_labels(akin_ranking *out, double *ap, double *first,
                           akin_ctx *ctx, const akin_model *m,
                           const akin_rows *rows)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ranking j = {.m = m, .rows = rows, .ap = ap};
    int32_t *map = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(make_workers(&j, ctx));
    const ak_labels labels = ak_model_labels(m);
    AK_TRY(ak_label_map(ctx, rows->n_label_names, rows->label_names, labels.n,
                        labels.names, &map));
    j.map = map;
    warn_if_unknown(ctx, rows, map);
    if (ap == NULL)
        AK_TRY(AK_SCRATCH(ctx, rows->n, &j.ap));
    AK_TRY(AK_SCRATCH(ctx, rows->n, &j.first));
    AK_TRY(AK_SCRATCH(ctx, rows->n * AKIN_PRECISIONS, &j.found));
    AK_TRY(AK_COMM_MAP(ctx, rows->n, BLOCK, measure_block, &j,
                       {j.ap, sizeof *j.ap}, {j.first, sizeof *j.first},
                       {j.found, AKIN_PRECISIONS * sizeof *j.found}));
    sum_up(out, &j);
    for (int64_t i = 0; first != NULL && i < rows->n; ++i)
        first[i] = isnan(j.first[i]) ? NAN : (double)(j.first[i] == 1.0);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_eval_rank(akin_ranking *out, double *ap, akin_ctx *ctx,
                           const akin_model *m, const akin_rows *rows)
{
    return ak_eval_labels(out, ap, NULL, ctx, m, rows);
}
