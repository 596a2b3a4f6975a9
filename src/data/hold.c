/* Set a part of what is known aside. */
#include <string.h>

#include "data/bags.h"
#include "data/lines.h"
#include "data/split.h"
#include "data/supervision.h"

static akin_status new_part(akin_supervision **out, akin_ctx *ctx,
                            const akin_supervision *s)
{
    const akin_status st = ak_supervision_like(out, ctx, s);
    if (st == AKIN_OK)
        (*out)->kind = s->kind;
    return st;
}

static akin_status copy_i64(akin_ctx *ctx, const int64_t *from, int64_t n,
                            int64_t **to)
{
    const akin_status st = AK_NEW(ctx, n, to);
    if (st == AKIN_OK && n > 0)
        memcpy(*to, from, (size_t)n * sizeof *from);
    return st;
}

/* Rows: the held part knows what was kept back, the rest all the others. */
static akin_status hold_labels(akin_supervision *rest, akin_supervision *held,
                               akin_ctx *ctx, const akin_supervision *s,
                               double fraction, ak_rng rng)
{
    const int64_t n = ak_supervision_known(s);
    ak_share share = {NULL, 0, fraction, true, true};
    int64_t *labelled, count = 0;
    unsigned char *flags;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, n, &labelled));
    AK_TRY(AK_SCRATCH(ctx, s->rows->n, &flags));
    for (int64_t i = 0; i < n; ++i) {
        const int64_t row = ak_supervision_row(s, i);
        const int32_t *labels;
        if (akin_rows_labels(s->rows, row, &labels) > 0)
            labelled[share.n++] = row;
    }
    share.which = labelled;
    AK_TRY(ak_share_draw(ctx, s->rows, share, rng, flags, &count));
    AK_TRY(AK_NEW(ctx, count, &held->held));
    AK_TRY(AK_NEW(ctx, n - count, &rest->known));
    for (int64_t i = 0; i < n; ++i) {
        const int64_t row = ak_supervision_row(s, i);
        if (flags[row])
            held->held[held->n_held++] = row;
        else
            rest->known[rest->n_known++] = row;
    }
    AK_TRY(copy_i64(ctx, held->held, count, &held->known));
    held->n_known = count;
done:
    return st;
}

static akin_status hold_examples(akin_supervision *rest, akin_supervision *held,
                                 akin_ctx *ctx, const akin_supervision *s,
                                 const unsigned char *flags, int64_t n_held)
{
    const int64_t width = ak_line_form_of(s->kind, 0, 0).n;
    akin_status st = AKIN_OK;

    AK_TRY(AK_NEW(ctx, n_held * width, &held->numbers));
    AK_TRY(AK_NEW(ctx, (s->count - n_held) * width, &rest->numbers));
    for (int64_t i = 0; i < s->count; ++i) {
        akin_supervision *to = flags[i] ? held : rest;
        memcpy(to->numbers + width * to->count++, s->numbers + width * i,
               (size_t)width * sizeof *s->numbers);
    }
done:
    return st;
}

/* Examples and photos: each goes by a draw of its own. */
static akin_status hold_singly(akin_supervision *rest, akin_supervision *held,
                               akin_ctx *ctx, const akin_supervision *s,
                               double fraction, ak_rng rng)
{
    const int64_t n = akin_supervision_examples(s);
    unsigned char *flags;
    int64_t n_held = 0;
    akin_status st = AKIN_OK;

    AK_TRY(AK_SCRATCH(ctx, n, &flags));
    for (int64_t i = 0; i < n; ++i) {
        ak_rng r = ak_rng_split(rng, (uint64_t)i);
        flags[i] = ak_rng_unit(&r) < fraction;
        n_held += flags[i];
    }
    if (s->kind != AKIN_BAGS)
        return hold_examples(rest, held, ctx, s, flags, n_held);
    AK_TRY(ak_bags_select(&held->bags, ctx, s->bags, flags, 1));
    AK_TRY(ak_bags_select(&rest->bags, ctx, s->bags, flags, 0));
done:
    return st;
}

akin_status akin_supervision_hold(akin_supervision **rest,
                                  akin_supervision **held, akin_ctx *ctx,
                                  const akin_supervision *s, double fraction)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_VALIDATE);
    akin_supervision *a = NULL, *b = NULL;
    akin_status st = AKIN_OK;

    if (!(fraction > 0.0 && fraction < 1.0))
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "fraction is %g (expected between 0 and 1)", fraction));
    if (s->kind == AKIN_NOTHING)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "nothing is known about the rows"));
    AK_TRY(new_part(&a, ctx, s));
    AK_TRY(new_part(&b, ctx, s));
    AK_TRY((s->kind == AKIN_LABELS ? hold_labels : hold_singly)(a, b, ctx, s,
                                                                fraction, rng));
    if (akin_supervision_examples(a) == 0 || akin_supervision_examples(b) == 0)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "%g of %" PRId64 " examples leaves one part empty",
                       fraction, akin_supervision_examples(s)));
    *rest = a;
    *held = b;
    a = b = NULL;
done:
    akin_supervision_free(a);
    akin_supervision_free(b);
    ak_scratch_end(ctx, mark);
    return st;
}
