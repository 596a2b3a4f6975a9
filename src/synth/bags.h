/* synth/bags.h - inside of akin_synth_bags: tables to draw words from. */
#ifndef AK_SYNTH_BAGS_H
#define AK_SYNTH_BAGS_H

#include <akin/synth.h>

#include "data/rows.h"
#include "synth/alias.h"

enum {
    AK_SYNTH_MOST_WORDS = 1 << 20,  // in one bag
    AK_SYNTH_FIRST_BAG = 8,         // generators before it are for the tables
};

#define AK_SYNTH_MOST_BURST 0.99

typedef struct ak_synth {
    akin_synth_bags_options o;
    ak_rng root;
    ak_alias words;
    int32_t *class_words;  // classes x class_words
    int64_t *sizes;        // of the bags of `like`, NULL: by `words`
    int64_t n_sizes;
    int64_t longest;  // most words in a bag
} ak_synth;

/* Sizes, burst and weights (zeros before, one a column) as in `like`. */
akin_status ak_synth_measure(ak_synth *w, akin_ctx *ctx, const akin_rows *like,
                             double *weights);
/* From options and root; scratch memory of the context. `like` may be NULL. */
akin_status ak_synth_prepare(ak_synth *w, akin_ctx *ctx, const akin_rows *like);

#endif
