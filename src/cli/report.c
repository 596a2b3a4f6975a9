/* What a run of train or tune came to, for people and for programs. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/lesson.h"
#include "cli/parameters.h"

/* Where a model that is not complete goes: to `path`, or, where that file
 * exists and may be a good model, to a new file beside it. */
static akin_status place_beside(app *a, const char *path, char out[PATH_MAX])
{
    struct stat s;
    int n = snprintf(out, PATH_MAX, "%s", path);
    const bool is_file = stat(path, &s) == 0 && S_ISREG(s.st_mode);
    for (int i = 1; is_file && n < PATH_MAX && lstat(out, &s) == 0; ++i)
        n = i == 1 ? snprintf(out, PATH_MAX, "%s.last", path)
                   : snprintf(out, PATH_MAX, "%s.last.%d", path, i);
    return n < PATH_MAX
               ? AKIN_OK
               : app_fail(a, AKIN_EIO, "%s: %s", path, strerror(ENAMETOOLONG));
}

akin_status cli_lesson_keep(app *a, akin_status st, const akin_model *m,
                            const char *path)
{
    char why[APP_MESSAGE_SIZE], out[PATH_MAX];
    if ((st != AKIN_ENUMERIC && st != AKIN_ECANCELLED) || m == NULL)
        return st;
    const char *text = app_why(a, st);
    memcpy(why, text, strnlen(text, sizeof why - 1) + 1);
    why[sizeof why - 1] = '\0';
    akin_ctx_set_progress(a->ctx, NULL, NULL);
    const bool kept = place_beside(a, path, out) == AKIN_OK &&
                      akin_model_save(a->ctx, m, out) == AKIN_OK;
    return app_fail(a, st, "%s; %s %s%s", why, app_shown(out),
                    !kept                 ? "could not be written"
                    : st == AKIN_ENUMERIC ? "holds the last finite model"
                                          : "holds the best model so far",
                    strcmp(out, path) == 0 ? "" : ", the old file is kept");
}

void cli_lesson_warn(app *a, const cli_lesson *l, const akin_learn_info *info)
{
    if (info->outcome != AKIN_CONVERGED)
        app_warn(a, "%s stopped before it converged", l->learner->name);
}

/* What the right side adds. */
static json_t *right_json(const cli_lesson *l, const akin_model *m)
{
    return json_pack("{s:I, s:I, s:s}", "right_rows",
                     (json_int_t)akin_rows_count(l->right.rows), "right_dim",
                     (json_int_t)akin_model_dim(m, AKIN_RIGHT), "right_recipe",
                     akin_recipe_text(l->right.recipe));
}

/* What the learner noted of the model: beta, gap, and so on. */
static void add_figures(json_t *all, const akin_model *m)
{
    const char *key, *value;
    for (int64_t i = 0; akin_model_note_at(&key, &value, m, i); ++i)
        if (strncmp(key, "option.", 7) != 0 && strcmp(key, "seed") != 0 &&
            json_object_get(all, key) == NULL)
            json_object_set_new(all, key, app_json_guess(value));
}

json_t *cli_lesson_json(app *a, const cli_lesson *l,
                        const akin_options *options, const akin_model *m,
                        const akin_learn_info *info, const char *path)
{
    json_t *all = json_pack(
        "{s:s, s:o, s:I, s:I, s:I, s:I, s:o, s:o, s:o, s:o, s:I, s:b, s:I, "
        "s:I, s:s, s:o}",
        "learner", l->learner->name, "params",
        cli_parameters_json(a, options, l->learner, m), "rows",
        (json_int_t)akin_rows_count(l->left.rows), "dim",
        (json_int_t)akin_model_dim(m, AKIN_LEFT), "examples",
        (json_int_t)info->examples, "updates", (json_int_t)info->updates,
        "seconds", app_json_real(info->seconds), "peak_rss_mib",
        app_json_real(round(10.0 * app_peak_rss_mib()) / 10.0), "loss",
        app_json_real(info->loss), "objective", app_json_real(info->objective),
        "iterations", (json_int_t)info->iterations, "converged",
        info->outcome == AKIN_CONVERGED, "nonzeros",
        (json_int_t)akin_model_nonzeros(m), "rank",
        (json_int_t)akin_model_rank(m), "recipe",
        l->left.recipe ? akin_recipe_text(l->left.recipe) : "", "model",
        app_json_string(path));
    if (l->right.rows != NULL) {
        json_t *more = right_json(l, m);
        json_object_update(all, more);
        json_decref(more);
    }
    add_figures(all, m);
    return all;
}

/* "1,000,000 examples, 812,345 updates in 1.94 s (515 k/s)". */
static akin_status print_effort(app *a, const akin_learn_info *info,
                                int64_t rows, bool is_online)
{
    akin_status st = AKIN_OK;
    if (info->examples > 0)
        APP_TRY(
            app_print(a, "%s", app_counted(info->examples, "example").text));
    else
        APP_TRY(app_print(a, "%s", app_counted(rows, "row").text));
    if (info->examples > 0 && (is_online || info->updates > 0))
        APP_TRY(
            app_print(a, ", %s", app_counted(info->updates, "update").text));
    APP_TRY(app_print(a, " in %s", app_seconds(info->seconds).text));
    if (info->examples > 0 && info->seconds > 0.0)
        APP_TRY(app_print(a, " (%s/s)",
                          app_si((double)info->examples / info->seconds).text));
done:
    return st;
}

static akin_status print_size(app *a, const akin_model *m, const char *path)
{
    struct stat s;
    const int64_t all = akin_model_parameters(m);
    const int64_t used = akin_model_nonzeros(m);
    akin_status st = AKIN_OK;
    if (akin_model_rank(m) > 0)
        APP_TRY(app_print(a, ", rank %s", app_count(akin_model_rank(m)).text));
    else if (all > 0)
        APP_TRY(app_print(a, ", %s of %s weights (%s zeros)",
                          app_count(used).text, app_count(all).text,
                          app_percent(1.0 - (double)used / (double)all).text));
    APP_TRY(app_print(a, ", %s", app_shown(path)));
    if (stat(path, &s) == 0 && S_ISREG(s.st_mode))
        APP_TRY(app_print(a, " %s", app_bytes(s.st_size).text));
    APP_TRY(app_print(a, "\n"));
done:
    return st;
}

akin_status cli_lesson_print(app *a, const cli_lesson *l, const akin_model *m,
                             const akin_learn_info *info, const char *path)
{
    akin_status st = AKIN_OK;
    APP_TRY(app_print(a, "%s: ", l->learner->name));
    APP_TRY(print_effort(a, info, akin_rows_count(l->left.rows),
                         l->learner->is_online));
    if (isfinite(info->loss) && info->examples > 0)
        APP_TRY(app_print(a, ", loss %.4g", info->loss));
    if (isfinite(info->objective))
        APP_TRY(app_print(a, ", objective %.6g", info->objective));
    APP_TRY(print_size(a, m, path));
done:
    return st;
}
