/* akin/plot.h - line charts, bars and matrices as SVG. */
#ifndef AKIN_PLOT_H
#define AKIN_PLOT_H

#include <akin/base.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_plot akin_plot;

typedef struct akin_plot_options {
    uint64_t size;                         /* sizeof(akin_plot_options) */
    const char *title, *x_label, *y_label; /* NULL: none */
    int64_t log_x, log_y;                  /* 1: a logarithmic axis */
    int64_t width, height; /* of the image, in pixels; 0: 720 x 440 */
} akin_plot_options;

AKIN_API akin_status akin_plot_new(akin_plot **out, akin_ctx *ctx,
                                   const akin_plot_options *options);
/* A line with marks through (x, y); `error` NULL or half lengths of bars. */
AKIN_API akin_status akin_plot_line(akin_ctx *ctx, akin_plot *p,
                                    const char *name, const double *x,
                                    const double *y, const double *error,
                                    int64_t n);
/* Bars side by side: `values` is groups x series, row-major; NAN leaves a
 * gap. A plot has lines or bars, not both. */
AKIN_API akin_status akin_plot_bars(akin_ctx *ctx, akin_plot *p,
                                    const char *const *groups, int64_t n_groups,
                                    const char *const *series, int64_t n_series,
                                    const double *values);
AKIN_API akin_status akin_plot_save(akin_ctx *ctx, const akin_plot *p,
                                    const char *path);
AKIN_API void akin_plot_free(akin_plot *p);

/* A matrix, row-major, as a picture: white for zero and below, black for the
 * largest number. */
AKIN_API akin_status akin_matrix_save(akin_ctx *ctx, const char *path,
                                      const char *title, int64_t rows,
                                      int64_t columns, const double *values);

#ifdef __cplusplus
}
#endif
#endif
