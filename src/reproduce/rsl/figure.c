/* Plots of `akin reproduce rsl`: both panels of Figure 1, and tables as bars.
 */
#include <akin/plot.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/rsl/rsl.h"

enum { MOST = 32 };

static bool is_of(const json_t *row, const char *key, const char *text)
{
    return strcmp(reproduce_text(row, key), text) == 0;
}

/* The line of one method through a panel. */
static akin_status add_line(app *a, akin_plot *plot, const json_t *rows,
                            const char *panel, const char *method)
{
    double x[MOST], y[MOST], error[MOST];
    int64_t n = 0;
    for (size_t i = 0; i < json_array_size(rows) && n < MOST; ++i) {
        const json_t *row = json_array_get(rows, i);
        if (!is_of(row, "panel", panel) || !is_of(row, "method", method))
            continue;
        const double se = reproduce_number(row, "se");
        x[n] = reproduce_number(row, "delta");
        y[n] = reproduce_number(row, "accuracy");
        error[n++] = isfinite(se) ? se : 0.0;
    }
    return akin_plot_line(plot, a->ctx, method, x, y, error, n);
}

static bool came_before(const json_t *rows, size_t i, const char *key,
                        const char *within, const char *value)
{
    const char *own = reproduce_text(json_array_get(rows, i), key);
    for (size_t k = 0; k < i; ++k) {
        const json_t *row = json_array_get(rows, k);
        if (is_of(row, within, value) && is_of(row, key, own))
            return true;
    }
    return false;
}

static akin_status draw_panel(app *a, const char *folder, const json_t *rows,
                              const char *panel, const char *file,
                              const char *title)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = title,
                                 .x_label = "distance of the class means",
                                 .y_label = "accuracy %"};
    char path[4096];
    akin_plot *plot = NULL;
    bool any = false;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        if (!is_of(row, "panel", panel) ||
            came_before(rows, i, "method", "panel", panel))
            continue;
        APP_TRY(add_line(a, plot, rows, panel, reproduce_text(row, "method")));
        any = true;
    }
    APP_TRY(cli_join(a, path, sizeof path, folder, file));
    if (any)
        APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot, a->ctx);
    return st;
}

/* ---- tables as bars ---------------------------------------------------------
 */

/* The table that `first` is the first row of. */
static akin_status draw_table(app *a, const char *folder, const json_t *rows,
                              const json_t *first, const char *measure)
{
    const char *table = reproduce_text(first, "table");
    char file[64], title[96];
    const akin_plot_options o = {
        .size = sizeof o,
        .title = title,
        .x_label = "",
        .y_label = strcmp(measure, "map") == 0 ? "mAP %" : "accuracy %",
        .width = 900};
    json_t *shown = json_array();
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        json_t *row = json_array_get(rows, i);
        if (is_of(row, "table", table) &&
            isfinite(reproduce_number(row, measure)))
            APP_TRY(reproduce_add(a, shown, json_incref(row)));
    }
    snprintf(file, sizeof file, "%s.svg", table);
    snprintf(title, sizeof title, "%s, %s", reproduce_text(first, "dataset"),
             table);
    for (char *c = file; *c; ++c)
        if (*c == ' ' || *c == ',')
            *c = '_';
    APP_TRY(reproduce_bars(a, folder, file, &o, shown, "task", measure, 1.0));
done:
    json_decref(shown);
    return st;
}

akin_status rsl_plot(app *a, const reproduce_flags *f, const json_t *rows)
{
    akin_status st = AKIN_OK;
    APP_TRY(draw_panel(a, f->report, rows, "1a", "figure1_dimension.svg",
                       "Left 50 columns, right n"));
    APP_TRY(draw_panel(a, f->report, rows, "1b", "figure1_rank.svg",
                       "Rank d of the similarity"));
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        const bool ranked = isfinite(reproduce_number(row, "map"));
        if (reproduce_text(row, "table")[0] &&
            (ranked || isfinite(reproduce_number(row, "accuracy"))) &&
            !reproduce_text(row, "panel")[0] &&
            !came_before(rows, i, "table", "measure", ""))
            APP_TRY(draw_table(a, f->report, rows, row,
                               ranked ? "map" : "accuracy"));
    }
done:
    return st;
}
