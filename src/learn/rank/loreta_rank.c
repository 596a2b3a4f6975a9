/* LORETA-1 for ranked labels: W = A B' of rank k, labels x features; learn/
 * rank.h has (1) to (5).
 *
 * Each step is [1] Algorithm 4 in learn/lowrank/retract.h along eta u x'. u has
 * a non-zero for each label that adds to the loss and one more, so that A is
 * changed at the cost of those, B at the cost of the row; the scores cost k
 * for each label. */
#include "learn/rank/loreta_rank.h"

#include "learn/lowrank/lowrank.h"
#include "learn/rank/rank_pair.h"

enum { N_VECS = 7 };

typedef struct ranker {
    ak_rank_pair pair;
    double eta, max_s;
    ak_factor_form form;  // of B
    ak_factor A, B;       // n x k, d x k
    double *work;         // A'u, B'x, 4 k of room; and v with A_l.B'x = H_l.v
} ranker;

/* B'x and v. */
static void rank_look(void *state, ak_spvec x)
{
    ranker *s = state;
    double *Bx = s->work + s->pair.k, *v = s->work + 6 * s->pair.k;
    ak_factor_project(&s->B, x, Bx);
    ak_factor_row_dots_begin(&s->A, Bx, v);
}

static double rank_score(const void *state, int64_t label)
{
    const ranker *s = state;
    return ak_factor_row_dot(&s->A, label, s->work + 6 * s->pair.k);
}

static void rank_scores(const void *state, double *scores)
{
    for (int64_t l = 0; l < ((const ranker *)state)->pair.rank.n; ++l)
        scores[l] = rank_score(state, l);
}

static akin_status rank_step(void *state, akin_ctx *ctx)
{
    ranker *s = state;
    const ak_rank *r = &s->pair.rank;
    const ak_stride stride = {s->eta, s->max_s, r->u2, r->x2, s->work};
    ak_factor_project(&s->A, r->u, s->work);
    return ak_retract(&s->A, &s->B, ctx, r->u, r->x, &stride);
}

static double rank_eta(const void *state)
{
    return ((const ranker *)state)->eta;
}

static akin_status rank_options(void *state, akin_ctx *ctx,
                                const akin_options *head,
                                const akin_supervision *data)
{
    const akin_loreta_1_options *o = (const akin_loreta_1_options *)head;
    ranker *s = state;
    s->eta = o->eta;
    s->max_s = o->max_s;
    s->form = ak_factor_choose_form(o->form, data->rows, o->rank);
    return AK_NEW(ctx, N_VECS * o->rank, &s->work);
}

static akin_status rank_take(void *state, akin_ctx *ctx, const double *A,
                             const double *B)
{
    ranker *s = state;
    const ak_rank *r = &s->pair.rank;
    const int64_t k = s->pair.k;
    akin_status st = AKIN_OK;
    AK_TRY(ak_factor_new(&s->A, ctx, AK_FACTOR_SPARSE, r->n, k, A));
    AK_TRY(ak_factor_new(&s->B, ctx, s->form, r->d, k, B));
done:
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, AKIN_EINVAL,
                         "the columns of a factor are not independent, its "
                         "rank is less than %" PRId64,
                         k)
               : st;
}

static akin_status rank_load(void *state, akin_ctx *ctx, const ak_tensors *t)
{
    ranker *s = state;
    akin_status st = AKIN_OK;
    s->form = ak_factor_saved_form(t, "B");
    AK_TRY(rank_take(s, ctx, NULL, NULL));
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
    const int64_t k = s->pair.k;
    for (int64_t i = 0; i < s->pair.rank.n; ++i)
        ak_factor_row(&s->A, i, A + i * k);
    for (int64_t i = 0; i < s->pair.rank.d; ++i)
        ak_factor_row(&s->B, i, B + i * k);
}

static void rank_end(void *state)
{
    ranker *s = state;
    ak_factor_free(&s->A);
    ak_factor_free(&s->B);
    akin_free(s->work);
}

static const ak_rank_pair_rule rule = {
    .size = sizeof(ranker),
    .options = rank_options,
    .take = rank_take,
    .load = rank_load,
    .save = rank_save,
    .copy = rank_copy,
    .look = rank_look,
    .score = rank_score,
    .scores = rank_scores,
    .step = rank_step,
    .eta = rank_eta,
    .end = rank_end,
};

const ak_online ak_loreta_rank = AK_RANK_PAIR_ONLINE(&rule);
