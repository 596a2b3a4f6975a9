/* Elements of .npy files, and a dense matrix from one. */
#include "data/io/npy.h"

#include <math.h>
#include <string.h>

#include "data/io/formats.h"

enum { BLOCK = 1 << 16, TILE = 32 };

static void swap_bytes(unsigned char *p, int64_t n, size_t size)
{
    for (int64_t k = 0; k < n; ++k, p += size)
        for (size_t i = 0; i < size / 2; ++i) {
            const unsigned char t = p[i];
            p[i] = p[size - 1 - i];
            p[size - 1 - i] = t;
        }
}

/* The units whose bytes have an order: code points of texts, else elements. */
static size_t unit_of(const ak_npy *a)
{
    return a->kind == 'U' ? 4 : a->kind == 'S' ? 1 : (size_t)a->size;
}

akin_status ak_npy_each(const ak_npy *a, akin_ctx *ctx, ak_npy_fn fn, void *arg)
{
    const int64_t most = ak_max_i64(1, BLOCK / a->size);
    unsigned char *bytes = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(ak_alloc(ctx, ak_min_i64(most, a->count), (size_t)a->size, &bytes));
    for (int64_t at = 0; at < a->count; at += most) {
        const int64_t n = ak_min_i64(most, a->count - at);
        const size_t size = (size_t)(n * a->size), unit = unit_of(a);
        AK_TRY(ak_source_need(a->source, ctx, bytes, size));
        if (a->swapped)
            swap_bytes(bytes, (int64_t)(size / unit), unit);
        AK_TRY(fn(arg, ctx, a, bytes, at, n));
    }
    if (!a->more)
        AK_TRY(ak_source_end(a->source, ctx));
done:
    akin_free(bytes);
    return st;
}

#define ELEMENT(type, bytes, k, x) \
    type x;                        \
    memcpy(&x, (bytes) + (size_t)(k) * sizeof x, sizeof x)

bool ak_npy_whole(const ak_npy *a, const unsigned char *bytes, int64_t k,
                  int64_t *value)
{
#define WHOLE(letter, type)                               \
    if (a->kind == (letter) && a->size == sizeof(type)) { \
        ELEMENT(type, bytes, k, x);                       \
        *value = (int64_t)x;                              \
        return true;                                      \
    }
    WHOLE('i', int8_t)
    WHOLE('i', int16_t)
    WHOLE('i', int32_t)
    WHOLE('i', int64_t)
    WHOLE('u', uint8_t)
    WHOLE('u', uint16_t)
    WHOLE('u', uint32_t)
    WHOLE('b', uint8_t)
#undef WHOLE
    if (a->kind == 'u') {
        ELEMENT(uint64_t, bytes, k, x);
        *value = (int64_t)x;
        return x <= INT64_MAX;
    }
    return false;
}

double ak_npy_real(const ak_npy *a, const unsigned char *bytes, int64_t k)
{
    if (a->kind == 'f' && a->size == 4) {
        ELEMENT(float, bytes, k, x);
        return (double)x;
    }
    if (a->kind == 'f') {
        ELEMENT(double, bytes, k, x);
        return x;
    }
    if (a->kind == 'u' && a->size == 8) {
        ELEMENT(uint64_t, bytes, k, x);
        return (double)x;
    }
    int64_t whole = 0;
    ak_npy_whole(a, bytes, k, &whole);
    return (double)whole;
}

/* An array that grows as its elements come, unless their number is sure. */
typedef struct growing {
    void *array;
    size_t size;  // of an element
    int64_t room;
} growing;

static akin_status make_room(growing *g, akin_ctx *ctx, const ak_npy *a,
                             int64_t wanted)
{
    bool claimed;
    if (wanted <= g->room)
        return AKIN_OK;
    const bool sure = ak_source_left(a->source, &claimed) >= 0 && !claimed;
    const int64_t room = sure ? a->count
                              : ak_min_i64(a->count, 2 * g->room + wanted);
    const akin_status st = ak_resize(ctx, room, g->size, &g->array);
    if (st == AKIN_OK)
        g->room = room;
    return st;
}

/* All elements through `fn` to an array of elements of `size` bytes. */
static akin_status collect(const ak_npy *a, akin_ctx *ctx, ak_npy_fn fn,
                           size_t size, void *out)
{
    growing g = {.size = size};
    akin_status st = AKIN_OK;
    AK_TRY(ak_resize(ctx, 0, 1, &g.array));
    AK_TRY(ak_npy_each(a, ctx, fn, &g));
    memcpy(out, &g.array, sizeof g.array);
    g.array = NULL;
done:
    akin_free(g.array);
    return st;
}

static akin_status take_reals(void *arg, akin_ctx *ctx, const ak_npy *a,
                              const unsigned char *bytes, int64_t from,
                              int64_t n)
{
    growing *g = arg;
    const akin_status st = make_room(g, ctx, a, from + n);
    if (st != AKIN_OK)
        return st;
    float *to = (float *)g->array + from;
    if (a->kind == 'f' && a->size == 4)
        memcpy(to, bytes, (size_t)n * sizeof *to);
    else if (a->kind == 'f')
        for (int64_t k = 0; k < n; ++k) {
            ELEMENT(double, bytes, k, x);
            to[k] = (float)x;
        }
    else
        for (int64_t k = 0; k < n; ++k)
            to[k] = (float)ak_npy_real(a, bytes, k);
    return AKIN_OK;
}

static akin_status take_whole(void *arg, akin_ctx *ctx, const ak_npy *a,
                              const unsigned char *bytes, int64_t from,
                              int64_t n)
{
    growing *g = arg;
    const bool narrow = g->size == sizeof(int32_t);
    akin_status st = AKIN_OK;
    AK_TRY(make_room(g, ctx, a, from + n));
    for (int64_t k = 0; k < n; ++k) {
        int64_t x = 0;
        if (!ak_npy_whole(a, bytes, k, &x) ||
            (narrow && (x < INT32_MIN || x > INT32_MAX)))
            AK_TRY(ak_fail(
                ctx, AKIN_EFORMAT,
                "%s: element %" PRId64 " is not a whole number of %d bits",
                ak_source_name(a->source), from + k, narrow ? 32 : 64));
        if (narrow)
            ((int32_t *)g->array)[from + k] = (int32_t)x;
        else
            ((int64_t *)g->array)[from + k] = x;
    }
done:
    return st;
}

akin_status ak_npy_int64(const ak_npy *a, akin_ctx *ctx, int64_t **out)
{
    return collect(a, ctx, take_whole, sizeof **out, out);
}

akin_status ak_npy_int32(const ak_npy *a, akin_ctx *ctx, int32_t **out)
{
    return collect(a, ctx, take_whole, sizeof **out, out);
}

/* From columns that lie together to rows, in tiles that fit the cache. */
static akin_status transpose(akin_ctx *ctx, float **x, int64_t n, int64_t d)
{
    float *to;
    const akin_status st = ak_alloc(ctx, n * d, sizeof *to, &to);
    if (st != AKIN_OK)
        return st;
    for (int64_t i0 = 0; i0 < n; i0 += TILE)
        for (int64_t k0 = 0; k0 < d; k0 += TILE)
            for (int64_t i = i0; i < ak_min_i64(n, i0 + TILE); ++i)
                for (int64_t k = k0; k < ak_min_i64(d, k0 + TILE); ++k)
                    to[i * d + k] = (*x)[k * n + i];
    akin_free(*x);
    *x = to;
    return AKIN_OK;
}

akin_status ak_npy_floats(const ak_npy *a, akin_ctx *ctx, float **out)
{
    float *x = NULL;
    akin_status st = AKIN_OK;
    const int64_t n = a->shape[0], d = a->shape[1];
    if (a->kind == 'U' || a->kind == 'S')
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: texts (expected numbers)",
                       ak_source_name(a->source)));
    AK_TRY(collect(a, ctx, take_reals, sizeof *x, &x));
    if (a->fortran && n > 1 && d > 1)
        AK_TRY(transpose(ctx, &x, n, d));
    for (int64_t k = 0; k < a->count; ++k)
        if (!isfinite(x[k]))
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                           "%s: row %" PRId64 ", column %" PRId64
                           " is not finite in 32 bits",
                           ak_source_name(a->source), k / d, k % d));
    *out = x;
    x = NULL;
done:
    akin_free(x);
    return st;
}

akin_status ak_npy_rows(const ak_npy *a, akin_ctx *ctx, akin_rows **out)
{
    akin_rows *r = NULL;
    akin_status st = AKIN_OK;
    if (a->n_dims == 0 || a->count == 0 || a->shape[1] > INT32_MAX)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: shape %" PRId64 " x %" PRId64
                       " (expected at least one row and one column)",
                       ak_source_name(a->source), a->n_dims ? a->shape[0] : 0,
                       a->shape[1]));
    AK_TRY(ak_rows_new(&r, ctx, a->shape[0], a->shape[1]));
    AK_TRY(ak_npy_floats(a, ctx, &r->vals));
    *out = r;
    r = NULL;
done:
    akin_rows_free(r);
    return st;
}

akin_status ak_npy_parse(akin_rows **out, akin_ctx *ctx, ak_source *s)
{
    ak_npy a;
    const akin_status st = ak_npy_begin(&a, ctx, s);
    return st == AKIN_OK ? ak_npy_rows(&a, ctx, out) : st;
}

static akin_status read_npy(akin_rows **out, akin_ctx *ctx, const char *path,
                            const akin_read_options *o)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    (void)o;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_BINARY));
    AK_TRY(ak_npy_parse(out, ctx, s));
done:
    ak_source_close(s);
    return st;
}

static akin_status write_npy(akin_ctx *ctx, const akin_rows *rows,
                             const char *path)
{
    const int64_t shape[2] = {rows->n, rows->d};
    char header[AK_NPY_HEADER];
    const size_t n = ak_npy_make_header(header, "<f4", 2, shape);
    return ak_format_write_dense(ctx, rows, path, header, n, "", 0);
}

const ak_format ak_format_npy = {
    .name = "npy",
    .endings = {".npy"},
    .read = read_npy,
    .write = write_npy,
};
