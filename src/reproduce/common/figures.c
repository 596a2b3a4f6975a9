#include "reproduce/common/figures.h"

#include <akin/plot.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"

enum { MOST = 64, NAME = 64 };  // series, groups or points; bytes of a name

bool reproduce_has(const json_t *row, const char *key, const char *text)
{
    return strcmp(reproduce_text(row, key), text) == 0;
}

/* The value under a key as text, numbers without decimals. */
static void value_of(const json_t *row, const char *key, char text[NAME])
{
    const double x = reproduce_number(row, key);
    if (isfinite(x))
        snprintf(text, NAME, "%.0f", x);
    else
        snprintf(text, NAME, "%.63s", reproduce_text(row, key));
}

/* Distinct names in the order of their first use. */
typedef struct names {
    char text[MOST][NAME];
    const char *list[MOST];
    int64_t n;
} names;

/* The number of a name, added if it is new; -1: no room. */
static int64_t place_of(names *s, const char *name)
{
    for (int64_t i = 0; i < s->n; ++i)
        if (strcmp(s->text[i], name) == 0)
            return i;
    if (s->n == MOST)
        return -1;
    snprintf(s->text[s->n], NAME, "%.63s", name);
    s->list[s->n] = s->text[s->n];
    return s->n++;
}

static double y_of(const reproduce_figure *f, const json_t *row)
{
    return reproduce_number(row, f->y) / (f->unit > 0.0 ? f->unit : 1.0);
}

static bool is_shown(const reproduce_figure *f, const reproduce_view *v,
                     const json_t *row)
{
    return isfinite(y_of(f, row)) && (!f->x || isfinite(f->x(row))) &&
           (!f->shows || f->shows(v, row));
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
        x[n] = f->x(row);
        y[n] = y_of(f, row);
        error[n++] = isfinite(se) ? se : 0.0;
    }
    return akin_plot_line(a->ctx, plot, series, x, y, error, n);
}

static akin_status add_lines(app *a, akin_plot *plot, const reproduce_figure *f,
                             const reproduce_view *v)
{
    names series = {.n = 0};
    char name[NAME];
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *row = json_array_get(v->rows, i);
        series_of(f, row, name);
        if (is_shown(f, v, row))
            place_of(&series, name);
    }
    for (int64_t k = 0; k < series.n && st == AKIN_OK; ++k)
        st = add_line(a, plot, f, v, series.text[k]);
    return st;
}

/* ---- bars -------------------------------------------------------------- */

static akin_status add_bars(app *a, akin_plot *plot, const reproduce_figure *f,
                            const reproduce_view *v)
{
    names groups = {.n = 0}, series = {.n = 0};
    double *values = NULL;
    char group[NAME];
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, MOST * MOST, &values));
    for (int64_t i = 0; i < MOST * MOST; ++i)
        values[i] = NAN;
    if (f->beside) {
        place_of(&series, "akin");
        place_of(&series, "paper");
    }
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *row = json_array_get(v->rows, i);
        if (!is_shown(f, v, row))
            continue;
        value_of(row, f->group, group);
        const int64_t g = place_of(&groups, group);
        const int64_t s =
            f->beside ? 0 : place_of(&series, reproduce_text(row, "method"));
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

/* Very different values are for a logarithmic axis. */
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
    char file[128], title[192], about[REPRODUCE_ABOUT] = "", path[4096];
    akin_plot_options o = {.size = sizeof o,
                           .title = title,
                           .x_label = f->x_label,
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
    if (f->about)
        f->about(v, about);
    strcat(title, about);
    o.log_y = f->log_y_if_wide && is_wide(f, v);
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    APP_TRY((f->x ? add_lines : add_bars)(a, plot, f, v));
    APP_TRY(cli_join(a, path, sizeof path, folder, file));
    APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot);
    return st;
}

/* Something to draw; of bars, beyond the groups that another plot has. */
static bool has_rows(const reproduce_figure *f, const reproduce_view *v)
{
    names groups = {.n = 0};
    char group[NAME] = "";
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *row = json_array_get(v->rows, i);
        if (!is_shown(f, v, row))
            continue;
        if (!f->x)
            value_of(row, f->group, group);
        place_of(&groups, group);
    }
    return groups.n > f->first;
}

akin_status reproduce_draw(app *a, const char *folder, const json_t *rows,
                           const reproduce_figure *figures)
{
    akin_status st = AKIN_OK;
    for (const reproduce_figure *f = figures; f->file && st == AKIN_OK; ++f) {
        names values = {.n = 0};
        char value[NAME];
        if (f->each == NULL)
            place_of(&values, "");
        for (size_t i = 0; f->each && i < json_array_size(rows); ++i) {
            value_of(json_array_get(rows, i), f->each, value);
            if (value[0])
                place_of(&values, value);
        }
        for (int64_t k = 0; k < values.n && st == AKIN_OK; ++k) {
            const reproduce_view v = {rows, values.text[k]};
            if (has_rows(f, &v))
                st = draw_one(a, folder, f, &v);
        }
    }
    return st;
}
