/* tune/plain.h - plain measures other than the one that a learner began from:
 * one of them may be better than what was learned. */
#ifndef AK_TUNE_PLAIN_H
#define AK_TUNE_PLAIN_H

#include "tune/score.h"
#include "tune/trial.h"

/* One plain measure over a recipe. */
typedef struct ak_plain {
    const char *method;    // NULL: there is none to compare with
    ak_prepared prepared;  // the rows through its recipe
    ak_scores scores;      // on what was held out
} ak_plain;

/* Find the plain measure that does best on a few rows, each among all others,
 * or on a few examples. `data` is about prepared rows, whose measure `baseline`
 * does not count; `raw` has the same rows before their recipe, or is NULL, so
 * that only prepared rows are compared. `work` is what all of it may take;
 * there is none where that is too little. */
akin_status ak_plain_find(ak_plain *out, akin_ctx *ctx,
                          const akin_supervision *data, const akin_rows *raw,
                          const akin_rows *raw_right, const char *baseline,
                          const char *measure, bool ranks, double work);
/* Score it on the same queries or examples as others. */
akin_status ak_plain_add(ak_plain *p, akin_ctx *ctx, const ak_tune_held *h);
/* Its recipe as text, "none": rows as they are. */
const char *ak_plain_recipe(const ak_plain *p);
void ak_plain_free(ak_plain *p);

#endif
