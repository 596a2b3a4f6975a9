/* A growing string that keeps the first error, and text escaped for XML. */
#include "plot/svg.h"

#include <locale.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* Room for `more` bytes and the zero that vsnprintf writes. */
static bool make_room(ak_svg *s, int64_t more)
{
    if (s->st != AKIN_OK || s->n + more < s->room)
        return s->st == AKIN_OK;
    const int64_t room = ak_max_i64(2 * s->room, s->n + more + 4096);
    s->st = ak_resize(s->ctx, room, 1, &s->bytes);
    if (s->st == AKIN_OK)
        s->room = room;
    return s->st == AKIN_OK;
}

void ak_svg_put(ak_svg *s, const char *format, ...)
{
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    const int n = vsnprintf(NULL, 0, format, args);
    if (n > 0 && make_room(s, n)) {
        vsnprintf(s->bytes + s->n, (size_t)n + 1, format, again);
        s->n += n;
    }
    va_end(again);
    va_end(args);
}

/* Bytes of the UTF-8 sequence that starts here; 0: invalid, or a character
 * that XML 1.0 does not allow. */
static int sequence(const unsigned char *b)
{
    if (b[0] < 0x80)
        return b[0] >= 0x20 && b[0] != 0x7f;
    const int n = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
    if (b[0] < 0xc2 || b[0] > 0xf4)
        return 0;
    uint32_t c = b[0] & (0xffu >> (n + 1));
    for (int i = 1; i < n; ++i) {
        if ((b[i] & 0xc0) != 0x80)
            return 0;
        c = c << 6 | (b[i] & 0x3fu);
    }
    const bool too_long = (n == 3 && c < 0x800) || (n == 4 && c < 0x10000);
    const bool surrogate = c >= 0xd800 && c < 0xe000;
    const bool none = c == 0xfffe || c == 0xffff || c > 0x10ffff;
    return too_long || surrogate || none ? 0 : n;
}

static void put_character(ak_svg *s, const char *at, int n)
{
    switch (n == 1 ? *at : 0) {
    case '&':
        ak_svg_put(s, "&amp;");
        break;
    case '<':
        ak_svg_put(s, "&lt;");
        break;
    case '>':
        ak_svg_put(s, "&gt;");
        break;
    case '"':
        ak_svg_put(s, "&quot;");
        break;
    default:
        ak_svg_put(s, "%.*s", n ? n : 3, n ? at : "\xef\xbf\xbd");
    }
}

int64_t ak_svg_length(const char *text)
{
    int64_t length = 0;
    while (*text) {
        const int n = sequence((const unsigned char *)text);
        text += n ? n : 1;
        ++length;
    }
    return length;
}

void ak_svg_text(ak_svg *s, const char *text, int64_t most)
{
    const bool cut = ak_svg_length(text) > most;
    for (int64_t i = 0; i < most - cut && *text; ++i) {
        const int n = sequence((const unsigned char *)text);
        put_character(s, text, n);
        text += n ? n : 1;
    }
    if (cut)
        ak_svg_put(s, "\xe2\x80\xa6");
}

/* Numbers have a decimal point in every locale. */
static akin_status draw_plainly(ak_svg *s, ak_svg_draw draw, const void *arg)
{
    const locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    if (plain == (locale_t)0)
        return ak_nomem(s->ctx, 0);
    const locale_t before = uselocale(plain);
    draw(s, arg);
    uselocale(before);
    freelocale(plain);
    return s->st;
}

akin_status ak_svg_save(akin_ctx *ctx, const char *path, ak_svg_draw draw,
                        const void *arg)
{
    ak_svg svg = {.ctx = ctx};
    akin_status st = draw_plainly(&svg, draw, arg);
    if (st == AKIN_OK)
        st = ak_file_write(ctx, path, svg.bytes, (size_t)svg.n);
    akin_free(svg.bytes);
    return st;
}
