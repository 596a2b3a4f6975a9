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

/* Fills the scores of `votes`, of which some are for the right names. `wrong`
 * are votes for names that are surely wrong. Votes of names that have no other
 * face (any 0) score 0. */
akin_status ak_likelihood_fit(akin_ctx *ctx, int64_t n, ak_vote *votes,
                              int64_t n_wrong, ak_vote *wrong);

/* What the votes say for the name: log of (1 - any) + any exp(heed score),
 * where a share of faces looks like nobody known, and few wrong ones look
 * right. */
double ak_likelihood_evidence(const ak_vote *v, double heed);
/* The share of this that is due to the votes, not to such exceptions. */
double ak_likelihood_share(const ak_vote *v);

#endif
