/* The assignment of one photo.
 *
 * ak_assign: shortest augmenting paths with potentials u, v (costs are minus
 * scores). The n columns behind the names stand for "no name", one for each
 * face. At the optimum an assignment is optimal exactly when all its edges are
 * tight (cost = u + v) and every column with v < 0 is in use, so ties are
 * settled by walking along tight edges only.
 *
 * ak_assign_gains: best augmenting paths over the names alone; the total is
 * concave in the number of names, so path j gains V(j) - V(j - 1). */
#include "opt/assign.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double tolerance = 1e-12;

/* Faces are rows, names and "no name" of each face columns. Numbers that are
 * small integers live in the same doubles as the rest of the work. */
typedef struct solver {
    const ak_assignment *a;
    int64_t n, m;   // m = r + n columns
    double *u;      // n
    double *v;      // m
    double *least;  // m: shortest way to a column so far
    double *owner;  // m: face of a column, -1
    double *from;   // m: column before, on that way
    double *seen;   // m
} solver;

int64_t ak_assign_room(int64_t n, int64_t r)
{
    return n + 5 * (r + n + 1);
}

static solver make_solver(const ak_assignment *a, double *work)
{
    const int64_t n = a->n, m = a->r + n;
    solver s = {.a = a, .n = n, .m = m, .u = work};
    s.v = s.u + n;
    s.least = s.v + m + 1;
    s.owner = s.least + m + 1;
    s.from = s.owner + m + 1;
    s.seen = s.from + m + 1;
    memset(work, 0, (size_t)ak_assign_room(n, a->r) * sizeof *work);
    for (int64_t c = 0; c <= m; ++c)
        s.owner[c] = -1.0;
    return s;
}

static double cost(const solver *s, int64_t f, int64_t c)
{
    const int64_t r = s->a->r;
    if (c < r)
        return -s->a->score[f * s->a->stride + c];
    return c - r == f ? -s->a->none[f] : INFINITY;
}

static double slack(const solver *s, int64_t f, int64_t c)
{
    return cost(s, f, c) - s->u[f] - s->v[c];
}

/* One step of the search: from column c0 over its face; the next column. */
static int64_t advance(solver *s, int64_t c0)
{
    const int64_t f = (int64_t)s->owner[c0];
    int64_t next = -1;
    double delta = INFINITY;
    s->seen[c0] = 1.0;
    for (int64_t c = 0; c < s->m; ++c) {
        if (s->seen[c] != 0.0)
            continue;
        const double way = slack(s, f, c);
        if (way < s->least[c]) {
            s->least[c] = way;
            s->from[c] = (double)c0;
        }
        if (s->least[c] < delta) {
            delta = s->least[c];
            next = c;
        }
    }
    for (int64_t c = 0; c <= s->m; ++c)
        if (s->seen[c] != 0.0) {
            s->u[(int64_t)s->owner[c]] += delta;
            s->v[c] -= delta;
        } else if (c < s->m) {
            s->least[c] -= delta;
        }
    return next;
}

/* Give face f a column; column m is where the search starts. */
static void insert(solver *s, int64_t f)
{
    int64_t c = s->m;
    for (int64_t k = 0; k <= s->m; ++k) {
        s->seen[k] = 0.0;
        s->least[k] = INFINITY;
    }
    s->v[s->m] = 0.0;
    s->owner[s->m] = (double)f;
    do
        c = advance(s, c);
    while (s->owner[c] >= 0.0);
    while (c != s->m) {
        const int64_t before = (int64_t)s->from[c];
        s->owner[c] = s->owner[before];
        c = before;
    }
}

/* ---- ties --------------------------------------------------------------- */

/* Can the face of column c go elsewhere, to `home` or to a free column, over
 * tight edges and faces after `fixed`? Those on the way move. A free column
 * leaves `home` empty, which is optimal only where v is 0. */
static bool move_away(solver *s, int64_t c, int64_t home, int64_t fixed,
                      double tol)
{
    const int64_t f = (int64_t)s->owner[c];
    if (f <= fixed)
        return false;
    for (int64_t to = 0; to < s->m; ++to) {
        if (s->seen[to] != 0.0 || slack(s, f, to) > tol)
            continue;
        s->seen[to] = 1.0;
        const bool open = to == home ||
                          (s->owner[to] < 0.0 && s->v[home] >= -tol);
        if (open ||
            (s->owner[to] >= 0.0 && move_away(s, to, home, fixed, tol))) {
            s->owner[to] = (double)f;
            return true;
        }
    }
    return false;
}

/* The first column that face f can have without loss, those before it fixed. */
static int64_t first_column(solver *s, int64_t f, int64_t home, double tol)
{
    for (int64_t c = 0; c < home; ++c) {
        if (slack(s, f, c) > tol)
            continue;
        memset(s->seen, 0, (size_t)s->m * sizeof *s->seen);
        s->seen[c] = 1.0;
        const bool is_free = s->owner[c] < 0.0;
        if (is_free ? s->v[home] < -tol : !move_away(s, c, home, f, tol))
            continue;
        if ((int64_t)s->owner[home] == f)
            s->owner[home] = -1.0;
        s->owner[c] = (double)f;
        return c;
    }
    return home;
}

static int64_t column_of(const solver *s, int64_t f)
{
    int64_t c = 0;
    while (c < s->m && (int64_t)s->owner[c] != f)
        ++c;
    return c;
}

double ak_assign(const ak_assignment *a, int32_t *labels, double *work)
{
    solver s = make_solver(a, work);
    double total = 0.0, largest = 1.0;
    for (int64_t f = 0; f < s.n; ++f)
        insert(&s, f);
    s.owner[s.m] = -1.0;
    for (int64_t f = 0; f < s.n; ++f) {
        total -= cost(&s, f, column_of(&s, f));
        largest = fmax(largest, fabs(a->none[f]));
    }
    const double tol = tolerance * fmax(largest, fabs(total));
    for (int64_t f = 0; f < s.n; ++f) {
        const int64_t c = first_column(&s, f, column_of(&s, f), tol);
        labels[f] = c < a->r ? (int32_t)c : -1;
    }
    return total;
}

/* ---- exactly j names ---------------------------------------------------- */

typedef struct paths {
    const ak_assignment *a;
    double *gain;   // r: best way to a name that is free or taken
    double *owner;  // r: its face, -1
    double *start;  // r: the face that would take it on that way
    double *used;   // n: does a face have a name?
} paths;

static double score(const paths *p, int64_t f, int64_t q)
{
    return p->a->score[f * p->a->stride + q];
}

/* Ways of one edge from every free face. */
static void begin_ways(const paths *p)
{
    for (int64_t q = 0; q < p->a->r; ++q) {
        p->gain[q] = -INFINITY;
        p->start[q] = -1.0;
        for (int64_t f = 0; f < p->a->n; ++f)
            if (p->used[f] == 0.0 && score(p, f, q) > p->gain[q]) {
                p->gain[q] = score(p, f, q);
                p->start[q] = (double)f;
            }
    }
}

/* Longer ways: the face of q gives it up and takes q2. There is no circle of
 * positive gain at an optimum; the margin keeps rounding from making one. */
static void lengthen_ways(const paths *p)
{
    const int64_t r = p->a->r;
    bool changed = true;
    for (int64_t round = 0; changed && round < r; ++round) {
        changed = false;
        for (int64_t q = 0; q < r; ++q) {
            const int64_t f = (int64_t)p->owner[q];
            if (f < 0 || !isfinite(p->gain[q]))
                continue;
            const double base = p->gain[q] - score(p, f, q);
            for (int64_t q2 = 0; q2 < r; ++q2)
                if (q2 != q &&
                    base + score(p, f, q2) >
                        p->gain[q2] + tolerance * (1.0 + fabs(base))) {
                    p->gain[q2] = base + score(p, f, q2);
                    p->start[q2] = (double)f;
                    changed = true;
                }
        }
    }
}

/* The name face f has, -1 without one. */
static int64_t name_of(const paths *p, int64_t f)
{
    for (int64_t q = 0; q < p->a->r; ++q)
        if ((int64_t)p->owner[q] == f)
            return q;
    return -1;
}

/* One more name along the best way; false when there is none. */
static bool lengthen(const paths *p, double *gain)
{
    int64_t q = -1;
    begin_ways(p);
    lengthen_ways(p);
    for (int64_t k = 0; k < p->a->r; ++k)
        if (p->owner[k] < 0.0 && p->start[k] >= 0.0 &&
            (q < 0 || p->gain[k] > p->gain[q]))
            q = k;
    if (q < 0)
        return false;
    *gain = p->gain[q];
    while (q >= 0) {
        const int64_t f = (int64_t)p->start[q];
        const int64_t before = name_of(p, f);
        p->owner[q] = (double)f;
        p->used[f] = 1.0;
        q = before;
    }
    return true;
}

int64_t ak_assign_gains(const ak_assignment *a, double *gains, double *work)
{
    const int64_t most = a->n < a->r ? a->n : a->r;
    const paths p = {a, work, work + a->r, work + 2 * a->r, work + 3 * a->r};
    int64_t j = 0;
    for (int64_t q = 0; q < a->r; ++q)
        p.owner[q] = -1.0;
    for (int64_t f = 0; f < a->n; ++f)
        p.used[f] = 0.0;
    for (; j < most && lengthen(&p, &gains[j]); ++j)
        if (j > 0)  // rounding must not make them rise
            gains[j] = fmin(gains[j], gains[j - 1]);
    return j;
}
