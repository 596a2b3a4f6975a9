#include "cli/training/auto.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/json.h"
#include "app/nearest.h"
#include "app/text.h"
#include "cli/commands.h"
#include "cli/load.h"
#include "cli/training/parameters.h"

enum { SHOWN = 12 };

static const app_option auto_options[] = {
    {"for", CLI_FOR_WORDS, APP_FIELD(auto_flags, purpose), .help = CLI_FOR_HELP,
     .needs = "LEARNER=auto"},
    {"effort", "N", APP_FIELD(auto_flags, effort), .help = CLI_EFFORT_HELP,
     .min = 1, .max = 5, .needs = "LEARNER=auto"},
};

const app_group cli_auto_group =
    APP_GROUP("With auto, the best of all learners", auto_options,
              (&(const auto_flags){.effort = 2}));

bool cli_is_auto(const char *learner)
{
    return learner != NULL && strcmp(learner, CLI_AUTO) == 0;
}

/* Does the flag say what is learned from, rather than how? */
static bool is_for_auto(const app_group *g, const app_option *o)
{
    return g == &app_common_group || g == &cli_auto_group ||
           g == &cli_knowledge_group || g == &cli_reading_group ||
           g == &cli_right_group || strcmp(o->name, "recipe") == 0 ||
           (g == &cli_training_group && strcmp(o->name, "as-published") != 0);
}

/* Is it an option of a learner, or else what may have been meant? */
static akin_status unknown_option(app *a, const char *name)
{
    const akin_learner_info *l;
    app_nearest near = {.word = name};
    cli_parameter p;
    for (int64_t i = 0; (l = akin_learner_at(i)) != NULL; ++i)
        if (cli_parameter_find(l, AKIN_TRAINING, name, &p) != NULL)
            return app_fail(a, AKIN_EINVAL,
                            "train auto has no option --%s (it chooses the "
                            "settings of the learners itself)",
                            name);
    app_nearest_flag(&near, a->command);
    return app_fail(a, AKIN_EINVAL, "train auto has no option --%s%s", name,
                    app_nearest_hint(&near, "--").text);
}

akin_status cli_auto_check(app *a)
{
    const app_option *o;
    const app_group *g;
    if (a->n_others > 0)
        return unknown_option(a, a->others[0].name);
    for (int64_t i = 0; (o = app_option_at(a->command, i, &g, NULL)); ++i)
        if (app_was_given(a, o->name) && !is_for_auto(g, o))
            return app_fail(a, AKIN_EINVAL,
                            "--%s has no effect with auto (it chooses learner, "
                            "recipe and settings itself)",
                            o->name);
    return AKIN_OK;
}

/* ---- what it came to ---- */

static json_t *baseline_json(const akin_race *r)
{
    if (akin_race_baseline(r) < 0)
        return json_null();
    const akin_race_row row = akin_race_at(r, akin_race_baseline(r));
    return APP_OBJECT(APP_KEY("method", row.method),
                      APP_KEY("recipe", cli_race_recipe(&row)),
                      APP_KEY("score", row.score), APP_KEY("se", row.se));
}

static akin_status print_json(app *a, const akin_race *r, const akin_model *m,
                              const cli_known *known,
                              const akin_learn_info *info, const char *path)
{
    const int64_t best = akin_race_best(r);
    const akin_race_row row = akin_race_at(r, best);
    json_t *all = APP_OBJECT(
        APP_KEY("learner", row.method),
        APP_KEY("rows", akin_rows_count(known->rows)), CLI_RUN_KEYS(m, info),
        APP_KEY("recipe", cli_race_recipe(&row)),
        APP_KEY("measure", akin_race_measure(r)),
        APP_KEY("held_out", row.score), APP_KEY("held_out_se", row.se),
        APP_KEY("candidates", cli_race_rows(a, r)),
        APP_KEY("best", cli_race_row(a, r, best)),
        APP_KEY("baseline", baseline_json(r)),
        APP_KEY("verdict", akin_race_verdict(r)),
        APP_KEY("reason", akin_race_reason(r)), APP_KEY("model", path),
        APP_KEY("out", path));
    cli_add_reading(all, known->rows);
    return app_json_print(a, all);
}

/* "nca: 150 rows in 12 ms, m.safetensors 1.2 KiB". */
static akin_status print_closing(app *a, const akin_race *r,
                                 const cli_known *known,
                                 const akin_learn_info *info, const char *path)
{
    struct stat s;
    const akin_race_row row = akin_race_at(r, akin_race_best(r));
    const akin_race_row base = akin_race_at(r, akin_race_baseline(r) < 0
                                                   ? akin_race_best(r)
                                                   : akin_race_baseline(r));
    akin_status st = AKIN_OK;
    APP_TRY(app_report(a, "%s: %s in %s, %s", row.method,
                       app_counted(akin_rows_count(known->rows), "row").text,
                       app_seconds(info->seconds).text, app_shown(path)));
    if (stat(path, &s) == 0 && S_ISREG(s.st_mode))
        APP_TRY(app_report(a, " %s", app_bytes(s.st_size).text));
    APP_TRY(app_report(a, "\n"));
    if (isnan(row.score))
        return AKIN_OK;
    APP_TRY(app_report(a, "held-out %s %.4f", akin_race_measure(r), row.score));
    if (!isnan(row.se))
        APP_TRY(app_report(a, " ± %.4f", row.se));
    if (akin_race_verdict(r) != NULL)
        APP_TRY(app_report(a, "; %s %.4f: %s", base.method, base.score,
                           akin_race_verdict(r)));
    APP_TRY(app_report(a, "\n"));
done:
    return st;
}

static akin_status print_all(app *a, const akin_race *r, const akin_model *m,
                             const cli_known *known,
                             const akin_learn_info *info, const char *path)
{
    akin_status st = AKIN_OK;
    app_progress_clear(&a->progress);
    if (a->common.json)
        return print_json(a, r, m, known, info, path);
    APP_TRY(cli_race_print(a, r, SHOWN, true));
    APP_TRY(app_print(a, "\n%s\n", akin_race_reason(r)));
    APP_TRY(print_closing(a, r, known, info, path));
done:
    return st;
}

akin_status cli_auto_run(app *a, const training_flags *training,
                         const auto_flags *f, const known_input *in)
{
    akin_race_options o = AKIN_RACE_DEFAULTS;
    akin_learn_info info = {0};
    cli_known known = {0};
    akin_race *r = NULL;
    akin_model *m = NULL;
    akin_status st = AKIN_OK;
    o.purpose = cli_purpose(f->purpose);
    o.effort = f->effort;
    o.as_is = in->recipe != NULL;
    APP_TRY(cli_auto_check(a));
    APP_TRY(cli_known_open(a, &known, in));
    st = akin_race_run(&r, &m, a->ctx, known.known, &o, &info);
    APP_TRY(cli_training_keep(a, st, m, training->out, false));
    APP_TRY(akin_model_save(a->ctx, m, training->out));
    APP_TRY(print_all(a, r, m, &known, &info, training->out));
done:
    akin_race_free(r);
    akin_model_free(m);
    cli_known_close(&known);
    return st;
}
