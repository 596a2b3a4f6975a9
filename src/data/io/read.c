/* The table of formats; reading rows by the ending of the path. */
#include <stdio.h>
#include <string.h>

#include "data/io/formats.h"
#include "data/io/packing.h"

static const ak_format *const formats[] = {
    &ak_format_svmlight, &ak_format_csv,         &ak_format_tsv,
    &ak_format_npy,      &ak_format_npz,         &ak_format_fvecs,
    &ak_format_ivecs,    &ak_format_safetensors, &ak_format_mat,
};
enum { N_FORMATS = sizeof formats / sizeof *formats };

const ak_format *ak_format_of(const char *path)
{
    const bool packed = ak_packing_by_ending(path) != AK_PLAIN;
    if (strcmp(path, "-") == 0)
        return &ak_format_svmlight;
    if (ak_format_is_folder(path))
        return &ak_format_collection;
    for (int f = 0; f < N_FORMATS; ++f)
        for (int k = 0; k < 4 && formats[f]->endings[k] != NULL; ++k)
            if (ak_has_ending(path, formats[f]->endings[k]) &&
                (formats[f]->text || !packed))
                return formats[f];
    return NULL;
}

akin_status ak_format_unknown(akin_ctx *ctx, const char *path, bool to_write)
{
    char list[256] = "";
    size_t n = 0;
    for (int f = 0; f < N_FORMATS; ++f)
        for (int k = 0; k < 4 && formats[f]->endings[k] != NULL; ++k) {
            const size_t m = strlen(formats[f]->endings[k]);
            if (n + m + 2 > sizeof list ||
                (to_write && formats[f]->write == NULL))
                break;
            list[n] = ' ';
            memcpy(list + n + 1, formats[f]->endings[k], m);
            n += m + 1;
        }
    list[n] = '\0';
    return ak_fail(ctx, AKIN_EINVAL,
                   "%s: the ending tells no format %s(expected one of%s; text "
                   "also with .gz or .zst)",
                   path, to_write ? "that is written " : "", list);
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

/* Empty columns are added where they are asked for; a file that states how many
 * it has and is to follow another one is held to that. */
static akin_status fit_columns(akin_rows *r, akin_ctx *ctx, const char *path,
                               const akin_read_options *o)
{
    char hint[64] = "";
    const bool narrow = r->offsets != NULL && r->d < o->dim;
    if (narrow && o->dim_of == NULL)
        r->d = o->dim;
    if (o->dim == 0 || r->d == o->dim)
        return AKIN_OK;
    if (narrow)
        snprintf(hint, sizeof hint, "; --dim %" PRId64 " adds empty ones",
                 o->dim);
    return ak_fail(ctx, AKIN_ESHAPE,
                   "%s: %" PRId64 " columns (expected %" PRId64 "%s%s%s)", path,
                   r->d, o->dim, o->dim_of ? ", as in " : "",
                   o->dim_of ? o->dim_of : "", hint);
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
        AK_TRY(ak_format_unknown(ctx, path, false));
    AK_TRY(f->read(&r, ctx, path, &o));
    AK_TRY(fit_columns(r, ctx, path, &o));
    if (o.labels != NULL)
        AK_TRY(ak_labels_read(r, ctx, o.labels, &o));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}
