/* learn/captions/methods.h - options that several methods of naming have. */
#ifndef AK_LEARN_CAPTIONS_METHODS_H
#define AK_LEARN_CAPTIONS_METHODS_H

#include "learn/learner.h"

/* Names are given in rounds, each by the names of the round before. */
#define AK_ROUND_OPTIONS(type)                                                 \
    {AK_OPTION_OF(type, start), .choices = "ones|uniform",                     \
     .help = "the first round: each face has all names of its caption, whole " \
             "or in equal parts",                                              \
     .use = AKIN_NAMING},                                                      \
        AK_OPTION_USE(type, rounds, 1, 1e6, AKIN_NAMING, "rounds at the most")

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
