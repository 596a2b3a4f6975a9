/* Bars side by side, in groups. They stand on zero, on a logarithmic axis on
 * its lower end. */
#include "plot/frame.h"

#include <math.h>

#include "plot/axis.h"

static double value(const akin_plot *p, int64_t g, int64_t k)
{
    return p->values[g * p->n_series + k];
}

void ak_bars_reach(ak_frame *f)
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

static void draw_bar(ak_frame *f, int64_t g, int64_t k, double x, double width)
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
               v, x, fmin(y, zero), width, fabs(y - zero), ak_plot_colour(k));
    if (width >= 28.0)
        ak_svg_put(f->svg, "<text x=\"%.2f\" y=\"%.2f\">%.3g</text>",
                   x + 0.5 * width, v < 0.0 ? y + 12.0 : y - 4.0, v);
    ak_svg_put(f->svg, "</g>\n");
}

/* Names that are too long for their places are written aslant; one that would
 * leave the paper is cut, and of very many groups only some are named. */
static const double SLANT_COS = 0.77, SLANT_SIN = 0.64;  // of 40 degrees

static double group_step(const ak_frame *f)
{
    return (f->right - f->left) / (double)ak_max_i64(1, f->plot->n_groups);
}

static double longest_name(const ak_frame *f)
{
    double longest = 0.0;
    for (int64_t g = 0; g < f->plot->n_groups; ++g)
        longest = fmax(longest, ak_plot_text_width(f->plot->groups[g]));
    return longest;
}

static bool aslant(const ak_frame *f)
{
    return longest_name(f) > 0.96 * group_step(f);
}

static double slant_room(const ak_frame *f)
{
    return fmin((f->left + 0.5 * group_step(f)) / SLANT_COS, 160.0);
}

double ak_bars_names_height(const ak_frame *f)
{
    if (!aslant(f))
        return 20.0;
    return 14.0 + SLANT_SIN * fmin(longest_name(f), slant_room(f));
}

static void draw_group_names(ak_frame *f)
{
    const bool slant = aslant(f);
    const double step = group_step(f);
    const int64_t skip = slant ? (int64_t)ceil(14.0 / step) : 1;
    ak_svg_put(f->svg, "<g fill=\"#5f6368\" text-anchor=\"%s\">\n",
               slant ? "end" : "middle");
    for (int64_t g = 0; g < f->plot->n_groups; g += skip) {
        ak_svg_put(f->svg, "<text transform=\"translate(%.2f %.2f)%s\">",
                   f->left + step * ((double)g + 0.5),
                   f->bottom + (slant ? 14.0 : 20.0),
                   slant ? " rotate(-40)" : "");
        ak_svg_text(f->svg, f->plot->groups[g],
                    slant ? (int64_t)(slant_room(f) / AK_PLOT_LETTER)
                          : INT64_MAX);
        ak_svg_put(f->svg, "</text>\n");
    }
    ak_svg_put(f->svg, "</g>\n");
}

void ak_bars_draw(ak_frame *f)
{
    const akin_plot *p = f->plot;
    const double step = group_step(f);
    const double room = 0.76 * step / (double)p->n_series;
    const double width = fmin(room * 0.94, 64.0);
    const double used = fmin(room, 64.0 / 0.94) * (double)p->n_series;
    ak_svg_put(f->svg, "<g font-size=\"10\" fill=\"#5f6368\" "
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
