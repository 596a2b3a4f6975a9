/* reproduce/rsl/office.h - pictures of three sources, for `akin reproduce rsl`.
 */
#ifndef CLI_RSL_OFFICE_H
#define CLI_RSL_OFFICE_H

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
typedef struct setting {
    const char *table;
    bool cut, new_classes;
} setting;

typedef struct trip {
    int from, to;
} trip;

/* The rows of the target in a setting. */
const akin_rows *rsl_office_target(const office *o, const setting *s, trip t);

/* Some rows of each class, and the others. */
typedef struct part {
    akin_rows *first, *rest;
} part;

void rsl_part_free(part *p);

/* The rows of a round: to learn from, and to judge by. */
typedef struct hand {
    part left, right;  // of all classes, or of the first half
    part source;       // new classes: of the other half
    part target;
} hand;

void rsl_hand_free(hand *h);
/* Draws from --data; with --test all of it, and the rows of that to judge. The
 * seed of a round is the user's, `number` and `round`. */
akin_status rsl_deal(const office *o, const setting *s, trip t, int64_t number,
                     int64_t round, hand *h);

#endif
