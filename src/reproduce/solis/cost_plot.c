/* Figures 3 to 6 as bars: a group for each codebook, a bar for each method. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/solis/solis.h"

typedef struct chart {
    const char *file, *key, *label;
    double unit;
    bool crowd;  // among distractors, else the pictures alone
} chart;

static const char build[] = "CPU seconds to build the index",
                  search[] = "CPU milliseconds a query",
                  size[] = "megabytes of the index";

static const chart charts[] = {
    {"figure3.svg", "index_seconds", build, 1, false},
    {"figure4.svg", "retrieval_ms", search, 1, false},
    {"index_size.svg", "index_bytes", size, 1e6, false},
    {"figure5.svg", "index_seconds", build, 1, true},
    {"figure6.svg", "retrieval_ms", search, 1, true},
    {"index_size_distractors.svg", "index_bytes", size, 1e6, true},
};

/* What is shown: a landmark, or the most distractors that there are. */
typedef struct scene {
    const char *landmark;
    double distractors;
} scene;

static bool is_shown(const chart *c, const scene *s, const json_t *row)
{
    if (!isfinite(reproduce_number(row, c->key)) ||
        json_object_get(row, "beside"))
        return false;
    if (c->crowd)
        return reproduce_number(row, "distractors") == s->distractors;
    return json_object_get(row, "landmark") &&
           strcmp(reproduce_text(row, "landmark"), s->landmark) == 0;
}

/* Bars of very different lengths are for a logarithmic axis. */
static bool differ_much(const json_t *rows, const char *key)
{
    double low = INFINITY, high = 0.0;
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const double x = reproduce_number(json_array_get(rows, i), key);
        low = fmin(low, x);
        high = fmax(high, x);
    }
    return high > 20.0 * low;
}

static akin_status draw_chart(app *a, const char *folder, const json_t *rows,
                              const chart *c, const scene *s)
{
    char title[128];
    akin_plot_options o = {.size = sizeof o,
                           .title = title,
                           .x_label = "codebook",
                           .y_label = c->label,
                           .width = 960};
    json_t *shown = json_array();
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        json_t *row = json_array_get(rows, i);
        if (is_shown(c, s, row))
            APP_TRY(reproduce_add(a, shown, json_incref(row)));
    }
    o.log_y = differ_much(shown, c->key);
    if (c->crowd)
        snprintf(title, sizeof title, "Among %.0f distractors", s->distractors);
    else
        snprintf(title, sizeof title, "Models of %.40s", s->landmark);
    APP_TRY(reproduce_bars(a, folder, c->file, &o, shown, "codebook", c->key,
                           c->unit));
done:
    json_decref(shown);
    return st;
}

akin_status solis_cost_plot(app *a, const char *folder, const json_t *rows,
                            const char *landmark)
{
    scene s = {landmark, -1.0};
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(rows); ++i)
        s.distractors =
            fmax(s.distractors,
                 reproduce_number(json_array_get(rows, i), "distractors"));
    for (size_t i = 0; i < sizeof charts / sizeof *charts; ++i)
        APP_TRY(draw_chart(a, folder, rows, &charts[i], &s));
done:
    return st;
}
