/* reproduce/common/splits.h - which pictures of an oxford folder are learned
 * from. */
#ifndef REPRODUCE_COMMON_SPLITS_H
#define REPRODUCE_COMMON_SPLITS_H

#include "reproduce/common/oxford.h"

/* A small generator of its own: drawn once, the splits stay what they are
 * whatever the library draws. */
typedef struct draw {
    uint64_t state;
} draw;

draw draw_from(uint64_t seed, int64_t a, int64_t b);
int64_t draw_below(draw *d, int64_t n);
/* Put `count` of the n numbers, in random order, to the front. */
void draw_front(draw *d, int64_t *numbers, int64_t n, int64_t count);

/* What is known of one landmark in one split. */
typedef struct oxford_split {
    int64_t landmark;
    int64_t *positives, n_positives;
    int64_t *negatives, n_negatives;
} oxford_split;

typedef struct oxford_splits {
    int64_t n_splits, room;  // room: memory for so many
    int64_t n_landmarks;     // that have enough pictures
    int64_t *landmarks;
    oxford_split *all;  // splits x landmarks
} oxford_splits;

/* Landmarks with at least 20 good or ok pictures; 7 of these that are no
 * query of any landmark, and 500 that are neither good, ok nor junk. */
akin_status splits_draw(app *a, oxford_splits *s, const oxford *o,
                        int64_t n_splits);
/* The same from a file: lines `split landmark row positive|negative`, the
 * landmark by number or name. At most `n_splits`, 0: all. */
akin_status splits_read(app *a, oxford_splits *s, const oxford *o,
                        const char *path, int64_t n_splits);
void splits_free(oxford_splits *s);

static inline const oxford_split *split_at(const oxford_splits *s,
                                           int64_t split, int64_t k)
{
    return &s->all[split * s->n_landmarks + k];
}

#endif
