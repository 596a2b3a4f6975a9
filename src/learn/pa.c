/* Passive-aggressive steps on the factors, W = A B'; learn/loreta.h has (1) to
 * (4), learn/rank.h the same for labels.
 *
 *   A <- A + min(C, loss / (|x|^2 |B'D|^2)) x (B'D)'      (5)
 *   B <- B + min(C, loss / (|D|^2 |A'x|^2)) D (A'x)'      (6)
 *
 * Each is the smallest change of one factor, the other held, that ends the
 * loss. Order "sequential": (6) has the A of (5) and the loss that it left;
 * "simultaneous": both have the old ones. [1] section 7.1.4. */
#include <math.h>

#include "learn/plain.h"
#include "learn/rank.h"
#include "model/sparse_rows.h"

/* The length of a step along x v' where the loss falls by |x|^2 |v|^2 each
 * unit; 0 where there is nothing to do or no way to. */
static double pa_length(double C, double loss, double x2, int64_t k,
                        const double *v)
{
    const double fall = x2 * ak_small_dot(k, v, v);
    return loss > 0.0 && fall > 0.0 ? fmin(C, loss / fall) : 0.0;
}

/* (5) and (6), where the loss is `most` - x'W D. */
static void pa_pair(ak_plain *s, const ak_lesson *l, double most)
{
    const double C = s->C * s->head.pace;
    double loss = l->loss;
    const double eta_A = pa_length(C, loss, l->q2, s->k, s->BD);
    ak_rows_add(s->k, s->A, l->q, eta_A, s->BD);  // (5)
    if (!s->at_once) {
        for (int64_t c = 0; c < s->k; ++c)
            s->Aq[c] += eta_A * l->q2 * s->BD[c];
        loss = most - ak_small_dot(s->k, s->Aq, s->BD);
    }
    const double eta_B = pa_length(C, loss, l->D2, s->k, s->Aq);
    ak_rows_add(s->k, s->B, l->D, eta_B, s->Aq);  // (6)
}

static akin_status pa_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    (void)ctx;
    pa_pair(state, l, 1.0);
    return AKIN_OK;
}

/* ---- labels: u for x and x for D; learn/rank.h -----------------------------
 */

typedef struct pa_ranker {
    ak_rank rank;
    ak_plain plain;  // A has a row a label
} pa_ranker;

static void rank_look(void *state, ak_spvec x)
{
    ak_plain *p = &((pa_ranker *)state)->plain;
    ak_rows_project(p->k, p->B, x, p->BD);
}

static double rank_score(void *state, ak_spvec x, int64_t label)
{
    const ak_plain *p = &((pa_ranker *)state)->plain;
    (void)x;
    return ak_small_dot(p->k, p->A + label * p->k, p->BD);
}

static void rank_scores(void *state, ak_spvec x, double *scores)
{
    for (int64_t l = 0; l < ((pa_ranker *)state)->rank.n; ++l)
        scores[l] = rank_score(state, x, l);
}

/* The loss is linear in W while the labels that add to it stay the same: their
 * weight less u'W x. */
static akin_status rank_step(void *state, akin_ctx *ctx)
{
    pa_ranker *s = state;
    ak_plain *p = &s->plain;
    const ak_rank *r = &s->rank;
    const double most = r->weight;
    ak_lesson l = {.q = r->u, .D = r->x, .q2 = r->u2, .D2 = r->x2};
    (void)ctx;
    ak_rows_project(p->k, p->A, r->u, p->Aq);
    l.loss = most - ak_small_dot(p->k, p->Aq, p->BD);
    pa_pair(p, &l, most);
    return AKIN_OK;
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
    pa_ranker *s = state;
    if (s == NULL)
        return;
    ak_rank_end(&s->rank, ctx);
    ak_plain_end(&s->plain, ctx);
    ak_release(ctx, s);
}

/* A factor where the options say to begin, or as it was saved. */
static akin_status rank_factor(double **A, akin_ctx *ctx, const pa_ranker *s,
                               const char *start, akin_side side,
                               const ak_tensors *resume)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = side == AKIN_LEFT ? s->rank.n : s->rank.d;
    double *given = NULL;
    akin_status st = AKIN_OK;
    if (resume == NULL)
        AK_TRY(ak_rank_start(&given, ctx, start, side, &s->rank, s->plain.k));
    AK_TRY(ak_plain_factor(A, ctx, n, s->plain.k, given,
                           side == AKIN_LEFT ? "A" : "B", resume));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status rank_begin(void **state, akin_ctx *ctx,
                              const akin_options *head,
                              const akin_supervision *data,
                              const ak_sampler *sampler,
                              const ak_tensors *resume)
{
    const akin_pa_options *o = (const akin_pa_options *)head;
    pa_ranker *s = NULL;
    akin_status st = AKIN_OK;
    (void)sampler;
    AK_TRY(AK_NEW(ctx, 1, &s));
    AK_TRY(ak_rank_begin(&s->rank, ctx, o->ybar, data, resume));
    AK_TRY(ak_plain_options(&s->plain, ctx, head));
    AK_TRY(rank_factor(&s->plain.A, ctx, s, o->start, AKIN_LEFT, resume));
    AK_TRY(rank_factor(&s->plain.B, ctx, s, o->start, AKIN_RIGHT, resume));
    *state = s;
    s = NULL;
done:
    rank_free(s, ctx);
    return st;
}

static akin_status rank_model(akin_model **out, akin_ctx *ctx, void *state)
{
    const pa_ranker *s = state;
    return ak_ranker_new_factored(out, ctx, ak_rank_labels(&s->rank), s->rank.d,
                                  s->plain.k, s->plain.A, s->plain.B);
}

static akin_status rank_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const pa_ranker *s = state;
    const ak_plain *p = &s->plain;
    akin_status st = AKIN_OK;
    AK_TRY(ak_rank_save(&s->rank, ctx, t));
    AK_TRY(ak_sparse_rows_put(t, ctx, "A", s->rank.n, p->k, 0.0, p->A));
    AK_TRY(ak_sparse_rows_put(t, ctx, "B", s->rank.d, p->k, 0.0, p->B));
done:
    return st;
}

static const akin_option options[] = {
    AK_RANK_OPTION(akin_pa_options),
    AK_OPTION_GRID(akin_pa_options, C, 1e-12, 1e12,
                   "largest step for one example", 0.03, 0.1, 0.3, 1.0),
    AK_OPTION_WORD(akin_pa_options, order, "sequential|simultaneous",
                   "the second factor sees the step of the first, or not"),
    AK_START_OPTIONS(akin_pa_options),
    AK_AVERAGE_OPTION(akin_pa_options),
    AK_RANK_TASK(akin_pa_options),
    AK_RANK_YBAR(akin_pa_options),
};
AK_OPTIONS_COVER(akin_pa_options, options);

static const akin_pa_options defaults = AKIN_PA_DEFAULTS;

static const ak_plain_rule rule = {{ak_plain_margin, pa_step}, false};
static const ak_online online = AK_PLAIN_ONLINE(&rule);
static const ak_online rank = {
    .begin = rank_begin,
    .observe = rank_observe,
    .model = rank_model,
    .save = rank_save,
    .free = rank_free,
};

const ak_learner ak_learner_pa = {
    .info =
        {
            .name = "pa",
            .summary = "low-rank similarity by passive-aggressive steps",
            .when = "to compare loreta-1 with; the step needs no tuning",
            .paper = "shalit2012loreta",
            .takes = AKIN_LABELS | AKIN_PAIRS | AKIN_TRIPLETS,
            .makes = "factored",
            .is_online = 1,
            .recipe = &ak_recipe_text,
            .defaults = &defaults.head,
            AK_OPTION_ROWS(options),
        },
    .online = &online,
    .rank = &rank,
};
