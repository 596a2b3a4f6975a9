/* NumPy archives: a dense matrix with labels, or a SciPy sparse matrix. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "data/io/compressed.h"
#include "data/io/formats.h"
#include "data/io/npy.h"
#include "data/io/zip.h"

enum { NAME = 256 };

/* The array of a name; *s stays NULL where there is none. */
static akin_status open_array(const ak_zip *z, akin_ctx *ctx, const char *name,
                              ak_source **s, ak_npy *a)
{
    char member[NAME];
    akin_status st = AKIN_OK;
    const int n = snprintf(member, sizeof member, "%s.npy", name);
    if (n < 0 || (size_t)n >= sizeof member)
        return AKIN_OK;
    AK_TRY(ak_zip_member(z, ctx, member, s));
    if (*s != NULL)
        AK_TRY(ak_npy_begin(a, ctx, *s));
done:
    return st;
}

static akin_status need_array(const ak_zip *z, akin_ctx *ctx, const char *name,
                              ak_source **s, ak_npy *a)
{
    const akin_status st = open_array(z, ctx, name, s, a);
    if (st == AKIN_OK && *s == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: no array %s", z->name, name);
    return st;
}

/* ---- sparse ----------------------------------------------------------------
 */

static akin_status read_shape(const ak_zip *z, akin_ctx *ctx, ak_compressed *c)
{
    ak_source *s = NULL;
    ak_npy a;
    int64_t *shape = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(need_array(z, ctx, "shape", &s, &a));
    if (a.count != 2)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "%s: not 2 dimensions",
                       ak_source_name(s)));
    AK_TRY(ak_npy_int64(&a, ctx, &shape));
    if (shape[0] < 1 || shape[1] < 1 || shape[0] > INT64_MAX / 16 ||
        shape[1] > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: shape %" PRId64 " x %" PRId64
                       " (expected 1 to 2147483647 columns)",
                       ak_source_name(s), shape[0], shape[1]));
    c->n = shape[0];
    c->d = shape[1];
done:
    akin_free(shape);
    ak_source_close(s);
    return st;
}

static akin_status read_layout(const ak_zip *z, akin_ctx *ctx, ak_compressed *c)
{
    ak_source *s = NULL;
    ak_npy a;
    char text[32];
    akin_status st = AKIN_OK;
    AK_TRY(need_array(z, ctx, "format", &s, &a));
    AK_TRY(ak_npy_text(&a, ctx, text, sizeof text));
    c->by_column = strcmp(text, "csc") == 0;
    if (!c->by_column && strcmp(text, "csr") != 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not a layout that is read (expected csr or csc)",
                       ak_source_name(s)));
    if (c->by_column && c->n > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "%s: too many rows", z->name));
done:
    ak_source_close(s);
    return st;
}

/* indptr, indices and data, of the lengths they must have. */
static akin_status read_arrays(const ak_zip *z, akin_ctx *ctx, ak_compressed *c)
{
    static const char *const names[] = {"indptr", "indices", "data"};
    akin_status st = AKIN_OK;
    ak_source *s = NULL;
    for (int k = 0; k < 3; ++k) {
        ak_npy a;
        AK_TRY(need_array(z, ctx, names[k], &s, &a));
        if (k == 1)
            c->count = a.count;
        const int64_t wanted = k == 0 ? (c->by_column ? c->d : c->n) + 1
                                      : c->count;
        if (a.n_dims != 1 || a.count != wanted)
            AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                           "%s: %" PRId64 " elements (expected %" PRId64
                           " in one dimension)",
                           ak_source_name(s), a.count, wanted));
        AK_TRY(k == 0   ? ak_npy_int64(&a, ctx, &c->starts)
               : k == 1 ? ak_npy_int32(&a, ctx, &c->index)
                        : ak_npy_floats(&a, ctx, &c->vals));
        ak_source_close(s);
        s = NULL;
    }
done:
    ak_source_close(s);
    return st;
}

static akin_status read_sparse(const ak_zip *z, akin_ctx *ctx, akin_rows **out)
{
    ak_compressed c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(read_shape(z, ctx, &c));
    AK_TRY(read_layout(z, ctx, &c));
    AK_TRY(read_arrays(z, ctx, &c));
    AK_TRY(ak_rows_from_compressed(out, ctx, z->name, &c));
done:
    ak_compressed_free(&c);
    return st;
}

/* ---- dense, labels, both ----------------------------------------------------
 */

static akin_status nothing_found(const ak_zip *z, akin_ctx *ctx,
                                 const char *wanted)
{
    char list[400];
    ak_zip_list(z, list, sizeof list);
    return ak_fail(ctx, AKIN_EFORMAT, "%s: no array %s (there are: %s)",
                   z->name, wanted, list);
}

/* The first of the names there is; *s stays NULL where there is none. */
static akin_status open_first(const ak_zip *z, akin_ctx *ctx,
                              const char *wanted, const char *const *names,
                              ak_source **s, ak_npy *a)
{
    akin_status st = AKIN_OK;
    if (wanted != NULL) {
        AK_TRY(open_array(z, ctx, wanted, s, a));
        if (*s == NULL)
            AK_TRY(nothing_found(z, ctx, wanted));
    }
    for (; *s == NULL && *names != NULL; ++names)
        AK_TRY(open_array(z, ctx, *names, s, a));
done:
    return st;
}

static akin_status read_dense(const ak_zip *z, akin_ctx *ctx,
                              const char *variable, akin_rows **out)
{
    static const char *const names[] = {"X", "data", "arr_0", NULL};
    ak_source *s = NULL;
    ak_npy a;
    akin_status st = AKIN_OK;
    AK_TRY(open_first(z, ctx, variable, names, &s, &a));
    if (s == NULL)
        AK_TRY(nothing_found(z, ctx, "X or data"));
    AK_TRY(ak_npy_rows(&a, ctx, out));
done:
    ak_source_close(s);
    return st;
}

static akin_status read_labels(const ak_zip *z, akin_ctx *ctx,
                               const char *variable, akin_rows *rows)
{
    static const char *const names[] = {"y", "labels", NULL};
    ak_source *s = NULL;
    ak_npy a;
    akin_status st = AKIN_OK;
    AK_TRY(open_first(z, ctx, variable, names, &s, &a));
    if (s != NULL)
        AK_TRY(ak_npy_labels(&a, ctx, rows));
done:
    ak_source_close(s);
    return st;
}

akin_status ak_npz_parse(akin_rows **out, akin_ctx *ctx, const char *path,
                         const void *bytes, size_t n,
                         const akin_read_options *o)
{
    ak_zip z;
    ak_source *layout = NULL;
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_zip_open(&z, ctx, path, bytes, n));
    AK_TRY(ak_zip_member(&z, ctx, "format.npy", &layout));
    if (layout != NULL && o->variable == NULL)
        AK_TRY(read_sparse(&z, ctx, &r));
    else
        AK_TRY(read_dense(&z, ctx, o->variable, &r));
    AK_TRY(read_labels(&z, ctx, o->label_variable, r));
    *out = r;
    r = NULL;
done:
    ak_source_close(layout);
    akin_rows_free(r);
    return st;
}

static akin_status read_npz(akin_rows **out, akin_ctx *ctx, const char *path,
                            const akin_read_options *o)
{
    char *bytes = NULL;
    size_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(ak_file_read(ctx, path, &bytes, &n));
    AK_TRY(ak_npz_parse(out, ctx, path, bytes, n, o));
done:
    akin_free(bytes);
    return st;
}

const ak_format ak_format_npz = {
    .name = "npz",
    .endings = {".npz"},
    .read = read_npz,
    .write = ak_npz_write,
};
