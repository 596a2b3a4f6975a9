/* akin/persons.h - who is named in the caption of a photograph, who of them is
 * in the picture, and where. docs/reference/persons.md */
#ifndef AKIN_PERSONS_H
#define AKIN_PERSONS_H

#include <akin/base.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Finds names in prose. Read-only once it is made and its aliases are set, so
 * that threads can share it. */
typedef struct akin_tagger akin_tagger;
/* The persons of one caption, in the order of their first mention. */
typedef struct akin_persons akin_persons;
/* Captions of a file, and the persons of each. */
typedef struct akin_captions akin_captions;

/* ---- taggers ---- */

/* The tagger that comes with the library. */
AKIN_API akin_status akin_tagger_default(akin_tagger **out, akin_ctx *ctx);
AKIN_API akin_status akin_tagger_load(akin_tagger **out, akin_ctx *ctx,
                                      const char *path);
/* Aliases are not saved. */
AKIN_API akin_status akin_tagger_save(akin_ctx *ctx, const akin_tagger *tagger,
                                      const char *path);
AKIN_API void akin_tagger_free(akin_tagger *tagger);
/* Add other names of persons from a CSV file with the header `alias,name`.
 * Where a caption has the alias, the person gets the name. Capitals do not
 * matter. */
AKIN_API akin_status akin_tagger_add_aliases(akin_ctx *ctx, akin_tagger *tagger,
                                             const char *path);

typedef struct akin_tagger_options {
    uint64_t size;     /* sizeof(akin_tagger_options) */
    int64_t passes;    /* over the labelled captions */
    const char *lists; /* folder of word lists; NULL: those of the default */
} akin_tagger_options;

#define AKIN_TAGGER_DEFAULTS                               \
    {                                                      \
        .size = sizeof(akin_tagger_options), .passes = 12, \
    }

typedef struct akin_tagger_info {
    int64_t captions;
    int64_t persons;
    int64_t unmatched; /* mentions that are not whole words of their caption */
    double accuracy;   /* share of mentions that parts of the captions predict
                          for the others; what probabilities are fitted to */
    /* Of captions that are learned beside those of the default tagger
     * (akin_faces_learn_tagger); else 0. */
    double share;          /* 0: the default is kept, 1: all is learned anew */
    int64_t errors;        /* in these captions, held out: names missed or made
                              up, and who is in the picture */
    int64_t errors_before; /* the same by the default tagger */
    int64_t own_errors;    /* the same in the captions of the default tagger */
    int64_t own_errors_before;
} akin_tagger_info;

/* Learn from captions whose persons are labelled: JSON lines with the keys
 * photo, caption and names; docs/reference/persons.md has the format.
 *   path       a file, or "-" for standard input
 *   options    may be NULL
 *   info       NULL, or filled */
AKIN_API akin_status akin_tagger_learn(akin_tagger **out, akin_ctx *ctx,
                                       const char *path,
                                       const akin_tagger_options *options,
                                       akin_tagger_info *info);

/* ---- persons ---- */

typedef enum akin_presence {
    AKIN_PICTURED,  /* in the picture */
    AKIN_MENTIONED, /* named only: a statue, an absent opponent, "the late" */
    AKIN_CREDITED,  /* took the picture */
    AKIN_PRESENCES
} akin_presence;

typedef enum akin_picture_side {
    AKIN_SIDE_NONE,
    AKIN_SIDE_LEFT,
    AKIN_SIDE_RIGHT,
    AKIN_SIDE_CENTER
} akin_picture_side;

typedef enum akin_picture_row {
    AKIN_ROW_NONE,
    AKIN_ROW_FRONT,
    AKIN_ROW_MIDDLE,
    AKIN_ROW_BACK,
    AKIN_ROW_REAR,
    AKIN_ROW_TOP,
    AKIN_ROW_BOTTOM,
    AKIN_ROW_FOREGROUND,
    AKIN_ROW_BACKGROUND,
    AKIN_ROW_STANDING,
    AKIN_ROW_SEATED,
    AKIN_ROW_SITTING,
    AKIN_ROW_KNEELING,
    AKIN_ROW_CROUCHING
} akin_picture_row;

/* Where the caption says that a person is; sides are the viewer's.
 *   "left"                              side
 *   "far left"                          side, far
 *   "second from right"                 side, rank 2
 *   "back row, third from left"         row, in_row, side, rank 3
 *   "kneeling, first"                   row, rank 1
 *   "front right"                       row, side */
typedef struct akin_position {
    akin_picture_side side;
    int64_t rank;   /* counted from that side, from 1; 0: none */
    int64_t listed; /* how many persons the same list has; 0: no list */
    akin_picture_row row;
    int64_t in_row;   /* 1: `row` is a row of several */
    int64_t far;      /* 1: the farthest on that side */
    int64_t numbered; /* the number of the row, as in "second row"; 0: none */
} akin_position;

/* Find the persons of a caption of n bytes of UTF-8; other bytes separate
 * words. The time is linear in n. */
AKIN_API akin_status akin_persons_find(akin_persons **out, akin_ctx *ctx,
                                       const akin_tagger *tagger,
                                       const char *caption, size_t n);
AKIN_API void akin_persons_free(akin_persons *persons);
AKIN_API int64_t akin_persons_count(const akin_persons *persons);
/* The fullest name that the caption supports. */
AKIN_API const char *akin_persons_name(const akin_persons *persons, int64_t i);
/* The probability that this is the name of a person in this caption. */
AKIN_API double akin_persons_probability(const akin_persons *persons,
                                         int64_t i);
AKIN_API akin_presence akin_persons_presence(const akin_persons *persons,
                                             int64_t i);
/* The probability of a presence, given that this is a person. */
AKIN_API double akin_persons_presence_probability(const akin_persons *persons,
                                                  int64_t i,
                                                  akin_presence presence);
/* In English: "back row, second from left"; "" where the caption does not
 * say. `position` may be NULL. */
AKIN_API const char *akin_persons_position(akin_position *position,
                                           const akin_persons *persons,
                                           int64_t i);
AKIN_API int64_t akin_persons_mention_count(const akin_persons *persons,
                                            int64_t i);
/* Mention k of person i: its bytes [*start, *end) of the caption. */
AKIN_API void akin_persons_mention(size_t *start, size_t *end,
                                   const akin_persons *persons, int64_t i,
                                   int64_t k);

/* ---- captions ---- */

/* Read captions and find their persons. `path` is a CSV file with the columns
 * photo and caption, or photo and names (separated by ';', taken as they are);
 * JSON lines with the same keys; a folder with a .txt beside each picture; a
 * .txt file, or "-", with a caption in each line. Aliases apply to all. */
AKIN_API akin_status akin_captions_read(akin_captions **out, akin_ctx *ctx,
                                        const akin_tagger *tagger,
                                        const char *path);
AKIN_API void akin_captions_free(akin_captions *captions);
AKIN_API int64_t akin_captions_count(const akin_captions *captions);
AKIN_API const char *akin_captions_photo(const akin_captions *captions,
                                         int64_t i);
/* The caption, with a zero byte behind its `*n` bytes; n may be NULL. */
AKIN_API const char *
akin_captions_text(size_t *n, const akin_captions *captions, int64_t i);
AKIN_API const akin_persons *
akin_captions_persons(const akin_captions *captions, int64_t i);

#ifdef __cplusplus
}
#endif
#endif
