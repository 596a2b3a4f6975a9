/* Figure 2, mAP against sparsity along lambda; and the tables as plots. */
#include <akin/plot.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/json.h"
#include "reproduce/common/csv_file.h"
#include "reproduce/solis/solis.h"

enum { MOST_POINTS = 64 };

static const char *const lambdas =
    "lambda=0,1e-6,3e-6,1e-5,2e-5,4e-5,8e-5,1.6e-4";

/* The paper shows hertford. */
static int64_t shown_landmark(const solis_run *r)
{
    for (int64_t k = 0; k < r->splits.n_landmarks; ++k)
        if (strcmp(r->o.names[r->splits.landmarks[k]], "hertford") == 0)
            return k;
    return 0;
}

static akin_status add_point(solis_run *r, const solis_method *m,
                             const char *params, const char *landmark,
                             const solis_result *x)
{
    json_t *row = solis_row(r, "oxford5k", m, params, x);
    if (row == NULL)
        return app_fail(r->a, AKIN_ENOMEM, "out of memory");
    json_object_set_new(row, "figure", json_string("2"));
    json_object_set_new(row, "landmark", app_json_string(landmark));
    return reproduce_add(r->a, r->rows, row);
}

akin_status solis_figure(solis_run *r)
{
    const int64_t k = shown_landmark(r);
    const oxford_split *s = split_at(&r->splits, 0, k);
    char params[96];
    akin_supervision *known = NULL;
    solis_exam e = {0};
    solis_result x;
    akin_status st = AKIN_OK;
    APP_TRY(solis_lesson_new(r, &known, s, 0));
    APP_TRY(solis_exam_new(r, &e, s, false));
    for (int64_t m = 0; m < solis_n_methods; ++m)
        for (int64_t i = 0;
             strncmp(solis_methods[m].name, "solis-", 6) == 0 &&
             solis_methods[m].paper >= 0 &&
             reproduce_candidate(lambdas, i, params, sizeof params);
             ++i) {
            APP_TRY(
                solis_try(r, &solis_methods[m], params, known, &e, &x, NULL));
            APP_TRY(add_point(r, &solis_methods[m], params,
                              r->o.names[s->landmark], &x));
        }
done:
    solis_exam_free(&e);
    akin_supervision_free(known);
    return st;
}

/* ---- plots -----------------------------------------------------------------
 */

/* What a plot shows of the rows. */
typedef struct view {
    app *a;
    const json_t *rows;
    const char *book, *figure, *x, *landmark;
    int first, last;  // methods by column of the paper's tables
} view;

static bool is_shown(const view *v, const json_t *row, const char *method)
{
    return strcmp(reproduce_text(row, "method"), method) == 0 &&
           strcmp(reproduce_text(row, "codebook"), v->book) == 0 &&
           strcmp(reproduce_text(row, "figure"), v->figure) == 0 &&
           strcmp(reproduce_text(row, "landmark"), v->landmark) == 0 &&
           isfinite(reproduce_number(row, v->x)) &&
           isfinite(reproduce_number(row, "map"));
}

/* A line through the rows of each method, a point where there is one. */
static akin_status add_lines(const view *v, akin_plot *p)
{
    double x[MOST_POINTS], y[MOST_POINTS];
    akin_status st = AKIN_OK;
    for (int64_t m = 0; st == AKIN_OK && m < solis_n_methods; ++m) {
        int64_t n = 0;
        if (solis_methods[m].paper < v->first ||
            solis_methods[m].paper > v->last)
            continue;
        for (size_t i = 0; i < json_array_size(v->rows); ++i) {
            const json_t *row = json_array_get(v->rows, i);
            if (n < MOST_POINTS && is_shown(v, row, solis_methods[m].name)) {
                x[n] = reproduce_number(row, v->x);
                y[n++] = reproduce_number(row, "map");
            }
        }
        if (n > 0)
            st = akin_plot_line(p, v->a->ctx, solis_methods[m].name, x, y, NULL,
                                n);
    }
    return st;
}

static akin_status save(app *a, const akin_plot *p, const char *folder,
                        const char *name, const char *book)
{
    char file[64], path[4096];
    snprintf(file, sizeof file, "%s_%.31s.svg", name, book);
    const akin_status st = cli_join(a, path, sizeof path, folder, file);
    return st == AKIN_OK ? akin_plot_save(a->ctx, p, path) : st;
}

static akin_status plot_figure(const view *v, const char *folder)
{
    char title[128];
    const akin_plot_options o = {.size = sizeof o,
                                 .title = title,
                                 .x_label = "weights that are zero, %",
                                 .y_label = "mAP %"};
    view points = *v;  // of the others
    akin_plot *p = NULL;
    akin_status st = AKIN_OK;
    snprintf(title, sizeof title, "%.40s, %.31s words: along lambda",
             v->landmark, v->book);
    points.figure = "";
    points.first = 1;
    points.last = 4;
    APP_TRY(akin_plot_new(&p, v->a->ctx, &o));
    APP_TRY(add_lines(v, p));
    APP_TRY(add_lines(&points, p));
    APP_TRY(save(v->a, p, folder, "figure2", v->book));
done:
    akin_plot_free(p, v->a->ctx);
    return st;
}

/* The codebook's landmark in figure 2; "" when it has none. */
static const char *landmark_of(const json_t *rows, const char *book)
{
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        if (strcmp(reproduce_text(row, "codebook"), book) == 0 &&
            reproduce_text(row, "figure")[0])
            return reproduce_text(row, "landmark");
    }
    return "";
}

/* Mean mAP of every method as bars, theirs beside ours. */
static akin_status plot_means(const view *v, const char *folder)
{
    static const char *const series[] = {"akin", "paper"};
    const akin_plot_options o = {.size = sizeof o,
                                 .title = "mAP over all landmarks",
                                 .y_label = "mAP %",
                                 .width = 1400};
    const char *groups[MOST_POINTS];
    double values[2 * MOST_POINTS];
    int64_t n = 0;
    akin_plot *p = NULL;
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(v->rows) && n < MOST_POINTS; ++i) {
        const json_t *row = json_array_get(v->rows, i);
        if (!is_shown(v, row, reproduce_text(row, "method")) ||
            isfinite(reproduce_number(row, "distractors")))
            continue;
        groups[n] = reproduce_text(row, "method");
        values[2 * n] = reproduce_number(row, "map");
        values[2 * n++ + 1] = reproduce_number(row, "paper_value");
    }
    APP_TRY(akin_plot_new(&p, v->a->ctx, &o));
    APP_TRY(akin_plot_bars(p, v->a->ctx, groups, n, series, 2, values));
    APP_TRY(save(v->a, p, folder, "table1", v->book));
done:
    akin_plot_free(p, v->a->ctx);
    return st;
}

static akin_status plot_distractors(const view *v, const char *folder)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = "mAP among distractors",
                                 .x_label = "distractors",
                                 .y_label = "mAP %"};
    akin_plot *p = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&p, v->a->ctx, &o));
    APP_TRY(add_lines(v, p));
    APP_TRY(save(v->a, p, folder, "distractors", v->book));
done:
    akin_plot_free(p, v->a->ctx);
    return st;
}

akin_status solis_plot(app *a, const reproduce_flags *f, const json_t *rows)
{
    const char *last = "";
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        const char *book = reproduce_text(row, "codebook");
        if (json_object_get(row, "beside") || strcmp(book, last) == 0)
            continue;
        last = book;
        const view figure = {
            a, rows, book, "2", "sparsity", landmark_of(rows, book), 5, 8};
        const view means = {a, rows, book, "", "map", "", -1, 8};
        const view crowd = {a, rows, book, "", "distractors", "", -1, 8};
        APP_TRY(plot_figure(&figure, f->report));
        APP_TRY(plot_means(&means, f->report));
        APP_TRY(plot_distractors(&crowd, f->report));
    }
    APP_TRY(solis_cost_plot(a, f->report, rows, landmark_of(rows, last)));
done:
    return st;
}
