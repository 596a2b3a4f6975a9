#include "data/source.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "data/unpack.h"

enum {
    BLOCK = AK_UNPACK_BLOCK,
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

    ak_unpack unpack;  // AK_PLAIN: not in use
    bool checked;      // a member of an archive, which says these:
    uint32_t crc, crc_told;
    int64_t size, size_told;

    unsigned char *buffer;  // room + SLACK bytes, of which [at, end) are unread
    size_t room, at, end;
    bool ended;
    int64_t line;
};

/* ---- where the bytes come from ------------------------------------------ */

static akin_status pull_raw(void *source, akin_ctx *ctx, unsigned char *to,
                            size_t n, size_t *got)
{
    ak_source *s = source;
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

/* Hold the bytes against what the archive says of them. */
static akin_status check(ak_source *s, akin_ctx *ctx,
                         const unsigned char *bytes, size_t n)
{
    s->crc = (uint32_t)crc32(s->crc, bytes, (uInt)n);
    s->size += (int64_t)n;
    if (s->size > s->size_told || (n == 0 && s->size < s->size_told))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not of the length the archive says", s->name);
    if (n == 0 && s->crc != s->crc_told)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: wrong checksum", s->name);
    return AKIN_OK;
}

/* Up to n bytes as they are read; none at the end, and only there. */
static akin_status pull(ak_source *s, akin_ctx *ctx, unsigned char *to,
                        size_t n, size_t *got)
{
    akin_status st = AKIN_OK;
    if (n > BLOCK)
        n = BLOCK;
    if (s->unpack.packing == AK_PLAIN)
        AK_TRY(pull_raw(s, ctx, to, n, got));
    else
        AK_TRY(ak_unpack_pull(&s->unpack, ctx, to, n, got));
    if (s->checked)
        AK_TRY(check(s, ctx, to, *got));
done:
    return st;
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

static akin_status begin_unpacking(ak_source *s, akin_ctx *ctx, ak_packing p)
{
    s->unpack.name = s->name;
    s->unpack.packing = p;
    s->unpack.pull = pull_raw;
    s->unpack.arg = s;
    return ak_unpack_begin(&s->unpack, ctx);
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
    s->unpack.packed = s->buffer;
    s->unpack.end = got;
    s->buffer = NULL;
    AK_TRY(ak_resize(ctx, BLOCK + SLACK, 1, &s->buffer));
    AK_TRY(begin_unpacking(s, ctx, found));
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

akin_status ak_source_fd(ak_source **out, akin_ctx *ctx, const char *name,
                         int fd)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(new_source(&s, ctx, name));
    s->fd = fd;
    fd = -1;
    s->room = BLOCK;
    AK_TRY(ak_resize(ctx, BLOCK + SLACK, 1, &s->buffer));
    *out = s;
    s = NULL;
done:
    ak_source_close(s, ctx);
    if (fd >= 0)
        close(fd);
    return st;
}

akin_status ak_source_member(ak_source **out, akin_ctx *ctx, const char *name,
                             const ak_member *m)
{
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(new_source(&s, ctx, name));
    s->mem = m->bytes;
    s->mem_left = m->n;
    s->raw_total = (int64_t)m->n;
    s->checked = true;
    s->crc_told = m->crc;
    s->size_told = m->size;
    s->room = BLOCK;
    AK_TRY(ak_resize(ctx, BLOCK + SLACK, 1, &s->buffer));
    if (m->deflated) {
        AK_TRY(ak_resize(ctx, BLOCK, 1, &s->unpack.packed));
        AK_TRY(begin_unpacking(s, ctx, AK_DEFLATE));
    }
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
    ak_unpack_end(&s->unpack, ctx);
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
