/* collection/eyes.h - pictures seen, several at a time. */
#ifndef AK_COLLECTION_EYES_H
#define AK_COLLECTION_EYES_H

#include "cluster/codebook.h"
#include "vision/sift.h"

typedef enum { AK_COLOURS_NONE, AK_COLOURS_LUV, AK_COLOURS_HSV } ak_colours;

/* What is in a picture; all zero to begin with. */
typedef struct ak_seen {
    akin_status status;
    char *why;  // it could not be read, "PATH: why"; NULL: it could
    int64_t width, height;
    int64_t n;
    ak_sift_frame *frames;  // n
    uint8_t *descriptors;   // n x 128; NULL where there are words
    int32_t *words;         // n
    float *colours;         // NULL: not asked for
} ak_seen;

void ak_seen_free(ak_seen *s);

typedef struct ak_eyes ak_eyes;

/* How they look. */
typedef struct ak_sight {
    int64_t side, first_octave;
    ak_colours colours;
} ak_sight;

/* `colours` by name. */
ak_sight ak_sight_of(int64_t side, int64_t first_octave, const char *colours);

akin_status ak_eyes_open(ak_eyes **out, akin_ctx *ctx, const ak_sight *sight);
void ak_eyes_close(ak_eyes *e);

/* Look at n files, a thread for each as long as there are threads; with a
 * codebook descriptors become words. A file that cannot be read is no failure:
 * it has a `why`. */
akin_status ak_eyes_look(ak_eyes *e, akin_ctx *ctx, const char *const *paths,
                         int64_t n, const ak_codebook *codebook, ak_seen *out);
/* The words of descriptors that were kept elsewhere. Each picture by itself,
 * as above: a product of matrices may round otherwise in a larger one. */
typedef struct ak_reading_task {
    ak_seen *seen;
    const uint8_t *descriptors;
} ak_reading_task;
akin_status ak_eyes_read(ak_eyes *e, akin_ctx *ctx,
                         const ak_reading_task *tasks, int64_t n,
                         const ak_codebook *codebook);
/* How many at a time are worth while. */
int64_t ak_eyes_window(const ak_eyes *e);

#endif
