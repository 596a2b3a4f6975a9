/* akin/data.h - rows of numbers, what is known about them, and the recipe they
 * go through before they are learned from. */
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

/* Of two kinds of rows that are compared: those of the data, and the others. */
typedef enum { AKIN_LEFT, AKIN_RIGHT } akin_side;

/* How to read a file; every member may be zero. */
typedef struct akin_read_options {
    uint64_t size;              /* sizeof(akin_read_options) */
    int64_t index_base;         /* svmlight: AKIN_BASE_AUTO, _0 or _1 */
    int64_t dim;                /* 0: as many columns as the file has */
    const char *labels;         /* a file of labels, one a row */
    const char *label_column;   /* csv: name, or number from 0; -1 is last */
    const char *variable;       /* mat, npz: the matrix */
    const char *label_variable; /* mat, npz: its labels */
    const char *dim_of;         /* what `dim` was taken from, for messages */
    int64_t utf8_labels;        /* 1: refuse others; safetensors files do */
} akin_read_options;

enum { AKIN_BASE_AUTO = 0, AKIN_BASE_0 = 1, AKIN_BASE_1 = 2 };

#define AKIN_READ_DEFAULTS                 \
    {                                      \
        .size = sizeof(akin_read_options), \
    }

/* Read rows from a file; its ending says what it is
 * (docs/reference/formats.md), "-" is svmlight on standard input. `options` may
 * be NULL. AKIN_EFORMAT: the message has file, line and column. */
AKIN_API akin_status akin_rows_read(akin_rows **out, akin_ctx *ctx,
                                    const char *path,
                                    const akin_read_options *options);

/* Write rows in the format of the path's ending (svm, npy, npz, csv, tsv,
 * fvecs, safetensors), atomically. */
AKIN_API akin_status akin_rows_write(akin_ctx *ctx, const akin_rows *rows,
                                     const char *path);

/* The same for several files: all of them are written, or none. AKIN_EINVAL:
 * two of the paths are one file. */
AKIN_API akin_status akin_rows_write_all(akin_ctx *ctx,
                                         const akin_rows *const *rows,
                                         const char *const *paths,
                                         int64_t count);
/* Would akin_rows_write know the ending, and could it write there? */
AKIN_API akin_status akin_rows_write_check(akin_ctx *ctx, const char *path);

/* Copies of the caller's arrays. Sparse: `offsets` has n + 1 entries, columns
 * rise within a row. */
AKIN_API akin_status akin_rows_new_dense(akin_rows **out, akin_ctx *ctx,
                                         int64_t n, int64_t d,
                                         const float *values);
AKIN_API akin_status akin_rows_new_sparse(akin_rows **out, akin_ctx *ctx,
                                          int64_t n, int64_t d,
                                          const int64_t *offsets,
                                          const int32_t *columns,
                                          const float *values);
/* The rows `which[0..count)`, in that order, labels with them. */
AKIN_API akin_status akin_rows_select(akin_rows **out, akin_ctx *ctx,
                                      const akin_rows *rows,
                                      const int64_t *which, int64_t count);
AKIN_API void akin_rows_free(akin_rows *rows);

AKIN_API int64_t akin_rows_count(const akin_rows *rows);
AKIN_API int64_t akin_rows_dim(const akin_rows *rows);
AKIN_API int64_t akin_rows_nonzeros(const akin_rows *rows);
AKIN_API int akin_rows_is_sparse(const akin_rows *rows);
/* AKIN_BASE_0 or AKIN_BASE_1 as read or decided; AUTO where it has no sense. */
AKIN_API int64_t akin_rows_index_base(const akin_rows *rows);

/* Row i: its values, borrowed. Dense: `*columns` is NULL and the count is the
 * dimension. Returns the number of values. */
AKIN_API int64_t akin_rows_row(const int32_t **columns, const float **values,
                               const akin_rows *rows, int64_t i);

/* Names of the first columns, a header's or a vocabulary's; copied. "": no
 * name. Selected rows and recipes keep them. */
AKIN_API akin_status akin_rows_set_columns(akin_ctx *ctx, akin_rows *rows,
                                           const char *const *names,
                                           int64_t n_names);
/* NULL where column j has no name. */
AKIN_API const char *akin_rows_column_name(const akin_rows *rows, int64_t j);

/* Give sparse rows more columns, all of them empty. AKIN_ESHAPE: the rows are
 * dense, or have more already. */
AKIN_API akin_status akin_rows_widen(akin_ctx *ctx, akin_rows *rows,
                                     int64_t dim);

/* One label a row, numbers into `names`, -1 for none; copied. */
AKIN_API akin_status akin_rows_set_labels(akin_ctx *ctx, akin_rows *rows,
                                          const int32_t *labels,
                                          const char *const *names,
                                          int64_t n_names);
/* Any number of labels a row: those of row i are `labels[offsets[i]]` to
 * `labels[offsets[i + 1]]`, rising. Copied. */
AKIN_API akin_status akin_rows_set_label_lists(akin_ctx *ctx, akin_rows *rows,
                                               const int64_t *offsets,
                                               const int32_t *labels,
                                               const char *const *names,
                                               int64_t n_names);
/* How many label names there are (0: no labels), and each. */
AKIN_API int64_t akin_rows_label_count(const akin_rows *rows);
AKIN_API const char *akin_rows_label_name(const akin_rows *rows, int64_t k);
/* The labels of row i, rising; returns how many. */
AKIN_API int64_t akin_rows_labels(const int32_t **labels, const akin_rows *rows,
                                  int64_t i);

/* ---- recipe ----------------------------------------------------------- */

/* What rows go through before learning and scoring, in this order: selection
 * of columns (akin/text.h), weights, centring, scale, norm. Statistics are
 * taken once, by akin_recipe_fit. */
typedef struct akin_recipe akin_recipe;

typedef struct akin_recipe_options {
    uint64_t size;       /* sizeof(akin_recipe_options) */
    const char *weights; /* none binary tf sqrt log tfidf binary-idf sqrt-idf,
                            or auto, auto-tfidf: binary-idf or tfidf
                            for counts, else none */
    const char *scale;   /* none minmax zscore su */
    const char *norm;    /* none l2 global */
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
/* New rows, sparse stays sparse unless they are centred.
 * AKIN_ESHAPE: the rows have more columns than the recipe knows. */
AKIN_API akin_status akin_recipe_apply(akin_rows **out, akin_ctx *ctx,
                                       const akin_recipe *recipe,
                                       const akin_rows *rows);
AKIN_API akin_status akin_recipe_save(akin_ctx *ctx, const akin_recipe *recipe,
                                      const char *path);
AKIN_API akin_status akin_recipe_load(akin_recipe **out, akin_ctx *ctx,
                                      const char *path);
/* "weights=tfidf norm=l2", borrowed. */
AKIN_API const char *akin_recipe_text(const akin_recipe *recipe);
/* Columns of the rows that go in. */
AKIN_API int64_t akin_recipe_dim(const akin_recipe *recipe);
/* The column of the rows that go in behind column j of those that come out;
 * another one where the recipe keeps some columns only. */
AKIN_API int64_t akin_recipe_column(const akin_recipe *recipe, int64_t j);
/* What the first file was read with; later files follow it. */
AKIN_API int64_t akin_recipe_index_base(const akin_recipe *recipe);
/* The name of column j of the rows that come out, as the rows of the fit had
 * it; NULL: none. */
AKIN_API const char *akin_recipe_column_name(const akin_recipe *recipe,
                                             int64_t j);
AKIN_API void akin_recipe_free(akin_recipe *recipe);

/* ---- supervision ------------------------------------------------------ */

/* What is known about rows. Each kind can be turned into the ones after it in
 * this order where that has a meaning (labels into triplets), never back. */
typedef enum akin_knowledge {
    AKIN_NOTHING = 0,
    AKIN_LABELS = 1,
    AKIN_PAIRS = 2,
    AKIN_TRIPLETS = 4,
    AKIN_QUADRUPLETS = 8,
    AKIN_BAGS = 16
} akin_knowledge;

typedef struct akin_supervision akin_supervision;

/* `rows` (already through `recipe`, which may be NULL) and `right` (NULL, or
 * the right-hand rows) are borrowed. Starts with the labels of the rows, or
 * with nothing when they have none. */
AKIN_API akin_status akin_supervision_new(akin_supervision **out, akin_ctx *ctx,
                                          const akin_rows *rows,
                                          const akin_rows *right,
                                          const akin_recipe *recipe);
AKIN_API void akin_supervision_free(akin_supervision *s);

/* The recipe that the right-hand rows have been through; borrowed, NULL: none.
 * A model keeps it beside that of the left. */
AKIN_API void akin_supervision_right_recipe(akin_supervision *s,
                                            const akin_recipe *recipe);

/* What a message about its examples begins with, a path for instance;
 * borrowed, NULL: nothing. */
AKIN_API void akin_supervision_name(akin_supervision *s, const char *name);

/* Replace what is known by the examples in a file: lines `i j 1` or `i j -1`
 * (pairs), `q p n` (triplets), `a b c d` (quadruplets), captions (bags).
 * AKIN_EFORMAT, AKIN_ESHAPE: with file and line. */
AKIN_API akin_status akin_supervision_read(akin_ctx *ctx, akin_supervision *s,
                                           akin_knowledge what,
                                           const char *path);
/* Captions from a text in memory; `name` begins messages. */
AKIN_API akin_status akin_supervision_captions(akin_ctx *ctx,
                                               akin_supervision *s,
                                               const char *name,
                                               const char *text);
/* Captions as a file: JSON lines when it ends in .jsonl, .ndjson or .json, else
 * CSV (both may be compressed: .gz, .zst). AKIN_EINVAL: a name that CSV cannot
 * hold, which has a ';' or a line break. */
AKIN_API akin_status akin_captions_write(akin_ctx *ctx,
                                         const akin_supervision *s,
                                         const char *path);
/* Photos without captions: each row is one, with all of these names (no two
 * alike) for its caption. */
AKIN_API akin_status akin_supervision_anyone(akin_ctx *ctx, akin_supervision *s,
                                             const char *const *names,
                                             int64_t n_names);
/* The same from memory: 3 numbers a pair, 3 a triplet, 4 a quadruplet. */
AKIN_API akin_status akin_supervision_set(akin_ctx *ctx, akin_supervision *s,
                                          akin_knowledge what,
                                          const int64_t *numbers,
                                          int64_t count);
/* Every left row with every right row (without those: every row with every
 * row), where the labels decide: two rows match when they share one, by name.
 * Learners of pairs take labels so in any case; this makes sure of them.
 * AKIN_EINVAL: a side has no labels. */
AKIN_API akin_status akin_supervision_all_pairs(akin_ctx *ctx,
                                                akin_supervision *s);
/* How pairs that match and pairs that do not are summed: as much in all for
 * either kind, or each pair alike, as papers print it. */
typedef enum akin_pair_weights {
    AKIN_BALANCED,
    AKIN_PRINTED
} akin_pair_weights;
AKIN_API void akin_supervision_pair_weights(akin_supervision *s,
                                            akin_pair_weights weights);
/* Only these rows' labels are known: a file of row numbers, one a line. */
AKIN_API akin_status akin_supervision_labelled(akin_ctx *ctx,
                                               akin_supervision *s,
                                               const char *path);
/* Examples to draw when the knowledge is richer than the learner takes (0:
 * chosen from the data), and how often to go over them (0: once). */
AKIN_API void akin_supervision_sample(akin_supervision *s, int64_t sample,
                                      int64_t passes);
/* How negatives are drawn where they are: all alike, or until one is ranked
 * too high by the model as it is then (WARP: weighted by how soon one came).
 * Online learners that compare by x'W y take both. */
typedef enum akin_sampling { AKIN_UNIFORM, AKIN_WARP } akin_sampling;
AKIN_API void akin_supervision_sampling(akin_supervision *s,
                                        akin_sampling sampling);
AKIN_API akin_knowledge akin_supervision_kind(const akin_supervision *s);
/* Examples given (labels: rows with one; bags: photos), before sampling and
 * passes. */
AKIN_API int64_t akin_supervision_examples(const akin_supervision *s);

/* Hold out `fraction` of what is known, drawn by the context's seed: labels by
 * row and class, examples one by one. Both parts borrow the same rows; of
 * labels, `held` knows the rows that were held out. */
AKIN_API akin_status akin_supervision_hold_out(akin_supervision **rest,
                                               akin_supervision **held,
                                               akin_ctx *ctx,
                                               const akin_supervision *s,
                                               double fraction);

/* Examples that arrive one after the other: a file or, for "-", standard
 * input. `next` gives at most `most` of them as soon as some are there, and
 * `*count` 0 at the end. The numbers are borrowed until the next call. With
 * `n_right` 0 there are no right-hand rows. AKIN_NOTHING: two rows `i j` a
 * line, of which nothing is known; what else stands in the line is ignored. */
typedef struct akin_stream akin_stream;
AKIN_API akin_status akin_stream_open(akin_stream **out, akin_ctx *ctx,
                                      akin_knowledge what, const char *path,
                                      int64_t n_left, int64_t n_right);
AKIN_API akin_status akin_stream_next(const int64_t **numbers, int64_t *count,
                                      akin_ctx *ctx, akin_stream *s,
                                      int64_t most);
AKIN_API void akin_stream_close(akin_stream *s);

/* Lists of rows for each query, as `--relevant`, `--ignore` and `--like`
 * take: lines `query row`. Each list rises, without repeats. */
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
/* Row numbers, one a line; free with akin_free. */
AKIN_API akin_status akin_numbers_read(int64_t **out, int64_t *count,
                                       akin_ctx *ctx, const char *path,
                                       int64_t n_rows);

/* ---- splits -------------------------------------------------------------- */

/* Row numbers of two parts, each rising; `fraction` of the rows (of each class
 * when `by_class`) in the first. Free with akin_free. */
AKIN_API akin_status akin_split(int64_t **first, int64_t *n_first,
                                int64_t **second, int64_t *n_second,
                                akin_ctx *ctx, const akin_rows *rows,
                                double fraction, int by_class);

#ifdef __cplusplus
}
#endif
#endif
