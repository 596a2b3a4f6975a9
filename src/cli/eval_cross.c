/* akin eval: recognition across two kinds of rows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/json.h"
#include "app/text.h"
#include "cli/eval.h"

/* A model that ranks labels needs no rows to compare with. */
static akin_status rank(app *a, const cli_use *u, akin_cross *c)
{
    akin_ranking r = {0};
    if (akin_rows_label_count(u->data) == 0)
        return app_fail(a, AKIN_EINVAL, "the target rows have no labels");
    const akin_status st = akin_eval_rank(&r, NULL, a->ctx, u->model, u->data);
    const double p = r.precision_at[0];
    *c = (akin_cross){.accuracy = p,
                      .accuracy_se = sqrt(p * (1.0 - p) / (double)r.rows),
                      .rows = r.rows,
                      .skipped = r.skipped};
    return st;
}

static akin_status find(app *a, const cli_use *u, const eval_flags *f,
                        akin_cross *c)
{
    akin_rows *source = NULL, *train = NULL;
    akin_status st = AKIN_OK;
    if (f->source == NULL && f->train == NULL)
        APP_TRY(app_fail(a, AKIN_EINVAL,
                         "--task cross needs --source FILE (rows with labels "
                         "to compare with)"));
    if (f->source != NULL)
        APP_TRY(cli_use_read(a, u, &source, f->source, f->source_labels,
                             AKIN_LEFT));
    if (f->train != NULL)
        APP_TRY(
            cli_use_read(a, u, &train, f->train, f->train_labels, AKIN_RIGHT));
    APP_TRY(akin_eval_cross(c, a->ctx, u->model, source, train, u->data,
                            cli_compare(f->score)));
done:
    akin_rows_free(source);
    akin_rows_free(train);
    return st;
}

akin_status cli_eval_cross(app *a, const cli_use *u, const eval_flags *f,
                           cli_figures *out)
{
    akin_cross c = {0};
    akin_status st = AKIN_OK;
    const double began = app_now();
    if (akin_model_label_count(u->model) > 0)
        APP_TRY(rank(a, u, &c));
    else
        APP_TRY(find(a, u, f, &c));
    const double seconds = app_now() - began;
    snprintf(out->text, sizeof out->text, "accuracy %.4f +- %.4f\n%s in %s",
             c.accuracy, c.accuracy_se, app_counted(c.rows, "row").text,
             app_seconds(seconds).text);
    out->json = json_pack(
        "{s:o, s:o, s:I, s:I, s:o}", "accuracy", app_json_real(c.accuracy),
        "accuracy_se", app_json_real(c.accuracy_se), "rows", (json_int_t)c.rows,
        "skipped", (json_int_t)c.skipped, "seconds", app_json_real(seconds));
    out->plot = (cli_plot){.file = "accuracy.svg",
                           .title = "Labels recognised across views",
                           .y_label = "accuracy",
                           .as_bars = true,
                           .groups = {"target rows"}};
    cli_series_add(cli_plot_series(&out->plot, cli_model_name(u)), 0.0,
                   c.accuracy);
done:
    return st;
}
