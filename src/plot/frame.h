/* plot/frame.h - what a chart is made of, and what lines and bars share: the
 * paper, the axes, the legend. */
#ifndef AK_PLOT_FRAME_H
#define AK_PLOT_FRAME_H

#include <akin/plot.h>

#include "plot/axis.h"
#include "plot/svg.h"

enum { AK_PLOT_FONT = 12, AK_PLOT_COLOURS = 12 };
/* How wide a character is, on average. */
#define AK_PLOT_LETTER (0.56 * AK_PLOT_FONT)

typedef struct ak_plot_line {
    char *name;
    double *x, *y;
    double *error;  // NULL: none
    int64_t n;
} ak_plot_line;

struct akin_plot {
    char *title, *x_label, *y_label;
    bool log_x, log_y;
    int64_t width, height;

    ak_plot_line *lines;
    int64_t n_lines;

    char **groups, **series;
    int64_t n_groups, n_series;
    double *values;  // n_groups x n_series; NULL: no bars
};

/* A chart that is being drawn; y grows downwards, as in SVG. */
typedef struct ak_frame {
    const akin_plot *plot;
    ak_svg *svg;
    ak_axis x, y;
    double width, height;
    double left, right, top, bottom;  // of the field the data are drawn in
} ak_frame;

/* Colour and dashes of series i. Colours repeat after twelve; the first seven
 * are those of Okabe and Ito that stand out from white, told apart by the
 * colour-blind. */
const char *ak_plot_colour(int64_t i);
const char *ak_plot_dashes(int64_t i);
/* The mark of series i at a place. */
void ak_plot_mark(ak_svg *s, int64_t i, double x, double y);

double ak_plot_text_width(const char *text);

/* The two ways to fill a frame; the axes are finished, or bars' x not used. */
void ak_lines_reach(ak_frame *f);
void ak_lines_draw(ak_frame *f);
void ak_bars_reach(ak_frame *f);
void ak_bars_draw(ak_frame *f);
/* A line with very many points has none. */
bool ak_line_has_marks(const ak_plot_line *l);
/* Room for the groups' names below the axis, whose left and right are set. */
double ak_bars_names_height(const ak_frame *f);

/* The whole file. */
void ak_frame_draw(const akin_plot *p, ak_svg *s);

#endif
