#include "tune/share.h"

#include <string.h>

#include "base/comm.h"

/* Bytes that are written, or read: both go through the same functions. */
typedef struct stream {
    akin_ctx *ctx;
    char *bytes;
    size_t used;
    int64_t room;
    bool reading;
} stream;

static akin_status pass(stream *s, void *p, size_t n)
{
    if (!s->reading) {
        AK_CHECK(
            ak_grow(s->ctx, (int64_t)(s->used + n), &s->room, 1, &s->bytes));
        memcpy(s->bytes + s->used, p, n);
    } else {
        memcpy(p, s->bytes + s->used, n);
    }
    s->used += n;
    return AKIN_OK;
}

/* An array of n elements, or none; `array` is the address of the pointer. */
static akin_status pass_array(stream *s, void *array, int64_t n, size_t size)
{
    void *p;
    memcpy(&p, array, sizeof p);
    char there = p != NULL;
    AK_CHECK(pass(s, &there, sizeof there));
    if (!there)
        return AKIN_OK;
    if (s->reading) {
        AK_CHECK(ak_alloc(s->ctx, n, size, &p));
        memcpy(array, &p, sizeof p);
    }
    return n > 0 ? pass(s, p, (size_t)n * size) : AKIN_OK;
}

static akin_status pass_measure(stream *s, const char **measure)
{
    static const char *const names[] = {"map", "error", "accuracy", "auc",
                                        NULL};
    int64_t i = 0;
    while (*measure != NULL && names[i] != NULL &&
           strcmp(names[i], *measure) != 0)
        ++i;
    if (*measure == NULL)
        i = 4;
    AK_CHECK(pass(s, &i, sizeof i));
    *measure = names[i];
    return AKIN_OK;
}

static akin_status pass_scores(stream *s, ak_scores *x)
{
    AK_CHECK(pass_measure(s, &x->measure));
    AK_CHECK(pass_measure(s, &x->second_measure));
    AK_CHECK(pass(s, &x->n, sizeof x->n));
    AK_CHECK(pass_array(s, &x->each, x->n, sizeof *x->each));
    AK_CHECK(pass_array(s, &x->second, x->n, sizeof *x->second));
    AK_CHECK(pass_array(s, &x->match, x->n, sizeof *x->match));
    return pass_array(s, &x->rows, 2 * x->n, sizeof *x->rows);
}

static akin_status pass_outcome(stream *s, ak_trial_outcome *x)
{
    ak_trial_result *r = &x->result;
    AK_CHECK(pass(s, &x->status, sizeof x->status));
    AK_CHECK(pass(s, x->message, sizeof x->message));
    AK_CHECK(pass(s, r->by, sizeof r->by));
    AK_CHECK(pass(s, &r->n_by, sizeof r->n_by));
    AK_CHECK(pass(s, &r->seconds, sizeof r->seconds));
    AK_CHECK(pass(s, &r->examples, sizeof r->examples));
    AK_CHECK(pass(s, &r->bytes, sizeof r->bytes));
    for (int64_t c = 0; c < AK_READ_OUTS; ++c)
        AK_CHECK(pass_scores(s, &r->scores[c]));
    return pass_array(s, &r->items, r->scores[0].n, sizeof *r->items);
}

akin_status ak_trials_share(akin_ctx *ctx, int64_t n, ak_trial_outcome **all)
{
    const int64_t ranks = akin_ctx_ranks(ctx), rank = akin_ctx_rank(ctx);
    const ak_mark mark = ak_scratch_begin(ctx);
    stream own = {.ctx = ctx};
    unsigned char *bytes;
    const size_t *offsets;
    akin_status st = AKIN_OK;
    if (ranks == 1)
        return AKIN_OK;
    for (int64_t i = rank; i < n; i += ranks)
        AK_TRY(pass_outcome(&own, all[i]));
    AK_TRY(ak_comm_collect(ctx, own.bytes, own.used, &bytes, &offsets));
    for (int64_t r = 0; r < ranks; ++r) {
        stream other = {.ctx = ctx, .reading = true};
        other.bytes = (char *)bytes + offsets[r];
        for (int64_t i = r; r != rank && i < n; i += ranks)
            AK_TRY(pass_outcome(&other, all[i]));
    }
done:
    akin_free(own.bytes);
    ak_scratch_end(ctx, mark);
    return st;
}
