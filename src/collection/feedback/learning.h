/* collection/feedback/learning.h - what was said becomes a model.
 *
 * Of each query, every pair of a good and a bad item is a triplet (query, good,
 * bad), and counts twice; of a query with many judgements, some of these pairs
 * are drawn, so that no query outweighs the others. A click is less certain:
 * (query, clicked, skipped) counts once, for each item that was shown above the
 * clicked one and not clicked. A query without bad items gets some from the
 * whole collection. Labels give triplets too. Their order is drawn with a fixed
 * seed, so that the same events give the same model. */
#ifndef AK_COLLECTION_LEARNING_H
#define AK_COLLECTION_LEARNING_H

#include <akin/versions.h>

#include "collection/collection.h"

enum { AK_LEARN_SEED = 1, AK_FEWEST_QUERIES = 5 };  // for a verdict

/* Which model learns from a triplet. */
enum {
    AK_TO_NEW = 1,  // the one that is to be made
    AK_TO_OLD = 2,  // the version in use
    AK_TO_OWN = 4,  // the version of the user that is in use
};

/* Items by their ids; a query from outside is -2 - its number. */
typedef struct ak_triple {
    int64_t query, good, bad;
    int64_t fold;  // of its query; -1: learned from in any case
    bool judged;   // by a judgement, not by a click
    unsigned to;   // AK_TO_...
} ak_triple;

/* Prepared rows; those of queries are `shift` further. */
typedef struct ak_ready_rows {
    const akin_rows *rows;
    int64_t shift;
} ak_ready_rows;

typedef struct ak_learning {
    akin_ctx *ctx;
    akin_collection *c;
    const char *learner;    // NULL: the one that held-out queries choose
    char old_learner[40];   // of the version in use
    const char *user;       // whose events are learned from; NULL: everybody's
    akin_model *in_use;     // the model in use; NULL: version 0
    int64_t known;          // last event it learned from; -1: it was given
    int64_t own;            // the user's version in use; 0: none has an effect
    akin_model *own_model;  // its weights
    char own_learner[40];
    int64_t own_known;  // last event that it learned from
    ak_space space;     // of the rows
    ak_triple *all;     // n triplets
    int64_t n, room;
    int64_t *items, n_items;  // with features, increasing
    int64_t n_queries;        // that are held out in turn: folds from 0 on
    int64_t events;           // that are learned from
    int64_t newest;           // the number of the last of all events
    int64_t *ids, n_ids;      // of all rows, increasing: outside ones first
    akin_rows *ready;         // prepared, one for each id
    akin_rows *given;         // the same by the model in use, where it was
                              // given; NULL: as `ready`
    akin_model *plain;        // the measure without learning
    int64_t *numbers;         // triplets as rows, 3 n
} ak_learning;

/* Triplets from events and labels. EINVAL: there are none. */
akin_status ak_learning_triplets(ak_learning *l);
/* The measure without learning, and the rows of the triplets. */
akin_status ak_learning_rows(ak_learning *l);
void ak_learning_free(ak_learning *l);

/* A model from those triplets that teach `to` and are not of the fold; -1: from
 * all of these. */
akin_status ak_learning_model(const ak_learning *l, ak_ready_rows x,
                              unsigned to, int64_t fold, akin_model **out);
/* What weights from these triplets add to those of `shared`. */
akin_status ak_learning_residual(const ak_learning *l, const akin_model *shared,
                                 unsigned to, int64_t fold, akin_model **out);
/* What held-out queries say of the new model, of the one in use and of the
 * measure without learning. */
akin_status ak_learning_verdict(const ak_learning *l, akin_version_info *out);

/* The measure without learning for rows of the space: that of the index where
 * it is in use, else fitted to the items again. */
akin_status ak_learning_plain(akin_model **out, akin_ctx *ctx,
                              akin_collection *c, const ak_space *space);

#endif
