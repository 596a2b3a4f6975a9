/* tune/candidates.h - what a race compares: plain measures and learners, each
 * over a recipe. */
#ifndef AK_TUNE_CANDIDATES_H
#define AK_TUNE_CANDIDATES_H

#include <akin/learn.h>
#include <akin/tune.h>

#include "data/supervision/supervision.h"

/* Labelled rows that are few: options are not drawn. */
enum { AK_FEW_LABELS = 150 };

typedef struct ak_candidate {
    const char *method;          // a learner, or a plain measure
    akin_options *options;       // owned; NULL: a plain measure
    akin_recipe_options recipe;  // of both sides; its words are not owned
    bool is_own_recipe;          // the learner's own
    bool as_is;                  // the rows went through their recipe already
    int64_t passes;              // over the examples; 0: as the data say
    double prior;                // by how much it is expected to be better
                                 // than a plain measure
} ak_candidate;

typedef struct ak_candidate_list {
    ak_candidate *list;
    int64_t n, room;
} ak_candidate_list;

/* What decides which candidates there are. */
typedef struct ak_candidates_wanted {
    const akin_supervision *data;  // over raw rows
    akin_purpose purpose;
    const char *const *methods;  // NULL-ended, NULL: all that fit
    bool all_recipes;            // every recipe that suits the rows, rather
                                 // than each learner's own
    bool all_learners;           // not only those to begin with
    bool as_is;                  // the rows went through their recipe already
    const akin_options *base;    // one learner, with these options
    const akin_recipe_options *recipe;  // of that; NULL: its own
} ak_candidates_wanted;

/* The plain measures come first. EINVAL: a method that does not exist or does
 * not fit. */
akin_status ak_candidates_list(ak_candidate_list *out, akin_ctx *ctx,
                               const ak_candidates_wanted *wanted);
/* What a draw may change. */
typedef struct ak_draw {
    const char *const *fixed;  // options that stay, NULL-ended; NULL: none
    bool start, recipes, passes;
} ak_draw;

/* A copy with options drawn from the grids of its learner; *added is false
 * where no draw differs from the candidates there are. */
akin_status ak_candidates_draw(ak_candidate_list *c, akin_ctx *ctx,
                               int64_t from, const ak_draw *draw,
                               const akin_supervision *data, ak_rng *rng,
                               bool *added);
bool ak_recipe_options_equal(const akin_recipe_options *a,
                             const akin_recipe_options *b);
bool ak_candidate_is_plain(const ak_candidate *c);
/* Operations to learn it once from n rows, roughly: what decides whether it is
 * too large for a race does not depend on a clock. */
double ak_candidate_work(const ak_candidate *c, const akin_supervision *data,
                         int64_t n);
void ak_candidates_free(ak_candidate_list *c);

#endif
