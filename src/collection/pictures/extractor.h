/* collection/pictures/extractor.h - features of pictures, several at a time. */
#ifndef AK_COLLECTION_EXTRACTOR_H
#define AK_COLLECTION_EXTRACTOR_H

#include "cluster/codebook.h"
#include "vision/sift.h"

typedef enum { AK_COLOURS_NONE, AK_COLOURS_LUV, AK_COLOURS_HSV } ak_colours;

/* The features of a picture; zeroed before use. */
typedef struct ak_features {
    akin_status status;
    char *why;  // "PATH: why" it is unreadable; NULL: readable
    int64_t width, height;
    int64_t n;
    ak_sift_frame *frames;  // n
    uint8_t *descriptors;   // n x 128; NULL once quantized
    int32_t *words;         // n
    float *colours;         // NULL: not wanted
    char *facts;            // what the file tells: ak_decoder_facts
} ak_features;

void ak_features_free(ak_features *s);

typedef struct ak_extractor ak_extractor;

/* How features are extracted. */
typedef struct ak_extract_options {
    int64_t side, first_octave;
    ak_colours colours;
} ak_extract_options;

/* `colours` by name. */
ak_extract_options ak_extract_options_of(int64_t side, int64_t first_octave,
                                         const char *colours);

akin_status ak_extractor_new(ak_extractor **out, akin_ctx *ctx,
                             const ak_extract_options *sight);
void ak_extractor_free(ak_extractor *e);

/* Extract the features of n files in parallel; with a codebook, descriptors
 * become words. An unreadable file is not a failure: it gets a `why`. */
akin_status ak_extractor_run(ak_extractor *e, akin_ctx *ctx,
                             const char *const *paths, int64_t n,
                             const ak_codebook *codebook, ak_features *out);
/* In two parts: other troubles are in `out`, too; the first is the status. */
akin_status ak_extractor_look(ak_extractor *e, akin_ctx *ctx,
                              const char *const *paths, int64_t n,
                              const ak_codebook *codebook, ak_features *out);
akin_status ak_features_check(akin_ctx *ctx, const ak_features *all, int64_t n);
/* Words of descriptors kept elsewhere. Each picture by itself, as above: a
 * larger matrix product may round differently. */
typedef struct ak_quantize_task {
    ak_features *features;
    const uint8_t *descriptors;
} ak_quantize_task;
akin_status ak_extractor_quantize(ak_extractor *e, akin_ctx *ctx,
                                  const ak_quantize_task *tasks, int64_t n,
                                  const ak_codebook *codebook);
/* Files per call that keep all threads busy. */
int64_t ak_extractor_batch(const ak_extractor *e);

#endif
