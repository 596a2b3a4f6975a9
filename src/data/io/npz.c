/* NumPy archives: X, or the arrays of a SciPy sparse matrix, and labels y. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "data/io/csr.h"
#include "data/io/formats.h"
#include "data/io/npy.h"
#include "data/io/zip.h"

enum { NAME = 256, MEMBERS = 6, LABEL_ROOM = 1 << 16 };

/* The array of a name; *s stays NULL where there is none. */
static akin_status open_array(const ak_zip *z, akin_ctx *ctx, const char *name,
                              ak_source **s, ak_npy *a)
{
    char member[NAME];
    const int n = snprintf(member, sizeof member, "%s.npy", name);
    if (n < 0 || (size_t)n >= sizeof member)
        return AKIN_OK;
    AK_CHECK(ak_zip_member(z, ctx, member, s));
    if (*s != NULL)
        AK_CHECK(ak_npy_begin(a, ctx, *s));
    return AKIN_OK;
}

static akin_status need_array(const ak_zip *z, akin_ctx *ctx, const char *name,
                              ak_source **s, ak_npy *a)
{
    AK_CHECK(open_array(z, ctx, name, s, a));
    if (*s == NULL)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: no array %s", z->name, name);
    return AKIN_OK;
}

/* ---- sparse ---- */

static akin_status read_shape(const ak_zip *z, akin_ctx *ctx, ak_csr *c)
{
    ak_source *s = NULL;
    ak_npy a;
    int64_t *shape = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(need_array(z, ctx, "shape", &s, &a));
    if (a.count != 2)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "%s: expected 2 dimensions",
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

static akin_status read_layout(const ak_zip *z, akin_ctx *ctx, ak_csr *c)
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
                       "%s: unknown sparse layout (expected csr or csc)",
                       ak_source_name(s)));
    if (c->by_column && c->n > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE, "%s: too many rows", z->name));
done:
    ak_source_close(s);
    return st;
}

/* indptr, indices and data, of the lengths they must have. */
static akin_status read_arrays(const ak_zip *z, akin_ctx *ctx, ak_csr *c)
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
    ak_csr c = {0};
    akin_status st = AKIN_OK;
    AK_TRY(read_shape(z, ctx, &c));
    AK_TRY(read_layout(z, ctx, &c));
    AK_TRY(read_arrays(z, ctx, &c));
    AK_TRY(ak_rows_from_csr(out, ctx, z->name, &c));
done:
    ak_csr_free(&c);
    return st;
}

/* ---- dense, labels, both ---- */

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
    if (wanted != NULL) {
        AK_CHECK(open_array(z, ctx, wanted, s, a));
        if (*s == NULL)
            return nothing_found(z, ctx, wanted);
    }
    for (; *s == NULL && *names != NULL; ++names)
        AK_CHECK(open_array(z, ctx, *names, s, a));
    return AKIN_OK;
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

akin_status ak_npz_read(akin_rows **out, akin_ctx *ctx, const char *path,
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

/* ---- writing ---- */

/* The arrays of a file to be written, with room for their headers. */
typedef struct array_list {
    ak_zip_out members[MEMBERS];
    char headers[MEMBERS][AK_NPY_HEADER];
    int n;
} array_list;

static void add(array_list *a, const char *name, const char *descr,
                int64_t n_dims, const int64_t *shape, const void *data,
                size_t bytes)
{
    char *header = a->headers[a->n];
    const size_t n = ak_npy_make_header(header, descr, n_dims, shape);
    a->members[a->n++] = (ak_zip_out){.name = name,
                                      .header = header,
                                      .header_n = n,
                                      .data = data,
                                      .n = bytes};
}

/* The next code point of UTF-8 text; false: it is not UTF-8. */
static bool take_utf8(const char **at, uint32_t *c)
{
    const unsigned char *p = (const unsigned char *)*at;
    const int more = *p < 0x80 ? 0 : *p >= 0xf0 ? 3 : *p >= 0xe0 ? 2 : 1;
    if ((*p >= 0x80 && *p < 0xc2) || *p > 0xf4)
        return false;
    *c = more == 0 ? *p : *p & (0x3fU >> more);
    for (int k = 1; k <= more; ++k) {
        if ((p[k] & 0xc0) != 0x80)
            return false;
        *c = *c << 6 | (p[k] & 0x3fU);
    }
    *at += more + 1;
    return true;
}

/* The labels of row i, separated by ';', as code points to `to` (NULL: only
 * count them); -1: not UTF-8. */
static int64_t row_text(const akin_rows *r, int64_t i, uint32_t *to)
{
    const int32_t *labels;
    const int64_t n = akin_rows_labels(&labels, r, i);
    int64_t count = 0;
    for (int64_t k = 0; k < n; ++k) {
        const char *p = r->label_names[labels[k]];
        uint32_t c = ';';
        if (k > 0 && to != NULL)
            to[count] = c;
        for (count += k > 0; *p != '\0'; ++count) {
            if (!take_utf8(&p, &c))
                return -1;
            if (to != NULL)
                to[count] = c;
        }
    }
    return count;
}

/* The label of each row as a whole number; false: a row has none or several, or
 * one that is not. */
static bool take_integers(const akin_rows *r, int64_t *to)
{
    const int32_t *labels;
    for (int64_t i = 0; i < r->n; ++i)
        if (akin_rows_labels(&labels, r, i) != 1 ||
            !akin_label_number(&to[i], r->label_names[labels[0]]))
            return false;
    return true;
}

/* y: integers where all labels are, else texts, as wide as the longest. */
static akin_status add_labels(array_list *a, akin_ctx *ctx, const akin_rows *r,
                              const char *path)
{
    int64_t *integers;
    char descr[32];
    uint32_t *texts;
    int64_t width = 1, count = 0;
    AK_CHECK(AK_SCRATCH(ctx, r->n, &integers));
    if (take_integers(r, integers)) {
        add(a, "y.npy", "<i8", 1, &r->n, integers,
            (size_t)r->n * sizeof *integers);
        return AKIN_OK;
    }
    for (int64_t i = 0; i < r->n; ++i) {
        const int64_t n = row_text(r, i, NULL);
        if (n < 0 || n > LABEL_ROOM)
            return ak_fail(ctx, AKIN_EINVAL,
                           "%s: a label of row %" PRId64
                           " is too long or not UTF-8",
                           path, i);
        width = ak_max_i64(width, n);
    }
    if (!ak_mul_i64(width, r->n, &count))
        return ak_nomem(ctx, SIZE_MAX);
    AK_CHECK(AK_SCRATCH(ctx, count, &texts));
    for (int64_t i = 0; i < r->n; ++i)
        row_text(r, i, texts + i * width);
    snprintf(descr, sizeof descr, "<U%" PRId64, width);
    add(a, "y.npy", descr, 1, &r->n, texts, (size_t)count * sizeof *texts);
    return AKIN_OK;
}

/* ---- rows ---- */

static void add_sparse(array_list *a, const akin_rows *r, const int64_t *shape)
{
    const int64_t count = r->offsets[r->n], starts = r->n + 1, two = 2;
    const size_t n = (size_t)count;
    add(a, "indices.npy", "<i4", 1, &count, r->cols, n * sizeof *r->cols);
    add(a, "indptr.npy", "<i8", 1, &starts, r->offsets,
        (size_t)starts * sizeof *r->offsets);
    add(a, "format.npy", "|S3", 0, NULL, "csr", 3);
    add(a, "shape.npy", "<i8", 1, &two, shape, 2 * sizeof *shape);
    add(a, "data.npy", "<f4", 1, &count, r->vals, n * sizeof *r->vals);
}

akin_status ak_npz_write(akin_ctx *ctx, const akin_rows *rows, const char *path)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t shape[2] = {rows->n, rows->d};
    array_list a = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_format_check_labels(ctx, rows, path));
    if (rows->offsets != NULL)
        add_sparse(&a, rows, shape);
    else
        add(&a, "X.npy", "<f4", 2, shape, rows->vals,
            (size_t)(rows->n * rows->d) * sizeof *rows->vals);
    if (rows->label_offsets != NULL)
        AK_TRY(add_labels(&a, ctx, rows, path));
    AK_TRY(ak_zip_write(ctx, path, a.members, a.n));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
