/* tests/png.h - pictures for tests: a PNG of three bytes a pixel. */
#ifndef AKIN_TESTS_PNG_H
#define AKIN_TESTS_PNG_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static inline void png_number(uint32_t x, unsigned char *out)
{
    for (int i = 0; i < 4; ++i)
        out[i] = (unsigned char)(x >> (24 - 8 * i));
}

static inline void png_chunk(FILE *f, const char *name,
                             const unsigned char *bytes, uint32_t n)
{
    unsigned char number[4];
    uLong crc = crc32(0, (const Bytef *)name, 4);
    png_number(n, number);
    fwrite(number, 1, 4, f);
    fwrite(name, 1, 4, f);
    if (n > 0)
        fwrite(bytes, 1, n, f);
    crc = n > 0 ? crc32(crc, bytes, n) : crc;
    png_number((uint32_t)crc, number);
    fwrite(number, 1, 4, f);
}

/* `rgb` NULL: black, however large; `keep` of the compressed bytes. */
static inline int png_write(const char *path, uint32_t width, uint32_t height,
                            const unsigned char *rgb, double keep)
{
    const size_t line = 1 + 3 * (size_t)width;
    uLongf n = compressBound((uLong)(line * height));
    unsigned char *raw = calloc(height, line), *packed = malloc(n);
    unsigned char head[13] = {0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0};
    FILE *f = fopen(path, "wb");
    int ok = raw && packed && f;
    for (uint32_t y = 0; ok && rgb && y < height; ++y)
        memcpy(raw + y * line + 1, rgb + (size_t)y * 3 * width,
               3 * (size_t)width);
    ok = ok && compress(packed, &n, raw, (uLong)(line * height)) == Z_OK;
    if (ok) {
        png_number(width, head);
        png_number(height, head + 4);
        fwrite("\x89PNG\r\n\x1a\n", 1, 8, f);
        png_chunk(f, "IHDR", head, sizeof head);
        png_chunk(f, "IDAT", packed, (uint32_t)(keep * (double)n));
        if (keep >= 1.0)
            png_chunk(f, "IEND", NULL, 0);
    }
    if (f)
        ok = fclose(f) == 0 && ok;
    free(raw);
    free(packed);
    return ok;
}

#endif
