/* The header of a .npy file: "\x93NUMPY", version, length, and a Python dict
 * {'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), } */
#include <stdio.h>
#include <string.h>

#include "data/io/npy.h"

enum { MAX_HEADER = 1 << 16, KEYS = 7, MAX_TEXT = 1 << 20 };

typedef struct scanner {
    const char *at;  // a zero byte stands behind the text
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
static bool take_text(scanner *s, char *to, size_t room)
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
        return bad(a, ctx, "a structured array (expected plain numbers)");
    if (!take_text(s, text, sizeof text))
        return bad(a, ctx, "no type");
    const char *p = text;
    a->swapped = *p == '>';
    p += strchr("<>|=", *p) != NULL && *p != '\0';
    a->kind = *p;
    scanner rest = {*p ? p + 1 : p, 0};
    if (a->kind == 'O')
        return bad(a, ctx, "an array of Python objects (expected numbers)");
    if (!take_number(&rest, &a->size) || *rest.at != '\0' || a->size > MAX_TEXT)
        return bad(a, ctx, "an unknown type");
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
            return bad(a, ctx, "no such shape");
        skip_blanks(s);
        if (!take(s, ",") && *s->at != ')')
            return bad(a, ctx, "no such shape");
    }
    return AKIN_OK;
}

static akin_status take_entry(ak_npy *a, akin_ctx *ctx, scanner *s)
{
    static const char *const names[] = {"descr", "fortran_order", "shape"};
    char name[24];
    int k = 0;
    if (!take_text(s, name, sizeof name) || !take(s, ":"))
        return bad(a, ctx, "no key (expected descr, fortran_order, shape)");
    while (k < 3 && strcmp(name, names[k]) != 0)
        ++k;
    if (k == 3 || (s->keys & 1 << k) != 0)
        return bad(a, ctx, "an unknown or repeated key");
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
    akin_status st = AKIN_OK;
    if (!take(&s, "{"))
        return bad(a, ctx, "no dictionary");
    while (!take(&s, "}")) {
        AK_TRY(take_entry(a, ctx, &s));
        skip_blanks(&s);
        if (!take(&s, ",") && *s.at != '}')
            return bad(a, ctx, "no ',' between keys");
    }
    skip_blanks(&s);
    if (s.keys != KEYS || s.at != text + n)
        return bad(a, ctx, "not of descr, fortran_order and shape alone");
done:
    return st;
}

/* The bytes that follow must be those the header tells of. */
static akin_status check_length(ak_npy *a, akin_ctx *ctx)
{
    int64_t bytes;
    bool claimed;
    if (!ak_mul_i64(a->shape[0], a->shape[1], &a->count) ||
        !ak_mul_i64(a->count, a->size, &bytes))
        return bad(a, ctx, "a shape beyond any file");
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
        AK_TRY(bad(a, ctx, "an unknown version (expected 1.0, 2.0 or 3.0)"));
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
