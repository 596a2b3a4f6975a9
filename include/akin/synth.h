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
    uint64_t size;
    int64_t rows;
    int64_t dim;
    int64_t classes;     /* 0: no labels */
    int64_t words;       /* mean words in a bag, repeats counted */
    int64_t class_words; /* words that belong to each class */
    double signal;       /* share of a bag drawn from its class's words */
    double exponent;
    double shift;
    double burst; /* chance that a word is drawn again, in [0, 1) */
} akin_synth_bags_options;

#define AKIN_SYNTH_BAGS_DEFAULTS                                               \
    {                                                                          \
        sizeof(akin_synth_bags_options), 1000, 10000, 10, 300, 200, 0.15, 1.0, \
            10.0, 0.2                                                          \
    }

AKIN_API akin_status akin_synth_bags(akin_rows **out, akin_ctx *ctx,
                                     const akin_rows *like,
                                     const akin_synth_bags_options *options);

/* Rows with several labels of known structure: the labels are the nodes of a
 * forest, a row has some of its leaves and all labels above them, and a matrix
 * of rank `rank` (labels x features) puts them first, but for the noise. */
typedef struct akin_synth_labels_options {
    uint64_t size;
    int64_t rows;
    int64_t dim;
    int64_t labels;
    int64_t rank;
    int64_t branching; /* children of a label, at least 2 */
    int64_t leaves;    /* leaves of a row: 1 up to this, all alike */
    int64_t nonzeros;  /* entries kept of a row, the largest; 0: all, dense */
    double noise;      /* deviation of the noise; the signal's is 1 */
    double wrong;      /* share of leaves whose labels are those of another */
} akin_synth_labels_options;

#define AKIN_SYNTH_LABELS_DEFAULTS                                           \
    {                                                                        \
        sizeof(akin_synth_labels_options), 10000, 1000, 1660, 40, 8, 2, 100, \
            0.5, 0.0                                                         \
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
    uint64_t size;
    int64_t photos;
    int64_t names;
    int64_t dim;
    int64_t rank;
    int64_t most_faces;
    double noise; /* length of the noise; that of a face is 1 */
    double known;
    double extra;
    double missing;
    int64_t faces;          /* in all, exactly; 0: as the photos come */
    double real_name_ratio; /* that captions name, exactly; NAN: by `known` */
} akin_synth_faces_options;

#define AKIN_SYNTH_FACES_DEFAULTS                                            \
    {                                                                        \
        sizeof(akin_synth_faces_options), 500, 20, 50, 3, 3, 0.5, 0.6, 0.45, \
            0.0, 0, (double)NAN                                              \
    }

AKIN_API akin_status akin_synth_faces(akin_rows **out, char **captions,
                                      char **truth, akin_ctx *ctx,
                                      const akin_synth_faces_options *options);

/* A town of landmarks, seen from different sides in different light, with
 * houses, trees, cars and people that are the same all over it. */
typedef struct akin_synth_scenes_options {
    uint64_t size;     /* sizeof(akin_synth_scenes_options) */
    int64_t landmarks; /* a sub-folder each */
    int64_t views;     /* pictures of each */
    int64_t others;    /* pictures without a landmark, in no sub-folder */
    int64_t width, height;
} akin_synth_scenes_options;

#define AKIN_SYNTH_SCENES_DEFAULTS                                \
    {                                                             \
        sizeof(akin_synth_scenes_options), 12, 20, 100, 480, 360, \
    }

/* Write them as JPEG into `folder`, which is made where it is not there. */
AKIN_API akin_status
akin_synth_scenes(akin_ctx *ctx, const char *folder,
                  const akin_synth_scenes_options *options);

#ifdef __cplusplus
}
#endif
#endif
