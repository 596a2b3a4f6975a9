/* akin/versions.h - a collection learns from what people said; each result is a
 * version of its model. */
#ifndef AKIN_VERSIONS_H
#define AKIN_VERSIONS_H

#include <akin/collection.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct akin_version_info {
    int64_t version;   /* 0: the measure without learning */
    int64_t events;    /* it learned from; -1: it was given */
    double held_out;   /* share of pairs (good, bad) of a query that models
                          rank right which did not learn from the query; NaN:
                          there is one query, or it was given */
    double baseline;   /* the same of the measure without learning */
    int64_t queries;   /* that these are the means of */
    char verdict[24];  /* better, same, worse; "": too few queries to tell */
    char learner[40];  /* its learner; "" without one */
    int64_t in_use;    /* 1: searches use it */
    char feedback[16]; /* how examples count in searches from now on, by what
                          held-out events say (akin/feedback.h); "" in lists */
} akin_version_info;

/* Learn from all events and labels of a collection, and store the model as a
 * version. The same items and events give the same bytes. It is used from now
 * on if its verdict is `better`. `learner` NULL or "auto": chosen for the rows.
 * AKIN_EINVAL: there is nothing to learn from, or no such learner. */
AKIN_API akin_status akin_collection_learn(akin_version_info *out,
                                           akin_ctx *ctx, const char *path,
                                           const char *learner);
/* The same, if `learn-after` events came since the last time: 100, or as
 * akin_collection_learn_after says (0: never). *out has version -1 if not. */
AKIN_API akin_status akin_collection_learn_due(akin_version_info *out,
                                               akin_ctx *ctx, const char *path);
AKIN_API akin_status akin_collection_learn_after(akin_ctx *ctx,
                                                 const char *path,
                                                 int64_t events);
/* All versions, oldest first; free with akin_free. */
AKIN_API akin_status akin_collection_versions(akin_version_info **out,
                                              int64_t *n, akin_ctx *ctx,
                                              const char *path);
/* The model of a version, to search by it with akin_collection_use; 0: the
 * measure without learning. AKIN_EINVAL: there is none of this number. */
AKIN_API akin_status akin_collection_version_model(akin_model **out,
                                                   akin_ctx *ctx,
                                                   akin_collection *c,
                                                   int64_t version);
/* Use a version from now on. AKIN_EINVAL: there is none of this number. */
AKIN_API akin_status akin_collection_rollback(akin_ctx *ctx, const char *path,
                                              int64_t version);

#ifdef __cplusplus
}
#endif
#endif
