/* The places of persons in a caption against those of faces in the photo.
 *
 * "Third from left" of n persons in a list is a rank k. Where as many faces
 * were found, it is the k-th face. Of fewer faces, m, each n - m of the persons
 * may be the missing ones; of more, each m - n faces may be strangers:
 *   P(face i) ~ C(k-1, i) C(n-k, m-1-i)      m < n, i from 0     (1)
 *   P(face i) ~ C(i, k-1) C(m-1-i, n-k)      m >= n              (2)
 * "Left" alone is less exact; t = (i + 1/2) / m is how far right the face is:
 *   P(face i) ~ (1 - t)^3                                        (3)
 *   P(face i) ~ (4 t (1 - t))^4              "center"            (4)
 * Faces are counted in their row where the caption has rows and the faces are
 * apart enough. Captions and detectors are wrong at times: some of P goes to
 * neighbours, to all faces, and to other rows. */
#include "collection/faces/places.h"

#include <math.h>
#include <stdlib.h>

#include "base/ctx.h"

static const double side_power = 3.0, far_power = 6.0, center_power = 4.0;
static const double neighbours = 0.05;  // of P, to each
static const double anywhere = 0.05;    // to all faces of the row
static const double other_rows = 0.1;   // to faces of other rows
static const double row_gap = 0.5;      // between rows, of a face's height
static const double depth_gap = 0.223;  // log 1.25, between sizes

enum { NO_ROW = 0, LOWEST = 1, MIDDLE = 50, HIGHEST = 100, MOST_ROWS = 8 };

typedef struct sorted_face {
    double at;
    int64_t face;
} sorted_face;

typedef struct places_work {
    const akin_position *positions;
    const ak_placed_face *faces;
    int64_t n, m;
    int64_t levels[MOST_ROWS];  // that the caption has, the lowest first
    int64_t n_levels;
    sorted_face *sorted;  // m: scratch
    int64_t *order;       // m: faces from left to right
    int64_t *row;         // m: of each face, from the lowest; all 0: no rows
    int64_t n_rows;       // of faces: n_levels, or 1
    double *p, *copy;     // m
    int64_t *members;     // m: faces of one row from left to right
} places_work;

/* ---- rows ---- */

/* How high the row is in the picture; rows are counted from the front. */
static int64_t level_of(const akin_position *p)
{
    if (p->numbered > 0)
        return p->numbered < MIDDLE ? p->numbered : MIDDLE - 1;
    switch (p->row) {
    case AKIN_ROW_NONE:
        return NO_ROW;
    case AKIN_ROW_MIDDLE:
        return MIDDLE;
    case AKIN_ROW_BACK:
    case AKIN_ROW_REAR:
    case AKIN_ROW_TOP:
    case AKIN_ROW_BACKGROUND:
    case AKIN_ROW_STANDING:
        return HIGHEST;
    case AKIN_ROW_SEATED:
    case AKIN_ROW_SITTING:
        return LOWEST + 1;  // behind those who kneel
    default:
        return LOWEST;
    }
}

static void add_level(places_work *w, int64_t level)
{
    int64_t at = 0;
    while (at < w->n_levels && w->levels[at] < level)
        ++at;
    if (w->n_levels == MOST_ROWS ||
        (at < w->n_levels && w->levels[at] == level))
        return;
    for (int64_t k = w->n_levels++; k > at; --k)
        w->levels[k] = w->levels[k - 1];
    w->levels[at] = level;
}

/* One row alone has another opposite. */
static void find_levels(places_work *w)
{
    for (int64_t k = 0; k < w->n; ++k)
        if (level_of(&w->positions[k]) != NO_ROW)
            add_level(w, level_of(&w->positions[k]));
    if (w->n_levels == 1 && w->levels[0] != HIGHEST)
        add_level(w, HIGHEST);
    else if (w->n_levels == 1)
        add_level(w, LOWEST);
}

static bool has_depth(const places_work *w)
{
    for (int64_t k = 0; k < w->n; ++k)
        if (w->positions[k].row == AKIN_ROW_FOREGROUND ||
            w->positions[k].row == AKIN_ROW_BACKGROUND)
            return true;
    return false;
}

static int by_place(const void *left, const void *right)
{
    const sorted_face *a = left, *b = right;
    return a->at != b->at ? (a->at > b->at ? 1 : -1)
                          : (a->face > b->face) - (a->face < b->face);
}

/* Cut behind the faces whose gap to the next is among the n_levels - 1 largest;
 * false: one of these is too small to part rows. */
static bool cut(const sorted_face *list, int64_t m, int64_t n_cuts,
                double least, int64_t *row)
{
    for (int64_t i = 0; i < m; ++i)
        row[list[i].face] = 0;
    for (int64_t c = 0; c < n_cuts; ++c) {
        int64_t best = -1;
        double gap = least;
        for (int64_t i = 0; i + 1 < m; ++i) {
            const double g = list[i + 1].at - list[i].at;
            if (row[list[i].face] == row[list[i + 1].face] && g >= gap) {
                gap = g;
                best = i;
            }
        }
        if (best < 0)
            return false;
        for (int64_t i = best + 1; i < m; ++i)
            ++row[list[i].face];
    }
    return true;
}

static void find_rows(places_work *w)
{
    sorted_face *list = w->sorted;
    double size = 0.0;
    w->n_rows = 1;
    if (w->n_levels == 0)
        return;
    const bool depth = has_depth(w);
    for (int64_t i = 0; i < w->m; ++i) {
        const ak_placed_face *f = &w->faces[i];
        list[i] = (sorted_face){depth ? -log(fmax(f->size, 1.0)) : -f->y, i};
        size += f->size / (double)w->m;
    }
    qsort(list, (size_t)w->m, sizeof *list, by_place);
    if (cut(list, w->m, w->n_levels - 1, depth ? depth_gap : row_gap * size,
            w->row))
        w->n_rows = w->n_levels;
    else
        for (int64_t i = 0; i < w->m; ++i)
            w->row[i] = 0;
}

/* The row of faces that a person is in; -1: any. */
static int64_t row_of(const places_work *w, const akin_position *p)
{
    const int64_t level = level_of(p);
    for (int64_t r = 0; w->n_rows > 1 && r < w->n_levels; ++r)
        if (w->levels[r] == level)
            return r;
    return -1;
}

/* ---- places in a row ---- */

/* log C(n, k); -INFINITY where there is none. */
static double log_choose(int64_t n, int64_t k)
{
    if (k < 0 || k > n)
        return -INFINITY;
    return lgamma((double)n + 1.0) - lgamma((double)k + 1.0) -
           lgamma((double)(n - k) + 1.0);
}

static akin_picture_side counted_from(const akin_position *p)
{
    return p->side == AKIN_SIDE_NONE ? AKIN_SIDE_LEFT : p->side;
}

/* How many persons the list of this one has; 0: it is in no list. */
static int64_t listed_with(const places_work *w, const akin_position *p)
{
    int64_t most = 0, count = 0;
    for (int64_t k = 0; k < w->n; ++k) {
        const akin_position *q = &w->positions[k];
        if (q->rank == 0 || counted_from(q) != counted_from(p) ||
            level_of(q) != level_of(p))
            continue;
        ++count;
        most = q->rank > most ? q->rank : most;
    }
    return count > 1 ? most : 0;
}

/* (1) and (2): log P of face i of m. */
static double log_rank(int64_t i, int64_t m, int64_t k, int64_t n)
{
    return m < n ? log_choose(k - 1, i) + log_choose(n - k, m - 1 - i)
                 : log_choose(i, k - 1) + log_choose(m - 1 - i, n - k);
}

/* (3) and (4) */
static double log_side(double t, const akin_position *p)
{
    switch (p->side) {
    case AKIN_SIDE_LEFT:
        return (p->far ? far_power : side_power) * log(1.0 - t);
    case AKIN_SIDE_RIGHT:
        return (p->far ? far_power : side_power) * log(t);
    case AKIN_SIDE_CENTER:
        return center_power * log(4.0 * t * (1.0 - t));
    default:
        return 0.0;
    }
}

/* P over m faces of a row, from left to right, with what goes astray. */
static void fill_row(places_work *w, const akin_position *p, int64_t m)
{
    const bool ranked = p->rank > 0 && p->side != AKIN_SIDE_CENTER;
    int64_t n = listed_with(w, p);
    double sum = 0.0, top = -INFINITY;
    if (n == 0)
        n = m > p->rank ? m : p->rank;
    for (int64_t i = 0; i < m; ++i) {
        const int64_t at = p->side == AKIN_SIDE_RIGHT ? m - 1 - i : i;
        w->copy[i] = ranked ? log_rank(at, m, p->rank, n)
                            : log_side(((double)i + 0.5) / (double)m, p);
        top = fmax(top, w->copy[i]);
    }
    for (int64_t i = 0; i < m; ++i) {
        w->copy[i] = exp(w->copy[i] - top);
        sum += w->copy[i];
    }
    for (int64_t i = 0; i < m; ++i) {
        const double left = w->copy[i > 0 ? i - 1 : i];
        const double right = w->copy[i + 1 < m ? i + 1 : i];
        const double here = (1.0 - 2.0 * neighbours) * w->copy[i] +
                            neighbours * (left + right);
        w->p[i] = (1.0 - anywhere) * here / sum + anywhere / (double)m;
    }
}

/* ---- weights ---- */

static void weigh(places_work *w, const akin_position *p, double *weights)
{
    const int64_t row = row_of(w, p);
    int64_t count = 0;
    for (int64_t i = 0; i < w->m; ++i)
        if (row < 0 || w->row[w->order[i]] == row)
            w->members[count++] = w->order[i];
    const int64_t others = w->m - count;
    const double here = others > 0 ? 1.0 - other_rows : 1.0;
    for (int64_t i = 0; i < w->m; ++i)
        weights[i] = others > 0 ? other_rows * (double)w->m / (double)others
                                : 1.0;
    fill_row(w, p, count);
    for (int64_t i = 0; i < count; ++i)
        weights[w->members[i]] = here * w->p[i] * (double)w->m;
}

static void sort_by_x(places_work *w)
{
    for (int64_t i = 0; i < w->m; ++i)
        w->sorted[i] = (sorted_face){w->faces[i].x, i};
    qsort(w->sorted, (size_t)w->m, sizeof *w->sorted, by_place);
    for (int64_t i = 0; i < w->m; ++i)
        w->order[i] = w->sorted[i].face;
}

akin_status ak_place_weights(double *weights, akin_ctx *ctx,
                             const akin_position *positions, int64_t n,
                             const ak_placed_face *faces, int64_t m)
{
    places_work w = {.positions = positions, .faces = faces, .n = n, .m = m};
    const ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, m, &w.sorted));
    AK_TRY(AK_SCRATCH(ctx, m, &w.order));
    AK_TRY(AK_SCRATCH(ctx, m, &w.row));
    AK_TRY(AK_SCRATCH(ctx, m, &w.members));
    AK_TRY(AK_SCRATCH(ctx, m, &w.p));
    AK_TRY(AK_SCRATCH(ctx, m, &w.copy));
    sort_by_x(&w);
    find_levels(&w);
    find_rows(&w);
    for (int64_t k = 0; k < n; ++k)
        weigh(&w, &positions[k], weights + k * m);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
