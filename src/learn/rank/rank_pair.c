#include "learn/rank/rank_pair.h"

#include <string.h>

/* ---- a round --------------------------------------------------------------
 */

/* While the matrix is full, all scores at once. */
static void pair_look(void *state, ak_spvec x)
{
    ak_rank_pair *s = state;
    if (s->is_ready)
        s->rule->look(state, x);
    else
        ak_zero_times(&s->zero, x, s->rank.scores);
}

static double pair_score(void *state, ak_spvec x, int64_t label)
{
    const ak_rank_pair *s = state;
    (void)x;
    return s->is_ready ? s->rule->score(state, label) : s->rank.scores[label];
}

static void pair_scores(void *state, ak_spvec x, double *scores)
{
    const ak_rank_pair *s = state;
    (void)x;
    if (s->is_ready)
        s->rule->scores(state, scores);
}

/* A step of the full matrix, and its factors when there are enough. */
static akin_status pretrain(ak_rank_pair *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_rank *r = &s->rank;
    const double eta = s->rule->eta(s);
    double *A = NULL, *B = NULL;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    if (eta > 0.0)
        AK_TRY(ak_zero_add(&s->zero, ctx, eta, r->u, r->x));
    if (eta == 0.0 || !ak_zero_due(&s->zero))
        goto done;
    AK_TRY(AK_SCRATCH(ctx, r->n * s->k, &A));
    AK_TRY(AK_SCRATCH(ctx, r->d * s->k, &B));
    AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    if (rank < s->k)
        goto done;
    AK_TRY(s->rule->take(s, ctx, A, B));
    s->is_ready = true;
    ak_zero_free(&s->zero);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status pair_step(void *state, akin_ctx *ctx)
{
    ak_rank_pair *s = state;
    return s->is_ready ? s->rule->step(state, ctx) : pretrain(s, ctx);
}

/* ---- a run ----------------------------------------------------------------
 */

void ak_rank_pair_free(void *state)
{
    ak_rank_pair *s = state;
    if (s == NULL)
        return;
    s->rule->end(state);
    ak_rank_end(&s->rank);
    ak_zero_free(&s->zero);
    akin_free(s);
}

static akin_status start_factors(ak_rank_pair *s, akin_ctx *ctx,
                                 const char *start)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    s->is_ready = strcmp(start, "zero") != 0;
    if (!s->is_ready)
        start = "identity";  // for what it refuses
    AK_TRY(ak_rank_start(&A, ctx, start, AKIN_LEFT, &s->rank, s->k));
    AK_TRY(ak_rank_start(&B, ctx, start, AKIN_RIGHT, &s->rank, s->k));
    if (s->is_ready)
        AK_TRY(s->rule->take(s, ctx, A, B));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status load_factors(ak_rank_pair *s, akin_ctx *ctx,
                                const ak_tensors *t)
{
    s->is_ready = !ak_zero_is_saved(t);
    return s->is_ready ? s->rule->load(s, ctx, t)
                       : ak_zero_load(&s->zero, ctx, t);
}

akin_status ak_rank_pair_begin(void **state, akin_ctx *ctx,
                               const ak_online_input *in)
{
    static const ak_rank_rule ranks = {pair_look, pair_scores, pair_score,
                                       pair_step};
    const ak_rank_pair_rule *rule =
        ak_learner_find(in->options->learner)->rank->rule;
    ak_rank_pair *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_alloc(ctx, 1, rule->size, &s));
    s->rule = rule;
    s->k = (int64_t)ak_options_f64(in->options, "rank");
    AK_TRY(ak_rank_begin(&s->rank, ctx, &ranks,
                         ak_options_string(in->options, "ybar"), in->data,
                         in->resume));
    ak_zero_init(&s->zero, s->rank.n, s->rank.d, s->k, false);
    AK_TRY(rule->options(s, ctx, in->options, in->data));
    AK_TRY(in->resume ? load_factors(s, ctx, in->resume)
                      : start_factors(s, ctx,
                                      ak_options_string(in->options, "start")));
    *state = s;
    s = NULL;
done:
    ak_rank_pair_free(s);
    return st;
}

akin_status ak_rank_pair_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ak_rank_pair *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t d = s->rank.d, k = s->k;
    double *A = NULL, *B = NULL;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->rank.n * k, &A));
    AK_TRY(AK_SCRATCH(ctx, d * k, &B));
    if (s->is_ready)
        s->rule->copy(state, A, B);
    else
        AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    AK_TRY(
        ak_ranker_new_factored(out, ctx, ak_rank_labels(&s->rank), d, k, A, B));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_rank_pair_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ak_rank_pair *s = state;
    akin_status st = ak_rank_save(&s->rank, ctx, t);
    if (st == AKIN_OK)
        st = s->is_ready ? s->rule->save(state, ctx, t)
                         : ak_zero_save(&s->zero, ctx, t);
    return st;
}
