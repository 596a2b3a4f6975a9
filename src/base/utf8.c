#include "base/utf8.h"

size_t ak_utf8_length(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    const unsigned char c = *p;
    const size_t len = c < 0x80 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
    if (c < 0x20 || c == 0x7f || (c >= 0x80 && c < 0xc2) || c > 0xf4 || len > n)
        return 0;
    for (size_t k = 1; k < len; ++k)
        if ((p[k] & 0xc0) != 0x80)
            return 0;
    const bool too_long = (c == 0xe0 && p[1] < 0xa0) ||
                          (c == 0xf0 && p[1] < 0x90);
    const bool surrogate = c == 0xed && p[1] >= 0xa0;
    const bool too_large = c == 0xf4 && p[1] >= 0x90;
    return too_long || surrogate || too_large ? 0 : len;
}

const char *ak_utf8_what(const char *text)
{
    const unsigned char c = (unsigned char)*text;
    return c == '\n' || c == '\r'  ? "a line break in the text"
           : c < 0x20 || c == 0x7f ? "a control character in the text"
                                   : "not text in UTF-8";
}

size_t ak_utf8_span(const char *text, size_t n)
{
    size_t at = 0;
    for (size_t len = 1; at < n && len > 0; at += len)
        len = ak_utf8_length(text + at, n - at);
    return at;
}

bool ak_utf8_is_shown(const char *text, size_t n)
{
    for (size_t at = 0, len; at < n; at += len) {
        const unsigned char *p = (const unsigned char *)text + at;
        len = ak_utf8_length(text + at, n - at);
        if (len == 0 || (len == 2 && p[0] == 0xc2 && p[1] < 0xa0) ||
            (len == 3 && p[0] == 0xef && p[1] == 0xbf && p[2] >= 0xbe))
            return false;
    }
    return true;
}

bool ak_utf8_is_latin1(const char *text, size_t n)
{
    bool beyond = false;
    for (size_t at = 0; at < n; ++at) {
        if ((unsigned char)text[at] < 0x80)
            continue;
        if (ak_utf8_length(text + at, n - at) > 0)
            return false;
        beyond = true;
    }
    return beyond;
}

size_t ak_utf8_of_latin1(char *out, const char *text, size_t n)
{
    char *to = out;
    for (size_t i = 0; i < n; ++i) {
        const unsigned char c = (unsigned char)text[i];
        if (c >= 0x80)
            *to++ = (char)(0xc0 | c >> 6);
        *to++ = (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c);
    }
    return (size_t)(to - out);
}
