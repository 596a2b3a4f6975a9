/* reproduce/loreta/text.h - what the parts of the run over documents share. */
#ifndef REPRODUCE_LORETA_TEXT_H
#define REPRODUCE_LORETA_TEXT_H

#include "reproduce/loreta/loreta.h"

enum { LORETA_USUAL = 100000, LORETA_QUICK = 20000 };  // triplets

typedef struct loreta_size {
    int64_t features;
    int64_t rank;         // 0: full
    const char *weights;  // of the terms
} loreta_size;

typedef struct loreta_text_run {
    loreta_run *r;
    akin_rows *train_counts, *test_counts;  // of the split at work
    loreta_size size;                       // at work
    akin_recipe *recipe;
    akin_rows *train, *test;
    akin_supervision *known;
} loreta_text_run;

/* Documents through a recipe of that size, fitted to `train`. */
akin_status loreta_text_open(loreta_text_run *t, const akin_rows *train,
                             const akin_rows *test, loreta_size size);
void loreta_text_close(loreta_text_run *t);
/* Learn from `train`; every document of `test` asks for the others of its
 * class. */
akin_status loreta_text_measure(loreta_text_run *t, const loreta_method *m,
                                const char *params, loreta_curve *out);
/* The same for loreta_choose, with a loreta_text_run. */
akin_status loreta_text_score(loreta_run *r, const loreta_method *m,
                              const char *params, void *with, double *map);

/* ---- classes that were not in training ----------------------------------- */

/* Every fourth class is left out, beginning with another one in each split:
 * the others to learn from, these to be asked. */
akin_status loreta_unseen_open(loreta_text_run *t, int64_t split,
                               loreta_size size);

/* Methods for such classes alone. Their options are chosen in each split by
 * classes that are kept back from what it learns from. */
enum { LORETA_UNSEEN = 1 };
extern const loreta_method loreta_unseen[LORETA_UNSEEN];

/* `params` gathers what the splits have chosen. */
akin_status loreta_unseen_measure(loreta_text_run *t, int64_t split,
                                  loreta_size size, char params[][96],
                                  loreta_curve *const *out);

#endif
