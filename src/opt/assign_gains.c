/* The largest totals of exactly 1, 2, ... names in a photo.
 *
 * Best augmenting paths over the names alone, from any face without one. With
 * costs of largest score less score and potentials as in opt/assign.c, those of
 * the faces without a name are equal, so the nearest of them to a name is the
 * one of least cost, whatever was found so far. The total is concave in the
 * number of names: path j gains V(j) - V(j - 1). */
#include "opt/assign.h"

#include <math.h>

typedef struct paths {
    const ak_assignment *a;
    const ak_assign_room *w;
    double most;  // the largest score
    double free;  // potential of the faces without a name
} paths;

static double score(const paths *p, int64_t f, int64_t q)
{
    return p->a->score[f * p->a->stride + q];
}

/* The face without a name whose score for name q is largest. */
static int32_t nearest_face(const paths *p, int64_t q)
{
    int64_t best = AK_NOBODY;
    for (int64_t f = 0; f < p->a->n; ++f)
        if (p->w->has[f] < 0 && score(p, f, q) > -INFINITY &&
            (best < 0 || score(p, f, q) > score(p, best, q)))
            best = f;
    return (int32_t)best;
}

static void begin(paths *p)
{
    const ak_assign_room *w = p->w;
    p->most = -INFINITY;
    for (int64_t f = 0; f < p->a->n; ++f) {
        w->u[f] = 0.0;
        w->has[f] = AK_NOBODY;
    }
    for (int64_t q = 0; q < p->a->r; ++q) {
        w->v[q] = 0.0;
        w->owner[q] = AK_NOBODY;
        w->near[q] = nearest_face(p, q);
        if (w->near[q] >= 0)
            p->most = fmax(p->most, score(p, w->near[q], q));
    }
}

/* Ways of one edge from the nearest face without a name. */
static void first_ways(const paths *p)
{
    const ak_assign_room *w = p->w;
    for (int64_t q = 0; q < p->a->r; ++q) {
        if (w->near[q] >= 0 && w->has[w->near[q]] >= 0)
            w->near[q] = nearest_face(p, q);
        w->seen[q] = false;
        w->from[q] = w->near[q];
        w->least[q] = w->near[q] < 0 ? INFINITY
                                     : p->most - score(p, w->near[q], q) -
                                           p->free - w->v[q];
    }
}

/* The nearest name nobody has; AK_NOBODY: no name can be given any more. */
static int64_t search(const paths *p)
{
    const ak_assign_room *w = p->w;
    for (;;) {
        int64_t next = AK_NOBODY;
        for (int64_t q = 0; q < p->a->r; ++q)
            if (!w->seen[q] && w->least[q] < INFINITY &&
                (next < 0 || w->least[q] < w->least[next]))
                next = q;
        if (next < 0 || w->owner[next] < 0)
            return next;
        const int32_t f = w->owner[next];
        const double base = w->least[next] + p->most - w->u[f];
        w->seen[next] = true;
        for (int64_t q = 0; q < p->a->r; ++q) {
            const double way = base - score(p, f, q) - w->v[q];
            if (!w->seen[q] && way < w->least[q]) {
                w->least[q] = way;
                w->from[q] = f;
            }
        }
    }
}

/* Potentials after a way to name q was found. */
static void settle(paths *p, double total)
{
    const ak_assign_room *w = p->w;
    p->free += total;
    for (int64_t q = 0; q < p->a->r; ++q)
        if (w->seen[q]) {
            w->u[w->owner[q]] += total - w->least[q];
            w->v[q] -= total - w->least[q];
        }
}

/* One more name along the best way; false when there is none. */
static bool lengthen(paths *p, double *gain)
{
    const ak_assign_room *w = p->w;
    first_ways(p);
    int64_t q = search(p);
    if (q < 0)
        return false;
    settle(p, w->least[q]);
    *gain = 0.0;
    while (q >= 0) {
        const int32_t f = w->from[q];
        const int64_t given_up = w->has[f];
        *gain += score(p, f, q);
        if (given_up >= 0)
            *gain -= score(p, f, given_up);
        else
            w->u[f] = p->free;
        w->owner[q] = f;
        w->has[f] = (int32_t)q;
        q = given_up;
    }
    return true;
}

int64_t ak_assign_gains(const ak_assignment *a, double *gains,
                        const ak_assign_room *room)
{
    const int64_t most = a->n < a->r ? a->n : a->r;
    paths p = {.a = a, .w = room};
    int64_t j = 0;
    begin(&p);
    for (; j < most && lengthen(&p, &gains[j]); ++j)
        if (j > 0)  // rounding must not make them rise
            gains[j] = fmin(gains[j], gains[j - 1]);
    return j;
}
