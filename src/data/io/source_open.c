/* Opening and closing sources. */
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "data/io/source_parts.h"

enum { BLOCK = AK_SOURCE_BLOCK, SLACK = AK_SOURCE_SLACK, LEAST = 64 };

akin_status ak_source_raw(void *source, akin_ctx *ctx, unsigned char *to,
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
        while ((k = read(s->fd, to, n)) < 0 && errno == EINTR) {
            const akin_status st =
                ak_ctx_tick(ctx, "bytes read", s->raw_done, 0, NAN);
            if (st != AKIN_OK)
                return st;
        }
        if (k < 0)
            return ak_file_fail(ctx, errno == EISDIR ? AKIN_ENOENT : AKIN_EIO,
                                s->name);
        *got = (size_t)k;
    }
    s->raw_done += (int64_t)*got;
    return ak_ctx_tick(ctx, "bytes read", s->raw_done,
                       ak_max_i64(0, s->raw_total), NAN);
}

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
        const akin_status st =
            ak_source_raw(s, ctx, to + *got, s->room - *got, &k);
        if (st != AKIN_OK)
            return st;
    }
    return AKIN_OK;
}

static akin_status begin_unpacking(ak_source *s, akin_ctx *ctx, ak_packing p)
{
    s->unpack.name = s->name;
    s->unpack.packing = p;
    s->unpack.pull = ak_source_raw;
    s->unpack.room = s->room;
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
    AK_TRY(make_buffer(s, ctx, &s->buffer));
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
    AK_TRY(make_buffer(s, ctx, &s->buffer));
    AK_TRY(begin_unpacking(s, ctx, found));
done:
    return st;
}

static akin_status open_file(ak_source *s, akin_ctx *ctx, const char *path)
{
    struct stat info;
    const akin_status st = ak_file_open(ctx, path, &s->fd);
    if (st != AKIN_OK)
        return st;
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
    akin_free(s);
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
    ak_source_close(s);
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
    ak_source_close(s);
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
    AK_TRY(make_buffer(s, ctx, &s->buffer));
    *out = s;
    s = NULL;
done:
    ak_source_close(s);
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
    AK_TRY(make_buffer(s, ctx, &s->buffer));
    if (m->deflated) {
        AK_TRY(make_buffer(s, ctx, &s->unpack.packed));
        AK_TRY(begin_unpacking(s, ctx, AK_DEFLATE));
    }
    *out = s;
    s = NULL;
done:
    ak_source_close(s);
    return st;
}

void ak_source_close(ak_source *s)
{
    if (s == NULL)
        return;
    if (s->fd >= 0)
        close(s->fd);
    ak_unpack_end(&s->unpack);
    akin_free(s->buffer);
    akin_free(s->name);
    akin_free(s);
}
