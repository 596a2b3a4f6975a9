/* data/supervision/sampler.h - inside of ak_sampler: what each source of
 * triplets keeps. */
#ifndef AK_DATA_SUPERVISION_SAMPLER_H
#define AK_DATA_SUPERVISION_SAMPLER_H

#include "base/rng.h"
#include "data/supervision/supervision.h"

struct ak_sampler {
    ak_rng root;
    const akin_rows *rows;   // borrowed
    const akin_rows *right;  // borrowed, may be NULL
    int64_t pass;

    /* One triplet; NULL: they are given. */
    void (*draw)(const ak_sampler *s, ak_rng *r, int64_t *triplet);
    void (*positives)(const ak_sampler *s, unsigned char *flags);
    /* A negative of q, and how many it has (more or less). */
    int64_t (*negative)(const ak_sampler *s, ak_rng *r, int64_t q);
    int64_t (*negatives)(const ak_sampler *s, int64_t q);

    const int64_t *given;  // triplets, n_given of them
    int64_t n_given;
    int64_t *owned;  // memory of `given` where they were converted

    int64_t *anchors;   // labels: rows that can stand first (single: their
    int64_t n_anchors;  // places); pairs: positive pairs, 2 numbers each
    int64_t *pool;      // labels: rows with a label, rising
    int64_t n_pool;
    int64_t n_labels;
    int64_t *offsets;   // labels: of each label in members; pairs: of each row
    int64_t *members;   // labels: rows; pairs: negatives
    int32_t *label_at;  // single: label of members
};

akin_status ak_sampler_from_labels(ak_sampler *s, akin_ctx *ctx,
                                   const akin_supervision *of);
/* When no row has several labels. */
akin_status ak_sampler_make_single(ak_sampler *s, akin_ctx *ctx);
akin_status ak_sampler_from_pairs(ak_sampler *s, akin_ctx *ctx,
                                  const akin_supervision *of);

#endif
