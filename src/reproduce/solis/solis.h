/* reproduce/solis/solis.h - shared by the experiments of `akin reproduce
 * solis`.
 *
 * For each landmark and split, a model is trained on triplets of a few positive
 * and many negative pictures (reproduce/solis/oxford.h). It ranks all other
 * pictures for the landmark's queries. Junk pictures do not count. */
#ifndef REPRODUCE_SOLIS_SOLIS_H
#define REPRODUCE_SOLIS_SOLIS_H

#include <akin/eval.h>
#include <akin/feedback.h>
#include <akin/learn.h>

#include "reproduce/common/reproduce.h"
#include "reproduce/solis/oxford.h"

/* How a method ranks. */
typedef enum {
    SOLIS_TFIDF,        // no learning, tf-idf
    SOLIS_WORDS,        // no learning, the training rows' weights
    SOLIS_LEARN,        // one model per landmark
    SOLIS_LIKE,         // mean of query and positives, no learning
    SOLIS_MULTI_QUERY,  // the mean, and weights learned on top
    SOLIS_EXPAND,       // the same, twice, with the first answers
    SOLIS_POSITIVES     // the same, without negatives
} solis_ranking;

typedef struct solis_method {
    const char *name;
    solis_ranking ranking;
    const char *learner;  // NULL: nothing is learned
    const char *fixed;    // "start=mask": options other than the defaults
    const char *grid;     // "C=0.1,1": options to choose by validation
    const char *distractor_grid;  // the same for Tables IV to VI; "": nothing
                                  // to choose, NULL: not in them
    int paper;                    // column of the paper's tables, -1: none
    const char *setting;          // a remark for the table; NULL: none
} solis_method;

extern const solis_method solis_methods[];
extern const int64_t solis_n_methods;

/* A codebook: counts and prepared rows. */
typedef struct solis_book {
    const char *name;
    akin_rows *counts, *tfidf, *words;
    akin_recipe *recipe;  // of words
    akin_model *by_tfidf, *by_words;
} solis_book;

typedef struct solis_run {
    app *a;
    const reproduce_flags *flags;
    json_t *rows;
    oxford o;
    oxford_splits splits;
    solis_book book;  // the current one
    reproduce_steps steps;
} solis_run;

/* ---- queries and relevance ---------------------------------------------- */

typedef struct solis_queries {
    const oxford_split *split;
    int64_t *queries, n_queries;
    akin_lists *relevant, *like;
    unsigned char *exclude;
} solis_queries;

/* The landmark's official queries, or for validation other pictures of it that
 * are neither queries nor training pictures. */
akin_status solis_queries_new(solis_run *r, solis_queries *e,
                              const oxford_split *split, bool validation);
void solis_queries_free(solis_queries *e);

/* ---- learning --------------------------------------------------------- */

/* The cost of an inverted index without words of weight zero. */
typedef struct solis_cost {
    double seconds;  // CPU time to build
    double bytes;    // on disk; 0: not measured
    double postings;
    double ms;  // CPU time per query, median
} solis_cost;

typedef struct solis_result {
    double map, sparsity, seconds;
    int64_t examples;
    solis_cost cost;
} solis_result;

/* All (query, positive, negative) of a split, in random order. */
akin_status solis_triplets_new(solis_run *r, akin_supervision **known,
                               const oxford_split *split, int64_t number);
/* Train a method with given options ("C=1 w0=0") and evaluate it. `learned` may
 * be NULL; it receives the model, or NULL where there is not exactly one. */
akin_status solis_try(solis_run *r, const solis_method *m, const char *params,
                      const akin_supervision *known, const solis_queries *e,
                      solis_result *out, akin_model **learned);
/* Train a learner on the supervision; result gets its share of zero weights. */
akin_status solis_learn(solis_run *r, const char *learner, const char *fixed,
                        const char *params, const akin_supervision *known,
                        akin_model **out, solis_result *result);

/* ---- Figures 3 to 6: the cost of search --------------------------------- */

/* Build an index of raw rows, write it, search the file and delete it. The cost
 * is added to `cost`, the time of query q to ms[q]. */
akin_status solis_cost_add(solis_run *r, const akin_model *m,
                           const akin_rows *rows, const akin_rows *queries,
                           solis_cost *cost, double *ms);
/* Set the cost's query time to the median of ms[0..n). */
akin_status solis_cost_queries(solis_run *r, const double *ms, int64_t n,
                               solis_cost *cost);
/* Cost over all pictures with these queries; `learned` NULL: the method's plain
 * model, or nothing to measure where there is none. */
akin_status solis_cost_of_queries(solis_run *r, const solis_method *m,
                                  const akin_model *learned,
                                  const solis_queries *e, solis_cost *cost);

/* ---- tables and figures ------------------------------------------------- */

/* Tables I to III of the current codebook. */
akin_status solis_tables(solis_run *r);
/* Figure 2: mAP against sparsity along lambda. */
akin_status solis_figure2(solis_run *r);
/* Tables IV to VI: one model for all landmarks, among distractors. */
akin_status solis_distractors(solis_run *r);
int64_t solis_table_steps(const solis_run *r);
int64_t solis_distractor_steps(const solis_run *r);

/* A row with the keys that all rows have. */
json_t *solis_row(const solis_run *r, const char *dataset,
                  const solis_method *m, const char *params,
                  const solis_result *x);
/* The paper's numbers, under solis_paper_keys; `landmark` NULL: those of its
 * table of distractors. */
extern const char *const solis_paper_keys[3];
void solis_put_paper(json_t *row, const char *codebook, const char *landmark,
                     int column);

#endif
