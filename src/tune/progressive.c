/* Streams: examples are scored by the model as it is before it learns from
 * them.
 *
 * A copy of the model is taken after 64 triplets, 128, 256 and so on, and
 * scores the ones that follow. The places of these copies depend on the number
 * of triplets alone, not on how they arrive. What the last two copies scored is
 * the verdict. */
#include <math.h>
#include <string.h>

#include "learn/learner.h"
#include "tune/verdict.h"

enum { FIRST = 64, MOST = 2048, WINDOWS = 2 };

/* What one copy of the model scored. */
typedef struct window {
    ak_scores by[AK_READ_OUTS], baseline;
} window;

struct akin_stream_check {
    const akin_supervision *data;  // borrowed
    const akin_model *before;      // the baseline: borrowed, or
    akin_model *plain;             // a plain measure
    const char *baseline;          // its name
    akin_compare fixed;
    akin_model *copy;  // NULL: none yet
    int64_t seen, next;
    int64_t *triplets, n;  // seen since the copy was taken, MOST of them
    window windows[WINDOWS];
    akin_compare by[AK_READ_OUTS];
    int64_t n_by;
};

static void free_window(window *w)
{
    for (int64_t c = 0; c < AK_READ_OUTS; ++c)
        ak_scores_free(&w->by[c]);
    ak_scores_free(&w->baseline);
}

void akin_stream_check_free(akin_stream_check *c)
{
    if (c == NULL)
        return;
    for (int i = 0; i < WINDOWS; ++i)
        free_window(&c->windows[i]);
    akin_model_free(c->plain);
    akin_model_free(c->copy);
    akin_free(c->triplets);
    akin_free(c);
}

akin_status akin_stream_check_new(akin_stream_check **out, akin_ctx *ctx,
                                  const akin_supervision *data,
                                  const akin_model *before, akin_compare by)
{
    akin_stream_check *c = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &c));
    AK_TRY(AK_NEW(ctx, 3 * MOST, &c->triplets));
    c->data = data;
    c->before = before;
    c->fixed = before != NULL ? akin_model_compare(before) : by;
    c->next = FIRST;
    *out = c;
    c = NULL;
done:
    akin_stream_check_free(c);
    return st;
}

/* Score the triplets that followed the copy. */
static akin_status score(akin_stream_check *c, akin_ctx *ctx)
{
    window *w = &c->windows[WINDOWS - 1];
    akin_supervision *held = NULL;
    ak_tune_held h;
    akin_status st = AKIN_OK;
    if (c->copy == NULL || c->n == 0)
        return AKIN_OK;
    free_window(&c->windows[0]);
    c->windows[0] = *w;
    *w = (window){0};
    AK_TRY(ak_supervision_like(&held, ctx, c->data));
    AK_TRY(akin_supervision_set(ctx, held, AKIN_TRIPLETS, c->triplets, c->n));
    AK_TRY(ak_tune_held_new(&h, ctx, held, "accuracy"));
    h.most = MOST;
    for (int64_t i = 0; i < c->n_by; ++i)
        AK_TRY(ak_scores_of(&w->by[i], ctx, c->copy, &h, c->by[i]));
    AK_TRY(ak_scores_of(&w->baseline, ctx, c->before ? c->before : c->plain, &h,
                        AKIN_BY_DEFAULT));
done:
    akin_supervision_free(held);
    return st;
}

static akin_status take_copy(akin_stream_check *c, akin_ctx *ctx,
                             akin_learning *l)
{
    AK_CHECK(score(c, ctx));
    akin_model_free(c->copy);
    c->copy = NULL;
    c->n = 0;
    c->next *= 2;
    AK_CHECK(akin_learning_model(&c->copy, ctx, l));
    if (c->n_by > 0)
        return AKIN_OK;
    c->n_by = ak_read_outs(c->by, c->copy, c->data, c->fixed);
    if (c->before != NULL)
        return AKIN_OK;
    c->baseline = akin_model_compare(c->copy) == AKIN_BY_DISTANCE ? "euclidean"
                                                                  : "cosine";
    return akin_model_builtin(&c->plain, ctx, c->baseline, c->data->rows);
}

akin_status akin_stream_check_observe(akin_ctx *ctx, akin_stream_check *c,
                                      akin_learning *l, const int64_t *triplets,
                                      int64_t count)
{
    akin_status st = AKIN_OK;
    for (int64_t at = 0; st == AKIN_OK && at < count;) {
        const int64_t n = ak_min_i64(count - at, c->next - c->seen);
        const int64_t more = ak_min_i64(n, MOST - c->n);
        memcpy(c->triplets + 3 * c->n, triplets + 3 * at,
               (size_t)(3 * more) * sizeof *triplets);
        c->n += more;
        st = akin_learning_observe(ctx, l, triplets + 3 * at, n);
        c->seen += n;
        at += n;
        if (st == AKIN_OK && c->seen == c->next) {
            ak_ctx_quiet_begin(ctx);
            st = take_copy(c, ctx, l);
            ak_ctx_quiet_end(ctx);
        }
    }
    return st;
}

akin_status akin_stream_check_verdict(akin_verdict *verdict, akin_ctx *ctx,
                                      akin_stream_check *c)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    window all = {0};
    ak_scores learned;
    int64_t best = 0;
    akin_status st = AKIN_OK;
    *verdict = ak_verdict_none();
    verdict->measure = "accuracy";
    verdict->baseline_measure = c->before ? "before" : c->baseline;
    verdict->read_out = c->fixed;
    if (c->before != NULL)
        verdict->kept = 1.0;
    AK_TRY(score(c, ctx));
    for (int w = 0; w < WINDOWS; ++w) {
        for (int64_t i = 0; i < c->n_by; ++i)
            AK_TRY(ak_scores_add(&all.by[i], ctx, &c->windows[w].by[i]));
        AK_TRY(ak_scores_add(&all.baseline, ctx, &c->windows[w].baseline));
    }
    if (all.baseline.n == 0) {
        verdict->reason = "there are too few examples";
        goto done;
    }
    AK_TRY(ak_read_out_choose(&best, ctx, all.by, c->n_by, -1));
    verdict->read_out = c->by[best];
    AK_TRY(ak_read_out_cross_fit(&learned, ctx, all.by, c->n_by));
    AK_TRY(ak_verdict_decide(verdict, ctx, &learned, &all.baseline, false));
    if (c->before != NULL && verdict->word == AKIN_WORSE)
        verdict->kept = 0.0;
done:
    free_window(&all);
    ak_scratch_end(ctx, mark);
    return st;
}
