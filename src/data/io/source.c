/* Reading from a source: lines, blocks, its end. */
#include "data/io/source.h"

#include <string.h>

#include "data/io/source_parts.h"

enum { MAX_LINE = 1 << 30, LINE_END = '\n' };

/* Hold the bytes against what the archive says of them. */
static akin_status check(ak_source *s, akin_ctx *ctx,
                         const unsigned char *bytes, size_t n)
{
    s->crc = (uint32_t)crc32(s->crc, bytes, (uInt)n);
    s->size += (int64_t)n;
    if (s->size > s->size_told || (n == 0 && s->size < s->size_told))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not of the length the archive says", s->name);
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // a fuzzer guesses no sums
    if (n == 0 && s->crc != s->crc_told)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: wrong checksum", s->name);
#endif
    return AKIN_OK;
}

/* Up to n bytes as they are read; none at the end, and only there. */
static akin_status pull(ak_source *s, akin_ctx *ctx, unsigned char *to,
                        size_t n, size_t *got)
{
    akin_status st = AKIN_OK;
    if (n > AK_SOURCE_BLOCK)
        n = AK_SOURCE_BLOCK;
    if (s->unpack.packing == AK_PLAIN)
        AK_TRY(ak_source_raw(s, ctx, to, n, got));
    else
        AK_TRY(ak_unpack_pull(&s->unpack, ctx, to, n, got));
    if (s->checked)
        AK_TRY(check(s, ctx, to, *got));
done:
    return st;
}

/* Move what is unread to the front and read more behind it. */
static akin_status fill(ak_source *s, akin_ctx *ctx)
{
    size_t got = 0;
    akin_status st = AKIN_OK;
    if (s->at > 0)
        memmove(s->buffer, s->buffer + s->at, s->end - s->at);
    s->end -= s->at;
    s->at = 0;
    if (s->room - s->end < s->room / 2) {
        const size_t room = 2 * s->room;
        AK_TRY(ak_resize(ctx, (int64_t)room + AK_SOURCE_SLACK, 1, &s->buffer));
        s->room = room;
    }
    AK_TRY(pull(s, ctx, s->buffer + s->end, s->room - s->end, &got));
    s->end += got;
    s->ended = got == 0;
done:
    return st;
}

akin_status ak_source_line(ak_source *s, akin_ctx *ctx, char **line, size_t *n)
{
    unsigned char *lf = NULL;
    for (size_t seen = 0;;) {
        const size_t have = s->end - s->at;
        lf = have > seen
                 ? memchr(s->buffer + s->at + seen, LINE_END, have - seen)
                 : NULL;
        if (lf != NULL || s->ended)
            break;
        seen = have;
        if (seen > MAX_LINE)
            return ak_fail(ctx, AKIN_EFORMAT,
                           "%s:%" PRId64 ": a line of more than 1 GiB", s->name,
                           s->line + 1);
        const akin_status st = fill(s, ctx);
        if (st != AKIN_OK)
            return st;
    }
    *line = NULL;
    *n = 0;
    if (lf == NULL && s->at == s->end)
        return AKIN_OK;
    if (s->line == 0 && s->end - s->at >= 3 &&
        memcmp(s->buffer + s->at, "\xef\xbb\xbf", 3) == 0)
        s->at += 3;  // a byte order mark
    unsigned char *first = s->buffer + s->at;
    unsigned char *last = lf ? lf : s->buffer + s->end;
    s->at = (size_t)(last - s->buffer) + (lf != NULL);
    if (last > first && last[-1] == '\r')
        --last;
    *last = LINE_END;
    *line = (char *)first;
    *n = (size_t)(last - first);
    ++s->line;
    return AKIN_OK;
}

bool ak_source_has_line(const ak_source *s)
{
    const size_t have = s->end - s->at;
    return have > 0 &&
           (s->ended || memchr(s->buffer + s->at, LINE_END, have) != NULL);
}

akin_status ak_source_read(ak_source *s, akin_ctx *ctx, void *to, size_t n,
                           size_t *got)
{
    unsigned char *p = to;
    const size_t have = s->end - s->at;
    size_t k = n < have ? n : have;
    memcpy(p, s->buffer + s->at, k);
    s->at += k;
    *got = k;
    while (*got < n && !s->ended) {
        const akin_status st = pull(s, ctx, p + *got, n - *got, &k);
        if (st != AKIN_OK)
            return st;
        *got += k;
        s->ended = k == 0;
    }
    return AKIN_OK;
}

akin_status ak_source_need(ak_source *s, akin_ctx *ctx, void *to, size_t n)
{
    size_t got;
    const akin_status st = ak_source_read(s, ctx, to, n, &got);
    if (st == AKIN_OK && got < n)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: ends early", s->name);
    return st;
}

akin_status ak_source_end(ak_source *s, akin_ctx *ctx)
{
    char byte;
    size_t got;
    const akin_status st = ak_source_read(s, ctx, &byte, 1, &got);
    if (st == AKIN_OK && got > 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: bytes behind the end", s->name);
    return st;
}

int64_t ak_source_left(const ak_source *s, bool *claimed)
{
    const int64_t unread = (int64_t)(s->end - s->at);
    *claimed = s->unpack.packing != AK_PLAIN;
    if (s->checked)
        return s->size_told - s->size + unread;
    if (*claimed || s->raw_total < s->raw_done)
        return -1;
    return s->raw_total - s->raw_done + unread;
}

bool ak_source_ended(const ak_source *s)
{
    return s->ended && s->at == s->end;
}

const char *ak_source_name(const ak_source *s)
{
    return s->name;
}

int64_t ak_source_line_number(const ak_source *s)
{
    return s->line;
}
