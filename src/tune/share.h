/* tune/share.h - trials that ranks have run, sent to all ranks. */
#ifndef AK_TUNE_SHARE_H
#define AK_TUNE_SHARE_H

#include "tune/trial.h"

/* Rank r has run the trials r, r + ranks, ...; then all have all. */
akin_status ak_trials_share(akin_ctx *ctx, int64_t n, ak_trial_outcome **all);

#endif
