/* akin/text.h - documents to rows: bags of words. docs/reference/text.md */
#ifndef AKIN_TEXT_H
#define AKIN_TEXT_H

#include <akin/data.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_text_options {
    uint64_t size;            /* sizeof(akin_text_options) */
    const char *stop_words;   /* english, none, or a file, one a line */
    int64_t min_length;       /* fewest characters of a word */
    int64_t max_length;       /* most characters of a word */
    double min_df;            /* fewest documents of a term; below 1: a share */
    double max_df;            /* most of them; 0: no limit */
    int64_t features;         /* terms to keep, 0: all */
    const char *select;       /* infogain df: which */
    const char *text_column;  /* csv: name, or number from 0; -1 is last */
    const char *label_column; /* csv; where there is none: no labels */
    int64_t header;           /* csv: 1: the first line is one, although the
                                 columns are numbers */
    const char *list;         /* a file to write: the document of each row */
    int64_t strict;           /* 1: documents in trouble are an error */
} akin_text_options;

#define AKIN_TEXT_DEFAULTS                                               \
    {                                                                    \
        .size = sizeof(akin_text_options), .stop_words = "english",      \
        .min_length = 2, .max_length = 40, .min_df = 1.0, .max_df = 0.0, \
        .select = "infogain",                                            \
    }

/* What was met on the way. */
typedef struct akin_text_info {
    int64_t words;    /* counted */
    int64_t left_out; /* documents: unreadable or binary */
    int64_t repaired; /* documents with bytes that are not UTF-8 */
    int64_t empty;    /* rows without a word that counts */
} akin_text_info;

/* Is it a folder, .csv or .tsv: documents, and not counts? */
AKIN_API int akin_text_is_documents(const char *path);
/* AKIN_ENOENT: it is not there; AKIN_EINVAL: neither documents nor, by its
 * ending, counts. */
AKIN_API akin_status akin_text_check(akin_ctx *ctx, const char *path);
/* Documents, counted: a folder with a sub-folder for each class, or a csv or
 * tsv file with a column of text. Columns are named by their terms. With
 * `recipe` they are those of its vocabulary, and limits and stop words are as
 * they were for it. Trouble with a document is told to the log.
 *   options, info    may be NULL */
AKIN_API akin_status akin_text_read(akin_rows **out, akin_ctx *ctx,
                                    const char *path, const akin_recipe *recipe,
                                    const akin_text_options *options,
                                    akin_text_info *info);
/* Name the columns of counts by the terms of a file, one a line.
 * AKIN_ESHAPE: the rows have more columns than the file has terms. */
AKIN_API akin_status akin_text_vocabulary(akin_ctx *ctx, akin_rows *counts,
                                          const char *path);

/* Choose terms from counts, and fit a recipe to what is left of them. The
 * recipe takes counts of the whole vocabulary. */
AKIN_API akin_status akin_text_fit(akin_recipe **out, akin_ctx *ctx,
                                   const akin_rows *counts,
                                   const akin_text_options *options,
                                   const akin_recipe_options *then);
/* How many nats the presence of each column tells about the label; `gain` has
 * akin_rows_dim entries. Rows without a label do not count, those with
 * several count once for each.
 * AKIN_EINVAL: no row has a label. */
AKIN_API akin_status akin_text_gain(double *gain, akin_ctx *ctx,
                                    const akin_rows *rows);

#ifdef __cplusplus
}
#endif
#endif
