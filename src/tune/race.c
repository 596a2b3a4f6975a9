/* A race: plain measures and learners over recipes, compared on the same
 * repeated splits by successive halving.
 *
 * A rung takes a share of the rows (examples are not cut) and some folds of
 * repeated draws. All candidates of a rung are learned and scored on the same
 * splits, so that their differences are paired. Trials run side by side, each
 * with one thread and a context of its own, and by all ranks; nothing depends
 * on how many run at once, or on a clock: a candidate is left out for its size
 * by counted work.
 *
 * The choice: let g be the gain of a candidate over the best plain measure on
 * the same rows, s its standard error (as if one row more had been gained or
 * lost), p what is expected of its learner before anything is measured, t how
 * far learners are from what is expected. The candidate with the largest
 *
 *   (g / s^2 + p / t^2) / (1 / s^2 + 1 / t^2)                             (1)
 *
 * is taken: what was measured where there are many labels, what is expected
 * where there are few. A learner that is not better than a plain measure by
 * (1), that was worse than the best of them by more than two standard errors,
 * or that is no better than chance, is not taken. */
#include <akin/tune.h>

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/comm.h"
#include "base/rng.h"
#include "learn/learner.h"
#include "model/model.h"
#include "tune/caption_pairs.h"
#include "tune/share.h"

enum { RUNGS = 3 };
/* Labelled rows: up to AK_FEW_LABELS there is one rung, up to SOME all rows are
 * used in every rung. */
enum { SOME = 600 };

typedef struct entrant {
    int64_t candidate;
    ak_scores total;  // of all its splits, a row or example once
    ak_estimate score, gain;
    double merit;  // what decides who goes on and who is taken
    double seconds;
    int64_t splits, rows, rung, bytes, examples;
    akin_status status;
    char message[256];
    char recipe[96];
    akin_compare by;  // the read-out
} entrant;

struct akin_race {
    ak_candidate_list candidates;
    entrant *entrants;
    int64_t n, room;
    int64_t best, baseline;
    const char *measure, *verdict;
    char reason[384];
};

/* What a rung does. */
typedef struct rung_plan {
    int64_t rows;                  // at most so many labelled ones
    int64_t repeats, folds, used;  // folds of each repeat, and those used
    int64_t queries;               // at most so many a split
} rung_plan;

typedef struct job {
    int64_t entrant;
    ak_trial_spec spec;
    ak_trial_outcome out;
} job;

typedef struct run {
    akin_ctx *ctx;
    akin_race *race;
    const akin_supervision *data, *test;
    akin_race_options options;
    akin_purpose purpose;
    akin_side side;
    int64_t *alive, n_alive;
    ak_sheet sheet;
    ak_prepared *prepared;  // one a different recipe of those alive
    int64_t n_prepared;
    job *jobs;
    int64_t n_jobs;
    atomic_int cancelled;
    _Atomic int64_t done;
    int64_t work;    // jobs of all rungs, as planned
    bool is_single;  // no two labelled rows share a class: all splits are alike
} run;

static bool is_error(const akin_race *r)
{
    return strcmp(r->measure, "error") == 0;
}

static const ak_candidate *candidate_of(const akin_race *r, int64_t i)
{
    return &r->candidates.list[r->entrants[i].candidate];
}

static bool is_plain(const akin_race *r, int64_t i)
{
    return ak_candidate_is_plain(candidate_of(r, i));
}

static bool is_few(const run *r)
{
    return r->data->kind == AKIN_LABELS &&
           akin_supervision_examples(r->data) <= AK_FEW_LABELS;
}

/* ---- jobs ---- */

typedef struct watch {
    run *r;
    bool is_caller;  // only the caller's thread may report
} watch;

static int watch_progress(void *user, const akin_progress *p)
{
    const watch *w = user;
    (void)p;
    run *r = w->r;
    if (w->is_caller &&
        ak_ctx_tick(r->ctx, "trials", r->done, ak_max_i64(r->work, r->done),
                    NAN) != AKIN_OK)
        r->cancelled = 1;
    return r->cancelled;
}

static akin_status run_job(void *arg, int64_t begin, int64_t end,
                           int64_t worker)
{
    run *r = arg;
    (void)end;
    job *j = &r->jobs[begin * akin_ctx_ranks(r->ctx) + akin_ctx_rank(r->ctx)];
    const akin_allocator allocator = ak_ctx_allocator(r->ctx);
    watch w = {r, worker == 0};
    akin_ctx *ctx = NULL;
    if (r->cancelled) {
        j->out.status = AKIN_ECANCELLED;
        return AKIN_OK;
    }
    j->out.status = akin_ctx_new(&ctx, &allocator);
    if (j->out.status == AKIN_OK) {
        akin_ctx_set_threads(ctx, 1);
        akin_ctx_set_seed(ctx, akin_ctx_seed(r->ctx));
        akin_ctx_set_progress(ctx, watch_progress, &w);
        ak_ctx_work_for(ctx, r->ctx);
        j->out.status = ak_trial_run(&j->out.result, ctx, &j->spec);
        strncpy(j->out.message, akin_ctx_message(ctx),
                sizeof j->out.message - 1);
    }
    akin_ctx_free(ctx);
    ++r->done;
    return AKIN_OK;
}

/* Ranks take turns: neighbours in the list cost about the same. */
static akin_status run_jobs(run *r)
{
    const int64_t ranks = akin_ctx_ranks(r->ctx), rank = akin_ctx_rank(r->ctx);
    ak_trial_outcome **all;
    AK_CHECK(AK_SCRATCH(r->ctx, r->n_jobs, &all));
    for (int64_t i = 0; i < r->n_jobs; ++i)
        all[i] = &r->jobs[i].out;
    const akin_status ran = ak_parallel_for(
        r->ctx, (r->n_jobs - rank + ranks - 1) / ranks, 1, run_job, r);
    if (r->cancelled || ran == AKIN_ECANCELLED || akin_ctx_cancelled(r->ctx))
        return ak_comm_agree(r->ctx,
                             ak_fail(r->ctx, AKIN_ECANCELLED, "interrupted"));
    AK_CHECK(ak_comm_agree(r->ctx, AKIN_OK));
    return ak_trials_share(r->ctx, r->n_jobs, all);
}

/* ---- the recipes of a rung ---- */

static void drop_prepared(run *r)
{
    for (int64_t i = 0; i < r->n_prepared; ++i)
        ak_prepared_free(&r->prepared[i]);
    r->n_prepared = 0;
}

/* Prepare the rows by the recipe of each that is alive; `which[k]` is that of
 * alive[k]. */
static akin_status prepare_rows(run *r, int64_t *which)
{
    const akin_supervision *raw = ak_sheet_known(&r->sheet);
    const akin_rows *test =
        r->test != NULL && r->test->kind == AKIN_LABELS ? r->test->rows : NULL;
    int64_t *of;
    AK_CHECK(AK_SCRATCH(r->ctx, r->n_alive, &of));
    for (int64_t k = 0; k < r->n_alive; ++k) {
        const ak_candidate *c = candidate_of(r->race, r->alive[k]);
        int64_t p = 0;
        while (p < r->n_prepared &&
               !ak_recipe_options_equal(
                   &candidate_of(r->race, r->alive[of[p]])->recipe, &c->recipe))
            ++p;
        which[k] = p;
        if (p < r->n_prepared)
            continue;
        of[r->n_prepared] = k;
        ak_ctx_mute_begin(r->ctx);
        const akin_status st = ak_prepared_new(&r->prepared[r->n_prepared++],
                                               r->ctx, raw, test, c);
        ak_ctx_mute_end(r->ctx);
        AK_CHECK(st);
    }
    return AKIN_OK;
}

/* ---- scores of a rung ---- */

/* The mean of each row over the splits in which it was held out. */
typedef struct row_means {
    double *sum[2];  // of both measures
    int64_t *count;
    int64_t n;
} row_means;

static void add_rows(row_means *m, const ak_scores *s, const int64_t *items)
{
    for (int64_t t = 0; t < s->n; ++t) {
        if (isnan(s->each[t]))
            continue;
        m->sum[0][items[t]] += s->each[t];
        m->sum[1][items[t]] += isnan(s->second[t]) ? 0.0 : s->second[t];
        ++m->count[items[t]];
    }
}

static akin_status means_to_scores(ak_scores *out, akin_ctx *ctx,
                                   const row_means *m, const ak_scores *like)
{
    int64_t n = 0;
    ak_scores s = {.measure = like->measure,
                   .second_measure = like->second_measure};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, m->n, &s.each));
    AK_TRY(AK_NEW(ctx, m->n, &s.second));
    for (int64_t i = 0; i < m->n; ++i)
        if (m->count[i] > 0) {
            s.each[n] = m->sum[0][i] / (double)m->count[i];
            s.second[n++] = m->sum[1][i] / (double)m->count[i];
        }
    s.n = n;
    *out = s;
    s = (ak_scores){0};
done:
    ak_scores_free(&s);
    return st;
}

/* The scores of an entrant's jobs as one, by read-out c. */
static akin_status total_by(ak_scores *out, run *r, const job *jobs, int64_t n,
                            int64_t c)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    row_means m = {.n = 0};
    akin_status st = AKIN_OK;
    if (jobs[0].out.result.items == NULL) {
        for (int64_t k = 0; k < n; ++k)
            AK_TRY(ak_scores_add(out, r->ctx, &jobs[k].out.result.scores[c]));
        goto done;
    }
    for (int64_t k = 0; k < n; ++k)
        for (int64_t t = 0; t < jobs[k].out.result.scores[c].n; ++t)
            m.n = ak_max_i64(m.n, jobs[k].out.result.items[t] + 1);
    AK_TRY(AK_SCRATCH(r->ctx, m.n, &m.sum[0]));
    AK_TRY(AK_SCRATCH(r->ctx, m.n, &m.sum[1]));
    AK_TRY(AK_SCRATCH(r->ctx, m.n, &m.count));
    for (int64_t k = 0; k < n; ++k)
        add_rows(&m, &jobs[k].out.result.scores[c], jobs[k].out.result.items);
    AK_TRY(means_to_scores(out, r->ctx, &m, &jobs[0].out.result.scores[c]));
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* The read-outs that all jobs have; the first at least. */
static int64_t common_read_outs(const job *jobs, int64_t n)
{
    int64_t n_by = jobs[0].out.result.n_by;
    for (int64_t k = 1; k < n; ++k) {
        const ak_trial_result *x = &jobs[k].out.result;
        n_by = ak_min_i64(n_by, x->n_by);
        for (int64_t c = 0; c < n_by; ++c)
            if (x->by[c] != jobs[0].out.result.by[c])
                n_by = ak_max_i64(c, 1);
    }
    return n_by;
}

/* The scores of an entrant's jobs as one. Its read-out is chosen as akin_check
 * chooses it: for each half of the examples by the other, so that the choice is
 * no advantage; for the model by all of them. */
static akin_status total_of(entrant *e, run *r, const job *jobs, int64_t n)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const int64_t n_by = common_read_outs(jobs, n);
    ak_scores all[AK_READ_OUTS] = {{0}}, crossed;
    int64_t best = 0;
    akin_status st = AKIN_OK;
    for (int64_t c = 0; c < n_by; ++c)
        AK_TRY(total_by(&all[c], r, jobs, n, c));
    AK_TRY(ak_read_out_choose(&best, r->ctx, all, n_by, -1));
    AK_TRY(ak_read_out_cross_fit(&crossed, r->ctx, all, n_by));
    e->by = jobs[0].out.result.by[best];
    AK_TRY(ak_scores_add(&e->total, r->ctx, &crossed));
done:
    for (int64_t c = 0; c < n_by; ++c)
        ak_scores_free(&all[c]);
    ak_scratch_end(r->ctx, mark);
    return st;
}

static akin_status collect(run *r, int64_t n_splits, int64_t rung)
{
    for (int64_t k = 0; k < r->n_alive; ++k) {
        entrant *e = &r->race->entrants[r->alive[k]];
        const job *jobs = &r->jobs[k * n_splits];
        ak_scores_free(&e->total);
        e->score = (ak_estimate){NAN, NAN, 0};
        e->seconds = 0.0;
        e->rung = rung;
        for (int64_t s = 0; s < n_splits && e->status == AKIN_OK; ++s) {
            e->status = jobs[s].out.status;
            if (e->status != AKIN_OK)
                memcpy(e->message, jobs[s].out.message, sizeof e->message);
            e->seconds += jobs[s].out.result.seconds / (double)n_splits;
            e->bytes = jobs[s].out.result.bytes;
            e->examples = jobs[s].out.result.examples;
        }
        if (e->status != AKIN_OK)
            continue;
        e->splits = n_splits;
        e->rows = ak_sheet_known(&r->sheet)->rows->n;
        AK_CHECK(total_of(e, r, jobs, n_splits));
        AK_CHECK(ak_scores_mean(&e->score, r->ctx, &e->total, false));
    }
    return AKIN_OK;
}

/* ---- a rung ---- */

static int64_t splits_of(const run *r, const rung_plan *p)
{
    return r->test != NULL ? 1 : p->repeats * p->used;
}

static void set_jobs(run *r, const rung_plan *p, const int64_t *which)
{
    const int64_t n_splits = splits_of(r, p);
    for (int64_t k = 0; k < r->n_alive; ++k)
        for (int64_t s = 0; s < n_splits; ++s) {
            job *j = &r->jobs[k * n_splits + s];
            *j = (job){.entrant = r->alive[k]};
            j->spec = (ak_trial_spec){
                .candidate = candidate_of(r->race, r->alive[k]),
                .prepared = &r->prepared[which[k]],
                .sheet = &r->sheet,
                .test = r->test,
                .fold = s % p->used,
                .folds = p->folds,
                .repeat = s / p->used,
                .side = r->side,
                .measure = r->race->measure,
                .by = r->options.by,
                .ranks = r->purpose == AKIN_FOR_RANK,
                .most = p->queries,
            };
        }
    r->n_jobs = r->n_alive * n_splits;
}

static void drop_jobs(run *r)
{
    for (int64_t i = 0; i < r->n_jobs; ++i)
        ak_trial_result_free(&r->jobs[i].out.result);
    akin_free(r->jobs);
    r->jobs = NULL;
    r->n_jobs = 0;
}

static akin_status run_rung(run *r, const rung_plan *p, int64_t rung)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const int64_t n_splits = splits_of(r, p);
    int64_t *which;
    akin_status st = AKIN_OK;
    AK_TRY(ak_sheet_new(&r->sheet, r->ctx, r->data, p->rows));
    AK_TRY(AK_SCRATCH(r->ctx, r->n_alive, &which));
    AK_TRY(AK_NEW(r->ctx, r->n_alive, &r->prepared));
    AK_TRY(prepare_rows(r, which));
    AK_TRY(AK_NEW(r->ctx, r->n_alive * n_splits, &r->jobs));
    set_jobs(r, p, which);
    for (int64_t k = 0; k < r->n_alive; ++k)
        if (r->prepared[which[k]].status == AKIN_OK &&
            r->prepared[which[k]].recipe[AKIN_LEFT] != NULL)
            snprintf(r->race->entrants[r->alive[k]].recipe,
                     sizeof r->race->entrants[0].recipe, "%s",
                     akin_recipe_text(r->prepared[which[k]].recipe[AKIN_LEFT]));
    AK_TRY(run_jobs(r));
    AK_TRY(collect(r, n_splits, rung));
done:
    drop_jobs(r);
    drop_prepared(r);
    akin_free(r->prepared);
    r->prepared = NULL;
    ak_sheet_free(&r->sheet);
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* ---- plans ---- */

/* Few labels: many repeats of all folds. Many: a share of the rows first, then
 * more of them. */
static rung_plan plan_by_size(const run *r, int64_t rung)
{
    const int64_t n = akin_supervision_examples(r->data);
    const int64_t effort = r->options.effort;
    const int64_t most = 1000 * ((int64_t)1 << (effort - 1));
    const int64_t shares[RUNGS] = {4, 2, 1};
    if (r->data->kind != AKIN_LABELS)
        return (rung_plan){INT64_MAX, 1, 4, rung + 1, 5000};
    if (r->is_single)
        return (rung_plan){INT64_MAX, 1, 2, 1, INT64_MAX};
    if (n <= AK_FEW_LABELS)
        return (rung_plan){INT64_MAX, 2 * effort,
                           ak_max_i64(2, ak_min_i64(5, n)),
                           ak_max_i64(2, ak_min_i64(5, n)), INT64_MAX};
    if (n <= SOME)
        return (rung_plan){INT64_MAX, rung == 2 ? effort : 1, 5,
                           rung == 0 ? 3 : 5, INT64_MAX};
    return (rung_plan){
        ak_max_i64(most / shares[rung],
                   ak_min_i64(n, 10 * r->data->rows->n_label_names)),
        1, 4, rung == 2 ? 3 : 2, 1000};
}

/* The same, with as many folds as the share to hold out says. */
static rung_plan plan_of(const run *r, int64_t rung)
{
    rung_plan p = plan_by_size(r, rung);
    if (r->options.fraction > 0.0) {
        const bool all = p.used == p.folds;
        p.folds = ak_max_i64(2, (int64_t)(1.0 / r->options.fraction + 0.5));
        p.used = all ? p.folds : ak_min_i64(p.used, p.folds);
    }
    return p;
}

/* ---- who goes on ---- */

static double sort_score(const akin_race *r, int64_t i)
{
    const double x = r->entrants[i].score.value;
    return is_error(r) ? -x : x;
}

/* Does entrant i come before j? Those that came further first, those that
 * failed last, ties by number. */
static bool is_better(const akin_race *r, int64_t i, int64_t j)
{
    const entrant *a = &r->entrants[i], *b = &r->entrants[j];
    const double x = sort_score(r, i), y = sort_score(r, j);
    if (a->status != AKIN_OK || b->status != AKIN_OK)
        return (a->status == AKIN_OK) == (b->status == AKIN_OK)
                   ? i < j
                   : a->status == AKIN_OK;
    if (a->rung != b->rung)
        return a->rung > b->rung;
    if (isnan(x) || isnan(y))
        return isnan(x) == isnan(y) ? i < j : isnan(y);
    return x > y || (x == y && i < j);
}

static void sort_entrants(const akin_race *r, int64_t *list, int64_t n)
{
    for (int64_t i = 1; i < n; ++i)
        for (int64_t k = i; k > 0 && is_better(r, list[k], list[k - 1]); --k) {
            const int64_t t = list[k];
            list[k] = list[k - 1];
            list[k - 1] = t;
        }
}

/* How many of the same method are among the first n of the list? */
static int64_t count_method(const akin_race *r, const int64_t *list, int64_t n,
                            int64_t i)
{
    const char *method = candidate_of(r, i)->method;
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k)
        count += strcmp(candidate_of(r, list[k])->method, method) == 0;
    return count;
}

/* How far learners are from what is expected of them. */
static const double SPREAD = 0.04;

/* The posterior mean (1) of the gain over the reference. */
static akin_status rate(run *r, entrant *e, const entrant *reference)
{
    const ak_candidate *list = r->race->candidates.list;
    const double p = list[e->candidate].prior -
                     list[reference->candidate].prior;
    const double b = 1.0 / (SPREAD * SPREAD);
    ak_estimate g = {NAN, NAN, 0};
    double a = 0.0;
    if (e->total.n > 0 && e->total.n == reference->total.n)
        AK_CHECK(ak_scores_difference(&g, r->ctx, &e->total, &reference->total,
                                      false));
    if (g.n > 0 && !isnan(g.value) && !isnan(g.se)) {
        /* Few rows that agree prove little: one more may differ. */
        const double more = 1.0 / (double)g.n;
        a = 1.0 / (g.se * g.se + more * more);
    }
    e->merit = e == reference
                   ? 0.0
                   : ((a > 0.0 ? g.value * a : 0.0) + p * b) / (a + b);
    return AKIN_OK;
}

/* Sort those alive by score, and rate them by their gains over the plain
 * measure with the best score. */
static akin_status rate_all(run *r)
{
    akin_race *race = r->race;
    int64_t first = 0;
    sort_entrants(race, r->alive, r->n_alive);
    while (first + 1 < r->n_alive && !is_plain(race, r->alive[first]))
        ++first;
    if (r->n_alive > 0 && (!is_plain(race, r->alive[first]) ||
                           race->entrants[r->alive[first]].status != AKIN_OK))
        first = 0;
    for (int64_t k = 0; k < r->n_alive; ++k)
        if (race->entrants[r->alive[k]].status == AKIN_OK)
            AK_CHECK(rate(r, &race->entrants[r->alive[k]],
                          &race->entrants[r->alive[first]]));
    return AKIN_OK;
}

static void sort_by_merit(const akin_race *r, int64_t *list, int64_t n)
{
    for (int64_t i = 1; i < n; ++i)
        for (int64_t k = i; k > 0 && r->entrants[list[k]].merit >
                                         r->entrants[list[k - 1]].merit;
             --k) {
            const int64_t t = list[k];
            list[k] = list[k - 1];
            list[k - 1] = t;
        }
}

/* How many settings of this candidate's method may go on: a method that takes
 * long has two. */
static int64_t most_settings(const run *r, int64_t i, const rung_plan *next)
{
    enum { DEAR = 2 };
    static const double LONG = 1e9;
    const int64_t n =
        ak_min_i64(akin_supervision_examples(r->data), next->rows);
    if (!r->options.halving)
        return 1;
    return r->options.base == NULL && r->options.effort <= 2 &&
                   ak_candidate_work(candidate_of(r->race, i), r->data, n) >
                       LONG
               ? DEAR
               : INT64_MAX;
}

/* The settings that one learner begins with: others have to be better. */
static bool is_given(const run *r, int64_t i)
{
    return r->options.base != NULL && i == 0;
}

/* All plain measures go on, and the best of the others: `most` of them, or for
 * a comparison the best of each method; and the settings that were given. */
static akin_status keep_best(run *r, int64_t most, const rung_plan *next)
{
    int64_t n = 0, learned = 0;
    AK_CHECK(rate_all(r));
    if (r->options.halving)
        sort_by_merit(r->race, r->alive, r->n_alive);
    for (int64_t k = 0; k < r->n_alive; ++k) {
        const int64_t i = r->alive[k];
        const bool plain = is_plain(r->race, i);
        if (r->race->entrants[i].status != AKIN_OK)
            continue;
        if (!plain && !is_given(r, i) &&
            ((r->options.halving && learned >= most) ||
             count_method(r->race, r->alive, n, i) >=
                 most_settings(r, i, next)))
            continue;
        learned += !plain;
        r->alive[n++] = i;
    }
    r->n_alive = n;
    return AKIN_OK;
}

/* ---- entrants ---- */

static akin_status add_entrants(run *r)
{
    akin_race *race = r->race;
    const int64_t n = race->candidates.n;
    AK_CHECK(ak_grow(r->ctx, n, &race->room, sizeof *race->entrants,
                     &race->entrants));
    AK_CHECK(ak_resize(r->ctx, n, sizeof *r->alive, &r->alive));
    for (; race->n < n; ++race->n) {
        race->entrants[race->n] = (entrant){.candidate = race->n,
                                            .score = {NAN, NAN, 0},
                                            .gain = {NAN, NAN, 0}};
        r->alive[r->n_alive++] = race->n;
    }
    return AKIN_OK;
}

/* Sets of options for the candidates `from`: so many each. For one learner
 * alone its start, passes and recipe are drawn, too. */
static akin_status draw_options(run *r, const int64_t *from, int64_t n_from,
                                int64_t draws)
{
    const ak_rng root = ak_rng_new(akin_ctx_seed(r->ctx), AK_STREAM_TUNE);
    const akin_race_options *o = &r->options;
    const bool one = o->base != NULL;
    const ak_draw what = {.fixed = o->fixed,
                          .start = one,
                          .recipes = one && !o->as_is && o->recipe == NULL &&
                                     r->data->right == NULL &&
                                     candidate_of(r->race, 0)->recipe.center ==
                                         0,
                          .passes = one && !o->fixed_passes};
    for (int64_t k = 0; k < n_from; ++k) {
        const int64_t c = r->race->entrants[from[k]].candidate;
        ak_rng rng = ak_rng_split(root, (uint64_t)c);
        bool added = true;
        for (int64_t i = 0; i < draws && added; ++i)
            AK_CHECK(ak_candidates_draw(&r->race->candidates, r->ctx, c, &what,
                                        r->data, &rng, &added));
    }
    return add_entrants(r);
}

/* Further options for the best learners so far. */
static akin_status draw_for_best(run *r)
{
    enum { LEARNERS = 3 };
    int64_t from[LEARNERS], n = 0;
    const int64_t effort = r->options.effort;
    /* Settings of learners of two sides differ much in the time they take. */
    const int64_t draws = is_few(r) || (r->data->right != NULL && effort < 3)
                              ? 0
                              : 2 * (effort - 1);
    for (int64_t k = 0; k < r->n_alive && n < LEARNERS; ++k)
        if (!is_plain(r->race, r->alive[k]) &&
            count_method(r->race, from, n, r->alive[k]) == 0)
            from[n++] = r->alive[k];
    return draw_options(r, from, n, draws);
}

/* The work of a candidate in the first and the last rung. */
static double work_in_race(const run *r, const ak_candidate *c)
{
    const int64_t n = akin_supervision_examples(r->data);
    double work = 0.0;
    for (int64_t rung = 0; rung < RUNGS; rung += RUNGS - 1) {
        const rung_plan p = plan_of(r, rung);
        const double rows = (double)ak_min_i64(n, p.rows) *
                            (double)(p.folds - 1) / (double)p.folds;
        work += (double)splits_of(r, &p) *
                ak_candidate_work(c, r->data, (int64_t)rows);
    }
    return work;
}

/* Leave out what is too much work to compare, or to learn from everything. */
static void leave_out(run *r)
{
    const double scale = pow(4.0, (double)(r->options.effort - 2));
    const int64_t n = akin_supervision_examples(r->data);
    int64_t kept = 0;
    for (int64_t k = 0; k < r->n_alive; ++k) {
        entrant *e = &r->race->entrants[r->alive[k]];
        const ak_candidate *c = candidate_of(r->race, r->alive[k]);
        const double work = work_in_race(r, c);
        const double last = ak_candidate_work(c, r->data, n);
        if (work <= 2e10 * scale && last <= 6e10 * scale) {
            r->alive[kept++] = r->alive[k];
            continue;
        }
        e->status = AKIN_ESHAPE;
        snprintf(e->message, sizeof e->message,
                 "left out: about %.0e operations (a higher effort takes it)",
                 work + last);
    }
    r->n_alive = kept;
}

/* ---- the choice ---- */

/* The one of the list with the best score; -1: none was learned. */
static int64_t choose_by_score(const akin_race *race, const int64_t *list,
                               int64_t n)
{
    int64_t best = -1;
    for (int64_t k = 0; k < n; ++k)
        if (race->entrants[list[k]].status == AKIN_OK &&
            (best < 0 || is_better(race, list[k], best)))
            best = list[k];
    return best;
}

/* The one with the largest merit; of a comparison, and of settings of one
 * learner, with the best score. */
static int64_t choose(const run *r, const int64_t *list, int64_t n)
{
    const akin_race *race = r->race;
    int64_t best = -1;
    if (!r->options.halving || r->options.base != NULL)
        return choose_by_score(race, list, n);
    for (int64_t k = 0; k < n; ++k)
        if (race->entrants[list[k]].status == AKIN_OK &&
            (best < 0 ||
             race->entrants[list[k]].merit > race->entrants[best].merit))
            best = list[k];
    return best;
}

/* The share of the largest class: what a guess gets right. */
static akin_status largest_class(double *share, run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    ak_classes c;
    int64_t most = 0, all = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_classes_of(&c, r->ctx, r->data));
    for (int64_t k = 0; k < c.n_labels; ++k) {
        const int64_t n = c.offsets[k + 1] - c.offsets[k];
        most = ak_max_i64(most, n);
        all += n;
    }
    *share = all > 0 ? (double)most / (double)all : 0.0;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* Was the entrant worse than the baseline, beyond doubt? Where all learners are
 * compared the baseline is the best of several plain measures on these rows,
 * some of it by luck: two standard errors of a gain with one row more. */
static bool is_worse(const run *r, const entrant *e)
{
    const double more = e->gain.n > 0 ? 1.0 / (double)e->gain.n : 0.0;
    if (r->options.base != NULL || !r->options.halving)
        return e->gain.value < -e->gain.se;
    return e->gain.value < -2.0 * sqrt(e->gain.se * e->gain.se + more * more);
}

/* Is the learned one worth taking instead of a plain measure? */
static akin_status is_worth_it(bool *worth, run *r, int64_t best)
{
    const akin_race *race = r->race;
    const entrant *e = &race->entrants[best];
    double chance = 0.0;
    *worth = true;
    if (e->score.n == 0 || isnan(e->score.value))
        return AKIN_OK;
    if (is_worse(r, e)) {
        *worth = false;
        return AKIN_OK;
    }
    if (strcmp(race->measure, "accuracy") != 0 ||
        r->data->kind != AKIN_LABELS || r->data->right != NULL) {
        *worth = !(e->gain.value <= e->gain.se);
        return AKIN_OK;
    }
    AK_CHECK(largest_class(&chance, r));
    *worth = e->score.value > chance + e->score.se ||
             e->gain.value > 2.0 * e->gain.se || isnan(e->score.se);
    return AKIN_OK;
}

/* The learner with the best score was not taken: by how much it led. */
static void add_leader(run *r)
{
    akin_race *race = r->race;
    const size_t at = strlen(race->reason);
    int64_t top = race->best;
    for (int64_t k = 0; k < r->n_alive; ++k)
        if (race->entrants[r->alive[k]].status == AKIN_OK &&
            sort_score(race, r->alive[k]) > sort_score(race, top))
            top = r->alive[k];
    if (top != race->best && top != race->baseline)
        snprintf(race->reason + at, sizeof race->reason - at,
                 "; %s led by %.3f, too little to count",
                 candidate_of(race, top)->method,
                 sort_score(race, top) - sort_score(race, race->best));
}

static void explain(run *r)
{
    akin_race *race = r->race;
    const bool takes = r->options.halving;
    const entrant *e = &race->entrants[race->best];
    const char *best = candidate_of(race, race->best)->method;
    const char *plain =
        race->baseline >= 0 ? candidate_of(race, race->baseline)->method : "";
    if (e->score.n == 0)
        snprintf(race->reason, sizeof race->reason,
                 "%s was taken by experience: no class has two labelled rows, "
                 "so nothing could be held out",
                 best);
    else if (race->baseline < 0)
        snprintf(race->reason, sizeof race->reason,
                 "%s was the best on held-out data; there is no plain measure "
                 "to compare with",
                 best);
    else if (race->best == race->baseline)
        snprintf(race->reason, sizeof race->reason,
                 "no learner was better than the plain measure %s on held-out "
                 "data%s",
                 plain, takes ? ", so that is the model" : "");
    else if (e->gain.value <= e->gain.se)
        snprintf(race->reason, sizeof race->reason,
                 "%s was %s %s, the best plain measure, by %.3f (standard "
                 "error %.3f) on held-out data: too little to decide%s",
                 best, e->gain.value < 0.0 ? "behind" : "ahead of", plain,
                 fabs(e->gain.value), e->gain.se,
                 takes ? ", so what is better on most data was taken" : "");
    else
        snprintf(race->reason, sizeof race->reason,
                 "%s was ahead of %s, the best plain measure, by %.3f "
                 "(standard error %.3f) on held-out data",
                 best, plain, e->gain.value, e->gain.se);
}

/* Why no candidate could be learned and scored: what the first one said. */
static akin_status none_left(run *r)
{
    for (int64_t i = 0; i < r->race->n; ++i) {
        const entrant *e = &r->race->entrants[i];
        if (e->status != AKIN_OK && candidate_of(r->race, i)->options != NULL)
            return ak_fail(r->ctx, e->status, "%s", e->message);
    }
    return ak_fail(r->ctx, AKIN_EINVAL, "no candidate could be scored");
}

static void set_verdict(run *r)
{
    akin_race *race = r->race;
    const entrant *e = &race->entrants[race->best];
    if (race->baseline < 0 || e->score.n == 0)
        return;
    race->verdict = race->best == race->baseline ? "same"
                    : e->gain.value > e->gain.se ? "better"
                    : is_worse(r, e)             ? "worse"
                                                 : "same";
}

/* Gains over entrant `over`; -1: none. */
static akin_status measure_gains(run *r, int64_t over)
{
    for (int64_t k = 0; k < r->n_alive && over >= 0; ++k) {
        entrant *e = &r->race->entrants[r->alive[k]];
        const entrant *b = &r->race->entrants[over];
        if (e->status == AKIN_OK && e->total.n == b->total.n && b->total.n > 0)
            AK_CHECK(ak_scores_difference(&e->gain, r->ctx, &e->total,
                                          &b->total, false));
    }
    return AKIN_OK;
}

/* Of one learner the settings that were given are taken, unless others are
 * better by more than a standard error: the best of many draws is often the
 * luckiest. */
static akin_status keep_given(run *r)
{
    akin_race *race = r->race;
    const entrant *best = &race->entrants[race->best];
    const entrant *given = &race->entrants[0];
    ak_estimate gain;
    if (r->options.base == NULL || best == given || given->status != AKIN_OK ||
        given->total.n == 0 || given->total.n != best->total.n)
        return AKIN_OK;
    AK_CHECK(ak_scores_difference(&gain, r->ctx, &best->total, &given->total,
                                  false));
    if (!(gain.value > gain.se))
        race->best = 0;
    return AKIN_OK;
}

/* The baseline, which is the plain measure with the best score or, where no
 * learner is taken, the model itself; gains over it, and the winner. */
static akin_status decide(run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    akin_race *race = r->race;
    int64_t *plain, *learned, n_plain = 0, n_learned = 0, unlearned;
    bool worth = true;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, r->n_alive, &plain));
    AK_TRY(AK_SCRATCH(r->ctx, r->n_alive, &learned));
    AK_TRY(rate_all(r));
    for (int64_t k = 0; k < r->n_alive; ++k)
        if (candidate_of(race, r->alive[k])->options == NULL ||
            (is_plain(race, r->alive[k]) && r->options.base == NULL))
            plain[n_plain++] = r->alive[k];
        else
            learned[n_learned++] = r->alive[k];
    unlearned = choose(r, plain, n_plain);
    race->baseline = choose_by_score(race, plain, n_plain);
    race->best = choose(r, r->options.base ? learned : r->alive,
                        r->options.base ? n_learned : r->n_alive);
    AK_TRY(measure_gains(r, race->baseline));
    if (race->best < 0)
        AK_TRY(none_left(r));
    AK_TRY(keep_given(r));
    if (race->baseline >= 0 && r->options.base == NULL && r->options.halving) {
        AK_TRY(is_worth_it(&worth, r, race->best));
        if (is_plain(race, race->best) || !worth) {
            race->best = race->baseline = unlearned;
            AK_TRY(measure_gains(r, unlearned));
        }
    }
    set_verdict(r);
    explain(r);
    if (race->baseline >= 0 && race->best != race->baseline &&
        race->entrants[race->best].score.n > 0)
        add_leader(r);
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

/* ---- the whole ---- */

static akin_status climb(run *r)
{
    const bool drops = r->options.halving ? !is_few(r) : r->options.draws > 0;
    const int64_t all = r->n_alive;
    for (int64_t rung = drops ? 0 : RUNGS - 1; rung < RUNGS; ++rung) {
        const rung_plan p = plan_of(r, rung);
        r->work += r->n_alive * splits_of(r, &p);
        AK_CHECK(run_rung(r, &p, rung));
        if (rung == RUNGS - 1)
            break;
        const rung_plan next = plan_of(r, rung + 1);
        AK_CHECK(keep_best(
            r, rung == 0 ? ak_max_i64(6, all / 3) : ak_max_i64(4, all / 9),
            &next));
        if (r->options.halving && r->options.base == NULL && rung == 0)
            AK_CHECK(draw_for_best(r));
        if (!r->options.halving)
            rung = RUNGS - 2;
    }
    return AKIN_OK;
}

/* Rows in order, the winner first where it is as good as the first. */
static akin_status sort_race(run *r)
{
    akin_race *race = r->race;
    const ak_mark mark = ak_scratch_begin(r->ctx);
    int64_t *order;
    entrant *sorted = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(r->ctx, race->n, &order));
    AK_TRY(AK_NEW(r->ctx, race->n, &sorted));
    for (int64_t i = 0; i < race->n; ++i)
        order[i] = i;
    sort_entrants(race, order, race->n);
    const int64_t best = race->best, baseline = race->baseline;
    for (int64_t i = 0; i < race->n; ++i) {
        sorted[i] = race->entrants[order[i]];
        if (order[i] == best)
            race->best = i;
        if (order[i] == baseline)
            race->baseline = i;
    }
    akin_free(race->entrants);
    race->entrants = sorted;
    race->room = race->n;
done:
    ak_scratch_end(r->ctx, mark);
    return st;
}

static bool ranks_labels(const akin_options *o)
{
    if (o == NULL)
        return false;
    const ak_learner *l = ak_learner_find(o->learner);
    return strcmp(l->info.makes, "ranker") == 0 || ak_learner_ranks(l, o);
}

/* EINVAL where labels of one source say nothing about what is alike: a single
 * class. As many classes as rows may be a mistake, which a warning says. */
static akin_status check_classes(run *r)
{
    const ak_mark mark = ak_scratch_begin(r->ctx);
    const int64_t n = akin_supervision_examples(r->data);
    int64_t used = 0, shared = 0;
    ak_classes c;
    akin_status st = AKIN_OK;
    AK_TRY(ak_classes_of(&c, r->ctx, r->data));
    for (int64_t k = 0; k < c.n_labels; ++k) {
        used += c.offsets[k + 1] > c.offsets[k];
        shared += c.offsets[k + 1] > c.offsets[k] + 1;
    }
    r->is_single = shared == 0;
    if (used == 1)
        st = ak_fail(r->ctx, AKIN_EINVAL,
                     "all labelled rows are of one class (expected two or "
                     "more)");
    else if (shared == 0 && n == r->data->rows->n && r->options.test == NULL)
        ak_log(r->ctx, AKIN_LOG_WARNING,
               "no two rows have the same label: nothing can be held out, and "
               "one row of each class says little (are these labels, or names "
               "of the rows?)");
done:
    ak_scratch_end(r->ctx, mark);
    return ak_supervision_blame(st, r->ctx, r->data);
}

/* EINVAL where all pairs match: nothing can be compared by them. */
static akin_status check_pairs(run *r)
{
    const akin_supervision *s = r->data;
    for (int64_t k = 0; k < s->count; ++k)
        if (s->numbers[3 * k + 2] < 0)
            return AKIN_OK;
    return ak_supervision_blame(
        ak_fail(r->ctx, AKIN_EINVAL,
                "every pair matches, so learners cannot be compared (expected "
                "lines i j -1, too; the learner %s takes matching pairs alone)",
                s->right != NULL ? "cca" : "itml"),
        r->ctx, s);
}

/* EINVAL where captions are about two sources, or say nothing of two faces. */
static akin_status check_captions(run *r)
{
    akin_supervision *pairs = NULL;
    if (r->data->right != NULL)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "captions are about the faces of one file (leave out "
                       "`right`)");
    const akin_status st = ak_caption_pairs(&pairs, r->ctx, r->data);
    akin_supervision_free(pairs);
    return st;
}

static akin_status open_race(run *r, const akin_race_options *o)
{
    akin_race_options *mine = &r->options;
    *mine = (akin_race_options)AKIN_RACE_DEFAULTS;
    if (o != NULL)
        *mine = *o;
    if (mine->effort < 1 || mine->effort > 5)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "`effort` %" PRId64 " is out of range (1 to 5)",
                       mine->effort);
    if (r->data->kind == AKIN_NOTHING)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "expected labels, pairs, triplets, quadruplets or "
                       "captions");
    if (r->data->kind == AKIN_LABELS && r->data->right == NULL)
        AK_CHECK(check_classes(r));
    if (r->data->kind == AKIN_PAIRS && r->data->numbers != NULL)
        AK_CHECK(check_pairs(r));
    if (r->data->kind == AKIN_BAGS)
        AK_CHECK(check_captions(r));
    r->test = mine->test;
    r->purpose = mine->purpose;
    if (r->purpose == AKIN_FOR_AUTO)
        r->purpose = ak_default_purpose(r->data, ranks_labels(mine->base));
    if (r->data->kind == AKIN_BAGS && r->purpose != AKIN_FOR_VERIFY)
        return ak_fail(r->ctx, AKIN_EINVAL,
                       "captions can be measured by pairs of faces alone "
                       "(`for` verify)");
    r->side = r->purpose == AKIN_FOR_RANK && r->data->right != NULL ? AKIN_RIGHT
                                                                    : AKIN_LEFT;
    r->race->measure = mine->measure
                           ? mine->measure
                           : ak_purpose_measure(r->purpose, r->data->kind);
    const ak_candidates_wanted wanted = {
        .data = r->data,
        .purpose = r->purpose,
        .methods = mine->methods,
        .all_recipes = mine->halving != 0 && mine->base == NULL,
        .all_learners = !mine->halving || mine->effort > 3 ||
                        r->data->kind != AKIN_LABELS,
        .as_is = mine->as_is != 0,
        .base = mine->base,
        .recipe = mine->recipe,
    };
    AK_CHECK(ak_candidates_list(&r->race->candidates, r->ctx, &wanted));
    AK_CHECK(add_entrants(r));
    if (mine->draws > 0)
        AK_CHECK(draw_options(r, r->alive, r->n_alive, mine->draws));
    if (mine->base == NULL)
        leave_out(r);
    return r->n_alive > 0
               ? AKIN_OK
               : ak_fail(r->ctx, AKIN_EINVAL,
                         "no learner fits this supervision and these rows");
}

akin_status akin_race_run(akin_race **out, akin_model **model, akin_ctx *ctx,
                          const akin_supervision *data,
                          const akin_race_options *options,
                          akin_learn_info *info)
{
    akin_race *race = NULL;
    akin_learn_info unused;
    run r = {.ctx = ctx, .data = data};
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &race));
    race->best = race->baseline = -1;
    r.race = race;
    AK_TRY(open_race(&r, options));
    AK_TRY(climb(&r));
    AK_TRY(decide(&r));
    AK_TRY(sort_race(&r));
    if (model != NULL) {
        AK_TRY(ak_trial_learn(model, ctx, candidate_of(race, race->best), data,
                              info ? info : &unused));
        (*model)->by = race->entrants[race->best].by;
    }
    *out = race;
    race = NULL;
done:
    akin_free(r.alive);
    akin_race_free(race);
    return st;
}

int64_t akin_race_count(const akin_race *r)
{
    return r->n;
}

akin_race_row akin_race_at(const akin_race *r, int64_t i)
{
    const entrant *e = &r->entrants[i];
    const ak_candidate *c = candidate_of(r, i);
    const akin_recipe_options *own =
        c->options && c->is_own_recipe ? akin_options_recipe(c->options) : NULL;
    return (akin_race_row){
        .number = e->candidate,
        .method = c->method,
        .options = c->options,
        .recipe = own ? own : &c->recipe,
        .recipe_text = e->recipe,
        .is_plain = is_plain(r, i),
        .score = e->score.value,
        .se = e->score.se,
        .gain = e->gain.value,
        .gain_se = e->gain.se,
        .seconds = e->seconds,
        .model_bytes = e->bytes,
        .examples = e->examples,
        .passes = c->passes,
        .splits = e->splits,
        .rows = e->rows,
        .rung = e->rung,
        .by = e->by,
        .status = e->status,
        .message = e->message,
    };
}

int64_t akin_race_best(const akin_race *r)
{
    return r->best;
}

int64_t akin_race_baseline(const akin_race *r)
{
    return r->baseline;
}

const char *akin_race_measure(const akin_race *r)
{
    return r->measure;
}

const char *akin_race_verdict(const akin_race *r)
{
    return r->verdict;
}

const char *akin_race_reason(const akin_race *r)
{
    return r->reason;
}

void akin_race_free(akin_race *r)
{
    if (r == NULL)
        return;
    for (int64_t i = 0; i < r->n; ++i)
        ak_scores_free(&r->entrants[i].total);
    akin_free(r->entrants);
    ak_candidates_free(&r->candidates);
    akin_free(r);
}
