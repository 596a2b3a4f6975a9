/* Hyper-parameters by successive halving over seeded draws from the grids.
 *
 * Rung r of R gives each of its trials keep^(r - R) of the examples; the best
 * of every `keep` go on to the next. Trials of a rung run side by side, each
 * with one thread and a context of its own, so that the outcome does not
 * depend on how many run at once. What is set aside is scored and never
 * learned from, until the best is learned again on everything. */
#include <akin/tune.h>

#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "learn/learner.h"
#include "tune/score.h"

enum { DRAW_TRIES = 100 };

typedef struct trial {
    akin_options *options;
    double score, seconds;
    int64_t examples, rung;
    akin_status status;
    char message[256];
} trial;

struct akin_tuning {
    trial *trials;
    int64_t n, best;
    const char *measure;
};

typedef struct run {
    akin_ctx *ctx;
    akin_tuning *tuning;
    const ak_tune_held *held;
    const akin_supervision *rest;
    int64_t *alive;  // trials of this rung
    int64_t n_alive, rung, pass;
    atomic_int cancelled;
    /* Work of all rungs: examples, or trials of a learner that takes all. */
    bool is_online;
    int64_t work;
    _Atomic int64_t done;
} run;

/* ---- drawing ------------------------------------------------------------- */

static bool is_fixed(const char *const *fixed, const char *name)
{
    for (; fixed != NULL && *fixed != NULL; ++fixed)
        if (strcmp(*fixed, name) == 0)
            return true;
    return false;
}

static void set_number(akin_options *o, const akin_option *row, double x)
{
    const int64_t i = (int64_t)x;
    if (row->type == AKIN_F64)
        memcpy((char *)o + row->offset, &x, sizeof x);
    else
        memcpy((char *)o + row->offset, &i, sizeof i);
}

static void draw_options(akin_options *o, const akin_learner_info *info,
                         const char *const *fixed, ak_rng *rng)
{
    for (int64_t i = 0; i < info->n_options; ++i) {
        const akin_option *row = &info->options[i];
        if (row->n_grid > 0 && !is_fixed(fixed, row->name))
            set_number(o, row, row->grid[ak_rng_below(rng, row->n_grid)]);
    }
}

static bool is_new(const akin_tuning *t, const akin_options *o)
{
    for (int64_t i = 0; i < t->n; ++i)
        if (memcmp(t->trials[i].options, o, o->size) == 0)
            return false;
    return true;
}

/* The base first, then draws that differ, as many as there are. */
static akin_status draw_trials(akin_tuning *t, akin_ctx *ctx,
                               const akin_options *base,
                               const char *const *fixed, int64_t wanted)
{
    const akin_learner_info *info = akin_learner_find(base->learner);
    ak_rng rng = ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_TUNE);
    akin_options *o = NULL;
    akin_status st = AKIN_OK;
    for (int64_t tries = 0; t->n < wanted && tries < DRAW_TRIES;) {
        AK_TRY(ak_alloc(ctx, (int64_t)base->size, 1, &o));
        memcpy(o, base, base->size);
        if (t->n > 0)
            draw_options(o, info, fixed, &rng);
        if (is_new(t, o)) {
            t->trials[t->n++] = (trial){.options = o, .score = NAN};
            tries = 0;
        } else {
            akin_free(o);
            ++tries;
        }
        o = NULL;
    }
done:
    akin_free(o);
    return st;
}

/* ---- one trial ---------------------------------------------------------- */

typedef struct watch {
    run *r;
    bool is_caller;  // only the caller's thread may report
} watch;

/* What a trial of this rung counts. */
static int64_t trial_work(const run *r)
{
    return r->is_online ? r->pass : 1;
}

static int watch_progress(void *user, const akin_progress *p)
{
    const watch *w = user;
    (void)p;
    run *r = w->r;
    if (w->is_caller &&
        ak_ctx_tick(r->ctx, r->is_online ? "examples of trials" : "trials",
                    r->done, r->work, NAN) != AKIN_OK)
        r->cancelled = 1;
    return r->cancelled;
}

static akin_status learn_and_score(trial *t, akin_ctx *ctx, const run *r)
{
    akin_supervision *part = NULL;
    akin_model *m = NULL;
    akin_learn_info info;
    akin_status st = AKIN_OK;
    AK_TRY(ak_tune_part(&part, ctx, r->rest, r->pass));
    AK_TRY(akin_learn(&m, ctx, t->options, part, &info));
    t->seconds = info.seconds;
    t->examples = info.examples;
    AK_TRY(ak_tune_score(&t->score, ctx, m, r->held));
done:
    akin_model_free(m);
    akin_supervision_free(part);
    return st;
}

static akin_status run_trial(void *arg, int64_t begin, int64_t end,
                             int64_t worker)
{
    run *r = arg;
    (void)end;
    trial *t = &r->tuning->trials[r->alive[begin]];
    const akin_allocator allocator = ak_ctx_allocator(r->ctx);
    watch w = {r, worker == 0};
    akin_ctx *ctx = NULL;
    t->rung = r->rung;
    t->score = NAN;
    t->status = akin_ctx_new(&ctx, &allocator);
    if (t->status == AKIN_OK) {
        akin_ctx_set_threads(ctx, 1);
        akin_ctx_set_seed(ctx, akin_ctx_seed(r->ctx));
        akin_ctx_set_progress(ctx, watch_progress, &w);
        t->status = learn_and_score(t, ctx, r);
        strncpy(t->message, akin_ctx_message(ctx), sizeof t->message - 1);
    }
    akin_ctx_free(ctx);
    r->done += trial_work(r);
    return AKIN_OK;
}

/* ---- rungs -------------------------------------------------------------- */

/* Does trial i beat trial j? Failures come last, ties by number. */
static bool is_better(const akin_tuning *t, int64_t i, int64_t j)
{
    const double a = t->trials[i].score, b = t->trials[j].score;
    if (isnan(a) || isnan(b))
        return isnan(a) == isnan(b) ? i < j : isnan(b);
    return a > b || (a == b && i < j);
}

static void sort_alive(run *r)
{
    for (int64_t i = 1; i < r->n_alive; ++i)
        for (int64_t k = i;
             k > 0 && is_better(r->tuning, r->alive[k], r->alive[k - 1]); --k) {
            const int64_t t = r->alive[k];
            r->alive[k] = r->alive[k - 1];
            r->alive[k - 1] = t;
        }
}

/* Every trial of a rung failed, or the run was cancelled: say why. */
static akin_status rung_status(run *r)
{
    if (r->cancelled)
        return ak_fail(r->ctx, AKIN_ECANCELLED, "interrupted");
    const trial *best = &r->tuning->trials[r->alive[0]];
    if (best->status == AKIN_OK)
        return AKIN_OK;
    return ak_fail(r->ctx, best->status, "%s", best->message);
}

/* Set the examples of a trial in rung `rung` of `rungs`. */
static void set_pass(run *r, int64_t rung, int64_t rungs, int64_t full,
                     int64_t keep)
{
    double pass = (double)full;
    for (int64_t k = rung; k < rungs; ++k)
        pass /= (double)keep;
    r->pass = ak_max_i64(1, (int64_t)pass);
}

static int64_t kept(int64_t n, int64_t keep)
{
    return (n + keep - 1) / keep;
}

static akin_status climb(run *r, int64_t full, int64_t keep)
{
    int64_t rungs = 0;
    for (int64_t n = r->n_alive; n > 1; n = kept(n, keep))
        ++rungs;
    for (int64_t k = 0, n = r->n_alive; k <= rungs; ++k, n = kept(n, keep)) {
        set_pass(r, k, rungs, full, keep);
        r->work += n * trial_work(r);
    }
    for (r->rung = 0;; ++r->rung) {
        set_pass(r, r->rung, rungs, full, keep);
        ak_parallel_for(r->ctx, r->n_alive, 1, run_trial, r);
        sort_alive(r);
        const akin_status st = rung_status(r);
        if (st != AKIN_OK || r->rung == rungs)
            return st;
        r->n_alive = kept(r->n_alive, keep);
    }
}

/* ---- the whole ---------------------------------------------------------- */

/* A ranker of two kinds of rows ranks the labels of the right ones. */
static akin_side asking_side(const akin_options *o, const akin_supervision *s)
{
    const akin_learner_info *info = akin_learner_find(o->learner);
    return s->right != NULL && strcmp(info->makes, "ranker") == 0 ? AKIN_RIGHT
                                                                  : AKIN_LEFT;
}

static akin_status search(akin_tuning *t, akin_ctx *ctx,
                          const akin_supervision *data,
                          const akin_tune_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_supervision *rest = NULL, *held_part = NULL;
    ak_tune_held held = {0};
    run r = {.ctx = ctx, .tuning = t, .held = &held, .n_alive = t->n};
    int64_t full = 0;
    akin_status st = AKIN_OK;
    const akin_options *first = t->trials[0].options;
    r.is_online = akin_learner_find(first->learner)->is_online != 0;
    if (o->held == NULL)
        AK_TRY(ak_supervision_hold_out(&rest, &held_part, ctx, data,
                                       o->fraction, asking_side(first, data)));
    r.rest = rest ? rest : data;
    AK_TRY(ak_tune_held_new(&held, ctx, o->held ? o->held : held_part,
                            o->measure));
    t->measure = held.measure;
    AK_TRY(AK_SCRATCH(ctx, t->n, &r.alive));
    for (int64_t i = 0; i < t->n; ++i)
        r.alive[i] = i;
    AK_TRY(
        ak_tune_pass(&full, ctx, r.rest,
                     ak_learner_ranks(ak_learner_find(first->learner), first)));
    AK_TRY(climb(&r, full, ak_max_i64(2, o->keep)));
    t->best = r.alive[0];
done:
    akin_supervision_free(rest);
    akin_supervision_free(held_part);
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_tune(akin_tuning **out, akin_model **model, akin_ctx *ctx,
                      const akin_options *base, const char *const *fixed,
                      const akin_supervision *data,
                      const akin_tune_options *options, akin_learn_info *info)
{
    akin_tune_options o = AKIN_TUNE_DEFAULTS;
    akin_tuning *t = NULL;
    akin_status st = AKIN_OK;
    if (options != NULL)
        o = *options;
    if (o.trials < 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "`trials` must be 1 or more"));
    if (akin_learner_find(base->learner) == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'",
                       base->learner));
    AK_TRY(AK_NEW(ctx, 1, &t));
    AK_TRY(AK_NEW(ctx, o.trials, &t->trials));
    AK_TRY(draw_trials(t, ctx, base, fixed, o.trials));
    AK_TRY(search(t, ctx, data, &o));
    AK_TRY(akin_learn(model, ctx, t->trials[t->best].options, data, info));
    *out = t;
    t = NULL;
done:
    akin_tuning_free(t);
    return st;
}

int64_t akin_tuning_count(const akin_tuning *t)
{
    return t->n;
}

akin_trial akin_tuning_trial(const akin_tuning *t, int64_t i)
{
    const trial *x = &t->trials[i];
    return (akin_trial){x->options,  x->score, x->seconds,
                        x->examples, x->rung,  x->status};
}

int64_t akin_tuning_best(const akin_tuning *t)
{
    return t->best;
}

const char *akin_tuning_measure(const akin_tuning *t)
{
    return t->measure;
}

void akin_tuning_free(akin_tuning *t)
{
    if (t == NULL)
        return;
    for (int64_t i = 0; t->trials != NULL && i < t->n; ++i)
        akin_free(t->trials[i].options);
    akin_free(t->trials);
    akin_free(t);
}
