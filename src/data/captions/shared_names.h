/* data/captions/shared_names.h - which faces can be the same person: those
 * whose captions share a name. */
#ifndef AK_DATA_CAPTIONS_SHARED_NAMES_H
#define AK_DATA_CAPTIONS_SHARED_NAMES_H

#include "data/supervision/supervision.h"

/* In place of a label: nobody has confirmed a name. */
enum { AK_UNDECIDED = -1 };

/* What the user has confirmed. fixed[f] is the name of face f, n_names for
 * "none of these names", or AK_UNDECIDED. refused: pairs (face, name),
 * sorted. */
typedef struct ak_confirmed {
    const int32_t *fixed;    // n, or NULL
    const int32_t *refused;  // 2 n_refused
    int64_t n_refused;
} ak_confirmed;

bool ak_confirmed_refuses(const ak_confirmed *c, int64_t face, int32_t name);

/* The peers of a face are the faces whose captions share a name with its own.
 * Faces with the same set of names form a group and have the same peers, the
 * group included. A face without a photo or with an empty caption has neither.
 * An array with a value for each face and peer begins at start[j] for face j,
 * in the order of its peers. */
typedef struct ak_shared_names {
    int64_t n;  // faces: rows
    int64_t n_names;
    const ak_bags *bags;
    int32_t *photo;  // n: of each face, -1
    int64_t n_groups;
    int32_t *group;           // n: -1: none
    int64_t *face_offsets;    // n_groups + 1, into
    int32_t *faces;           // the faces of each group, increasing
    int64_t *member_offsets;  // n_groups + 1, into
    int32_t *members;         // the peers of each group, increasing
    int64_t *start;           // n + 1
    ak_confirmed said;        // where bags are of ak_bags_confirmed
} ak_shared_names;

/* Uses scratch memory of the context and borrows the bags. */
akin_status ak_shared_names_find(ak_shared_names *out, akin_ctx *ctx,
                                 const ak_bags *bags, int64_t n);

/* The captions without the names that the confirmed ones exclude. A confirmed
 * face becomes a photo of its own with its name or none, and the other faces
 * of its photo lose that name. A name that all faces of a photo refuse is
 * dropped. Uses scratch memory and borrows the texts. */
akin_status ak_bags_confirmed(ak_bags *out, akin_ctx *ctx, const ak_bags *bags,
                              const ak_confirmed *c);

/* The peers of face j; returns their number. */
static inline int64_t ak_shared_names_get(const ak_shared_names *p, int64_t j,
                                          const int32_t **members)
{
    const int32_t g = p->group[j];
    *members = p->members;
    if (g < 0)
        return 0;
    *members = p->members + p->member_offsets[g];
    return p->member_offsets[g + 1] - p->member_offsets[g];
}

/* The names of a photo; returns their number. */
static inline int64_t ak_bags_names(const ak_bags *b, int64_t photo,
                                    const int32_t **names)
{
    *names = b->names + b->name_offsets[photo];
    return b->name_offsets[photo + 1] - b->name_offsets[photo];
}

/* The faces of a photo; returns their number. */
static inline int64_t ak_bags_faces(const ak_bags *b, int64_t photo,
                                    const int64_t **faces)
{
    *faces = b->items + b->item_offsets[photo];
    return b->item_offsets[photo + 1] - b->item_offsets[photo];
}

/* Does the caption of face j have this name, and was it not refused? */
bool ak_shared_names_has(const ak_shared_names *p, int64_t j, int64_t name);

/* The position of i among the sorted peers; i is one of them. */
int64_t ak_shared_names_at(const int32_t *members, int64_t n, int64_t i);

#endif
