/* akin/versions.h - a collection learns from what people said; each result is a
 * version of its model. */
#ifndef AKIN_VERSIONS_H
#define AKIN_VERSIONS_H

#include <akin/collection.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { AKIN_USER_SIZE = 256 };

typedef struct akin_version_info {
    int64_t version;   /* 0: the measure without learning; of a user: there is
                          none */
    int64_t events;    /* it learned from; -1: it was given */
    double held_out;   /* share of pairs (good, bad) of a query that models
                          rank right which did not learn from the query; NaN:
                          there is one query, or it was given */
    double baseline;   /* the same of the measure without learning */
    int64_t queries;   /* that these are the means of */
    char verdict[24];  /* better, same, worse than the model in use when it was
                          learned, of a user than their version in use; "":
                          too few queries to tell */
    char learner[40];  /* its learner; "" without one */
    int64_t in_use;    /* 1: searches use it */
    int64_t is_lost;   /* 1: its file is not there */
    int64_t has_ended; /* 1: searches of its user would use it, but it cannot be
                          added to the shared model in use */
    char feedback[16]; /* how examples count in searches from now on, by what
                          held-out events say (akin/feedback.h); "" in lists */
    int64_t against;   /* the version in use when it was learned */
    double incumbent;  /* `held_out` of that one */
    int64_t last;      /* the number of the last event by then */
    int64_t weights;   /* of a user: how many are added to the shared ones */
    int64_t own;       /* of a user: their version in use when it was learned;
                          0: none; in lists 0, as the next two */
    double own_held_out; /* `held_out` of that one */
    int64_t own_stays;   /* 1: that one stays in use; with `in_use`: the same
                            weights were learned again */
    char user[AKIN_USER_SIZE]; /* whose it is; "": everybody's */
} akin_version_info;

/* Learn from all events and labels of a collection, and store the model as a
 * version. The same items and events give the same bytes. It is used from now
 * on if it is better on held-out queries than the measure without learning, and
 * not below the version in use. `learner` NULL or "auto": chosen for the rows,
 * of dense ones by held-out queries. AKIN_EINVAL: there is nothing to learn
 * from, or no such learner. */
AKIN_API akin_status akin_collection_learn(akin_version_info *out,
                                           akin_ctx *ctx, const char *path,
                                           const char *learner);
/* Learn from the events of one user what is to be added to the weights of the
 * model in use, in searches of this user (`user` of akin_find_options). It
 * becomes a version and is used if it is better than the model in use on
 * held-out queries of the user, and not below the user's version in use.
 * Otherwise none is made; that version stays if it is better than the model in
 * use, else the user has the shared model alone. When that one changes, the
 * user's is what is in use by then, plus the same weights; a psd model has its
 * own, and a new one makes an end of these. AKIN_EINVAL: the user said nothing
 * to learn from, the learner makes no diagonal model, or the model in use is
 * neither diagonal nor psd. */
AKIN_API akin_status akin_collection_learn_user(akin_version_info *out,
                                                akin_ctx *ctx, const char *path,
                                                const char *learner,
                                                const char *user);
/* akin_collection_learn, and akin_collection_learn_user for each user with 20
 * events or more and new ones or weights that ended, if `learn-after` events
 * came since the last time: 100, or as akin_collection_learn_after says (0:
 * never). *out has version -1 if not. */
AKIN_API akin_status akin_collection_learn_due(akin_version_info *out,
                                               akin_ctx *ctx, const char *path);
AKIN_API akin_status akin_collection_learn_after(akin_ctx *ctx,
                                                 const char *path,
                                                 int64_t events);
/* All versions, those of users too, oldest first; free with akin_free. */
AKIN_API akin_status akin_collection_versions(akin_version_info **out,
                                              int64_t *n, akin_ctx *ctx,
                                              const char *path);
/* The model of a version, to search by it with akin_collection_use; 0: the
 * measure without learning. That of a user: the model in use and the user's
 * weights. AKIN_EINVAL: there is none of this number. */
AKIN_API akin_status akin_collection_version_model(akin_model **out,
                                                   akin_ctx *ctx,
                                                   akin_collection *c,
                                                   int64_t version);
/* Use a version from now on. AKIN_EINVAL: there is none of this number. */
AKIN_API akin_status akin_collection_rollback(akin_ctx *ctx, const char *path,
                                              int64_t version);
/* The same for a user; 0: the shared model alone. AKIN_EINVAL: there is none of
 * this number and user, or it cannot be added to the shared model in use. */
AKIN_API akin_status akin_collection_rollback_user(akin_ctx *ctx,
                                                   const char *path,
                                                   const char *user,
                                                   int64_t version);

#ifdef __cplusplus
}
#endif
#endif
