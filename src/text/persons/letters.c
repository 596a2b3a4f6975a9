#include "text/persons/letters.h"

#include <stdbool.h>

/* ---- UTF-8 ---- */

/* Bytes of the character that begins with `first`, 0: none does. */
static uint32_t length_of(unsigned char first)
{
    return first < 0x80                    ? 1
           : first >= 0xc2 && first < 0xe0 ? 2
           : first >= 0xe0 && first < 0xf0 ? 3
           : first >= 0xf0 && first < 0xf5 ? 4
                                           : 0;
}

/* The code of the character, or of no character (0) where it is not UTF-8. */
static uint32_t decode(const unsigned char *s, size_t n, uint32_t *bytes)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    const uint32_t length = length_of(s[0]);
    *bytes = 1;
    if (length == 0 || length > n)
        return 0;
    uint32_t code = length == 1 ? s[0] : s[0] & (0x7fU >> length);
    for (uint32_t k = 1; k < length; ++k) {
        if ((s[k] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (s[k] & 0x3f);
    }
    if (code < least[length] || code > 0x10ffff ||
        (code >= 0xd800 && code < 0xe000))
        return 0;
    *bytes = length;
    return code;
}

size_t ak_char_write(uint32_t code, char *to)
{
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    const size_t n = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t k = n - 1; k > 0; --k, code >>= 6)
        to[k] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)((0xf00U >> n & 0xf0) | code);
    return n;
}

/* ---- kinds ---- */

static bool is_between(uint32_t x, uint32_t low, uint32_t high)
{
    return low <= x && x <= high;
}

static void set(ak_char *c, ak_char_kind kind, uint32_t lower)
{
    c->kind = kind;
    c->lower = lower;
}

/* A pair of letters, the capital first; `odd`: capitals have odd codes. */
static void set_pair(ak_char *c, uint32_t odd)
{
    const bool capital = (c->code & 1) == odd;
    set(c, capital ? AK_CHAR_UPPER : AK_CHAR_LOWER, c->code + capital);
}

/* A capital with its small letter `step` codes later. */
static void set_capital(ak_char *c, uint32_t step)
{
    set(c, AK_CHAR_UPPER, c->code + step);
}

static void look_at_ascii(ak_char *c)
{
    const uint32_t x = c->code;
    if (is_between(x, 'a', 'z'))
        c->kind = AK_CHAR_LOWER;
    else if (is_between(x, 'A', 'Z'))
        set_capital(c, 'a' - 'A');
    else if (is_between(x, '0', '9'))
        c->kind = AK_CHAR_DIGIT;
    else if (x <= ' ' || x == 0x7f)
        c->kind = AK_CHAR_BLANK;
    else if (x == '\'')
        c->kind = AK_CHAR_APOSTROPHE;
    else if (x == '-')
        c->kind = AK_CHAR_HYPHEN;
    else if (x == '"')
        c->kind = AK_CHAR_QUOTE;
}

/* U+0080 to U+024F. */
static void look_at_latin(ak_char *c)
{
    const uint32_t x = c->code;
    if (x <= 0xa0 || x == 0xad)
        c->kind = AK_CHAR_BLANK;
    else if (x == 0xab || x == 0xbb)
        c->kind = AK_CHAR_QUOTE;
    else if (x == 0xaa || x == 0xb5 || x == 0xba)
        c->kind = AK_CHAR_LOWER;
    else if (x < 0xc0 || x == 0xd7 || x == 0xf7)
        return;
    else if (x < 0xdf)
        set_capital(c, 0x20);
    else if (x < 0x100 || x == 0x131 || x == 0x138 || x == 0x149 || x == 0x17f)
        c->kind = AK_CHAR_LOWER;
    else if (x == 0x130)
        set(c, AK_CHAR_UPPER, 'i');
    else if (x == 0x178)
        set(c, AK_CHAR_UPPER, 0xff);
    else if (is_between(x, 0x139, 0x148) || is_between(x, 0x179, 0x17e) ||
             is_between(x, 0x1af, 0x1b0) || is_between(x, 0x1cd, 0x1dc))
        set_pair(c, 1);
    else
        set_pair(c, 0);
}

/* Greek and Cyrillic, U+0370 to U+052F. */
static void look_at_east(ak_char *c)
{
    const uint32_t x = c->code;
    if (is_between(x, 0x391, 0x3ab) || is_between(x, 0x410, 0x42f))
        set_capital(c, 0x20);
    else if (is_between(x, 0x400, 0x40f))
        set_capital(c, 0x50);
    else if (is_between(x, 0x386, 0x38f))
        set(c, AK_CHAR_UPPER, x);
    else if (x >= 0x460)
        set_pair(c, 0);
    else
        c->kind = AK_CHAR_LOWER;
}

/* U+2000 to U+206F: blanks, dashes, quotes, invisible characters. */
static void look_at_punctuation(ak_char *c)
{
    const uint32_t x = c->code;
    if (x == 0x200c || x == 0x200d)
        c->kind = AK_CHAR_UNCASED;
    else if (x <= 0x200f || is_between(x, 0x2028, 0x202f) || x >= 0x205f)
        c->kind = AK_CHAR_BLANK;
    else if (x == 0x2010 || x == 0x2011)
        c->kind = AK_CHAR_HYPHEN;
    else if (x == 0x2018 || x == 0x2019) {
        c->kind = AK_CHAR_APOSTROPHE;
        c->lower = '\'';
    } else if (is_between(x, 0x201c, 0x201f) || x == 0x2039 || x == 0x203a)
        c->kind = AK_CHAR_QUOTE;
}

ak_char ak_char_read(const char *text, size_t n)
{
    ak_char c = {.kind = AK_CHAR_OTHER};
    c.code = c.lower = decode((const unsigned char *)text, n, &c.bytes);
    if (c.code < 0x80)
        look_at_ascii(&c);
    else if (c.code < 0x250)
        look_at_latin(&c);
    else if (is_between(c.code, 0x370, 0x52f))
        look_at_east(&c);
    else if (is_between(c.code, 0x1e00, 0x1eff))
        set_pair(&c, 0);
    else if (is_between(c.code, 0x2000, 0x206f))
        look_at_punctuation(&c);
    else if (c.code == 0xfeff || c.code == 0x3000)
        c.kind = AK_CHAR_BLANK;
    else if (!is_between(c.code, 0x2070, 0x2bff) &&
             !is_between(c.code, 0x3001, 0x303f) && c.code < 0x1f000)
        c.kind = AK_CHAR_UNCASED;
    return c;
}
