/* data/io/formats.h - the formats rows are read from and written in. */
#ifndef AK_DATA_IO_FORMATS_H
#define AK_DATA_IO_FORMATS_H

#include "data/io/source.h"
#include "data/rows.h"

typedef struct ak_format {
    const char *name;
    const char *endings[4];  // with the dot; NULL behind the last
    bool text;               // may be compressed
    akin_status (*read)(akin_rows **out, akin_ctx *ctx, const char *path,
                        const akin_read_options *o);
    akin_status (*write)(akin_ctx *ctx, const akin_rows *rows,
                         const char *path);
} ak_format;

extern const ak_format ak_format_svmlight, ak_format_csv, ak_format_tsv,
    ak_format_npy, ak_format_npz, ak_format_fvecs, ak_format_ivecs,
    ak_format_safetensors, ak_format_mat, ak_format_collection;

/* Is it a folder: a collection, or nothing that rows can be read from? */
bool ak_format_is_folder(const char *path);
/* The format of a path by its ending, NULL when it has none of ours. */
const ak_format *ak_format_of(const char *path);

/* Parsers of what a source gives; the source is left open. */
akin_status ak_svmlight_parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                              const akin_read_options *o);
akin_status ak_csv_parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                         char delimiter, const akin_read_options *o);
akin_status ak_npy_parse(akin_rows **out, akin_ctx *ctx, ak_source *s);
akin_status ak_vecs_parse(akin_rows **out, akin_ctx *ctx, ak_source *s,
                          bool integers);
akin_status ak_mat_parse(akin_rows **out, akin_ctx *ctx, ak_source *s);
/* The same of bytes, which are borrowed; `path` is for messages. */
akin_status ak_npz_parse(akin_rows **out, akin_ctx *ctx, const char *path,
                         const void *bytes, size_t n,
                         const akin_read_options *o);

struct ak_tensors;
akin_status ak_rows_take(akin_rows **out, akin_ctx *ctx,
                         const struct ak_tensors *t);
/* The numbers alone, dense or sparse, as tensors whose names begin with
 * `prefix`, which is short; d columns. */
akin_status ak_rows_values_put(struct ak_tensors *t, akin_ctx *ctx,
                               const char *prefix, const akin_rows *rows);
akin_status ak_rows_values_take(akin_rows **out, akin_ctx *ctx,
                                const struct ak_tensors *t, const char *prefix,
                                int64_t d);

/* Labels from a file of their own: .npy, .csv, .tsv, or one a line. */
akin_status ak_labels_read(akin_rows *rows, akin_ctx *ctx, const char *path,
                           const akin_read_options *o);

akin_status ak_svmlight_write(akin_ctx *ctx, const akin_rows *rows,
                              const char *path);
akin_status ak_csv_write(akin_ctx *ctx, const akin_rows *rows,
                         const char *path);
akin_status ak_tsv_write(akin_ctx *ctx, const akin_rows *rows,
                         const char *path);
akin_status ak_npz_write(akin_ctx *ctx, const akin_rows *rows,
                         const char *path);
/* EINVAL for a label that a list parted by ';' would not give back. */
akin_status ak_format_check_labels(akin_ctx *ctx, const akin_rows *rows,
                                   const char *path);
/* `front`, then each row in full with `each` before it. Says that there is no
 * place for labels. */
akin_status ak_format_write_dense(akin_ctx *ctx, const akin_rows *rows,
                                  const char *path, const void *front,
                                  size_t front_n, const void *each,
                                  size_t each_n);
/* EINVAL: the ending tells no format, or none that is written. */
akin_status ak_format_unknown(akin_ctx *ctx, const char *path, bool to_write);

#endif
