/* akin eval --task rank: how high a ranker puts the labels of each row. */
#include <stdio.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"

static void write_text(const akin_ranking *r, double seconds, cli_figures *out)
{
    const size_t size = sizeof out->text;
    size_t at =
        (size_t)snprintf(out->text, size, "map %.4f, mrr %.4f", r->map, r->mrr);
    at += cli_precision_text(out->text + at, size - at, r->precision_at);
    if (at < size)
        at += (size_t)snprintf(out->text + at, size - at, "\n%s over %s in %s",
                               app_counted(r->rows, "row").text,
                               app_counted(r->labels, "label").text,
                               app_seconds(seconds).text);
    if (r->skipped > 0 && at < size)
        snprintf(out->text + at, size - at, " (%s more have no label)",
                 app_count(r->skipped).text);
}

akin_status cli_eval_rank(app *a, const cli_use *u, cli_figures *out)
{
    akin_ranking r;
    akin_status st = AKIN_OK;
    if (akin_rows_label_count(u->data) == 0)
        return app_fail(a, AKIN_EINVAL,
                        "rank needs labels, and --data has none");
    const double began = app_now();
    APP_TRY(akin_eval_rank(&r, NULL, a->ctx, u->model, u->data));
    const double seconds = app_now() - began;
    write_text(&r, seconds, out);
    out->json = json_pack("{s:o, s:o, s:o, s:I, s:I, s:I, s:o}", "map",
                          app_json_real(r.map), "mrr", app_json_real(r.mrr),
                          "precision_at", cli_precision_json(r.precision_at),
                          "rows", (json_int_t)r.rows, "skipped",
                          (json_int_t)r.skipped, "labels", (json_int_t)r.labels,
                          "seconds", app_json_real(seconds));
    cli_plot_precision(&out->plot, cli_model_name(u), r.precision_at);
done:
    return st;
}
