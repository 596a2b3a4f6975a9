/* learn/captions/faces.h - what learners from captions share: faces as doubles
 * and who can be who, the model that scores names, and options of naming. */
#ifndef AK_LEARN_CAPTIONS_FACES_H
#define AK_LEARN_CAPTIONS_FACES_H

#include "data/captions/shared_names.h"
#include "learn/learner.h"

typedef struct ak_faces {
    ak_shared_names peers;
    int64_t n, d;
    double *X;  // n x d
} ak_faces;

/* Scratch memory. EINVAL: there are no captions, or none has a name. */
akin_status ak_faces_of(ak_faces *out, akin_ctx *ctx,
                        const akin_supervision *data);
/* What a run from captions says of itself. */
void ak_faces_ended(akin_learn_info *info, bool converged, int64_t iterations,
                    int64_t examples, double objective);
/* The mean over all pairs of |x - y|^2. */
double ak_faces_spread(int64_t n, int64_t d, const double *X);

/* Principal directions by the square roots of their singular values. */
extern const akin_recipe_options ak_recipe_faces;

/* ---- a score for each name ----------------------------------------------- */

/* A linear score for each name as a model (a ranker), so that faces never seen
 * before can be named:
 *
 *   s_q(x) = w_q.x + b_q, above that of no name                            (1)
 *
 * A face is named where (1) reaches theta, which is a note of the model. */

/* W n_names x d, b n_names numbers or NULL (zeros), of the names of the
 * captions. EINVAL: no caption has a name. */
akin_status ak_name_model_new(akin_model **out, akin_ctx *ctx,
                              const akin_supervision *captions, const double *W,
                              const double *b, double theta);
/* (1) of prepared rows for all labels of a ranker, n x labels. */
akin_status ak_name_model_scores(double *scores, akin_ctx *ctx,
                                 const akin_model *m, const akin_rows *rows);
/* 0 where the model has none. */
double ak_name_model_theta(const akin_model *m);

/* ---- options that several methods of naming have ------------------------- */

/* Names are given in rounds, each by the names of the round before. */
#define AK_ROUND_OPTIONS(type)                                                 \
    {AK_OPTION_OF(type, start), .choices = "ones|uniform",                     \
     .help = "the first round: each face has all names of its caption, whole " \
             "or in equal parts",                                              \
     .use = AKIN_NAMING},                                                      \
        AK_OPTION_USE(type, rounds, 1, 1e6, AKIN_NAMING,                       \
                      "maximum number of rounds")

/* Each round lets the faces that have a name vote by their affinity. */
#define AK_MEAN_VOTE_OPTIONS(type)                                          \
    AK_ROUND_OPTIONS(type),                                                 \
        {AK_OPTION_OF(type, surrogate), .choices = "mean|minorised",        \
         .help = "score of a name: the mean affinity to its faces, or the " \
                 "bound that never lets the objective fall",                \
         .use = AKIN_NAMING},                                               \
        AK_OPTION_USE(type, self_votes, 0, 1, AKIN_NAMING,                  \
                      "1: a face counts among the faces of its name")

/* The same, where one theta can serve all rounds. */
#define AK_VOTE_OPTIONS(type)                                               \
    AK_MEAN_VOTE_OPTIONS(type),                                             \
    {                                                                       \
        AK_OPTION_OF(type, count_by),                                       \
            .choices = "gains|theta",                                       \
            .help = "how a number of names is reached: theta anew in each " \
                    "round, exactly, or one theta for all rounds, by "      \
                    "bisection",                                            \
            .use = AKIN_NAMING                                              \
    }

#endif
