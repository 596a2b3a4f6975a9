#include "reproduce/common/figures.h"

#include <akin/plot.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = REPRODUCE_NAMES, NAME = REPRODUCE_NAMES };

/* The value under a key as text, numbers without decimals. */
static void value_of(const json_t *row, const char *key, char text[NAME])
{
    const double x = reproduce_number(row, key);
    if (isfinite(x))
        snprintf(text, NAME, "%.0f", x);
    else
        snprintf(text, NAME, "%.63s", reproduce_text(row, key));
}

static double y_of(const reproduce_figure *f, const json_t *row)
{
    return reproduce_number(row, f->y) / (f->unit > 0.0 ? f->unit : 1.0);
}

static bool is_lines(const reproduce_figure *f)
{
    return f->x != NULL || f->x_of != NULL;
}

static double x_of(const reproduce_figure *f, const json_t *row)
{
    return f->x_of ? f->x_of(row) : reproduce_number(row, f->x);
}

/* Has the row all texts of a list "key=text,key=text"? */
static bool matches(const json_t *row, const char *where)
{
    char key[32], text[NAME];
    while (where != NULL && *where) {
        const size_t k = strcspn(where, "="), n = strcspn(where, ",");
        snprintf(key, sizeof key, "%.*s", (int)k, where);
        snprintf(text, sizeof text, "%.*s", (int)(n - k - 1), where + k + 1);
        if (!reproduce_has(row, key, text))
            return false;
        where += n + (where[n] == ',');
    }
    return true;
}

static bool is_shown(const reproduce_figure *f, const reproduce_view *v,
                     const json_t *row)
{
    return isfinite(y_of(f, row)) && (!is_lines(f) || isfinite(x_of(f, row))) &&
           matches(row, f->where) &&
           (f->shows  ? f->shows(v, row)
            : f->each ? reproduce_has(row, f->each, v->value)
                      : true);
}

static void series_of(const reproduce_figure *f, const json_t *row,
                      char name[NAME])
{
    const double rank = reproduce_number(row, "rank");
    if (f->by_rank && isfinite(rank))
        snprintf(name, NAME, "%.40s, k = %.0f", reproduce_text(row, "method"),
                 rank);
    else
        snprintf(name, NAME, "%.63s", reproduce_text(row, "method"));
}

/* ---- lines ------------------------------------------------------------- */

static akin_status add_line(app *a, akin_plot *plot, const reproduce_figure *f,
                            const reproduce_view *v, const char *series)
{
    double x[MOST], y[MOST], error[MOST];
    char own[NAME];
    int64_t n = 0;
    for (size_t i = 0; i < json_array_size(v->rows) && n < MOST; ++i) {
        const json_t *row = json_array_get(v->rows, i);
        series_of(f, row, own);
        if (!is_shown(f, v, row) || strcmp(own, series) != 0)
            continue;
        const double se = reproduce_number(row, "se");
        x[n] = x_of(f, row);
        y[n] = y_of(f, row);
        error[n++] = isfinite(se) ? se : 0.0;
    }
    return akin_plot_line(a->ctx, plot, series, x, y, error, n);
}

static akin_status add_lines(app *a, akin_plot *plot, const reproduce_figure *f,
                             const reproduce_view *v)
{
    reproduce_names series = {.n = 0};
    char name[NAME];
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *row = json_array_get(v->rows, i);
        series_of(f, row, name);
        if (is_shown(f, v, row))
            reproduce_name(&series, name);
    }
    for (int64_t k = 0; k < series.n && st == AKIN_OK; ++k)
        st = add_line(a, plot, f, v, series.text[k]);
    return st;
}

/* ---- bars -------------------------------------------------------------- */

static akin_status add_bars(app *a, akin_plot *plot, const reproduce_figure *f,
                            const reproduce_view *v)
{
    reproduce_names groups = {.n = 0}, series = {.n = 0};
    double *values = NULL;
    char group[NAME];
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, MOST * MOST, &values));
    for (int64_t i = 0; i < MOST * MOST; ++i)
        values[i] = NAN;
    if (f->beside) {
        reproduce_name(&series, "akin");
        reproduce_name(&series, "paper");
    }
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *row = json_array_get(v->rows, i);
        if (!is_shown(f, v, row))
            continue;
        value_of(row, f->group, group);
        const int64_t g = reproduce_name(&groups, group);
        const int64_t s =
            f->beside ? 0
                      : reproduce_name(&series, reproduce_text(row, "method"));
        if (g < 0 || s < 0)
            continue;
        values[g * MOST + s] = y_of(f, row);
        if (f->beside)
            values[g * MOST + 1] = reproduce_number(row, f->beside);
    }
    const int64_t left = groups.n - f->first;
    const int64_t n = f->count > 0 && f->count < left ? f->count : left;
    for (int64_t g = 0; g < n; ++g)
        memmove(values + g * series.n, values + (f->first + g) * MOST,
                (size_t)series.n * sizeof *values);
    if (n > 0)
        APP_TRY(akin_plot_bars(a->ctx, plot, groups.list + f->first, n,
                               series.list, series.n, values));
done:
    free(values);
    return st;
}

/* ---- figures ----------------------------------------------------------- */

/* Do values differ so much that the axis should be logarithmic? */
static bool is_wide(const reproduce_figure *f, const reproduce_view *v)
{
    double low = INFINITY, high = 0.0;
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *row = json_array_get(v->rows, i);
        if (!is_shown(f, v, row))
            continue;
        low = fmin(low, y_of(f, row));
        high = fmax(high, y_of(f, row));
    }
    return high > 20.0 * low;
}

/* `pattern` with the value in place of "%s". */
static void fill_in(char *text, size_t size, const char *pattern,
                    const char *value)
{
    const char *at = strstr(pattern, "%s");
    if (at == NULL)
        snprintf(text, size, "%s", pattern);
    else
        snprintf(text, size, "%.*s%s%s", (int)(at - pattern), pattern, value,
                 at + 2);
}

static akin_status draw_one(app *a, const char *folder,
                            const reproduce_figure *f, const reproduce_view *v)
{
    char file[128], title[192], about[REPRODUCE_ABOUT] = "", x_label[64];
    char path[REPRODUCE_PATH];
    akin_plot_options o = {.size = sizeof o,
                           .title = title,
                           .x_label = x_label,
                           .y_label = f->y_label,
                           .log_x = f->log_x,
                           .width = f->width,
                           .height = f->height};
    akin_plot *plot = NULL;
    akin_status st = AKIN_OK;
    fill_in(file, sizeof file, f->file, v->value);
    for (char *c = file; *c; ++c)
        if (*c == ' ' || *c == ',' || *c == '/')
            *c = '_';
    fill_in(title, sizeof title - REPRODUCE_ABOUT, f->title, v->value);
    fill_in(x_label, sizeof x_label, f->x_label ? f->x_label : "", v->value);
    if (f->about)
        f->about(v, about);
    strcat(title, about);
    o.log_y = f->log_y_if_wide && is_wide(f, v);
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    APP_TRY((is_lines(f) ? add_lines : add_bars)(a, plot, f, v));
    APP_TRY(reproduce_path(a, path, folder, file));
    APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot);
    return st;
}

/* Is there anything to draw? For bars: any group from `first` on. */
static bool has_rows(const reproduce_figure *f, const reproduce_view *v)
{
    reproduce_names groups = {.n = 0};
    char group[NAME] = "";
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *row = json_array_get(v->rows, i);
        if (!is_shown(f, v, row))
            continue;
        if (!is_lines(f))
            value_of(row, f->group, group);
        reproduce_name(&groups, group);
    }
    return groups.n > f->first;
}

akin_status reproduce_draw(app *a, const char *folder, const json_t *rows,
                           const reproduce_figure *figures)
{
    akin_status st = AKIN_OK;
    for (const reproduce_figure *f = figures; f->file && st == AKIN_OK; ++f) {
        reproduce_names values = {.n = 0};
        char value[NAME];
        if (f->each == NULL)
            reproduce_name(&values, "");
        for (size_t i = 0; f->each && i < json_array_size(rows); ++i) {
            value_of(json_array_get(rows, i), f->each, value);
            if (value[0])
                reproduce_name(&values, value);
        }
        for (int64_t k = 0; k < values.n && st == AKIN_OK; ++k) {
            const reproduce_view v = {rows, values.text[k]};
            if (has_rows(f, &v))
                st = draw_one(a, folder, f, &v);
        }
    }
    return st;
}
