/* data/supervision/supervision.h - what is known about rows, and drawing
 * examples of it. */
#ifndef AK_DATA_SUPERVISION_SUPERVISION_H
#define AK_DATA_SUPERVISION_SUPERVISION_H

#include "base/rng.h"
#include "data/rows.h"

/* Bags: items (faces) with candidate names, in groups (photos). */
typedef struct ak_bags {
    int64_t n_photos;
    char **photos;          // name of each photo
    int64_t *item_offsets;  // n_photos + 1
    int64_t *items;         // rows
    int64_t *name_offsets;  // n_photos + 1
    int32_t *names;         // numbers into name_texts, increasing in a photo
    char **name_texts;
    int64_t n_names;
} ak_bags;

struct akin_supervision {
    const akin_rows *rows, *right;  // borrowed
    const akin_recipe *recipe;      // borrowed, NULL: none
    const akin_recipe *right_recipe;
    const char *name;  // borrowed, begins messages; or NULL
    akin_knowledge kind;
    int64_t *numbers;    // of pairs (3), triplets (3), quadruplets (4)
    int64_t count;       // examples in numbers
    int64_t first_line;  // of their file, the others in the next ones; 0: not
                         // known
    ak_bags *bags;
    int64_t *known;   // labels: the rows whose labels may be used, increasing;
    int64_t n_known;  // known is NULL: all rows
    int64_t *right_known;  // the same of the right rows
    int64_t n_right_known;
    int64_t *held_out;  // of a held-out part of labels: its rows, increasing,
    int64_t n_held_out;
    akin_side held_out_side;  // of this side
    int64_t sample;           // 0: auto
    int64_t passes;           // 0: automatic
    akin_sampling sampling;
    akin_pair_weights pair_weights;
};

/* The rows whose labels may be used: how many, and number i of them. */
static inline int64_t ak_supervision_known(const akin_supervision *s)
{
    return s->known ? s->n_known : s->rows->n;
}

static inline int64_t ak_supervision_row(const akin_supervision *s, int64_t i)
{
    return s->known ? s->known[i] : i;
}

/* Flags for the rows of a side that something is known about: labels that may
 * be used, or examples that name them. `used` has a flag for each row. */
void ak_supervision_used(const akin_supervision *s, akin_side side,
                         unsigned char *used);

/* Of the rows, what is known about them, and how examples are drawn. */
uint64_t ak_supervision_fingerprint(const akin_supervision *s);

/* The same rows, and the manner in which they are learned from, without what is
 * known about them. */
akin_status ak_supervision_like(akin_supervision **out, akin_ctx *ctx,
                                const akin_supervision *s);

/* With what is known about them. */
akin_status ak_supervision_copy(akin_supervision **out, akin_ctx *ctx,
                                const akin_supervision *s);

/* As akin_supervision_hold_out; of labels, rows of this side are held out. */
akin_status ak_supervision_hold_out(akin_supervision **rest,
                                    akin_supervision **held, akin_ctx *ctx,
                                    const akin_supervision *s, double fraction,
                                    akin_side side);

/* Part `fold` of `folds`, drawn by the seed, and the rest. Labels:
 * rows by class, so that a class never leaves the rest; of both sides where
 * there are two, of the right alone for AKIN_RIGHT. Examples: those that name a
 * row of the fold, so that each has a row of which nothing is known; or, where
 * a few rows are in most examples, or all such pairs match or none does, single
 * ones. Folds of examples may overlap.
 * Captions: photos. Either part of labels and captions may be empty. EINVAL:
 * nothing is known, or fewer than two examples. */
akin_status ak_supervision_fold(akin_supervision **rest,
                                akin_supervision **held, akin_ctx *ctx,
                                const akin_supervision *s, int64_t fold,
                                int64_t folds, akin_side side);

/* The status, and for EINVAL the name of the supervision before the message. */
akin_status ak_supervision_blame(akin_status st, akin_ctx *ctx,
                                 const akin_supervision *s);

/* Triplets of a supervision, by number. Number t is a function of the seed and
 * t alone when drawn from labels, and triplet t modulo the count when given. */
typedef struct ak_sampler ak_sampler;

/* EINVAL where there is nothing to draw from: no labels, a single class, no
 * two rows of one class. The supervision is borrowed. */
akin_status ak_sampler_new(ak_sampler **out, akin_ctx *ctx,
                           const akin_supervision *s);
/* Triplets in one pass: those given, or sample, or an automatic number. */
int64_t ak_sampler_pass(const ak_sampler *s);
/* Are they drawn at random, rather than given? */
bool ak_sampler_is_drawn(const ak_sampler *s);
/* Triplets number `from` to `from + count`, 3 numbers each. Any thread. */
void ak_sampler_draw(const ak_sampler *s, int64_t from, int64_t count,
                     int64_t *triplets);
/* One that is drawn, by itself; with the generator after it go further
 * negatives of its q. How many negatives q has, more or less. */
ak_rng ak_sampler_open(const ak_sampler *s, int64_t t, int64_t *triplet);
int64_t ak_sampler_negative(const ak_sampler *s, ak_rng *r, int64_t q);
int64_t ak_sampler_negatives(const ak_sampler *s, int64_t q);
/* The rows that can stand first or second in a triplet (that is, positives),
 * one flag a row of the supervision. */
void ak_sampler_positives(const ak_sampler *s, unsigned char *flags);
void ak_sampler_free(ak_sampler *s);

/* The known rows that have a label, increasing; scratch. */
akin_status ak_supervision_labelled(int64_t **which, int64_t *n, akin_ctx *ctx,
                                    const akin_supervision *s);

/* Rows by label: the known rows of label k are rows[offsets[k]..[k+1]),
 * increasing. Scratch memory of the context. */
typedef struct ak_classes {
    int64_t n_labels;
    int64_t *offsets;
    int64_t *rows;
} ak_classes;
akin_status ak_classes_of(ak_classes *out, akin_ctx *ctx,
                          const akin_supervision *s);

#endif
