/* What another label for a face would cost, from the potentials of the best
 * assignment; (1) is that of opt/assign.c.
 *
 * Every other assignment differs from the best one by circles, and the cheapest
 * circle through the label of face f is a shortest way from f back to it, where
 * a face goes on to a name at the slack of (1) and a name to its face at no
 * cost. Where it ends at a name that nobody has, or with a face that goes
 * without, some name is given up in exchange, at -v, or a face without a name
 * takes one. `detour` has the cheaper of the two for each name. */
#include "opt/assign.h"

#include <math.h>

typedef struct search {
    const ak_assignment *a;
    const ak_assign_room *w;
    double exchange;  // the shortest way to a name free or a face without
    bool exchanged;   // is it passed?
} search;

static double slack(const search *s, int64_t f, int64_t q)
{
    const double x = -s->a->score[f * s->a->stride + q] - s->w->u[f] -
                     s->w->v[q];
    return x > 0.0 ? x : 0.0;  // rounding may be below
}

/* What the way goes on with, of any face, from the exchange. */
static void find_detours(const search *s)
{
    const ak_assign_room *w = s->w;
    for (int64_t q = 0; q < s->a->r; ++q)
        w->detour[q] = w->owner[q] < 0 ? INFINITY : fmax(0.0, -w->v[q]);
    for (int64_t f = 0; f < s->a->n; ++f)
        for (int64_t q = 0; w->has[f] < 0 && q < s->a->r; ++q)
            w->detour[q] = fmin(w->detour[q], slack(s, f, q));
}

/* From face f, which lies `base` away, to its other labels. A face that had no
 * name at first must take one. */
static void leave_face(search *s, int64_t f, double base)
{
    const ak_assign_room *w = s->w;
    if (w->has[f] >= 0)
        s->exchange =
            fmin(s->exchange, base + fmax(0.0, -s->a->none[f] - w->u[f]));
    for (int64_t q = 0; q < s->a->r; ++q)
        if (q != w->has[f])
            w->least[q] = fmin(w->least[q], base + slack(s, f, q));
}

static void leave_exchange(search *s)
{
    s->exchanged = true;
    for (int64_t q = 0; q < s->a->r; ++q)
        s->w->least[q] = fmin(s->w->least[q], s->exchange + s->w->detour[q]);
}

/* The nearest name that was not passed. */
static int64_t nearest(const search *s)
{
    int64_t next = AK_NOBODY;
    double low = INFINITY;
    for (int64_t q = 0; q < s->a->r; ++q)
        if (!s->w->seen[q] && s->w->least[q] < low) {
            low = s->w->least[q];
            next = q;
        }
    return next;
}

static double margin_of(search *s, int64_t f)
{
    const ak_assign_room *w = s->w;
    const int64_t home = w->has[f];
    s->exchange = INFINITY;
    s->exchanged = false;
    for (int64_t q = 0; q < s->a->r; ++q) {
        w->seen[q] = false;
        w->least[q] = INFINITY;
    }
    leave_face(s, f, 0.0);
    for (;;) {
        const int64_t q = nearest(s);
        const double low = q < 0 ? INFINITY : w->least[q];
        if (!s->exchanged && s->exchange <= low) {
            if (home < 0 || isinf(s->exchange))
                return s->exchange;
            leave_exchange(s);
            continue;
        }
        if (q < 0 || q == home)
            return low;
        w->seen[q] = true;
        if (w->owner[q] < 0)
            s->exchange = fmin(s->exchange, low);
        else
            leave_face(s, w->owner[q], low);
    }
}

void ak_assign_margins(const ak_assignment *a, double *margins,
                       const ak_assign_room *room)
{
    search s = {.a = a, .w = room};
    find_detours(&s);
    for (int64_t f = 0; f < a->n; ++f)
        margins[f] = margin_of(&s, f);
}
