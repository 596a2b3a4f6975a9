/* akin/collection.h - pictures made searchable: a folder with a catalogue, a
 * codebook, bags of visual words and an index. docs/reference/images.md */
#ifndef AKIN_COLLECTION_H
#define AKIN_COLLECTION_H

#include <akin/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How pictures become rows. A collection keeps the options it was started
 * with. */
typedef struct akin_images_options {
    uint64_t size;            /* sizeof(akin_images_options) */
    int64_t side;             /* longest side; larger pictures are shrunk */
    int64_t first_octave;     /* -1: features of pictures at twice their size */
    int64_t words;            /* of the codebook; 0: chosen by the sample */
    int64_t sample;           /* descriptors to learn words from; 0: auto */
    const char *codebook;     /* a file or collection to copy it from */
    const char *colours;      /* none luv hsv: colour moments beside words */
    const char *labels;       /* csv of files and labels, NULL: sub-folders */
    const char *label_column; /* its column; NULL: label, class, target, y */
    int64_t force;            /* 1: replace an existing collection */
    int64_t batch;            /* descriptors per iteration; 0: the sample */
} akin_images_options;

#define AKIN_IMAGES_DEFAULTS                                                 \
    {                                                                        \
        .size = sizeof(akin_images_options), .side = 640, .colours = "none", \
    }

typedef struct akin_images_info {
    int64_t pictures;    /* in the collection */
    int64_t added;       /* by this run */
    int64_t left_out;    /* unreadable pictures, skipped */
    int64_t passed_over; /* files skipped: not an image extension */
    int64_t descriptors; /* in the collection */
    int64_t words;       /* of the codebook */
    int64_t classes;     /* different labels */
    int64_t changed;     /* described again because the file changed */
    int64_t gone;        /* missing from the folders; their rows stay */
} akin_images_info;

/* Make a collection of the pictures below `folder`, or resume an interrupted
 * run. Unreadable pictures are skipped with a warning in the log.
 * AKIN_EINVAL: another collection exists; AKIN_EABSENT: this build has no
 * collections. */
AKIN_API akin_status akin_images_make(akin_ctx *ctx, const char *path,
                                      const char *folder,
                                      const akin_images_options *options,
                                      akin_images_info *info);
/* Add pictures with the settings of the collection. Of `options` only the
 * labels are used; existing pictures get them too. Changed files are described
 * again. */
AKIN_API akin_status akin_images_add(akin_ctx *ctx, const char *path,
                                     const char *folder,
                                     const akin_images_options *options,
                                     akin_images_info *info);
/* Set the model that searches use from now on; NULL: square roots of counts
 * times idf, as at the start. */
AKIN_API akin_status akin_images_model(akin_ctx *ctx, const char *path,
                                       const akin_model *model);

/* ---- read a collection -------------------------------------------------- */

/* A collection opened for reading; one thread at a time. */
typedef struct akin_collection akin_collection;

/* 1 for a folder with a catalogue. */
AKIN_API int akin_collection_is(const char *path);
AKIN_API akin_status akin_collection_open(akin_collection **out, akin_ctx *ctx,
                                          const char *path);
AKIN_API void akin_collection_close(akin_collection *c);

AKIN_API akin_status akin_collection_info(akin_images_info *info, akin_ctx *ctx,
                                          const akin_collection *c);
/* 1 when a run was interrupted and can be resumed. */
AKIN_API int akin_collection_is_open(const akin_collection *c);

/* The picture of a row: its path, and its name below the folder it came from.
 * Borrowed until the next call. AKIN_ESHAPE: the row does not exist. */
typedef struct akin_picture {
    const char *path, *name;
    const char *labels; /* separated by newlines; "": none */
    int64_t width, height, descriptors;
} akin_picture;
AKIN_API akin_status akin_collection_picture(akin_picture *out, akin_ctx *ctx,
                                             akin_collection *c, int64_t row);
/* The row of a picture by name or path. AKIN_EINVAL: no picture matches, or
 * several do. */
AKIN_API akin_status akin_collection_find(int64_t *row, akin_ctx *ctx,
                                          akin_collection *c, const char *name);

/* All pictures as rows of word counts, with their labels. */
AKIN_API akin_status akin_collection_rows(akin_rows **out, akin_ctx *ctx,
                                          const akin_collection *c);
/* The same for pictures outside the collection. */
AKIN_API akin_status akin_collection_describe(akin_rows **out, akin_ctx *ctx,
                                              akin_collection *c,
                                              const char *const *files,
                                              int64_t n_files);
/* The index under the model of the collection, or under `model` unless NULL. */
AKIN_API akin_status akin_collection_index(akin_index **out, akin_ctx *ctx,
                                           const akin_collection *c,
                                           const akin_model *model);

/* Check catalogue, codebook and index, and that the files of rows agree with
 * the catalogue. AKIN_EFORMAT: the message has the reason. */
AKIN_API akin_status akin_collection_check(akin_ctx *ctx,
                                           const akin_collection *c);

/* ---- why two pictures are alike ------------------------------------------ */

/* Two features, one of each picture, that are the same word. */
typedef struct akin_match {
    int64_t word;
    double contribution; /* its share of what the word adds to the score */
    double left[3];      /* x, y, size: pixels of the pictures as described */
    double right[3];
    int64_t agrees; /* 1: its motion agrees with most of the others */
} akin_match;

/* All matches of pictures i and j, largest contribution first, under `model`;
 * NULL: the model of the collection. Free with akin_free. */
AKIN_API akin_status akin_collection_match(akin_match **out, int64_t *n,
                                           double *score, akin_ctx *ctx,
                                           akin_collection *c,
                                           const akin_model *model, int64_t i,
                                           int64_t j);
/* Draw both pictures side by side with the first n matches: as PNG if the path
 * has that extension, otherwise as SVG with the names. */
AKIN_API akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c,
                                          int64_t i, int64_t j,
                                          const akin_match *matches, int64_t n,
                                          const char *path);

#ifdef __cplusplus
}
#endif
#endif
