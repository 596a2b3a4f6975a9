/* Scores of names from how alike faces are: the mean affinity to the faces of a
 * name, (1) and (2) of naming/assign.c. */
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "naming/naming.h"

/* ---- votes --------------------------------------------------------------- */

typedef struct scoring {
    ak_photos *photos;
    const ak_affinity *a;
    const ak_assign_options *o;
    const int32_t *labels;  // NULL: the first round
    double *size, *quad;    // n_names: 1'y_c and y_c'A y_c
} scoring;

int64_t ak_votes_get(const ak_shared_names *p, const int32_t *labels,
                     const ak_assign_options *o, int64_t g,
                     const int32_t **names, double *weight)
{
    const int32_t *caption;
    int64_t n = ak_bags_names(p->bags, p->photo[g], &caption);
    *weight = o->quality ? o->quality[g] : 1.0;
    *names = caption;
    if (labels == NULL) {
        if (o->start_names.counts != NULL) {
            n = o->start_names.counts[g];
            *names = o->start_names.names[g];
        }
        if (o->uniform && n > 0)
            *weight /= (double)n;
        return n;
    }
    *names = labels + g;
    for (int64_t k = 0; k < n; ++k)
        if (caption[k] == **names)
            return 1;
    return 0;
}

/* A y_c of one face, for the names of its photo; marks[name] is its place. */
static void add_votes(const scoring *s, int64_t f, const int32_t *marks,
                      double *B)
{
    const int32_t *peers, *names;
    const int64_t n = ak_shared_names_get(s->a->peers, f, &peers);
    const double *A = s->a->values + s->a->peers->start[f];
    for (int64_t k = 0; k < n; ++k) {
        double weight;
        if (s->o->no_self && peers[k] == f)
            continue;
        const int64_t m = ak_votes_get(s->a->peers, s->labels, s->o, peers[k],
                                       &names, &weight);
        for (int64_t v = 0; v < m; ++v)
            if (marks[names[v]] > 0)
                B[marks[names[v]] - 1] += weight * A[k];
    }
}

static akin_status vote_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const scoring *s = arg;
    const ak_shared_names *p = s->a->peers;
    int32_t *marks = s->photos->marks + worker * p->n_names;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(p->bags, i, &faces);
        const int64_t r = ak_bags_names(p->bags, i, &names);
        double *B = s->photos->B + s->photos->slots[i];
        memset(B, 0, (size_t)(n * r) * sizeof *B);
        ak_photos_mark(marks, r, names);
        for (int64_t f = 0; f < n; ++f)
            add_votes(s, faces[f], marks, B + f * r);
        ak_photos_unmark(marks, r, names);
    }
    return AKIN_OK;
}

/* 1'y_c, and for (2) y_c'A y_c of the votes. */
static void sum_classes(const scoring *s)
{
    const ak_shared_names *p = s->a->peers;
    memset(s->size, 0, (size_t)p->n_names * sizeof *s->size);
    memset(s->quad, 0, (size_t)p->n_names * sizeof *s->quad);
    for (int64_t i = 0; i < p->bags->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names, *votes;
        const int64_t n = ak_bags_faces(p->bags, i, &faces);
        const int64_t r = ak_bags_names(p->bags, i, &names);
        for (int64_t f = 0; f < n; ++f) {
            double weight;
            const int64_t m =
                ak_votes_get(p, s->labels, s->o, faces[f], &votes, &weight);
            const double *B = s->photos->B + s->photos->slots[i] + f * r;
            for (int64_t v = 0, q = 0; v < m; ++v) {
                while (names[q] != votes[v])
                    ++q;
                s->size[votes[v]] += weight;
                s->quad[votes[v]] += weight * B[q];
            }
        }
    }
}

/* (1) or (2) from A y_c; a name that no face has scores 0. */
static void divide(const scoring *s)
{
    const ak_bags *b = s->a->peers->bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int32_t *names;
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t k = s->photos->slots[i]; k < s->photos->slots[i + 1];
             ++k) {
            const int32_t c = names[(k - s->photos->slots[i]) % r];
            const double size = s->size[c];
            double *B = s->photos->B + k;
            if (size <= 0.0)
                *B = 0.0;
            else if (s->o->minorise)
                *B = 2.0 * *B / size - s->quad[c] / (size * size);
            else
                *B /= size;
        }
    }
}

static akin_status score_names(const void *arg, akin_ctx *ctx,
                               const int32_t *labels,
                               const ak_assign_options *o, ak_photos *photos)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    scoring s = {photos, arg, o, labels, NULL, NULL};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s.a->peers->n_names, &s.size));
    AK_TRY(AK_SCRATCH(ctx, s.a->peers->n_names, &s.quad));
    AK_TRY(ak_parallel_for(ctx, s.a->peers->bags->n_photos, AK_PHOTO_BLOCK,
                           vote_block, &s));
    sum_classes(&s);
    divide(&s);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

ak_scorer ak_votes_of(const ak_affinity *a)
{
    return (ak_scorer){.peers = a->peers, .score = score_names, .arg = a};
}
