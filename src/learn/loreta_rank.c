/* LORETA-1 for ranked labels: W = A B' of rank k, labels x features; learn/
 * rank.h has (1) to (5).
 *
 * Each step is [1] Algorithm 4 in learn/retract.h along eta u x'. u has a
 * non-zero for each label that adds to the loss and one more, so that A is
 * changed at the cost of those, B at the cost of the row; the scores cost k
 * for each label. */
#include "learn/loreta_rank.h"

#include <string.h>

#include "learn/lowrank.h"
#include "learn/rank.h"

enum { N_VECS = 7 };
static const double ETA = 0.3;

typedef struct ranker {
    ak_rank rank;
    int64_t k;
    double eta, max_s;
    bool is_ready;  // false: still on the full matrix of a start from zero
    ak_zero zero;
    ak_factor A, B;  // n x k, d x k
    double *work;    // A'u, B'x, 4 k of room; and v with A_l.B'x = H_l.v
} ranker;

/* B'x and v; while the matrix is full, all scores at once. */
static void rank_look(void *state, ak_spvec x)
{
    ranker *s = state;
    double *Bx = s->work + s->k, *v = s->work + 6 * s->k;
    if (!s->is_ready) {
        ak_zero_times(&s->zero, x, s->rank.scores);
        return;
    }
    ak_factor_project(&s->B, x, Bx);
    ak_factor_lift(&s->A, Bx, v);
}

static double rank_score(void *state, ak_spvec x, int64_t label)
{
    const ranker *s = state;
    (void)x;
    return s->is_ready ? ak_factor_lifted(&s->A, label, s->work + 6 * s->k)
                       : s->rank.scores[label];
}

static void rank_scores(void *state, ak_spvec x, double *scores)
{
    const ranker *s = state;
    for (int64_t l = 0; s->is_ready && l < s->rank.n; ++l)
        scores[l] = rank_score(state, x, l);
}

static akin_status new_factors(ranker *s, akin_ctx *ctx, ak_factor_form form,
                               const double *A, const double *B)
{
    akin_status st = AKIN_OK;
    AK_TRY(
        ak_factor_new_form(&s->A, ctx, AK_FACTOR_SPARSE, s->rank.n, s->k, A));
    AK_TRY(ak_factor_new_form(&s->B, ctx, form, s->rank.d, s->k, B));
    s->is_ready = true;
done:
    return st == AKIN_ENUMERIC
               ? ak_fail(ctx, AKIN_EINVAL,
                         "the columns of a factor are not independent, its "
                         "rank is less than %" PRId64,
                         s->k)
               : st;
}

/* A step of the full matrix, and its factors when there are enough. */
static akin_status pretrain(ranker *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *A = NULL, *B = NULL;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_zero_add(&s->zero, ctx, s->eta, s->rank.u, s->rank.x));
    if (!ak_zero_due(&s->zero))
        goto done;
    AK_TRY(AK_SCRATCH(ctx, s->rank.n * s->k, &A));
    AK_TRY(AK_SCRATCH(ctx, s->rank.d * s->k, &B));
    AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    if (rank < s->k)
        goto done;
    AK_TRY(new_factors(s, ctx, s->B.form, A, B));
    ak_zero_free(&s->zero, ctx);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status rank_step(void *state, akin_ctx *ctx)
{
    ranker *s = state;
    const ak_rank *r = &s->rank;
    const ak_stride stride = {s->eta, s->max_s, r->u2, r->x2, s->work};
    if (!s->is_ready)
        return pretrain(s, ctx);
    ak_factor_project(&s->A, r->u, s->work);
    return ak_retract(&s->A, &s->B, ctx, r->u, r->x, &stride);
}

static akin_status rank_observe(void *state, akin_ctx *ctx,
                                const akin_rows *rows, const int64_t *which,
                                int64_t count, akin_learn_info *info)
{
    static const ak_rank_rule rule = {rank_look, rank_scores, rank_score,
                                      rank_step};
    return ak_rank_observe(state, ctx, &rule, rows, which, count, info);
}

static void rank_free(void *state, akin_ctx *ctx)
{
    ranker *s = state;
    if (s == NULL)
        return;
    ak_rank_end(&s->rank, ctx);
    ak_zero_free(&s->zero, ctx);
    ak_factor_free(&s->A, ctx);
    ak_factor_free(&s->B, ctx);
    ak_release(ctx, s->work);
    ak_release(ctx, s);
}

static akin_status start(ranker *s, akin_ctx *ctx, const char *start,
                         ak_factor_form form)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const bool zero = strcmp(start, "zero") == 0;
    double *A = NULL, *B = NULL;
    akin_status st = AKIN_OK;
    if (zero)
        start = "identity";  // for what it refuses
    AK_TRY(ak_rank_start(&A, ctx, start, AKIN_LEFT, &s->rank, s->k));
    AK_TRY(ak_rank_start(&B, ctx, start, AKIN_RIGHT, &s->rank, s->k));
    if (zero)
        s->B.form = form;
    else
        AK_TRY(new_factors(s, ctx, form, A, B));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status load(ranker *s, akin_ctx *ctx, const ak_tensors *t,
                        ak_factor_form form)
{
    akin_status st = AKIN_OK;
    if (ak_zero_is_saved(t)) {
        s->B.form = form;
        return ak_zero_load(&s->zero, ctx, t);
    }
    AK_TRY(new_factors(s, ctx, ak_factor_saved_form(t, "B"), NULL, NULL));
    AK_TRY(ak_factor_load(&s->A, ctx, t, "A"));
    AK_TRY(ak_factor_load(&s->B, ctx, t, "B"));
done:
    return st;
}

static akin_status rank_begin(void **state, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              const ak_sampler *sampler,
                              const ak_tensors *resume)
{
    const akin_loreta_1_options *o = (const akin_loreta_1_options *)head;
    const ak_factor_form form = ak_lowrank_form(o->form, data->rows, o->rank);
    ranker *s = NULL;
    akin_status st = AKIN_OK;
    (void)sampler;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->k = o->rank;
    s->eta = o->eta > 0.0 ? o->eta : ETA;
    s->max_s = o->max_s;
    AK_TRY(ak_rank_begin(&s->rank, ctx, o->ybar, data, resume));
    AK_TRY(AK_NEW(ctx, N_VECS * s->k, &s->work));
    ak_zero_init(&s->zero, s->rank.n, s->rank.d, s->k, false);
    AK_TRY(resume ? load(s, ctx, resume, form) : start(s, ctx, o->start, form));
    *state = s;
    s = NULL;
done:
    rank_free(s, ctx);
    return st;
}

static akin_status rank_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const ranker *s = state;
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = s->rank.n, d = s->rank.d, k = s->k;
    double *A = NULL, *B = NULL;
    int64_t rank = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, n * k, &A));
    AK_TRY(AK_SCRATCH(ctx, d * k, &B));
    for (int64_t i = 0; s->is_ready && i < n; ++i)
        ak_factor_row(&s->A, i, A + i * k);
    for (int64_t i = 0; s->is_ready && i < d; ++i)
        ak_factor_row(&s->B, i, B + i * k);
    if (!s->is_ready)
        AK_TRY(ak_zero_factors(&s->zero, ctx, A, B, &rank));
    AK_TRY(
        ak_ranker_new_factored(out, ctx, ak_rank_labels(&s->rank), d, k, A, B));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status rank_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const ranker *s = state;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rank_save(&s->rank, ctx, t));
    if (!s->is_ready)
        return ak_zero_save(&s->zero, ctx, t);
    AK_TRY(ak_factor_save(&s->A, ctx, t, "A"));
    AK_TRY(ak_factor_save(&s->B, ctx, t, "B"));
done:
    return st;
}

const ak_online ak_loreta_rank = {
    .begin = rank_begin,
    .observe = rank_observe,
    .model = rank_model,
    .save = rank_save,
    .free = rank_free,
};
