/* Plots of `akin reproduce rsl`: both panels of Figure 1, and tables as bars.
 */
#include <math.h>
#include <stdio.h>

#include "reproduce/rsl/rsl.h"

static double x_delta(const json_t *row)
{
    return reproduce_number(row, "delta");
}

static bool shows_dimensions(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return reproduce_has(row, "panel", "1a");
}

static bool shows_ranks(const reproduce_view *v, const json_t *row)
{
    (void)v;
    return reproduce_has(row, "panel", "1b");
}

static bool shows_table(const reproduce_view *v, const json_t *row)
{
    return reproduce_has(row, "table", v->value) &&
           reproduce_has(row, "panel", "");
}

/* A table of retrieval is drawn by its mAP alone. */
static bool shows_accuracy(const reproduce_view *v, const json_t *row)
{
    for (size_t i = 0; i < json_array_size(v->rows); ++i) {
        const json_t *other = json_array_get(v->rows, i);
        if (shows_table(v, other) && isfinite(reproduce_number(other, "map")))
            return false;
    }
    return shows_table(v, row);
}

static void about_dataset(const reproduce_view *v, char text[REPRODUCE_ABOUT])
{
    for (size_t i = 0; i < json_array_size(v->rows); ++i)
        if (shows_table(v, json_array_get(v->rows, i))) {
            snprintf(text, REPRODUCE_ABOUT, ", %.40s",
                     reproduce_text(json_array_get(v->rows, i), "dataset"));
            return;
        }
}

#define PANEL                                                                \
    .x = x_delta, .x_label = "distance of the class means", .y = "accuracy", \
    .y_label = "accuracy %"
#define TABLE                                                  \
    .file = "%s.svg", .each = "table", .about = about_dataset, \
    .x_label = "task", .group = "task", .width = 900

const reproduce_figure rsl_figures[] = {
    {.file = "figure1_dimension.svg",
     .title = "Figure 1, left: 50 left columns, n right columns",
     .shows = shows_dimensions,
     PANEL},
    {.file = "figure1_rank.svg",
     .title = "Figure 1, right: rank d of the similarity",
     .shows = shows_ranks,
     PANEL},
    {TABLE, .title = "mAP: %s", .shows = shows_table, .y = "map",
     .y_label = "mAP %"},
    {TABLE, .title = "Accuracy: %s", .shows = shows_accuracy, .y = "accuracy",
     .y_label = "accuracy %"},
    {0},
};
