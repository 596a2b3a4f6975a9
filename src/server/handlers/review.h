/* server/handlers/review.h - the names of faces, for several handlers. */
#ifndef SERVER_REVIEW_H
#define SERVER_REVIEW_H

#include <akin/review.h>
#include <jansson.h>

#include "server/pool.h"
#include "server/request.h"
#include "server/workers.h"

/* A review with all answers so far, and a reader of the collection. */
typedef struct reviewing {
    served *s;
    akin_review *review;
    akin_collection *c;
} reviewing;

/* The collection of the request has faces, and what is known of them is locked
 * until review_give. False: the answer says what is wrong, or 202 with the job
 * that learns the names. */
bool review_take(request *r, worker *w, reviewing *x);
void review_give(reviewing *x);

/* The collection of the request, which has faces; NULL: the answer says what is
 * wrong. */
served *review_collection(request *r);
/* The text of a key, NULL: it has none. False: the answer says what is wrong.
 */
bool review_text(request *r, const json_t *body, const char *key,
                 const char **out);
/* What follows from answers that are on the disk: `o` gets the faces whose name
 * changed after answer `before`, or the job that learns again. The review is
 * locked. */
void review_add_changed(request *r, worker *w, served *s, int64_t before,
                        json_t *o);
/* After an error of the disk SQLite cannot say what is on it now. */
void review_reply_lost(request *r, worker *w, akin_status st);

/* A face with its place; NULL: it is no longer there. */
json_t *face_json(akin_ctx *ctx, const reviewing *x, const akin_review_face *f);

#endif
