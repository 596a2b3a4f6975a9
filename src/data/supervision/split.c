/* Parts of rows, drawn by the seed.
 *
 * By class, each class gives its share; what rounding leaves over is carried to
 * the next class, so that small classes together give theirs too. A row with
 * several labels counts for the first; rows without are a class. */
#include "data/supervision/split.h"

#include <math.h>

static int64_t class_of(const akin_rows *rows, int64_t row)
{
    const int32_t *labels;
    return akin_rows_labels(&labels, rows, row) > 0 ? labels[0]
                                                    : rows->n_label_names;
}

/* How many of the n rows of a class to take. */
static int64_t take_of(const ak_share *share, int64_t n, double *due)
{
    const int64_t most = share->leave_one && n > 0 ? n - 1 : n;
    if (most == 0)
        return 0;
    *due += share->fraction * (double)n;
    const double want = floor(*due + 0.5);
    const int64_t k = ak_max_i64(0, ak_min_i64(most, (int64_t)want));
    *due = fmax(-0.5, fmin(0.5, *due - (double)k));
    return k;
}

akin_status ak_share_draw(akin_ctx *ctx, const akin_rows *rows, ak_share share,
                          ak_rng rng, unsigned char *flags, int64_t *count)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n_classes = share.by_class ? rows->n_label_names + 1 : 1;
    int64_t *offsets, *sorted;
    double due = 0.0;
    akin_status st = AKIN_OK;

    *count = 0;
    AK_TRY(AK_SCRATCH(ctx, n_classes + 2, &offsets));
    AK_TRY(AK_SCRATCH(ctx, share.n, &sorted));
    for (int64_t i = 0; i < share.n; ++i) {
        const int64_t row = share.which ? share.which[i] : i;
        ++offsets[(share.by_class ? class_of(rows, row) : 0) + 2];
    }
    for (int64_t c = 1; c <= n_classes + 1; ++c)
        offsets[c] += offsets[c - 1];
    for (int64_t i = 0; i < share.n; ++i) {
        const int64_t row = share.which ? share.which[i] : i;
        const int64_t c = share.by_class ? class_of(rows, row) : 0;
        sorted[offsets[c + 1]++] = row;
    }
    for (int64_t c = 0; c < n_classes; ++c) {
        ak_rng r = ak_rng_split(rng, (uint64_t)c);
        const int64_t n = offsets[c + 1] - offsets[c];
        const int64_t k = take_of(&share, n, &due);
        ak_rng_shuffle(&r, n, sorted + offsets[c]);
        for (int64_t i = 0; i < k; ++i)
            flags[sorted[offsets[c] + i]] = 1;
        *count += k;
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_split(int64_t **first, int64_t *n_first, int64_t **second,
                       int64_t *n_second, akin_ctx *ctx, const akin_rows *rows,
                       double fraction, int by_class)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_share share = {NULL, rows->n, fraction, by_class != 0, false};
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SPLIT);
    unsigned char *flags;
    int64_t *a = NULL, *b = NULL, n = 0;
    akin_status st = AKIN_OK;

    if (!(fraction >= 0.0 && fraction <= 1.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "fraction is %g (expected 0 to 1)",
                       fraction));
    if (by_class && rows->n_label_names == 0)
        AK_TRY(
            ak_fail(ctx, AKIN_EINVAL, "the rows have no labels to split by"));
    AK_TRY(AK_SCRATCH(ctx, rows->n, &flags));
    AK_TRY(ak_share_draw(ctx, rows, share, rng, flags, &n));
    AK_TRY(AK_NEW(ctx, n, &a));
    AK_TRY(AK_NEW(ctx, rows->n - n, &b));
    *n_first = *n_second = 0;
    for (int64_t i = 0; i < rows->n; ++i)
        if (flags[i])
            a[(*n_first)++] = i;
        else
            b[(*n_second)++] = i;
    *first = a;
    *second = b;
    a = b = NULL;
done:
    akin_free(a);
    akin_free(b);
    ak_scratch_end(ctx, mark);
    return st;
}
