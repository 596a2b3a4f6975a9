/* opt/assign.h - faces to names, each name at most once: the assignment of one
 * photo. A face may also stay without a name, at a score of its own. */
#ifndef AK_OPT_ASSIGN_H
#define AK_OPT_ASSIGN_H

#include <stdint.h>

/* n faces, r names. score[f * stride + q] is what face f gains by name q,
 * -INFINITY where it may not have it; none[f], finite, what it gains by no
 * name. */
typedef struct ak_assignment {
    int64_t n, r, stride;
    const double *score;
    const double *none;
} ak_assignment;

/* Doubles of memory that the functions below work in. */
int64_t ak_assign_room(int64_t n, int64_t r);

/* The assignment of largest total: labels[f] in 0..r-1, or -1. Of those within
 * 1e-12 of it (relative) the one whose labels come first, face by face, names
 * rising and no name last. Returns the total. `work` has ak_assign_room()
 * doubles. O(n^2 (n + r)). */
double ak_assign(const ak_assignment *a, int32_t *labels, double *work);

/* With V(j) the largest total of exactly j names, `none` left out, gains[j - 1]
 * = V(j) - V(j - 1); they fall. Room for min(n, r); returns how many there
 * are, fewer when scores of -INFINITY forbid more. */
int64_t ak_assign_gains(const ak_assignment *a, double *gains, double *work);

#endif
