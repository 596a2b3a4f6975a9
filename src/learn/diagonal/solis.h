/* learn/diagonal/solis.h - rounds of a SOLIS learner on given vectors, for
 * measurements. */
#ifndef AK_LEARN_DIAGONAL_SOLIS_H
#define AK_LEARN_DIAGONAL_SOLIS_H

#include <akin/learn.h>

#include "learn/diagonal/hadamard.h"

akin_status ak_solis_rounds(void *state, akin_ctx *ctx, const ak_hadamards *v,
                            akin_learn_info *info);

#endif
