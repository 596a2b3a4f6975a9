/* Plots of `akin reproduce rsl`: both panels of Figure 1, and tables as bars.
 */
#include <akin/plot.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/csv_file.h"
#include "cli/rsl.h"

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

typedef struct bars {
    const char *tasks[MOST], *methods[MOST];
    int64_t n_tasks, n_methods;
    double values[MOST * MOST];
} bars;

static int64_t place_of(const char **list, int64_t *n, const char *word)
{
    for (int64_t i = 0; i < *n; ++i)
        if (strcmp(list[i], word) == 0)
            return i;
    if (*n == MOST)
        return -1;
    list[*n] = word;
    return (*n)++;
}

static void gather(bars *b, const json_t *rows, const char *table,
                   const char *measure)
{
    for (int pass = 0; pass < 2; ++pass)
        for (size_t i = 0; i < json_array_size(rows); ++i) {
            const json_t *row = json_array_get(rows, i);
            const double x = reproduce_number(row, measure);
            if (!is_of(row, "table", table) || !isfinite(x))
                continue;
            const int64_t t =
                place_of(b->tasks, &b->n_tasks, reproduce_text(row, "task"));
            const int64_t m = place_of(b->methods, &b->n_methods,
                                       reproduce_text(row, "method"));
            if (pass == 1 && t >= 0 && m >= 0)
                b->values[t * b->n_methods + m] = x;
        }
}

/* The table that `first` is the first row of. */
static akin_status draw_table(app *a, const char *folder, const json_t *rows,
                              const json_t *first, const char *measure)
{
    const char *table = reproduce_text(first, "table");
    char path[4096], file[64], title[96];
    const akin_plot_options o = {
        .size = sizeof o,
        .title = title,
        .x_label = "",
        .y_label = strcmp(measure, "map") == 0 ? "mAP %" : "accuracy %",
        .width = 900};
    akin_plot *plot = NULL;
    bars b = {.n_tasks = 0};
    akin_status st = AKIN_OK;
    for (int i = 0; i < MOST * MOST; ++i)
        b.values[i] = NAN;
    gather(&b, rows, table, measure);
    snprintf(file, sizeof file, "%s.svg", table);
    snprintf(title, sizeof title, "%s, %s", reproduce_text(first, "dataset"),
             table);
    for (char *c = file; *c; ++c)
        if (*c == ' ' || *c == ',')
            *c = '_';
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    APP_TRY(akin_plot_bars(plot, a->ctx, b.tasks, b.n_tasks, b.methods,
                           b.n_methods, b.values));
    APP_TRY(cli_join(a, path, sizeof path, folder, file));
    APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot, a->ctx);
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
