/* akin eval --report: figures and plots in a folder. */
#include <akin/plot.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "app/json.h"
#include "cli/eval.h"

static akin_status join(app *a, char path[PATH_MAX], const char *folder,
                        const char *name)
{
    const int n = snprintf(path, PATH_MAX, "%s/%s", folder, name);
    if (n < 0 || n >= PATH_MAX)
        return app_fail(a, AKIN_EIO, "%s: %s", folder, strerror(ENAMETOOLONG));
    return AKIN_OK;
}

static akin_status plot_precision(app *a, const cli_figures *figures,
                                  const char *path)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = "Precision at k",
                                 .x_label = "k",
                                 .y_label = "precision"};
    char names[AKIN_PRECISIONS][24];
    const char *groups[AKIN_PRECISIONS];
    const char *const series[] = {"precision"};
    akin_plot *p = NULL;
    akin_status st = AKIN_OK;
    for (int i = 0; i < AKIN_PRECISIONS; ++i) {
        snprintf(names[i], sizeof names[i], "%lld",
                 (long long)akin_precision_cut(i));
        groups[i] = names[i];
    }
    APP_TRY(akin_plot_new(&p, a->ctx, &o));
    APP_TRY(akin_plot_bars(a->ctx, p, groups, AKIN_PRECISIONS, series, 1,
                           figures->precision));
    APP_TRY(akin_plot_save(a->ctx, p, path));
done:
    akin_plot_free(p);
    return st;
}

static akin_status plot_curve(app *a, const cli_curve *c, const char *path)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = c->title,
                                 .x_label = c->x_label,
                                 .y_label = c->y_label,
                                 .log_x = c->log_x};
    static const double unit[2] = {0.0, 1.0};
    akin_plot *p = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&p, a->ctx, &o));
    APP_TRY(akin_plot_line(a->ctx, p, c->y_label, c->x, c->y, NULL, c->n));
    if (c->chance != NULL)
        APP_TRY(akin_plot_line(a->ctx, p, c->chance, unit, unit, NULL, 2));
    APP_TRY(akin_plot_save(a->ctx, p, path));
done:
    akin_plot_free(p);
    return st;
}

akin_status cli_eval_report(app *a, const cli_figures *figures,
                            const char *folder)
{
    char path[PATH_MAX];
    char *text = NULL;
    akin_status st = AKIN_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return app_fail(a, AKIN_EIO, "%s: %s", folder, strerror(errno));
    text = app_json_text(figures->json);
    if (text == NULL)
        APP_TRY(app_fail(a, AKIN_ENOMEM, "out of memory"));
    APP_TRY(join(a, path, folder, "figures.json"));
    APP_TRY(akin_output_write(a->ctx, path, text));
    if (figures->has_precision) {
        APP_TRY(join(a, path, folder, "precision.svg"));
        APP_TRY(plot_precision(a, figures, path));
    }
    if (figures->curve.n > 0) {
        APP_TRY(join(a, path, folder, figures->curve.file));
        APP_TRY(plot_curve(a, &figures->curve, path));
    }
done:
    free(text);
    return st;
}
