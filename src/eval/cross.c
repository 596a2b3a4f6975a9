/* Recognition across two kinds of rows: the label of the nearest row in the
 * learned space. Rows of either side come to one space, each by its own way. */
#include <akin/eval.h>
#include <math.h>

#include "base/comm.h"
#include "data/rows.h"
#include "model/compare.h"
#include "model/model.h"

enum { BLOCK = 16 };

/* Labelled rows in the learned space. */
typedef struct pool {
    akin_rows *rows;  // embedded, with their labels
    int32_t *map;     // their labels among those of the target
} pool;

typedef struct search {
    pool pools[2];
    const akin_rows *target;
    akin_compare by;
    unsigned char *right;
} search;

static double compare(const akin_rows *x, int64_t i, const akin_rows *y,
                      int64_t j, akin_compare by)
{
    const float *a = ak_rows_dense(x, i), *b = ak_rows_dense(y, j);
    ak_sums s = {0};
    for (int64_t k = 0; k < x->d; ++k)
        ak_sums_add(&s, a[k], b[k]);
    return ak_sums_compare(&s, by);
}

/* Ties go to the first: the source before further target rows. */
static akin_status find_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const search *s = arg;
    (void)worker;
    for (int64_t t = begin; t < end; ++t) {
        double best = -INFINITY;
        for (int p = 0; p < 2; ++p) {
            const pool *from = &s->pools[p];
            for (int64_t i = 0; from->rows != NULL && i < from->rows->n; ++i) {
                const int32_t *labels;
                if (akin_rows_labels(&labels, from->rows, i) == 0)
                    continue;
                const double x = compare(from->rows, i, s->target, t, s->by);
                if (!(x > best))
                    continue;
                best = x;
                s->right[t] =
                    ak_rows_share_label(from->rows, i, s->target, t, from->map);
            }
        }
    }
    return AKIN_OK;
}

/* Embedding keeps sparse rows of a diagonal model sparse. */
static akin_status embed(akin_rows **out, akin_ctx *ctx, const akin_model *m,
                         const akin_rows *rows, akin_side side)
{
    akin_rows *e = NULL, *full = NULL;
    float *values = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_model_embed(&e, ctx, m, rows, side));
    if (e->offsets != NULL) {
        AK_TRY(ak_alloc(ctx, e->n, (size_t)e->d * sizeof *values, &values));
        for (int64_t i = 0; i < e->n; ++i)
            ak_rows_full(e, i, values + i * e->d);
        AK_TRY(akin_rows_new_dense(&full, ctx, e->n, e->d, values));
        AK_TRY(ak_rows_copy_labels(full, ctx, e, NULL));
        akin_rows_free(e);
        e = full;
        full = NULL;
    }
    *out = e;
    e = NULL;
done:
    akin_free(values);
    akin_rows_free(full);
    akin_rows_free(e);
    return st;
}

static akin_status check_labels(akin_ctx *ctx, const akin_rows *rows,
                                const char *what)
{
    if (akin_rows_label_count(rows) > 0)
        return AKIN_OK;
    return ak_fail(ctx, AKIN_EINVAL, "the %s rows have no labels", what);
}

static akin_status open_pool(pool *p, akin_ctx *ctx, const akin_model *m,
                             const akin_rows *rows, akin_side side,
                             const akin_rows *target)
{
    AK_CHECK(
        check_labels(ctx, rows, side == AKIN_LEFT ? "source" : "training"));
    AK_CHECK(embed(&p->rows, ctx, m, rows, side));
    AK_CHECK(ak_rows_label_map(ctx, p->rows, target, &p->map));
    if (p->rows->d != target->d)
        return ak_fail(
            ctx, AKIN_ESHAPE,
            "source and target are embedded into different spaces (%" PRId64
            " and %" PRId64 " dimensions)",
            p->rows->d, target->d);
    return AKIN_OK;
}

static void sum_up(akin_cross *out, const search *s)
{
    int64_t right = 0;
    *out = (akin_cross){0};
    for (int64_t t = 0; t < s->target->n; ++t) {
        const int32_t *labels;
        const bool counts = akin_rows_labels(&labels, s->target, t) > 0;
        out->rows += counts;
        out->skipped += !counts;
        right += counts && s->right[t];
    }
    const double n = (double)out->rows;
    out->accuracy = out->rows > 0 ? (double)right / n : NAN;
    out->accuracy_se = sqrt(out->accuracy * (1.0 - out->accuracy) / n);
}

akin_status akin_eval_cross(akin_cross *out, akin_ctx *ctx, const akin_model *m,
                            const akin_rows *source, const akin_rows *train,
                            const akin_rows *target, akin_compare by)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    search s = {.by = by == AKIN_BY_DEFAULT ? AKIN_BY_COSINE : by};
    akin_rows *places = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check_labels(ctx, target, "target"));
    AK_TRY(embed(&places, ctx, m, target, AKIN_RIGHT));
    s.target = places;
    if (source != NULL)
        AK_TRY(open_pool(&s.pools[0], ctx, m, source, AKIN_LEFT, places));
    if (train != NULL)
        AK_TRY(open_pool(&s.pools[1], ctx, m, train, AKIN_RIGHT, places));
    AK_TRY(AK_SCRATCH(ctx, places->n, &s.right));
    AK_TRY(AK_COMM_MAP(ctx, places->n, BLOCK, find_block, &s,
                       {s.right, sizeof *s.right}));
    sum_up(out, &s);
done:
    akin_rows_free(places);
    akin_rows_free(s.pools[0].rows);
    akin_rows_free(s.pools[1].rows);
    ak_scratch_end(ctx, mark);
    return st;
}
