/* data/formats.h - the formats rows are read from and written in. */
#ifndef AK_DATA_FORMATS_H
#define AK_DATA_FORMATS_H

#include "data/rows.h"
#include "data/source.h"

typedef struct ak_format {
    const char *name;
    const char *endings[4];  // with the dot; NULL behind the last
    bool text;               // may be compressed
    akin_status (*read)(akin_rows **out, akin_ctx *ctx, const char *path,
                        const akin_read_options *o);
    akin_status (*write)(akin_ctx *ctx, const akin_rows *rows,
                         const char *path);
} ak_format;

extern const ak_format ak_format_svmlight;

/* The format of a path by its ending, NULL when it has none of ours. */
const ak_format *ak_format_of(const char *path);

/* Parsers of what a source gives; the source is left open. */
akin_status ak_svmlight_parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                              const akin_read_options *o);

akin_status ak_svmlight_write(akin_ctx *ctx, const akin_rows *rows,
                              const char *path);

#endif
