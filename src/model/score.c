/* Scoring pairs of rows, and saying why two rows are alike. */
#include <math.h>
#include <stdlib.h>

#include "base/comm.h"
#include "model/model.h"

enum { BLOCK = 256 };

/* Both sides fit the model, and the comparison is one that there is. */
static akin_status check(const akin_model *m, akin_ctx *ctx,
                         const akin_rows *left, const akin_rows *right,
                         akin_compare *by)
{
    if (*by == AKIN_BY_DEFAULT)
        *by = m->by;
    AK_CHECK(ak_model_check_compares(m, ctx));
    AK_CHECK(ak_model_check_rows(m, ctx, left, AKIN_LEFT));
    return ak_model_check_rows(m, ctx, right, AKIN_RIGHT);
}

akin_status ak_model_check_pair(akin_ctx *ctx, const akin_rows *left, int64_t i,
                                const akin_rows *right, int64_t j)
{
    if (i < 0 || i >= left->n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "row %" PRId64 " does not exist (there are %" PRId64
                       " rows)",
                       i, left->n);
    if (j < 0 || j >= right->n)
        return ak_fail(ctx, AKIN_ESHAPE,
                       "row %" PRId64 " does not exist (there are %" PRId64
                       " rows)",
                       j, right->n);
    return AKIN_OK;
}

typedef struct job {
    const akin_model *m;
    const akin_rows *left, *right;
    const int64_t *ij;
    double *scores;
    akin_compare by;
} job;

static akin_status score_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const job *b = arg;
    (void)worker;
    for (int64_t t = begin; t < end; ++t)
        b->scores[t] = b->m->kind->score(b->m, b->left, b->ij[2 * t], b->right,
                                         b->ij[2 * t + 1], b->by);
    return AKIN_OK;
}

akin_status akin_model_score(double *scores, akin_ctx *ctx, const akin_model *m,
                             const akin_rows *left, const akin_rows *right,
                             const int64_t *ij, int64_t count, akin_compare by)
{
    job b = {m, left, right, ij, scores, by};
    AK_CHECK(check(m, ctx, left, right, &b.by));
    for (int64_t t = 0; t < count; ++t)
        AK_CHECK(
            ak_model_check_pair(ctx, left, ij[2 * t], right, ij[2 * t + 1]));
    return AK_COMM_MAP(ctx, count, BLOCK, score_block, &b,
                       {scores, sizeof *scores});
}

static int by_size(const void *left, const void *right)
{
    const akin_reason *a = left, *b = right;
    const double x = fabs(a->contribution), y = fabs(b->contribution);
    if (x != y)
        return x > y ? -1 : 1;
    return (a->feature > b->feature) - (a->feature < b->feature);
}

/* To the score of row i of `left` and row j of `right`, or of label j when
 * there is no `right`. */
static int64_t contributions(const akin_model *m, const job *b, int64_t i,
                             int64_t j, akin_reason *reasons)
{
    return b->right == NULL
               ? m->kind->explain_label(m, b->left, i, j, reasons)
               : m->kind->explain(m, b->left, i, b->right, j, b->by, reasons);
}

/* The `top` largest of them, and all others together. */
static akin_status explain(akin_reason *reasons, int64_t *count, akin_ctx *ctx,
                           const akin_model *m, const job *b, int64_t i,
                           int64_t j, int64_t top)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_reason *all;
    double others = 0.0;
    bool rest = false;
    akin_status st = AKIN_OK;
    if (top < 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "`top` is %" PRId64 " (must not be negative)", top));
    AK_TRY(AK_SCRATCH(ctx, contributions(m, b, i, j, NULL), &all));
    int64_t n = contributions(m, b, i, j, all);
    for (int64_t k = n - 1; k >= 0; --k)
        if (all[k].feature < 0) {  // what belongs to no feature
            others += all[k].contribution;
            all[k] = all[--n];
            rest = true;
        }
    if (n > 0)
        qsort(all, (size_t)n, sizeof *all, by_size);
    *count = ak_min_i64(n, top);
    for (int64_t k = 0; k < *count; ++k)
        reasons[k] = all[k];
    for (int64_t k = n - 1; k >= top; --k)  // small ones first
        others += all[k].contribution;
    if (n > top || rest)
        reasons[(*count)++] = (akin_reason){-1, others};
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_model_explain(akin_reason *reasons, int64_t *count,
                               akin_ctx *ctx, const akin_model *m,
                               const akin_rows *left, int64_t i,
                               const akin_rows *right, int64_t j, int64_t top,
                               akin_compare by)
{
    job b = {.left = left, .right = right, .by = by};
    AK_CHECK(check(m, ctx, left, right, &b.by));
    AK_CHECK(ak_model_check_pair(ctx, left, i, right, j));
    return explain(reasons, count, ctx, m, &b, i, j, top);
}

akin_status akin_model_explain_label(akin_reason *reasons, int64_t *count,
                                     akin_ctx *ctx, const akin_model *m,
                                     const akin_rows *rows, int64_t i,
                                     int64_t label, int64_t top)
{
    const job b = {.left = rows, .by = m->by};
    AK_CHECK(ak_model_check_labels(m, ctx));
    AK_CHECK(ak_model_check_rows(m, ctx, rows, AKIN_LEFT));
    AK_CHECK(ak_model_check_pair(ctx, rows, i, rows, i));
    if (label < 0 || label >= ak_model_labels(m).n)
        return ak_fail(ctx, AKIN_EINVAL,
                       "label %" PRId64 " does not exist (there are %" PRId64
                       " labels)",
                       label, ak_model_labels(m).n);
    return explain(reasons, count, ctx, m, &b, i, label, top);
}
