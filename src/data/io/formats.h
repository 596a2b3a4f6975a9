/* data/io/formats.h - the formats that rows are read from and written in.
 *
 * To add one: write its reader and writer in a separate file, declare them
 * below, and add a row to the table in formats.c. */
#ifndef AK_DATA_IO_FORMATS_H
#define AK_DATA_IO_FORMATS_H

#include "data/io/source.h"
#include "data/rows.h"

/* A reader gets the file opened, or opens it by itself. */
typedef akin_status ak_parse_fn(akin_rows **out, akin_ctx *ctx, ak_source *s,
                                const akin_read_options *o);
typedef akin_status ak_read_fn(akin_rows **out, akin_ctx *ctx, const char *path,
                               const akin_read_options *o);
typedef akin_status ak_write_fn(akin_ctx *ctx, const akin_rows *rows,
                                const char *path);

typedef struct ak_format {
    const char *name;
    const char *extensions[4];  // with the dot; NULL after the last
    bool text;                  // may be compressed: .gz, .zst
    bool cut;                   // a piece of a file can be read alone
    char delimiter;             // of cells, 0: other than csv and tsv
    ak_parse_fn *parse;         // a format has this or `read`
    ak_read_fn *read;
    ak_write_fn *write;  // NULL: read only
} ak_format;

/* The format of a path by its extension, NULL when it is unknown. */
const ak_format *ak_format_of(const char *path);

ak_parse_fn ak_svmlight_parse, ak_csv_parse, ak_tsv_parse, ak_npy_parse,
    ak_fvecs_parse, ak_ivecs_parse;
ak_read_fn ak_npz_read, ak_mat_read, ak_safetensors_read;
ak_write_fn ak_svmlight_write, ak_csv_write, ak_tsv_write, ak_npy_write,
    ak_npz_write, ak_fvecs_write, ak_safetensors_write;

/* Of bytes in memory, borrowed, and of what akin-mat sends. */
akin_status ak_npz_parse(akin_rows **out, akin_ctx *ctx, const char *path,
                         const void *bytes, size_t n,
                         const akin_read_options *o);
akin_status ak_mat_parse(akin_rows **out, akin_ctx *ctx, ak_source *s);

/* Rows among the tensors of a file. */
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

/* ---- shared by the writers ---- */

/* EINVAL for a label that a list separated by ';' would not give back. */
akin_status ak_format_check_labels(akin_ctx *ctx, const akin_rows *rows,
                                   const char *path);
/* `header`, then each row in full with `each` before it. Warns that labels
 * are not written. */
akin_status ak_format_write_dense(akin_ctx *ctx, const akin_rows *rows,
                                  const char *path, const void *header,
                                  size_t header_n, const void *each,
                                  size_t each_n);

/* The caller's options with the defaults of what it does not know. EINVAL: one
 * is out of range. */
akin_status ak_read_options_take(akin_read_options *to, akin_ctx *ctx,
                                 const akin_read_options *from);
/* The rows of a piece of a file, as it has them; perhaps none. Of a format that
 * is not cut, the piece that begins at byte 0 has all and the others NULL. */
akin_status ak_read_piece(akin_rows **out, akin_ctx *ctx, const char *path,
                          const akin_read_options *o, ak_piece piece);
/* Rows that were read from `path`, with the columns and labels that were asked
 * for. */
akin_status ak_rows_as_asked(akin_rows *r, akin_ctx *ctx, const char *path,
                             const akin_read_options *o);

#endif
