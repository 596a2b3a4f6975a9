/* akin/codebook.h - words for local descriptors of any kind: files of many
 * rows each become one row of counts. docs/reference/images.md */
#ifndef AKIN_CODEBOOK_H
#define AKIN_CODEBOOK_H

#include <akin/data.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_codebook_options {
    uint64_t size;        /* sizeof(akin_codebook_options) */
    int64_t words;        /* to learn; 0: 10,000, or a tenth of the sample */
    int64_t sample;       /* descriptors to learn from; 0: 30 for each word, at
                             least 100,000 */
    const char *codebook; /* take the words of this file instead; NULL: learn */
    const char *out;      /* write the words to this file; NULL: do not */
    const char *names;    /* write the names of the items, one per line */
    const char *collection; /* make a collection of the items; the words are in
                               its words.safetensors */
    int64_t force;          /* 1: replace an existing collection */
} akin_codebook_options;

#define AKIN_CODEBOOK_DEFAULTS                \
    {                                         \
        .size = sizeof(akin_codebook_options) \
    }

typedef struct akin_codebook_info {
    int64_t words, dim;
    int64_t sample;      /* descriptors that words were learned from; 0: none */
    int64_t items;       /* files with descriptors */
    int64_t descriptors; /* in them */
    int64_t classes;     /* sub-folders with items */
    int64_t left_out;    /* files that are no rows, skipped with a warning */
} akin_codebook_info;

/* Learn words from local descriptors, or take those of a file, and count them.
 * `input` is a file of rows, which is one item, or a folder with a file for
 * each item; sub-folders are labels. Rows are descriptors, all of the same
 * columns. `bags` (may be NULL) gets a row of counts for each item, in the
 * order of their names; `info` may be NULL.
 * AKIN_ESHAPE: a file has other columns. */
AKIN_API akin_status akin_codebook_count(akin_rows **bags, akin_ctx *ctx,
                                         const char *input,
                                         const akin_codebook_options *options,
                                         akin_codebook_info *info);

#ifdef __cplusplus
}
#endif
#endif
