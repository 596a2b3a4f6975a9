/* akin/review.h - a person says who is who in a collection of faces.
 *
 * An answer is on the disk before the call returns, and holds until it is
 * undone: also when faces are added, found again or named again. */
#ifndef AKIN_REVIEW_H
#define AKIN_REVIEW_H

#include <akin/faces.h>
#include <akin/naming.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The answers of a collection, to be read or added to. Several processes may do
 * so at the same time; to read needs no permission to write. One thread at a
 * time. */
typedef struct akin_answers akin_answers;

AKIN_API akin_status akin_answers_open(akin_answers **out, akin_ctx *ctx,
                                       const char *path);
AKIN_API void akin_answers_close(akin_answers *a);

/* The kinds:
 *   is      the face is `name`, also where no caption has that
 *   is-not  the face is not `name`
 *   none    the face is nobody of its caption
 *   no-face there is no face: the item leaves the collection, and is not found
 *           there again
 *   merge   `name` is another name of the person `other`
 *   box     the face is at x, y, width, height: of akin_answers_draw alone
 * and of captions, for the photo alone:
 *   person          the caption names `name`, who is in the picture
 *   not-person      `name` is no person of the caption
 *   in-picture      `name` is in the picture
 *   not-in-picture  `name` is only mentioned
 *   means           what the caption has for `name` is the person `other`
 * A later answer replaces an earlier one that says otherwise. */
typedef struct akin_answer {
    uint64_t size;     /* sizeof(akin_answer) */
    const char *kind;  /* as above; box is only read */
    int64_t face;      /* id of the item; merge and captions: -1 */
    const char *name;  /* of is, is-not, merge and captions; else NULL */
    const char *other; /* of merge and means; else NULL */
    const char *key;   /* the client's own; NULL: none */
    const char *user;  /* who said it; NULL: nobody in particular */
    int64_t number;    /* of akin_answers_next: its number, from 1 on */
    int64_t undone;    /* of akin_answers_next: 1: it no longer counts */
    double x, y, width, height; /* of akin_answers_next: box; else 0 */
    int64_t photo;              /* of captions: photo_id of a face; else -1 */
    int64_t start; /* bytes [start, end) of the caption, whole characters, */
    int64_t end;   /* where the name stands; -1: not given */
    const char *mention; /* of akin_answers_next: what was there; NULL: none */
} akin_answer;

#define AKIN_ANSWER_INIT                                                   \
    {                                                                      \
        .size = sizeof(akin_answer), .face = -1, .photo = -1, .start = -1, \
        .end = -1,                                                         \
    }

/* Store an answer; `number` gets its number. One whose key is there already
 * changes nothing, and `number` is that of the first. AKIN_EINVAL: the kind is
 * unknown, there is no such face, photo or place in its caption, or a name is
 * missing or not text; AKIN_EBUSY: akin_faces_make is replacing the collection,
 * try again later. */
AKIN_API akin_status akin_answers_add(int64_t *number, akin_ctx *ctx,
                                      akin_answers *a,
                                      const akin_answer *answer);
/* A face that the detector missed, or that is elsewhere in its photo, as a
 * person draws it. */
typedef struct akin_drawing {
    uint64_t size;              /* sizeof(akin_drawing) */
    int64_t photo_id;           /* of akin_face */
    int64_t face;               /* id of the item to be moved; -1: the one that
                                   is at this place, or a new one */
    double x, y, width, height; /* pixels of the photo as it is seen */
    const char *key;            /* the client's own; NULL: none */
    const char *user;           /* who drew it; NULL: nobody in particular */
} akin_drawing;

#define AKIN_DRAWING_INIT                         \
    {                                             \
        .size = sizeof(akin_drawing), .face = -1, \
    }

/* Store a drawn box as an answer (box) and as a face of the collection, with
 * landmarks and a vector as akin_faces_make finds them; `face` gets the id of
 * the item. It stays where it was drawn when its photo is looked at again. As
 * for akin_answers_add, a key counts once. AKIN_EINVAL: there is no such photo
 * or face, the box is not in the photo, or the vectors of the collection were
 * imported; AKIN_EABSENT: this build finds no faces, or has no weights;
 * AKIN_EFORMAT: the photo cannot be read, or has another size now. */
AKIN_API akin_status akin_answers_draw(int64_t *face, int64_t *number,
                                       akin_ctx *ctx, akin_answers *a,
                                       const akin_drawing *drawing);
/* It no longer counts; a face that was drawn, moved or removed by it is as it
 * was. AKIN_EINVAL: there is no such answer. */
AKIN_API akin_status akin_answers_undo(akin_ctx *ctx, akin_answers *a,
                                       int64_t number);
/* The answer after number `after` (0: the first), borrowed until the next call;
 * number 0: there are no more. */
AKIN_API akin_status akin_answers_next(akin_answer *out, akin_ctx *ctx,
                                       akin_answers *a, int64_t after);
/* Those that count, and names that faces came with, as confirmed names for
 * akin_naming_learn; `captions` are those of akin_faces_captions, and get names
 * that they do not have. *out NULL: there are none. */
AKIN_API akin_status akin_answers_confirmed(akin_face_names **out,
                                            akin_ctx *ctx,
                                            akin_supervision *captions,
                                            akin_collection *c);

/* ---- review --------------------------------------------------------------
 */

/* What is known of all faces of a collection, with all answers so far. One
 * thread at a time. */
typedef struct akin_review akin_review;

/* Learn to name the faces (fused). AKIN_EINVAL: the collection has no faces, or
 * no names. */
AKIN_API akin_status akin_review_open(akin_review **out, akin_ctx *ctx,
                                      const char *path);
AKIN_API void akin_review_close(akin_review *r);
/* Take the answers since, quickly: nothing is learned. *stale is set to 1 where
 * faces, captions or merged names have changed: open it again. */
AKIN_API akin_status akin_review_update(int64_t *stale, akin_ctx *ctx,
                                        akin_review *r);
/* 1: captions were corrected since it was learned. The faces of these photos
 * have other candidates already; what follows for others, and how likely a new
 * name is, is known when it is opened again. */
AKIN_API int64_t akin_review_is_behind(const akin_review *r);

typedef struct akin_review_face {
    int64_t row, id;
    const char *name;   /* of the person; NULL: none */
    double probability; /* that it is right */
    double gain;        /* faces that are expected to become right by asking */
    int64_t said;       /* 1: a person said so */
    int64_t changed;    /* the last answer that named it anew; 0: none */
} akin_review_face;

AKIN_API int64_t akin_review_count(const akin_review *r);
/* By the row of the face; names are borrowed until the next update. */
AKIN_API void akin_review_get(akin_review_face *out, const akin_review *r,
                              int64_t row);
/* By the id of the item. AKIN_EINVAL: there is no such face. */
AKIN_API akin_status akin_review_find(akin_review_face *out, akin_ctx *ctx,
                                      const akin_review *r, int64_t id);
/* Rows of faces to ask about, the largest gain first. */
AKIN_API int64_t akin_review_queue(const int64_t **rows, const akin_review *r);
/* The number of the last answer that was taken. */
AKIN_API int64_t akin_review_last(const akin_review *r);

typedef struct akin_candidate {
    const char *name; /* NULL: none of the caption */
    double probability;
} akin_candidate;

/* Names that a face may have, the most likely first; returns how many, at most
 * `most`. Names that a person refused, or gave to another face of the photo,
 * are not among them. */
AKIN_API int64_t akin_review_candidates(akin_candidate *out,
                                        const akin_review *r, int64_t row,
                                        int64_t most);

typedef struct akin_person {
    const char *name;
    int64_t said, suggested; /* faces */
} akin_person;

/* All names that captions or answers have, in the order of their texts. Free
 * with akin_free. */
AKIN_API akin_status akin_review_persons(akin_person **out, int64_t *n,
                                         akin_ctx *ctx, const akin_review *r);
/* Faces without a name that look alike: groups[row] from 0 on, the largest
 * first; -1: it has a name, or no other face is like it. */
AKIN_API akin_status akin_review_groups(int64_t *groups, int64_t *n_groups,
                                        akin_ctx *ctx, const akin_review *r);

#ifdef __cplusplus
}
#endif
#endif
