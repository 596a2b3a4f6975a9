/* learn/passes.h - when to stop passing over the same examples.
 *
 * A pass has a loss: the mean over its examples, each before its update. It
 * needs no held-out part and costs nothing. With L_p the loss of pass p,
 * another pass follows while
 *
 *   L_(p-w) - L_p > L_1 / 10,  p > w                       (1)
 *   L_(p-w+1) > L_1 / 10,      p >= w                      (2)
 *
 * where w = 1 for triplets, 20 or more of each row in a pass, and w = 10 for
 * rows with labels, which come once in a pass. Without (2) the next pass could
 * not fulfil (1). There are never more than 30 passes. */
#ifndef AK_LEARN_PASSES_H
#define AK_LEARN_PASSES_H

#include <stdbool.h>
#include <stdint.h>

enum { AK_PASSES_MOST = 30 };

typedef struct ak_passes {
    int64_t window;  // w
    int64_t made;    // passes
    double loss[AK_PASSES_MOST];
} ak_passes;

/* Count a pass; false: it was the last. */
bool ak_passes_go_on(ak_passes *p, double loss);

#endif
