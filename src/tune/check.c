/* Is the learned similarity better than the measure it began from, and how are
 * rows compared in it?
 *
 * A part of the supervision is held out, the learner learns from the rest or
 * from less, and what it learned is scored on the held-out part by every
 * comparison that suits it, beside the plain measure. The read-out is the
 * comparison that did best. It is chosen on one half of the queries for the
 * verdict on the other, so that the choice is no advantage.
 *
 * Another plain measure may be far better than both. The one that does best on
 * a few rows is scored on the same held-out part.
 *
 * These copies are not the model. So the model itself is scored, too, on what
 * it learned from. That flatters it; a model that is worse even there is worse.
 *
 * How much is learned and scored follows from counts alone, never from a clock,
 * so that the same input gives the same verdict. */
#include <akin/tune.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/ctx.h"
#include "learn/learner.h"
#include "model/blend.h"
#include "tune/plain.h"
#include "tune/trial.h"
#include "tune/verdict.h"
#include "tune/work.h"

enum { MOST_HELD = 20000, MOST_QUERIES = 1000 };

/* Of the work of the run: to check it, and where a read-out is to be chosen,
 * which is a part of learning. */
static const double SHARE_TO_CHECK = 0.15, SHARE_TO_CHOOSE = 0.5;
static const double SHARE_TO_SCORE = 0.1, SHARE_TO_FIND = 0.03;
/* A run of less work is so short that nobody minds what a check takes. */
static const double SHORT_RUN = 1e8;
static const double SMALL_WORK = 2e8, SMALL_CHOICE = 5e8, SMALL_SCAN = 2e8;
static const double SMALL_FIND = 5e7;
/* Of the rows, to learn from at least. */
static const double LEAST_SHARE = 0.15;

typedef struct plan {
    const akin_options *options;
    const akin_learner_info *learner;
    const akin_supervision *data;
    const akin_rows *raw, *raw_right;  // before their recipe, or NULL
    const char *measure, *baseline;
    bool ranks;
    bool learns;     // from the supervision, not from the rows alone
    int64_t passes;  // that the run made
    akin_side side;
    akin_compare by[AK_READ_OUTS];  // the first is the learner's own
    double blend[AK_READ_OUTS];     // and the weight of the rows' own cosine
    int64_t n_by;
    ak_work work;            // of the run
    int64_t examples;        // of the run
    int64_t folds, n_folds;  // all, and those that are learned
    double share;            // of the rest that a fold learns from
    int64_t most_rows;       // to check on, 0: all
    double scan;             // work to score one model by one comparison
} plan;

/* Scores of all folds. */
typedef struct tally {
    ak_scores by[AK_READ_OUTS], baseline;
    ak_plain plain;  // another one
} tally;

static void free_tally(tally *t)
{
    for (int64_t c = 0; c < AK_READ_OUTS; ++c)
        ak_scores_free(&t->by[c]);
    ak_scores_free(&t->baseline);
    ak_plain_free(&t->plain);
}

/* ---- the plan ---- */

/* Labelled rows that have a partner can be held out. */
static akin_status count_usable(akin_ctx *ctx, const plan *p, int64_t *n)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_classes c;
    akin_status st = AKIN_OK;
    *n = akin_supervision_examples(p->data);
    if (p->data->kind != AKIN_LABELS || p->side == AKIN_RIGHT)
        goto done;
    AK_TRY(ak_classes_of(&c, ctx, p->data));
    *n = 0;
    for (int64_t k = 0; k < c.n_labels; ++k)
        if (c.offsets[k + 1] - c.offsets[k] > 1)
            *n += c.offsets[k + 1] - c.offsets[k];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Few examples: each is held out alone, or nearly. */
static int64_t fold_count(akin_knowledge kind, int64_t n)
{
    if (kind != AKIN_LABELS)
        return n < 200 ? 5 : 4;
    if (n <= 24)
        return ak_max_i64(n, 2);
    return n <= 1000 ? 10 : ak_max_i64(4, n / MOST_HELD);
}

/* Folds so large that they have enough queries, and no larger where these find
 * their neighbours among the rest: of fewer rows a neighbour is a worse guess,
 * while a model may do with fewer. */
static int64_t least_folds(const plan *p, int64_t n)
{
    const bool among_rest = p->data->kind == AKIN_LABELS &&
                            strcmp(p->measure, "map") != 0;
    return ak_max_i64(2, n / (among_rest ? MOST_QUERIES : MOST_HELD));
}

/* One fold, of less. */
static void plan_less(plan *p, int64_t n, double share_of_work)
{
    const bool labels = p->data->kind == AKIN_LABELS;
    const double share =
        fmax(LEAST_SHARE, ak_work_share(&p->work, share_of_work));
    p->n_folds = 1;
    if (labels)
        p->folds = least_folds(p, n);
    if (labels && p->work.saving == AK_SAVES_BY_UNLABELLED) {
        p->most_rows = (int64_t)(share * (double)n);
        p->folds = least_folds(p, p->most_rows);
    } else if (p->work.saving == AK_SAVES_BY_EXAMPLES && !p->learner->is_online)
        p->share = share;
    else
        p->share = fmin(1.0, share * (double)p->folds / (double)(p->folds - 1));
}

/* The work that all folds may take. */
static double budget_of(const plan *p)
{
    const double work = p->work.all;
    if (p->n_by > 1)
        return fmax(SMALL_CHOICE, SHARE_TO_CHOOSE * work);
    return work < SHORT_RUN ? SMALL_WORK : SHARE_TO_CHECK * work;
}

/* As many folds as the budget has room for: all of many, or of a few, some of
 * four, or one of two. */
static void plan_folds(plan *p, int64_t n)
{
    const double work = p->work.all, budget = budget_of(p);
    const int64_t least = least_folds(p, n);
    const int64_t counts[] = {fold_count(p->data->kind, n),
                              ak_max_i64(4, least), least};
    p->n_folds = 0;
    p->share = 1.0;
    p->scan = fmax(SMALL_SCAN, SHARE_TO_SCORE * work) / (double)(p->n_by + 2);
    for (int i = 0; i < 3; ++i) {
        const double each =
            ak_work_left(&p->work, 1.0 - 1.0 / (double)counts[i]);
        const int64_t most = (int64_t)fmin(1e6, budget / fmax(each, 1.0));
        if (most >= counts[i] || (i == 1 && most > 1) || (i == 2 && most > 0)) {
            p->folds = counts[i];
            p->n_folds = ak_min_i64(counts[i], most);
            return;
        }
    }
    plan_less(p, n, budget / work);
}

/* The plain measure that rows can be compared by, NULL: there is none. */
static const char *plain_measure(const plan *p, const akin_model *m)
{
    const akin_rows *rows = p->data->rows, *right = p->data->right;
    if (!p->ranks && right != NULL &&
        akin_rows_dim(right) != akin_rows_dim(rows))
        return NULL;
    if (akin_model_label_count(m) > 0)
        return akin_rows_is_sparse(rows) ? "cosine" : "euclidean";
    return m->by == AKIN_BY_DISTANCE ? "euclidean" : "cosine";
}

static bool all_alike(const akin_supervision *data)
{
    for (int64_t i = 1; i < data->count; ++i)
        if ((data->numbers[3 * i + 2] > 0) != (data->numbers[2] > 0))
            return false;
    return true;
}

/* What keeps a verdict from being made, NULL: nothing. */
static const char *obstacle(const akin_supervision *data)
{
    switch (data->kind) {
    case AKIN_PAIRS:
        return all_alike(data) ? "all pairs match, or none does" : NULL;
    case AKIN_LABELS:
    case AKIN_TRIPLETS:
    case AKIN_QUADRUPLETS:
        return NULL;
    case AKIN_BAGS:
        return "captions do not say who is in a picture";
    default:
        return "there are no labels, pairs or triplets to measure by";
    }
}

static akin_status make_plan(plan *p, akin_verdict *v, akin_ctx *ctx,
                             const akin_model *m, const akin_check_options *o,
                             const akin_learn_info *info)
{
    const akin_supervision *data = p->data;
    int64_t n = 0;
    p->learner = akin_learner_find(p->options->learner);
    p->ranks = akin_model_label_count(m) > 0 && m->kind->score == NULL;
    p->learns = p->learner->takes != AKIN_NOTHING;
    p->side = p->ranks && data->right != NULL ? AKIN_RIGHT : AKIN_LEFT;
    const akin_purpose purpose = o->purpose != AKIN_FOR_AUTO
                                     ? o->purpose
                                     : ak_default_purpose(data, p->ranks);
    p->measure = o->measure ? o->measure
                            : ak_purpose_measure(purpose, data->kind);
    p->baseline = o->verdict ? plain_measure(p, m) : NULL;
    p->n_by = ak_read_outs(p->by, m, data, o->by);
    if (o->by == AKIN_BY_DEFAULT)
        p->n_by =
            ak_read_out_blends(p->by, p->blend, p->n_by, m, p->options, data);
    if (akin_model_label_count(m) > 0 && strcmp(p->measure, "map") != 0)
        p->n_by = 1;  // it tells labels, which no comparison of rows changes
    v->reason = obstacle(data);
    if (v->reason != NULL)
        return AKIN_OK;
    AK_CHECK(count_usable(ctx, p, &n));
    if (n < AK_LEAST_QUERIES)
        v->reason = data->kind == AKIN_LABELS
                        ? "too few rows have a label that another row has"
                        : "there are too few examples";
    p->work = ak_work_of(m, p->learner->name, data, info);
    p->examples = info->examples;
    plan_folds(p, n);
    v->measure = p->measure;
    v->baseline_measure = p->baseline;
    return AKIN_OK;
}

/* ---- one fold ---- */

/* Every so many of the examples. */
static akin_status thin_examples(akin_supervision **out, akin_ctx *ctx,
                                 const akin_supervision *s, double share)
{
    const int64_t width = s->kind == AKIN_QUADRUPLETS ? 4 : 3;
    const int64_t n = ak_max_i64(1, (int64_t)(share * (double)s->count));
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *part = NULL;
    int64_t *numbers;
    akin_status st = AKIN_OK;
    AK_TRY(ak_supervision_like(&part, ctx, s));
    AK_TRY(ak_scratch(ctx, n, (size_t)width * sizeof *numbers, &numbers));
    for (int64_t t = 0; t < n; ++t)
        memcpy(numbers + width * t,
               s->numbers +
                   width * (int64_t)((double)t * (double)s->count / (double)n),
               (size_t)width * sizeof *numbers);
    AK_TRY(akin_supervision_set(ctx, part, s->kind, numbers, n));
    *out = part;
    part = NULL;
done:
    akin_supervision_free(part);
    ak_scratch_end(ctx, mark);
    return st;
}

/* Less of the rest, where all of it takes too long; else NULL. */
static akin_status thin(akin_supervision **out, akin_ctx *ctx, const plan *p,
                        const akin_supervision *rest)
{
    akin_supervision *part = NULL, *others = NULL;
    int64_t pass = 0;
    akin_status st = AKIN_OK;
    if (p->share >= 1.0)
        return AKIN_OK;
    if (p->learner->is_online) {
        AK_TRY(ak_tune_pass(&pass, ctx, rest, p->ranks));
        AK_TRY(ak_tune_part(&part, ctx, rest,
                            ak_max_i64(1, (int64_t)(p->share * (double)pass))));
    } else if (rest->kind != AKIN_LABELS) {
        AK_TRY(thin_examples(&part, ctx, rest, p->share));
    } else if (p->work.saving == AK_SAVES_BY_EXAMPLES) {
        AK_TRY(ak_tune_part(
            &part, ctx, rest,
            ak_max_i64(1, (int64_t)(p->share * (double)p->examples))));
    } else {
        const bool most = p->share > 0.5;
        const double held = most ? 1.0 - p->share : p->share;
        AK_TRY(ak_supervision_fold(most ? &part : &others,
                                   most ? &others : &part, ctx, rest, 0,
                                   (int64_t)(1.0 / fmax(held, 0.05)), p->side));
    }
    *out = part;
    part = NULL;
done:
    akin_supervision_free(part);
    akin_supervision_free(others);
    return st;
}

/* So many queries in each fold that they take no more work than planned. */
static int64_t query_limit(const plan *p, int64_t n_folds)
{
    const akin_rows *rows = p->data->right ? p->data->right : p->data->rows;
    if (p->data->kind != AKIN_LABELS)
        return (int64_t)fmin(1e5,
                             fmax(1000.0, p->scan / ak_numbers_per_row(rows)));
    const bool by_map = strcmp(p->measure, "map") == 0 && !p->ranks;
    const double found = (double)rows->n *
                         (by_map ? 1.0 / (double)p->folds : 1.0);
    const double each = ak_query_work(rows, found) * (double)n_folds;
    return (int64_t)fmin(MOST_QUERIES, fmax(50.0, p->scan / each));
}

/* Score a model by these comparisons, beside the plain measure. */
static akin_status score_fold(tally *t, akin_ctx *ctx, const plan *p,
                              const akin_model *m, const akin_supervision *held,
                              const akin_supervision *rest, int64_t n_folds)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_rows *rows = p->side == AKIN_RIGHT ? p->data->right
                                                  : p->data->rows;
    akin_model *plain = NULL;
    ak_tune_held h;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tune_held_beside(&h, ctx, held, rest, p->measure, p->ranks,
                               query_limit(p, n_folds)));
    for (int64_t c = 0; c < p->n_by; ++c)
        AK_TRY(ak_scores_add_blended(&t->by[c], ctx, m, &h, p->by[c],
                                     p->blend[c]));
    if (p->baseline != NULL) {
        AK_TRY(akin_model_builtin(&plain, ctx, p->baseline, rows));
        AK_TRY(ak_scores_add_of(&t->baseline, ctx, plain, &h, AKIN_BY_DEFAULT));
    }
    if (t->plain.method != NULL)
        AK_TRY(ak_plain_add(&t->plain, ctx, &h));
done:
    akin_model_free(plain);
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status learn_known(akin_model **out, akin_ctx *ctx, const plan *p,
                               akin_supervision *rest)
{
    akin_supervision *less = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(thin(&less, ctx, p, rest));
    akin_supervision *known = less ? less : rest;
    akin_supervision_sample(known, known->sample, p->passes);
    AK_TRY(ak_learn_whole(out, ctx, p->options, known, NULL));
done:
    akin_supervision_free(less);
    return st;
}

/* The rows that are not held out, or a share of them. */
static akin_status select_others(akin_rows **out, akin_ctx *ctx,
                                 const akin_rows *all,
                                 const akin_supervision *held, double share)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    unsigned char *away;
    int64_t *which, n = 0, others = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, all->n, &away));
    AK_TRY(AK_SCRATCH(ctx, all->n, &which));
    for (int64_t i = 0; i < held->n_held_out; ++i)
        away[held->held_out[i]] = 1;
    for (int64_t i = 0; i < all->n; ++i)
        if (!away[i] && (int64_t)(share * (double)++others) > n)
            which[n++] = i;
    AK_TRY(akin_rows_select(out, ctx, all, which, n));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* Does the learner look at rows of which nothing is known, while there are none
 * but those held out? With others, new rows are as those are. */
static bool sees_held_out(const plan *p)
{
    const akin_rows *rows = p->data->rows;
    const int32_t *labels;
    if (p->data->kind != AKIN_LABELS || p->data->right != NULL)
        return false;
    if (!p->learns)
        return true;
    if (strcmp(p->learner->name, "lrml") != 0 &&
        strcmp(p->learner->name, "s3ml") != 0)
        return false;
    for (int64_t i = 0; i < rows->n; ++i)
        if (akin_rows_labels(&labels, rows, i) == 0)
            return false;
    return ak_supervision_known(p->data) == rows->n;
}

/* Learn from the others as if the rows held out were not there. */
static akin_status learn_others(akin_model **out, akin_ctx *ctx, const plan *p,
                                const akin_supervision *held)
{
    akin_supervision *s = NULL;
    akin_rows *rows = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(select_others(&rows, ctx, p->data->rows, held,
                         p->learns ? 1.0 : p->share));
    AK_TRY(ak_supervision_like(&s, ctx, p->data));
    s->rows = rows;
    s->kind = p->learns ? AKIN_LABELS : AKIN_NOTHING;
    AK_TRY(p->learns ? learn_known(out, ctx, p, s)
                     : akin_learn(out, ctx, p->options, s, NULL));
done:
    akin_supervision_free(s);
    akin_rows_free(rows);
    return st;
}

/* A fold that cannot be learned or scored, such as one of a single class, does
 * not count. */
static akin_status run_fold(tally *t, akin_ctx *ctx, const plan *p,
                            int64_t fold)
{
    akin_supervision *rest = NULL, *held = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_supervision_fold(&rest, &held, ctx, p->data, fold, p->folds,
                               p->side));
    AK_TRY(sees_held_out(p) ? learn_others(&m, ctx, p, held)
                            : learn_known(&m, ctx, p, rest));
    AK_TRY(score_fold(t, ctx, p, m, held, rest, p->n_folds));
done:
    akin_model_free(m);
    akin_supervision_free(rest);
    akin_supervision_free(held);
    return st == AKIN_ENOMEM || st == AKIN_ECANCELLED ? st : AKIN_OK;
}

static akin_status run_folds(tally *t, akin_ctx *ctx, const plan *p,
                             const akin_model *m)
{
    ak_trial_watch w = {ctx, 0, p->n_folds};
    akin_ctx *own = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_trial_context(&own, &w));
    if (p->baseline != NULL && p->side == AKIN_LEFT)
        st = ak_plain_find(&t->plain, own, p->data, p->raw, p->raw_right,
                           p->baseline, p->measure, p->ranks,
                           fmax(SMALL_FIND, SHARE_TO_FIND * p->work.all));
    if (st != AKIN_ENOMEM && st != AKIN_ECANCELLED)
        st = AKIN_OK;  // what cannot be compared does not count
    AK_TRY(st);
    if (!p->learns && p->data->kind != AKIN_LABELS)
        AK_TRY(score_fold(t, own, p, m, p->data, p->data, 1));
    else
        for (; w.done < p->n_folds; ++w.done)
            AK_TRY(run_fold(t, own, p, w.done));
done:
    akin_ctx_free(own);
    return st;
}

/* ---- the verdict ---- */

static akin_status decide(akin_verdict *v, akin_ctx *ctx, const plan *p,
                          const akin_model *m, const tally *t)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_scores learned;
    akin_status st = AKIN_OK;
    AK_TRY(ak_read_out_cross_fit(&learned, ctx, t->by, p->n_by));
    AK_TRY(ak_verdict_decide(v, ctx, &learned,
                             p->baseline != NULL ? &t->baseline : NULL,
                             p->ranks || akin_model_label_count(m) == 0));
    if (t->plain.method != NULL)
        AK_TRY(ak_verdict_plain(v, ctx, &learned, &t->baseline, &t->plain));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The model itself where it learned from. What cannot be scored does not
 * count. */
static akin_status check_itself(akin_verdict *v, akin_ctx *ctx, const plan *p,
                                const akin_model *m, int64_t best)
{
    tally t = {0};
    plan one = *p;
    akin_supervision *right = NULL;
    akin_status st = AKIN_OK;
    one.by[0] = p->by[best];
    one.blend[0] = p->blend[best];
    one.n_by = 1;
    ak_ctx_quiet_begin(ctx);
    if (p->side == AKIN_RIGHT) {
        AK_TRY(ak_tune_part(&right, ctx, p->data, p->data->sample));
        right->held_out_side = AKIN_RIGHT;
    }
    AK_TRY(score_fold(&t, ctx, &one, m, right ? right : p->data, p->data, 1));
    AK_TRY(ak_verdict_itself(v, ctx, &t.by[0], &t.baseline));
done:
    ak_ctx_quiet_end(ctx);
    akin_supervision_free(right);
    free_tally(&t);
    return st == AKIN_ENOMEM || st == AKIN_ECANCELLED ? st : AKIN_OK;
}

/* What the copies say, and then the model. */
static akin_status check_folds(akin_verdict *v, akin_model *m, akin_ctx *ctx,
                               const plan *p, bool verdict, int64_t *best)
{
    tally t = {0};
    akin_status st = AKIN_OK;
    AK_TRY(run_folds(&t, ctx, p, m));
    if (t.by[0].n == 0) {
        v->reason = "too little could be held out";
        goto done;
    }
    AK_TRY(ak_read_out_choose(best, ctx, t.by, p->n_by, -1));
    if (!verdict)
        goto done;
    AK_TRY(decide(v, ctx, p, m, &t));
    if (v->word != AKIN_NO_VERDICT)
        AK_TRY(check_itself(v, ctx, p, m, *best));
done:
    free_tally(&t);
    return st;
}

static akin_status keep_read_out(akin_model *m, akin_ctx *ctx, akin_compare by,
                                 double blend)
{
    char text[32];
    m->by = by;
    if (!(blend > 0.0))
        return AKIN_OK;
    AK_CHECK(ak_blend_in_place(m, ctx, blend));
    snprintf(text, sizeof text, "%g", blend);
    return ak_model_set_note(m, ctx, "option.blend", text);
}

static akin_status check(akin_verdict *v, akin_model *m, akin_ctx *ctx, plan *p,
                         const akin_check_options *o,
                         const akin_learn_info *info)
{
    ak_sheet sheet = {0};
    akin_rows *raw = NULL;
    int64_t best = 0;
    akin_status st = AKIN_OK;
    AK_TRY(make_plan(p, v, ctx, m, o, info));
    if (v->reason != NULL || (!o->verdict && p->n_by < 2))
        goto done;
    if (p->most_rows > 0) {
        AK_TRY(ak_sheet_new(&sheet, ctx, p->data, p->most_rows));
        p->data = ak_sheet_known(&sheet);
        if (p->raw != NULL && sheet.left != NULL)
            AK_TRY(akin_rows_select(&raw, ctx, p->raw, sheet.which,
                                    akin_rows_count(sheet.left)));
        p->raw = raw ? raw : p->raw;
    }
    st = check_folds(v, m, ctx, p, o->verdict, &best);
    if (st == AKIN_ENOMEM) {
        *v = ak_verdict_none();
        v->reason = "there was not enough memory to learn a second time";
        best = 0;
        st = AKIN_OK;
    }
done:
    if (st == AKIN_OK)
        st = keep_read_out(m, ctx, p->by[best], p->blend[best]);
    akin_rows_free(raw);
    ak_sheet_free(&sheet);
    return st;
}

akin_status akin_check(akin_verdict *verdict, akin_ctx *ctx, akin_model *m,
                       const akin_options *options,
                       const akin_supervision *data,
                       const akin_learn_info *info,
                       const akin_check_options *check_options)
{
    akin_check_options o = AKIN_CHECK_DEFAULTS;
    plan p = {.options = options, .data = data, .passes = info->iterations};
    ak_options_take(&o, sizeof o, check_options);
    p.raw = o.raw;
    p.raw_right = o.raw_right;
    *verdict = ak_verdict_none();
    const akin_status st = check(verdict, m, ctx, &p, &o, info);
    verdict->read_out = m->by;
    return st;
}
