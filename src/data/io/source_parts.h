/* data/io/source_parts.h - what a source is made of; for source*.c alone. */
#ifndef AK_DATA_IO_SOURCE_PARTS_H
#define AK_DATA_IO_SOURCE_PARTS_H

#include "data/io/source.h"
#include "data/io/unpack.h"

enum {
    AK_SOURCE_BLOCK = AK_UNPACK_BLOCK,
    AK_SOURCE_SLACK = 1,  // for the '\n' behind a last line that has none
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

    unsigned char *buffer;  // room + AK_SOURCE_SLACK, [at, end) are unread
    size_t room, at, end;
    bool ended;
    int64_t line;
};

/* Up to n bytes as they are stored; `source` is an ak_source. */
akin_status ak_source_raw(void *source, akin_ctx *ctx, unsigned char *to,
                          size_t n, size_t *got);

#endif
