/* akin/naming.h - a name for every face, from the captions of photos. */
#ifndef AKIN_NAMING_H
#define AKIN_NAMING_H

#include <akin/data.h>
#include <akin/learn.h>
#include <akin/model.h>
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is said of faces: by a person, or as the truth. */
typedef struct akin_face_names akin_face_names;
/* Lines `face,name` or `face,name,is|is-not`, in quotes where needed; an empty
 * name: not in the caption. A header may come first. */
AKIN_API akin_status akin_face_names_read(akin_face_names **out, akin_ctx *ctx,
                                          const char *path,
                                          const akin_supervision *captions);
/* The same from a text in memory; `name` begins messages. */
AKIN_API akin_status akin_face_names_parse(akin_face_names **out, akin_ctx *ctx,
                                           const char *name, const char *text,
                                           const akin_supervision *captions);
/* As akin_face_names_read, of what a person says: a name that no caption has
 * becomes one of the names, of this face alone. */
AKIN_API akin_status akin_face_names_confirm(akin_face_names **out,
                                             akin_ctx *ctx,
                                             akin_supervision *captions,
                                             const char *path);
/* The same from a text in memory; `name` begins messages. A name may be refused
 * that no caption has, and faces that are in no photo are passed over. */
AKIN_API akin_status akin_face_names_said(akin_face_names **out, akin_ctx *ctx,
                                          akin_supervision *captions,
                                          const char *name, const char *text);
/* As akin_face_names_read, of names that `akin name` gave to the same faces
 * before: one line for a face, in the photo of its caption. */
AKIN_API akin_status akin_face_names_earlier(akin_face_names **out,
                                             akin_ctx *ctx, const char *path,
                                             const akin_supervision *captions);
/* The face of line k, and its name as it is written; NULL: none. */
AKIN_API int64_t akin_face_names_line(const char **name,
                                      const akin_face_names *f, int64_t k);
/* Does line k give the face this name of the captions, however it is written?
 * AKIN_NO_NAME: none. */
AKIN_API int akin_face_names_says(const akin_face_names *f, int64_t k,
                                  int32_t name);
AKIN_API int64_t akin_face_names_count(const akin_face_names *f);
AKIN_API void akin_face_names_free(akin_face_names *f);

/* What was learned from all faces and captions; names are then quick. The
 * supervision, which holds captions, is borrowed. */
typedef struct akin_naming akin_naming;

typedef struct akin_naming_info {
    int64_t faces, photos, names;
    int64_t peers;      /* pairs of faces that share a name */
    int64_t iterations; /* of the solver */
    int64_t converged;
    int64_t rank;         /* of the representation or metric; -1: has none */
    double lambda, gamma; /* NAN where a method has none */
    double gap;           /* to the optimum, relative, certified; NAN */
    double seconds;       /* of learning */
    int64_t same_faces;   /* of akin_naming_open: those of the model */
} akin_naming_info;

/* Learn with a method: an entry of akin_learner_at whose names_faces is set.
 *   confirmed  what a person said of faces, to learn from too; or NULL
 *   options    akin_lrr_options or those of another method, whose defaults and
 *              ranges the entry has; NULL: AKIN_FUSED_DEFAULTS
 * AKIN_EINVAL: an option is out of range, or the learner names no faces. */
AKIN_API akin_status akin_naming_learn(akin_naming **out, akin_ctx *ctx,
                                       const akin_options *options,
                                       const akin_supervision *captions,
                                       const akin_face_names *confirmed);
AKIN_API void akin_naming_get_info(akin_naming_info *out, const akin_naming *s);
AKIN_API void akin_naming_free(akin_naming *s);

/* Fuse affinities of one's own into what was learned, `share` of all: a data
 * file of n rows by n columns, or a .txt of lines `i j value`.
 * AKIN_EINVAL: the method has no affinities (has_affinities of its entry). */
AKIN_API akin_status akin_naming_fuse(akin_ctx *ctx, akin_naming *s,
                                      const char *path, double share);

/* How much more or less likely a face has a name than all else says: weights
 * multiply the likelihood, 1 changes nothing, 0 excludes the name. AKIN_NO_NAME
 * in place of a name: the face has none of its caption. */
typedef struct akin_face_weight {
    int64_t face;
    int32_t name;
    double weight; /* 0 to 1e12 */
} akin_face_weight;

/* Such weights for names and estimates made from now on, in place of those of
 * before; pairs that are not listed have weight 1. fused multiplies
 * probabilities. Scores of other methods have no such scale: the logarithm of a
 * weight is counted in standard deviations of the scores of all faces.
 * AKIN_EINVAL: a face is in no photo, its caption has no such name, or a pair
 * comes twice. */
AKIN_API akin_status akin_naming_set_prior(akin_ctx *ctx, akin_naming *s,
                                           const akin_face_weight *list,
                                           int64_t n);
/* The same from lines `face,name,weight`, as akin_face_names_read has them. */
AKIN_API akin_status akin_naming_read_prior(akin_ctx *ctx, akin_naming *s,
                                            const char *path);
/* How good the picture of each row is, above 0 to 1, for names and estimates
 * made from now on: what its vote for a name counts. In fused, how much it
 * counts in what is known of a person, and how much that says of it. NULL: all
 * are equally good. */
AKIN_API akin_status akin_naming_set_quality(akin_ctx *ctx, akin_naming *s,
                                             const double *quality);

/* A model (kind "ranker") that names other faces: the scores of a method where
 * they are linear in a face (mms, lr-svm, asml), else the mean directions of
 * the faces that have a name by `names`, which akin_naming_names filled with
 * `theta`. Faces are named where a score reaches the theta noted in it: this
 * one, or where the method scored otherwise that by which as many of the same
 * faces are named. The affinities of a method that has them are kept too, as
 * its state. */
AKIN_API akin_status akin_naming_model(akin_model **out, akin_ctx *ctx,
                                       const akin_naming *s,
                                       const int32_t *names, double theta);
/* Names by such a model in place of akin_naming_learn; it is borrowed, and the
 * rows are those of akin_model_prepare. Where faces and captions are those that
 * it was learned from, names are as if they were learned again, by the
 * affinities that were kept, as many as there were. A name that it does not
 * know is given to no face. See akin_supervision_anyone where there are no
 * captions. */
AKIN_API akin_status akin_naming_open(akin_naming **out, akin_ctx *ctx,
                                      const akin_supervision *captions,
                                      const akin_model *model);

/* Names by a file of akin_estimate_save in place of akin_naming_learn, for the
 * photos of that time and others; the rows of the captions are raw. A photo
 * whose faces and caption are as they were keeps its names, unless a person has
 * said otherwise since, of it or of one that shares a name with it. The time of
 * akin_naming_estimate is that of the other photos, and of those that share a
 * name with them; reading apart. AKIN_EFORMAT: it is no such file, or of rows
 * with other columns. */
AKIN_API akin_status akin_naming_resume(akin_naming **out, akin_ctx *ctx,
                                        const akin_supervision *captions,
                                        const char *path);

/* W of lrr, rlrr and what is made of them, where there are 200 faces or fewer:
 * row i, column j is the share of face i in face j. NULL elsewhere. */
AKIN_API const double *akin_naming_coefficients(const akin_naming *s);

/* How likely each name of a caption is for each face, and so how many faces
 * have one; from captions and affinities alone. */
typedef struct akin_estimate akin_estimate;
/* By the affinities of fused: those it learned, or new ones by its defaults. */
AKIN_API akin_status akin_naming_estimate(akin_estimate **out, akin_ctx *ctx,
                                          const akin_naming *s,
                                          const akin_face_names *confirmed);
/* The same estimate with what a person has said since, quickly: probabilities
 * are found again for photos that share a name with those that were told of,
 * by what was learned before. A name that was added to the captions after
 * akin_naming_learn counts as none of those in the caption. */
AKIN_API akin_status akin_estimate_update(akin_ctx *ctx, akin_estimate *x,
                                          const akin_naming *s,
                                          const akin_face_names *confirmed);
/* Keep in a file what was learned and how likely the names of each photo are,
 * for akin_naming_resume: no texts, but checksums of photos. `raw` are the rows
 * of the captions before their recipe, `confidences` as akin_naming_names gave
 * them. AKIN_EINVAL: names are not by fused, or the rows have no recipe. */
AKIN_API akin_status akin_estimate_save(akin_ctx *ctx, const akin_estimate *x,
                                        const akin_naming *s,
                                        const akin_rows *raw,
                                        const double *confidences,
                                        const char *path);
/* Faces whose names an estimate found anew, where s was resumed: those of new
 * photos, and of others; else all. */
AKIN_API void akin_estimate_fresh(int64_t *in_new, int64_t *in_others,
                                  const akin_estimate *x, const akin_naming *s);
/* The share of faces that have a name; *error (or NULL): how far it may be
 * off, as a standard error. */
AKIN_API double akin_estimate_ratio(double *error, const akin_estimate *x);
/* probabilities[i] that names[i] is right for row i; 1 where a person said so,
 * NAN for a row in no photo. */
AKIN_API akin_status akin_estimate_probabilities(
    double *probabilities, akin_ctx *ctx, const akin_estimate *x,
    const akin_naming *s, const int32_t *names,
    const akin_face_names *confirmed);
/* The names of a row's caption, and AKIN_NO_NAME, by how likely they are: the
 * most likely first. Returns how many there are, of which at most `most` are
 * written; 0: the row is in no photo. */
AKIN_API int64_t akin_estimate_candidates(int32_t *names, double *probabilities,
                                          const akin_estimate *x,
                                          const akin_naming *s, int64_t row,
                                          int64_t most);
/* gains[i]: how many more faces are expected to be right when a person is asked
 * about row i, after the rows of its photo with larger gains: the row itself,
 * others of its photo, and those of other photos that were named like it. 0
 * where a person has said it. */
AKIN_API akin_status akin_estimate_gains(double *gains, akin_ctx *ctx,
                                         const akin_estimate *x,
                                         const akin_naming *s,
                                         const int32_t *names,
                                         const akin_face_names *confirmed);
AKIN_API void akin_estimate_free(akin_estimate *x);

/* Which faces get a name, the same for all methods. One of theta, named_count
 * and real_name_ratio. Without any, theta is that of the model; else fused
 * gives each face what is most likely, and other methods name as many faces as
 * the estimate says. */
typedef struct akin_names_options {
    uint64_t size;          /* sizeof(akin_names_options) */
    double theta;           /* score that a name must reach; NAN: not given */
    int64_t named_count;    /* faces to name; -1: not given */
    double real_name_ratio; /* the same as a share of all faces; NAN */
    const akin_face_names *confirmed; /* kept always; or NULL */
    const akin_estimate *estimate;    /* with the same confirmed names; NULL:
                                         made where it is needed */
} akin_names_options;

#define AKIN_NAMES_DEFAULTS                                       \
    {                                                             \
        .size = sizeof(akin_names_options), .theta = (double)NAN, \
        .named_count = -1, .real_name_ratio = (double)NAN         \
    }

typedef struct akin_names_info {
    double theta;
    int64_t faces; /* in photos */
    int64_t named;
    int64_t reachable; /* that could be named; 0: not counted */
    int64_t rounds;
    int64_t converged; /* also where names would go to and fro (fused) */
    int64_t wanted; /* named_count, or as real_name_ratio says; -1: neither */
    double seconds; /* of naming */
    double estimated_ratio, estimated_error; /* where used; else NAN */
} akin_names_info;

/* In place of a name: none of the caption; the row is in no photo. */
enum { AKIN_NO_NAME = -1, AKIN_IN_NO_PHOTO = -2 };

/* names[i] of row i: a number of akin_naming_name, or one of these. confidences
 * (or NULL): what any other name for this face would lose; where there is no
 * other, the largest of those of other faces. */
AKIN_API akin_status akin_naming_names(int32_t *names, double *confidences,
                                       akin_ctx *ctx, const akin_naming *s,
                                       const akin_names_options *options,
                                       akin_names_info *info);
/* Texts: of a name, and of the photo a row is in (NULL: none). */
AKIN_API const char *akin_naming_name(const akin_naming *s, int64_t name);
AKIN_API const char *akin_naming_photo(const akin_naming *s, int64_t row);

/* Named faces of about the same probability: its mean, and the share that is
 * right. */
typedef struct akin_reliability {
    double probability, right;
    int64_t faces;
} akin_reliability;

enum { AKIN_RELIABILITY_BINS = 10 };

typedef struct akin_naming_measure {
    double accuracy;  /* right, "not in the caption" included, of all */
    double precision; /* right of those with a name; NAN when there is none */
    double real_name_ratio;
    int64_t faces;
    /* Mean difference of probability and share right over the bins, weighted by
     * faces; NAN where names have no probabilities. Bins have equal widths from
     * 0 to 1; those without a face are left out. */
    double calibration_error;
    int64_t n_reliability;
    akin_reliability reliability[AKIN_RELIABILITY_BINS];
} akin_naming_measure;

/* Names as above against the truth. Where the true name is not in the caption,
 * none is right, and so is that name where a person gave it. AKIN_EFORMAT: a
 * face of a photo has no truth. */
AKIN_API akin_status akin_naming_compare(akin_naming_measure *out,
                                         akin_ctx *ctx, const akin_naming *s,
                                         const int32_t *names,
                                         const akin_face_names *truth);

/* Names in a file as `akin name` writes them, one measure for each real-name
 * ratio in it (one in all without such a column), at most `most`. */
AKIN_API akin_status akin_names_measure(akin_naming_measure *out,
                                        int64_t *count, akin_ctx *ctx,
                                        const char *names, const char *captions,
                                        const char *truth, int64_t most);

#ifdef __cplusplus
}
#endif
#endif
