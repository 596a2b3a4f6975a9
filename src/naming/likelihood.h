/* naming/likelihood.h - how much more likely votes are for the right name than
 * for a wrong one; inside naming/ alone. */
#ifndef AK_NAMING_LIKELIHOOD_H
#define AK_NAMING_LIKELIHOOD_H

#include "base/ctx.h"

enum { AK_VOTES = 4 };

/* Votes for a name, by the other faces that may have it. */
typedef struct ak_vote {
    double x[AK_VOTES];
    double faces;   // how many there are, if there is any
    double any;     // how likely it is that there is one
    double weight;  // how likely this is the right name, by the last round;
                    // not used of a wrong name
    double score;   // log of the ratio, if there is any
} ak_vote;

enum { AK_VOTE_CLASSES = 4 };

/* The score of votes whose direction is z. */
typedef struct ak_vote_curve {
    double w[AK_VOTES];         // z = w.x
    double mean[2], spread[2];  // of z: of wrong names, of right ones
    double slope, offset;       // the other form: slope z + offset
    double share;               // of the first form in the score
} ak_vote_curve;

/* For names with few, some and many other faces. */
typedef struct ak_likelihood {
    double mean[AK_VOTES], by[AK_VOTES];  // votes become (x - mean) by
    ak_vote_curve curves[AK_VOTE_CLASSES];
    bool fitted;  // there were enough votes
} ak_likelihood;

/* Learns from `votes`, of which some are for the right names, and `wrong`, for
 * names that are wrong but for a share `stray` of them. Both are standardised,
 * and `votes` scored. */
akin_status ak_likelihood_fit(ak_likelihood *out, akin_ctx *ctx, int64_t n,
                              ak_vote *votes, int64_t n_wrong, ak_vote *wrong,
                              double stray);
/* Standardises and scores votes. Scores of names that have no other face (any
 * 0) are 0. */
void ak_likelihood_score(const ak_likelihood *l, int64_t n, ak_vote *votes);

/* What the votes say for the name: log of (1 - any) + any exp(heed score),
 * where a share of faces looks like nobody known, and few wrong ones look
 * right. */
double ak_likelihood_evidence(const ak_vote *v, double heed);
/* The share of this that is due to the votes, not to such exceptions. */
double ak_likelihood_share(const ak_vote *v);

#endif
