/* akin/data.h - rows of numbers, the supervision about them, and the recipe
 * that is applied to them before learning. */
#ifndef AKIN_DATA_H
#define AKIN_DATA_H

#include <akin/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- rows ------------------------------------------------------------- */

/* n rows of d numbers, dense or sparse, with optional labels. Rows, columns
 * and labels are numbered from 0. */
typedef struct akin_rows akin_rows;
/* What rows go through before learning and scoring; see below. */
typedef struct akin_recipe akin_recipe;

/* The two kinds of rows that a model compares: data on the left. */
typedef enum { AKIN_LEFT, AKIN_RIGHT } akin_side;

/* How to read a file; every member may be zero. */
typedef struct akin_read_options {
    uint64_t size;              /* sizeof(akin_read_options) */
    int64_t index_base;         /* svmlight: AKIN_BASE_AUTO, _0 or _1 */
    int64_t dim;                /* 0: as many columns as the file has */
    const char *labels;         /* a file of labels, one per row */
    const char *label_column;   /* csv: name, or number from 0; -1 is last;
                                   none: no labels. NULL: the column that
                                   `recipe` knows, or one called label, class,
                                   target or y, in any case; the log says so */
    const char *variable;       /* mat, npz: the matrix */
    const char *label_variable; /* mat, npz: its labels */
    const char *dim_of;         /* what `dim` was taken from, for messages */
    int64_t utf8_labels;        /* 1: refuse others; safetensors files do */
    const akin_recipe *recipe;  /* csv: its columns are never labels, and the
                                   column of its labels never numbers */
} akin_read_options;

enum { AKIN_BASE_AUTO = 0, AKIN_BASE_0 = 1, AKIN_BASE_1 = 2 };

#define AKIN_READ_DEFAULTS                 \
    {                                      \
        .size = sizeof(akin_read_options), \
    }

/* Read rows from a file; its extension names the format
 * (docs/reference/formats.md), "-" is svmlight on standard input. A path with
 * *, ? or [ that no file is called by is a pattern: the files that match, by
 * the bytes of their names, are read as one. `options` may be NULL.
 * AKIN_EFORMAT: the message has file, line and column. */
AKIN_API akin_status akin_rows_read(akin_rows **out, akin_ctx *ctx,
                                    const char *path,
                                    const akin_read_options *options);

/* The rows of one of `n_shards` shards of such files, as equal in bytes as rows
 * allow; shards one after another have all rows. Of svmlight, csv and npy files
 * only the bytes of the shard are read. Others, compressed files, and csv files
 * of which all rows decide what a column is, are in the shard of their first
 * byte. *out is NULL when the shard has no rows. `index_base` AUTO looks at the
 * rows of the shard alone. AKIN_EINVAL: `labels` was given. */
AKIN_API akin_status akin_rows_read_shard(akin_rows **out, akin_ctx *ctx,
                                          const char *path, int64_t shard,
                                          int64_t n_shards,
                                          const akin_read_options *options);

/* As akin_rows_read, by all ranks: each reads a shard and sends its rows to the
 * others, so that all have all rows. */
AKIN_API akin_status akin_rows_read_shared(akin_rows **out, akin_ctx *ctx,
                                           const char *path,
                                           const akin_read_options *options);
/* The rows of all ranks, one after another: each gives up its own, NULL where
 * it has none, and says whether it got them. Where one did not, all return its
 * status. *out is NULL when no rank has rows. */
AKIN_API akin_status akin_rows_gather(akin_rows **out, akin_ctx *ctx,
                                      akin_rows *own, akin_status st);

/* Write rows in the format of the path's extension (svm, npy, npz, csv, tsv,
 * fvecs, safetensors), atomically. */
AKIN_API akin_status akin_rows_write(akin_ctx *ctx, const akin_rows *rows,
                                     const char *path);

/* The same for several files: all of them are written, or none. AKIN_EINVAL:
 * two of the paths are one file. */
AKIN_API akin_status akin_rows_write_all(akin_ctx *ctx,
                                         const akin_rows *const *rows,
                                         const char *const *paths,
                                         int64_t count);
/* Check that akin_rows_write knows the extension and can write there. */
AKIN_API akin_status akin_rows_write_check(akin_ctx *ctx, const char *path);

/* Copies the caller's arrays. Sparse: `offsets` has n + 1 entries, and columns
 * increase within a row. */
AKIN_API akin_status akin_rows_new_dense(akin_rows **out, akin_ctx *ctx,
                                         int64_t n, int64_t d,
                                         const float *values);
AKIN_API akin_status akin_rows_new_sparse(akin_rows **out, akin_ctx *ctx,
                                          int64_t n, int64_t d,
                                          const int64_t *offsets,
                                          const int32_t *columns,
                                          const float *values);

/* The type of the numbers in an array of the caller. */
typedef enum akin_number {
    AKIN_FLOAT32,
    AKIN_FLOAT64,
    AKIN_INT32,
    AKIN_INT64
} akin_number;

/* A dense array in the caller's memory. */
typedef struct akin_dense_array {
    uint64_t size; /* sizeof(akin_dense_array) */
    int64_t n, d;  /* rows and columns */
    const void *values;
    akin_number type;            /* AKIN_FLOAT32 or AKIN_FLOAT64 */
    int64_t row_step;            /* bytes from a row to the next one, */
    int64_t column_step;         /* and from a column; also 0 or negative */
    void (*release)(void *user); /* NULL: nothing has to be released */
    void *user;
} akin_dense_array;

/* A sparse array in the caller's memory: the columns and values of row i are
 * at `offsets[i]` to `offsets[i + 1]`. */
typedef struct akin_csr_array {
    uint64_t size;       /* sizeof(akin_csr_array) */
    int64_t n, d;        /* rows and columns */
    int64_t count;       /* length of `columns` and of `values` */
    const void *offsets; /* n + 1 numbers */
    const void *columns;
    const void *values;
    akin_number offset_type;     /* AKIN_INT32 or AKIN_INT64 */
    akin_number column_type;     /* AKIN_INT32 or AKIN_INT64 */
    akin_number value_type;      /* AKIN_FLOAT32 or AKIN_FLOAT64 */
    void (*release)(void *user); /* NULL: nothing has to be released */
    void *user;
} akin_csr_array;

#define AKIN_DENSE_ARRAY_DEFAULTS         \
    {                                     \
        .size = sizeof(akin_dense_array), \
    }
#define AKIN_CSR_ARRAY_DEFAULTS                                    \
    {                                                              \
        .size = sizeof(akin_csr_array), .offset_type = AKIN_INT32, \
        .column_type = AKIN_INT32,                                 \
    }

/* Rows over the caller's arrays, which must not change until they are released.
 * `release` is called exactly once: by akin_rows_free, or by these calls where
 * nothing is borrowed or an error is returned; from the thread of that call.
 *
 * Used where they are: dense float32 whose rows follow one another without
 * gaps; of sparse arrays the columns as int32 and the values as float32, where
 * the columns of a row increase and no value is 0, and the offsets as int64.
 * All others are converted once; akin_rows_borrows says whether something is
 * borrowed.
 *
 * AKIN_EINVAL: a value is not finite as float32, offsets decrease, do not begin
 * with 0 or go beyond `count`, a column is outside `d` or twice in a row. */
AKIN_API akin_status akin_rows_borrow_dense(akin_rows **out, akin_ctx *ctx,
                                            const akin_dense_array *array);
AKIN_API akin_status akin_rows_borrow_csr(akin_rows **out, akin_ctx *ctx,
                                          const akin_csr_array *array);
/* 1 if the values are the caller's, 0 if they were copied. */
AKIN_API int akin_rows_borrows(const akin_rows *rows);

/* The rows `which[0..count)`, in that order, with their labels. */
AKIN_API akin_status akin_rows_select(akin_rows **out, akin_ctx *ctx,
                                      const akin_rows *rows,
                                      const int64_t *which, int64_t count);
AKIN_API void akin_rows_free(akin_rows *rows);

AKIN_API int64_t akin_rows_count(const akin_rows *rows);
AKIN_API int64_t akin_rows_dim(const akin_rows *rows);
AKIN_API int64_t akin_rows_nonzeros(const akin_rows *rows);
AKIN_API int akin_rows_is_sparse(const akin_rows *rows);
/* AKIN_BASE_0 or AKIN_BASE_1 as read or detected; AUTO: does not apply. */
AKIN_API int64_t akin_rows_index_base(const akin_rows *rows);

/* The recipe that the rows went through, if a file or akin_recipe_apply says
 * so: "0123456789abcdef weights=tfidf norm=l2", a fingerprint and words.
 * NULL: none is known. */
AKIN_API const char *akin_rows_recipe(const akin_rows *rows);

/* Row i: its values, borrowed. Dense: `*columns` is NULL and the count is the
 * dimension. Returns the number of values. */
AKIN_API int64_t akin_rows_row(const int32_t **columns, const float **values,
                               const akin_rows *rows, int64_t i);

/* All rows at once, borrowed. Dense: `*offsets` and `*columns` are NULL, and
 * the rows follow one another. Returns the number of values. */
AKIN_API int64_t akin_rows_arrays(const int64_t **offsets,
                                  const int32_t **columns, const float **values,
                                  const akin_rows *rows);
/* Copy rows `first` to `first + count`, with all their zeros, one after
 * another, to count * dim numbers. AKIN_EINVAL: there are no such rows. */
AKIN_API akin_status akin_rows_copy_float(float *values, akin_ctx *ctx,
                                          const akin_rows *rows, int64_t first,
                                          int64_t count);
AKIN_API akin_status akin_rows_copy_double(double *values, akin_ctx *ctx,
                                           const akin_rows *rows, int64_t first,
                                           int64_t count);

/* Name the first columns, from a header or a vocabulary; copied. "": no name.
 * Selected rows and recipes keep the names. */
AKIN_API akin_status akin_rows_set_columns(akin_ctx *ctx, akin_rows *rows,
                                           const char *const *names,
                                           int64_t n_names);
/* NULL if column j has no name. */
AKIN_API const char *akin_rows_column_name(const akin_rows *rows, int64_t j);

/* Give sparse rows more columns, all of them empty. AKIN_ESHAPE: the rows are
 * dense or already have more columns. */
AKIN_API akin_status akin_rows_widen(akin_ctx *ctx, akin_rows *rows,
                                     int64_t dim);

/* One label per row: indices into `names`, -1 for none; copied. */
AKIN_API akin_status akin_rows_set_labels(akin_ctx *ctx, akin_rows *rows,
                                          const int32_t *labels,
                                          const char *const *names,
                                          int64_t n_names);
/* Any number of labels per row: those of row i are `labels[offsets[i]]` to
 * `labels[offsets[i + 1]]`, increasing. Copied. */
AKIN_API akin_status akin_rows_set_label_lists(akin_ctx *ctx, akin_rows *rows,
                                               const int64_t *offsets,
                                               const int32_t *labels,
                                               const char *const *names,
                                               int64_t n_names);
/* The number of label names (0: no labels), and each of them. */
AKIN_API int64_t akin_rows_label_count(const akin_rows *rows);
AKIN_API const char *akin_rows_label_name(const akin_rows *rows, int64_t k);
/* 1 if the label is a whole number as one is written, and that number; 007 and
 * 1e3 are not. */
AKIN_API int akin_label_number(int64_t *number, const char *label);
/* csv: the name of the column that the labels are from; NULL: none. */
AKIN_API const char *akin_rows_label_column(const akin_rows *rows);
/* The labels of row i, increasing; returns their number. */
AKIN_API int64_t akin_rows_labels(const int32_t **labels, const akin_rows *rows,
                                  int64_t i);

/* ---- recipe ----------------------------------------------------------- */

/* The steps applied to rows before learning and scoring, in this order:
 * selection of columns (akin/text.h), weights, centring, scale, norm.
 * akin_recipe_fit computes their statistics once. */
typedef struct akin_recipe_options {
    uint64_t size;       /* sizeof(akin_recipe_options) */
    const char *weights; /* none binary tf sqrt log tfidf binary-idf sqrt-idf,
                            or auto, auto-tfidf: sqrt-idf or tfidf
                            for counts, else none; or auto-sqrt-idf:
                            sqrt-idf for sparse rows that are not
                            negative, else none; or auto-words: the
                            same, but binary-idf for counts of which
                            at most one in 16 is above 1 */
    const char *scale;   /* none minmax zscore su, or auto: zscore for dense
                            rows, else none; or auto-minmax: minmax
                            for dense rows whose columns have ranges
                            of different order, else none */
    const char *norm;    /* none l2 global, or auto: l2 for sparse rows, else
                            none */
    int64_t center;      /* 0 or 1 */
} akin_recipe_options;

#define AKIN_RECIPE_DEFAULTS                                    \
    {                                                           \
        .size = sizeof(akin_recipe_options), .weights = "none", \
        .scale = "none", .norm = "none",                        \
    }

AKIN_API akin_status akin_recipe_fit(akin_recipe **out, akin_ctx *ctx,
                                     const akin_rows *rows,
                                     const akin_recipe_options *options);
/* Makes new rows; sparse rows stay sparse unless they are centred.
 * AKIN_ESHAPE: the rows have more columns than the recipe was fitted to.
 * AKIN_EINVAL: they went through it, or through other weights, already. */
AKIN_API akin_status akin_recipe_apply(akin_rows **out, akin_ctx *ctx,
                                       const akin_recipe *recipe,
                                       const akin_rows *rows);
AKIN_API akin_status akin_recipe_save(akin_ctx *ctx, const akin_recipe *recipe,
                                      const char *path);
AKIN_API akin_status akin_recipe_load(akin_recipe **out, akin_ctx *ctx,
                                      const char *path);
/* The same through memory: the bytes that the file would have, to be freed with
 * akin_free. Loading checks them as it checks a file, and keeps no pointer. */
AKIN_API akin_status akin_recipe_save_memory(uint8_t **bytes, size_t *size,
                                             akin_ctx *ctx,
                                             const akin_recipe *recipe);
AKIN_API akin_status akin_recipe_load_memory(akin_recipe **out, akin_ctx *ctx,
                                             const void *bytes, size_t size);
/* "weights=tfidf norm=l2", borrowed. */
AKIN_API const char *akin_recipe_text(const akin_recipe *recipe);
/* The number of columns of the rows it is applied to. */
AKIN_API int64_t akin_recipe_dim(const akin_recipe *recipe);
/* The input column of output column j; they differ if the recipe keeps only
 * some columns. */
AKIN_API int64_t akin_recipe_column(const akin_recipe *recipe, int64_t j);
/* The index base of the first file; later files must use it too. */
AKIN_API int64_t akin_recipe_index_base(const akin_recipe *recipe);
/* The name of output column j, from the rows of the fit; NULL: none. */
AKIN_API const char *akin_recipe_column_name(const akin_recipe *recipe,
                                             int64_t j);
AKIN_API void akin_recipe_free(akin_recipe *recipe);

/* ---- supervision ------------------------------------------------------ */

/* The kind of supervision. A kind can be turned into later ones where that has
 * a meaning (labels into triplets), never back. */
typedef enum akin_knowledge {
    AKIN_NOTHING = 0,
    AKIN_LABELS = 1,
    AKIN_PAIRS = 2,
    AKIN_TRIPLETS = 4,
    AKIN_QUADRUPLETS = 8,
    AKIN_BAGS = 16
} akin_knowledge;

typedef struct akin_supervision akin_supervision;

/* Borrows `rows`, to which `recipe` (may be NULL) was applied, and `right`, the
 * right-hand rows (NULL: none). Starts with the labels of the rows, if any. */
AKIN_API akin_status akin_supervision_new(akin_supervision **out, akin_ctx *ctx,
                                          const akin_rows *rows,
                                          const akin_rows *right,
                                          const akin_recipe *recipe);
AKIN_API void akin_supervision_free(akin_supervision *s);

/* The recipe that was applied to the right-hand rows; borrowed, NULL: none. A
 * model stores it beside the left one. */
AKIN_API void akin_supervision_right_recipe(akin_supervision *s,
                                            const akin_recipe *recipe);

/* The text that messages about its examples begin with, such as a path;
 * borrowed, NULL: none. */
AKIN_API void akin_supervision_name(akin_supervision *s, const char *name);

/* Leave out the names that fewer than `least` captions have, and the photos
 * that are then without a name. *dropped: these photos, each and the list to be
 * freed with akin_free. AKIN_EINVAL: no name is left. */
AKIN_API akin_status akin_supervision_min_count(char ***dropped,
                                                int64_t *n_dropped,
                                                akin_ctx *ctx,
                                                akin_supervision *s,
                                                int64_t least);

/* Replace the supervision by the examples in a file: lines `i j 1` or `i j -1`
 * (pairs), `q p n` (triplets), `a b c d` (quadruplets), captions (bags).
 * AKIN_EFORMAT, AKIN_ESHAPE: the message has file and line. */
AKIN_API akin_status akin_supervision_read(akin_ctx *ctx, akin_supervision *s,
                                           akin_knowledge what,
                                           const char *path);
/* Captions from a text in memory; `name` begins messages. */
AKIN_API akin_status akin_supervision_captions(akin_ctx *ctx,
                                               akin_supervision *s,
                                               const char *name,
                                               const char *text);
/* Write captions as JSON lines (extension .jsonl, .ndjson or .json), otherwise
 * as CSV; .gz and .zst compress. AKIN_EINVAL: CSV cannot store a name with ';'
 * or a line break. */
AKIN_API akin_status akin_captions_write(akin_ctx *ctx,
                                         const akin_supervision *s,
                                         const char *path);
/* Photos without captions: each row is a photo that may have any of these
 * different names. */
AKIN_API akin_status akin_supervision_anyone(akin_ctx *ctx, akin_supervision *s,
                                             const char *const *names,
                                             int64_t n_names);
/* Examples from memory: 3 numbers per pair or triplet, 4 per quadruplet. */
AKIN_API akin_status akin_supervision_set(akin_ctx *ctx, akin_supervision *s,
                                          akin_knowledge what,
                                          const int64_t *numbers,
                                          int64_t count);
/* All pairs of a left and a right row (or of two rows, without a right side).
 * Two rows match when they share a label, by name. Learners of pairs treat
 * labels like this anyway; this call makes sure that both sides have them.
 * AKIN_EINVAL: a side has no labels. */
AKIN_API akin_status akin_supervision_all_pairs(akin_ctx *ctx,
                                                akin_supervision *s);
/* The weights of matching and other pairs: the same total for both kinds
 * (balanced), or the same for each pair, as printed in papers. */
typedef enum akin_pair_weights {
    AKIN_BALANCED,
    AKIN_PRINTED
} akin_pair_weights;
AKIN_API void akin_supervision_pair_weights(akin_supervision *s,
                                            akin_pair_weights weights);
/* Use the labels of these rows only: a file of row numbers, one per line. */
AKIN_API akin_status akin_supervision_labelled(akin_ctx *ctx,
                                               akin_supervision *s,
                                               const char *path);
/* How many examples to draw when the learner needs a later kind (0: chosen
 * from the data), and the number of passes over them. 0 passes: as many, up
 * to 30, as go on lowering the loss where the examples are chosen from labels;
 * one over given examples, `sample` of them, or with a model that goes on. */
AKIN_API void akin_supervision_sample(akin_supervision *s, int64_t sample,
                                      int64_t passes);
/* How negatives are drawn: uniformly, or until the current model ranks one too
 * high (WARP: weighted by how soon that happens). Online learners that compare
 * by x'W y support both. */
typedef enum akin_sampling { AKIN_UNIFORM, AKIN_WARP } akin_sampling;
AKIN_API void akin_supervision_sampling(akin_supervision *s,
                                        akin_sampling sampling);
AKIN_API akin_knowledge akin_supervision_kind(const akin_supervision *s);
/* The number of given examples (labels: rows with one; bags: photos), before
 * sampling and passes. */
AKIN_API int64_t akin_supervision_examples(const akin_supervision *s);

/* Hold out `fraction` of the supervision, drawn by the context's seed: labels
 * by row and class, examples one by one. Both parts borrow the same rows;
 * `held` has the held-out labels or examples. */
AKIN_API akin_status akin_supervision_hold_out(akin_supervision **rest,
                                               akin_supervision **held,
                                               akin_ctx *ctx,
                                               const akin_supervision *s,
                                               double fraction);

/* A stream of examples: a file or, for "-", standard input. `next` returns at
 * most `most` of them as soon as some have arrived, and `*count` 0 at the end.
 * The numbers are borrowed until the next call. `n_right` 0: no right-hand
 * rows. AKIN_NOTHING: lines of two rows `i j`; the rest of a line is
 * ignored. */
typedef struct akin_stream akin_stream;
AKIN_API akin_status akin_stream_open(akin_stream **out, akin_ctx *ctx,
                                      akin_knowledge what, const char *path,
                                      int64_t n_left, int64_t n_right);
AKIN_API akin_status akin_stream_next(const int64_t **numbers, int64_t *count,
                                      akin_ctx *ctx, akin_stream *s,
                                      int64_t most);
/* Wait for examples, at most `seconds` (INFINITY: until they come). `*ready` 0:
 * nothing came; 1: `next` has something to read, if only the end. */
AKIN_API akin_status akin_stream_wait(int64_t *ready, akin_ctx *ctx,
                                      akin_stream *s, double seconds);
AKIN_API void akin_stream_close(akin_stream *s);

/* Lists of rows for each query (relevant, ignored or similar ones): lines
 * `query row`. Each list is increasing, without repeats. */
typedef struct akin_lists akin_lists;
AKIN_API akin_status akin_lists_read(akin_lists **out, akin_ctx *ctx,
                                     const char *path, int64_t n_queries,
                                     int64_t n_rows);
AKIN_API akin_status akin_lists_new(akin_lists **out, akin_ctx *ctx,
                                    int64_t n_queries, const int64_t *query_row,
                                    int64_t count);
AKIN_API int64_t akin_lists_get(const int64_t **rows, const akin_lists *l,
                                int64_t query);
AKIN_API void akin_lists_free(akin_lists *l);
/* Row numbers, one per line; free with akin_free. */
AKIN_API akin_status akin_numbers_read(int64_t **out, int64_t *count,
                                       akin_ctx *ctx, const char *path,
                                       int64_t n_rows);

/* ---- splits -------------------------------------------------------------- */

/* Row numbers of two parts, each increasing; the first has `fraction` of the
 * rows (of each class with `by_class`). Free with akin_free. */
AKIN_API akin_status akin_split(int64_t **first, int64_t *n_first,
                                int64_t **second, int64_t *n_second,
                                akin_ctx *ctx, const akin_rows *rows,
                                double fraction, int by_class);

#ifdef __cplusplus
}
#endif
#endif
