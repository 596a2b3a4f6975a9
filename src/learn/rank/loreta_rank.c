/* LORETA-1 for ranked labels: W = A B' of rank k, labels x features;
 * learn/rank/rank.h has (1) to (5).
 *
 * Each step is Algorithm 4 of learn/lowrank/retract.h along eta u x'. u has a
 * non-zero for each label that adds to the loss and one more, so A is updated
 * at the cost of those, B at the cost of the row; the scores cost k for each
 * label.
 */
#include "learn/lowrank/retract.h"
#include "learn/rank/rank.h"

typedef struct ranker {
    ak_rank_factors base;
    double eta, max_s;
    ak_factor_form form;  // of B
    ak_factor A, B;       // n x k, d x k
    double *work;  // A'u, B'x, 4 k of scratch, v of ak_factor_row_dot; k each
} ranker;

static void rank_prepare(void *state, ak_spvec x)
{
    ranker *s = state;
    double *Bx = s->work + s->base.k, *v = s->work + 6 * s->base.k;
    ak_factor_project(&s->B, x, Bx);
    ak_factor_row_dots_begin(&s->A, Bx, v);
}

static double rank_score(const void *state, int64_t label)
{
    const ranker *s = state;
    return ak_factor_row_dot(&s->A, label, s->work + 6 * s->base.k);
}

static akin_status rank_step(void *state, akin_ctx *ctx)
{
    ranker *s = state;
    const ak_rank *r = &s->base.rank;
    const ak_retract_input input = {s->eta, s->max_s, r->u2, r->x2, s->work};
    ak_factor_project(&s->A, r->u, s->work);
    return ak_retract(&s->A, &s->B, ctx, r->u, r->x, &input);
}

static double rank_eta(const void *state)
{
    return ((const ranker *)state)->eta;
}

static akin_status rank_set(void *state, akin_ctx *ctx, const double *A,
                            const double *B)
{
    ranker *s = state;
    const ak_rank *r = &s->base.rank;
    const int64_t k = s->base.k;
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_new(&s->A, ctx, AK_FACTOR_SPARSE, r->n, k, A));
    AK_TRY(ak_factor_new(&s->B, ctx, s->form, r->d, k, B));
done:
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, AKIN_EINVAL,
                         "the columns of a factor are not independent, its "
                         "rank is below %" PRId64,
                         k)
               : st;
}

static akin_status rank_load(void *state, akin_ctx *ctx, const ak_tensors *t)
{
    ranker *s = state;
    akin_status st = AKIN_OK;
    s->form = ak_factor_saved_form(t, "B");
    AK_TRY(rank_set(s, ctx, NULL, NULL));
    AK_TRY(ak_factor_load(&s->A, ctx, t, "A"));
    AK_TRY(ak_factor_load(&s->B, ctx, t, "B"));
done:
    return st;
}

static akin_status rank_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ranker *s = state;
    const akin_status st = ak_factor_save(&s->A, ctx, t, "A");
    return st == AKIN_OK ? ak_factor_save(&s->B, ctx, t, "B") : st;
}

static void rank_copy(const void *state, double *A, double *B)
{
    const ranker *s = state;
    const int64_t k = s->base.k;
    for (int64_t i = 0; i < s->base.rank.n; ++i)
        ak_factor_row(&s->A, i, A + i * k);
    for (int64_t i = 0; i < s->base.rank.d; ++i)
        ak_factor_row(&s->B, i, B + i * k);
}

static void rank_free(void *state)
{
    ranker *s = state;
    if (s == NULL)
        return;
    ak_rank_factors_end(&s->base);
    ak_factor_free(&s->A);
    ak_factor_free(&s->B);
    akin_free(s->work);
    akin_free(s);
}

static const ak_rank_factors_rule rule = {
    .set = rank_set,
    .load = rank_load,
    .save = rank_save,
    .copy = rank_copy,
    .prepare = rank_prepare,
    .score = rank_score,
    .step = rank_step,
    .eta = rank_eta,
};

static akin_status rank_begin(void **state, akin_ctx *ctx,
                              const ak_online_input *in)
{
    enum { N_VECS = 7 };
    const akin_loreta_1_options *o = (const akin_loreta_1_options *)in->options;
    ranker *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->eta = o->eta;
    s->max_s = o->max_s;
    s->form = ak_factor_choose_form(o->form, in->data->rows, o->rank);
    AK_TRY(AK_NEW(ctx, N_VECS * o->rank, &s->work));
    AK_TRY(ak_rank_factors_begin(&s->base, ctx, in, &rule, o->rank, o->ybar,
                                 o->start));
    *state = s;
    s = NULL;
done:
    rank_free(s);
    return st;
}

const ak_online ak_loreta_rank = {
    .begin = rank_begin,
    .observe = ak_rank_observe,
    .model = ak_rank_factors_model,
    .save = ak_rank_factors_save,
    .free = rank_free,
};
