/* Lines with marks and error bars. */
#include "plot/frame.h"

#include <math.h>

enum { MARKS = 60 };

bool ak_line_has_marks(const ak_plot_line *l)
{
    return l->n <= MARKS;
}

static bool shown(const ak_frame *f, const ak_plot_line *l, int64_t i)
{
    return ak_axis_shows(&f->x, l->x[i]) && ak_axis_shows(&f->y, l->y[i]);
}

static bool has_error(const ak_plot_line *l, int64_t i)
{
    return l->error && l->error[i] > 0.0 && isfinite(l->error[i]);
}

void ak_lines_reach(ak_frame *f)
{
    for (int64_t k = 0; k < f->plot->n_lines; ++k) {
        const ak_plot_line *l = &f->plot->lines[k];
        for (int64_t i = 0; i < l->n; ++i) {
            if (!shown(f, l, i))
                continue;
            ak_axis_reach(&f->x, l->x[i]);
            ak_axis_reach(&f->y, l->y[i]);
            if (!has_error(l, i))
                continue;
            ak_axis_reach(&f->y, l->y[i] - l->error[i]);
            ak_axis_reach(&f->y, l->y[i] + l->error[i]);
        }
    }
}

/* One path; a point that cannot be drawn leaves a gap. */
static void draw_path(ak_frame *f, const ak_plot_line *l)
{
    bool pen_down = false;
    ak_svg_put(f->svg, "<path fill=\"none\" stroke-width=\"2\" "
                       "stroke-linejoin=\"round\" d=\"");
    for (int64_t i = 0; i < l->n; ++i) {
        const bool draw = shown(f, l, i);
        if (draw)
            ak_svg_put(f->svg, "%c%.2f %.2f", pen_down ? 'L' : 'M',
                       ak_axis_at(&f->x, l->x[i]), ak_axis_at(&f->y, l->y[i]));
        pen_down = draw;
    }
    ak_svg_put(f->svg, "\"/>\n");
}

static void draw_errors(ak_frame *f, const ak_plot_line *l)
{
    for (int64_t i = 0; i < l->n; ++i) {
        if (!has_error(l, i) || !shown(f, l, i))
            continue;
        const double x = ak_axis_at(&f->x, l->x[i]);
        const double low = ak_axis_at(&f->y, l->y[i] - l->error[i]);
        const double high = ak_axis_at(&f->y, l->y[i] + l->error[i]);
        ak_svg_put(f->svg,
                   "<path stroke-width=\"1.2\" stroke-dasharray="
                   "\"none\" d=\"M%.2f %.2fh7m-3.5 0V%.2fm-3.5 0h7\"/>"
                   "\n",
                   x - 3.5, low, high);
    }
}

/* Each mark says its numbers when pointed at. */
static void draw_marks(ak_frame *f, const ak_plot_line *l, int64_t k)
{
    ak_svg_put(f->svg,
               "<g fill=\"%s\" stroke=\"#ffffff\" "
               "stroke-dasharray=\"none\">\n",
               ak_plot_colour(k));
    for (int64_t i = 0; i < l->n; ++i) {
        if (!shown(f, l, i))
            continue;
        ak_svg_put(f->svg, "<g><title>");
        ak_svg_text(f->svg, l->name, INT64_MAX);
        ak_svg_put(f->svg, "%s%.6g, %.6g</title>", *l->name ? ": " : "",
                   l->x[i], l->y[i]);
        ak_plot_mark(f->svg, k, ak_axis_at(&f->x, l->x[i]),
                     ak_axis_at(&f->y, l->y[i]));
        ak_svg_put(f->svg, "</g>\n");
    }
    ak_svg_put(f->svg, "</g>\n");
}

void ak_lines_draw(ak_frame *f)
{
    for (int64_t k = 0; k < f->plot->n_lines; ++k) {
        const ak_plot_line *l = &f->plot->lines[k];
        ak_svg_put(f->svg, "<g stroke=\"%s\" stroke-dasharray=\"%s\">\n",
                   ak_plot_colour(k), ak_plot_dashes(k));
        draw_path(f, l);
        draw_errors(f, l);
        if (ak_line_has_marks(l))
            draw_marks(f, l, k);
        ak_svg_put(f->svg, "</g>\n");
    }
}
