/* reproduce/common/draw.h - a small random generator. It is independent of the
 * library's, so that splits stay the same whatever the library draws. */
#ifndef REPRODUCE_COMMON_DRAW_H
#define REPRODUCE_COMMON_DRAW_H

#include <stdint.h>

typedef struct draw {
    uint64_t state;
} draw;

draw draw_from(uint64_t seed, int64_t a, int64_t b);
/* A number from 0 to below n. */
int64_t draw_below(draw *d, int64_t n);
/* Move `count` of the n numbers, in random order, to the front. */
void draw_front(draw *d, int64_t *numbers, int64_t n, int64_t count);

#endif
