/* naming/photos.h - all photos of a set, each with scores for its faces and
 * the names of its caption; inside naming/ alone. */
#ifndef AK_NAMING_PHOTOS_H
#define AK_NAMING_PHOTOS_H

#include "naming/assign.h"

enum { AK_PHOTO_BLOCK = 64 };

/* The scores of photo i, its faces by its names, lie from slots[i] on. */
typedef struct ak_photos {
    akin_ctx *ctx;
    const ak_shared_names *peers;
    const ak_confirmed *confirmed;
    int64_t *slots;  // n_photos + 1
    double *B;
    double *gains;  // of photo i from slots[i] on, gain_counts[i] of them
    int64_t *gain_counts;
    int64_t most_faces, most_names;
    struct ak_photo_room *rooms;    // of each worker
    struct ak_assign_room *assign;  // of each worker
    int32_t *marks;                 // workers x n_names, zero between uses
    double theta;
    bool all;  // every name that can be given is: none is no choice
    int32_t *labels;
    double *margins;  // NULL: not wanted
} ak_photos;

/* Scratch memory. */
akin_status ak_photos_new(ak_photos *out, akin_ctx *ctx,
                          const ak_shared_names *peers,
                          const ak_confirmed *confirmed);
/* theta for `count` names in all, confirmed ones among them; *reachable: how
 * many there could be. */
akin_status ak_photos_theta(ak_photos *p, int64_t count, int64_t *reachable);
/* marks[q] = 1 + its place for the r names of a caption, and 0 again. */
static inline void ak_photos_mark(int32_t *marks, int64_t r,
                                  const int32_t *names)
{
    for (int64_t q = 0; q < r; ++q)
        marks[names[q]] = (int32_t)(q + 1);
}
static inline void ak_photos_unmark(int32_t *marks, int64_t r,
                                    const int32_t *names)
{
    for (int64_t q = 0; q < r; ++q)
        marks[names[q]] = 0;
}
/* Labels of all faces by the scores and theta; margins too where wanted. */
akin_status ak_photos_assign(ak_photos *p);

/* Of a fixed table: score(f, q) = table[f * stride + q]. */
typedef struct ak_table {
    const double *values;
    int64_t stride;
} ak_table;
ak_scorer ak_table_scorer(const ak_shared_names *peers, const ak_table *t);

/* Fill the scores of all photos: score(arg, f, q). */
typedef double (*ak_pair_score)(const void *arg, int64_t face, int32_t name);
void ak_photos_fill(ak_photos *photos, ak_pair_score score, const void *arg);

#endif
