/* model/kinds.h - each kind of kinds.def, by its own name. */
#ifndef AK_MODEL_KINDS_H
#define AK_MODEL_KINDS_H

#include "model/model.h"

#define AK_KIND(name) extern const ak_model_kind ak_kind_##name;
#include "model/kinds.def"
#undef AK_KIND

#endif
