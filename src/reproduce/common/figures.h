/* reproduce/common/figures.h - plots of a paper's rows, as a table of figures.
 *
 * A figure selects rows and draws them as lines or bars, a series for each
 * method. With `each`, there is one plot for each value of that key. */
#ifndef REPRODUCE_COMMON_FIGURES_H
#define REPRODUCE_COMMON_FIGURES_H

#include "reproduce/common/reproduce.h"

/* The rows, and the value of `each` that a plot is for ("": none). */
typedef struct reproduce_view {
    const json_t *rows;
    const char *value;
} reproduce_view;

enum { REPRODUCE_ABOUT = 64 };

struct reproduce_figure {
    const char *file, *title;  // "%s": the value of `each`
    const char *each;          // key; NULL: one plot

    /* The rows shown: those with the texts of a list "figure=5,table=" ("":
     * no text), and with the value of `each` where there is no `shows`. */
    const char *where;
    bool (*shows)(const reproduce_view *v, const json_t *row);  // NULL: all
    /* Writes the end of the title; NULL: nothing. */
    void (*about)(const reproduce_view *v, char text[REPRODUCE_ABOUT]);

    const char *x_label, *y_label;      // x_label: "%s" as in the title
    const char *x;                      // lines: key of x, or
    double (*x_of)(const json_t *row);  // its value; both NULL: bars
    const char *group;                  // bars: key of the groups
    const char *y;                      // key of the number shown,
    double unit;                        // in this unit; 0: 1
    const char *beside;                 // bars: key of a second series "paper"
                                        // beside "akin", not the methods
    bool by_rank;                       // lines: a series for each rank too
    bool log_x, log_y_if_wide;          // wide: values differ by 20 times
    int64_t first, count;               // bars: groups shown; 0: all
    int64_t width, height;              // 0: default
};

/* Draw the figures of a table that ends with a NULL file; a figure without rows
 * is left out. */
akin_status reproduce_draw(app *a, const char *folder, const json_t *rows,
                           const reproduce_figure *figures);

#endif
