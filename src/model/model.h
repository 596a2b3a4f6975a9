/* model/model.h - what every kind of model shares, and what a kind provides. */
#ifndef AK_MODEL_MODEL_H
#define AK_MODEL_MODEL_H

#include <akin/model.h>

#include "data/checksums.h"
#include "data/recipe/recipe.h"
#include "data/rows.h"
#include "tensors/tensors.h"

/* The labels that a model knows, borrowed. */
typedef struct ak_labels {
    int64_t n;
    char *const *names;
} ak_labels;

typedef struct ak_model_kind {
    const char *name;  // "diagonal"
    /* Score of two prepared rows; NULL, and no `embed`, when the model ranks
     * labels and cannot compare rows. */
    double (*score)(const akin_model *m, const akin_rows *left, int64_t i,
                    const akin_rows *right, int64_t j, akin_compare by);
    /* Row i in the learned space: embed_dim doubles, or NULL when the space is
     * the rows' own (diagonal), scanned by weights instead. */
    void (*embed)(const akin_model *m, const akin_rows *rows, int64_t i,
                  akin_side side, double *out);
    int64_t (*embed_dim)(const akin_model *m);
    /* Numbers [first, first + n) of `embed` alone, for kinds that others are
     * built on; NULL: not available. */
    void (*place)(const akin_model *m, const akin_rows *rows, int64_t i,
                  akin_side side, int64_t first, int64_t n, double *out);
    /* The learned model that this one is built on; NULL: none. */
    const akin_model *(*learned)(const akin_model *m);
    /* The learned space may continue, after embed_dim, with the columns of the
     * row itself: the factor of these columns. NULL: it does not. */
    double (*own)(const akin_model *m, const akin_rows *rows, int64_t i);
    /* Contributions of all features with a non-zero one, unsorted; returns
     * their number, `reasons` NULL: only an upper bound of it. */
    int64_t (*explain)(const akin_model *m, const akin_rows *left, int64_t i,
                       const akin_rows *right, int64_t j, akin_compare by,
                       akin_reason *reasons);
    /* Of a kind that knows labels, which are all NULL otherwise: the labels,
     * the score of each for row i of the left (`room` has akin_model_rank
     * numbers), and what features contribute to that of one, as `explain` does.
     */
    ak_labels (*labels)(const akin_model *m);
    void (*label_scores)(const akin_model *m, const akin_rows *rows, int64_t i,
                         double *scores, double *room);
    int64_t (*explain_label)(const akin_model *m, const akin_rows *rows,
                             int64_t i, int64_t label, akin_reason *reasons);
    /* Exchanges the parts of left and right; NULL: there are none. */
    void (*turn)(akin_model *m);
    int64_t (*nonzeros)(const akin_model *m);
    int64_t (*parameters)(const akin_model *m);
    int64_t (*rank)(const akin_model *m);
    akin_status (*put)(const akin_model *m, akin_ctx *ctx, ak_tensors *t);
    akin_status (*take)(akin_model *m, akin_ctx *ctx, const ak_tensors *t);
    void (*free)(akin_model *m);
} ak_model_kind;

struct akin_model {
    const ak_model_kind *kind;
    akin_compare by;
    int64_t d[2];             // dimension of left and right rows
    akin_recipe *recipe[2];   // owned; right NULL: as left
    ak_checksums learned[2];  // of the rows it learned from; right unknown: as
                              // left
    ak_tensors *notes;        // learner, options, figures: strings alone
    ak_tensors *state;        // what a learner needs to resume, or NULL
    void *params;             // what the kind learned, of its own type
};

/* Every kind of model/kinds.def, by its own name. */
#define AK_KIND(name) extern const ak_model_kind ak_kind_##name;
#include "model/kinds.def"
#undef AK_KIND
const ak_model_kind *ak_model_kind_find(const char *name);
/* The kind of the low-rank model in a file that prototypes or a blend are built
 * on: psd, factored or kernel. */
const ak_model_kind *ak_model_kind_below(const ak_tensors *t);

akin_status ak_model_new(akin_model **out, akin_ctx *ctx,
                         const ak_model_kind *kind, int64_t d_left,
                         int64_t d_right, akin_compare by);
/* Each gets the notes of the other. */
void ak_model_swap_notes(akin_model *a, akin_model *b);
akin_status ak_model_set_note(akin_model *m, akin_ctx *ctx, const char *key,
                              const char *value);
/* Copies the recipe. */
akin_status ak_model_set_recipe(akin_model *m, akin_ctx *ctx, akin_side side,
                                const akin_recipe *recipe);
/* All of it but a learner's state. What is put is borrowed from the model. */
akin_status ak_model_put(const akin_model *m, akin_ctx *ctx, ak_tensors *t);
/* The model in what was read from a file. EFORMAT: it is not one. */
akin_status ak_model_take(akin_model **out, akin_ctx *ctx, const ak_tensors *t);
/* A copy of all that a file has of it, a learner's state excepted. */
akin_status ak_model_copy(akin_model **out, akin_ctx *ctx, const akin_model *m);
/* Exchange the sides of what the kind learned, in place. */
void ak_model_turn_parts(akin_model *m);
/* Its labels, none where it knows none; EINVAL when it knows none. */
ak_labels ak_model_labels(const akin_model *m);
akin_status ak_model_check_labels(const akin_model *m, akin_ctx *ctx);
/* As akin_model_embed, without a note in the rows of what they are. */
akin_status ak_model_embed(akin_rows **out, akin_ctx *ctx, const akin_model *m,
                           const akin_rows *rows, akin_side side);

/* ESHAPE unless both sides have these rows. */
akin_status ak_model_check_pair(akin_ctx *ctx, const akin_rows *left, int64_t i,
                                const akin_rows *right, int64_t j);
/* EINVAL when it ranks labels and does not compare rows. */
akin_status ak_model_check_compares(const akin_model *m, akin_ctx *ctx);
/* "dot", "cosine" or "distance". */
const char *ak_compare_word(akin_compare by);
/* ESHAPE unless rows fit this side: sparse ones may end earlier. */
akin_status ak_model_check_rows(const akin_model *m, akin_ctx *ctx,
                                const akin_rows *rows, akin_side side);

#endif
