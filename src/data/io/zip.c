/* Layouts after PKWARE's APPNOTE.TXT, sections 4.3.7 to 4.3.16 and 4.5.3. */
#include "data/io/zip.h"

#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/file.h"

enum {
    LOCAL = 0x04034b50,
    ENTRY = 0x02014b50,
    END = 0x06054b50,
    END64 = 0x06064b50,
    LOCATOR64 = 0x07064b50,
    LOCAL_SIZE = 30,
    ENTRY_SIZE = 46,
    END_SIZE = 22,
    END64_SIZE = 56,
    LOCATOR64_SIZE = 20,
    MAX_COMMENT = 65535,
    ZIP_VERSION = 45,
    ZIP64_FIELD = 1,
    ENCRYPTED = 1,
    STORED = 0,
    DEFLATED = 8,
};

static uint64_t number(const unsigned char *p, int bytes)
{
    uint64_t x = 0;
    for (int k = 0; k < bytes; ++k)
        x |= (uint64_t)p[k] << (8 * k);
    return x;
}

static akin_status bad(const ak_zip *z, akin_ctx *ctx, size_t at,
                       const char *what)
{
    return ak_fail(ctx, AKIN_EFORMAT, "%s: byte %zu: %s", z->name, at, what);
}

/* Where the record at the end of the archive begins, or n. */
static size_t find_end(const ak_zip *z)
{
    for (size_t back = END_SIZE; back <= z->n && back <= END_SIZE + MAX_COMMENT;
         ++back) {
        const unsigned char *p = z->bytes + z->n - back;
        if (number(p, 4) == END && number(p + 20, 2) == back - END_SIZE)
            return z->n - back;
    }
    return z->n;
}

akin_status ak_zip_open(ak_zip *z, akin_ctx *ctx, const char *name,
                        const void *bytes, size_t n)
{
    *z = (ak_zip){.name = name, .bytes = bytes, .n = n};
    const size_t end = find_end(z);
    if (end == n)
        return ak_fail(ctx, AKIN_EFORMAT,
                       "%s: not a .npz file (no end record "
                       "of a zip archive)",
                       name);
    const unsigned char *p = z->bytes + end;
    uint64_t size = number(p + 12, 4), from = number(p + 16, 4);
    if (end >= LOCATOR64_SIZE && number(p - LOCATOR64_SIZE, 4) == LOCATOR64) {
        const uint64_t at = number(p - LOCATOR64_SIZE + 8, 8);
        if (at > end || end - at < END64_SIZE ||
            number(z->bytes + at, 4) != END64)
            return bad(z, ctx, end - LOCATOR64_SIZE, "zip64 record is missing");
        size = number(z->bytes + at + 40, 8);
        from = number(z->bytes + at + 48, 8);
    }
    if (from > end || size > end - from)
        return bad(z, ctx, end, "the directory is outside the file");
    z->directory = (size_t)from;
    z->directory_end = (size_t)(from + size);
    return AKIN_OK;
}

/* One entry of the directory. */
typedef struct entry {
    const unsigned char *at;
    const char *name;
    size_t name_n;
    uint64_t packed, size, local;
    size_t next;  // where the next entry begins
} entry;

/* Sizes and offsets too large for 32 bits are in a field of their own. */
static bool take_zip64(entry *e, const unsigned char *p, size_t n)
{
    uint64_t *wanted[] = {&e->size, &e->packed, &e->local};
    while (n >= 4) {
        const size_t size = (size_t)number(p + 2, 2);
        if (size > n - 4)
            return false;
        if (number(p, 2) == ZIP64_FIELD) {
            size_t at = 0;
            for (int k = 0; k < 3; ++k)
                if (*wanted[k] == UINT32_MAX) {
                    if (size - at < 8)
                        return false;
                    *wanted[k] = number(p + 4 + at, 8);
                    at += 8;
                }
        }
        p += 4 + size;
        n -= 4 + size;
    }
    return true;
}

/* The entry at `at`, which is below the end of the directory. */
static bool take_entry(const ak_zip *z, size_t at, entry *e)
{
    const unsigned char *p = z->bytes + at;
    const size_t left = z->directory_end - at;
    if (left < ENTRY_SIZE || number(p, 4) != ENTRY)
        return false;
    const size_t extra = (size_t)number(p + 30, 2);
    const size_t comment = (size_t)number(p + 32, 2);
    *e = (entry){.at = p,
                 .name = (const char *)p + ENTRY_SIZE,
                 .name_n = (size_t)number(p + 28, 2),
                 .packed = number(p + 20, 4),
                 .size = number(p + 24, 4),
                 .local = number(p + 42, 4)};
    const size_t all = ENTRY_SIZE + e->name_n + extra + comment;
    if (all > left)
        return false;
    e->next = at + all;
    return take_zip64(e, p + ENTRY_SIZE + e->name_n, extra);
}

/* Where the bytes of a member are. */
static akin_status locate(const ak_zip *z, akin_ctx *ctx, const entry *e,
                          ak_member *m)
{
    const size_t at = (size_t)(e->at - z->bytes);
    const uint64_t method = number(e->at + 10, 2);
    if (number(e->at + 8, 2) & ENCRYPTED)
        return bad(z, ctx, at, "encrypted member");
    if (method != STORED && method != DEFLATED)
        return bad(z, ctx, at, "unknown compression (expected deflate)");
    if (e->local > z->n || z->n - e->local < LOCAL_SIZE ||
        number(z->bytes + e->local, 4) != LOCAL)
        return bad(z, ctx, at, "member is missing");
    const unsigned char *p = z->bytes + e->local;
    const uint64_t front = LOCAL_SIZE + number(p + 26, 2) + number(p + 28, 2);
    const uint64_t left = z->n - e->local;
    if (front > left || e->packed > left - front || e->size > INT64_MAX ||
        (method == STORED && e->packed != e->size))
        return bad(z, ctx, at, "impossible length of a member");
    *m = (ak_member){.bytes = p + front,
                     .n = (size_t)e->packed,
                     .deflated = method == DEFLATED,
                     .crc = (uint32_t)number(e->at + 16, 4),
                     .size = (int64_t)e->size};
    return AKIN_OK;
}

akin_status ak_zip_member(const ak_zip *z, akin_ctx *ctx, const char *member,
                          ak_source **out)
{
    akin_status st = AKIN_OK;
    char *name = NULL;
    const size_t n = strlen(member), room = strlen(z->name) + n + 2;
    entry e;
    for (size_t at = z->directory; at < z->directory_end; at = e.next) {
        ak_member m;
        if (!take_entry(z, at, &e))
            AK_TRY(bad(z, ctx, at, "damaged entry of the directory"));
        if (e.name_n != n || memcmp(e.name, member, n) != 0)
            continue;
        AK_TRY(locate(z, ctx, &e, &m));
        AK_TRY(ak_alloc(ctx, (int64_t)room, 1, &name));
        snprintf(name, room, "%s:%s", z->name, member);
        AK_TRY(ak_source_member(out, ctx, name, &m));
        break;
    }
done:
    akin_free(name);
    return st;
}

void ak_zip_list(const ak_zip *z, char *to, size_t room)
{
    entry e;
    size_t n = 0;
    for (size_t at = z->directory; at < z->directory_end; at = e.next) {
        if (!take_entry(z, at, &e) || n + e.name_n + 2 > room)
            break;
        if (n > 0)
            to[n++] = ' ';
        for (size_t k = 0; k < e.name_n; ++k) {
            const char c = e.name[k];
            to[n++] = c > ' ' && c < 0x7f ? c : '?';
        }
    }
    to[n] = '\0';
}

/* ---- writing ---- */

typedef struct writer {
    ak_writer *out;
    uint64_t at;
    int n;  // members
} writer;

static akin_status put(writer *w, akin_ctx *ctx, const void *bytes, size_t n)
{
    w->at += n;
    return ak_writer_put(w->out, ctx, bytes, n);
}

static akin_status put_number(writer *w, akin_ctx *ctx, uint64_t x, int bytes)
{
    unsigned char text[8];
    for (int k = 0; k < bytes; ++k)
        text[k] = (unsigned char)(x >> (8 * k));
    return put(w, ctx, text, (size_t)bytes);
}

/* Numbers and their sizes in bytes; size 0 ends the list. */
typedef struct field {
    uint64_t x;
    int bytes;
} field;

static akin_status put_fields(writer *w, akin_ctx *ctx, const field *f)
{
    for (; f->bytes > 0; ++f)
        AK_CHECK(put_number(w, ctx, f->x, f->bytes));
    return AKIN_OK;
}

static akin_status put_member(writer *w, akin_ctx *ctx, ak_zip_out *m)
{
    const uint64_t size = m->header_n + m->n;
    m->crc = (uint32_t)crc32_z(0, m->header, m->header_n);
    m->crc = (uint32_t)crc32_z(m->crc, m->data, m->n);
    m->at = w->at;
    const field front[] = {
        {LOCAL, 4},      {ZIP_VERSION, 2},
        {0, 2},          {0, 2},
        {0, 2},          {0x21, 2},  // 1 January 1980, zip's first day
        {m->crc, 4},     {UINT32_MAX, 4},
        {UINT32_MAX, 4}, {strlen(m->name), 2},
        {20, 2},         {0, 0}};
    const field extra[] = {{1, 2}, {16, 2}, {size, 8}, {size, 8}, {0, 0}};
    AK_CHECK(put_fields(w, ctx, front));
    AK_CHECK(put(w, ctx, m->name, strlen(m->name)));
    AK_CHECK(put_fields(w, ctx, extra));
    AK_CHECK(put(w, ctx, m->header, m->header_n));
    return put(w, ctx, m->data, m->n);
}

static akin_status put_entry(writer *w, akin_ctx *ctx, const ak_zip_out *m)
{
    const uint64_t size = m->header_n + m->n;
    const field front[] = {{ENTRY, 4},
                           {ZIP_VERSION, 2},
                           {ZIP_VERSION, 2},
                           {0, 2},
                           {0, 2},
                           {0, 2},
                           {0x21, 2},
                           {m->crc, 4},
                           {UINT32_MAX, 4},
                           {UINT32_MAX, 4},
                           {strlen(m->name), 2},
                           {28, 2},
                           {0, 2},
                           {0, 2},
                           {0, 2},
                           {0, 4},
                           {UINT32_MAX, 4},
                           {0, 0}};
    const field extra[] = {{1, 2},    {24, 2},    {size, 8},
                           {size, 8}, {m->at, 8}, {0, 0}};
    AK_CHECK(put_fields(w, ctx, front));
    AK_CHECK(put(w, ctx, m->name, strlen(m->name)));
    return put_fields(w, ctx, extra);
}

static akin_status put_end(writer *w, akin_ctx *ctx, uint64_t directory)
{
    const uint64_t end = w->at, n = (uint64_t)w->n;
    const field fields[] = {
        {END64, 4},       {44, 8},         {ZIP_VERSION, 2},
        {ZIP_VERSION, 2}, {0, 4},          {0, 4},
        {n, 8},           {n, 8},          {end - directory, 8},
        {directory, 8},   {LOCATOR64, 4},  {0, 4},
        {end, 8},         {1, 4},          {END, 4},
        {0, 2},           {0, 2},          {n, 2},
        {n, 2},           {UINT32_MAX, 4}, {UINT32_MAX, 4},
        {0, 2},           {0, 0}};
    return put_fields(w, ctx, fields);
}

akin_status ak_zip_write(akin_ctx *ctx, const char *path, ak_zip_out *members,
                         int n)
{
    writer w = {.n = n};
    akin_status st = AKIN_OK;
    AK_TRY(ak_writer_open(&w.out, ctx, path));
    for (int k = 0; k < n; ++k)
        AK_TRY(put_member(&w, ctx, &members[k]));
    const uint64_t directory = w.at;
    for (int k = 0; k < n; ++k)
        AK_TRY(put_entry(&w, ctx, &members[k]));
    AK_TRY(put_end(&w, ctx, directory));
done:
    return ak_writer_close(w.out, ctx, st);
}
