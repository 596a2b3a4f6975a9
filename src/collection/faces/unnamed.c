/* Faces without a name, in groups of those that look alike.
 *
 * A face joins the group whose mean direction is nearest, where the cosine is
 * above that of 99 in 100 pairs of faces with different names, and the group
 * has no face of the same photo. One pass over the faces: n times the number of
 * groups. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collection/faces/review.h"
#include "data/rows.h"
#include "la/dense.h"

enum { PAIRS = 20000, PER_CENT = 100 };

typedef struct grouping {
    const akin_review *r;
    int64_t n, d;
    double *X;      // n x d, rows of length 1
    double *sums;   // n x d, of the groups
    int64_t *size;  // of the groups
    int64_t n_groups;
    double least;  // cosine
} grouping;

static void take_row(const grouping *g, int64_t i, float *full)
{
    const float *row = ak_rows_full(g->r->rows, i, full);
    double *x = g->X + i * g->d;
    for (int64_t k = 0; k < g->d; ++k)
        x[k] = (double)row[k];
    const double length = sqrt(ak_dot(g->d, x, x));
    for (int64_t k = 0; k < g->d && length > 0.0; ++k)
        x[k] /= length;
}

static akin_status open_grouping(grouping *g, akin_ctx *ctx)
{
    float *full;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, g->n * g->d + 1, &g->X));
    AK_TRY(AK_SCRATCH(ctx, g->n * g->d + 1, &g->sums));
    AK_TRY(AK_SCRATCH(ctx, g->n + 1, &g->size));
    AK_TRY(AK_SCRATCH(ctx, g->d + 1, &full));
    for (int64_t i = 0; i < g->n; ++i)
        take_row(g, i, full);
done:
    return st;
}

/* ---- how alike strangers are ---- */

static int falling(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

static bool are_strangers(const grouping *g, int64_t i, int64_t k)
{
    akin_review_face a, b;
    if (g->r->photo[i] == g->r->photo[k])
        return true;
    akin_review_get(&a, g->r, i);
    akin_review_get(&b, g->r, k);
    return a.name != NULL && b.name != NULL && strcmp(a.name, b.name) != 0;
}

static akin_status set_least(grouping *g, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    double *cosines;
    int64_t count = 0;
    akin_status st = AKIN_OK;
    g->least = 0.5;
    AK_TRY(AK_SCRATCH(ctx, PAIRS, &cosines));
    for (int64_t step = 1; step < g->n && count < PAIRS; ++step)
        for (int64_t i = 0; i + step < g->n && count < PAIRS; ++i)
            if (are_strangers(g, i, i + step))
                cosines[count++] =
                    ak_dot(g->d, g->X + i * g->d, g->X + (i + step) * g->d);
    if (count > 0) {
        qsort(cosines, (size_t)count, sizeof *cosines, falling);
        g->least = cosines[count / PER_CENT];
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* ---- groups ---- */

static bool has_photo(const grouping *g, const int64_t *groups, int64_t group,
                      int64_t row)
{
    for (int64_t i = 0; i < row; ++i)
        if (groups[i] == group && g->r->photo[i] == g->r->photo[row])
            return true;
    return false;
}

static int64_t nearest(const grouping *g, const int64_t *groups, int64_t row)
{
    const double *x = g->X + row * g->d;
    int64_t best = -1;
    double most = g->least;
    for (int64_t k = 0; k < g->n_groups; ++k) {
        const double *sum = g->sums + k * g->d;
        const double length = sqrt(ak_dot(g->d, sum, sum));
        const double cosine = length > 0.0 ? ak_dot(g->d, x, sum) / length
                                           : 0.0;
        if (cosine > most && !has_photo(g, groups, k, row)) {
            most = cosine;
            best = k;
        }
    }
    return best;
}

static void join(grouping *g, int64_t *groups, int64_t row)
{
    int64_t k = nearest(g, groups, row);
    if (k < 0)
        k = g->n_groups++;
    ak_axpy(g->d, 1.0, g->X + row * g->d, g->sums + k * g->d);
    ++g->size[k];
    groups[row] = k;
}

typedef struct sized {
    int64_t group, size;
} sized;

static int by_size(const void *left, const void *right)
{
    const sized *a = left, *b = right;
    return a->size != b->size ? (a->size < b->size ? 1 : -1)
                              : (a->group > b->group) - (a->group < b->group);
}

/* Numbers by size; a face alone is no group. Returns how many there are. */
static akin_status rank(const grouping *g, akin_ctx *ctx, int64_t *groups,
                        int64_t *n_groups)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    sized *list;
    int64_t *place;
    akin_status st = AKIN_OK;
    *n_groups = 0;
    AK_TRY(AK_SCRATCH(ctx, g->n_groups + 1, &list));
    AK_TRY(AK_SCRATCH(ctx, g->n_groups + 1, &place));
    for (int64_t k = 0; k < g->n_groups; ++k)
        list[k] = (sized){k, g->size[k]};
    if (g->n_groups > 0)
        qsort(list, (size_t)g->n_groups, sizeof *list, by_size);
    for (int64_t k = 0; k < g->n_groups; ++k) {
        place[list[k].group] = list[k].size > 1 ? k : -1;
        *n_groups += list[k].size > 1;
    }
    for (int64_t i = 0; i < g->n; ++i)
        groups[i] = groups[i] < 0 ? -1 : place[groups[i]];
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_review_groups(int64_t *groups, int64_t *n_groups,
                               akin_ctx *ctx, const akin_review *r)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    grouping g = {.r = r, .n = r->n, .d = akin_rows_dim(r->rows)};
    akin_review_face f;
    akin_status st = AKIN_OK;
    AK_TRY(open_grouping(&g, ctx));
    AK_TRY(set_least(&g, ctx));
    for (int64_t i = 0; i < g.n; ++i) {
        akin_review_get(&f, r, i);
        groups[i] = -1;
        if (f.name == NULL)
            join(&g, groups, i);
        AK_TRY(ak_ctx_tick(ctx, "faces", i + 1, g.n, NAN));
    }
    AK_TRY(rank(&g, ctx, groups, n_groups));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
