/* The paper: title, axes with ticks and a light grid, legend on the right. */
#include "plot/frame.h"

#include <math.h>

#define GREY "#5f6368"
#define INK "#202124"

enum { FONT = AK_PLOT_FONT, LEGEND_ROW = 20, LEGEND_TEXT = 34, SIDE = 18 };

const char *ak_plot_colour(int64_t i)
{
    static const char *const colours[] = {
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
        "#444444", "#8c564b", "#9467bd", "#b8b800", "#17becf", "#a8a8a8"};
    return colours[i % AK_PLOT_COLOURS];
}

const char *ak_plot_dashes(int64_t i)
{
    static const char *const dashes[] = {"none", "7 4", "2 3", "8 3 2 3"};
    return dashes[i / AK_PLOT_COLOURS % 4];
}

void ak_plot_mark(ak_svg *s, int64_t i, double x, double y)
{
    const double r = 3.6;
    switch (i % 5) {
    case 0:
        ak_svg_put(s, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"%.1f\"/>", x, y, r);
        break;
    case 1:
        ak_svg_put(s,
                   "<rect x=\"%.2f\" y=\"%.2f\" width=\"6.6\" "
                   "height=\"6.6\"/>",
                   x - 3.3, y - 3.3);
        break;
    case 2:
        ak_svg_put(s, "<path d=\"M%.2f %.2fl4.3 7.4h-8.6z\"/>", x, y - 4.9);
        break;
    case 3:
        ak_svg_put(s, "<path d=\"M%.2f %.2fl4.6 4.6l-4.6 4.6l-4.6 -4.6z\"/>", x,
                   y - 4.6);
        break;
    default:
        ak_svg_put(s, "<path d=\"M%.2f %.2fl4.3 -7.4h-8.6z\"/>", x, y + 4.9);
    }
}

double ak_plot_text_width(const char *text)
{
    return AK_PLOT_LETTER * (double)ak_svg_length(text);
}

static int64_t series_count(const akin_plot *p)
{
    return p->values ? p->n_series : p->n_lines;
}

static const char *series_name(const akin_plot *p, int64_t i)
{
    return p->values ? p->series[i] : p->lines[i].name;
}

/* Room for the legend, at most two fifths of the paper; none when there is a
 * single series without a name. */
static double legend_width(const akin_plot *p)
{
    double widest = 0.0;
    for (int64_t i = 0; i < series_count(p); ++i)
        widest = fmax(widest, ak_plot_text_width(series_name(p, i)));
    return widest > 0.0
               ? fmin(LEGEND_TEXT + widest, 0.4 * (double)p->width) + 8.0
               : 0.0;
}

/* The field between the labels. The paper grows if the legend is longer. */
static void lay_out(ak_frame *f)
{
    const akin_plot *p = f->plot;
    double ticks = 0.0;
    for (int64_t i = 0; i < f->y.n_ticks; ++i)
        ticks = fmax(ticks, ak_plot_text_width(f->y.texts[i]));
    const double rows = (double)series_count(p) * LEGEND_ROW;
    f->width = (double)p->width;
    f->left = SIDE + ticks + 8.0 + (*p->y_label ? FONT + 8.0 : 0.0);
    f->right = fmax(f->width - SIDE - legend_width(p), f->left + 10.0);
    f->top = *p->title ? 50.0 : 22.0;
    const double below = (p->values ? ak_bars_names_height(f) : 20.0) + 12.0 +
                         (*p->x_label ? 22.0 : 0.0);
    f->height =
        fmax((double)p->height,
             f->top + fmax(legend_width(p) > 0.0 ? rows : 0.0, 10.0) + below);
    f->bottom = f->height - below;
    f->x.from = f->left;
    f->x.to = f->right;
    f->y.from = f->bottom;
    f->y.to = f->top;
}

static void draw_words(ak_frame *f)
{
    const akin_plot *p = f->plot;
    const int64_t most = (int64_t)(f->width / AK_PLOT_LETTER);
    ak_svg_put(f->svg, "<g fill=\"" INK "\">\n");
    if (*p->title) {
        ak_svg_put(f->svg,
                   "<text x=\"%d\" y=\"28\" font-size=\"15\" "
                   "font-weight=\"600\">",
                   SIDE);
        ak_svg_text(f->svg, p->title, most * 3 / 4);
        ak_svg_put(f->svg, "</text>\n");
    }
    if (*p->x_label) {
        ak_svg_put(f->svg,
                   "<text x=\"%.2f\" y=\"%.2f\" "
                   "text-anchor=\"middle\">",
                   0.5 * (f->left + f->right), f->height - 14.0);
        ak_svg_text(f->svg, p->x_label, most);
        ak_svg_put(f->svg, "</text>\n");
    }
    if (*p->y_label) {
        const double y = 0.5 * (f->top + f->bottom);
        ak_svg_put(f->svg,
                   "<text transform=\"translate(%.2f %.2f) "
                   "rotate(-90)\" text-anchor=\"middle\">",
                   SIDE + 8.0, y);
        ak_svg_text(f->svg, p->y_label, most);
        ak_svg_put(f->svg, "</text>\n");
    }
    ak_svg_put(f->svg, "</g>\n");
}

static void draw_y_axis(ak_frame *f)
{
    ak_svg_put(f->svg, "<g stroke=\"#e4e7eb\">\n");
    for (int64_t i = 0; i < f->y.n_ticks; ++i) {
        const double y = ak_axis_at(&f->y, f->y.ticks[i]);
        ak_svg_put(f->svg, "<path d=\"M%.2f %.2fH%.2f\"/>\n", f->left, y,
                   f->right);
    }
    ak_svg_put(f->svg, "</g>\n<g fill=\"" GREY "\" text-anchor=\"end\">\n");
    for (int64_t i = 0; i < f->y.n_ticks; ++i)
        ak_svg_put(f->svg, "<text x=\"%.2f\" y=\"%.2f\">%s</text>\n",
                   f->left - 8.0, ak_axis_at(&f->y, f->y.ticks[i]) + 4.0,
                   f->y.texts[i]);
    ak_svg_put(f->svg, "</g>\n");
}

/* The line at the bottom; lines have ticks on it, bars name their groups. */
static void draw_x_axis(ak_frame *f)
{
    ak_svg_put(f->svg,
               "<g stroke=\"" GREY "\">\n<path d=\"M%.2f %.2fH%.2f\"/>\n",
               f->left, f->bottom, f->right);
    for (int64_t i = 0; i < f->x.n_ticks; ++i)
        ak_svg_put(f->svg, "<path d=\"M%.2f %.2fv5\"/>\n",
                   ak_axis_at(&f->x, f->x.ticks[i]), f->bottom);
    ak_svg_put(f->svg, "</g>\n<g fill=\"" GREY "\" text-anchor=\"middle\">\n");
    for (int64_t i = 0; i < f->x.n_ticks; ++i)
        ak_svg_put(f->svg, "<text x=\"%.2f\" y=\"%.2f\">%s</text>\n",
                   ak_axis_at(&f->x, f->x.ticks[i]), f->bottom + 20.0,
                   f->x.texts[i]);
    ak_svg_put(f->svg, "</g>\n");
}

static void draw_legend_row(ak_frame *f, int64_t i, double x, double y)
{
    ak_svg_put(f->svg, "<g fill=\"%s\">", ak_plot_colour(i));
    if (f->plot->values) {
        ak_svg_put(f->svg,
                   "<rect x=\"%.2f\" y=\"%.2f\" width=\"13\" "
                   "height=\"13\" rx=\"2\"/>",
                   x + 8.0, y - 6.5);
    } else {
        ak_svg_put(f->svg,
                   "<path d=\"M%.2f %.2fh26\" stroke=\"%s\" "
                   "stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                   x, y, ak_plot_colour(i), ak_plot_dashes(i));
        if (ak_line_has_marks(&f->plot->lines[i]))
            ak_plot_mark(f->svg, i, x + 13.0, y);
    }
    ak_svg_put(f->svg, "</g><text x=\"%.2f\" y=\"%.2f\">", x + LEGEND_TEXT,
               y + 4.0);
    ak_svg_text(f->svg, series_name(f->plot, i),
                (int64_t)(0.4 * f->width / AK_PLOT_LETTER) - 4);
    ak_svg_put(f->svg, "</text>\n");
}

static void draw_legend(ak_frame *f)
{
    if (legend_width(f->plot) == 0.0)
        return;
    ak_svg_put(f->svg, "<g fill=\"" INK "\">\n");
    for (int64_t i = 0; i < series_count(f->plot); ++i)
        draw_legend_row(f, i, f->right + 16.0,
                        f->top + 8.0 + (double)(i * LEGEND_ROW));
    ak_svg_put(f->svg, "</g>\n");
}

static void draw_field(ak_frame *f)
{
    if (ak_axis_empty(&f->y))
        ak_svg_put(f->svg,
                   "<text x=\"%.2f\" y=\"%.2f\" fill=\"" GREY "\" "
                   "text-anchor=\"middle\">no data</text>\n",
                   0.5 * (f->left + f->right), 0.5 * (f->top + f->bottom));
    else if (f->plot->values)
        ak_bars_draw(f);
    else
        ak_lines_draw(f);
}

void ak_frame_draw(const akin_plot *p, ak_svg *s)
{
    ak_frame f = {.plot = p, .svg = s};
    f.x = ak_axis_new(p->log_x);
    f.y = ak_axis_new(p->log_y);
    (p->values ? ak_bars_reach : ak_lines_reach)(&f);
    ak_axis_finish(&f.x, 0.03, ak_max_i64(2, p->width / 110));
    ak_axis_finish(&f.y, 0.06, ak_max_i64(2, p->height / 70));
    lay_out(&f);
    ak_svg_put(s,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
               "height=\"%.0f\" viewBox=\"0 0 %.0f %.0f\" role=\"img\" "
               "font-family=\"Helvetica, Arial, 'DejaVu Sans', "
               "sans-serif\" font-size=\"%d\">\n<title>",
               f.width, f.height, f.width, f.height, FONT);
    ak_svg_text(s, p->title, INT64_MAX);
    ak_svg_put(s, "</title>\n<rect width=\"100%%\" height=\"100%%\" "
                  "fill=\"#ffffff\"/>\n");
    draw_words(&f);
    draw_y_axis(&f);
    draw_field(&f);
    draw_x_axis(&f);
    draw_legend(&f);
    ak_svg_put(s, "</svg>\n");
}
