/* Reading and writing rows, by the ending of the path. */
#include <string.h>
#include <strings.h>

#include "data/formats.h"
#include "data/packing.h"

static const ak_format *const formats[] = {
    &ak_format_svmlight,
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

static bool has_ending(const ak_format *f, const char *path, size_t n)
{
    for (int k = 0; k < 4 && f->endings[k] != NULL; ++k) {
        const size_t m = strlen(f->endings[k]);
        if (n >= m && strncasecmp(path + n - m, f->endings[k], m) == 0)
            return true;
    }
    return false;
}

const ak_format *ak_format_of(const char *path)
{
    size_t n = strlen(path);
    if (strcmp(path, "-") == 0)
        return &ak_format_svmlight;
    if (ak_packing_by_ending(path) != AK_PLAIN)
        while (n > 0 && path[--n] != '.')
            ;
    for (int k = 0; k < N_FORMATS; ++k)
        if (has_ending(formats[k], path, n) &&
            (formats[k]->text || path[n] == '\0'))
            return formats[k];
    return NULL;
}

static akin_status unknown(akin_ctx *ctx, const char *path)
{
    char list[256] = "";
    size_t n = 0;
    for (int f = 0; f < N_FORMATS; ++f)
        for (int k = 0; k < 4 && formats[f]->endings[k] != NULL; ++k) {
            const size_t m = strlen(formats[f]->endings[k]);
            if (n + m + 2 > sizeof list)
                break;
            list[n] = ' ';
            memcpy(list + n + 1, formats[f]->endings[k], m);
            n += m + 1;
        }
    list[n] = '\0';
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: the ending tells no format (expected one of%s; text "
                   "also with .gz or .zst)",
                   path, list);
}

/* The caller's struct may be older than ours: shorter. */
static akin_status take_options(akin_read_options *to, akin_ctx *ctx,
                                const akin_read_options *from)
{
    *to = (akin_read_options)AKIN_READ_DEFAULTS;
    if (from != NULL)
        memcpy(to, from,
               from->size > 0 && from->size < sizeof *to ? (size_t)from->size
                                                         : sizeof *to);
    if (to->index_base < AKIN_BASE_AUTO || to->index_base > AKIN_BASE_1)
        return ak_fail(ctx, AKIN_EINVAL, "no such index base");
    if (to->dim < 0 || to->dim > INT32_MAX)
        return ak_fail(ctx, AKIN_EINVAL,
                       "dimension %" PRId64 " cannot be (0 to 2147483647)",
                       to->dim);
    return AKIN_OK;
}

akin_status akin_rows_read(akin_rows **out, akin_ctx *ctx, const char *path,
                           const akin_read_options *options)
{
    akin_read_options o;
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    const ak_format *f = ak_format_of(path);
    AK_TRY(take_options(&o, ctx, options));
    if (f == NULL)
        AK_TRY(unknown(ctx, path));
    AK_TRY(f->read(&r, ctx, path, &o));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

akin_status akin_rows_write(akin_ctx *ctx, const akin_rows *rows,
                            const char *path)
{
    const ak_format *f = ak_format_of(path);
    if (f == NULL)
        return unknown(ctx, path);
    if (f->write == NULL)
        return ak_fail(ctx, AKIN_EINVAL, "%s: %s is read but not written", path,
                       f->name);
    return f->write(ctx, rows, path);
}
