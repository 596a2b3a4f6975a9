#include "learn/margins.h"

#include <string.h>

#include "base/parallel.h"
#include "opt/assign.h"
#include "opt/infeasible.h"

enum { BLOCK = 32 };

akin_status ak_margins_begin(ak_margins *s, akin_ctx *ctx,
                             const ak_peers *peers)
{
    const ak_bags *b = peers->bags;
    akin_status st = AKIN_OK;
    *s = (ak_margins){.peers = peers, .p = peers->n_names, .m = b->n_photos};
    for (int64_t i = 0; i < s->m; ++i) {
        s->most_faces = ak_max_i64(s->most_faces,
                                   b->item_offsets[i + 1] - b->item_offsets[i]);
        s->most_names = ak_max_i64(s->most_names,
                                   b->name_offsets[i + 1] - b->name_offsets[i]);
    }
    s->room =
        s->most_faces * (s->most_names + s->p + 4) +
        ak_max_i64(ak_assign_room(s->most_faces, s->most_names),
                   ak_infeasible_room(s->most_faces, s->p, s->most_names));
    AK_TRY(AK_SCRATCH(ctx, peers->n, &s->right));
    AK_TRY(AK_SCRATCH(ctx, peers->n, &s->wrong));
    AK_TRY(AK_SCRATCH(ctx, peers->n * (s->p + 1), &s->D));
    AK_TRY(AK_SCRATCH(ctx, s->m, &s->hinge));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * s->room, &s->work));
done:
    return st;
}

typedef struct photo_work {
    ak_photo photo;
    double *D, *score, *none, *labels, *work;
} photo_work;

/* The distances of the faces of a photo, side by side. */
static photo_work open_photo(const ak_margins *s, int64_t i, int64_t worker)
{
    const ak_bags *b = s->peers->bags;
    const int64_t *faces, p1 = s->p + 1;
    photo_work w = {.D = s->work + worker * s->room};
    w.photo.n = ak_bags_faces(b, i, &faces);
    w.photo.n_caption = ak_bags_names(b, i, &w.photo.caption);
    w.photo.p = s->p;
    w.photo.stride = p1;
    w.photo.D = w.D;
    w.score = w.D + s->most_faces * p1;
    w.none = w.score + s->most_faces * s->most_names;
    w.labels = w.none + s->most_faces;
    w.work = w.labels + 2 * s->most_faces;
    for (int64_t f = 0; f < w.photo.n; ++f)
        memcpy(w.D + f * p1, s->D + faces[f] * p1, (size_t)p1 * sizeof *w.D);
    return w;
}

/* The labels that fit at the least distance, which is returned. */
static double fit_photo(const ak_margins *s, const photo_work *w, int64_t i)
{
    const int64_t n = w->photo.n, r = w->photo.n_caption, *faces;
    const ak_assignment a = {n, r, r, w->score, w->none};
    int32_t *labels = (int32_t *)w->labels;
    ak_bags_faces(s->peers->bags, i, &faces);
    for (int64_t f = 0; f < n; ++f) {
        const double *D = w->D + f * (s->p + 1);
        w->none[f] = -D[s->p];
        for (int64_t q = 0; q < r; ++q)
            w->score[f * r + q] = -D[w->photo.caption[q]];
    }
    const double total = ak_assign(&a, labels, w->work);
    for (int64_t f = 0; f < n; ++f)
        s->right[faces[f]] = labels[f] < 0 ? (int32_t)s->p
                                           : w->photo.caption[labels[f]];
    return -total;
}

/* The hinge of (2) with the labels in `right`; `wrong` is filled. */
static double hinge_of(const ak_margins *s, const photo_work *w, int64_t i)
{
    const int64_t n = w->photo.n, *faces;
    int32_t *labels = (int32_t *)w->labels;
    double sum = ak_infeasible_max(&w->photo, labels, w->work);
    ak_bags_faces(s->peers->bags, i, &faces);
    for (int64_t f = 0; f < n; ++f) {
        sum += w->D[f * (s->p + 1) + s->right[faces[f]]];
        s->wrong[faces[f]] = labels[f];
    }
    return sum > 0.0 ? sum : 0.0;
}

typedef struct sweep {
    ak_margins *s;
    const int64_t *which;  // photos; NULL: all
    bool fit, hinge;
} sweep;

static akin_status sweep_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const sweep *w = arg;
    for (int64_t k = begin; k < end; ++k) {
        const int64_t i = w->which ? w->which[k] : k;
        const photo_work x = open_photo(w->s, i, worker);
        if (w->fit)
            fit_photo(w->s, &x, i);
        if (w->hinge)
            w->s->hinge[i] = x.photo.n > 0 ? hinge_of(w->s, &x, i) : 0.0;
    }
    return AKIN_OK;
}

akin_status ak_margins_sweep(ak_margins *s, akin_ctx *ctx, const int64_t *which,
                             int64_t count, bool fit, bool hinge)
{
    sweep w = {s, which, fit, hinge};
    return ak_parallel_for(ctx, count, BLOCK, sweep_block, &w);
}

double ak_margins_mean(const ak_margins *s)
{
    double sum = 0.0;
    for (int64_t i = 0; i < s->m; ++i)
        sum += s->hinge[i];
    return s->m > 0 ? sum / (double)s->m : 0.0;
}

int64_t ak_margins_faces(const ak_margins *s, const int64_t *which,
                         int64_t count, int64_t *faces)
{
    int64_t n = 0;
    for (int64_t k = 0; k < count; ++k) {
        const int64_t *mine;
        const int64_t m = ak_bags_faces(s->peers->bags, which[k], &mine);
        for (int64_t f = 0; f < m; ++f)
            faces[n++] = mine[f];
    }
    return n;
}
