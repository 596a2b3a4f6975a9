/* What akin name says of its names. */
#include <math.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/name.h"

/* A count was asked for, and is not what came out. */
static bool is_missed(const name_job *j)
{
    return !j->curve && j->info.wanted >= 0 && j->info.wanted != j->info.named;
}

static void warn(app *a, const name_job *j, const akin_naming_info *info)
{
    const akin_names_info *n = &j->info;
    if (!info->converged)
        app_warn(a, "%s stopped before it converged", j->method);
    if (!n->converged)
        app_remark(a, "some names still changed in round %s",
                   app_count(n->rounds).text);
    if (is_missed(j))
        app_remark(
            a, "%s named, not %s (%s)", app_counted(n->named, "face").text,
            app_count(n->wanted).text,
            n->named < n->wanted && n->named == n->reachable
                ? "captions have names for no more"
            : j->confirmed != NULL ? "the nearest with ties and confirmed names"
                                   : "the nearest with ties");
}

/* ---- JSON ----------------------------------------------------------------
 */

json_t *name_measure_json(const akin_naming_measure *m)
{
    return json_pack("{s:o, s:o, s:o}", "accuracy", app_json_real(m->accuracy),
                     "precision", app_json_real(m->precision),
                     "real_name_ratio", app_json_real(m->real_name_ratio));
}

/* As akin eval has it: the last, and all of a curve. */
static void add_measures(json_t *out, const name_job *j)
{
    if (j->n_measures == 0)
        return;
    json_t *list = json_array();
    json_t *last = name_measure_json(&j->measures[j->n_measures - 1]);
    json_object_update(out, last);
    json_decref(last);
    for (int64_t k = 0; k < j->n_measures; ++k)
        json_array_append_new(list, name_measure_json(&j->measures[k]));
    if (j->curve)
        json_object_set(out, "curve", list);
    json_decref(list);
}

/* What a method has not, is left out. */
static void put_known(json_t *out, const char *key, double value)
{
    if (!isnan(value))
        json_object_set_new(out, key, app_json_real(value));
}

static json_t *all_json(const name_job *j, const akin_naming_info *info,
                        const char *path)
{
    const akin_names_info *n = &j->info;
    json_t *out = json_pack(
        "{s:s, s:I, s:I, s:I, s:I, s:o, s:o, s:I, s:b, s:I, s:b}", "method",
        j->method, "faces", (json_int_t)info->faces, "photos",
        (json_int_t)info->photos, "names", (json_int_t)info->names, "named",
        (json_int_t)n->named, "real_name_ratio",
        app_json_real((double)n->named / (double)info->faces), "theta",
        app_json_real(n->theta), "rounds", (json_int_t)n->rounds,
        "rounds_converged", (int)n->converged, "iterations",
        (json_int_t)info->iterations, "converged", (int)info->converged);
    if (info->rank >= 0)
        json_object_set_new(out, "rank", json_integer(info->rank));
    put_known(out, "lambda", info->lambda);
    put_known(out, "gamma", info->gamma);
    put_known(out, "gap", info->gap);
    put_known(out, "seconds", info->seconds + j->seconds);
    json_object_set_new(out, "out", app_json_string(path));
    if (j->model != NULL)
        json_object_set_new(out, "same_faces",
                            json_boolean(info->same_faces != 0));
    if (n->wanted >= 0 && !j->curve)
        json_object_set_new(out, "wanted", json_integer(n->wanted));
    add_measures(out, j);
    return out;
}

/* ---- lines ---------------------------------------------------------------
 */

static akin_status print_measure(app *a, const akin_naming_measure *m)
{
    return app_print(a, "accuracy %s, precision %s\n",
                     app_percent(m->accuracy).text,
                     app_percent(m->precision).text);
}

/* One measure, or a curve with the share of faces that are named. */
static akin_status print_measures(app *a, const name_job *j)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < j->n_measures && st == AKIN_OK; ++k) {
        if (j->curve)
            st = app_print(a, "%s named: ",
                           app_percent(j->measures[k].real_name_ratio).text);
        if (st == AKIN_OK)
            st = print_measure(a, &j->measures[k]);
    }
    return st;
}

akin_status name_report(app *a, const name_job *j, const char *path)
{
    akin_naming_info info;
    akin_status st = AKIN_OK;
    akin_naming_get_info(&info, j->naming);
    app_progress_clear(&a->progress);
    warn(a, j, &info);
    if (a->common.json)
        return app_json_print(a, all_json(j, &info, path));
    APP_TRY(app_print(
        a, "%s: %s of %s in %s named out of %s, %s%s\n", app_shown(path),
        app_count(j->info.named).text, app_counted(info.faces, "face").text,
        app_counted(info.photos, "photo").text,
        app_counted(info.names, "name").text,
        app_seconds(info.seconds + j->seconds).text,
        info.same_faces ? ", by the affinities kept of them" : ""));
    APP_TRY(print_measures(a, j));
done:
    return st;
}
