/* opt/assign.h - assigns the faces of one photo to names, each name at most
 * once. A face may stay without a name, at a score of its own. */
#ifndef AK_OPT_ASSIGN_H
#define AK_OPT_ASSIGN_H

#include "base/ctx.h"

/* Instead of a name, or of the face that has a name. */
enum { AK_NOBODY = -1 };

/* n faces, r names. score[f * stride + q] is what face f gains by name q,
 * -INFINITY where it may not have it; none[f], finite, what it gains by no
 * name. */
typedef struct ak_assignment {
    int64_t n, r, stride;
    const double *score;
    const double *none;
} ak_assignment;

/* Memory of the functions below; one for each thread. */
typedef struct ak_assign_room {
    double *u;       // n: potentials of faces
    double *v;       // r: of names
    double *least;   // r: the shortest way to a name so far
    double *detour;  // r: the shortest way over a name or face given up
    int32_t *has;    // n: the name of a face
    int32_t *owner;  // r: the face of a name
    int32_t *from;   // r: the face before a name, on the way to it
    int32_t *near;   // r: the free face that is nearest to a name
    int32_t *before, *over, *queue;  // n: of a walk from face to face
    bool *seen;                      // r: names
    bool *visited;                   // n: faces
} ak_assign_room;

/* `count` of them for at most n faces and r names; scratch memory. */
akin_status ak_assign_rooms(ak_assign_room **out, akin_ctx *ctx, int64_t count,
                            int64_t n, int64_t r);

/* The assignment of largest total: labels[f] in 0..r-1, or AK_NOBODY. Of those
 * within 1e-12 of it (relative) the one whose labels come first, face by face,
 * names rising and no name last. Returns the total. O(n r min(n, r)). */
double ak_assign(const ak_assignment *a, int32_t *labels,
                 const ak_assign_room *room);

/* After ak_assign, in the same room: how much less the largest total is of the
 * assignments in which face f has another label; INFINITY where there is none.
 * O(n r min(n, r)) for all faces. */
void ak_assign_margins(const ak_assignment *a, double *margins,
                       const ak_assign_room *room);

/* With V(j) the largest total of exactly j names, `none` left out, gains[j - 1]
 * = V(j) - V(j - 1); they fall. Room for min(n, r); returns how many there
 * are, fewer when scores of -INFINITY forbid more. O(n r min(n, r)). */
int64_t ak_assign_gains(const ak_assignment *a, double *gains,
                        const ak_assign_room *room);

#endif
