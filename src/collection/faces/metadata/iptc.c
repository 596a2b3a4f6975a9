/* IIM is a list of data sets: 0x1c, record, data set, length (two bytes, or
 * with the highest bit set the number of bytes that the length has), content.
 * In a JPEG file it is resource 0x0404 of a block "Photoshop 3.0": resources
 * are "8BIM", an identifier, a name (a length and bytes, even in all), a length
 * of four bytes and the content, even too. */
#include "collection/faces/metadata/iptc.h"

#include <stdint.h>
#include <string.h>

typedef struct span {
    const unsigned char *p;
    size_t n;
} span;

static uint32_t number(const unsigned char *p, int bytes)
{
    uint32_t x = 0;
    for (int i = 0; i < bytes; ++i)
        x = x << 8 | p[i];
    return x;
}

static span skip(span s, size_t n)
{
    n = n < s.n ? n : s.n;
    return (span){s.p + n, s.n - n};
}

/* The IIM data of a Photoshop block; nothing where there is none. */
static span find_iim(span s)
{
    while (s.n >= 12 && memcmp(s.p, "8BIM", 4) == 0) {
        const uint32_t id = number(s.p + 4, 2);
        s = skip(s, 6);
        s = skip(s, (size_t)(s.p[0] + 2) / 2 * 2);  // name and its length
        if (s.n < 4)
            break;
        const size_t size = number(s.p, 4);
        s = skip(s, 4);
        if (size > s.n)
            break;
        if (id == 0x0404)
            return (span){s.p, size};
        s = skip(s, size + size % 2);
    }
    return (span){s.p, 0};
}

const char *ak_iptc_caption(const unsigned char *bytes, size_t n,
                            size_t *length)
{
    static const char block[] = "Photoshop 3.0";
    span s = {bytes, n};
    *length = 0;
    if (n >= sizeof block && memcmp(bytes, block, sizeof block) == 0)
        s = find_iim(skip(s, sizeof block));
    while (s.n >= 5 && s.p[0] == 0x1c) {
        const int record = s.p[1], set = s.p[2];
        size_t size = number(s.p + 3, 2);
        s = skip(s, 5);
        if (size & 0x8000) {
            const size_t more = size & 0x7fff;
            if (more > 4 || more > s.n)
                break;
            size = number(s.p, (int)more);
            s = skip(s, more);
        }
        if (size > s.n)
            break;
        if (record == 2 && set == 120) {
            *length = size;
            return (const char *)s.p;
        }
        s = skip(s, size);
    }
    return NULL;
}
