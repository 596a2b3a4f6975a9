/* akin eval --task naming: names against the truth. */
#include <akin/naming.h>
#include <stdio.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"
#include "cli/name.h"

enum { MOST_RATIOS = 100 };

/* A list over ratios, and a line to plot. */
static void put_curve(const akin_naming_measure *m, int64_t n, cli_figures *out)
{
    json_t *list = json_array();
    out->curve = (cli_curve){.file = "naming.svg",
                             .title = "Precision by share of faces named",
                             .x_label = "real-name ratio",
                             .y_label = "precision",
                             .n = n};
    for (int64_t k = 0; k < n; ++k) {
        json_array_append_new(list, name_measure_json(&m[k]));
        out->curve.x[k] = m[k].real_name_ratio;
        out->curve.y[k] = m[k].precision;
    }
    json_object_set_new(out->json, "curve", list);
}

static akin_status check(app *a, const eval_flags *f)
{
    if (f->captions == NULL || f->truth == NULL)
        return app_fail(a, AKIN_EINVAL,
                        "--task naming needs --captions FILE and --truth FILE");
    return AKIN_OK;
}

akin_status cli_eval_naming(app *a, const char *names, const eval_flags *f,
                            cli_figures *out)
{
    akin_naming_measure m[MOST_RATIOS];
    int64_t n = 0;
    akin_status st = AKIN_OK;
    APP_TRY(check(a, f));
    APP_TRY(akin_names_measure(m, &n, MOST_RATIOS, a->ctx, names, f->captions,
                               f->truth));
    if ((n > 1) != f->curve)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         f->curve ? "%s: names at one ratio (--curve wants "
                                    "those of akin name --curve)"
                                  : "%s: names at several ratios (--curve)",
                         names));
    const akin_naming_measure *last = &m[n - 1];
    out->json = name_measure_json(last);
    json_object_set_new(out->json, "faces", json_integer(last->faces));
    if (f->curve)
        put_curve(m, n, out);
    snprintf(out->text, sizeof out->text,
             "accuracy %s, precision %s, %s of %s named",
             app_percent(last->accuracy).text,
             app_percent(last->precision).text,
             app_percent(last->real_name_ratio).text,
             app_counted(last->faces, "face").text);
done:
    return st;
}
