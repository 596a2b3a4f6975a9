/* learn/rank/loreta_rank.h - loreta-1 --task rank, for the entry in loreta_1.c.
 */
#ifndef AK_LEARN_RANK_LORETA_RANK_H
#define AK_LEARN_RANK_LORETA_RANK_H

#include "learn/learner.h"

extern const ak_online ak_loreta_rank;

#endif
