/* The assignment of one photo.
 *
 * Shortest augmenting paths with potentials u, v (costs are minus scores):
 *
 *   u_f + v_q <= cost of (f, q),  u_f <= cost of no name,  v_q <= 0       (1)
 *
 * with equality for the label of each face, and v_q = 0 where nobody has q. An
 * assignment is optimal exactly when that holds for it, so ties are settled by
 * walks from face to face along edges that are tight. Each face has a column of
 * its own for "no name". */
#include "opt/assign.h"

#include <math.h>
#include <string.h>

static const double tolerance = 1e-12;

typedef struct solver {
    const ak_assignment *a;
    ak_assign_room w;
} solver;

akin_status ak_assign_rooms(ak_assign_room **out, akin_ctx *ctx, int64_t count,
                            int64_t n, int64_t r)
{
    ak_assign_room *all;
    AK_CHECK(AK_SCRATCH(ctx, count, &all));
    for (int64_t i = 0; i < count; ++i) {
        ak_assign_room *w = all + i;
        AK_CHECK(AK_SCRATCH(ctx, n, &w->u));
        AK_CHECK(AK_SCRATCH_EACH(ctx, r, &w->v, &w->least, &w->detour));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->has));
        AK_CHECK(AK_SCRATCH(ctx, r, &w->owner));
        AK_CHECK(AK_SCRATCH(ctx, r, &w->from));
        AK_CHECK(AK_SCRATCH(ctx, r, &w->near));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->before));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->over));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->queue));
        AK_CHECK(AK_SCRATCH(ctx, r, &w->seen));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->visited));
    }
    *out = all;
    return AKIN_OK;
}

/* By how much (1) is an inequality, for a name and for none. */
static double slack(const solver *s, int64_t f, int64_t q)
{
    return -s->a->score[f * s->a->stride + q] - s->w.u[f] - s->w.v[q];
}

static double slack_none(const solver *s, int64_t f)
{
    return -s->a->none[f] - s->w.u[f];
}

/* ---- one face more ------------------------------------------------------ */

/* From face f, which lies `base` away, to all names; the nearest of those
 * that were not passed yet. */
static int64_t nearest_name(const solver *s, int64_t f, double base)
{
    const ak_assign_room *w = &s->w;
    const double *score = s->a->score + f * s->a->stride;
    int64_t next = AK_NOBODY;
    double low = INFINITY;
    base -= w->u[f];
    for (int64_t q = 0; q < s->a->r; ++q) {
        if (w->seen[q])
            continue;
        const double way = base - score[q] - w->v[q];
        if (way < w->least[q]) {
            w->least[q] = way;
            w->from[q] = (int32_t)f;
        }
        if (w->least[q] < low) {
            low = w->least[q];
            next = q;
        }
    }
    return next;
}

/* The faces on the way to name q take the name after theirs. */
static void shift(const solver *s, int64_t first, int64_t q)
{
    const ak_assign_room *w = &s->w;
    for (int64_t f = AK_NOBODY; f != first;) {
        f = w->from[q];
        const int64_t given_up = w->has[f];
        w->owner[q] = (int32_t)f;
        w->has[f] = (int32_t)q;
        q = given_up;
    }
}

/* Keep (1) after a search from face `first` that ended `total` away. */
static void settle(const solver *s, int64_t first, double total)
{
    const ak_assign_room *w = &s->w;
    w->u[first] += total;
    for (int64_t q = 0; q < s->a->r; ++q)
        if (w->seen[q]) {
            w->u[w->owner[q]] += total - w->least[q];
            w->v[q] -= total - w->least[q];
        }
}

/* Give face `first` a name or none. */
static void insert(const solver *s, int64_t first)
{
    const ak_assign_room *w = &s->w;
    int64_t f = first, q, unnamed = first;
    double base = 0.0, end = INFINITY;
    for (int64_t k = 0; k < s->a->r; ++k) {
        w->seen[k] = false;
        w->least[k] = INFINITY;
    }
    for (;;) {
        if (base + slack_none(s, f) < end) {
            end = base + slack_none(s, f);
            unnamed = f;
        }
        q = nearest_name(s, f, base);
        if (q < 0 || end < w->least[q] || w->owner[q] < 0)
            break;
        base = w->least[q];
        w->seen[q] = true;
        f = w->owner[q];
    }
    if (q >= 0 && !(end < w->least[q])) {
        settle(s, first, w->least[q]);
        shift(s, first, q);
        return;
    }
    settle(s, first, end);
    q = w->has[unnamed];
    w->has[unnamed] = AK_NOBODY;
    if (unnamed != first)
        shift(s, first, q);
}

/* ---- ties --------------------------------------------------------------- */

/* A walk on which faces change their labels: each takes name over[g] from g,
 * the face after it, or leaves it free so that g can give its own up. */
typedef struct walk {
    int64_t home;   // what the first face gave up
    int64_t fixed;  // faces up to this one stay
    int64_t n;      // faces in the queue
    double tol;
    bool spare;  // are all faces in it that may go without loss?
} walk;

/* Is nothing lost when nobody has the name (or "no name") q? */
static bool is_idle(const solver *s, int64_t q, double tol)
{
    return q < 0 || s->w.v[q] >= -tol;
}

static void enqueue(const solver *s, walk *k, int64_t g, int64_t f, int64_t q)
{
    if (g <= k->fixed || s->w.visited[g])
        return;
    s->w.visited[g] = true;
    s->w.before[g] = (int32_t)f;
    s->w.over[g] = (int32_t)q;
    s->w.queue[k->n++] = (int32_t)g;
}

/* Face f takes label q (none: of its own); true when that ends the walk. */
static bool take(const solver *s, walk *k, int64_t f, int64_t q)
{
    if (q >= 0 && q == k->home)
        return true;
    if (q >= 0 && s->w.owner[q] >= 0) {
        enqueue(s, k, s->w.owner[q], f, q);
        return false;
    }
    if (is_idle(s, k->home, k->tol))
        return true;
    for (int64_t g = 0; !k->spare && g < s->a->n; ++g)
        if (is_idle(s, s->w.has[g], k->tol))
            enqueue(s, k, g, f, q);
    k->spare = true;
    return false;
}

/* All faces of the walk that ends with face f on label q. */
static void change(const solver *s, int64_t first, int64_t f, int64_t q)
{
    const ak_assign_room *w = &s->w;
    for (int64_t g = f;; g = w->before[g]) {
        if (w->has[g] >= 0)
            w->owner[w->has[g]] = AK_NOBODY;
        if (g == first)
            break;
    }
    for (int64_t g = f;; g = w->before[g]) {
        w->has[g] = (int32_t)q;
        if (q >= 0)
            w->owner[q] = (int32_t)g;
        if (g == first)
            break;
        q = w->over[g];
    }
}

/* Can face f have label q without loss, those before it fixed? It then has. */
static bool move(const solver *s, int64_t f, int64_t q, double tol)
{
    walk k = {s->w.has[f], f, 0, tol, false};
    memset(s->w.visited, 0, (size_t)s->a->n * sizeof *s->w.visited);
    if (take(s, &k, f, q)) {
        change(s, f, f, q);
        return true;
    }
    for (int64_t at = 0; at < k.n; ++at) {
        const int64_t g = s->w.queue[at];
        for (int64_t to = AK_NOBODY; to < s->a->r; ++to) {
            if (to == s->w.has[g] || to == q ||
                (to < 0 ? slack_none(s, g) : slack(s, g, to)) > tol)
                continue;
            if (take(s, &k, g, to)) {
                change(s, f, g, to);
                return true;
            }
        }
    }
    return false;
}

static void first_of_ties(const solver *s, int64_t f, double tol)
{
    const int64_t home = s->w.has[f], end = home < 0 ? s->a->r : home;
    for (int64_t q = 0; q < end; ++q)
        if (slack(s, f, q) <= tol && move(s, f, q, tol))
            return;
}

double ak_assign(const ak_assignment *a, int32_t *labels,
                 const ak_assign_room *room)
{
    const solver s = {a, *room};
    double total = 0.0, largest = 1.0;
    for (int64_t q = 0; q < a->r; ++q) {
        s.w.v[q] = 0.0;
        s.w.owner[q] = AK_NOBODY;
    }
    for (int64_t f = 0; f < a->n; ++f) {
        s.w.u[f] = 0.0;
        s.w.has[f] = AK_NOBODY;
        insert(&s, f);
    }
    for (int64_t f = 0; f < a->n; ++f) {
        const int64_t q = s.w.has[f];
        total += q < 0 ? a->none[f] : a->score[f * a->stride + q];
        largest = fmax(largest, fabs(a->none[f]));
    }
    const double tol = tolerance * fmax(largest, fabs(total));
    for (int64_t f = 0; f < a->n; ++f) {
        first_of_ties(&s, f, tol);
        labels[f] = s.w.has[f];
    }
    return total;
}

/* ---- margins ---------------------------------------------------------------
 *
 * What another label for a face would cost, from the potentials of the best
 * assignment. Every other assignment differs from the best one by circles, and
 * the cheapest circle through the label of face f is a shortest way from f back
 * to it, where a face goes on to a name at the slack of (1) and a name to its
 * face at no cost. Where it ends at a name that nobody has, or with a face that
 * goes without, some name is given up in exchange, at -v, or a face without a
 * name takes one. `detour` has the cheaper of the two for each name. */

typedef struct margin_search {
    const ak_assignment *a;
    const ak_assign_room *w;
    double exchange;  // the shortest way to a name free or a face without
    bool exchanged;   // is it passed?
} margin_search;

static double positive_slack(const margin_search *s, int64_t f, int64_t q)
{
    const double x = -s->a->score[f * s->a->stride + q] - s->w->u[f] -
                     s->w->v[q];
    return x > 0.0 ? x : 0.0;  // rounding may be below
}

/* What the way goes on with, of any face, from the exchange. */
static void find_detours(const margin_search *s)
{
    const ak_assign_room *w = s->w;
    for (int64_t q = 0; q < s->a->r; ++q)
        w->detour[q] = w->owner[q] < 0 ? INFINITY : fmax(0.0, -w->v[q]);
    for (int64_t f = 0; f < s->a->n; ++f)
        for (int64_t q = 0; w->has[f] < 0 && q < s->a->r; ++q)
            w->detour[q] = fmin(w->detour[q], positive_slack(s, f, q));
}

/* From face f, which lies `base` away, to its other labels. A face that had no
 * name at first must take one. */
static void leave_face(margin_search *s, int64_t f, double base)
{
    const ak_assign_room *w = s->w;
    if (w->has[f] >= 0)
        s->exchange =
            fmin(s->exchange, base + fmax(0.0, -s->a->none[f] - w->u[f]));
    for (int64_t q = 0; q < s->a->r; ++q)
        if (q != w->has[f])
            w->least[q] = fmin(w->least[q], base + positive_slack(s, f, q));
}

static void leave_exchange(margin_search *s)
{
    s->exchanged = true;
    for (int64_t q = 0; q < s->a->r; ++q)
        s->w->least[q] = fmin(s->w->least[q], s->exchange + s->w->detour[q]);
}

/* The nearest name that was not passed. */
static int64_t nearest_unseen(const margin_search *s)
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

static double margin_of(margin_search *s, int64_t f)
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
        const int64_t q = nearest_unseen(s);
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
    margin_search s = {.a = a, .w = room};
    find_detours(&s);
    for (int64_t f = 0; f < a->n; ++f)
        margins[f] = margin_of(&s, f);
}

/* ---- gains -----------------------------------------------------------------
 *
 * The largest totals of exactly 1, 2, ... names in a photo: best augmenting
 * paths over the names alone, from any face without one. With costs of largest
 * score less score and potentials as above, those of the faces without a name
 * are equal, so the nearest of them to a name is the one of least cost,
 * whatever was found so far. The total is concave in the number of names: path
 * j gains V(j) - V(j - 1). */

typedef struct paths {
    const ak_assignment *a;
    const ak_assign_room *w;
    double most;  // the largest score
    double free;  // potential of the faces without a name
} paths;

static double score_of(const paths *p, int64_t f, int64_t q)
{
    return p->a->score[f * p->a->stride + q];
}

/* The face without a name whose score for name q is largest. */
static int32_t nearest_face(const paths *p, int64_t q)
{
    int64_t best = AK_NOBODY;
    for (int64_t f = 0; f < p->a->n; ++f)
        if (p->w->has[f] < 0 && score_of(p, f, q) > -INFINITY &&
            (best < 0 || score_of(p, f, q) > score_of(p, best, q)))
            best = f;
    return (int32_t)best;
}

static void begin_gains(paths *p)
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
            p->most = fmax(p->most, score_of(p, w->near[q], q));
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
                                     : p->most - score_of(p, w->near[q], q) -
                                           p->free - w->v[q];
    }
}

/* The nearest name nobody has; AK_NOBODY: no name can be given any more. */
static int64_t nearest_free_name(const paths *p)
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
            const double way = base - score_of(p, f, q) - w->v[q];
            if (!w->seen[q] && way < w->least[q]) {
                w->least[q] = way;
                w->from[q] = f;
            }
        }
    }
}

/* Potentials after a way to name q was found. */
static void settle_gains(paths *p, double total)
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
    int64_t q = nearest_free_name(p);
    if (q < 0)
        return false;
    settle_gains(p, w->least[q]);
    *gain = 0.0;
    while (q >= 0) {
        const int32_t f = w->from[q];
        const int64_t given_up = w->has[f];
        *gain += score_of(p, f, q);
        if (given_up >= 0)
            *gain -= score_of(p, f, given_up);
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
    begin_gains(&p);
    for (; j < most && lengthen(&p, &gains[j]); ++j)
        if (j > 0)  // rounding must not make them rise
            gains[j] = fmin(gains[j], gains[j - 1]);
    return j;
}
