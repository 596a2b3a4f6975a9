/* The chart as an object: what is to be drawn, copied from the caller. */
#include <string.h>

#include "plot/frame.h"

enum { WIDTH = 720, HEIGHT = 440, LARGEST = 16384 };

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
        return ak_fail(ctx, AKIN_EINVAL, "a plot of negative size");

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

static void free_line(ak_plot_line *l)
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
    ak_plot_line l = {.n = n};
    akin_status st = AKIN_OK;
    if (p->values)
        return ak_fail(ctx, AKIN_EINVAL, "a plot has lines or bars, not both");
    if (n < 0)
        return ak_fail(ctx, AKIN_EINVAL, "a line of %" PRId64 " points", n);

    AK_TRY(ak_resize(ctx, p->n_lines + 1, sizeof *p->lines, &p->lines));
    AK_TRY(copy_text(ctx, name, &l.name));
    AK_TRY(copy_numbers(ctx, x, n, &l.x));
    AK_TRY(copy_numbers(ctx, y, n, &l.y));
    if (error)
        AK_TRY(copy_numbers(ctx, error, n, &l.error));
    p->lines[p->n_lines++] = l;
    l = (ak_plot_line){.n = 0};
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
        return ak_fail(ctx, AKIN_EINVAL,
                       "a plot has lines, or bars given once");
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

static void draw(ak_svg *s, const void *arg)
{
    ak_frame_draw(arg, s);
}

akin_status akin_plot_save(akin_ctx *ctx, const akin_plot *p, const char *path)
{
    return ak_svg_save(ctx, path, draw, p);
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
