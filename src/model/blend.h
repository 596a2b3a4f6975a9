/* model/blend.h - a learned space beside the rows' own. */
#ifndef AK_MODEL_BLEND_H
#define AK_MODEL_BLEND_H

#include "model/model.h"

/* Puts the rows' own cosine, alpha > 0 times, beside what *m (psd, factored,
 * kernel or prototypes of the same columns on either side, neither recipe nor
 * state yet) has learned; notes stay. */
akin_status ak_blend_with_rows(akin_model **m, akin_ctx *ctx, double alpha);
/* Makes the model itself such a blend; its recipes, notes and state stay. */
akin_status ak_blend_in_place(akin_model *m, akin_ctx *ctx, double alpha);
/* Does it compare rows of one kind in a learned space that a blend can be built
 * on? */
bool ak_blend_suits(const akin_model *m);
double ak_blend_alpha(const akin_model *m);

#endif
