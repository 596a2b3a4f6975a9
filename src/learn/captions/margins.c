/* The best labels that fit a caption, and the best that do not. */
#include "learn/captions/margins.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "learn/captions/infeasible.h"
#include "opt/assign.h"

enum { BLOCK = 32 };

/* Memory of one worker. */
typedef struct ak_margins_room {
    double *D;        // faces of a photo x (p + 1)
    double *score;    // faces x names of its caption
    double *none;     // faces
    int32_t *labels;  // faces
} ak_margins_room;

static akin_status take_rooms(ak_margins *s, akin_ctx *ctx)
{
    const int64_t workers = ak_workers(ctx), n = s->most_faces;
    akin_status st = AKIN_OK;
    AK_TRY(ak_assign_rooms(&s->assign, ctx, workers, n, s->most_names));
    AK_TRY(ak_infeasible_rooms(&s->infeasible, ctx, workers, n, s->p,
                               s->most_names));
    AK_TRY(AK_SCRATCH(ctx, workers, &s->rooms));
    for (int64_t i = 0; i < workers; ++i) {
        ak_margins_room *w = s->rooms + i;
        AK_TRY(AK_SCRATCH(ctx, n * (s->p + 1), &w->D));
        AK_TRY(AK_SCRATCH(ctx, n * s->most_names, &w->score));
        AK_TRY(AK_SCRATCH(ctx, n, &w->none));
        AK_TRY(AK_SCRATCH(ctx, n, &w->labels));
    }
done:
    return st;
}

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
    AK_TRY(AK_SCRATCH(ctx, peers->n, &s->right));
    AK_TRY(AK_SCRATCH(ctx, peers->n, &s->wrong));
    AK_TRY(AK_SCRATCH(ctx, peers->n * (s->p + 1), &s->D));
    AK_TRY(AK_SCRATCH(ctx, s->m, &s->hinge));
    AK_TRY(take_rooms(s, ctx));
done:
    return st;
}

typedef struct photo_work {
    ak_photo photo;
    const ak_margins_room *room;
    const ak_assign_room *assign;
    const ak_infeasible_room *infeasible;
} photo_work;

/* The distances of the faces of a photo, side by side. */
static photo_work open_photo(const ak_margins *s, int64_t i, int64_t worker)
{
    const ak_bags *b = s->peers->bags;
    const int64_t *faces, p1 = s->p + 1;
    const ak_margins_room *room = s->rooms + worker;
    photo_work w = {.room = room,
                    .assign = s->assign + worker,
                    .infeasible = s->infeasible + worker};
    w.photo.n = ak_bags_faces(b, i, &faces);
    w.photo.n_caption = ak_bags_names(b, i, &w.photo.caption);
    w.photo.p = s->p;
    w.photo.stride = p1;
    w.photo.D = room->D;
    for (int64_t f = 0; f < w.photo.n; ++f)
        memcpy(room->D + f * p1, s->D + faces[f] * p1,
               (size_t)p1 * sizeof *s->D);
    return w;
}

/* The face of a photo that shows one, of which it is said who it is. */
static const int64_t *told_face(const ak_margins *s, int64_t i)
{
    const int64_t *faces;
    const int64_t n = ak_bags_faces(s->peers->bags, i, &faces);
    const int32_t *fixed = s->peers->said.fixed;
    return fixed != NULL && n == 1 && fixed[*faces] >= 0 ? faces : NULL;
}

/* (1) of such a face, which no other label fits. */
static double told_hinge(const ak_margins *s, int64_t face)
{
    const double *D = s->D + face * (s->p + 1);
    const int32_t right = s->peers->said.fixed[face];
    int32_t wrong = right == 0 ? 1 : 0;
    s->right[face] = s->wrong[face] = right;
    if (s->p == 0)
        return 0.0;
    for (int32_t z = 0; z <= s->p; ++z)
        if (z != right && D[z] < D[wrong])
            wrong = z;
    s->wrong[face] = wrong;
    return fmax(0.0, 1.0 - D[wrong] + D[right]);
}

/* The labels that fit at the least distance. */
static void fit_photo(const ak_margins *s, const photo_work *w, int64_t i)
{
    const int64_t n = w->photo.n, r = w->photo.n_caption, *faces;
    const ak_margins_room *room = w->room;
    const ak_assignment a = {n, r, r, room->score, room->none};
    ak_bags_faces(s->peers->bags, i, &faces);
    for (int64_t f = 0; f < n; ++f) {
        const double *D = room->D + f * (s->p + 1);
        room->none[f] = -D[s->p];
        for (int64_t q = 0; q < r; ++q)
            room->score[f * r + q] = ak_confirmed_refuses(&s->peers->said,
                                                          faces[f],
                                                          w->photo.caption[q])
                                         ? -INFINITY
                                         : -D[w->photo.caption[q]];
    }
    ak_assign(&a, room->labels, w->assign);
    for (int64_t f = 0; f < n; ++f)
        s->right[faces[f]] = room->labels[f] == AK_NOBODY
                                 ? (int32_t)s->p
                                 : w->photo.caption[room->labels[f]];
}

/* The hinge of (1) with the labels in `right`; `wrong` is filled. */
static double hinge_of(const ak_margins *s, const photo_work *w, int64_t i)
{
    const int64_t n = w->photo.n, *faces;
    const ak_margins_room *room = w->room;
    double sum = ak_infeasible_max(&w->photo, room->labels, w->infeasible);
    ak_bags_faces(s->peers->bags, i, &faces);
    for (int64_t f = 0; f < n; ++f) {
        sum += room->D[f * (s->p + 1) + s->right[faces[f]]];
        s->wrong[faces[f]] = room->labels[f];
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
        const int64_t *told = told_face(w->s, i);
        if (told != NULL) {
            w->s->hinge[i] = told_hinge(w->s, *told);
            continue;
        }
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
