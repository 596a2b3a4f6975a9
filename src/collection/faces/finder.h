/* collection/faces/finder.h - the faces of many photos, a photo for each
 * thread. */
#ifndef AK_COLLECTION_FACES_FINDER_H
#define AK_COLLECTION_FACES_FINDER_H

#include "collection/faces/face_items.h"
#include "collection/faces/tagged.h"
#include "vision/faces.h"

typedef struct ak_face_finder ak_face_finder;

/* A photo to look at, and what was found; boxes are in pixels of the photo as
 * it is seen, whatever size it was looked at in. */
typedef struct ak_face_task {
    const char *path;
    const ak_boxes *boxes;  // look at these; NULL: detect
    bool reads_tags;        // also what is written in it
    bool uses_regions;      // and look at the regions there, where it has some
    ak_drawn drawn;         // look at these too; freed with the task

    int64_t width, height;
    ak_tags tags;
    ak_boxes inside;  // of the boxes, if others are not in the photo
    ak_face_set faces, drawn_faces;
    double decode_seconds;
    akin_status status;
    char *why;  // NULL: nothing is wrong
} ak_face_task;

typedef struct ak_finder_options {
    ak_face_options face;
    int64_t side;  // larger photos are shrunk to it first
} ak_finder_options;

akin_status ak_face_finder_new(ak_face_finder **out, akin_ctx *ctx,
                               const ak_finder_options *options);
void ak_face_finder_free(ak_face_finder *f);
/* As many photos as should be looked at in a call. */
int64_t ak_face_finder_batch(const ak_face_finder *f);
/* A photo that cannot be read has a status and `why`, and stops nothing. */
akin_status ak_face_finder_run(ak_face_finder *f, akin_ctx *ctx,
                               ak_face_task *tasks, int64_t n);
/* In two parts: other troubles are in the tasks, too; the first is the status.
 */
akin_status ak_face_finder_look(ak_face_finder *f, akin_ctx *ctx,
                                ak_face_task *tasks, int64_t n);
akin_status ak_face_tasks_check(akin_ctx *ctx, const ak_face_task *tasks,
                                int64_t n);
void ak_face_task_free(ak_face_task *t);

#endif
