/* reproduce/solis/crowd.h - Tables IV to VI: one model for all landmarks, among
 * many distractors.
 *
 * Half of the pictures that are no queries, of every landmark and of none, are
 * learned from: triplets of two pictures of a landmark and one of another or
 * of none. The database is the other pictures and D bags drawn from the
 * measured word frequencies. */
#ifndef REPRODUCE_SOLIS_CROWD_H
#define REPRODUCE_SOLIS_CROWD_H

#include "reproduce/solis/solis.h"

/* Pictures that ask. The relevant ones in the database of asker k have the
 * places offsets[k] to below offsets[k + 1]. */
typedef struct askers {
    int64_t *rows, *landmarks, n;
    int64_t *offsets;
} askers;

typedef struct crowd {
    solis_run *r;
    int64_t *class_of;        // n: landmark, -1: none, -2: junk
    unsigned char *trains;    // n
    int64_t *train, n_train;  // rows to learn from, landmark by landmark
    int64_t *begin;           // landmarks + 1: where each begins in `train`
    int64_t *database, n_database;
    akin_supervision *known;
    askers official, validation;
} crowd;

akin_status crowd_new(crowd *c, solis_run *r, int64_t n_triplets);
void crowd_free(crowd *c);

/* Where the relevant pictures of all askers stand under a model. */
typedef struct relevant_rank {
    int64_t rank;   // without distractors, from 1
    int64_t above;  // distractors before it
    double score;
} relevant_rank;

typedef struct query_ranks {
    const askers *who;
    const akin_model *model;
    akin_rows *queries;  // made ready, as `rows` is
    relevant_rank *places;
} query_ranks;

/* `rows`: all pictures, made ready for the model. */
akin_status query_ranks_new(crowd *c, query_ranks *s, const askers *who,
                            const akin_model *model, const akin_rows *rows);
void query_ranks_free(query_ranks *s);
/* Distractors leave behind only how many of them stand before each relevant
 * picture, so that memory does not grow with their number. */
akin_status query_ranks_add(crowd *c, query_ranks *s,
                            const akin_rows *distractors);
/* Mean average precision, in per cent. */
akin_status query_ranks_map(crowd *c, const query_ranks *s, double *map);

#endif
