#include "naming/photos.h"

#include <math.h>
#include <stdlib.h>

#include "base/parallel.h"
#include "opt/assign.h"

akin_status ak_photos_new(ak_photos *out, akin_ctx *ctx, const ak_peers *peers,
                          const ak_confirmed *confirmed)
{
    const ak_bags *b = peers->bags;
    ak_photos p = {.ctx = ctx, .peers = peers, .confirmed = confirmed};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, b->n_photos + 1, &p.slots));
    AK_TRY(AK_SCRATCH(ctx, b->n_photos, &p.gain_counts));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t n = b->item_offsets[i + 1] - b->item_offsets[i];
        const int64_t r = b->name_offsets[i + 1] - b->name_offsets[i];
        p.slots[i + 1] = p.slots[i] + n * r;
        p.most_faces = ak_max_i64(p.most_faces, n);
        p.most_names = ak_max_i64(p.most_names, r);
    }
    p.room = p.most_faces * p.most_names + 5 * p.most_faces + p.most_names +
             ak_assign_room(p.most_faces, p.most_names);
    AK_TRY(AK_SCRATCH(ctx, p.slots[b->n_photos], &p.B));
    AK_TRY(AK_SCRATCH(ctx, p.slots[b->n_photos], &p.gains));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * p.room, &p.work));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * b->n_names, &p.marks));
    AK_TRY(AK_SCRATCH(ctx, 1, &p.shape));
    *out = p;
done:
    return st;
}

/* ---- one photo ------------------------------------------------------------
 */

/* The faces of a photo that no one has named, and the names left for them. */
typedef struct open_part {
    ak_assignment a;
    double *score, *none;
    double *faces;   // their places in the photo
    double *names;   // their places in the caption
    double *chosen;  // n: labels as they stand, as doubles
    double *gains;   // 2 n
    double *work;
    ak_shape_photo shape;
} open_part;

static bool is_refused(const ak_confirmed *c, int64_t face, int32_t name)
{
    int64_t low = 0, high = c->n_refused;
    while (low < high) {
        const int64_t at = (low + high) / 2;
        const int32_t *pair = c->refused + 2 * at;
        if (pair[0] < face || (pair[0] == face && pair[1] < name))
            low = at + 1;
        else
            high = at;
    }
    return low < c->n_refused && c->refused[2 * low] == face &&
           c->refused[2 * low + 1] == name;
}

static int32_t fixed_of(const ak_photos *p, int64_t face)
{
    return p->confirmed->fixed ? p->confirmed->fixed[face] : -1;
}

/* Is the name free, not given to a face of the photo by a person? */
static bool is_free(const ak_photos *p, const int64_t *faces, int64_t n,
                    int32_t name)
{
    for (int64_t f = 0; f < n; ++f)
        if (fixed_of(p, faces[f]) == name)
            return false;
    return true;
}

static open_part open_photo(const ak_photos *p, int64_t photo, int64_t worker)
{
    const ak_bags *b = p->peers->bags;
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, photo, &names);
    open_part o = {.score = p->work + worker * p->room};
    o.none = o.score + p->most_faces * p->most_names;
    o.faces = o.none + p->most_faces;
    o.chosen = o.faces + p->most_faces;
    o.gains = o.chosen + p->most_faces;
    o.names = o.gains + 2 * p->most_faces;
    o.work = o.names + p->most_names;
    for (int64_t q = 0; q < r; ++q)
        if (is_free(p, faces, n, names[q]))
            o.names[o.a.r++] = (double)q;
    for (int64_t f = 0; f < n; ++f) {
        if (fixed_of(p, faces[f]) >= 0)
            continue;
        const double *B = p->B + p->slots[photo] + f * r;
        for (int64_t k = 0; k < o.a.r; ++k) {
            const int64_t q = (int64_t)o.names[k];
            o.score[o.a.n * o.a.r + k] =
                is_refused(p->confirmed, faces[f], names[q]) ? -INFINITY : B[q];
        }
        o.none[o.a.n] = p->theta;
        o.faces[o.a.n++] = (double)f;
    }
    o.a.stride = o.a.r;
    o.a.score = o.score;
    o.a.none = o.none;
    o.shape = (ak_shape_photo){p->shape, n, r, r - o.a.r};
    return o;
}

/* The score of no name for this photo, where photos have a say. */
static void heed_shape(const ak_photos *p, const open_part *o)
{
    if (!p->shape->known)
        return;
    const int64_t count = ak_assign_gains(&o->a, o->gains, o->work);
    const double none = ak_shape_theta(&o->shape, count, o->gains,
                                       o->gains + p->most_faces, p->theta);
    for (int64_t f = 0; f < o->a.n; ++f)
        o->none[f] = none;
}

/* ---- theta for a count ----------------------------------------------------
 */

static akin_status gain_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const ak_photos *p = arg;
    for (int64_t i = begin; i < end; ++i) {
        const open_part o = open_photo(p, i, worker);
        p->gain_counts[i] =
            ak_assign_gains(&o.a, p->gains + p->slots[i], o.work);
        if (p->shape->known)
            ak_shape_gains(&o.shape, p->gain_counts[i], p->gains + p->slots[i]);
    }
    return AKIN_OK;
}

static int falling(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a < b) - (a > b);
}

static int64_t count_fixed(const ak_photos *p)
{
    int64_t n = 0;
    for (int64_t f = 0; f < p->peers->n; ++f)
        n += fixed_of(p, f) >= 0 && fixed_of(p, f) < p->peers->n_names;
    return n;
}

akin_status ak_photos_theta(ak_photos *p, int64_t count, int64_t *reachable)
{
    const ak_mark mark = ak_scratch_begin(p->ctx);
    const int64_t n_photos = p->peers->bags->n_photos, n_fixed = count_fixed(p);
    int64_t n = 0;
    double *all;
    akin_status st = AKIN_OK;
    AK_TRY(ak_parallel_for(p->ctx, n_photos, AK_PHOTO_BLOCK, gain_block, p));
    for (int64_t i = 0; i < n_photos; ++i)
        n += p->gain_counts[i];
    *reachable = n_fixed + n;
    p->theta = 0.0;
    if (n == 0)
        goto done;
    AK_TRY(AK_SCRATCH(p->ctx, n, &all));
    n = 0;
    for (int64_t i = 0; i < n_photos; ++i)
        for (int64_t k = 0; k < p->gain_counts[i]; ++k)
            all[n++] = p->gains[p->slots[i] + k];
    qsort(all, (size_t)n, sizeof *all, falling);
    count = ak_min_i64(ak_max_i64(count - n_fixed, 0), n);
    const double high = count > 0 ? all[count - 1] : all[0] + 1.0;
    const double low = count < n ? all[count] : all[n - 1] - 1.0;
    p->theta = 0.5 * (high + low);
done:
    ak_scratch_end(p->ctx, mark);
    return st;
}

/* ---- labels -------------------------------------------------------------- */

/* What is lost when open face f may not keep its label. */
static double margin_of(const open_part *o, int64_t f, int64_t label,
                        double total, int32_t *unused)
{
    double *row = o->score + f * o->a.r, lift = 0.0;
    if (label >= 0) {
        const double kept = row[label];
        row[label] = -INFINITY;
        const double other = ak_assign(&o->a, unused, o->work);
        row[label] = kept;
        return fmax(0.0, total - other);
    }
    /* Any name, lifted so far that one is taken if there is one. */
    for (int64_t k = 0; k < o->a.n * o->a.r; ++k)
        if (isfinite(o->score[k]))
            lift += fabs(o->score[k]);
    for (int64_t k = 0; k < o->a.n; ++k)
        lift += fabs(o->none[k]);
    lift = 4.0 * (lift + 1.0);
    for (int64_t k = 0; k < o->a.r; ++k)
        row[k] += lift;
    const double other = ak_assign(&o->a, unused, o->work) - lift;
    for (int64_t k = 0; k < o->a.r; ++k)
        row[k] -= lift;
    return total - other > lift / 2.0 ? INFINITY : fmax(0.0, total - other);
}

static void assign_photo(const ak_photos *p, int64_t photo, int64_t worker,
                         int32_t *found)
{
    const ak_bags *b = p->peers->bags;
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const open_part o = open_photo(p, photo, worker);
    ak_bags_names(b, photo, &names);
    for (int64_t f = 0; f < n; ++f) {
        p->labels[faces[f]] = fixed_of(p, faces[f]);
        if (p->margins)
            p->margins[faces[f]] = INFINITY;
    }
    if (o.a.n == 0)
        return;
    heed_shape(p, &o);
    const double total = ak_assign(&o.a, found, o.work);
    for (int64_t k = 0; k < o.a.n; ++k)
        p->labels[faces[(int64_t)o.faces[k]]] =
            found[k] < 0 ? (int32_t)p->peers->n_names
                         : names[(int64_t)o.names[found[k]]];
    for (int64_t k = 0; k < o.a.n; ++k)
        o.chosen[k] = (double)found[k];
    for (int64_t k = 0; p->margins && k < o.a.n; ++k)
        p->margins[faces[(int64_t)o.faces[k]]] =
            margin_of(&o, k, (int64_t)o.chosen[k], total, found);
}

typedef struct assign_job {
    const ak_photos *photos;
    int32_t *found;  // workers x most_faces
} assign_job;

static akin_status assign_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    const assign_job *j = arg;
    for (int64_t i = begin; i < end; ++i)
        assign_photo(j->photos, i, worker,
                     j->found + worker * j->photos->most_faces);
    return AKIN_OK;
}

akin_status ak_photos_assign(ak_photos *p)
{
    const ak_mark mark = ak_scratch_begin(p->ctx);
    assign_job job = {.photos = p};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(p->ctx, ak_workers(p->ctx) * p->most_faces, &job.found));
    for (int64_t f = 0; f < p->peers->n; ++f) {
        p->labels[f] = (int32_t)p->peers->n_names;
        if (p->margins)
            p->margins[f] = INFINITY;
    }
    AK_TRY(ak_parallel_for(p->ctx, p->peers->bags->n_photos, AK_PHOTO_BLOCK,
                           assign_block, &job));
done:
    ak_scratch_end(p->ctx, mark);
    return st;
}
