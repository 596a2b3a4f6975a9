/* Names by the nearest faces that have them: the mean affinity, by plain
 * distance, to the k nearest faces with a name. */
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
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

typedef struct turn {
    const neighbours *t;
    const int32_t *labels;
    const ak_assign_options *o;
    ak_photos *photos;
    double *weights;  // workers x most_names
} turn;

/* Scores of one face for the r names that are marked: over the k nearest that
 * have the name, the face itself left out. */
static void score_face(const turn *w, int64_t face, int64_t r,
                       const int32_t *marks, double *weights, double *scores)
{
    const ak_peers *p = &w->t->s->peers;
    const double k = (double)w->t->k;
    int64_t open = r;
    memset(weights, 0, (size_t)r * sizeof *weights);
    memset(scores, 0, (size_t)r * sizeof *scores);
    for (int64_t at = p->start[face]; at < p->start[face + 1] && open > 0;
         ++at) {
        const neighbour *x = &w->t->all[at];
        const int32_t *names;
        double weight;
        const int64_t n =
            ak_votes_get(p, w->labels, w->o, x->face, &names, &weight);
        for (int64_t m = 0; x->face != face && m < n; ++m) {
            const int64_t q = marks[names[m]] - 1;
            if (q < 0 || weights[q] >= k)
                continue;
            scores[q] += x->near * weight;
            weights[q] += weight;
            open -= weights[q] >= k;
        }
    }
    for (int64_t q = 0; q < r; ++q)
        scores[q] = weights[q] > 0.0 ? scores[q] / weights[q] : 0.0;
}

static akin_status score_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const turn *w = arg;
    const ak_bags *b = w->photos->peers->bags;
    int32_t *marks = w->photos->marks + worker * b->n_names;
    double *weights = w->weights + worker * w->photos->most_names;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        double *scores = w->photos->B + w->photos->slots[i];
        ak_photos_mark(marks, r, names);
        for (int64_t f = 0; f < n; ++f)
            score_face(w, faces[f], r, marks, weights, scores + f * r);
        ak_photos_unmark(marks, r, names);
    }
    return AKIN_OK;
}

static akin_status score_knn(const void *arg, akin_ctx *ctx,
                             const int32_t *labels, const ak_assign_options *o,
                             struct ak_photos *photos)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    turn w = {arg, labels, o, photos, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * photos->most_names, &w.weights));
    AK_TRY(ak_parallel_for(ctx, photos->peers->bags->n_photos, AK_PHOTO_BLOCK,
                           score_block, &w));
done:
    ak_scratch_end(ctx, mark);
    return st;
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
    s->scorer = (ak_scorer){.peers = &s->peers, .score = score_knn, .arg = t};
    s->info.converged = 1;
done:
    return st;
}
