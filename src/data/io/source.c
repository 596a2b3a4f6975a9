/* Bytes of a source, from the file up: stored bytes, decompression, opening,
 * lines and blocks. */
#include "data/io/source.h"

#include <errno.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "data/io/compression.h"

enum {
    BLOCK = 1 << 18,
    SLACK = 1,   // for the '\n' behind a last line that has none
    LEAST = 64,  // room beyond a small file
    MAX_LINE = 1 << 30,
    LINE_END = '\n',
    GZIP_BITS = 15 + 16,
    RAW_BITS = -15,
    MOST_WAIT = 86400,  // seconds
};

/* Decompression of a source, piece by piece. */
typedef struct decompressor {
    ak_compression kind;  // AK_PLAIN: not in use
    z_stream z;
    ZSTD_DStream *zst;
    unsigned char *packed;  // [at, end) of room bytes are still compressed
    size_t room, at, end;
    bool inside;  // a stream has begun and not ended
    bool whole;   // a stream has ended
} decompressor;

struct ak_source {
    char *name;
    int fd;                    // -1: memory
    const unsigned char *mem;  // what is left of it
    size_t mem_left;
    int64_t raw_done, raw_total;  // bytes as they are stored; total -1: unknown

    decompressor in;
    bool checked;  // a member of an archive, which states these:
    uint32_t crc, crc_stated;
    int64_t size, size_stated;

    unsigned char *buffer;  // room + SLACK, [at, end) are unread
    size_t room, at, end;
    bool ended;
    int64_t line;
    int64_t where;  // byte of the file, decompressed, that is read next
    ak_piece piece;
};

/* Up to n bytes as they are stored; none at the end, and only there. */
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
        while ((k = read(s->fd, to, n)) < 0 && errno == EINTR)
            AK_CHECK(ak_ctx_tick(ctx, "bytes read", s->raw_done, 0, NAN));
        if (k < 0)
            return ak_file_fail(ctx, errno == EISDIR ? AKIN_ENOENT : AKIN_EIO,
                                s->name);
        *got = (size_t)k;
    }
    s->raw_done += (int64_t)*got;
    return ak_ctx_tick(ctx, "bytes read", s->raw_done,
                       ak_max_i64(0, s->raw_total), NAN);
}

/* ---- decompression ---- */

static akin_status begin_decompression(ak_source *s, akin_ctx *ctx,
                                       ak_compression kind)
{
    decompressor *in = &s->in;
    in->kind = kind;
    in->room = s->room;
    if (kind == AK_ZSTD) {
        in->zst = ZSTD_createDStream_advanced(ak_zstd_memory(ctx));
        return in->zst ? AKIN_OK : ak_nomem(ctx, BLOCK);
    }
    in->z = ak_zlib_stream(ctx);
    return inflateInit2(&in->z, kind == AK_GZIP ? GZIP_BITS : RAW_BITS) == Z_OK
               ? AKIN_OK
               : ak_nomem(ctx, BLOCK);
}

static akin_status damaged(const ak_source *s, akin_ctx *ctx, const char *why)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: damaged %s data (%s)", s->name,
                   s->in.kind == AK_ZSTD ? "zstd" : "gzip", why);
}

/* More compressed bytes unless there are some; none at the end. */
static akin_status pull_packed(ak_source *s, akin_ctx *ctx)
{
    decompressor *in = &s->in;
    if (in->at < in->end)
        return AKIN_OK;
    in->at = in->end = 0;
    return pull_raw(s, ctx, in->packed, in->room, &in->end);
}

/* Decompress some of the bytes there are into z->next_out. */
static akin_status inflate_some(ak_source *s, akin_ctx *ctx)
{
    decompressor *in = &s->in;
    z_stream *z = &in->z;
    if (!in->inside && in->whole)
        inflateReset(z);  // the next member
    in->inside = true;
    z->next_in = in->packed + in->at;
    z->avail_in = (uInt)(in->end - in->at);
    const int r = inflate(z, Z_NO_FLUSH);
    in->at = in->end - z->avail_in;
    if (r == Z_STREAM_END) {
        in->inside = false;
        in->whole = true;
    } else if (r == Z_MEM_ERROR) {
        return ak_nomem(ctx, BLOCK);
    } else if (r != Z_OK) {
        return damaged(s, ctx, z->msg ? z->msg : "no such stream");
    }
    return AKIN_OK;
}

static akin_status pull_zlib(ak_source *s, akin_ctx *ctx, unsigned char *to,
                             size_t n, size_t *got)
{
    decompressor *in = &s->in;
    in->z.next_out = to;
    in->z.avail_out = (uInt)n;
    while (in->z.avail_out == n) {
        if (in->kind == AK_DEFLATE && in->whole)
            break;  // what follows is another member's
        AK_CHECK(pull_packed(s, ctx));
        if (in->at == in->end && (in->inside || !in->whole))
            return damaged(s, ctx, "truncated");
        if (in->at == in->end)
            break;
        AK_CHECK(inflate_some(s, ctx));
    }
    *got = n - in->z.avail_out;
    return AKIN_OK;
}

static akin_status pull_zstd(ak_source *s, akin_ctx *ctx, unsigned char *to,
                             size_t n, size_t *got)
{
    decompressor *in = &s->in;
    ZSTD_outBuffer out = {to, n, 0};
    while (out.pos == 0) {
        AK_CHECK(pull_packed(s, ctx));
        const bool ended = in->at == in->end;
        if (ended && !in->inside)
            break;
        ZSTD_inBuffer bytes = {in->packed, in->end, in->at};
        const size_t r = ZSTD_decompressStream(in->zst, &out, &bytes);
        in->at = bytes.pos;
        if (ZSTD_getErrorCode(r) == ZSTD_error_memory_allocation)
            return ak_nomem(ctx, BLOCK);
        if (ZSTD_isError(r))
            return damaged(s, ctx, ZSTD_getErrorName(r));
        in->inside = r != 0;
        if (ended && out.pos == 0 && in->inside)
            return damaged(s, ctx, "truncated");
    }
    *got = out.pos;
    return AKIN_OK;
}

static void end_decompression(decompressor *in)
{
    if (in->z.state != NULL)
        inflateEnd(&in->z);
    ZSTD_freeDStream(in->zst);
    akin_free(in->packed);
}

/* ---- opening ---- */

/* A buffer as large as the bytes there are, within limits. */
static akin_status make_buffer(ak_source *s, akin_ctx *ctx, unsigned char **to)
{
    s->room = BLOCK;
    if (s->raw_total >= 0 && s->raw_total < BLOCK - LEAST)
        s->room = (size_t)s->raw_total + LEAST;
    return ak_resize(ctx, (int64_t)s->room + SLACK, 1, to);
}

/* The first bytes, however small the pieces a pipe gives them in. */
static akin_status pull_first(ak_source *s, akin_ctx *ctx, unsigned char *to,
                              size_t *got)
{
    *got = 0;
    for (size_t k = 1; k > 0 && *got < 4; *got += k) {
        AK_CHECK(pull_raw(s, ctx, to + *got, s->room - *got, &k));
    }
    return AKIN_OK;
}

/* Recognise a compression by the first bytes and prepare for it. */
static akin_status begin(ak_source *s, akin_ctx *ctx, const char *path,
                         ak_source_kind kind)
{
    const ak_compression wanted = ak_compression_of_path(path);
    size_t got;
    AK_CHECK(make_buffer(s, ctx, &s->buffer));
    AK_CHECK(pull_first(s, ctx, s->buffer, &got));
    const ak_compression found = ak_compression_of_bytes(s->buffer, got);
    if (wanted != AK_PLAIN && found != wanted)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not a %s file, although its extension says so",
                       s->name, wanted == AK_GZIP ? "gzip" : "zstd");
    if (found == AK_PLAIN || (wanted == AK_PLAIN && kind == AK_SOURCE_BINARY)) {
        s->end = got;
        return AKIN_OK;
    }
    s->in.packed = s->buffer;
    s->in.end = got;
    s->buffer = NULL;
    AK_CHECK(make_buffer(s, ctx, &s->buffer));
    return begin_decompression(s, ctx, found);
}

static akin_status open_file(ak_source *s, akin_ctx *ctx, const char *path)
{
    struct stat info;
    AK_CHECK(ak_file_open(ctx, path, &s->fd));
    if (fstat(s->fd, &info) == 0 && S_ISREG(info.st_mode)) {
        const off_t at = lseek(s->fd, 0, SEEK_CUR);
        s->raw_total = at >= 0 ? (int64_t)(info.st_size - at) : -1;
    }
    return AKIN_OK;
}

/* Over n bytes of memory; -1: not over memory. */
static akin_status new_source(ak_source **out, akin_ctx *ctx, const char *path,
                              const void *bytes, int64_t n)
{
    const bool is_stdin = strcmp(path, "-") == 0;
    ak_source *s = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(ctx, 1, &s));
    s->fd = -1;
    s->mem = bytes;
    s->mem_left = n > 0 ? (size_t)n : 0;
    s->raw_total = n;
    s->piece = AK_WHOLE_FILE;
    AK_TRY(ak_strdup(ctx, is_stdin ? "standard input" : path, &s->name));
    *out = s;
    s = NULL;
done:
    akin_free(s);
    return st;
}

/* Give the source to the caller, or close it when opening failed. */
static akin_status hand_over(ak_source **out, ak_source *s, akin_status st)
{
    if (st == AKIN_OK)
        *out = s;
    else
        ak_source_close(s);
    return st;
}

akin_status ak_source_open(ak_source **out, akin_ctx *ctx, const char *path,
                           ak_source_kind kind)
{
    ak_source *s;
    AK_CHECK(new_source(&s, ctx, path, NULL, -1));
    const akin_status st = open_file(s, ctx, path);
    return hand_over(out, s, st == AKIN_OK ? begin(s, ctx, path, kind) : st);
}

akin_status ak_source_memory(ak_source **out, akin_ctx *ctx, const char *path,
                             ak_source_kind kind, const void *bytes, size_t n)
{
    ak_source *s;
    AK_CHECK(new_source(&s, ctx, path, bytes, (int64_t)n));
    return hand_over(out, s, begin(s, ctx, path, kind));
}

akin_status ak_source_fd(ak_source **out, akin_ctx *ctx, const char *name,
                         int fd)
{
    ak_source *s;
    const akin_status st = new_source(&s, ctx, name, NULL, -1);
    if (st != AKIN_OK) {
        close(fd);
        return st;
    }
    s->fd = fd;
    return hand_over(out, s, make_buffer(s, ctx, &s->buffer));
}

akin_status ak_source_member(ak_source **out, akin_ctx *ctx, const char *name,
                             const ak_member *m)
{
    ak_source *s;
    akin_status st = AKIN_OK;
    AK_CHECK(new_source(&s, ctx, name, m->bytes, (int64_t)m->n));
    s->checked = true;
    s->crc_stated = m->crc;
    s->size_stated = m->size;
    AK_TRY(make_buffer(s, ctx, &s->buffer));
    if (m->deflated) {
        AK_TRY(make_buffer(s, ctx, &s->in.packed));
        AK_TRY(begin_decompression(s, ctx, AK_DEFLATE));
    }
done:
    return hand_over(out, s, st);
}

void ak_source_close(ak_source *s)
{
    if (s == NULL)
        return;
    if (s->fd >= 0)
        close(s->fd);
    end_decompression(&s->in);
    akin_free(s->buffer);
    akin_free(s->name);
    akin_free(s);
}

/* ---- reading ---- */

/* Compare the bytes with what the archive states of them. */
static akin_status check(ak_source *s, akin_ctx *ctx,
                         const unsigned char *bytes, size_t n)
{
    s->crc = (uint32_t)crc32(s->crc, bytes, (uInt)n);
    s->size += (int64_t)n;
    if (s->size > s->size_stated || (n == 0 && s->size < s->size_stated))
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: its length differs from the archive's directory",
                       s->name);
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION  // a fuzzer guesses no sums
    if (n == 0 && s->crc != s->crc_stated)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: wrong checksum", s->name);
#endif
    return AKIN_OK;
}

/* Up to n bytes as they are read; none at the end, and only there. */
static akin_status pull(ak_source *s, akin_ctx *ctx, unsigned char *to,
                        size_t n, size_t *got)
{
    if (n > BLOCK)
        n = BLOCK;
    AK_CHECK(s->in.kind == AK_PLAIN  ? pull_raw(s, ctx, to, n, got)
             : s->in.kind == AK_ZSTD ? pull_zstd(s, ctx, to, n, got)
                                     : pull_zlib(s, ctx, to, n, got));
    if (s->checked)
        AK_CHECK(check(s, ctx, to, *got));
    return AKIN_OK;
}

/* Move what is unread to the front and read more behind it. */
static akin_status fill(ak_source *s, akin_ctx *ctx)
{
    size_t got = 0;
    if (s->at > 0)
        memmove(s->buffer, s->buffer + s->at, s->end - s->at);
    s->end -= s->at;
    s->at = 0;
    if (s->room - s->end < s->room / 2) {
        const size_t room = 2 * s->room;
        AK_CHECK(ak_resize(ctx, (int64_t)room + SLACK, 1, &s->buffer));
        s->room = room;
    }
    AK_CHECK(pull(s, ctx, s->buffer + s->end, s->room - s->end, &got));
    s->end += got;
    s->ended = got == 0;
    return AKIN_OK;
}

akin_status ak_source_line(ak_source *s, akin_ctx *ctx, char **line, size_t *n)
{
    unsigned char *lf = NULL;
    *line = NULL;
    *n = 0;
    if (s->where >= s->piece.end)
        return AKIN_OK;
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
                           "%s:%" PRId64 ": line is longer than 1 GiB", s->name,
                           s->line + 1);
        AK_CHECK(fill(s, ctx));
    }
    if (lf == NULL && s->at == s->end)
        return AKIN_OK;
    const size_t before = s->at;
    if (s->line == 0 && s->end - s->at >= 3 &&
        memcmp(s->buffer + s->at, "\xef\xbb\xbf", 3) == 0)
        s->at += 3;  // a byte order mark
    unsigned char *first = s->buffer + s->at;
    unsigned char *last = lf ? lf : s->buffer + s->end;
    s->at = (size_t)(last - s->buffer) + (lf != NULL);
    s->where += (int64_t)(s->at - before);
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

akin_status ak_source_wait(ak_source *s, akin_ctx *ctx, double seconds,
                           bool *ready)
{
    struct pollfd p = {.fd = s->fd, .events = POLLIN};
    const int ms = (int)ceil(1000.0 * fmin(seconds, MOST_WAIT));
    int n = 1;
    if (s->fd >= 0 && s->in.kind == AK_PLAIN && !s->ended &&
        !ak_source_has_line(s))
        while ((n = poll(&p, 1, seconds == INFINITY ? -1 : ms)) < 0 &&
               errno == EINTR)
            AK_CHECK(ak_ctx_tick(ctx, "bytes read", s->raw_done, 0, NAN));
    *ready = n != 0;
    return AKIN_OK;
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
        AK_CHECK(pull(s, ctx, p + *got, n - *got, &k));
        *got += k;
        s->ended = k == 0;
    }
    s->where += (int64_t)*got;
    return AKIN_OK;
}

akin_status ak_source_need(ak_source *s, akin_ctx *ctx, void *to, size_t n)
{
    size_t got;
    AK_CHECK(ak_source_read(s, ctx, to, n, &got));
    if (got < n)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: truncated", s->name);
    return AKIN_OK;
}

akin_status ak_source_end(ak_source *s, akin_ctx *ctx)
{
    char byte;
    size_t got;
    AK_CHECK(ak_source_read(s, ctx, &byte, 1, &got));
    if (got > 0)
        return ak_fail(ctx, AKIN_EFORMAT, "%s: trailing bytes", s->name);
    return AKIN_OK;
}

int64_t ak_source_left(const ak_source *s, bool *claimed)
{
    const int64_t unread = (int64_t)(s->end - s->at);
    *claimed = s->in.kind != AK_PLAIN;
    if (s->checked)
        return s->size_stated - s->size + unread;
    if (*claimed || s->raw_total < s->raw_done)
        return -1;
    return s->raw_total - s->raw_done + unread;
}

/* ---- pieces ---- */

akin_status ak_source_open_piece(ak_source **out, akin_ctx *ctx,
                                 const char *path, ak_source_kind kind,
                                 ak_piece piece)
{
    AK_CHECK(ak_source_open(out, ctx, path, kind));
    (*out)->piece = piece;
    if ((*out)->in.kind != AK_PLAIN || (*out)->raw_total < 0)
        ak_source_mend(*out);
    return AKIN_OK;
}

void ak_source_mend(ak_source *s)
{
    if (s->piece.begin > 0)
        s->piece.end = 0;
    else
        s->piece.end = INT64_MAX;
}

bool ak_source_is_piece(const ak_source *s)
{
    return s->piece.begin > 0 || s->piece.end != INT64_MAX;
}

bool ak_source_is_later_piece(const ak_source *s)
{
    return s->piece.begin > 0;
}

static akin_status go_to(ak_source *s, akin_ctx *ctx, int64_t byte)
{
    if (lseek(s->fd, (off_t)byte, SEEK_SET) < 0)
        return ak_file_fail(ctx, AKIN_EIO, s->name);
    s->at = s->end = 0;
    s->ended = false;
    s->where = s->raw_done = byte;
    return AKIN_OK;
}

/* A line belongs to the piece that has its first byte, and the byte before that
 * ends another line. */
akin_status ak_source_enter_piece(ak_source *s, akin_ctx *ctx)
{
    const int64_t begin = s->piece.begin;
    char *line = "";
    size_t n;
    if (begin == 0 || s->piece.end == 0)
        return AKIN_OK;
    const ak_piece piece = s->piece;
    s->piece.end = INT64_MAX;
    if (!piece.count_lines && s->where < begin)
        AK_CHECK(go_to(s, ctx, begin - 1));
    while (line != NULL && s->where < begin)
        AK_CHECK(ak_source_line(s, ctx, &line, &n));
    s->piece = piece;
    return AKIN_OK;
}

/* The number of the first record that begins at a byte or behind it. */
static int64_t record_at(int64_t byte, int64_t size, int64_t most)
{
    return byte <= 0 ? 0 : ak_min_i64(most, (byte - 1) / size + 1);
}

akin_status ak_source_enter_records(ak_source *s, akin_ctx *ctx, int64_t size,
                                    int64_t most, int64_t *first,
                                    int64_t *count)
{
    const int64_t at = s->where;
    *first = record_at(s->piece.begin - at, size, most);
    *count = ak_max_i64(0, record_at(s->piece.end - at, size, most) - *first);
    return *first > 0 && *count > 0 ? go_to(s, ctx, at + *first * size)
                                    : AKIN_OK;
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
