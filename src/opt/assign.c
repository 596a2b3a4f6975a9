/* The assignment of one photo.
 *
 * Shortest augmenting paths with potentials u, v (costs are minus scores):
 *
 *   u_f + v_q <= cost of (f, q),  u_f <= cost of no name,  v_q <= 0       (1)
 *
 * with equality for the label of each face, and v_q = 0 where nobody has q. An
 * assignment is optimal exactly when that holds for it, so ties are settled by
 * walks from face to face along edges that are tight. "No name" is a column of
 * each face's own: who has none keeps it while faces are added. */
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
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, count, &all));
    for (int64_t i = 0; i < count; ++i) {
        ak_assign_room *w = all + i;
        AK_TRY(AK_SCRATCH(ctx, n, &w->u));
        AK_TRY(AK_SCRATCH(ctx, r, &w->v));
        AK_TRY(AK_SCRATCH(ctx, r, &w->least));
        AK_TRY(AK_SCRATCH(ctx, r, &w->detour));
        AK_TRY(AK_SCRATCH(ctx, n, &w->has));
        AK_TRY(AK_SCRATCH(ctx, r, &w->owner));
        AK_TRY(AK_SCRATCH(ctx, r, &w->from));
        AK_TRY(AK_SCRATCH(ctx, r, &w->near));
        AK_TRY(AK_SCRATCH(ctx, n, &w->before));
        AK_TRY(AK_SCRATCH(ctx, n, &w->over));
        AK_TRY(AK_SCRATCH(ctx, n, &w->queue));
        AK_TRY(AK_SCRATCH(ctx, r, &w->seen));
        AK_TRY(AK_SCRATCH(ctx, n, &w->visited));
    }
    *out = all;
done:
    return st;
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

/* From face f, which lies `base` away, to all names; the nearest of those that
 * were not passed yet. */
static int64_t nearest(const solver *s, int64_t f, double base)
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
        q = nearest(s, f, base);
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
