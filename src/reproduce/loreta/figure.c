/* The figures of the paper, as lines through rows. */
#include <akin/plot.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/loreta/loreta.h"

enum { MOST_POINTS = 64 };

typedef struct picture {
    const char *file, *title, *x_label;
    const char *figure;  // of the rows; NULL: those of the tables
    const char *table;   // how their table's name ends
    double (*x)(const json_t *row);
    bool by_rank;  // a line for each rank
    double rank;   // only this one, and full matrices; 0: all
} picture;

static double x_examples(const json_t *row)
{
    return reproduce_number(row, "examples");
}

static double x_seconds(const json_t *row)
{
    return reproduce_number(row, "seconds");
}

/* A full matrix has the rank of its features; without a model, it is that of
 * the models of as many features. */
static double x_rank(const json_t *row)
{
    const double rank = reproduce_number(row, "rank");
    const double features = reproduce_number(row, "features");
    if (isfinite(rank))
        return rank;
    return reproduce_text(row, "learner")[0] ? features
                                             : LORETA_MEMORY / features;
}

static const picture pictures[] = {
    {"figure3a.svg", "Along learning", "triplets", "3a", "triplets", x_examples,
     true, 0},
    {"figure3a_long.svg", "Along learning, rank 30", "triplets", "3a long",
     "triplets", x_examples, true, 0},
    {"figure3c.svg", "At equal memory", "rank", NULL, "100000 triplets", x_rank,
     false, 0},
    {"figure4.svg", "Label ranking", "rank", NULL, "labels", x_rank, false, 0},
};
enum { PICTURES = sizeof pictures / sizeof pictures[0] };

static bool ends_with(const char *text, const char *end)
{
    const size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

static bool is_shown(const picture *p, const json_t *row)
{
    if (p->rank > 0 && reproduce_number(row, "rank") != p->rank &&
        !json_is_true(json_object_get(row, "full")))
        return false;
    return strcmp(reproduce_text(row, "figure"), p->figure ? p->figure : "") ==
               0 &&
           ends_with(reproduce_text(row, "table"), p->table) &&
           isfinite(p->x(row)) && isfinite(reproduce_number(row, "map"));
}

static void series_of(const picture *p, const json_t *row, char name[64])
{
    const double rank = reproduce_number(row, "rank");
    if (p->by_rank && isfinite(rank))
        snprintf(name, 64, "%.40s, k = %.0f", reproduce_text(row, "method"),
                 rank);
    else
        snprintf(name, 64, "%.63s", reproduce_text(row, "method"));
}

static bool is_in(const picture *p, const json_t *row, const char *series)
{
    char own[64];
    series_of(p, row, own);
    return is_shown(p, row) && strcmp(own, series) == 0;
}

/* The line of the series that `first` begins; behind it, nothing of it may
 * have come before. */
static akin_status add_line(app *a, akin_plot *plot, const picture *p,
                            const json_t *rows, size_t first)
{
    char series[64];
    double x[MOST_POINTS], y[MOST_POINTS], error[MOST_POINTS];
    int64_t n = 0;
    series_of(p, json_array_get(rows, first), series);
    for (size_t i = 0; i < first; ++i)
        if (is_in(p, json_array_get(rows, i), series))
            return AKIN_OK;
    for (size_t i = first; i < json_array_size(rows) && n < MOST_POINTS; ++i) {
        const json_t *row = json_array_get(rows, i);
        if (!is_in(p, row, series))
            continue;
        const double se = reproduce_number(row, "se");
        x[n] = p->x(row);
        y[n] = reproduce_number(row, "map");
        error[n++] = isfinite(se) ? se : 0.0;
    }
    return akin_plot_line(plot, a->ctx, series, x, y, error, n);
}

static akin_status draw_picture(app *a, const picture *p, const char *folder,
                                const json_t *rows)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = p->title,
                                 .x_label = p->x_label,
                                 .y_label = "mAP %",
                                 .log_x = 1,
                                 .width = 900,
                                 .height = 560};
    char path[4096];
    akin_plot *plot = NULL;
    bool any = false;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    for (size_t i = 0; i < json_array_size(rows); ++i)
        if (is_shown(p, json_array_get(rows, i))) {
            APP_TRY(add_line(a, plot, p, rows, i));
            any = true;
        }
    APP_TRY(cli_join(a, path, sizeof path, folder, p->file));
    if (any)
        APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot, a->ctx);
    return st;
}

/* A picture for each rank that has a curve. */
static akin_status draw_ranks(app *a, const char *folder, const json_t *rows)
{
    double drawn = 0.0;
    akin_status st = AKIN_OK;
    for (size_t i = 0; st == AKIN_OK && i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        const double rank = reproduce_number(row, "rank");
        char file[40], title[40];
        const picture p = {file,     title,     "seconds", "5",
                           "labels", x_seconds, false,     rank};
        if (strcmp(reproduce_text(row, "figure"), "5") != 0 || rank <= drawn ||
            json_is_true(json_object_get(row, "full")))
            continue;
        drawn = rank;
        snprintf(file, sizeof file, "figure5_k%.0f.svg", rank);
        snprintf(title, sizeof title, "Label ranking, rank %.0f", rank);
        st = draw_picture(a, &p, folder, rows);
    }
    return st;
}

akin_status loreta_plot(app *a, const reproduce_flags *f, const json_t *rows)
{
    akin_status st = AKIN_OK;
    for (int i = 0; st == AKIN_OK && i < PICTURES; ++i)
        st = draw_picture(a, &pictures[i], f->report, rows);
    return st == AKIN_OK ? draw_ranks(a, f->report, rows) : st;
}
