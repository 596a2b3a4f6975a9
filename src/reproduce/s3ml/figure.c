/* Figures 1 and 2: average precision of each concept, as bars. */
#include <akin/plot.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/s3ml/s3ml.h"

enum { MOST = 64, HALF = 18 };  // concepts of a picture

typedef struct words {
    const char *text[MOST];
    int64_t n;
} words;

static int64_t place_of(words *w, const char *text)
{
    for (int64_t i = 0; i < w->n; ++i)
        if (strcmp(w->text[i], text) == 0)
            return i;
    if (w->n == MOST)
        return -1;
    w->text[w->n] = text;
    return w->n++;
}

/* The concepts from `from` on, as one picture. */
static akin_status draw_bars(app *a, const char *path, const words *concepts,
                             const words *methods, const double *values,
                             int64_t from, int64_t count)
{
    const akin_plot_options o = {.size = sizeof o,
                                 .title = "Relevance feedback",
                                 .x_label = "concept",
                                 .y_label = "average precision %",
                                 .width = 1400,
                                 .height = 560};
    akin_plot *plot = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(akin_plot_new(&plot, a->ctx, &o));
    APP_TRY(akin_plot_bars(plot, a->ctx, concepts->text + from, count,
                           methods->text, methods->n,
                           values + from * methods->n));
    APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot, a->ctx);
    return st;
}

akin_status s3ml_plot(app *a, const reproduce_flags *f, const json_t *rows)
{
    static const char *const files[] = {"figure1.svg", "figure2.svg"};
    words concepts = {.n = 0}, methods = {.n = 0};
    double *values = NULL;
    akin_status st = AKIN_OK;
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        if (reproduce_text(row, "concept")[0]) {
            place_of(&concepts, reproduce_text(row, "concept"));
            place_of(&methods, reproduce_text(row, "method"));
        }
    }
    if (concepts.n == 0)
        return AKIN_OK;
    APP_TRY(APP_NEW(a, concepts.n * methods.n, &values));
    for (size_t i = 0; i < json_array_size(rows); ++i) {
        const json_t *row = json_array_get(rows, i);
        if (!reproduce_text(row, "concept")[0])
            continue;
        const int64_t c = place_of(&concepts, reproduce_text(row, "concept"));
        const int64_t m = place_of(&methods, reproduce_text(row, "method"));
        if (c >= 0 && m >= 0)
            values[c * methods.n + m] = reproduce_number(row, "map");
    }
    for (int64_t k = 0; k < 2 && k * HALF < concepts.n; ++k) {
        char path[4096];
        const int64_t left = concepts.n - k * HALF;
        APP_TRY(cli_join(a, path, sizeof path, f->report, files[k]));
        APP_TRY(draw_bars(a, path, &concepts, &methods, values, k * HALF,
                          left < HALF ? left : HALF));
    }
done:
    free(values);
    return st;
}
