#include "data/source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "data/packing.h"

enum {
    BLOCK = 1 << 18,
    SLACK = 1,           // for the '\n' behind a last line that has none
    MAX_LINE = 1 << 30,  // a longer one is not a line
    LINE_END = '\n',
};

struct ak_source {
    char *name;
    int fd;                    // -1: memory
    const unsigned char *mem;  // what is left of it
    size_t mem_left;
    int64_t raw_done, raw_total;  // bytes as they are stored; total -1: unknown

    ak_packing packing;
    z_stream gz;
    ZSTD_DStream *zst;
    unsigned char *packed;  // BLOCK bytes, of which [packed_at, packed_end)
    size_t packed_at, packed_end;  // are still to be decompressed
    bool mid_stream;  // a compressed stream has begun and not ended

    unsigned char *buffer;  // room + SLACK bytes, of which [at, end) are unread
    size_t room, at, end;
    bool ended;
    int64_t line;
};

/* ---- where the bytes come from ------------------------------------------ */

static akin_status pull_raw(ak_source *s, akin_ctx *ctx, unsigned char *to,
                            size_t n, size_t *got)
{
    if (s->fd < 0) {
        *got = n < s->mem_left ? n : s->mem_left;
        if (*got > 0)
            memcpy(to, s->mem, *got);
        s->mem += *got;
        s->mem_left -= *got;
    } else {
        ssize_t k;
        do
            k = read(s->fd, to, n);
        while (k < 0 && errno == EINTR);
        if (k < 0)
            return ak_file_fail(ctx, errno == EISDIR ? AKIN_ENOENT : AKIN_EIO,
                                s->name);
        *got = (size_t)k;
    }
    s->raw_done += (int64_t)*got;
    return ak_ctx_tick(ctx, "bytes read", s->raw_done,
                       ak_max_i64(0, s->raw_total), NAN);
}

/* More packed bytes unless there are some; none at the end. */
static akin_status pull_packed(ak_source *s, akin_ctx *ctx)
{
    if (s->packed_at < s->packed_end)
        return AKIN_OK;
    s->packed_at = s->packed_end = 0;
    return pull_raw(s, ctx, s->packed, BLOCK, &s->packed_end);
}

static akin_status damaged(ak_source *s, akin_ctx *ctx, const char *what,
                           const char *why)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: damaged %s data (%s)", s->name, what,
                   why);
}

static akin_status pull_gzip(ak_source *s, akin_ctx *ctx, unsigned char *to,
                             size_t n, size_t *got)
{
    z_stream *z = &s->gz;
    z->next_out = to;
    z->avail_out = (uInt)n;
    while (z->avail_out == n) {
        const akin_status st = pull_packed(s, ctx);
        if (st != AKIN_OK)
            return st;
        const size_t in = s->packed_end - s->packed_at;
        if (in == 0 && s->mid_stream)
            return damaged(s, ctx, "gzip", "it ends early");
        if (in == 0)
            break;
        if (!s->mid_stream)
            inflateReset(z);  // the next member
        s->mid_stream = true;
        z->next_in = s->packed + s->packed_at;
        z->avail_in = (uInt)in;
        const int r = inflate(z, Z_NO_FLUSH);
        s->packed_at = s->packed_end - z->avail_in;
        if (r == Z_STREAM_END)
            s->mid_stream = false;
        else if (r == Z_MEM_ERROR)
            return ak_nomem(ctx, BLOCK);
        else if (r != Z_OK)
            return damaged(s, ctx, "gzip", z->msg ? z->msg : "no gzip stream");
    }
    *got = n - z->avail_out;
    return AKIN_OK;
}

static akin_status pull_zstd(ak_source *s, akin_ctx *ctx, unsigned char *to,
                             size_t n, size_t *got)
{
    ZSTD_outBuffer out = {to, n, 0};
    while (out.pos == 0) {
        const akin_status st = pull_packed(s, ctx);
        if (st != AKIN_OK)
            return st;
        const size_t in = s->packed_end - s->packed_at;
        if (in == 0 && !s->mid_stream)
            break;
        ZSTD_inBuffer packed = {s->packed, s->packed_end, s->packed_at};
        const size_t r = ZSTD_decompressStream(s->zst, &out, &packed);
        s->packed_at = packed.pos;
        if (ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation)
            return ak_nomem(ctx, BLOCK);
        if (ZSTD_isError(r))
            return damaged(s, ctx, "zstd", ZSTD_getErrorName(r));
        s->mid_stream = r != 0;
        if (in == 0 && out.pos == 0 && s->mid_stream)
            return damaged(s, ctx, "zstd", "it ends early");
    }
    *got = out.pos;
    return AKIN_OK;
}

static akin_status pull(ak_source *s, akin_ctx *ctx, unsigned char *to,
                        size_t n, size_t *got)
{
    if (n > BLOCK)
        n = BLOCK;
    switch (s->packing) {
    case AK_GZIP:
        return pull_gzip(s, ctx, to, n, got);
    case AK_ZSTD:
        return pull_zstd(s, ctx, to, n, got);
    case AK_PLAIN:
        break;
    }
    return pull_raw(s, ctx, to, n, got);
}

/* ---- opening and closing ------------------------------------------------- */

/* The first bytes, however small the pieces a pipe gives them in. */
static akin_status pull_first(ak_source *s, akin_ctx *ctx, unsigned char *to,
                              size_t *got)
{
    *got = 0;
    for (size_t k = 1; k > 0 && *got < 4; *got += k) {
        const akin_status st = pull_raw(s, ctx, to + *got, BLOCK - *got, &k);
        if (st != AKIN_OK)
            return st;
    }
    return AKIN_OK;
}

static akin_status begin_unpacking(ak_source *s, akin_ctx *ctx)
{
    if (s->packing == AK_GZIP) {
        s->gz = ak_packing_zlib(ctx);
        return inflateInit2(&s->gz, 15 + 16) == Z_OK ? AKIN_OK
                                                     : ak_nomem(ctx, BLOCK);
    }
    s->zst = ZSTD_createDStream_advanced(ak_packing_zstd(ctx));
    return s->zst ? AKIN_OK : ak_nomem(ctx, BLOCK);
}

/* Look at the first bytes and set up what decompresses them. */
static akin_status begin(ak_source *s, akin_ctx *ctx, const char *path,
                         ak_source_kind kind)
{
    const ak_packing wanted = ak_packing_by_ending(path);
    akin_status st = AKIN_OK;
    size_t got;
    s->room = BLOCK;
    AK_TRY(ak_resize(ctx, BLOCK + SLACK, 1, &s->buffer));
    AK_TRY(pull_first(s, ctx, s->buffer, &got));
    const ak_packing found = ak_packing_by_bytes(s->buffer, got);
    if (wanted != AK_PLAIN && found != wanted)
        AK_TRY(ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not a %s file, as its ending says", s->name,
                       wanted == AK_GZIP ? "gzip" : "zstd"));
    if (found == AK_PLAIN || (wanted == AK_PLAIN && kind == AK_SOURCE_BINARY)) {
        s->end = got;
        return AKIN_OK;
    }
    s->packing = found;
    s->packed = s->buffer;
    s->packed_end = got;
    s->buffer = NULL;
    AK_TRY(ak_resize(ctx, BLOCK + SLACK, 1, &s->buffer));
    AK_TRY(begin_unpacking(s, ctx));
done:
    return st;
}

static akin_status open_file(ak_source *s, akin_ctx *ctx, const char *path)
{
    struct stat info;
    const bool is_stdin = strcmp(path, "-") == 0;
    s->fd = is_stdin ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC);
    if (s->fd < 0)
        return ak_file_fail(ctx, AKIN_ENOENT, s->name);
    if (fstat(s->fd, &info) == 0 && S_ISREG(info.st_mode)) {
        const off_t at = lseek(s->fd, 0, SEEK_CUR);
        s->raw_total = at >= 0 ? (int64_t)(info.st_size - at) : -1;
    }
    return AKIN_OK;
}

static akin_status new_source(ak_source **out, akin_ctx *ctx, const char *path)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->fd = -1;
    s->raw_total = -1;
    AK_TRY(ak_strdup(ctx, is_stdin ? "standard input" : path, &s->name));
    *out = s;
    s = NULL;
done:
    ak_release(ctx, s);
    return st;
}

akin_status ak_source_open(ak_source **out, akin_ctx *ctx, const char *path,
                           ak_source_kind kind)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(new_source(&s, ctx, path));
    AK_TRY(open_file(s, ctx, path));
    AK_TRY(begin(s, ctx, path, kind));
    *out = s;
    s = NULL;
done:
    ak_source_close(s, ctx);
    return st;
}

akin_status ak_source_memory(ak_source **out, akin_ctx *ctx, const char *path,
                             ak_source_kind kind, const void *bytes, size_t n)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(new_source(&s, ctx, path));
    s->mem = bytes;
    s->mem_left = n;
    s->raw_total = (int64_t)n;
    AK_TRY(begin(s, ctx, path, kind));
    *out = s;
    s = NULL;
done:
    ak_source_close(s, ctx);
    return st;
}

void ak_source_close(ak_source *s, akin_ctx *ctx)
{
    if (s == NULL)
        return;
    if (s->fd >= 0)
        close(s->fd);
    if (s->gz.state != NULL)
        inflateEnd(&s->gz);
    ZSTD_freeDStream(s->zst);
    ak_release(ctx, s->packed);
    ak_release(ctx, s->buffer);
    ak_release(ctx, s->name);
    ak_release(ctx, s);
}

/* ---- reading --------------------------------------------------------------
 */

/* Move what is unread to the front and read more behind it. */
static akin_status fill(ak_source *s, akin_ctx *ctx)
{
    size_t got = 0;
    akin_status st = AKIN_OK;
    if (s->at > 0)
        memmove(s->buffer, s->buffer + s->at, s->end - s->at);
    s->end -= s->at;
    s->at = 0;
    if (s->room - s->end < BLOCK / 2) {
        const size_t room = 2 * s->room;
        AK_TRY(ak_resize(ctx, (int64_t)room + SLACK, 1, &s->buffer));
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

int64_t ak_source_left(const ak_source *s)
{
    if (s->packing != AK_PLAIN || s->raw_total < s->raw_done)
        return -1;
    return s->raw_total - s->raw_done + (int64_t)(s->end - s->at);
}

const char *ak_source_name(const ak_source *s)
{
    return s->name;
}

int64_t ak_source_line_number(const ak_source *s)
{
    return s->line;
}
