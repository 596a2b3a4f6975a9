/* NumPy's .npy files: "\x93NUMPY", version, length, a Python dict
 *   {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }
 * and the elements. Texts are UTF-32 (U) or bytes (S), padded with zeros. */
#include "data/io/npy.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "data/io/formats.h"
#include "data/io/number.h"
#include "data/io/row_builder.h"

enum {
    MAX_HEADER = 1 << 16,
    KEYS = 7,
    MAX_TEXT = 1 << 20,
    BLOCK = 1 << 16,
    TILE = 32,
};

/* ---- the header ---- */

typedef struct scanner {
    const char *at;  // the text ends with a zero byte
    int keys;        // seen: 1 descr, 2 fortran_order, 4 shape
} scanner;

static akin_status bad(const ak_npy *a, akin_ctx *ctx, const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: header: %s",
                   ak_source_name(a->source), what);
}

static void skip_blanks(scanner *s)
{
    while (*s->at == ' ' || *s->at == '\n' || *s->at == '\t')
        ++s->at;
}

static bool take(scanner *s, const char *text)
{
    const size_t n = strlen(text);
    skip_blanks(s);
    if (strncmp(s->at, text, n) != 0)
        return false;
    s->at += n;
    return true;
}

/* A text in quotes, without escapes. */
static bool take_quoted(scanner *s, char *to, size_t room)
{
    skip_blanks(s);
    const char quote = *s->at;
    if (quote != '\'' && quote != '"')
        return false;
    const char *end = strchr(s->at + 1, quote);
    if (end == NULL || (size_t)(end - s->at) > room)
        return false;
    const size_t n = (size_t)(end - s->at) - 1;
    memcpy(to, s->at + 1, n);
    to[n] = '\0';
    s->at = end + 1;
    return true;
}

static bool take_number(scanner *s, int64_t *value)
{
    skip_blanks(s);
    const char *first = s->at;
    *value = 0;
    for (; *s->at >= '0' && *s->at <= '9'; ++s->at)
        if (!ak_mul_i64(*value, 10, value) ||
            !ak_add_i64(*value, *s->at - '0', value))
            return false;
    const bool any = s->at > first;
    s->at += *s->at == 'L';  // a long of Python 2
    return any;
}

static bool type_is_read(const ak_npy *a)
{
    static const char *const types[] = {"f4f8", "i1i2i4i8", "u1u2u4u8", "b1"};
    const char type[3] = {a->kind, (char)('0' + a->size), '\0'};
    if (a->kind == 'U' || a->kind == 'S')
        return a->size > 0 && a->size <= MAX_TEXT;
    for (size_t k = 0; k < sizeof types / sizeof *types; ++k)
        if (a->size <= 8 && strstr(types[k], type) != NULL)
            return true;
    return false;
}

static akin_status take_type(ak_npy *a, akin_ctx *ctx, scanner *s)
{
    char text[32];
    if (take(s, "["))
        return bad(a, ctx, "structured array (expected plain numbers)");
    if (!take_quoted(s, text, sizeof text))
        return bad(a, ctx, "no type");
    const char *p = text;
    a->swapped = *p == '>';
    p += strchr("<>|=", *p) != NULL && *p != '\0';
    a->kind = *p;
    scanner rest = {*p ? p + 1 : p, 0};
    if (a->kind == 'O')
        return bad(a, ctx, "array of Python objects (expected numbers)");
    if (!take_number(&rest, &a->size) || *rest.at != '\0' || a->size > MAX_TEXT)
        return bad(a, ctx, "unknown type");
    if (a->kind == 'U')
        a->size *= 4;
    if (!type_is_read(a))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: header: type %s (expected f4 f8, i1 to i8, u1 to "
                       "u8, b1)",
                       ak_source_name(a->source), text);
    return AKIN_OK;
}

static akin_status take_shape(ak_npy *a, akin_ctx *ctx, scanner *s)
{
    if (!take(s, "("))
        return bad(a, ctx, "no shape");
    a->shape[0] = a->shape[1] = 1;
    for (a->n_dims = 0; !take(s, ")"); ++a->n_dims) {
        if (a->n_dims == 2)
            return ak_fail(ctx, AKIN_ESHAPE,
                           "%s: header: more than 2 dimensions",
                           ak_source_name(a->source));
        if (!take_number(s, &a->shape[a->n_dims]))
            return bad(a, ctx, "invalid shape");
        skip_blanks(s);
        if (!take(s, ",") && *s->at != ')')
            return bad(a, ctx, "invalid shape");
    }
    return AKIN_OK;
}

static akin_status take_entry(ak_npy *a, akin_ctx *ctx, scanner *s)
{
    static const char *const names[] = {"descr", "fortran_order", "shape"};
    char name[24];
    int k = 0;
    if (!take_quoted(s, name, sizeof name) || !take(s, ":"))
        return bad(a, ctx, "no key (expected descr, fortran_order, shape)");
    while (k < 3 && strcmp(name, names[k]) != 0)
        ++k;
    if (k == 3 || (s->keys & 1 << k) != 0)
        return bad(a, ctx, "unknown or repeated key");
    s->keys |= 1 << k;
    if (k == 0)
        return take_type(a, ctx, s);
    if (k == 2)
        return take_shape(a, ctx, s);
    a->fortran = take(s, "True");
    if (!a->fortran && !take(s, "False"))
        return bad(a, ctx, "fortran_order is neither True nor False");
    return AKIN_OK;
}

static akin_status take_dict(ak_npy *a, akin_ctx *ctx, const char *text,
                             size_t n)
{
    scanner s = {text, 0};
    if (!take(&s, "{"))
        return bad(a, ctx, "no dictionary");
    while (!take(&s, "}")) {
        AK_CHECK(take_entry(a, ctx, &s));
        skip_blanks(&s);
        if (!take(&s, ",") && *s.at != '}')
            return bad(a, ctx, "no ',' between keys");
    }
    skip_blanks(&s);
    if (s.keys != KEYS || s.at != text + n)
        return bad(a, ctx, "the keys must be descr, fortran_order and shape");
    return AKIN_OK;
}

/* The bytes that follow must be those the header tells of. */
static akin_status check_length(ak_npy *a, akin_ctx *ctx)
{
    int64_t bytes;
    bool claimed;
    if (!ak_mul_i64(a->shape[0], a->shape[1], &a->count) ||
        !ak_mul_i64(a->count, a->size, &bytes))
        return bad(a, ctx, "shape is too large");
    const int64_t left = ak_source_left(a->source, &claimed);
    if (left >= 0 && (a->more ? left < bytes : left != bytes))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: %" PRId64 " bytes of data (expected %" PRId64
                       " of shape %" PRId64 " x %" PRId64 ")",
                       ak_source_name(a->source), left, bytes, a->shape[0],
                       a->shape[1]);
    return AKIN_OK;
}

static akin_status begin(ak_npy *a, akin_ctx *ctx, ak_source *source, bool more)
{
    unsigned char front[12];
    char *text = NULL;
    akin_status st = AKIN_OK;
    *a = (ak_npy){.source = source, .more = more};
    AK_TRY(ak_source_need(source, ctx, front, 8));
    if (memcmp(front, "\x93NUMPY", 6) != 0)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: not a .npy file",
                       ak_source_name(source)));
    if (front[6] < 1 || front[6] > 3 || front[7] != 0)
        AK_TRY(bad(a, ctx, "unknown version (expected 1.0, 2.0 or 3.0)"));
    const size_t wide = front[6] == 1 ? 2 : 4;
    AK_TRY(ak_source_need(source, ctx, front + 8, wide));
    size_t n = 0;
    for (size_t k = 0; k < wide; ++k)
        n |= (size_t)front[8 + k] << (8 * k);
    if (n > MAX_HEADER)
        AK_TRY(bad(a, ctx, "too long"));
    AK_TRY(ak_alloc(ctx, (int64_t)n + 1, 1, &text));
    AK_TRY(ak_source_need(source, ctx, text, n));
    AK_TRY(take_dict(a, ctx, text, n));
    AK_TRY(check_length(a, ctx));
done:
    akin_free(text);
    return st;
}

akin_status ak_npy_begin(ak_npy *a, akin_ctx *ctx, ak_source *source)
{
    return begin(a, ctx, source, false);
}

akin_status ak_npy_next(ak_npy *a, akin_ctx *ctx, ak_source *source)
{
    return begin(a, ctx, source, true);
}

size_t ak_npy_make_header(char *to, const char *descr, int64_t n_dims,
                          const int64_t *shape)
{
    char dims[64] = "";
    if (n_dims == 1)
        snprintf(dims, sizeof dims, "%" PRId64 ",", shape[0]);
    if (n_dims == 2)
        snprintf(dims, sizeof dims, "%" PRId64 ", %" PRId64, shape[0],
                 shape[1]);
    memcpy(to, "\x93NUMPY\1\0", 8);
    int n = snprintf(to + 10, AK_NPY_HEADER - 10,
                     "{'descr': '%s', 'fortran_order': False, "
                     "'shape': (%s), }",
                     descr, dims);
    while ((n + 11) % 64 != 0)
        to[10 + n++] = ' ';
    to[10 + n++] = '\n';
    to[8] = (char)(n & 0xff);
    to[9] = (char)(n >> 8);
    return (size_t)n + 10;
}

/* ---- elements ---- */

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

/* Takes a block of elements, from number `from` on, bytes in our order. */
typedef akin_status (*block_fn)(void *arg, akin_ctx *ctx, const ak_npy *a,
                                const unsigned char *bytes, int64_t from,
                                int64_t count);

/* Read elements in file order, a block at a time. */
static akin_status each_block(const ak_npy *a, akin_ctx *ctx, block_fn fn,
                              void *arg)
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

/* Element k of a block as a whole number; false: it is none, or too large. */
static bool whole_at(const ak_npy *a, const unsigned char *bytes, int64_t k,
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

static double real_at(const ak_npy *a, const unsigned char *bytes, int64_t k)
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
    whole_at(a, bytes, k, &whole);
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
    AK_CHECK(ak_resize(ctx, room, g->size, &g->array));
    g->room = room;
    return AKIN_OK;
}

/* All elements through `fn` to an array of elements of `size` bytes. */
static akin_status collect(const ak_npy *a, akin_ctx *ctx, block_fn fn,
                           size_t size, void *out)
{
    growing g = {.size = size};
    akin_status st = AKIN_OK;
    AK_TRY(ak_resize(ctx, 0, 1, &g.array));
    AK_TRY(each_block(a, ctx, fn, &g));
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
    AK_CHECK(make_room(g, ctx, a, from + n));
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
            to[k] = (float)real_at(a, bytes, k);
    return AKIN_OK;
}

static akin_status take_whole(void *arg, akin_ctx *ctx, const ak_npy *a,
                              const unsigned char *bytes, int64_t from,
                              int64_t n)
{
    growing *g = arg;
    const bool narrow = g->size == sizeof(int32_t);
    AK_CHECK(make_room(g, ctx, a, from + n));
    for (int64_t k = 0; k < n; ++k) {
        int64_t x = 0;
        if (!whole_at(a, bytes, k, &x) ||
            (narrow && (x < INT32_MIN || x > INT32_MAX)))
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s: element %" PRId64 " is not a %d-bit integer",
                           ak_source_name(a->source), from + k,
                           narrow ? 32 : 64);
        if (narrow)
            ((int32_t *)g->array)[from + k] = (int32_t)x;
        else
            ((int64_t *)g->array)[from + k] = x;
    }
    return AKIN_OK;
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
    AK_CHECK(ak_alloc(ctx, n * d, sizeof *to, &to));
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
                           ak_source_name(a->source), a->first + k / d, k % d));
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

/* ---- texts and labels ---- */

/* A code point as UTF-8; false: there is no such one. */
static bool put_utf8(uint32_t c, char **to)
{
    unsigned char *p = (unsigned char *)*to;
    if (c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return false;
    if (c < 0x80) {
        *p++ = (unsigned char)c;
    } else if (c < 0x800) {
        *p++ = (unsigned char)(0xc0 | c >> 6);
        *p++ = (unsigned char)(0x80 | (c & 0x3f));
    } else {
        if (c < 0x10000) {
            *p++ = (unsigned char)(0xe0 | c >> 12);
        } else {
            *p++ = (unsigned char)(0xf0 | c >> 18);
            *p++ = (unsigned char)(0x80 | (c >> 12 & 0x3f));
        }
        *p++ = (unsigned char)(0x80 | (c >> 6 & 0x3f));
        *p++ = (unsigned char)(0x80 | (c & 0x3f));
    }
    *to = (char *)p;
    return true;
}

/* Element k as text of at most a->size bytes; -1: not a text. */
static int64_t text_of(const ak_npy *a, const unsigned char *bytes, int64_t k,
                       char *to)
{
    const unsigned char *p = bytes + k * a->size;
    char *end = to;
    if (a->kind == 'S') {
        int64_t n = a->size;
        while (n > 0 && p[n - 1] == 0)
            --n;
        memcpy(to, p, (size_t)n);
        return n;
    }
    int64_t n = a->size / 4;
    uint32_t c;
    for (; n > 0; --n) {
        memcpy(&c, p + 4 * (n - 1), sizeof c);
        if (c != 0)
            break;
    }
    for (int64_t i = 0; i < n; ++i) {
        memcpy(&c, p + 4 * i, sizeof c);
        if (!put_utf8(c, &end))
            return -1;
    }
    return end - to;
}

/* Numbers as people write them: 3, not 3.0. */
static int64_t number_text(const ak_npy *a, const unsigned char *bytes,
                           int64_t k, char *to)
{
    int64_t whole;
    if (whole_at(a, bytes, k, &whole))
        return (int64_t)ak_integer_write(to, whole);
    const double x = real_at(a, bytes, k);
    if (x == trunc(x) && fabs(x) < 1e15)
        return (int64_t)ak_integer_write(to, (int64_t)x);
    return isfinite((float)x) ? (int64_t)ak_number_write(to, (float)x) : -1;
}

typedef struct labeller {
    ak_row_builder build;
    char *text;
} labeller;

static akin_status take_labels(void *arg, akin_ctx *ctx, const ak_npy *a,
                               const unsigned char *bytes, int64_t from,
                               int64_t n)
{
    labeller *l = arg;
    const bool texts = a->kind == 'U' || a->kind == 'S';
    for (int64_t k = 0; k < n; ++k) {
        const char *where, *why = NULL;
        const int64_t len = texts ? text_of(a, bytes, k, l->text)
                                  : number_text(a, bytes, k, l->text);
        AK_CHECK(ak_row_builder_room(&l->build, ctx, 0));
        if (len > 0 && !(len == 1 && l->text[0] == '?'))
            AK_CHECK(ak_row_builder_labels(&l->build, ctx, l->text, (size_t)len,
                                           ';', &where, &why));
        if (len < 0 || why != NULL)
            return ak_fail(ctx, AKIN_EFORMAT, "%s: element %" PRId64 ": %s",
                           ak_source_name(a->source), from + k,
                           why ? why : "not a label");
        ak_row_builder_row(&l->build, -1);
    }
    return AKIN_OK;
}

akin_status ak_npy_labels(const ak_npy *a, akin_ctx *ctx, akin_rows *rows)
{
    labeller l = {0};
    akin_rows *labels = NULL;
    akin_status st = AKIN_OK;
    if (a->count != rows->n)
        AK_TRY(ak_fail(ctx, AKIN_ESHAPE,
                       "%s: %" PRId64 " labels for %" PRId64 " rows",
                       ak_source_name(a->source), a->count, rows->n));
    AK_TRY(ak_alloc(ctx, a->size + AK_NUMBER_SIZE, 1, &l.text));
    AK_TRY(ak_row_builder_begin(&l.build, ctx, false));
    AK_TRY(each_block(a, ctx, take_labels, &l));
    AK_TRY(ak_row_builder_end(&l.build, ctx, &labels));
    ak_rows_take_labels(rows, labels);
done:
    ak_row_builder_drop(&l.build);
    akin_free(l.text);
    akin_rows_free(labels);
    return st;
}

akin_status ak_npy_read_labels(akin_rows *rows, akin_ctx *ctx, const char *path)
{
    ak_source *s = NULL;
    ak_npy a;
    akin_status st = AKIN_OK;
    AK_TRY(ak_source_open(&s, ctx, path, AK_SOURCE_BINARY));
    AK_TRY(ak_npy_begin(&a, ctx, s));
    AK_TRY(ak_npy_labels(&a, ctx, rows));
done:
    ak_source_close(s);
    return st;
}

static akin_status take_one_text(void *arg, akin_ctx *ctx, const ak_npy *a,
                                 const unsigned char *bytes, int64_t from,
                                 int64_t n)
{
    char *to = arg;
    (void)ctx;
    (void)from;
    (void)n;
    to[ak_max_i64(0, text_of(a, bytes, 0, to))] = '\0';
    return AKIN_OK;
}

akin_status ak_npy_text(const ak_npy *a, akin_ctx *ctx, char *out, size_t room)
{
    const bool texts = a->kind == 'U' || a->kind == 'S';
    if (!texts || a->count != 1 || a->size >= (int64_t)room)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: expected one short text",
                       ak_source_name(a->source));
    return each_block(a, ctx, take_one_text, out);
}

/* ---- the file ---- */

/* Keep the rows of this piece of the file. Columns that lie together are not
 * cut. */
static akin_status enter_piece(ak_npy *a, akin_ctx *ctx)
{
    int64_t rows;
    if (!ak_source_is_piece(a->source) || a->count == 0)
        return AKIN_OK;
    if (a->fortran && a->n_dims > 1)
        ak_source_mend(a->source);
    AK_CHECK(ak_source_enter_records(a->source, ctx, a->size * a->shape[1],
                                     a->shape[0], &a->first, &rows));
    a->more = a->first + rows < a->shape[0];
    a->shape[0] = rows;
    a->count = rows * a->shape[1];
    return AKIN_OK;
}

akin_status ak_npy_parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                         const akin_read_options *o)
{
    ak_npy a;
    (void)o;
    AK_CHECK(ak_npy_begin(&a, ctx, s));
    const bool empty = a.count == 0;
    AK_CHECK(enter_piece(&a, ctx));
    if (a.count == 0 && !empty)
        return ak_rows_new(out, ctx, 0, a.shape[1]);
    return ak_npy_rows(&a, ctx, out);
}

akin_status ak_npy_write(akin_ctx *ctx, const akin_rows *rows, const char *path)
{
    const int64_t shape[2] = {rows->n, rows->d};
    char header[AK_NPY_HEADER];
    const size_t n = ak_npy_make_header(header, "<f4", 2, shape);
    return ak_format_write_dense(ctx, rows, path, header, n, "", 0);
}
