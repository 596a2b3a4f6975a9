/* When is one similarity better than another? */
#include <math.h>
#include <string.h>

#include "learn/learner.h"
#include "model/blend.h"
#include "model/model.h"
#include "tune/plain.h"
#include "tune/verdict.h"

enum { LEAST_IN_FOLD = 20 };  // examples, for its gain to be compared

static int forward(void *user, const akin_progress *now)
{
    const ak_trial_watch *w = user;
    (void)now;
    return ak_ctx_tick(w->ctx, "checking", w->done, w->all, NAN) != AKIN_OK;
}

akin_status ak_trial_context(akin_ctx **out, ak_trial_watch *w)
{
    const akin_allocator allocator = ak_ctx_allocator(w->ctx);
    AK_CHECK(akin_ctx_new(out, &allocator));
    akin_ctx_set_threads(*out, akin_ctx_threads(w->ctx));
    akin_ctx_set_seed(*out, akin_ctx_seed(w->ctx));
    akin_ctx_set_progress(*out, forward, w);
    ak_ctx_work_for(*out, w->ctx);
    ak_ctx_join_ranks(*out, w->ctx);
    return AKIN_OK;
}

akin_status ak_scores_add_of(ak_scores *all, akin_ctx *ctx, const akin_model *m,
                             const ak_tune_held *h, akin_compare by)
{
    ak_scores fold = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_scores_of(&fold, ctx, m, h, by));
    AK_TRY(ak_scores_add(all, ctx, &fold));
done:
    ak_scores_free(&fold);
    return st;
}

/* ---- the read-out ---- */

/* A diagonal model of sparse rows is searched in an inverted index, where
 * distances are slow; left and right factors of their own have none. */
static bool has_distances(const akin_model *m, const akin_supervision *data)
{
    const char *kind = akin_model_kind(m);
    return data->right == NULL && !akin_rows_is_sparse(data->rows) &&
           strcmp(kind, "full") != 0 &&
           (akin_model_is_symmetric(m) || strcmp(kind, "diagonal") == 0);
}

int64_t ak_read_outs(akin_compare by[AK_COMPARISONS], const akin_model *m,
                     const akin_supervision *data, akin_compare fixed)
{
    const bool line = akin_model_rank(m) == 1;
    int64_t n = 0;
    by[n++] = fixed != AKIN_BY_DEFAULT          ? fixed
              : line && m->by == AKIN_BY_COSINE ? AKIN_BY_DOT
                                                : m->by;
    if (fixed != AKIN_BY_DEFAULT || m->by == AKIN_BY_DISTANCE ||
        m->kind->learned != NULL || m->kind->score == NULL)
        return n;
    for (int c = AKIN_BY_DOT; c <= AKIN_BY_DISTANCE; ++c)
        if (c != (int)by[0] && !(c == AKIN_BY_COSINE && line) &&
            (c != AKIN_BY_DISTANCE || has_distances(m, data)))
            by[n++] = (akin_compare)c;
    return n;
}

int64_t ak_read_out_blends(akin_compare by[AK_READ_OUTS],
                           double blend[AK_READ_OUTS], int64_t n,
                           const akin_model *m, const akin_options *options,
                           const akin_supervision *data)
{
    static const double weights[] = {0.3, 1.0, 3.0, 10.0};
    for (int64_t c = 0; c < AK_READ_OUTS; ++c)
        blend[c] = 0.0;
    if (!(ak_options_shared(options).blend < 0.0) || data->right != NULL ||
        !ak_blend_suits(m))
        return n;
    for (int k = 0; k < AK_READ_OUTS - AK_COMPARISONS; ++k) {
        by[n] = AKIN_BY_COSINE;
        blend[n++] = weights[k];
    }
    return n;
}

akin_status ak_scores_add_blended(ak_scores *all, akin_ctx *ctx,
                                  const akin_model *m, const ak_tune_held *h,
                                  akin_compare by, double blend)
{
    akin_model *copy = NULL;
    akin_status st = AKIN_OK;
    if (!(blend > 0.0))
        return ak_scores_add_of(all, ctx, m, h, by);
    AK_TRY(ak_model_copy(&copy, ctx, m));
    AK_TRY(ak_blend_in_place(copy, ctx, blend));
    AK_TRY(ak_scores_add_of(all, ctx, copy, h, by));
done:
    akin_model_free(copy);
    return st;
}

static akin_status half_of(ak_scores *out, akin_ctx *ctx, const ak_scores *s,
                           int half)
{
    double *each;
    AK_CHECK(AK_SCRATCH(ctx, s->n, &each));
    for (int64_t t = 0; t < s->n; ++t)
        each[t] = half < 0 || t % 2 == half ? s->each[t] : NAN;
    *out = *s;
    out->each = each;
    return AKIN_OK;
}

akin_status ak_read_out_choose(int64_t *best, akin_ctx *ctx,
                               const ak_scores *by, int64_t n_by, int half)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double most = 0.0;
    ak_scores own, other;
    ak_estimate gain;
    akin_status st = AKIN_OK;
    *best = 0;
    AK_TRY(half_of(&own, ctx, &by[0], half));
    for (int64_t c = 1; c < n_by; ++c) {
        AK_TRY(half_of(&other, ctx, &by[c], half));
        AK_TRY(ak_scores_difference(&gain, ctx, &other, &own, false));
        if (gain.value > gain.se && gain.value > most) {
            most = gain.value;
            *best = c;
        }
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_read_out_cross_fit(ak_scores *out, akin_ctx *ctx,
                                  const ak_scores *by, int64_t n_by)
{
    int64_t chosen[2];
    *out = by[0];
    for (int half = 0; half < 2; ++half)
        AK_CHECK(ak_read_out_choose(&chosen[half], ctx, by, n_by, 1 - half));
    AK_CHECK(AK_SCRATCH(ctx, out->n, &out->each));
    if (out->second != NULL)
        AK_CHECK(AK_SCRATCH(ctx, out->n, &out->second));
    for (int64_t i = 0; i < out->n; ++i) {
        const ak_scores *s = &by[chosen[i % 2]];
        out->each[i] = s->each[i];
        if (out->second != NULL)
            out->second[i] = s->second[i];
    }
    return AKIN_OK;
}

/* ---- better or worse ---- */

akin_verdict ak_verdict_none(void)
{
    return (akin_verdict){.held_out = NAN,
                          .held_out_se = NAN,
                          .baseline = NAN,
                          .baseline_se = NAN,
                          .difference = NAN,
                          .difference_se = NAN,
                          .kept = NAN,
                          .on_learned = NAN,
                          .on_learned_baseline = NAN,
                          .plain = NAN,
                          .plain_se = NAN};
}

/* Below zero by more than the error; one example among n is just as much as its
 * error. */
static bool is_below(ak_estimate gain)
{
    return gain.value < -gain.se * (1.0 + 1e-9);
}

/* What two further examples, one for and one against, would add to the error.
 * It matters when there are few. */
static double careful_error(const ak_scores *a, const ak_scores *b,
                            ak_estimate gain)
{
    double largest = 0.0;
    for (int64_t t = 0; t < a->n; ++t)
        largest = fmax(largest, fabs(a->each[t] - b->each[t]));
    const double more = largest / (double)gain.n;
    return sqrt(gain.se * gain.se + 2.0 * more * more);
}

/* How far the gains of the folds are apart, squared, beyond what their examples
 * explain; 0 where that can be chance, by two standard errors of the ratio of
 * the variances. */
static akin_status fold_variance(double *out, akin_ctx *ctx, const ak_scores *a,
                                 const ak_scores *b)
{
    double sum = 0.0, squares = 0.0, within = 0.0, n = 0.0;
    *out = 0.0;
    for (int64_t f = 0; f < a->n_folds; ++f) {
        const ak_scores x = ak_scores_fold(a, f), y = ak_scores_fold(b, f);
        ak_estimate gain;
        AK_CHECK(ak_scores_difference(&gain, ctx, &x, &y, false));
        if (gain.n < LEAST_IN_FOLD || !isfinite(gain.se))
            continue;
        sum += gain.value;
        squares += gain.value * gain.value;
        within += gain.se * gain.se;
        n += 1.0;
    }
    if (n < 2.0)
        return AKIN_OK;
    const double between = (squares - sum * sum / n) / (n - 1.0);
    const double by_chance = 1.0 + 2.0 * sqrt(2.0 / (n - 1.0));
    within /= n;
    if (between > by_chance * within)
        *out = between - within;
    return AKIN_OK;
}

akin_status ak_verdict_decide(akin_verdict *v, akin_ctx *ctx,
                              const ak_scores *a, const ak_scores *b,
                              bool second)
{
    ak_estimate e;
    double spread = 0.0;
    AK_CHECK(ak_scores_mean(&e, ctx, a, false));
    v->held_out = e.value;
    v->held_out_se = e.se;
    v->queries = e.n;
    if (e.n < AK_LEAST_QUERIES || !(e.se >= 0.0)) {
        v->reason = "too little could be held out";
        return AKIN_OK;
    }
    if (b == NULL) {
        v->reason = "no plain measure compares rows of different columns";
        return AKIN_OK;
    }
    AK_CHECK(ak_scores_mean(&e, ctx, b, false));
    v->baseline = e.value;
    v->baseline_se = e.se;
    AK_CHECK(ak_scores_difference(&e, ctx, a, b, false));
    v->difference = e.value;
    v->difference_se = e.se;
    AK_CHECK(fold_variance(&spread, ctx, a, b));
    v->word = e.value > hypot(careful_error(a, b, e), sqrt(spread))
                  ? AKIN_BETTER
              : is_below(e) ? AKIN_WORSE
                            : AKIN_SAME;
    if (!second || a->second == NULL || v->word == AKIN_WORSE)
        return AKIN_OK;
    AK_CHECK(ak_scores_difference(&e, ctx, a, b, true));
    if (e.value < -2.0 * e.se) {
        v->word = AKIN_WORSE;
        v->fell = a->second_measure;
    }
    return AKIN_OK;
}

akin_status ak_verdict_itself(akin_verdict *v, akin_ctx *ctx,
                              const ak_scores *a, const ak_scores *b)
{
    ak_estimate e;
    AK_CHECK(ak_scores_mean(&e, ctx, a, false));
    v->on_learned = e.value;
    AK_CHECK(ak_scores_mean(&e, ctx, b, false));
    v->on_learned_baseline = e.value;
    AK_CHECK(ak_scores_difference(&e, ctx, a, b, false));
    if (is_below(e))
        v->word = AKIN_WORSE;
    return AKIN_OK;
}

akin_status ak_verdict_plain(akin_verdict *v, akin_ctx *ctx,
                             const ak_scores *learned,
                             const ak_scores *baseline,
                             const struct ak_plain *plain)
{
    ak_estimate gain, e;
    AK_CHECK(ak_scores_difference(&gain, ctx, &plain->scores, learned, false));
    if (!(gain.value > 2.0 * careful_error(&plain->scores, learned, gain)))
        return AKIN_OK;
    AK_CHECK(ak_scores_difference(&e, ctx, &plain->scores, baseline, false));
    if (!(e.value > e.se))
        return AKIN_OK;
    AK_CHECK(ak_scores_mean(&e, ctx, &plain->scores, false));
    v->plain_measure = plain->method;
    strncpy(v->plain_recipe, ak_plain_recipe(plain),
            sizeof v->plain_recipe - 1);
    v->plain = e.value;
    v->plain_se = e.se;
    return AKIN_OK;
}

const char *akin_verdict_text(akin_verdict_word word)
{
    static const char *const words[] = {NULL, "better", "same", "worse"};
    return words[word];
}
