/* Hyper-parameters of one learner: a race between its settings. */
#include <akin/tune.h>

#include <string.h>

#include "learn/learner.h"
#include "tune/score.h"

struct akin_tuning {
    akin_race *race;
    int64_t *rows;  // of the race, one a trial, in the order of drawing
    int64_t n, best;
};

/* What is known of `data`, about the rows before their recipe. */
static akin_status make_raw(akin_supervision **out, akin_ctx *ctx,
                            const akin_supervision *data,
                            const akin_tune_options *o)
{
    AK_CHECK(ak_supervision_copy(out, ctx, data));
    (*out)->rows = o->raw;
    (*out)->right = o->raw_right;
    (*out)->recipe = (*out)->right_recipe = NULL;
    return AKIN_OK;
}

static akin_status list_trials(akin_tuning *t, akin_ctx *ctx)
{
    const int64_t n = akin_race_count(t->race);
    AK_CHECK(AK_NEW(ctx, n, &t->rows));
    for (int64_t number = 0; number < n; ++number)
        for (int64_t i = 0; i < n; ++i) {
            const akin_race_row row = akin_race_at(t->race, i);
            if (row.number != number || row.options == NULL)
                continue;
            if (i == akin_race_best(t->race))
                t->best = t->n;
            t->rows[t->n++] = i;
        }
    return AKIN_OK;
}

akin_status akin_tune(akin_tuning **out, akin_model **model, akin_ctx *ctx,
                      const akin_options *base, const char *const *fixed,
                      const akin_supervision *data,
                      const akin_tune_options *options, akin_learn_info *info)
{
    akin_tune_options o = AKIN_TUNE_DEFAULTS;
    akin_race_options race = AKIN_RACE_DEFAULTS;
    akin_supervision *raw = NULL;
    akin_tuning *t = NULL;
    akin_status st = AKIN_OK;
    if (options != NULL)
        o = *options;
    if (o.trials < 1)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "`trials` must be 1 or more"));
    if (akin_learner_find(base->learner) == NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL, "there is no learner '%s'",
                       base->learner));
    if (o.raw != NULL)
        AK_TRY(make_raw(&raw, ctx, data, &o));
    race.purpose = o.purpose;
    race.measure = o.measure;
    race.fraction = o.fraction;
    race.test = o.held;
    race.draws = o.trials - 1;
    race.as_is = raw == NULL;
    race.base = base;
    race.fixed = fixed;
    race.recipe = o.recipe;
    race.fixed_passes = o.fixed_passes;
    race.by = o.by;
    AK_TRY(AK_NEW(ctx, 1, &t));
    AK_TRY(akin_race_run(&t->race, model, ctx, raw ? raw : data, &race, info));
    AK_TRY(list_trials(t, ctx));
    *out = t;
    t = NULL;
done:
    akin_supervision_free(raw);
    akin_tuning_free(t);
    return st;
}

int64_t akin_tuning_count(const akin_tuning *t)
{
    return t->n;
}

akin_trial akin_tuning_trial(const akin_tuning *t, int64_t i)
{
    const akin_race_row x = akin_race_at(t->race, t->rows[i]);
    const bool error = strcmp(akin_race_measure(t->race), "error") == 0;
    return (akin_trial){x.options, error ? 0.0 - x.score : x.score,
                        x.seconds, x.examples,
                        x.rung,    x.status};
}

int64_t akin_tuning_best(const akin_tuning *t)
{
    return t->best;
}

const char *akin_tuning_measure(const akin_tuning *t)
{
    return akin_race_measure(t->race);
}

const akin_race *akin_tuning_race(const akin_tuning *t)
{
    return t->race;
}

int64_t akin_tuning_row(const akin_tuning *t, int64_t i)
{
    return t->rows[i];
}

void akin_tuning_free(akin_tuning *t)
{
    if (t == NULL)
        return;
    akin_race_free(t->race);
    akin_free(t->rows);
    akin_free(t);
}
