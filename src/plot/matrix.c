/* A matrix as a picture: white for zero and below, black for the largest. */
#include <akin/plot.h>

#include <math.h>

#include "plot/svg.h"

enum { SIDE = 600, MARGIN = 40, SHADES = 16 };

static int shade_of(double value, double most)
{
    if (!(value > 0.0) || !(most > 0.0))
        return 0;
    return (int)lround(fmin(value / most, 1.0) * (SHADES - 1));
}

/* One rectangle for adjacent cells of the same shade. */
static void draw_row(ak_svg *s, int64_t i, int64_t columns, const double *row,
                     double most, double cell)
{
    for (int64_t j = 0; j < columns;) {
        const int shade = shade_of(row[j], most);
        const int64_t begin = j;
        while (j < columns && shade_of(row[j], most) == shade)
            ++j;
        if (shade == 0)
            continue;
        const int grey = 255 - 255 * shade / (SHADES - 1);
        ak_svg_put(s,
                   "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
                   "height=\"%.2f\" fill=\"rgb(%d,%d,%d)\"/>\n",
                   MARGIN + (double)begin * cell, MARGIN + (double)i * cell,
                   (double)(j - begin) * cell, cell, grey, grey, grey);
    }
}

typedef struct matrix {
    const char *title;
    int64_t rows, columns;
    const double *values;
} matrix;

static void draw_matrix(ak_svg *s, const void *arg)
{
    const matrix *m = arg;
    const int64_t rows = m->rows, columns = m->columns;
    const double *values = m->values;
    const double cell = (double)SIDE /
                        (double)(rows > columns ? rows : columns);
    const double width = (double)columns * cell, height = (double)rows * cell;
    double most = 0.0;
    for (int64_t k = 0; k < rows * columns; ++k)
        if (isfinite(values[k]))
            most = fmax(most, values[k]);
    ak_svg_put(s,
               "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" "
               "height=\"%.0f\" font-family=\"sans-serif\">\n<rect "
               "width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<text "
               "x=\"%d\" y=\"26\" font-size=\"16\">",
               width + 2 * MARGIN, height + 2 * MARGIN, MARGIN);
    ak_svg_text(s, m->title, 70);
    ak_svg_put(s, "</text>\n<g shape-rendering=\"crispEdges\">\n");
    for (int64_t i = 0; i < rows; ++i)
        draw_row(s, i, columns, values + i * columns, most, cell);
    ak_svg_put(s,
               "<rect x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\" "
               "fill=\"none\" stroke=\"black\"/>\n</g>\n<text x=\"%d\" "
               "y=\"%.0f\" font-size=\"12\">white: 0 and below, black: "
               "%.3g</text>\n</svg>\n",
               MARGIN, MARGIN, width, height, MARGIN, MARGIN + height + 20.0,
               most);
}

akin_status akin_matrix_save(akin_ctx *ctx, const char *path, const char *title,
                             int64_t rows, int64_t columns,
                             const double *values)
{
    const matrix m = {title ? title : "", rows, columns, values};
    if (rows < 1 || columns < 1)
        return ak_fail(ctx, AKIN_EINVAL,
                       "the matrix has %" PRId64 " x %" PRId64
                       " numbers (expected at least 1 x 1)",
                       rows, columns);
    return ak_svg_save(ctx, path, draw_matrix, &m);
}
