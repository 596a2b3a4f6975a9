/* Labels and texts in .npy files. Texts are UTF-32 (U) or bytes (S), filled up
 * with zeros. */
#include <math.h>
#include <string.h>

#include "data/io/build.h"
#include "data/io/npy.h"
#include "data/io/number.h"

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
    if (ak_npy_whole(a, bytes, k, &whole))
        return (int64_t)ak_integer_write(to, whole);
    const double x = ak_npy_real(a, bytes, k);
    if (x == trunc(x) && fabs(x) < 1e15)
        return (int64_t)ak_integer_write(to, (int64_t)x);
    return isfinite((float)x) ? (int64_t)ak_number_write(to, (float)x) : -1;
}

typedef struct labeller {
    ak_build build;
    char *text;
} labeller;

static akin_status take_labels(void *arg, akin_ctx *ctx, const ak_npy *a,
                               const unsigned char *bytes, int64_t from,
                               int64_t n)
{
    labeller *l = arg;
    const bool texts = a->kind == 'U' || a->kind == 'S';
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < n; ++k) {
        const char *where, *why = NULL;
        const int64_t len = texts ? text_of(a, bytes, k, l->text)
                                  : number_text(a, bytes, k, l->text);
        AK_TRY(ak_build_room(&l->build, ctx, 0));
        if (len > 0 && !(len == 1 && l->text[0] == '?'))
            AK_TRY(ak_build_labels(&l->build, ctx, l->text, (size_t)len, ';',
                                   &where, &why));
        if (len < 0 || why != NULL)
            AK_TRY(ak_fail(ctx, AKIN_EFORMAT, "%s: element %" PRId64 ": %s",
                           ak_source_name(a->source), from + k,
                           why ? why : "not a label"));
        ak_build_row(&l->build, -1);
    }
done:
    return st;
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
    AK_TRY(ak_build_begin(&l.build, ctx, false));
    AK_TRY(ak_npy_each(a, ctx, take_labels, &l));
    AK_TRY(ak_build_end(&l.build, ctx, &labels));
    ak_rows_take_labels(rows, labels);
done:
    ak_build_drop(&l.build);
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

static akin_status take_text(void *arg, akin_ctx *ctx, const ak_npy *a,
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
        return ak_fail(ctx, AKIN_EFORMAT, "%s: not one short text",
                       ak_source_name(a->source));
    return ak_npy_each(a, ctx, take_text, out);
}
