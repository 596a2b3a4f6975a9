/* Rows of a reproduced table as bars. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "reproduce/common/csv_file.h"
#include "reproduce/common/reproduce.h"

enum { MOST = 32 };

typedef struct bars {
    const char *groups[MOST], *methods[MOST];
    int64_t n_groups, n_methods;
    double values[MOST * MOST];
} bars;

/* Where a word stands in the list, which it joins; -1: the list is full. */
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

/* Two passes: the values lie as wide as there are methods. */
static void gather(bars *b, const json_t *rows, const char *group,
                   const char *measure, double unit)
{
    for (int i = 0; i < MOST * MOST; ++i)
        b->values[i] = NAN;
    for (int pass = 0; pass < 2; ++pass)
        for (size_t i = 0; i < json_array_size(rows); ++i) {
            const json_t *row = json_array_get(rows, i);
            const int64_t g =
                place_of(b->groups, &b->n_groups, reproduce_text(row, group));
            const int64_t m = place_of(b->methods, &b->n_methods,
                                       reproduce_text(row, "method"));
            if (pass == 1 && g >= 0 && m >= 0)
                b->values[g * b->n_methods + m] =
                    reproduce_number(row, measure) / unit;
        }
}

akin_status reproduce_bars(app *a, const char *folder, const char *file,
                           const akin_plot_options *o, const json_t *rows,
                           const char *group, const char *measure, double unit)
{
    char path[4096];
    akin_plot *plot = NULL;
    bars *b = NULL;
    akin_status st = AKIN_OK;
    APP_TRY(APP_NEW(a, 1, &b));
    gather(b, rows, group, measure, unit);
    APP_TRY(akin_plot_new(&plot, a->ctx, o));
    APP_TRY(akin_plot_bars(plot, a->ctx, b->groups, b->n_groups, b->methods,
                           b->n_methods, b->values));
    APP_TRY(cli_join(a, path, sizeof path, folder, file));
    APP_TRY(akin_plot_save(a->ctx, plot, path));
done:
    akin_plot_free(plot, a->ctx);
    free(b);
    return st;
}
