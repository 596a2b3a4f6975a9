/* collection/faces/face_crew.h - ranks that look for faces together, a part of
 * the photos each. */
#ifndef AK_COLLECTION_FACES_FACE_CREW_H
#define AK_COLLECTION_FACES_FACE_CREW_H

#include "base/crew.h"
#include "collection/faces/finder.h"

/* What a rank has; rank 0 asks for things, with one rank or many. */
typedef struct ak_face_crew {
    ak_crew crew;
    ak_face_finder *finder;
    ak_face_task *tasks;  // on rank 0, those at work
} ak_face_crew;

akin_status ak_face_crew_run(ak_face_crew *c, akin_ctx *ctx,
                             akin_status (*lead)(void *arg), void *arg);

/* Make all ranks ready. */
akin_status ak_face_crew_open(ak_face_crew *c, akin_ctx *ctx,
                              const ak_finder_options *options);
/* As ak_face_finder_run. */
akin_status ak_face_crew_look(ak_face_crew *c, akin_ctx *ctx,
                              ak_face_task *tasks, int64_t n);
/* Photos per call that keep all threads of all ranks busy. */
int64_t ak_face_crew_batch(const ak_face_crew *c);

#endif
