/* naming/estimation.h - what the parts of naming/estimate.c share; inside
 * naming/ alone. */
#ifndef AK_NAMING_ESTIMATION_H
#define AK_NAMING_ESTIMATION_H

#include "naming/gaussians.h"
#include "naming/likelihood.h"
#include "naming/naming.h"

enum { AK_NULLS = 8, AK_NAME_CLASSES = 6, AK_NEAR = 32, AK_FOLDS = 3 };
enum { AK_SAMPLES = 20 };

/* The k affinities that are largest, falling, each with its share of a face. */
typedef struct ak_near {
    int64_t n;
    double a[AK_NEAR], share[AK_NEAR];
    double faces, sum;  // of all
} ak_near;

/* Memory of one worker. */
typedef struct ak_estimate_room {
    double *weight, *p, *counts, *by_count, *matching;
    int32_t *faces, *names;  // that no person has decided
    int32_t *drawn;          // most_faces
    int32_t *marks;          // n_names, zero between uses
    ak_near *near;           // most_names
} ak_estimate_room;

typedef struct ak_face_sums {
    int64_t d;      // 0: no votes by covariances
    double *Y, *T;  // n x d, of mean 0; their covariance
    int32_t *fold;  // of each photo
    int32_t *row;   // of each name in the sums; -1: one mention only
    int64_t n_rows;
    double *Z[AK_FOLDS];  // n x d: faces in the coordinates of a fold
    double *b[AK_FOLDS];  // d: as in naming/gaussians.h
    double *M[AK_FOLDS];  // d x d: the same
    double *sums;         // n_rows x d, in coordinates
    double *counts;       // n_rows: of the faces in them
    double *scaled;       // max(n, n_rows) x d
    double *W, *work;     // d^2, 2 d^2
    double *own;          // d
    ak_gaussians g;
} ak_face_sums;

typedef struct ak_estimation {
    akin_ctx *ctx;
    const ak_shared_names *peers;
    const ak_bags *b;
    const ak_confirmed *said;
    const ak_affinity *a;  // NULL: no votes
    const ak_decoys *decoys;
    const double *prior;    // n_slots: logs of weights; NULL: all 0
    const double *quality;  // n: of the faces, above 0 to 1; NULL: all 1
    int64_t k;              // nearest faces
    int64_t n_names, n_slots, n_mentions, most_faces, most_names;
    int64_t *slots, *face_slot;
    double *p;                       // n_slots
    double *z;                       // n_slots: by which faces vote, p or drawn
    double *mean[2];                 // n_slots: of p at the end, by all of the
                                     // evidence and by a part of it
    double *log_odds, *shown, *any;  // n_mentions
    int64_t *captions;               // of each name, with faces
    double *totals, *logs;           // n_names
    double log_nulls[AK_NULLS];
    double rates[AK_NAME_CLASSES];  // of mentions that are shown, by captions[]
    int64_t *first;                 // n_names + 1: the photos of name q lie in
    int32_t *photos;                // from first[q] on
    int32_t *by_rank;               // n_names: the name of each rank
    double heed;          // the part of the votes' evidence that counts
    int fold;             // the photos at hand; -1: all
    const bool *touched;  // of each photo: at hand; NULL: all are
    const bool *wanted;   // of each name: in a photo at hand; NULL: all are
    int32_t *samples;     // AK_SAMPLES x n: names that were drawn, or none
    int64_t n_used;       // rounds that the means are of
    bool draws;           // z is drawn
    bool reads;           // p is for the result: nothing is learned from it
    bool given;           // what is learned from all photos is known
    int64_t round;        // so far
    double stray;         // decoys beside the right name
    ak_likelihood likelihood;
    int32_t *rank;  // n_names: by their texts
    ak_vote *votes, *wrong;
    double *nulls;  // blocks x NULLS
    ak_estimate_room *rooms;
    ak_face_sums who;
} ak_estimation;

/* Is a photo among those at hand? */
static inline bool ak_is_at_hand(const ak_estimation *e, int64_t photo)
{
    return (e->fold < 0 || e->who.fold[photo] == e->fold) &&
           (e->touched == NULL || e->touched[photo]);
}

/* The name that a person gave a face, n_names: none; or AK_UNDECIDED. */
static inline int32_t ak_fixed_of(const ak_estimation *e, int64_t face)
{
    return e->said->fixed ? e->said->fixed[face] : AK_UNDECIDED;
}

/* How much a face counts in what is known of a person. */
static inline double ak_quality_of(const ak_estimation *e, int64_t face)
{
    return e->quality ? e->quality[face] : 1.0;
}

/* The class of a name with so many captions. */
int ak_name_class(int64_t captions);

/* ---- rounds (naming/estimate.c) ------------------------------------------ */

/* Scratch memory, by `peers`, `b` and `decoys`. */
akin_status ak_estimation_open(ak_estimation *e);
/* Names for the photos that are touched, where all else is given: z of all
 * photos, and what was learned. */
akin_status ak_estimation_continue(ak_estimation *e);

/* ---- votes by covariances (naming/people.c) ------------------------------ */

/* Scratch memory. */
akin_status ak_people_open(ak_estimation *e, const akin_naming *s);
/* The same for coordinates that are known: XQ (n x r) has the principal
 * directions of the faces, `mean` is of the first d. M and b are copied. */
akin_status ak_people_resume(ak_estimation *e, int64_t r, const double *XQ,
                             int64_t d, const double *mean, const double *M,
                             const double *b);
enum { AK_PEOPLE_DIM_MOST = 200 };
/* The coordinates for the faces of one fold, by what the others show. */
akin_status ak_people_learn(ak_estimation *e, int fold);
/* Votes of the faces of one fold that are at hand, and of its decoys where
 * they are wanted. */
void ak_people_vote(ak_estimation *e, int fold, bool decoys);

/* ---- names that could be each other's (naming/exchange.c) ---------------- */

/* Exchanges what was drawn for names that only captions tell apart. */
void ak_exchange_names(const ak_estimation *e);

#endif
