/* akin/text.h - documents to rows: bags of words. docs/reference/text.md */
#ifndef AKIN_TEXT_H
#define AKIN_TEXT_H

#include <akin/data.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_text_options {
    uint64_t size;            /* sizeof(akin_text_options) */
    const char *stop_words;   /* english, none, or a file with one per line */
    int64_t min_length;       /* shortest word, in characters */
    int64_t max_length;       /* longest word, in characters */
    double min_df;            /* least documents with the term; < 1: a share */
    double max_df;            /* most documents with the term; 0: no limit */
    int64_t features;         /* terms to keep, 0: all */
    const char *select;       /* how to choose them: infogain or df */
    const char *text_column;  /* csv: name, or number from 0; -1 is last;
                                 JSON lines: key; NULL: text, body, content */
    const char *label_column; /* the same, or none; NULL: as akin_rows_read */
    int64_t header;           /* csv: 1: the first line is a header even if
                                 columns are given by number */
    const char *list;         /* output file: the document of each row */
    int64_t strict;           /* 1: fail on unreadable or repaired documents */
    const char *name_column;  /* csv, JSON lines: what collections call the
                                 document; NULL: id, name, title or key */
} akin_text_options;

#define AKIN_TEXT_DEFAULTS                                               \
    {                                                                    \
        .size = sizeof(akin_text_options), .stop_words = "english",      \
        .min_length = 2, .max_length = 40, .min_df = 1.0, .max_df = 0.0, \
        .select = "infogain",                                            \
    }

/* What was read. */
typedef struct akin_text_info {
    int64_t words;    /* counted */
    int64_t left_out; /* documents skipped: unreadable or binary */
    int64_t repaired; /* documents with bytes that are not UTF-8 */
    int64_t empty;    /* rows without any counted word */
} akin_text_info;

/* 1 for a folder, .csv, .tsv or .jsonl: documents rather than counts. */
AKIN_API int akin_text_is_documents(const char *path);
/* AKIN_ENOENT: the path does not exist; AKIN_EINVAL: it is neither documents
 * nor, by its extension, counts. */
AKIN_API akin_status akin_text_check(akin_ctx *ctx, const char *path);
/* Count the words of documents: a folder with a sub-folder for each class, a
 * csv or tsv file with a column of text, or JSON lines with an object for each
 * document. The columns are named by their terms. With `recipe` the columns,
 * limits and stop words are those of its vocabulary. Problems with a document
 * go to the log.
 *   options, info    may be NULL */
AKIN_API akin_status akin_text_read(akin_rows **out, akin_ctx *ctx,
                                    const char *path, const akin_recipe *recipe,
                                    const akin_text_options *options,
                                    akin_text_info *info);
/* The same for n texts in memory, a row for each, without labels. Zero bytes
 * and bytes that are not UTF-8 separate words.
 *   lengths    bytes of each text; NULL: they end with a zero byte
 *   options    those of documents in files have no effect */
AKIN_API akin_status akin_text_count(akin_rows **out, akin_ctx *ctx,
                                     const char *const *texts,
                                     const size_t *lengths, int64_t n,
                                     const akin_recipe *recipe,
                                     const akin_text_options *options);
/* Name the columns of counts by the terms of a file, one per line.
 * AKIN_ESHAPE: the rows have more columns than the file has terms. */
AKIN_API akin_status akin_text_vocabulary(akin_ctx *ctx, akin_rows *counts,
                                          const char *path);

/* Choose terms from counts and fit a recipe to them. The recipe is applied to
 * counts of the whole vocabulary. */
AKIN_API akin_status akin_text_fit(akin_recipe **out, akin_ctx *ctx,
                                   const akin_rows *counts,
                                   const akin_text_options *options,
                                   const akin_recipe_options *then);
/* The information gain of each column about the label, in nats; `gain` has
 * akin_rows_dim entries. Rows without a label are ignored; rows with several
 * count once for each.
 * AKIN_EINVAL: no row has a label. */
AKIN_API akin_status akin_text_gain(double *gain, akin_ctx *ctx,
                                    const akin_rows *rows);

#ifdef __cplusplus
}
#endif
#endif
