/* text/persons/features.h - what is known of a token, as hashed features. */
#ifndef AK_TEXT_PERSONS_FEATURES_H
#define AK_TEXT_PERSONS_FEATURES_H

#include "base/rng.h"
#include "text/persons/tokens.h"

enum { AK_FEATURES_MOST = 128 };

/* Features of one example: buckets of a table of 2^bits. */
typedef struct ak_hashed {
    int bits;
    int n;
    uint32_t at[AK_FEATURES_MOST];
} ak_hashed;

/* Add the feature `value` of template number `which`. */
static inline void ak_features_add(ak_hashed *f, uint32_t which, uint64_t value)
{
    const uint64_t mixed = (value + which * UINT64_C(0x9e3779b97f4a7c15)) *
                           UINT64_C(0xd6e8feb86659fd93);
    if (f->n < AK_FEATURES_MOST)
        f->at[f->n++] = (uint32_t)((mixed ^ mixed << 29) >> (64 - f->bits));
}

/* Add a feature for each bit of `kinds`. */
static inline void ak_features_add_kinds(ak_hashed *f, uint32_t which,
                                         uint32_t kinds)
{
    for (; kinds != 0; kinds &= kinds - 1)
        ak_features_add(f, which, kinds & (0U - kinds));
}

/* Of each token: how often its word is in the caption, and whether an earlier
 * one was part of a longer run of capitals. */
typedef struct ak_repeats {
    uint8_t *flags;  // n, in scratch memory
} ak_repeats;

akin_status ak_repeats_find(ak_repeats *out, akin_ctx *ctx, const ak_tokens *t);

/* The features by which token i is tagged. */
void ak_features_of_token(ak_hashed *f, const ak_tokens *t, const ak_repeats *r,
                          int64_t i);

#endif
