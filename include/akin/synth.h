/* akin/synth.h - data of known structure, for trying out and measuring. */
#ifndef AKIN_SYNTH_H
#define AKIN_SYNTH_H

#include <akin/data.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bags of words of known structure. Word frequencies follow a power law,
 * f(rank) ~ (rank + shift)^-exponent; each class has its own words, which its
 * bags use with probability `signal`. With `like`, dimension, frequencies,
 * words in a bag and their repeats are those of these rows instead. */
typedef struct akin_synth_bags_options {
    uint64_t size;       /* sizeof(akin_synth_bags_options) */
    int64_t rows;        /* bags of words to make */
    int64_t dim;         /* words of the vocabulary */
    int64_t classes;     /* 0: no labels */
    int64_t words;       /* mean words in a bag, repeats counted */
    int64_t class_words; /* words that belong to each class */
    double signal;       /* share of a bag drawn from its class's words */
    double exponent;     /* of the power law of word frequencies */
    double shift;        /* of the ranks in the power law */
    double burst;        /* chance that a word is drawn again, in [0, 1) */
} akin_synth_bags_options;

#define AKIN_SYNTH_BAGS_DEFAULTS                                             \
    {                                                                        \
        .size = sizeof(akin_synth_bags_options), .rows = 1000, .dim = 10000, \
        .classes = 10, .words = 300, .class_words = 200, .signal = 0.15,     \
        .exponent = 1.0, .shift = 10.0, .burst = 0.2,                        \
    }

AKIN_API akin_status akin_synth_bags(akin_rows **out, akin_ctx *ctx,
                                     const akin_rows *like,
                                     const akin_synth_bags_options *options);

/* Rows with several labels of known structure: the labels are the nodes of a
 * forest, a row has some of its leaves and all labels above them, and a matrix
 * of rank `rank` (labels x features) puts them first, but for the noise. */
typedef struct akin_synth_labels_options {
    uint64_t size;     /* sizeof(akin_synth_labels_options) */
    int64_t rows;      /* rows to make */
    int64_t dim;       /* features of a row */
    int64_t labels;    /* nodes of the forest */
    int64_t rank;      /* of the matrix labels x features */
    int64_t branching; /* children of a label, at least 2 */
    int64_t leaves;    /* leaves of a row: 1 up to this, all alike */
    int64_t nonzeros;  /* entries kept of a row, the largest; 0: all, dense */
    double noise;      /* deviation of the noise; the signal's is 1 */
    double wrong;      /* share of leaves whose labels are those of another */
} akin_synth_labels_options;

#define AKIN_SYNTH_LABELS_DEFAULTS                                             \
    {                                                                          \
        .size = sizeof(akin_synth_labels_options), .rows = 10000, .dim = 1000, \
        .labels = 1660, .rank = 40, .branching = 8, .leaves = 2,               \
        .nonzeros = 100, .noise = 0.5, .wrong = 0.0,                           \
    }

AKIN_API akin_status akin_synth_labels(
    akin_rows **out, akin_ctx *ctx, const akin_synth_labels_options *options);

/* Faces in photos with captions: each name is a subspace of `rank` dimensions.
 * A photo has 1 to `most_faces` faces, each of a name with chance `known`; the
 * caption has these names, but for some that are `missing`, and with chance
 * `extra` one more. `real_name_ratio` counts instead of `known`: exactly this
 * share of the faces has its name in the caption. `*captions` and `*truth` are
 * csv; free with akin_free. */
typedef struct akin_synth_faces_options {
    uint64_t size;      /* sizeof(akin_synth_faces_options) */
    int64_t photos;     /* photos to make */
    int64_t names;      /* persons who have a name */
    int64_t dim;        /* features of a face */
    int64_t rank;       /* dimensions of the subspace of a name */
    int64_t most_faces; /* most faces in a photo */
    double noise;       /* length of the noise; that of a face is 1 */
    double known;       /* chance that a face has one of the names */
    double extra;       /* chance of a name in the caption that has no face */
    double missing;     /* chance that the caption misses a name */
    int64_t faces;      /* in all, exactly; 0: as the photos come */
    double real_name_ratio; /* that captions name, exactly; NAN: by `known` */
} akin_synth_faces_options;

#define AKIN_SYNTH_FACES_DEFAULTS                                             \
    {                                                                         \
        .size = sizeof(akin_synth_faces_options), .photos = 500, .names = 20, \
        .dim = 50, .rank = 3, .most_faces = 3, .noise = 0.5, .known = 0.6,    \
        .extra = 0.45, .missing = 0.0, .real_name_ratio = (double)NAN,        \
    }

AKIN_API akin_status akin_synth_faces(akin_rows **out, char **captions,
                                      char **truth, akin_ctx *ctx,
                                      const akin_synth_faces_options *options);

/* A town of landmarks, seen from different sides in different light, with
 * houses, trees, cars and people that are the same all over it. */
typedef struct akin_synth_scenes_options {
    uint64_t size;         /* sizeof(akin_synth_scenes_options) */
    int64_t landmarks;     /* a sub-folder each */
    int64_t views;         /* pictures of each */
    int64_t others;        /* pictures without a landmark, in no sub-folder */
    int64_t width, height; /* of a picture, in pixels */
} akin_synth_scenes_options;

#define AKIN_SYNTH_SCENES_DEFAULTS                                  \
    {                                                               \
        .size = sizeof(akin_synth_scenes_options), .landmarks = 12, \
        .views = 20, .others = 100, .width = 480, .height = 360,    \
    }

/* Write them as JPEG into `folder`, which is made where it is not there. */
AKIN_API akin_status
akin_synth_scenes(akin_ctx *ctx, const char *folder,
                  const akin_synth_scenes_options *options);

#ifdef __cplusplus
}
#endif
#endif
