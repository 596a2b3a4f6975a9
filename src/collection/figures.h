/* collection/figures.h - how much there is in a catalogue. */
#ifndef AK_COLLECTION_FIGURES_H
#define AK_COLLECTION_FIGURES_H

#include <akin/collection.h>

#include "collection/catalog.h"

/* `added` is all of them, `passed_over` 0. */
akin_status ak_figures(const ak_catalog *c, akin_ctx *ctx, int64_t words,
                       akin_images_info *info);

#endif
