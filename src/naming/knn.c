/* Names by the nearest faces that have them: the mean affinity, by plain
 * distance, to the k nearest faces with a name. */
#include <stdlib.h>

#include "naming/scores.h"

typedef struct neighbour {
    double near;
    int32_t face;
} neighbour;

/* The peers of every face, nearest first, laid out as values of peers. */
typedef struct neighbours {
    const akin_naming *s;
    int64_t k;
    neighbour *all;
} neighbours;

static int by_nearness(const void *left, const void *right)
{
    const neighbour *a = left, *b = right;
    if (a->near != b->near)
        return a->near > b->near ? -1 : 1;
    return (a->face > b->face) - (a->face < b->face);
}

static void sort_peers(const neighbours *t, const ak_affinity *a)
{
    const ak_peers *p = a->peers;
    for (int64_t f = 0; f < p->n; ++f) {
        const int32_t *peers;
        const int64_t m = ak_peers_get(p, f, &peers), start = p->start[f];
        for (int64_t k = 0; k < m; ++k)
            t->all[start + k] = (neighbour){a->values[start + k], peers[k]};
        if (m > 0)
            qsort(t->all + start, (size_t)m, sizeof *t->all, by_nearness);
    }
}

typedef struct vote {
    const neighbours *t;
    const int32_t *labels;
    const ak_assign_options *o;
} vote;

/* Over the k nearest that have the name, the face itself left out. */
static double nearness(const void *arg, int64_t face, int32_t q)
{
    const vote *v = arg;
    const ak_peers *p = &v->t->s->peers;
    double sum = 0.0, all = 0.0;
    for (int64_t at = p->start[face];
         at < p->start[face + 1] && all < (double)v->t->k; ++at) {
        const neighbour *x = &v->t->all[at];
        const int32_t *names;
        double weight;
        if (x->face == face)
            continue;
        const int64_t n =
            ak_votes_get(p, v->labels, v->o, x->face, &names, &weight);
        for (int64_t m = 0; m < n; ++m)
            if (names[m] == q) {
                sum += x->near * weight;
                all += weight;
            }
    }
    return all > 0.0 ? sum / all : 0.0;
}

static akin_status score_knn(const void *arg, akin_ctx *ctx,
                             const int32_t *labels, const ak_assign_options *o,
                             struct ak_photos *photos)
{
    const vote v = {arg, labels, o};
    (void)ctx;
    ak_photos_fill(photos, nearness, &v);
    return AKIN_OK;
}

akin_status ak_learn_knn(akin_naming *s, akin_ctx *ctx)
{
    const int64_t n = s->peers.n;
    neighbours *t;
    ak_affinity a;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, 1, &t));
    *t = (neighbours){.s = s, .k = s->o.k};
    AK_TRY(AK_SCRATCH(ctx, s->peers.start[n], &t->all));
    AK_TRY(ak_affinity_new(&a, ctx, &s->peers));
    AK_TRY(ak_affinity_kernel(&a, ctx, s->d, s->X));
    sort_peers(t, &a);
    s->scorer = (ak_scorer){&s->peers, score_knn, t, false};
    s->info.converged = 1;
done:
    return st;
}
