/* Rows to a NumPy archive: X, or a SciPy CSR matrix, and y. Members are
 * stored as they are, with lengths in 64 bits throughout. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"
#include "data/io/formats.h"
#include "data/io/npy.h"

enum { MEMBERS = 6, VERSION = 45, LABEL_ROOM = 1 << 16 };

typedef struct member {
    const char *name;
    const void *data;
    size_t n;
    char header[AK_NPY_HEADER];
    size_t header_n;
    uint32_t crc;
    uint64_t at;  // where it lies in the file
} member;

typedef struct archive {
    ak_writer *writer;
    uint64_t at;
    member members[MEMBERS];
    int n;
} archive;

static void add(archive *a, const char *name, const char *descr, int64_t n_dims,
                const int64_t *shape, const void *data, size_t bytes)
{
    member *m = &a->members[a->n++];
    *m = (member){.name = name, .data = data, .n = bytes};
    m->header_n = ak_npy_make_header(m->header, descr, n_dims, shape);
    m->crc = (uint32_t)crc32_z(0, (unsigned char *)m->header, m->header_n);
    m->crc = (uint32_t)crc32_z(m->crc, data, bytes);
}

/* ---- the archive --------------------------------------------------------- */

static akin_status put(archive *a, akin_ctx *ctx, const void *bytes, size_t n)
{
    a->at += n;
    return ak_writer_put(a->writer, ctx, bytes, n);
}

static akin_status put_number(archive *a, akin_ctx *ctx, uint64_t x, int bytes)
{
    unsigned char text[8];
    for (int k = 0; k < bytes; ++k)
        text[k] = (unsigned char)(x >> (8 * k));
    return put(a, ctx, text, (size_t)bytes);
}

/* Numbers, each in so many bytes; 0 bytes ends the list. */
typedef struct field {
    uint64_t x;
    int bytes;
} field;

static akin_status put_fields(archive *a, akin_ctx *ctx, const field *f)
{
    akin_status st = AKIN_OK;
    for (; f->bytes > 0; ++f)
        AK_TRY(put_number(a, ctx, f->x, f->bytes));
done:
    return st;
}

static akin_status put_member(archive *a, akin_ctx *ctx, member *m)
{
    const uint64_t size = m->header_n + m->n;
    const field front[] = {
        {0x04034b50, 4}, {VERSION, 2},    {0, 2},          {0, 2},
        {0, 2},          {0x21, 2},  // 1 January 1980, zip's first day
        {m->crc, 4},     {UINT32_MAX, 4}, {UINT32_MAX, 4}, {strlen(m->name), 2},
        {20, 2},         {0, 0}};
    const field extra[] = {{1, 2}, {16, 2}, {size, 8}, {size, 8}, {0, 0}};
    akin_status st = AKIN_OK;
    m->at = a->at;
    AK_TRY(put_fields(a, ctx, front));
    AK_TRY(put(a, ctx, m->name, strlen(m->name)));
    AK_TRY(put_fields(a, ctx, extra));
    AK_TRY(put(a, ctx, m->header, m->header_n));
    AK_TRY(put(a, ctx, m->data, m->n));
done:
    return st;
}

static akin_status put_entry(archive *a, akin_ctx *ctx, const member *m)
{
    const uint64_t size = m->header_n + m->n;
    const field front[] = {{0x02014b50, 4},
                           {VERSION, 2},
                           {VERSION, 2},
                           {0, 2},
                           {0, 2},
                           {0, 2},
                           {0x21, 2},
                           {m->crc, 4},
                           {UINT32_MAX, 4},
                           {UINT32_MAX, 4},
                           {strlen(m->name), 2},
                           {28, 2},
                           {0, 2},
                           {0, 2},
                           {0, 2},
                           {0, 4},
                           {UINT32_MAX, 4},
                           {0, 0}};
    const field extra[] = {{1, 2},    {24, 2},    {size, 8},
                           {size, 8}, {m->at, 8}, {0, 0}};
    akin_status st = AKIN_OK;
    AK_TRY(put_fields(a, ctx, front));
    AK_TRY(put(a, ctx, m->name, strlen(m->name)));
    AK_TRY(put_fields(a, ctx, extra));
done:
    return st;
}

static akin_status put_end(archive *a, akin_ctx *ctx, uint64_t directory)
{
    const uint64_t end = a->at, n = (uint64_t)a->n;
    const field fields[] = {
        {0x06064b50, 4}, {44, 8},         {VERSION, 2},
        {VERSION, 2},    {0, 4},          {0, 4},
        {n, 8},          {n, 8},          {end - directory, 8},
        {directory, 8},  {0x07064b50, 4}, {0, 4},
        {end, 8},        {1, 4},          {0x06054b50, 4},
        {0, 2},          {0, 2},          {n, 2},
        {n, 2},          {UINT32_MAX, 4}, {UINT32_MAX, 4},
        {0, 2},          {0, 0}};
    return put_fields(a, ctx, fields);
}

static akin_status put_archive(archive *a, akin_ctx *ctx, const char *path)
{
    ak_writer *whole;
    akin_status st = AKIN_OK;
    AK_TRY(ak_writer_open(&a->writer, ctx, path));
    for (int k = 0; k < a->n; ++k)
        AK_TRY(put_member(a, ctx, &a->members[k]));
    const uint64_t directory = a->at;
    for (int k = 0; k < a->n; ++k)
        AK_TRY(put_entry(a, ctx, &a->members[k]));
    AK_TRY(put_end(a, ctx, directory));
    whole = a->writer;
    a->writer = NULL;
    AK_TRY(ak_writer_commit(whole, ctx));
done:
    ak_writer_abort(a->writer);
    a->writer = NULL;
    return st;
}

/* ---- labels ---------------------------------------------------------------
 */

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

/* The labels of row i, parted by ';', as code points to `to` (NULL: only
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
 * one whose text would not come back from a number, as 007. */
static bool take_integers(const akin_rows *r, int64_t *to)
{
    const int32_t *labels;
    char text[32];
    for (int64_t i = 0; i < r->n; ++i) {
        if (akin_rows_labels(&labels, r, i) != 1)
            return false;
        to[i] = strtoll(r->label_names[labels[0]], NULL, 10);
        snprintf(text, sizeof text, "%" PRId64, to[i]);
        if (strcmp(text, r->label_names[labels[0]]) != 0)
            return false;
    }
    return true;
}

/* y: integers where all labels are, else texts, as wide as the longest. */
static akin_status add_labels(archive *a, akin_ctx *ctx, const akin_rows *r,
                              const char *path)
{
    int64_t *integers;
    char descr[32];
    uint32_t *texts;
    int64_t width = 1, count = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r->n, &integers));
    if (take_integers(r, integers)) {
        add(a, "y.npy", "<i8", 1, &r->n, integers,
            (size_t)r->n * sizeof *integers);
        goto done;
    }
    for (int64_t i = 0; i < r->n; ++i) {
        const int64_t n = row_text(r, i, NULL);
        if (n < 0 || n > LABEL_ROOM)
            AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                           "%s: a label of row %" PRId64
                           " is too long or not UTF-8",
                           path, i));
        width = ak_max_i64(width, n);
    }
    if (!ak_mul_i64(width, r->n, &count))
        AK_TRY(ak_nomem(ctx, SIZE_MAX));
    AK_TRY(AK_SCRATCH(ctx, count, &texts));
    for (int64_t i = 0; i < r->n; ++i)
        row_text(r, i, texts + i * width);
    snprintf(descr, sizeof descr, "<U%" PRId64, width);
    add(a, "y.npy", descr, 1, &r->n, texts, (size_t)count * sizeof *texts);
done:
    return st;
}

/* ---- rows -------------------------------------------------------------------
 */

static void add_sparse(archive *a, const akin_rows *r, const int64_t *shape)
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
    archive a = {0};
    akin_status st = AKIN_OK;
    AK_TRY(ak_format_check_labels(ctx, rows, path));
    if (rows->offsets != NULL)
        add_sparse(&a, rows, shape);
    else
        add(&a, "X.npy", "<f4", 2, shape, rows->vals,
            (size_t)(rows->n * rows->d) * sizeof *rows->vals);
    if (rows->label_offsets != NULL)
        AK_TRY(add_labels(&a, ctx, rows, path));
    AK_TRY(put_archive(&a, ctx, path));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
