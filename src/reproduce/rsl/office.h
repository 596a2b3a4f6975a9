/* reproduce/rsl/office.h - pictures of three sources, for `akin reproduce rsl`.
 */
#ifndef REPRODUCE_RSL_OFFICE_H
#define REPRODUCE_RSL_OFFICE_H

#include "reproduce/rsl/rsl.h"

enum { SOURCES = 3, TARGET_EACH = 3, CUT = 600 };
enum { AMAZON, WEBCAM, DSLR };

typedef struct source {
    const char *name, *file, *labels;
    int64_t each;  // pictures a class when it is the source
} source;

extern const source rsl_sources[SOURCES];

typedef struct office {
    rsl_run *r;
    akin_rows *rows[SOURCES], *test[SOURCES];  // of --data and of --test
    akin_rows *cut, *cut_test;  // dslr with fewer words; NULL: it has no more
} office;

/* Rows that are ready: centred and scaled, each source by its own. */
akin_status rsl_office_open(office *o);
void rsl_office_close(office *o);

/* From where to where, and how. */
typedef struct rsl_setting {
    const char *table;
    bool cut, new_classes;
} rsl_setting;

typedef struct trip {
    int from, to;
} trip;

/* The rows of the target in a setting. */
const akin_rows *rsl_office_target(const office *o, const rsl_setting *s,
                                   trip t);

/* Some rows of each class, and the others. */
typedef struct rsl_split {
    akin_rows *first, *rest;
} rsl_split;

void rsl_split_free(rsl_split *p);

/* The rows of a round: for training and for testing. */
typedef struct rsl_round {
    rsl_split left, right;  // of all classes, or of the first half
    rsl_split source;       // new classes: of the other half
    rsl_split target;
} rsl_round;

void rsl_round_free(rsl_round *h);
/* Draws from --data; with --test all of it, and the rows of --test to test
 * with. The seed of a round is the user's, `number` and `round`. */
akin_status rsl_draw_round(const office *o, const rsl_setting *s, trip t,
                           int64_t number, int64_t round, rsl_round *h);

#endif
