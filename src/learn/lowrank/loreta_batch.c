/* LORETA: W = A B' of rank k, several triplets to a step;
 * learn/lowrank/loreta.h has (1) to (4) and [1].
 *
 * The active ones of a batch, all judged by the same W, make one step of as
 * many columns, [1] Algorithm 3 in learn/lowrank/retract.h. */
#include "learn/lowrank/lowrank.h"

typedef struct batch {
    ak_lowrank base;
    int64_t size, seen;  // rounds in a batch, and in this one so far
    int64_t active;      // of these
    ak_splist x, D;
} batch;

static akin_status batch_step(const void *state, akin_ctx *ctx, ak_factor *A,
                              ak_factor *B)
{
    const batch *s = state;
    return ak_retract_many(A, B, ctx, s->active, &s->x, &s->D, s->base.eta,
                           s->base.max_s);
}

static akin_status batch_keep(void *state, akin_ctx *ctx, ak_lesson *l)
{
    batch *s = state;
    akin_status st = AKIN_OK;
    if (!s->base.is_ready)
        return ak_lowrank_pretrain(&s->base, ctx, l);
    AK_TRY(ak_splist_put(&s->x, ctx, s->active, 1.0, l->q));
    AK_TRY(ak_splist_put(&s->D, ctx, s->active, 1.0, l->D));
    ++s->active;
done:
    return st;
}

static akin_status batch_after(void *state, akin_ctx *ctx)
{
    batch *s = state;
    akin_status st = AKIN_OK;
    if (!ak_lowrank_counts(&s->base) || ++s->seen < s->size)
        return st;
    if (s->active > 0)
        st = batch_step(s, ctx, &s->base.A, &s->base.B);
    s->seen = s->active = 0;
    return st;
}

static const ak_loreta_rule rule = {ak_lowrank_margin, batch_keep,
                                    ak_lowrank_fetch};

/* ---- the learner ----------------------------------------------------------
 */

static void batch_free(void *state)
{
    batch *s = state;
    if (s == NULL)
        return;
    ak_lowrank_end(&s->base);
    ak_splist_free(&s->x);
    ak_splist_free(&s->D);
    akin_free(s);
}

/* A batch that was begun. */
static akin_status batch_resume(batch *s, akin_ctx *ctx, const ak_tensors *t)
{
    int64_t n_D = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_splist_load(&s->x, ctx, t, "batch.x", s->base.n, &s->active));
    AK_TRY(ak_splist_load(&s->D, ctx, t, "batch.D", s->base.n, &n_D));
    AK_TRY(ak_state_count(t, ctx, "batch.seen", &s->seen));
    if (n_D != s->active || s->active > s->seen)
        st = ak_fail(ctx, AKIN_EFORMAT,
                     "%s: 'batch.x' and 'batch.D' do not belong together",
                     ak_tensors_path(t));
done:
    return st;
}

static akin_status batch_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in)
{
    batch *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_lowrank_begin(&s->base, ctx, in->options, in->data, in->resume,
                            false, &rule));
    s->base.head.after = batch_after;
    s->size = ((const akin_loreta_options *)in->options)->batch;
    if (in->resume != NULL)
        AK_TRY(batch_resume(s, ctx, in->resume));
    *state = s;
    s = NULL;
done:
    batch_free(s);
    return st;
}

/* The model has learned from a batch that is not full; the state has not. */
static akin_status batch_model(akin_model **out, akin_ctx *ctx, void *state)
{
    return ((const batch *)state)->active == 0
               ? ak_lowrank_model(out, ctx, state)
               : ak_lowrank_model_after(out, ctx, state, batch_step);
}

static akin_status batch_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const batch *s = state;
    akin_status st = AKIN_OK;
    AK_TRY(ak_lowrank_save(state, ctx, t));
    AK_TRY(ak_splist_save(&s->D, ctx, t, "batch.D", s->active));
    AK_TRY(ak_splist_save(&s->x, ctx, t, "batch.x", s->active));
    AK_TRY(ak_tensors_note_i64(t, ctx, "batch.seen", s->seen));
done:
    return st;
}

static const akin_option options[] = {
    AK_LORETA_OPTIONS(akin_loreta_options),
    AK_AVERAGE_OPTION(akin_loreta_options),
    AK_OPTION(akin_loreta_options, batch, 1, 1e3,
              "triplets in a step; a step costs up to the cube"),
};
AK_OPTIONS_COVER(akin_loreta_options, options);

static const akin_loreta_options defaults = AKIN_LORETA_DEFAULTS;

static const ak_online online = {
    .begin = batch_begin,
    .observe = ak_loreta_observe,
    .model = batch_model,
    .save = batch_save,
    .free = batch_free,
};

const ak_learner ak_learner_loreta = {
    .info =
        {
            .name = "loreta",
            .summary = "low-rank similarity, several triplets to a step",
            .when = "triplets that are noisy one by one",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "factored",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
};
