/* data/io/sink.h - a file being written, compressed when it ends in .gz or
 * .zst; atomic, as base/file.h says. The bytes depend on what is put alone. */
#ifndef AK_DATA_IO_SINK_H
#define AK_DATA_IO_SINK_H

#include "base/file.h"

typedef struct ak_sink ak_sink;

akin_status ak_sink_open(ak_sink **out, akin_ctx *ctx, const char *path);
akin_status ak_sink_put(ak_sink *s, akin_ctx *ctx, const void *bytes, size_t n);
akin_status ak_sink_text(ak_sink *s, akin_ctx *ctx, const char *text);
/* As ak_writer_close: the file with `st` AKIN_OK, otherwise nothing. */
akin_status ak_sink_close(ak_sink *s, akin_ctx *ctx, akin_status st);

#endif
