/* collection/pictures/codebook.h - the codebook of a collection. */
#ifndef AK_COLLECTION_CODEBOOK_H
#define AK_COLLECTION_CODEBOOK_H

#include "cluster/codebook.h"
#include "collection/catalog.h"

/* A codebook of a file or of a collection. ENOENT: there is none. */
akin_status ak_codebook_read(ak_codebook **out, akin_ctx *ctx,
                             const char *path);
/* The same for our descriptors. ESHAPE: it is for others. */
akin_status ak_visual_words_load(ak_codebook **out, akin_ctx *ctx,
                                 const char *path);
/* That of a collection; NULL where nothing has been described yet. EFORMAT: it
 * is another than its items were described with. */
akin_status ak_visual_words_of(ak_codebook **out, akin_ctx *ctx,
                               const ak_catalog *catalog);
/* Put it into the collection. `origin`: what it was learned from, for its
 * notes; NULL: it was given. */
typedef struct ak_visual_words_origin {
    int64_t side, first_octave;  // side 0: descriptors that were given
    int64_t pictures, descriptors;
    int64_t batch, iterations;  // of k-means; batch 0: all
    double inertia;
} ak_visual_words_origin;
akin_status ak_visual_words_save(const ak_codebook *c, akin_ctx *ctx,
                                 const ak_catalog *catalog,
                                 const ak_visual_words_origin *origin);

/* The same to a file, for descriptors that were given. */
akin_status ak_codebook_write(const ak_codebook *c, akin_ctx *ctx,
                              const char *path,
                              const ak_visual_words_origin *origin);

/* The default number of words for a number of descriptors. */
int64_t ak_visual_words_auto(int64_t descriptors);
/* How many descriptors to learn this number of words from (0: not known). */
int64_t ak_visual_words_sample(int64_t words);
/* By k-means, in batches where origin->batch says so; what came of it goes
 * there too. */
akin_status ak_visual_words_learn(ak_codebook **out, akin_ctx *ctx,
                                  const ak_points *points, int64_t words,
                                  ak_visual_words_origin *origin);

#endif
