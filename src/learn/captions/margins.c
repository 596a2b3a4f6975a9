/* Labels that fit a caption, the best that do not, and steps on their hinge;
 * learn/captions/margins.h has (1) and (2). */
#include "learn/captions/margins.h"

#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "base/rng.h"
#include "opt/assign.h"

/* ---- the best labels that do not fit ------------------------------------- */

/* A name of the caption costs 1 to open (its first use is no mistake), then
 * gives 1 - d_fq to each face that takes it. With O the names opened,
 *
 *   val(O) = sum_f max(1 - min_{q outside} d_fq, -d_f0, max_{q in O} 1 - d_fq)
 *            - |O|                                                       (3)
 *
 * and where the labels behind (3) fit the caption after all, the cheapest
 * change that spoils them: one face to a name outside, or two faces to the
 * same name of the caption.                                              (4)
 *
 * What one more name adds to (3) falls as O grows. So only names that add more
 * than 1 to the empty set are ever opened, but for the one of (4), and a
 * branch is left when the names still to come cannot lift it above the best:
 * by the sum over them, or by the best of them for each face. The problem
 * includes set cover: no method is quick for all distances, this one is for
 * photos. */

/* Gains looked at for one photo; then the best labels so far are taken. */
enum { MOST_WORK = 50000000 };

typedef struct search {
    const ak_photo *photo;
    const ak_infeasible_room *w;
    int64_t n, n_names;  // names of the caption that faces can have
    int64_t n_open;      // how many of them, the first, are worth opening
    double value;        // of the best labels so far
    int64_t work;        // gains looked at
} search;

akin_status ak_infeasible_rooms(ak_infeasible_room **out, akin_ctx *ctx,
                                int64_t count, int64_t n, int64_t p,
                                int64_t n_caption)
{
    ak_infeasible_room *all;
    AK_CHECK(AK_SCRATCH(ctx, count, &all));
    for (int64_t i = 0; i < count; ++i) {
        ak_infeasible_room *w = all + i;
        AK_CHECK(AK_SCRATCH(ctx, p + 1, &w->used));
        AK_CHECK(AK_SCRATCH(ctx, n_caption, &w->names));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->out));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->out_of));
        AK_CHECK(AK_SCRATCH(ctx, (n_caption + 1) * n, &w->best));
        AK_CHECK(AK_SCRATCH(ctx, (n_caption + 1) * n, &w->label));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->found));
    }
    *out = all;
    return AKIN_OK;
}

int64_t ak_infeasible_loss(const ak_photo *photo, const int32_t *z,
                           const ak_infeasible_room *room)
{
    bool *used = room->used;
    int64_t loss = 0;
    for (int64_t q = 0; q <= photo->p; ++q)
        used[q] = true;  // any use is a mistake
    for (int64_t k = 0; k < photo->n_caption; ++k)
        used[photo->caption[k]] = false;
    for (int64_t f = 0; f < photo->n; ++f)
        if (z[f] != (int32_t)photo->p) {
            loss += used[z[f]];
            used[z[f]] = true;
        }
    return loss;
}

static double gain(const search *s, int64_t f, int64_t q)
{
    return 1.0 - s->photo->D[f * s->photo->stride + q];
}

static bool is_usable(const ak_photo *photo, int64_t q)
{
    for (int64_t f = 0; f < photo->n; ++f)
        if (!isfinite(photo->D[f * photo->stride + q]))
            return false;
    return true;
}

/* The best name outside for each face, and (3) of the empty set. */
static void look_outside(search *s)
{
    const ak_photo *photo = s->photo;
    bool *in_caption = s->w->used;
    memset(in_caption, 0, (size_t)(photo->p + 1) * sizeof *in_caption);
    for (int64_t k = 0; k < photo->n_caption; ++k)
        in_caption[photo->caption[k]] = true;
    for (int64_t f = 0; f < s->n; ++f) {
        s->w->out[f] = -INFINITY;
        s->w->out_of[f] = -1;
    }
    for (int64_t q = 0; q < photo->p; ++q)
        for (int64_t f = 0; !in_caption[q] && f < s->n; ++f)
            if (gain(s, f, q) > s->w->out[f]) {
                s->w->out[f] = gain(s, f, q);
                s->w->out_of[f] = (int32_t)q;
            }
    for (int64_t f = 0; f < s->n; ++f) {
        const double null = gain(s, f, photo->p) - 1.0;
        const bool outside = s->w->out[f] >= null;
        s->w->best[f] = outside ? s->w->out[f] : null;
        s->w->label[f] = outside ? s->w->out_of[f] : (int32_t)photo->p;
    }
}

/* What name q adds to (3) at a depth, without its cost. */
static double addition(const search *s, const double *best, int64_t q)
{
    double sum = 0.0;
    for (int64_t f = 0; f < s->n; ++f)
        sum += fmax(0.0, gain(s, f, q) - best[f]);
    return sum;
}

/* The names worth opening first, in the order of the caption. */
static void sort_names(search *s)
{
    const ak_photo *photo = s->photo;
    for (int pass = 0; pass < 2; ++pass) {
        for (int64_t k = 0; k < photo->n_caption; ++k) {
            const int32_t q = photo->caption[k];
            if (is_usable(photo, q) &&
                (addition(s, s->w->best, q) > 1.0) == (pass == 0))
                s->w->names[s->n_names++] = q;
        }
        if (pass == 0)
            s->n_open = s->n_names;
    }
}

/* Do labels use a name outside, or one of the caption twice? */
static bool is_wrong(const search *s, const int32_t *label)
{
    for (int64_t f = 0; f < s->n; ++f) {
        if (label[f] == (int32_t)s->photo->p)
            continue;
        if (label[f] == s->w->out_of[f])
            return true;
        for (int64_t g = 0; g < f; ++g)
            if (label[g] == label[f])
                return true;
    }
    return false;
}

/* The two faces that lose least by going to name q; the sum of what they lose,
 * faces that gain by it counted as 0, is returned. */
static double two_cheapest(const search *s, const double *best, int64_t q,
                           int64_t at[2])
{
    double least[2] = {INFINITY, INFINITY};
    for (int64_t f = 0; f < s->n; ++f) {
        const double loss = fmax(0.0, best[f] - gain(s, f, q));
        if (loss < least[0]) {
            least[1] = least[0];
            at[1] = at[0];
            least[0] = loss;
            at[0] = f;
        } else if (loss < least[1]) {
            least[1] = loss;
            at[1] = f;
        }
    }
    return least[0] + least[1];
}

static void keep(search *s, double value, const int32_t *label)
{
    s->value = value;
    memcpy(s->w->found, label, (size_t)s->n * sizeof *label);
}

/* (4), a face to a name outside. */
static void spoil_one(search *s, const double *best, const int32_t *label,
                      double value)
{
    int64_t at = 0;
    for (int64_t f = 1; f < s->n; ++f)
        if (best[f] - s->w->out[f] < best[at] - s->w->out[at])
            at = f;
    value -= best[at] - s->w->out[at];
    if (!(value > s->value))
        return;
    keep(s, value, label);
    s->w->found[at] = s->w->out_of[at];
}

/* (4), two faces to the same name, which is opened where it is not. */
static void spoil_two(search *s, const double *best, const int32_t *label,
                      double value)
{
    for (int64_t k = 0; k < s->n_names; ++k) {
        const int32_t q = s->w->names[k];
        int64_t at[2] = {0, 0};
        bool opened = false;
        for (int64_t f = 0; f < s->n; ++f)
            opened = opened || label[f] == q;
        const double new_value = value + addition(s, best, q) -
                                 (opened ? 0.0 : 1.0) -
                                 two_cheapest(s, best, q, at);
        if (!(new_value > s->value))
            continue;
        keep(s, new_value, label);
        for (int64_t f = 0; f < s->n; ++f)
            if (f == at[0] || f == at[1] || gain(s, f, q) > best[f])
                s->w->found[f] = q;
    }
}

static void visit(search *s, int64_t depth, int64_t next, double value);

/* With and without each name still to come. */
static void descend(search *s, int64_t depth, int64_t next, double value)
{
    const int64_t n = s->n;
    const double *best = s->w->best + depth * n;
    const int32_t *label = s->w->label + depth * n;
    double *best2 = s->w->best + (depth + 1) * n;
    int32_t *label2 = s->w->label + (depth + 1) * n;
    for (; next < s->n_open && s->work <= MOST_WORK; ++next) {
        const int32_t q = s->w->names[next];
        const double more = addition(s, best, q) - 1.0;
        if (more <= 0.0)
            continue;
        for (int64_t f = 0; f < n; ++f) {
            const bool better = gain(s, f, q) > best[f];
            best2[f] = better ? gain(s, f, q) : best[f];
            label2[f] = better ? q : label[f];
        }
        visit(s, depth + 1, next + 1, value + more);
    }
}

/* What the names still to come can add at most: all of them what they add
 * alone, or each face its best of them for the cost of one. */
static double most_to_come(const search *s, const double *best, int64_t next)
{
    double apart = 0.0, together = -1.0;
    for (int64_t k = next; k < s->n_open; ++k)
        apart += fmax(0.0, addition(s, best, s->w->names[k]) - 1.0);
    for (int64_t f = 0; f < s->n && together < apart; ++f) {
        double most = 0.0;
        for (int64_t k = next; k < s->n_open; ++k)
            most = fmax(most, gain(s, f, s->w->names[k]) - best[f]);
        together += most;
    }
    return fmin(apart, fmax(0.0, together));
}

static void visit(search *s, int64_t depth, int64_t next, double value)
{
    const double *best = s->w->best + depth * s->n;
    const int32_t *label = s->w->label + depth * s->n;
    s->work += 2 * s->n * (s->n_open - next + 1);
    if (s->work > MOST_WORK || value + most_to_come(s, best, next) <= s->value)
        return;
    if (!is_wrong(s, label)) {
        if (s->w->out_of[0] >= 0)
            spoil_one(s, best, label, value);
        if (s->n >= 2)
            spoil_two(s, best, label, value);
    } else if (value > s->value) {
        keep(s, value, label);
    }
    descend(s, depth, next, value);
}

/* loss(z) - D(z) of the labels found; never below what (3) said. */
static double true_value(const search *s, int32_t *z)
{
    double sum = 0.0;
    for (int64_t f = 0; f < s->n; ++f) {
        z[f] = s->w->found[f];
        sum += s->photo->D[f * s->photo->stride + z[f]];
    }
    return (double)ak_infeasible_loss(s->photo, z, s->w) - sum;
}

double ak_infeasible_max(const ak_photo *photo, int32_t *z,
                         const ak_infeasible_room *room)
{
    const int64_t n = photo->n;
    search s = {.photo = photo, .w = room, .n = n, .value = -INFINITY};
    if (n == 0)
        return -INFINITY;
    look_outside(&s);
    sort_names(&s);
    double start = 0.0;
    for (int64_t f = 0; f < n; ++f)
        start += room->best[f];
    visit(&s, 0, 0, start);
    return isfinite(s.value) ? true_value(&s, z) : -INFINITY;
}

/* ---- the hinges of all photos -------------------------------------------- */

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
    AK_CHECK(ak_assign_rooms(&s->assign, ctx, workers, n, s->most_names));
    AK_CHECK(ak_infeasible_rooms(&s->infeasible, ctx, workers, n, s->p,
                                 s->most_names));
    AK_CHECK(AK_SCRATCH(ctx, workers, &s->rooms));
    for (int64_t i = 0; i < workers; ++i) {
        ak_margins_room *w = s->rooms + i;
        AK_CHECK(AK_SCRATCH(ctx, n * (s->p + 1), &w->D));
        AK_CHECK(AK_SCRATCH(ctx, n * s->most_names, &w->score));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->none));
        AK_CHECK(AK_SCRATCH(ctx, n, &w->labels));
    }
    return AKIN_OK;
}

akin_status ak_margins_begin(ak_margins *s, akin_ctx *ctx,
                             const ak_shared_names *peers)
{
    const ak_bags *b = peers->bags;
    *s = (ak_margins){.peers = peers, .p = peers->n_names, .m = b->n_photos};
    for (int64_t i = 0; i < s->m; ++i) {
        s->most_faces = ak_max_i64(s->most_faces,
                                   b->item_offsets[i + 1] - b->item_offsets[i]);
        s->most_names = ak_max_i64(s->most_names,
                                   b->name_offsets[i + 1] - b->name_offsets[i]);
    }
    AK_CHECK(AK_SCRATCH(ctx, peers->n, &s->right));
    AK_CHECK(AK_SCRATCH(ctx, peers->n, &s->wrong));
    AK_CHECK(AK_SCRATCH(ctx, peers->n * (s->p + 1), &s->D));
    AK_CHECK(AK_SCRATCH(ctx, s->m, &s->hinge));
    return take_rooms(s, ctx);
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

/* The only face of a photo, where a person has confirmed who it is. */
static const int64_t *confirmed_face(const ak_margins *s, int64_t i)
{
    const int64_t *faces;
    const int64_t n = ak_bags_faces(s->peers->bags, i, &faces);
    const int32_t *fixed = s->peers->said.fixed;
    return fixed != NULL && n == 1 && fixed[*faces] >= 0 ? faces : NULL;
}

/* (1) of such a face: no other label fits. */
static double confirmed_hinge(const ak_margins *s, int64_t face)
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
    bool fit;
} sweep;

static akin_status sweep_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const sweep *w = arg;
    for (int64_t k = begin; k < end; ++k) {
        const int64_t i = w->which ? w->which[k] : k;
        const int64_t *confirmed = confirmed_face(w->s, i);
        if (confirmed != NULL) {
            w->s->hinge[i] = confirmed_hinge(w->s, *confirmed);
            continue;
        }
        const photo_work x = open_photo(w->s, i, worker);
        if (w->fit)
            fit_photo(w->s, &x, i);
        w->s->hinge[i] = x.photo.n > 0 ? hinge_of(w->s, &x, i) : 0.0;
    }
    return AKIN_OK;
}

akin_status ak_margins_sweep(ak_margins *s, akin_ctx *ctx, const int64_t *which,
                             int64_t count, bool fit)
{
    sweep w = {s, which, fit};
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

/* ---- the concave-convex procedure ---------------------------------------- */

akin_status ak_cccp_steps(double *x, const ak_cccp *r, akin_ctx *ctx,
                          const int64_t *order, int64_t n_order, int64_t batch,
                          double t0, int64_t done)
{
    double t = t0;
    for (int64_t k = 0; k < n_order && !ak_ctx_stopped(ctx); k += batch) {
        const int64_t n = ak_min_i64(batch, n_order - k);
        t += 1.0;
        AK_CHECK(r->step(x, r->arg, ctx, order + k, n, 1.0 / (r->sigma * t)));
        AK_CHECK(ak_ctx_step(ctx, "photos", done + k + n, 0, NAN));
    }
    return AKIN_OK;
}

/* `epochs` shuffled passes over all photos. */
static akin_status draw_order(int64_t **out, akin_ctx *ctx, int64_t m,
                              int64_t epochs, uint64_t round)
{
    ak_rng rng =
        ak_rng_split(ak_rng_new(akin_ctx_seed(ctx), AK_STREAM_SHUFFLE), round);
    AK_CHECK(AK_SCRATCH(ctx, m * epochs, out));
    for (int64_t e = 0; e < epochs; ++e) {
        for (int64_t i = 0; i < m; ++i)
            (*out)[e * m + i] = i;
        ak_rng_shuffle(&rng, m, *out + e * m);
    }
    return AKIN_OK;
}

/* One round from x on; *change is how far x went. */
static akin_status solve_round(double *x, const ak_cccp *r, akin_ctx *ctx,
                               const ak_cccp_params *p, int64_t round,
                               double *change)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t batch = p->batch > 0 ? p->batch : r->m;
    const int64_t steps = (r->m + batch - 1) / batch;
    double *before;
    int64_t *order;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, r->size, &before));
    memcpy(before, x, (size_t)r->size * sizeof *x);
    AK_TRY(draw_order(&order, ctx, r->m, p->epochs, (uint64_t)round));
    const double t0 = round == 0 ? 1.0 : 10.0 * (double)steps;
    const int64_t n = r->m * p->epochs;
    AK_TRY(ak_cccp_steps(x, r, ctx, order, n, batch, t0, round * n));
    *change = 0.0;
    for (int64_t k = 0; k < r->size; ++k)
        *change += (x[k] - before[k]) * (x[k] - before[k]);
    *change = sqrt(*change);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_cccp_run(ak_cccp_result *out, double *x, const ak_cccp *r,
                        akin_ctx *ctx, const ak_cccp_params *p)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const size_t bytes = (size_t)r->size * sizeof *x;
    double *best, value = 0.0, change = INFINITY;
    akin_status st = AKIN_OK;
    *out = (ak_cccp_result){0};
    AK_TRY(AK_SCRATCH(ctx, r->size, &best));
    AK_TRY(r->objective(&out->objective, r->arg, ctx, x));
    memcpy(best, x, bytes);
    while (out->outer < p->outer && !out->converged && !ak_ctx_stopped(ctx)) {
        AK_TRY(solve_round(x, r, ctx, p, out->outer++, &change));
        AK_TRY(r->objective(&value, r->arg, ctx, x));
        out->converged = change <= p->eps && !ak_ctx_stopped(ctx);
        if (!(value < out->objective))
            continue;
        out->objective = value;
        memcpy(best, x, bytes);
    }
    memcpy(x, best, bytes);
done:
    ak_scratch_end(ctx, mark);
    return st;
}
