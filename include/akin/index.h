/* akin/index.h - search among many rows by a model.
 *
 * Sparse rows under a diagonal model are stored in an inverted index, which
 * holds raw values and applies the weights to the query. All others are stored
 * as vectors of the learned space. Results are those of comparing with every
 * row, best first, ties by row number, unless the index is approximate. */
#ifndef AKIN_INDEX_H
#define AKIN_INDEX_H

#include <akin/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Threads may share an index for searching. akin_index_add, akin_index_remove
 * and akin_index_set_model change it and need exclusive access. */
typedef struct akin_index akin_index;

typedef struct akin_index_options {
    uint64_t size;           /* sizeof(akin_index_options) */
    const char *approximate; /* "none" or "hnsw" */
    int64_t prune;           /* 1: drop columns of weight 0 permanently */
    int64_t as_is;           /* 1: the recipe was already applied to the rows */
    akin_compare by;         /* default comparison of its searches */
    int64_t links;           /* hnsw: neighbours of a row in the graph */
    int64_t effort;          /* hnsw: candidates while the graph is built */
} akin_index_options;

#define AKIN_INDEX_DEFAULTS                                        \
    {                                                              \
        .size = sizeof(akin_index_options), .approximate = "none", \
        .by = AKIN_BY_DEFAULT, .links = 16, .effort = 200,         \
    }

/* 1 if this build has the method `approximate`. */
AKIN_API int akin_index_can(const char *approximate);

/* Index raw rows, before the recipe; the model and its recipe are copied. The
 * rows are the right-hand side of the similarity, queries the left. */
AKIN_API akin_status akin_index_build(akin_index **out, akin_ctx *ctx,
                                      const akin_model *m,
                                      const akin_rows *rows,
                                      const akin_index_options *options);
AKIN_API akin_status akin_index_save(akin_ctx *ctx, const akin_index *index,
                                     const char *path);
/* The file is mapped. If another program cuts it off or writes into it, later
 * searches fail with EFORMAT; for this the first call sets a handler of SIGBUS,
 * which passes on what happens elsewhere. Replacing the file does no harm. */
AKIN_API akin_status akin_index_load(akin_index **out, akin_ctx *ctx,
                                     const char *path);
/* The same through memory: the bytes that the file would have, to be freed with
 * akin_free. Loading copies them and checks all of them at once. */
AKIN_API akin_status akin_index_save_memory(uint8_t **bytes, size_t *size,
                                            akin_ctx *ctx,
                                            const akin_index *index);
AKIN_API akin_status akin_index_load_memory(akin_index **out, akin_ctx *ctx,
                                            const void *bytes, size_t size);
AKIN_API void akin_index_free(akin_index *index);

/* An index in shards is a folder of a file index.safetensors and of one file
 * for each shard, which is an index of a range of the rows. It is loaded by the
 * name of the folder and searched as one index; it does not change. 1 if this
 * is such a folder. */
AKIN_API int akin_index_is_folder(const char *path);
/* The file of shard i; NULL: there are no more. Borrowed. */
AKIN_API const char *akin_index_shard(const akin_index *index, int64_t i);
/* Build such a folder of the rows in `data`, a path or a pattern as for
 * akin_rows_read. Each of `n_shards` shards, 1 to 100000, is read
 * (akin_rows_read_shard), indexed and written alone, by one of the ranks, which
 * holds no other meanwhile. Shards without rows are left out. The bytes do not
 * depend on the number of ranks. `read` and `options` may be NULL. */
AKIN_API akin_status akin_index_build_shards(akin_ctx *ctx, const char *folder,
                                             const akin_model *m,
                                             const char *data, int64_t n_shards,
                                             const akin_read_options *read,
                                             const akin_index_options *options);

/* Add raw rows, numbered from akin_index_count on. */
AKIN_API akin_status akin_index_add(akin_ctx *ctx, akin_index *index,
                                    const akin_rows *rows);
/* Searches no longer find these rows; the others keep their numbers.
 * AKIN_ESHAPE: a row does not exist. */
AKIN_API akin_status akin_index_remove(akin_ctx *ctx, akin_index *index,
                                       const int64_t *rows, int64_t count);

/* Names of the rows from `first` on, copied; those of rows before it stay. A
 * name is any text without a line feed; an empty one is none. Names need not
 * differ. Needs exclusive access. AKIN_ESHAPE: there are not as many rows. */
AKIN_API akin_status akin_index_set_names(akin_ctx *ctx, akin_index *index,
                                          int64_t first,
                                          const char *const *names,
                                          int64_t count);
/* The same from a file with one name on each line, as many as there are rows
 * from `first` on. */
AKIN_API akin_status akin_index_read_names(akin_ctx *ctx, akin_index *index,
                                           int64_t first, const char *path);
/* 1 if names were set. */
AKIN_API int akin_index_has_names(const akin_index *index);
/* NULL: the row has no name. */
AKIN_API const char *akin_index_name(const akin_index *index, int64_t row);
/* The first row of this name that was not removed, -1: none. */
AKIN_API int64_t akin_index_find(const akin_index *index, const char *name);

/* Replace the model without building anew. Works for an inverted index under a
 * diagonal model, when the new model is diagonal, has the same columns and
 * keeps rows sparse. Under dot products and an equal recipe only the weights
 * are copied; otherwise norms and bounds are computed anew from the raw values,
 * which the index keeps. An index that compared as its model did compares as
 * the new one does. Needs exclusive access.
 * AKIN_EINVAL: the index has to be built anew; it is unchanged. */
AKIN_API akin_status akin_index_set_model(akin_ctx *ctx, akin_index *index,
                                          const akin_model *m);

typedef struct akin_search_options {
    uint64_t size;            /* sizeof(akin_search_options) */
    int64_t top;              /* rows to find for each query */
    akin_compare by;          /* AKIN_BY_DEFAULT: as the index was built */
    int64_t as_is;            /* 1: the recipe was already applied to queries */
    int64_t effort;           /* hnsw: candidates per query; 0: chosen by top */
    const akin_lists *ignore; /* rows that a query does not find */
    const int64_t *like;      /* rows of the index: a query becomes the mean of
                                 itself and these, and finds none of them */
    int64_t n_like;           /* length of like */
    const int64_t *unlike;    /* rows of the index: half of their mean is
                                 subtracted from a query */
    int64_t n_unlike;         /* length of unlike */
    const akin_rows *like_rows;   /* as `like`, given as raw rows */
    const akin_rows *unlike_rows; /* as `unlike`, given as raw rows */
    const unsigned char *exclude; /* NULL, or one byte for each row of the
                                     index; 1: no query finds it */
    int64_t approximate; /* 1: an inverted index with 65,536 rows or more may
                            miss a row where a query is long, to save time */
} akin_search_options;

#define AKIN_SEARCH_DEFAULTS                                                   \
    {                                                                          \
        .size = sizeof(akin_search_options), .top = 10, .by = AKIN_BY_DEFAULT, \
    }

/* The `top` nearest rows of each raw query; free both with akin_free. With
 * fewer rows than `top`, the rest is -1 and NAN. `queries` NULL: one query, the
 * mean of `like` and `like_rows`. */
AKIN_API akin_status akin_index_search(int64_t **rows, double **scores,
                                       akin_ctx *ctx, const akin_index *index,
                                       const akin_rows *queries,
                                       const akin_search_options *options);

AKIN_API const char *akin_index_kind(const akin_index *index); /* "inverted" */
/* Rows that were added, and those of them that were not removed. */
AKIN_API int64_t akin_index_count(const akin_index *index);
AKIN_API int64_t akin_index_present(const akin_index *index);
/* 1 if the row was added and not removed. */
AKIN_API int akin_index_has(const akin_index *index, int64_t row);
/* Entries of an inverted index, without pruned ones; 0: another kind. */
AKIN_API int64_t akin_index_postings(const akin_index *index);
/* AKIN_BASE_0 or AKIN_BASE_1 of the first rows, which queries must use too. */
AKIN_API int64_t akin_index_base(const akin_index *index);
AKIN_API akin_compare akin_index_compare(const akin_index *index);
/* Has no recipe when the index was built with `as_is`. */
AKIN_API const akin_model *akin_index_model(const akin_index *index);

#ifdef __cplusplus
}
#endif
#endif
