#include "data/supervision/shuffled_rows.h"

#include <string.h>

static akin_status check(akin_ctx *ctx, const akin_supervision *s)
{
    if (s->kind != AKIN_LABELS)
        return ak_fail(ctx, AKIN_EINVAL,
                       "labels are ranked by rows that have some, and by no "
                       "other supervision");
    if (s->rows->n_label_names < 2)
        return ak_fail(ctx, AKIN_EINVAL, "ranking needs at least two labels");
    if (akin_supervision_examples(s) == 0)
        return ak_fail(ctx, AKIN_EINVAL, "no row has a label");
    return AKIN_OK;
}

akin_status ak_shuffled_rows_new(ak_shuffled_rows **out, akin_ctx *ctx,
                                 const akin_supervision *s)
{
    ak_shuffled_rows *o = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(check(ctx, s));
    const int64_t n = akin_supervision_examples(s);
    AK_TRY(AK_NEW(ctx, 1, &o));
    o->root = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_ORDER);
    o->pass = -1;
    AK_TRY(AK_NEW(ctx, n, &o->rows));
    AK_TRY(AK_NEW(ctx, n, &o->order));
    for (int64_t i = 0; i < ak_supervision_known(s); ++i) {
        const int64_t row = ak_supervision_row(s, i);
        const int32_t *labels;
        if (akin_rows_labels(&labels, s->rows, row) > 0)
            o->rows[o->n++] = row;
    }
    *out = o;
    o = NULL;
done:
    ak_shuffled_rows_free(o);
    return st;
}

void ak_shuffled_rows_free(ak_shuffled_rows *o)
{
    if (o == NULL)
        return;
    akin_free(o->rows);
    akin_free(o->order);
    akin_free(o);
}

static void shuffle(ak_shuffled_rows *o, int64_t pass)
{
    ak_rng r = ak_rng_split(o->root, (uint64_t)pass);
    memcpy(o->order, o->rows, (size_t)o->n * sizeof *o->rows);
    ak_rng_shuffle(&r, o->n, o->order);
    o->pass = pass;
}

void ak_shuffled_rows_draw(ak_shuffled_rows *o, int64_t from, int64_t count,
                           int64_t *rows)
{
    for (int64_t i = 0; i < count; ++i) {
        const int64_t t = from + i;
        if (t / o->n != o->pass)
            shuffle(o, t / o->n);
        rows[i] = o->order[t % o->n];
    }
}
