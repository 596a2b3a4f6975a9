#include "cli/training/checking.h"

#include <math.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"

static const app_option check_options[] = {
    {"verdict", "auto|none", APP_FIELD(check_flags, verdict),
     .help = "compare with the measure that learning began from, on held-out "
             "examples",
     .advanced = true},
    {"score", "auto|dot|cosine|distance", APP_FIELD(check_flags, score),
     .help = "how the model compares rows; auto: what does best on held-out "
             "examples",
     .advanced = true},
};

const app_group cli_check_group =
    APP_GROUP("Checking", check_options,
              (&(const check_flags){.verdict = "auto", .score = "auto"}));

bool cli_verdict_wanted(const check_flags *f)
{
    return strcmp(f->verdict, "none") != 0;
}

static bool is_fixed(const char *score)
{
    return strcmp(score, "auto") != 0;
}

/* The learner's option of this name. */
static bool get_score(app *a, const cli_training *training, char *text,
                      size_t size)
{
    for (int64_t i = 0; i < training->learner->n_options; ++i)
        if (strcmp(training->learner->options[i].name, "score") == 0)
            return akin_options_get(text, a->ctx, training->options, "score",
                                    size) == AKIN_OK;
    return false;
}

akin_status cli_check_prepare(app *a, cli_training *training,
                              const check_flags *f)
{
    char text[32];
    if (!app_was_given(a, "score"))
        return AKIN_OK;
    if (cli_ranks_labels(a, training))
        return app_fail(a, AKIN_EINVAL,
                        "--score has no effect with %s (it ranks labels)",
                        training->learner->name);
    return get_score(a, training, text, sizeof text)
               ? akin_options_set(a->ctx, training->options, "score", f->score)
               : AKIN_OK;
}

akin_compare cli_fixed_score(app *a, const cli_training *training,
                             const check_flags *f, const akin_model *m)
{
    char text[32];
    if (app_was_given(a, "score"))
        return is_fixed(f->score) ? cli_compare(f->score) : AKIN_BY_DEFAULT;
    if (training->resume != NULL)
        return akin_model_compare(training->resume);
    if (get_score(a, training, text, sizeof text) && is_fixed(text))
        return cli_compare(text);
    return training->as_published && m != NULL ? akin_model_compare(m)
                                               : AKIN_BY_DEFAULT;
}

akin_status cli_check_and_save(app *a, akin_verdict *verdict,
                               const cli_training *training,
                               const check_flags *f,
                               const akin_options *options, const char *measure,
                               akin_model *m, const akin_learn_info *info,
                               const char *path)
{
    akin_check_options o = AKIN_CHECK_DEFAULTS;
    akin_verdict checked;
    const bool is_known = verdict->measure != NULL;
    o.verdict = !is_known && cli_verdict_wanted(f);
    o.by = is_known && training->resume == NULL
               ? verdict->read_out
               : cli_fixed_score(a, training, f, m);
    o.measure = measure;
    o.raw = cli_raw_rows(&training->left);
    o.raw_right = cli_raw_rows(&training->right);
    const akin_status st =
        akin_check(&checked, a->ctx, m, options, training->known, info, &o);
    checked.kept = is_known ? verdict->kept : NAN;
    if (!is_known || !cli_verdict_wanted(f))
        *verdict = checked;
    verdict->read_out = checked.read_out;
    if (st != AKIN_OK && st != AKIN_ECANCELLED)
        return st;
    if (st == AKIN_ECANCELLED)
        akin_ctx_set_progress(a->ctx, NULL, NULL);
    const akin_status saved = akin_model_save(a->ctx, m, path);
    if (saved != AKIN_OK || st == AKIN_OK)
        return saved;
    return app_fail(a, st, "interrupted; %s holds the model, without a verdict",
                    app_shown(path));
}

/* "map" and "accuracy", as people say it. */
static const char *measure_text(const char *measure)
{
    return strcmp(measure, "accuracy") == 0 ? "precision at 1" : measure;
}

/* Only the model itself is worse, where it learned; its copies are not. */
static bool fell_on_learned(const akin_verdict *v)
{
    return v->word == AKIN_WORSE && v->fell == NULL && v->difference >= 0.0;
}

void cli_verdict_warn(app *a, const akin_verdict *v, const char *learner)
{
    if (v->word != AKIN_WORSE || v->kept < 1.0)
        return;
    if (v->fell != NULL)
        app_warn(a,
                 "%s lowers the %s of %s on held-out examples: try akin train "
                 "auto or akin compare, or use %s itself",
                 learner, measure_text(v->fell), v->baseline_measure,
                 v->baseline_measure);
    else
        app_warn(a,
                 "%s is worse than %s on %s: try akin train auto or akin "
                 "compare, or use %s itself",
                 learner, v->baseline_measure,
                 fell_on_learned(v) ? "the examples it learned from"
                                    : "held-out examples",
                 v->baseline_measure);
}

static json_t *plain_json(const akin_verdict *v)
{
    if (v->plain_measure == NULL)
        return json_null();
    return APP_OBJECT(APP_KEY("method", v->plain_measure),
                      APP_KEY("recipe", (const char *)v->plain_recipe),
                      APP_KEY("score", v->plain), APP_KEY("se", v->plain_se));
}

void cli_verdict_json(json_t *all, const akin_verdict *v)
{
    json_t *more = APP_OBJECT(
        APP_KEY("measure", v->measure), APP_KEY("held_out", v->held_out),
        APP_KEY("held_out_se", v->held_out_se),
        APP_KEY("baseline", v->baseline),
        APP_KEY("baseline_se", v->baseline_se),
        APP_KEY("baseline_measure", v->baseline_measure),
        APP_KEY("difference", v->difference),
        APP_KEY("difference_se", v->difference_se),
        APP_KEY("held_out_examples", v->queries),
        APP_KEY("verdict", akin_verdict_text(v->word)),
        APP_KEY("verdict_reason", v->reason), APP_KEY("fell", v->fell),
        APP_KEY("read_out", cli_compare_word(v->read_out)),
        APP_KEY("on_learned", v->on_learned),
        APP_KEY("on_learned_baseline", v->on_learned_baseline));
    json_object_set_new(more, "better_plain", plain_json(v));
    if (!isnan(v->kept))
        json_object_set_new(more, "kept", app_json_real(v->kept));
    json_object_update(all, more);
    json_decref(more);
}

/* Digits behind the point that a standard error makes worth printing. */
static int digits_of(double se)
{
    return se > 0.0 && se < 0.001 ? 4 : 3;
}

akin_status cli_verdict_print(app *a, const akin_verdict *v,
                              const check_flags *f)
{
    const int digits = digits_of(v->held_out_se);
    akin_status st = AKIN_OK;
    if (v->kept == 0.0)
        APP_TRY(app_report(a, "kept nothing of the update, which is worse, or "
                              "no better than chance, on "
                              "held-out examples: the model is as it was\n"));
    else if (v->kept < 1.0)
        APP_TRY(app_report(a,
                           "kept %g of the update: more of it is worse on "
                           "held-out examples\n",
                           v->kept));
    if (!cli_verdict_wanted(f))
        return AKIN_OK;
    if (!isfinite(v->held_out))
        return app_report(a, "no verdict: %s\n", v->reason);
    APP_TRY(app_report(a, "held-out %s %.*f \u00b1 %.*f", v->measure, digits,
                       v->held_out, digits, v->held_out_se));
    if (v->word == AKIN_NO_VERDICT)
        return app_report(a, "; no verdict: %s\n", v->reason);
    APP_TRY(app_report(a, "; %s %.*f: %s", v->baseline_measure, digits,
                       v->baseline, akin_verdict_text(v->word)));
    if (v->fell != NULL)
        APP_TRY(app_report(a, " (%s fell)", measure_text(v->fell)));
    if (fell_on_learned(v))
        APP_TRY(app_report(a, " (where it learned %.*f; %s %.*f)", digits,
                           v->on_learned, v->baseline_measure, digits,
                           v->on_learned_baseline));
    APP_TRY(app_report(a, "\n"));
    if (v->plain_measure != NULL)
        APP_TRY(app_report(a,
                           "without learning, %s over recipe %s has %.*f: try "
                           "akin train auto\n",
                           v->plain_measure, v->plain_recipe, digits,
                           v->plain));
done:
    return st;
}
