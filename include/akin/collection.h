/* akin/collection.h - pictures made searchable: a folder with a catalogue, a
 * codebook, bags of visual words and an index. docs/reference/images.md */
#ifndef AKIN_COLLECTION_H
#define AKIN_COLLECTION_H

#include <akin/index.h>

#ifdef __cplusplus
extern "C" {
#endif

/* How pictures become rows; what a collection was begun with stays. */
typedef struct akin_images_options {
    uint64_t size;            /* sizeof(akin_images_options) */
    int64_t side;             /* longest side, larger pictures are shrunk */
    int64_t first_octave;     /* -1: features of pictures at twice their size */
    int64_t words;            /* of the codebook; 0: as the pictures allow */
    int64_t sample;           /* descriptors to learn words from; 0: by words */
    const char *codebook;     /* a file or collection to take it from */
    const char *colours;      /* none luv hsv: colour moments beside words */
    const char *labels;       /* csv of files and labels, NULL: sub-folders */
    const char *label_column; /* its column, NULL: "label" */
    int64_t force;            /* 1: another collection may be replaced */
    int64_t batch;            /* descriptors of an iteration; 0: the sample */
} akin_images_options;

#define AKIN_IMAGES_DEFAULTS                                                 \
    {                                                                        \
        .size = sizeof(akin_images_options), .side = 640, .colours = "none", \
    }

typedef struct akin_images_info {
    int64_t pictures;    /* in the collection */
    int64_t added;       /* by this run */
    int64_t left_out;    /* pictures that could not be read */
    int64_t passed_over; /* files whose ending is not that of a picture */
    int64_t descriptors; /* in the collection */
    int64_t words;       /* of the codebook */
    int64_t classes;     /* different labels */
    int64_t changed;     /* looked at again, as their files have changed */
    int64_t gone;        /* of the folders of this run; their rows stay */
} akin_images_info;

/* The pictures below `folder` as a new collection. One whose run did not come
 * to its end is continued. Pictures that cannot be read are told to the log.
 * AKIN_EINVAL: there is another collection already; AKIN_EABSENT: this build
 * has none. */
AKIN_API akin_status akin_images_make(akin_ctx *ctx, const char *path,
                                      const char *folder,
                                      const akin_images_options *options,
                                      akin_images_info *info);
/* Further pictures, as those that are there; of `options`, labels alone, which
 * pictures that are there get too. Files that have changed are looked at
 * again. */
AKIN_API akin_status akin_images_add(akin_ctx *ctx, const char *path,
                                     const char *folder,
                                     const akin_images_options *options,
                                     akin_images_info *info);
/* Search by another model from now on; NULL: by square roots of counts, times
 * idf, as in the beginning. */
AKIN_API akin_status akin_images_model(akin_ctx *ctx, const char *path,
                                       const akin_model *model);

/* ---- what is there ------------------------------------------------------ */

/* Open for looking things up; one thread at a time. */
typedef struct akin_collection akin_collection;

/* 1 for a folder with a catalogue. */
AKIN_API int akin_collection_is(const char *path);
AKIN_API akin_status akin_collection_open(akin_collection **out, akin_ctx *ctx,
                                          const char *path);
AKIN_API void akin_collection_close(akin_collection *c);

AKIN_API akin_status akin_collection_info(akin_images_info *info, akin_ctx *ctx,
                                          const akin_collection *c);
/* 1 when a run has not come to its end. */
AKIN_API int akin_collection_is_open(const akin_collection *c);

/* Row i: where its picture is, and its name below the folder it came from.
 * Borrowed until the next call. AKIN_ESHAPE: there is no such row. */
typedef struct akin_picture {
    const char *path, *name;
    const char *labels; /* parted by newlines, "": none */
    int64_t width, height, descriptors;
} akin_picture;
AKIN_API akin_status akin_collection_picture(akin_picture *out, akin_ctx *ctx,
                                             akin_collection *c, int64_t row);
/* The row of a picture by name or path. AKIN_EINVAL: there is none, or there
 * are several. */
AKIN_API akin_status akin_collection_find(int64_t *row, akin_ctx *ctx,
                                          akin_collection *c, const char *name);

/* All pictures as rows of word counts, with their labels. */
AKIN_API akin_status akin_collection_rows(akin_rows **out, akin_ctx *ctx,
                                          const akin_collection *c);
/* Pictures of other files as such rows. */
AKIN_API akin_status akin_collection_describe(akin_rows **out, akin_ctx *ctx,
                                              akin_collection *c,
                                              const char *const *files,
                                              int64_t n_files);
/* The index, of its own model or (unless NULL) of another. */
AKIN_API akin_status akin_collection_index(akin_index **out, akin_ctx *ctx,
                                           const akin_collection *c,
                                           const akin_model *model);

/* Is all of it sound: catalogue, codebook, index, and files of rows that say
 * what the catalogue says? AKIN_EFORMAT with the reason. */
AKIN_API akin_status akin_collection_check(akin_ctx *ctx,
                                           const akin_collection *c);

/* ---- why two pictures are alike ------------------------------------------ */

/* A feature of one picture and one of the other that are the same word. */
typedef struct akin_match {
    int64_t word;
    double contribution; /* its share of what the word adds to the score */
    double left[3];      /* x, y, size: pixels of the pictures as described */
    double right[3];
    int64_t agrees; /* 1: it moves as most of the others do */
} akin_match;

/* All matches of pictures i and j, those that add most first; by `model`, NULL:
 * the one that the collection is searched by. Free with akin_free. */
AKIN_API akin_status akin_collection_match(akin_match **out, int64_t *n,
                                           double *score, akin_ctx *ctx,
                                           akin_collection *c,
                                           const akin_model *model, int64_t i,
                                           int64_t j);
/* Both pictures beside each other and the first n matches on them, as SVG with
 * their names, or as PNG where the path ends so. */
AKIN_API akin_status akin_collection_draw(akin_ctx *ctx, akin_collection *c,
                                          int64_t i, int64_t j,
                                          const akin_match *matches, int64_t n,
                                          const char *path);

#ifdef __cplusplus
}
#endif
#endif
