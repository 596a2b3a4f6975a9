/* akin eval --report: figures and plots in a folder. */
#include <akin/plot.h>
#include <stdio.h>

#include "app/json.h"
#include "cli/eval.h"

const char *cli_plain_name(const cli_use *u)
{
    return akin_model_compare(u->model) == AKIN_BY_DISTANCE ? "euclidean"
                                                            : "cosine";
}

const char *cli_model_name(const cli_use *u)
{
    return u->builtin ? u->name : akin_model_learner(u->model);
}

akin_status cli_plain_measure(app *a, akin_model **out, const cli_use *u,
                              const akin_rows *right)
{
    if (u->builtin || akin_rows_dim(u->data) != akin_rows_dim(right))
        return AKIN_OK;
    return akin_model_builtin(out, a->ctx, cli_plain_name(u), u->data);
}

cli_series *cli_plot_series(cli_plot *p, const char *name)
{
    cli_series *s = &p->series[p->n_series++];
    s->name = name;
    return s;
}

void cli_series_add(cli_series *s, double x, double y)
{
    s->x[s->n] = x;
    s->y[s->n++] = y;
}

void cli_plot_precision(cli_plot *p, const char *name, const double *precision)
{
    p->file = "precision.svg";
    p->title = "Precision at k";
    p->x_label = "k";
    p->y_label = "precision";
    p->as_bars = true;
    cli_series *s = cli_plot_series(p, name);
    for (int i = 0; i < AKIN_PRECISIONS; ++i)
        cli_series_add(s, (double)akin_precision_cut(i), precision[i]);
}

enum { MOST_BARS = 16 };

/* A group for every x of the first series; all series have the same x. */
static akin_status draw_bars(app *a, const cli_plot *p, akin_plot *to)
{
    const int64_t n = p->series[0].n, k = p->n_series;
    char names[MOST_BARS][24];
    const char *groups[MOST_BARS], *series[2];
    double values[2 * MOST_BARS];
    for (int64_t i = 0; i < n; ++i) {
        snprintf(names[i], sizeof names[i], "%g", p->series[0].x[i]);
        groups[i] = p->groups[0] != NULL ? p->groups[i] : names[i];
        for (int64_t j = 0; j < k; ++j)
            values[i * k + j] = p->series[j].y[i];
    }
    for (int64_t j = 0; j < k; ++j)
        series[j] = p->series[j].name;
    return akin_plot_bars(a->ctx, to, groups, n, series, k, values);
}

static akin_status draw_lines(app *a, const cli_plot *p, akin_plot *to)
{
    static const double unit[2] = {0.0, 1.0};
    akin_status st = AKIN_OK;
    for (int64_t j = 0; j < p->n_series; ++j)
        APP_TRY(akin_plot_line(a->ctx, to, p->series[j].name, p->series[j].x,
                               p->series[j].y, NULL, p->series[j].n));
    if (p->chance != NULL)
        APP_TRY(akin_plot_line(a->ctx, to, p->chance, unit, unit, NULL, 2));
done:
    return st;
}

static akin_status save_plot(app *a, const cli_plot *p, const char *path)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = p->title,
                                 .x_label = p->x_label,
                                 .y_label = p->y_label,
                                 .log_x = p->log_x};
    akin_plot *plot = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    APP_TRY((p->as_bars ? draw_bars : draw_lines)(a, p, plot));
    APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot);
    return st;
}

akin_status cli_eval_report(app *a, const cli_figures *figures,
                            const char *folder)
{
    char path[PATH_MAX];
    akin_status st = AKIN_OK;
    APP_TRY(app_json_report(a, figures->json, folder));
    if (figures->plot.file != NULL) {
        APP_TRY(app_path_in(a, path, folder, figures->plot.file));
        APP_TRY(save_plot(a, &figures->plot, path));
    }
done:
    return st;
}
