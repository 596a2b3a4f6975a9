/* reproduce/common/oxford.h - a folder of landmark pictures as bags of words:
 *
 *   bow_NAME.svm[.gz|.zst]   counts of words, a row a picture; one or more
 *   images.csv               row,image
 *   landmarks.csv            landmark,name
 *   groundtruth.csv          row,landmark,grade (good, ok or junk)
 *   queries.csv              row,landmark
 */
#ifndef REPRODUCE_COMMON_OXFORD_H
#define REPRODUCE_COMMON_OXFORD_H

#include "app/app.h"

enum { OXFORD_MOST_BOOKS = 16 };

typedef enum { OXFORD_NONE, OXFORD_GOOD, OXFORD_JUNK } oxford_grade;

typedef struct oxford_book {
    char name[32];  // "10k"
    char path[4096];
} oxford_book;

typedef struct oxford {
    int64_t n;  // pictures
    int64_t n_landmarks;
    char (*names)[64];
    unsigned char *grades;  // landmarks x n: oxford_grade
    int64_t n_queries;
    int64_t *queries;                      // rows
    int64_t *query_of;                     // landmark of each
    unsigned char *queried;                // n: 1 for a query of any landmark
    oxford_book books[OXFORD_MOST_BOOKS];  // few words first
    int64_t n_books;
} oxford;

/* 1 when the folder looks like one, even if a file is missing. */
bool oxford_is_here(const char *folder);
akin_status oxford_open(app *a, oxford *o, const char *folder);
void oxford_close(oxford *o);

static inline oxford_grade oxford_grade_of(const oxford *o, int64_t landmark,
                                           int64_t row)
{
    return (oxford_grade)o->grades[landmark * o->n + row];
}
/* How many pictures are good or ok for a landmark. */
int64_t oxford_good_count(const oxford *o, int64_t landmark);

#endif
