/* collection/pictures/picture_crew.h - what ranks share of a run over pictures:
 * features, the codebook, words. */
#ifndef AK_COLLECTION_PICTURES_PICTURE_CREW_H
#define AK_COLLECTION_PICTURES_PICTURE_CREW_H

#include "base/crew.h"
#include "collection/pictures/codebook.h"
#include "collection/pictures/extractor.h"

/* What a rank has; rank 0 asks for things, with one rank or many. */
typedef struct ak_picture_crew {
    ak_crew crew;
    ak_extractor *extractor;
    ak_codebook *codebook;  // NULL: there is none yet
    uint8_t *sample;        // descriptors to learn it from, n x 128
    int64_t n_sample;
    ak_visual_words_origin origin;  // of one that was learned

    /* On rank 0, where the results of a duty go. */
    ak_features *out;
    const ak_quantize_task *tasks;
} ak_picture_crew;

akin_status ak_picture_crew_run(ak_picture_crew *p, akin_ctx *ctx,
                                akin_status (*lead)(void *arg), void *arg);

/* Make all ranks ready to extract features. */
akin_status ak_picture_crew_open(ak_picture_crew *p, akin_ctx *ctx,
                                 const ak_extract_options *sight);
/* All ranks get the codebook that rank 0 has. */
akin_status ak_picture_crew_share_words(ak_picture_crew *p, akin_ctx *ctx);
/* Learn it from the sample; `origin` says how. */
akin_status ak_picture_crew_learn(ak_picture_crew *p, akin_ctx *ctx,
                                  int64_t words);
/* As ak_extractor_run with the codebook, and ak_extractor_quantize with
 * descriptors of the sample that it was learned from. */
akin_status ak_picture_crew_extract(ak_picture_crew *p, akin_ctx *ctx,
                                    const char *const *paths, int64_t n,
                                    ak_features *out);
akin_status ak_picture_crew_quantize(ak_picture_crew *p, akin_ctx *ctx,
                                     const ak_quantize_task *tasks, int64_t n);
/* Pictures per call that keep all threads of all ranks busy. */
int64_t ak_picture_crew_batch(const ak_picture_crew *p);

#endif
