/* collection/faces/review.h - a review in progress; inside faces/ alone. */
#ifndef AK_COLLECTION_FACES_REVIEW_H
#define AK_COLLECTION_FACES_REVIEW_H

#include "collection/collection.h"
#include "collection/faces/answers.h"

enum { AK_REVIEW_STAMP = 5 };

/* A name that a caption got after names were learned. */
typedef struct ak_recent_name {
    int64_t photo;  // id
    char *name;
} ak_recent_name;

typedef struct ak_recent_names {
    ak_recent_name *all;
    int64_t n, room;
} ak_recent_names;

struct akin_review {
    ak_catalog catalog;  // for answers, which come after the snapshot of c
    akin_collection *c;
    akin_rows *raw, *rows;
    akin_recipe *recipe;
    akin_supervision *known;
    akin_naming *naming;
    akin_estimate *estimate;
    ak_told_list said;
    akin_face_names *confirmed;  // the same; NULL: none
    int64_t stamp[AK_REVIEW_STAMP];
    int64_t corrections;     // of captions that were learned, as a sum
    bool behind;             // there are others now
    ak_recent_names recent;  // of these
    int64_t moment;  // of SQLite, when the answers were taken; 0: at the start
    int64_t n;       // faces
    int32_t *names;
    double *probabilities, *gains;
    int64_t *photo;    // ids
    int64_t *decided;  // into said: is or none; -1: nothing is
    int64_t *changed;  // number of an answer
    int64_t *queue, n_queue;
};

#endif
