/* reproduce/solis/solis.h - what the parts of `akin reproduce solis` share.
 *
 * Per landmark and split a model is learned from triplets of a few positive
 * and many negative pictures (reproduce/common/splits.h), and ranks all
 * pictures but those for the landmark's queries. Junk pictures are neither
 * right nor wrong. */
#ifndef REPRODUCE_SOLIS_SOLIS_H
#define REPRODUCE_SOLIS_SOLIS_H

#include <akin/eval.h>
#include <akin/learn.h>

#include "reproduce/common/figures.h"
#include "reproduce/common/splits.h"

/* How a method makes its ranking. */
typedef enum {
    SOLIS_TFIDF,  // no learning, tf-idf
    SOLIS_WORDS,  // no learning, the rows that are learned from
    SOLIS_LEARN,  // a model a landmark
    SOLIS_LIKE,   // the mean of query and positives, no learning
    SOLIS_PROBE,  // a model over query and positives
    SOLIS_EXPAND  // the same, twice, with the first answers
} solis_way;

typedef struct solis_method {
    const char *name;
    solis_way way;
    const char *learner;  // NULL: nothing is learned
    const char *fixed;    // "start=mask": options that are not the default
    const char *grid;     // "C=0.1,1": options to choose by validation
    const char *crowd;    // the same for Tables IV to VI, "" for none to
                          // choose; NULL: does not take part
    int paper;            // column of the paper's tables, -1: none
    const char *setting;
} solis_method;

extern const solis_method solis_methods[];
extern const int64_t solis_n_methods;

/* A codebook: the counts, and what they become. */
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
    solis_book book;  // the one at work
    reproduce_steps steps;
} solis_run;

/* ---- exams: who asks, and what is right ------------------------------- */

typedef struct solis_exam {
    const oxford_split *split;
    int64_t *queries, n_queries;
    akin_lists *relevant, *like;
    unsigned char *exclude;
} solis_exam;

/* By the landmark's own queries, or by other pictures of it that are neither
 * these nor learned from. */
akin_status solis_exam_new(solis_run *r, solis_exam *e,
                           const oxford_split *split, bool validation);
void solis_exam_free(solis_exam *e);
/* Mean average precision of the queries, in per cent. */
akin_status solis_examine(solis_run *r, const solis_exam *e,
                          const akin_model *m, const akin_rows *rows, bool like,
                          double *map);

/* ---- learning --------------------------------------------------------- */

/* What an inverted index takes, pruned of words without a weight. */
typedef struct solis_cost {
    double seconds;  // of the processor, to build
    double bytes;    // on disk; 0: was not measured
    double postings;
    double ms;  // of the processor for a query, the median
} solis_cost;

typedef struct solis_result {
    double map, sparsity, seconds;
    int64_t examples;
    solis_cost cost;
} solis_result;

/* All (query, positive, negative) of a split, in random order. */
akin_status solis_lesson_new(solis_run *r, akin_supervision **known,
                             const oxford_split *split, int64_t number);
/* Learn by a method with given options ("C=1 w0=0"), and examine. `learned`
 * NULL, or set to the one model that this took, NULL where there is none. */
akin_status solis_try(solis_run *r, const solis_method *m, const char *params,
                      const akin_supervision *known, const solis_exam *e,
                      solis_result *out, akin_model **learned);
/* A model of the learner from what is known; its share of zero weights. */
akin_status solis_learn(solis_run *r, const char *learner, const char *fixed,
                        const char *params, const akin_supervision *known,
                        akin_model **out, solis_result *result);
/* One model a query, over the words of query and positives. */
akin_status solis_probe(solis_run *r, const solis_method *m, const char *params,
                        const solis_exam *e, solis_result *out);

/* ---- the paper's numbers ---------------------------------------------- */

typedef enum { SOLIS_MAP, SOLIS_ZEROS, SOLIS_SECONDS } solis_measure;
/* NAN where the paper has none. `landmark` NULL: its table of distractors. */
double solis_paper(solis_measure what, const char *codebook,
                   const char *landmark, int column);

/* ---- Figures 3 to 6: what searching costs ------------------------------ */

/* Build an index of raw rows, write it, search it from there and forget it.
 * What that takes is added to `cost`, but for the time of query q, which is
 * added to ms[q]. */
akin_status solis_cost_add(solis_run *r, const akin_model *m,
                           const akin_rows *rows, const akin_rows *queries,
                           solis_cost *cost, double *ms);
/* The median of ms[0..n) becomes that of the cost. */
akin_status solis_cost_queries(solis_run *r, const double *ms, int64_t n,
                               solis_cost *cost);
/* All pictures, and the queries of an exam; `learned` NULL: the method's model
 * is one without learning, or there is none and nothing to measure. */
akin_status solis_cost_exam(solis_run *r, const solis_method *m,
                            const akin_model *learned, const solis_exam *e,
                            solis_cost *cost);

/* ---- parts ------------------------------------------------------------ */

akin_status solis_book_open(solis_run *r, const oxford_book *file);
void solis_book_close(solis_book *b);
/* Tables I to III of the codebook at work. */
akin_status solis_tables(solis_run *r);
/* Figure 2: mAP against sparsity along lambda. */
akin_status solis_figure(solis_run *r);
extern const reproduce_figure solis_figures[];
/* Tables IV to VI: one model for all landmarks, among distractors. */
akin_status solis_distractors(solis_run *r);
int64_t solis_table_steps(const solis_run *r);
int64_t solis_distractor_steps(const solis_run *r);

/* A row with what all rows have. */
json_t *solis_row(const solis_run *r, const char *dataset,
                  const solis_method *m, const char *params,
                  const solis_result *x);
/* The paper's own numbers; `landmark` as for solis_paper. */
void solis_put_paper(json_t *row, const char *codebook, const char *landmark,
                     int column);

#endif
