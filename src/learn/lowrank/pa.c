/* Passive-aggressive steps on the factors, W = A B'; learn/lowrank/loreta.h has
 * (1) to (4), learn/rank/rank.h the same for labels.
 *
 *   A <- A + min(C, loss / (|x|^2 |B'D|^2)) x (B'D)'      (5)
 *   B <- B + min(C, loss / (|D|^2 |A'x|^2)) D (A'x)'      (6)
 *
 * Each is the smallest change of one factor, the other held, that ends the
 * loss. Order "sequential": (6) has the A of (5) and the loss that it left;
 * "simultaneous": both have the old ones. [1] section 7.1.4. */
#include <math.h>
#include <string.h>

#include "learn/lowrank/plain.h"
#include "learn/rank/rank_pair.h"
#include "model/sparse_rows.h"

/* The length of a step each unit of which makes the loss fall so much; 0 where
 * there is nothing to do or no way to. */
static double pa_length(double C, double loss, double fall)
{
    return loss > 0.0 && fall > 0.0 ? fmin(C, loss / fall) : 0.0;
}

static double squared(int64_t k, const double *v)
{
    return ak_small_dot(k, v, v);
}

/* (5) and (6), where the loss is `most` - x'W D. */
static void pa_pair(ak_plain *s, const ak_lesson *l, double most)
{
    const double C = s->C * s->head.step_scale;
    double loss = l->loss;
    const double eta_A = pa_length(C, loss, l->q2 * squared(s->k, s->BD));
    ak_rows_add(s->k, s->A, l->q, eta_A, s->BD);  // (5)
    if (!s->at_once) {
        for (int64_t c = 0; c < s->k; ++c)
            s->Aq[c] += eta_A * l->q2 * s->BD[c];
        loss = most - ak_small_dot(s->k, s->Aq, s->BD);
    }
    const double eta_B = pa_length(C, loss, l->D2 * squared(s->k, s->Aq));
    ak_rows_add(s->k, s->B, l->D, eta_B, s->Aq);  // (6)
}

static akin_status pa_step(void *state, akin_ctx *ctx, ak_lesson *l)
{
    (void)ctx;
    pa_pair(state, l, 1.0);
    return AKIN_OK;
}

/* ---- labels: u for x and x for D; learn/rank/rank.h
 * -----------------------------
 */

typedef struct pa_ranker {
    ak_rank_pair pair;
    ak_plain plain;  // A has a row a label
} pa_ranker;

static void rank_look(void *state, ak_spvec x)
{
    ak_plain *p = &((pa_ranker *)state)->plain;
    ak_rows_project(p->k, p->B, x, p->BD);
}

static double rank_score(const void *state, int64_t label)
{
    const ak_plain *p = &((const pa_ranker *)state)->plain;
    return ak_small_dot(p->k, p->A + label * p->k, p->BD);
}

static void rank_scores(const void *state, double *scores)
{
    for (int64_t l = 0; l < ((const pa_ranker *)state)->pair.rank.n; ++l)
        scores[l] = rank_score(state, l);
}

/* The loss is linear in W while the labels that add to it stay the same: their
 * weight less u'W x. */
static akin_status rank_step(void *state, akin_ctx *ctx)
{
    pa_ranker *s = state;
    ak_plain *p = &s->plain;
    const ak_rank *r = &s->pair.rank;
    const double most = r->weight;
    ak_lesson l = {.q = r->u, .D = r->x, .q2 = r->u2, .D2 = r->x2};
    (void)ctx;
    ak_rows_project(p->k, p->A, r->u, p->Aq);
    l.loss = most - ak_small_dot(p->k, p->Aq, p->BD);
    pa_pair(p, &l, most);
    return AKIN_OK;
}

/* The same on a full matrix, where the loss falls by |u|^2 |x|^2 each unit. */
static double rank_eta(const void *state)
{
    const pa_ranker *s = state;
    const ak_rank *r = &s->pair.rank;
    double uWx = 0.0;
    for (int64_t i = 0; i < r->u.n; ++i)
        uWx += r->u.vals[i] * r->scores[r->u.cols[i]];
    return pa_length(s->plain.C, r->weight - uWx, r->u2 * r->x2);
}

static akin_status rank_options(void *state, akin_ctx *ctx,
                                const akin_options *options,
                                const akin_supervision *data)
{
    (void)data;
    return ak_plain_options(&((pa_ranker *)state)->plain, ctx, options);
}

static akin_status rank_factors(pa_ranker *s, akin_ctx *ctx, const double *A,
                                const double *B, const ak_tensors *resume)
{
    const ak_rank *r = &s->pair.rank;
    ak_plain *p = &s->plain;
    akin_status st = AKIN_OK;
    AK_TRY(ak_plain_factor(&p->A, ctx, r->n, p->k, A, "A", resume));
    AK_TRY(ak_plain_factor(&p->B, ctx, r->d, p->k, B, "B", resume));
done:
    return st;
}

static akin_status rank_take(void *state, akin_ctx *ctx, const double *A,
                             const double *B)
{
    return rank_factors(state, ctx, A, B, NULL);
}

static akin_status rank_load(void *state, akin_ctx *ctx, const ak_tensors *t)
{
    return rank_factors(state, ctx, NULL, NULL, t);
}

static akin_status rank_save(const void *state, akin_ctx *ctx, ak_tensors *t)
{
    const pa_ranker *s = state;
    const ak_rank *r = &s->pair.rank;
    const ak_plain *p = &s->plain;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sparse_rows_put(t, ctx, "A", r->n, p->k, 0.0, p->A));
    AK_TRY(ak_sparse_rows_put(t, ctx, "B", r->d, p->k, 0.0, p->B));
done:
    return st;
}

static void rank_copy(const void *state, double *A, double *B)
{
    const pa_ranker *s = state;
    const ak_rank *r = &s->pair.rank;
    const size_t row = (size_t)s->plain.k * sizeof *A;
    memcpy(A, s->plain.A, (size_t)r->n * row);
    memcpy(B, s->plain.B, (size_t)r->d * row);
}

static void rank_end(void *state)
{
    ak_plain_end(&((pa_ranker *)state)->plain);
}

static const ak_rank_pair_rule rank_rule = {
    .size = sizeof(pa_ranker),
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

static const akin_option options[] = {
    AK_RANK_OPTION(akin_pa_options),
    AK_OPTION_GRID(akin_pa_options, C, 1e-12, 1e12,
                   "largest step for one example", 0.03, 0.1, 0.3, 1.0),
    AK_OPTION_WORD(akin_pa_options, order, "sequential|simultaneous",
                   "the second factor sees the step of the first, or not"),
    AK_STARTS_OPTIONS(akin_pa_options, "identity|zero|gauss|FILE",
                      "begin with the first columns alone, to rank labels "
                      "with a full matrix for 2 RANK mistakes, at random, or "
                      "at a model"),
    AK_AVERAGE_OPTION(akin_pa_options),
    AK_RANK_TASK(akin_pa_options),
    AK_RANK_YBAR(akin_pa_options),
};
AK_OPTIONS_COVER(akin_pa_options, options);

static const akin_pa_options defaults = AKIN_PA_DEFAULTS;

static const ak_plain_rule rule = {{ak_plain_margin, pa_step, NULL}, false};
static const ak_online online = AK_PLAIN_ONLINE(&rule);
static const ak_online rank = AK_RANK_PAIR_ONLINE(&rank_rule);

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
