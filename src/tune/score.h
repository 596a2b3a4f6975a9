/* tune/score.h - a trial's examples, and its score on what was held out. */
#ifndef AK_TUNE_SCORE_H
#define AK_TUNE_SCORE_H

#include <akin/learn.h>
#include <akin/tune.h>

#include "data/supervision/supervision.h"

/* What the similarity is for when the user does not say: labels of
 * dense rows classify, those of sparse rows or of two sides search; pairs
 * verify; `ranks`: the learner ranks labels. */
akin_purpose ak_default_purpose(const akin_supervision *s, bool ranks);
/* map, accuracy or auc, and accuracy for triplets and quadruplets.
 */
const char *ak_purpose_measure(akin_purpose purpose, akin_knowledge kind);

/* What trials are scored on. */
typedef struct ak_tune_held {
    const akin_supervision *s;
    const char *measure;  // map, error, accuracy or auc
    int64_t *queries;     // labels: the rows that query, scratch
    int64_t n_queries;
    const akin_rows *database;  // labels: what they find, but for rows that
    unsigned char *exclude;     // have a 1 here; NULL: all of them
    int64_t *pairs, n_pairs;    // labels by auc: a query, a row that it finds,
                                // and 1 where they share a label, else -1
    int64_t most;               // pairs, triplets or quadruplets to score
    bool ranks;                 // labels are ranked, also by the nearest rows
} ak_tune_held;

/* `measure` NULL: map for labels, auc for pairs, error for triplets. Every row
 * is found. Takes scratch memory of the context. EINVAL for a measure that the
 * supervision cannot give. */
akin_status ak_tune_held_new(ak_tune_held *out, akin_ctx *ctx,
                             const akin_supervision *held, const char *measure);
/* The same for supervision that `rest` was learned beside: accuracy
 * and error are those of the nearest row that was learned from, as of new rows
 * that get the label of their neighbour; map is that over held-out rows, or,
 * when these have too few of a kind, over all rows with a known label. `most`:
 * of queries or examples. */
akin_status ak_tune_held_beside(ak_tune_held *out, akin_ctx *ctx,
                                const akin_supervision *held,
                                const akin_supervision *rest,
                                const char *measure, bool ranks, int64_t most);
/* Higher is better: errors count as minus. */
akin_status ak_tune_score(double *score, akin_ctx *ctx, const akin_model *m,
                          const ak_tune_held *held);

/* ---- scores with their errors ---- */

/* The measures of one model on what was held out. */
typedef struct ak_scores {
    const char *measure;
    const char *second_measure;  // of labels: accuracy beside map, and map
                                 // beside the others; else NULL
    int64_t n;                   // queries, pairs, triplets or quadruplets
    double *each;          // the measure of each; NAN: nothing is relevant
    double *second;        // NULL: there is none
    unsigned char *match;  // auc: 1 for a pair that matches; else NULL
    int64_t *rows;         // the rows that make examples dependent: two of a
                           // pair, those of the right counted on from the left;
                           // the first of a triplet; else NULL
    int64_t *ends, n_folds;  // where the examples of each fold end
} ak_scores;

typedef struct ak_estimate {
    double value, se;
    int64_t n;  // that count
} ak_estimate;

/* Score a model by this comparison; free the scores. A model that does not
 * compare rows ranks the labels it knows, whatever the comparison. */
akin_status ak_scores_of(ak_scores *out, akin_ctx *ctx, const akin_model *m,
                         const ak_tune_held *held, akin_compare by);
void ak_scores_free(ak_scores *s);
/* Add the examples of a further fold to `all`, which begins as {0}.
 */
akin_status ak_scores_add(ak_scores *all, akin_ctx *ctx, const ak_scores *fold);
/* Those of one fold alone; borrowed. */
ak_scores ak_scores_fold(const ak_scores *all, int64_t fold);
/* The mean, with its standard error; NAN where nothing counts. */
akin_status ak_scores_mean(ak_estimate *out, akin_ctx *ctx, const ak_scores *a,
                           bool second);
/* How much better a is than b on the same examples, with the
 * standard error of that difference; smaller errors are better. */
akin_status ak_scores_difference(ak_estimate *out, akin_ctx *ctx,
                                 const ak_scores *a, const ak_scores *b,
                                 bool second);

/* ---- examples ---- */

/* Examples in a pass over all of it: triplets, or rows whose labels are
 * ranked or compared with those of the other side. */
akin_status ak_tune_pass(int64_t *pass, akin_ctx *ctx,
                         const akin_supervision *s, bool ranks);
/* The same knowledge, cut to `pass` examples a pass. */
akin_status ak_tune_part(akin_supervision **out, akin_ctx *ctx,
                         const akin_supervision *s, int64_t pass);

#endif
