/* A chart: lines with marks and error bars, or bars in groups, with a title,
 * axes with ticks and a light grid, and a legend on the right. */
#include <akin/plot.h>
#include <math.h>
#include <string.h>

#include "plot/axis.h"
#include "plot/svg.h"

#define GREY "#5f6368"
#define INK "#202124"

enum {
    WIDTH = 720,
    HEIGHT = 440,
    LARGEST = 16384,
    FONT = 12,
    LEGEND_ROW = 20,
    LEGEND_TEXT = 34,
    SIDE = 18,
    COLOURS = 12,
    MARKS = 60,  // points of a line that still gets marks
};
/* How wide a character is, on average. */
#define LETTER (0.56 * FONT)

typedef struct plot_line {
    char *name;
    double *x, *y;
    double *error;  // NULL: none
    int64_t n;
} plot_line;

struct akin_plot {
    char *title, *x_label, *y_label;
    bool log_x, log_y;
    int64_t width, height;

    plot_line *lines;
    int64_t n_lines;

    char **groups, **series;
    int64_t n_groups, n_series;
    double *values;  // n_groups x n_series; NULL: no bars
};

/* A chart that is being drawn; y grows downwards, as in SVG. */
typedef struct chart {
    const akin_plot *plot;
    ak_svg *svg;
    ak_axis x, y;
    double width, height;
    double left, right, top, bottom;  // of the field the data are drawn in
} chart;

/* ---- series -------------------------------------------------------------- */

/* Colours repeat after twelve, then with dashes; the first seven are those of
 * Okabe and Ito that stand out from white, told apart by the colour-blind. */
static const char *colour_of(int64_t i)
{
    static const char *const colours[] = {
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",
        "#444444", "#8c564b", "#9467bd", "#b8b800", "#17becf", "#a8a8a8"};
    return colours[i % COLOURS];
}

static const char *dashes_of(int64_t i)
{
    static const char *const dashes[] = {"none", "7 4", "2 3", "8 3 2 3"};
    return dashes[i / COLOURS % 4];
}

/* The mark of series i at a place. */
static void put_mark(ak_svg *s, int64_t i, double x, double y)
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

static double text_width(const char *text)
{
    return LETTER * (double)ak_svg_length(text);
}

/* ---- lines --------------------------------------------------------------- */

/* A line with very many points has no marks. */
static bool has_marks(const plot_line *l)
{
    return l->n <= MARKS;
}

static bool shown(const chart *f, const plot_line *l, int64_t i)
{
    return ak_axis_shows(&f->x, l->x[i]) && ak_axis_shows(&f->y, l->y[i]);
}

static bool has_error(const plot_line *l, int64_t i)
{
    return l->error && l->error[i] > 0.0 && isfinite(l->error[i]);
}

static void reach_lines(chart *f)
{
    for (int64_t k = 0; k < f->plot->n_lines; ++k) {
        const plot_line *l = &f->plot->lines[k];
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
static void draw_path(chart *f, const plot_line *l)
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

static void draw_errors(chart *f, const plot_line *l)
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

/* The tooltip of a mark shows its numbers. */
static void draw_marks(chart *f, const plot_line *l, int64_t k)
{
    ak_svg_put(f->svg,
               "<g fill=\"%s\" stroke=\"#ffffff\" "
               "stroke-dasharray=\"none\">\n",
               colour_of(k));
    for (int64_t i = 0; i < l->n; ++i) {
        if (!shown(f, l, i))
            continue;
        ak_svg_put(f->svg, "<g><title>");
        ak_svg_text(f->svg, l->name, INT64_MAX);
        ak_svg_put(f->svg, "%s%.6g, %.6g</title>", *l->name ? ": " : "",
                   l->x[i], l->y[i]);
        put_mark(f->svg, k, ak_axis_at(&f->x, l->x[i]),
                 ak_axis_at(&f->y, l->y[i]));
        ak_svg_put(f->svg, "</g>\n");
    }
    ak_svg_put(f->svg, "</g>\n");
}

static void draw_lines(chart *f)
{
    for (int64_t k = 0; k < f->plot->n_lines; ++k) {
        const plot_line *l = &f->plot->lines[k];
        ak_svg_put(f->svg, "<g stroke=\"%s\" stroke-dasharray=\"%s\">\n",
                   colour_of(k), dashes_of(k));
        draw_path(f, l);
        draw_errors(f, l);
        if (has_marks(l))
            draw_marks(f, l, k);
        ak_svg_put(f->svg, "</g>\n");
    }
}

/* ---- bars ---------------------------------------------------------------- */

/* The height of a bar. */
static double value(const akin_plot *p, int64_t g, int64_t k)
{
    return p->values[g * p->n_series + k];
}

/* Bars start at zero, or at the lower end of a logarithmic axis. */
static void reach_bars(chart *f)
{
    const akin_plot *p = f->plot;
    for (int64_t i = 0; i < p->n_groups * p->n_series; ++i)
        ak_axis_reach(&f->y, p->values[i]);
    if (ak_axis_empty(&f->y))
        return;
    if (f->y.log)
        f->y.low = floor(f->y.low - 1e-9);
    else
        ak_axis_reach(&f->y, 0.0);
}

static void draw_bar(chart *f, int64_t g, int64_t k, double x, double width)
{
    const akin_plot *p = f->plot;
    const double v = value(p, g, k);
    if (!ak_axis_shows(&f->y, v))
        return;
    const double y = ak_axis_at(&f->y, v);
    const double zero = f->y.log ? f->bottom : ak_axis_at(&f->y, 0.0);
    ak_svg_put(f->svg, "<g><title>");
    ak_svg_text(f->svg, p->groups[g], INT64_MAX);
    ak_svg_put(f->svg, ", ");
    ak_svg_text(f->svg, p->series[k], INT64_MAX);
    ak_svg_put(f->svg,
               ": %.6g</title><rect x=\"%.2f\" y=\"%.2f\" "
               "width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>",
               v, x, fmin(y, zero), width, fabs(y - zero), colour_of(k));
    if (width >= 28.0)
        ak_svg_put(f->svg, "<text x=\"%.2f\" y=\"%.2f\">%.3g</text>",
                   x + 0.5 * width, v < 0.0 ? y + 12.0 : y - 4.0, v);
    ak_svg_put(f->svg, "</g>\n");
}

/* Names that are too long are rotated; a name that would leave the image is
 * truncated, and of very many groups only some are named. */
static const double SLANT_COS = 0.77, SLANT_SIN = 0.64;  // of 40 degrees

static double group_step(const chart *f)
{
    return (f->right - f->left) / (double)ak_max_i64(1, f->plot->n_groups);
}

static double longest_name(const chart *f)
{
    double longest = 0.0;
    for (int64_t g = 0; g < f->plot->n_groups; ++g)
        longest = fmax(longest, text_width(f->plot->groups[g]));
    return longest;
}

static bool is_slanted(const chart *f)
{
    return longest_name(f) > 0.96 * group_step(f);
}

static double slant_room(const chart *f)
{
    return fmin((f->left + 0.5 * group_step(f)) / SLANT_COS, 160.0);
}

/* Room for the names below the axis, whose left and right are set. */
static double names_height(const chart *f)
{
    if (!is_slanted(f))
        return 20.0;
    return 14.0 + SLANT_SIN * fmin(longest_name(f), slant_room(f));
}

static void draw_group_names(chart *f)
{
    const bool slant = is_slanted(f);
    const double step = group_step(f);
    const int64_t skip = slant ? (int64_t)ceil(14.0 / step) : 1;
    ak_svg_put(f->svg, "<g fill=\"" GREY "\" text-anchor=\"%s\">\n",
               slant ? "end" : "middle");
    for (int64_t g = 0; g < f->plot->n_groups; g += skip) {
        ak_svg_put(f->svg, "<text transform=\"translate(%.2f %.2f)%s\">",
                   f->left + step * ((double)g + 0.5),
                   f->bottom + (slant ? 14.0 : 20.0),
                   slant ? " rotate(-40)" : "");
        ak_svg_text(f->svg, f->plot->groups[g],
                    slant ? (int64_t)(slant_room(f) / LETTER) : INT64_MAX);
        ak_svg_put(f->svg, "</text>\n");
    }
    ak_svg_put(f->svg, "</g>\n");
}

static void draw_bars(chart *f)
{
    const akin_plot *p = f->plot;
    const double step = group_step(f);
    const double room = 0.76 * step / (double)p->n_series;
    const double width = fmin(room * 0.94, 64.0);
    const double used = fmin(room, 64.0 / 0.94) * (double)p->n_series;
    ak_svg_put(f->svg, "<g font-size=\"10\" fill=\"" GREY "\" "
                       "text-anchor=\"middle\">\n");
    for (int64_t g = 0; g < p->n_groups; ++g) {
        const double x = f->left + step * (double)g;
        const double first = x + 0.5 * (step - used);
        for (int64_t k = 0; k < p->n_series; ++k)
            draw_bar(f, g, k, first + used / (double)p->n_series * (double)k,
                     width);
    }
    ak_svg_put(f->svg, "</g>\n");
    draw_group_names(f);
}

/* ---- layout -------------------------------------------------------------- */

static int64_t series_count(const akin_plot *p)
{
    return p->values ? p->n_series : p->n_lines;
}

static const char *series_name(const akin_plot *p, int64_t i)
{
    return p->values ? p->series[i] : p->lines[i].name;
}

/* Width of the legend, at most two fifths of the image; 0 when there is a
 * single series without a name. */
static double legend_width(const akin_plot *p)
{
    double widest = 0.0;
    for (int64_t i = 0; i < series_count(p); ++i)
        widest = fmax(widest, text_width(series_name(p, i)));
    return widest > 0.0
               ? fmin(LEGEND_TEXT + widest, 0.4 * (double)p->width) + 8.0
               : 0.0;
}

/* The field between the labels. The image grows if the legend is longer. */
static void lay_out(chart *f)
{
    const akin_plot *p = f->plot;
    double ticks = 0.0;
    for (int64_t i = 0; i < f->y.n_ticks; ++i)
        ticks = fmax(ticks, text_width(f->y.texts[i]));
    const double rows = (double)series_count(p) * LEGEND_ROW;
    f->width = (double)p->width;
    f->left = SIDE + ticks + 8.0 + (*p->y_label ? FONT + 8.0 : 0.0);
    f->right = fmax(f->width - SIDE - legend_width(p), f->left + 10.0);
    f->top = *p->title ? 50.0 : 22.0;
    const double below = (p->values ? names_height(f) : 20.0) + 12.0 +
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

static void draw_words(chart *f)
{
    const akin_plot *p = f->plot;
    const int64_t most = (int64_t)(f->width / LETTER);
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

static void draw_y_axis(chart *f)
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
static void draw_x_axis(chart *f)
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

static void draw_legend_row(chart *f, int64_t i, double x, double y)
{
    ak_svg_put(f->svg, "<g fill=\"%s\">", colour_of(i));
    if (f->plot->values) {
        ak_svg_put(f->svg,
                   "<rect x=\"%.2f\" y=\"%.2f\" width=\"13\" "
                   "height=\"13\" rx=\"2\"/>",
                   x + 8.0, y - 6.5);
    } else {
        ak_svg_put(f->svg,
                   "<path d=\"M%.2f %.2fh26\" stroke=\"%s\" "
                   "stroke-width=\"2\" stroke-dasharray=\"%s\"/>",
                   x, y, colour_of(i), dashes_of(i));
        if (has_marks(&f->plot->lines[i]))
            put_mark(f->svg, i, x + 13.0, y);
    }
    ak_svg_put(f->svg, "</g><text x=\"%.2f\" y=\"%.2f\">", x + LEGEND_TEXT,
               y + 4.0);
    ak_svg_text(f->svg, series_name(f->plot, i),
                (int64_t)(0.4 * f->width / LETTER) - 4);
    ak_svg_put(f->svg, "</text>\n");
}

static void draw_legend(chart *f)
{
    if (legend_width(f->plot) == 0.0)
        return;
    ak_svg_put(f->svg, "<g fill=\"" INK "\">\n");
    for (int64_t i = 0; i < series_count(f->plot); ++i)
        draw_legend_row(f, i, f->right + 16.0,
                        f->top + 8.0 + (double)(i * LEGEND_ROW));
    ak_svg_put(f->svg, "</g>\n");
}

static void draw_field(chart *f)
{
    if (ak_axis_empty(&f->y))
        ak_svg_put(f->svg,
                   "<text x=\"%.2f\" y=\"%.2f\" fill=\"" GREY "\" "
                   "text-anchor=\"middle\">no data</text>\n",
                   0.5 * (f->left + f->right), 0.5 * (f->top + f->bottom));
    else if (f->plot->values)
        draw_bars(f);
    else
        draw_lines(f);
}

/* The whole file. */
static void draw_chart(ak_svg *s, const void *arg)
{
    const akin_plot *p = arg;
    chart f = {.plot = p, .svg = s};
    f.x = ak_axis_new(p->log_x);
    f.y = ak_axis_new(p->log_y);
    (p->values ? reach_bars : reach_lines)(&f);
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

/* ---- the object ---------------------------------------------------------- */

/* NULL is "". */
static akin_status copy_text(akin_ctx *ctx, const char *text, char **out)
{
    return ak_strdup(ctx, text ? text : "", out);
}

static akin_status copy_numbers(akin_ctx *ctx, const double *from, int64_t n,
                                double **out)
{
    const akin_status st = AK_NEW(ctx, n, out);
    if (st == AKIN_OK && n > 0)
        memcpy(*out, from, (size_t)n * sizeof **out);
    return st;
}

static akin_status copy_texts(akin_ctx *ctx, const char *const *from, int64_t n,
                              char ***out)
{
    akin_status st = AK_NEW(ctx, n, out);
    for (int64_t i = 0; i < n && st == AKIN_OK; ++i)
        st = copy_text(ctx, from[i], &(*out)[i]);
    return st;
}

static int64_t size_or(int64_t given, int64_t otherwise)
{
    return given == 0 ? otherwise : ak_min_i64(given, LARGEST);
}

akin_status akin_plot_new(akin_plot **out, akin_ctx *ctx,
                          const akin_plot_options *options)
{
    akin_plot_options o = {.size = sizeof o};
    akin_plot *p = NULL;
    akin_status st = AKIN_OK;
    ak_options_take(&o, sizeof o, options);
    if (o.width < 0 || o.height < 0)
        return ak_fail(ctx, AKIN_EINVAL,
                       "`width` and `height` must not be negative");

    AK_TRY(AK_NEW(ctx, 1, &p));
    p->log_x = o.log_x != 0;
    p->log_y = o.log_y != 0;
    p->width = size_or(o.width, WIDTH);
    p->height = size_or(o.height, HEIGHT);
    AK_TRY(copy_text(ctx, o.title, &p->title));
    AK_TRY(copy_text(ctx, o.x_label, &p->x_label));
    AK_TRY(copy_text(ctx, o.y_label, &p->y_label));
    *out = p;
    p = NULL;
done:
    akin_plot_free(p);
    return st;
}

static void free_line(plot_line *l)
{
    akin_free(l->name);
    akin_free(l->x);
    akin_free(l->y);
    akin_free(l->error);
}

static void free_texts(char **texts, int64_t n)
{
    for (int64_t i = 0; texts && i < n; ++i)
        akin_free(texts[i]);
    akin_free(texts);
}

akin_status akin_plot_line(akin_ctx *ctx, akin_plot *p, const char *name,
                           const double *x, const double *y,
                           const double *error, int64_t n)
{
    plot_line l = {.n = n};
    akin_status st = AKIN_OK;
    if (p->values)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the plot has bars; a plot has lines or bars, not both");
    if (n < 0)
        return ak_fail(ctx, AKIN_EINVAL, "the line has %" PRId64 " points", n);

    AK_TRY(ak_resize(ctx, p->n_lines + 1, sizeof *p->lines, &p->lines));
    AK_TRY(copy_text(ctx, name, &l.name));
    AK_TRY(copy_numbers(ctx, x, n, &l.x));
    AK_TRY(copy_numbers(ctx, y, n, &l.y));
    if (error)
        AK_TRY(copy_numbers(ctx, error, n, &l.error));
    p->lines[p->n_lines++] = l;
    l = (plot_line){.n = 0};
done:
    free_line(&l);
    return st;
}

akin_status akin_plot_bars(akin_ctx *ctx, akin_plot *p,
                           const char *const *groups, int64_t n_groups,
                           const char *const *series, int64_t n_series,
                           const double *values)
{
    char **group_names = NULL, **series_names = NULL;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    if (p->values || p->n_lines > 0)
        return ak_fail(ctx, AKIN_EINVAL, "the plot has lines or bars already");
    if (n_groups < 0 || n_series < 0 || !ak_mul_i64(n_groups, n_series, &n))
        return ak_fail(ctx, AKIN_EINVAL, "%" PRId64 " x %" PRId64 " bars",
                       n_groups, n_series);

    AK_TRY(copy_texts(ctx, groups, n_groups, &group_names));
    AK_TRY(copy_texts(ctx, series, n_series, &series_names));
    AK_TRY(copy_numbers(ctx, values, n, &p->values));
    p->groups = group_names;
    p->series = series_names;
    p->n_groups = n_groups;
    p->n_series = n_series;
    return st;
done:
    free_texts(group_names, n_groups);
    free_texts(series_names, n_series);
    return st;
}

akin_status akin_plot_save(akin_ctx *ctx, const akin_plot *p, const char *path)
{
    return ak_svg_save(ctx, path, draw_chart, p);
}

void akin_plot_free(akin_plot *p)
{
    if (p == NULL)
        return;
    for (int64_t i = 0; i < p->n_lines; ++i)
        free_line(&p->lines[i]);
    akin_free(p->lines);
    free_texts(p->groups, p->n_groups);
    free_texts(p->series, p->n_series);
    akin_free(p->values);
    akin_free(p->title);
    akin_free(p->x_label);
    akin_free(p->y_label);
    akin_free(p);
}
