/* akin eval --task naming: names against the truth. */
#include <akin/naming.h>
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"
#include "cli/naming/name.h"

enum { MOST_RATIOS = 100 };

/* A list over ratios, and a line to plot. */
static void put_curve(const akin_naming_measure *m, int64_t n, cli_plot *p,
                      json_t *json)
{
    json_t *list = json_array();
    p->title = "Precision by share of faces named";
    p->x_label = "real-name ratio";
    p->y_label = "precision";
    cli_series *s = cli_plot_series(p, "precision");
    for (int64_t k = 0; k < n; ++k) {
        json_array_append_new(list, name_measure_json(&m[k]));
        cli_series_add(s, m[k].real_name_ratio, m[k].precision);
    }
    json_object_set_new(json, "curve", list);
}

/* Names at one ratio: two bars. */
static void put_bars(const akin_naming_measure *m, cli_plot *p)
{
    *p = (cli_plot){.title = "Faces with the right name",
                    .y_label = "share of faces",
                    .as_bars = true,
                    .groups = {"accuracy", "precision"}};
    cli_series *s = cli_plot_series(p, "names");
    cli_series_add(s, 0.0, m->accuracy);
    cli_series_add(s, 1.0, m->precision);
}

/* A line for each ratio. */
static void put_text(const akin_naming_measure *m, int64_t n, char *text,
                     size_t size)
{
    size_t at = 0;
    for (int64_t k = 0; k < n && at < size; ++k)
        at += (size_t)snprintf(
            text + at, size - at, "%saccuracy %s, precision %s, %s of %s named",
            k > 0 ? "\n" : "", app_percent(m[k].accuracy).text,
            app_percent(m[k].precision).text,
            app_percent(m[k].real_name_ratio).text,
            app_counted(m[k].faces, "face").text);
}

/* How often names of a probability are right, where the file has any. */
static void put_reliability(const akin_naming_measure *m, json_t *json,
                            char *text, size_t size)
{
    json_t *list = json_array();
    size_t at = strlen(text);
    if (m->n_reliability > 0)
        at += (size_t)snprintf(text + at, size - at,
                               "\ncalibration error %.3f\n"
                               "probability  right  faces",
                               m->calibration_error);
    for (int64_t k = 0; k < m->n_reliability; ++k) {
        const akin_reliability *r = &m->reliability[k];
        if (at < size)
            at += (size_t)snprintf(text + at, size - at, "\n%11.3f  %5.3f  %5s",
                                   r->probability, r->right,
                                   app_count(r->faces).text);
        json_array_append_new(list,
                              APP_OBJECT(APP_KEY("probability", r->probability),
                                         APP_KEY("right", r->right),
                                         APP_KEY("faces", r->faces)));
    }
    json_object_set_new(json, "calibration_error",
                        app_json_real(m->calibration_error));
    json_object_set_new(json, "reliability", list);
}

/* Name the faces as akin name does, then measure. */
static akin_status by_method(app *a, const char *faces, const eval_flags *f,
                             const reading_flags *reading,
                             akin_naming_measure *m, int64_t *n)
{
    name_own_flags flags;
    name_job j = NAME_JOB;
    akin_status st = AKIN_OK;
    memcpy(&flags, name_own_group.defaults, sizeof flags);
    flags.faces = faces;
    flags.captions = f->captions;
    flags.truth = f->truth;
    flags.curve = f->curve;
    flags.real_name_ratio = f->real_name_ratio;
    flags.method = f->method;
    if (name_method_find(a, f->method) == NULL)
        return AKIN_EINVAL;
    APP_TRY(akin_options_new(&j.options, a->ctx, f->method));
    APP_TRY(name_faces(a, &j, &flags, reading));
    *n = j.n_measures;
    memcpy(m, j.measures, (size_t)*n * sizeof *m);
done:
    name_close(&j);
    return st;
}

static akin_status by_file(app *a, const char *names, const eval_flags *f,
                           akin_naming_measure *m, int64_t *n)
{
    akin_status st = AKIN_OK;
    APP_TRY(akin_names_measure(m, n, a->ctx, names, f->captions, f->truth,
                               MOST_RATIOS));
    if ((*n > 1) != f->curve)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         f->curve ? "%s: names at one ratio (--curve wants "
                                    "those of akin name --curve, or faces and "
                                    "--method)"
                                  : "%s: names at several ratios (--curve)",
                         names));
done:
    return st;
}

akin_status cli_eval_naming(app *a, const char *path, const eval_flags *f,
                            const reading_flags *reading, cli_figures *out)
{
    akin_naming_measure m[MOST_RATIOS];
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(f->method ? by_method(a, path, f, reading, m, &n)
                      : by_file(a, path, f, m, &n));
    const akin_naming_measure *last = &m[n - 1];
    out->json = name_measure_json(last);
    json_object_set_new(out->json, "faces", json_integer(last->faces));
    if (f->method)
        json_object_set_new(out->json, "method", json_string(f->method));
    if (f->curve)
        put_curve(m, n, &out->plot, out->json);
    else
        put_bars(last, &out->plot);
    out->plot.file = "naming.svg";
    put_text(m, n, out->text, sizeof out->text);
    if (!f->method && !f->curve)
        put_reliability(last, out->json, out->text, sizeof out->text);
done:
    return st;
}
