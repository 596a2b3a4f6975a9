/* reproduce/solis/oxford.h - a folder of landmark pictures as bags of words,
 * and which of the pictures are learned from:
 *
 *   bow_NAME.svm[.gz|.zst]   counts of words, a row for each picture; one or
 * more images.csv               row,image landmarks.csv landmark,name
 *   groundtruth.csv          row,landmark,grade (good, ok or junk)
 *   queries.csv              row,landmark
 */
#ifndef REPRODUCE_SOLIS_OXFORD_H
#define REPRODUCE_SOLIS_OXFORD_H

#include "reproduce/common/reproduce.h"

enum { OXFORD_MOST_BOOKS = 16 };

typedef enum { OXFORD_NONE, OXFORD_GOOD, OXFORD_JUNK } oxford_grade;

typedef struct oxford_book {
    char name[32];  // "10k"
    char path[REPRODUCE_PATH];
} oxford_book;

typedef struct oxford {
    int64_t n;  // pictures
    int64_t n_landmarks;
    char (*names)[64];
    unsigned char *grades;  // landmarks x n: oxford_grade
    int64_t n_queries;
    int64_t *queries;                      // rows
    int64_t *query_of;                     // landmark of each
    unsigned char *queried;                // n: 1 for a query
    oxford_book books[OXFORD_MOST_BOOKS];  // smallest first
    int64_t n_books;
} oxford;

/* True when the folder looks like one, even if a file is missing. */
bool oxford_is_here(const char *folder);
akin_status oxford_open(app *a, oxford *o, const char *folder);
void oxford_close(oxford *o);

static inline oxford_grade oxford_grade_of(const oxford *o, int64_t landmark,
                                           int64_t row)
{
    return (oxford_grade)o->grades[landmark * o->n + row];
}

/* ---- splits -------------------------------------------------------------- */

/* The training pictures of one landmark in one split. */
typedef struct oxford_split {
    int64_t landmark;
    int64_t *positives, n_positives;
    int64_t *negatives, n_negatives;
} oxford_split;

typedef struct oxford_splits {
    int64_t n_splits, room;  // allocated: `room` splits
    int64_t n_landmarks;     // with enough pictures
    int64_t *landmarks;
    oxford_split *all;  // splits x landmarks
} oxford_splits;

/* Landmarks with at least 20 good or ok pictures: 7 of these pictures that are
 * not queries, and 500 that are neither good, ok nor junk. */
akin_status splits_draw(app *a, oxford_splits *s, const oxford *o,
                        int64_t n_splits);
/* The same from a file: lines `split landmark row positive|negative`, the
 * landmark by number or name. At most `n_splits`, 0: all. */
akin_status splits_read(app *a, oxford_splits *s, const oxford *o,
                        const char *path, int64_t n_splits);
void splits_free(oxford_splits *s);

static inline const oxford_split *split_at(const oxford_splits *s,
                                           int64_t split, int64_t k)
{
    return &s->all[split * s->n_landmarks + k];
}

#endif
