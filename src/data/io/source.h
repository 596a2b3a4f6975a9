/* data/io/source.h - bytes of a file, standard input or memory, decompressed.
 *
 * The extensions `.gz` and `.zst` name a compression, and the contents must
 * agree. For text the first bytes decide too, so that standard input can be
 * compressed. A damaged or truncated stream is EFORMAT, never a short file. */
#ifndef AK_DATA_IO_SOURCE_H
#define AK_DATA_IO_SOURCE_H

#include "base/ctx.h"

typedef struct ak_source ak_source;

typedef enum { AK_SOURCE_BINARY, AK_SOURCE_TEXT } ak_source_kind;

/* "-" is standard input. */
akin_status ak_source_open(ak_source **out, akin_ctx *ctx, const char *path,
                           ak_source_kind kind);
/* A piece of a file: the lines, or rows, that begin at its bytes [begin, end).
 * Where it is compressed, the piece that begins at byte 0 has all of it. */
typedef struct ak_piece {
    int64_t begin, end;
    bool count_lines;  // from the first byte on, for messages; else from 1
} ak_piece;
#define AK_WHOLE_FILE ((ak_piece){0, INT64_MAX, false})
akin_status ak_source_open_piece(ak_source **out, akin_ctx *ctx,
                                 const char *path, ak_source_kind kind,
                                 ak_piece piece);
/* To be called once the header is read: go to where the piece begins. */
akin_status ak_source_enter_piece(ak_source *s, akin_ctx *ctx);
/* Forget the cut: the first piece has all of the file, the others nothing. */
void ak_source_mend(ak_source *s);
/* Is it less than a whole file, so that it may have no rows? And not its first
 * piece? */
bool ak_source_is_piece(const ak_source *s);
bool ak_source_is_later_piece(const ak_source *s);
/* The same where `most` records of `size` bytes follow: the piece has `*count`
 * of them from number `*first` on. */
akin_status ak_source_enter_records(ak_source *s, akin_ctx *ctx, int64_t size,
                                    int64_t most, int64_t *first,
                                    int64_t *count);
/* The same over borrowed memory; `path` gives the extension and messages. */
akin_status ak_source_memory(ak_source **out, akin_ctx *ctx, const char *path,
                             ak_source_kind kind, const void *bytes, size_t n);
/* The bytes of a pipe, closed with the source whatever comes of it. */
akin_status ak_source_fd(ak_source **out, akin_ctx *ctx, const char *name,
                         int fd);
/* A member of a zip archive in memory, borrowed. Length and checksum are
 * compared with the archive's once the end is read: ak_source_end. */
typedef struct ak_member {
    const unsigned char *bytes;
    size_t n;
    bool deflated;
    uint32_t crc;
    int64_t size;  // unpacked
} ak_member;
akin_status ak_source_member(ak_source **out, akin_ctx *ctx, const char *name,
                             const ak_member *member);
void ak_source_close(ak_source *s);

/* The next line without its end ("\n" or "\r\n"), NULL when there is none. A
 * '\n' follows its `*n` bytes. Borrowed until the next call. */
akin_status ak_source_line(ak_source *s, akin_ctx *ctx, char **line, size_t *n);
/* Is the next line there already, without waiting for more bytes? */
bool ak_source_has_line(const ak_source *s);
/* Wait for bytes, at most `seconds`. `*ready` is false if none came; it is true
 * without waiting where bytes, packed or not, are here already. */
akin_status ak_source_wait(ak_source *s, akin_ctx *ctx, double seconds,
                           bool *ready);
/* Up to n bytes; fewer only at the end. */
akin_status ak_source_read(ak_source *s, akin_ctx *ctx, void *to, size_t n,
                           size_t *got);
/* Exactly n bytes, or EFORMAT. */
akin_status ak_source_need(ak_source *s, akin_ctx *ctx, void *to, size_t n);
/* EFORMAT unless this is the end. */
akin_status ak_source_end(ak_source *s, akin_ctx *ctx);
/* Bytes from here to the end, -1 where only reading tells. When `*claimed`,
 * they are what an archive says, and nothing to allocate by. */
int64_t ak_source_left(const ak_source *s, bool *claimed);

/* Has the end been seen? */
bool ak_source_ended(const ak_source *s);

/* For messages: the name, and the number of the last line, from 1. */
const char *ak_source_name(const ak_source *s);
int64_t ak_source_line_number(const ak_source *s);

#endif
