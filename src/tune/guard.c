/* Updates that must not make things worse.
 *
 * A part of the new examples is held out. The model goes on from where it was
 * with the rest, and is scored after a tenth, a quarter, half and all of them.
 * The update keeps the largest of these shares at which the held-out part is
 * not worse than before by more than a standard error, and better than by
 * chance; none, if there is no such share. A model that learned a share of the
 * examples is one the learner can go on from, so its state stays exact.
 *
 * Examples of earlier may be given in place of the held-out part: new ones that
 * contradict them agree with each other, and a part of the new ones does not
 * show it. */
#include <math.h>

#include "learn/learner.h"
#include "tune/verdict.h"
#include "tune/work.h"

enum { FOLDS = 4, SHARES = 4, MOST_QUERIES = 1000, MOST_EXAMPLES = 20000 };

/* What nobody notices, at about 1e8 a second. */
static const double SMALL_WORK = 3e7;
static const double shares[SHARES] = {0.1, 0.25, 0.5, 1.0};

typedef struct update {
    const akin_options *options;
    const akin_supervision *data;
    const akin_supervision *given;  // to score on; NULL: parts of the data
    const akin_model *before;
    const char *measure;
    bool ranks;
    akin_side side;
    ak_tune_held held;  // of the fold
    int64_t total, at;  // examples of the fold; shares scored so far
    ak_scores after[SHARES], baseline;
} update;

static akin_status score_share(void *arg, akin_ctx *ctx, akin_learning *l,
                               bool *stop)
{
    update *u = arg;
    akin_learn_info info;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    (void)stop;
    akin_learning_info(&info, l);
    const double done = (double)info.examples / (double)u->total;
    if (u->at == SHARES || done < shares[u->at])
        return AKIN_OK;
    AK_TRY(akin_learning_model(&m, ctx, l));
    for (; u->at < SHARES && done >= shares[u->at]; ++u->at)
        AK_TRY(ak_scores_add_of(&u->after[u->at], ctx, m, &u->held,
                                akin_model_compare(u->before)));
done:
    akin_model_free(m);
    return st;
}

/* Fewer examples where all of them take too long. */
static akin_status thin(akin_supervision **out, akin_ctx *ctx, const update *u,
                        const akin_supervision *rest, double most)
{
    int64_t pass = 0;
    AK_CHECK(ak_tune_pass(&pass, ctx, rest, u->ranks));
    const double all = (double)pass * (double)ak_max_i64(1, rest->passes);
    if (all <= most)
        return AKIN_OK;
    return ak_tune_part(out, ctx, rest,
                        ak_max_i64(1, (int64_t)(most / all * (double)pass)));
}

static akin_status run_fold(update *u, akin_ctx *ctx, int64_t fold, double most)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *part = NULL, *fold_of = NULL, *less = NULL;
    akin_learning *l = NULL;
    akin_status st = AKIN_OK;
    if (u->given == NULL)
        AK_TRY(ak_supervision_fold(&part, &fold_of, ctx, u->data, fold, FOLDS,
                                   u->side));
    const akin_supervision *rest = part ? part : u->data;
    const akin_supervision *held = fold_of ? fold_of : u->given;
    AK_TRY(thin(&less, ctx, u, rest, most));
    AK_TRY(ak_tune_held_beside(&u->held, ctx, held, rest, u->measure, u->ranks,
                               held->kind == AKIN_LABELS ? MOST_QUERIES
                                                         : MOST_EXAMPLES));
    AK_TRY(akin_learning_begin(&l, ctx, u->options, less ? less : rest,
                               u->before));
    ak_learning_keep_whole(l);
    u->total = ak_learning_total(l);
    u->at = 0;
    ak_learning_set_monitor(l, ak_max_i64(1, u->total / 20), score_share, u);
    AK_TRY(akin_learning_observe_all(ctx, l));
    AK_TRY(ak_scores_add_of(&u->baseline, ctx, u->before, &u->held,
                            AKIN_BY_DEFAULT));
done:
    akin_learning_free(l);
    akin_supervision_free(part);
    akin_supervision_free(fold_of);
    akin_supervision_free(less);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Folds whose learning is quick; one, of fewer examples, where none is. */
static akin_status run_folds(update *u, akin_ctx *ctx)
{
    ak_trial_watch w = {ctx, 0, FOLDS};
    const double rank = (double)ak_max_i64(1, akin_model_rank(u->before));
    const double each = 3.0 * ak_numbers_per_row(u->data->rows) * rank;
    akin_ctx *own = NULL;
    int64_t pass = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tune_pass(&pass, ctx, u->data, u->ranks));
    const double all = each * (double)pass *
                       (double)ak_max_i64(1, u->data->passes);
    const double budget = fmax(SMALL_WORK, 0.25 * all);
    if (u->given != NULL)
        w.all = 1;
    else
        w.all = ak_max_i64(1, ak_min_i64(FOLDS, (int64_t)(budget / all)));
    AK_TRY(ak_trial_context(&own, &w));
    for (; w.done < w.all; ++w.done)
        AK_TRY(run_fold(u, own, w.done, budget / each));
done:
    akin_ctx_free(own);
    return st;
}

/* After the update, pairs or triplets like those learned from are told no
 * better than by chance: they say nothing that could be learned. */
static bool is_chance(const update *u, const akin_verdict *v)
{
    return u->given == NULL && u->data->kind != AKIN_LABELS &&
           v->held_out <= 0.5 + 2.0 * v->held_out_se;
}

/* The largest share that is not worse. */
static akin_status choose(akin_verdict *v, akin_ctx *ctx, const update *u)
{
    const bool second = u->ranks || akin_model_label_count(u->before) == 0;
    akin_verdict none = *v;
    for (int64_t s = SHARES - 1; s >= 0; --s) {
        *v = none;
        if (u->after[s].n != u->baseline.n)
            continue;
        AK_CHECK(ak_verdict_decide(v, ctx, &u->after[s], &u->baseline, second));
        v->kept = shares[s];
        if (v->word != AKIN_WORSE && !is_chance(u, v)) {
            if (v->reason != NULL)
                v->kept = 1.0;
            return AKIN_OK;
        }
    }
    *v = none;
    AK_CHECK(ak_verdict_decide(v, ctx, &u->baseline, &u->baseline, second));
    v->kept = 0.0;
    return AKIN_OK;
}

/* Has the model learned from most of these rows before? Then their labels are
 * no news, and nothing of them is held out. */
static akin_status is_old(bool *old, akin_ctx *ctx, const update *u)
{
    ak_checksum_matches x = {0};
    *old = false;
    if (u->data->kind != AKIN_LABELS || !u->before->learned[AKIN_LEFT].known)
        return AKIN_OK;
    AK_CHECK(ak_checksums_match(&x, ctx, &u->before->learned[AKIN_LEFT],
                                u->data->rows, NULL));
    *old = 2 * x.found > x.sampled;
    return AKIN_OK;
}

static akin_status guard(akin_verdict *v, akin_ctx *ctx, update *u)
{
    const int64_t n = akin_supervision_examples(u->data);
    bool old = false;
    akin_status st = AKIN_OK;
    const int64_t least = u->given ? 1 : FOLDS * AK_LEAST_QUERIES;
    if (u->given == NULL)
        AK_CHECK(is_old(&old, ctx, u));
    v->kept = 1.0;
    v->measure = u->measure;
    v->baseline_measure = "before";
    v->reason = n < least ? "there are too few examples"
                : old     ? "the model has learned from these rows before"
                          : NULL;
    if (v->reason != NULL)
        return AKIN_OK;
    st = run_folds(u, ctx);
    if (st == AKIN_OK)
        return choose(v, ctx, u);
    if (st == AKIN_ECANCELLED)
        return ak_fail(ctx, st, "interrupted");
    v->reason = "too little could be held out";  // the run itself says more
    return AKIN_OK;
}

akin_status akin_guard(akin_verdict *verdict, akin_ctx *ctx,
                       const akin_options *options,
                       const akin_supervision *data, const akin_model *before,
                       const akin_check_options *check_options)
{
    akin_check_options o = AKIN_CHECK_DEFAULTS;
    const ak_learner *learner = ak_learner_find(options->learner);
    update u = {.options = options, .data = data, .before = before};
    ak_options_take(&o, sizeof o, check_options);
    *verdict = ak_verdict_none();
    if (learner == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'",
                       options->learner);
    u.given = o.held;
    u.ranks = ak_learner_ranks(learner, options);
    u.side = u.ranks && data->right != NULL ? AKIN_RIGHT : AKIN_LEFT;
    const akin_purpose purpose = o.purpose != AKIN_FOR_AUTO
                                     ? o.purpose
                                     : ak_default_purpose(data, u.ranks);
    u.measure = o.measure ? o.measure : ak_purpose_measure(purpose, data->kind);
    const akin_status st = guard(verdict, ctx, &u);
    verdict->read_out = akin_model_compare(before);
    for (int64_t s = 0; s < SHARES; ++s)
        ak_scores_free(&u.after[s]);
    ak_scores_free(&u.baseline);
    return st;
}

akin_status akin_supervision_share(akin_supervision **out, akin_ctx *ctx,
                                   const akin_supervision *data,
                                   const akin_options *options, double share)
{
    const ak_learner *learner = ak_learner_find(options->learner);
    int64_t pass = 0;
    if (learner == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'",
                       options->learner);
    AK_CHECK(
        ak_tune_pass(&pass, ctx, data, ak_learner_ranks(learner, options)));
    return ak_tune_part(out, ctx, data,
                        ak_max_i64(1, (int64_t)(share * (double)pass)));
}
