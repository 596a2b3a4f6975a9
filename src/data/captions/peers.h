/* data/captions/peers.h - which faces can be the same person: those whose
 * captions share a name. */
#ifndef AK_DATA_CAPTIONS_PEERS_H
#define AK_DATA_CAPTIONS_PEERS_H

#include "data/supervision/supervision.h"

/* In place of a label: no person has said who it is. */
enum { AK_UNDECIDED = -1 };

/* What a person has said. fixed[f]: the name of face f, n_names for none of
 * them, or AK_UNDECIDED. refused: pairs (face, name), sorted. */
typedef struct ak_confirmed {
    const int32_t *fixed;    // n, or NULL
    const int32_t *refused;  // 2 n_refused
    int64_t n_refused;
} ak_confirmed;

bool ak_confirmed_refuses(const ak_confirmed *c, int64_t face, int32_t name);

/* Faces with the same set of names form a group and have the same peers, among
 * them the faces of the group. A face with no photo or an empty caption has no
 * group and no peers. Values for every face and peer lie in one array: those
 * of face j from start[j] on, in the order of its peers. */
typedef struct ak_peers {
    int64_t n;  // faces: rows
    int64_t n_names;
    const ak_bags *bags;
    int32_t *photo;  // n: of each face, -1
    int64_t n_groups;
    int32_t *group;           // n: -1: none
    int64_t *face_offsets;    // n_groups + 1, into
    int32_t *faces;           // the faces of each group, rising
    int64_t *member_offsets;  // n_groups + 1, into
    int32_t *members;         // the peers of each group, rising
    int64_t *start;           // n + 1
    ak_confirmed said;        // where bags are of ak_bags_confirmed
} ak_peers;

/* Scratch memory of the context; the bags are borrowed. */
akin_status ak_peers_of(ak_peers *out, akin_ctx *ctx, const ak_bags *bags,
                        int64_t n);

/* Captions as narrow as what was said allows, of the same names: a face that
 * was told is a photo of its own, with its name or none, which the others of
 * its photo cannot have; a name that all of them refuse is left out. Scratch
 * memory; texts are borrowed. */
akin_status ak_bags_confirmed(ak_bags *out, akin_ctx *ctx, const ak_bags *bags,
                              const ak_confirmed *c);

/* The peers of face j; how many. */
static inline int64_t ak_peers_get(const ak_peers *p, int64_t j,
                                   const int32_t **members)
{
    const int32_t g = p->group[j];
    *members = p->members;
    if (g < 0)
        return 0;
    *members = p->members + p->member_offsets[g];
    return p->member_offsets[g + 1] - p->member_offsets[g];
}

/* The names of a photo; how many. */
static inline int64_t ak_bags_names(const ak_bags *b, int64_t photo,
                                    const int32_t **names)
{
    *names = b->names + b->name_offsets[photo];
    return b->name_offsets[photo + 1] - b->name_offsets[photo];
}

/* The faces of a photo; how many. */
static inline int64_t ak_bags_faces(const ak_bags *b, int64_t photo,
                                    const int64_t **faces)
{
    *faces = b->items + b->item_offsets[photo];
    return b->item_offsets[photo + 1] - b->item_offsets[photo];
}

/* Has the caption of face j this name, and was it not said to be another? */
bool ak_peers_has(const ak_peers *p, int64_t j, int64_t name);

/* Where i stands among the sorted peers, which it is one of. */
int64_t ak_peers_at(const int32_t *members, int64_t n, int64_t i);

#endif
