/* Labels for the faces of each photo by assignment, and theta for a count. */
#include "naming/photos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "opt/assign.h"

/* ---- all photos ---------------------------------------------------------- */

/* Memory of one worker: the faces of a photo that no person has named, and the
 * names left for them. */
typedef struct ak_photo_room {
    double *score;           // faces x names
    double *none, *margins;  // faces
    int32_t *faces;          // their places in the photo
    int32_t *names;          // their places in the caption
    int32_t *labels;         // of the faces: a place in `names`, or AK_NOBODY
} ak_photo_room;

static akin_status take_rooms(ak_photos *p)
{
    const int64_t workers = ak_workers(p->ctx), n = p->most_faces;
    akin_status st = AKIN_OK;
    AK_TRY(ak_assign_rooms(&p->assign, p->ctx, workers, n, p->most_names));
    AK_TRY(AK_SCRATCH(p->ctx, workers, &p->rooms));
    for (int64_t i = 0; i < workers; ++i) {
        ak_photo_room *w = p->rooms + i;
        AK_TRY(AK_SCRATCH(p->ctx, n * p->most_names, &w->score));
        AK_TRY(AK_SCRATCH(p->ctx, n, &w->none));
        AK_TRY(AK_SCRATCH(p->ctx, n, &w->margins));
        AK_TRY(AK_SCRATCH(p->ctx, n, &w->faces));
        AK_TRY(AK_SCRATCH(p->ctx, p->most_names, &w->names));
        AK_TRY(AK_SCRATCH(p->ctx, n, &w->labels));
    }
done:
    return st;
}

akin_status ak_photos_new(ak_photos *out, akin_ctx *ctx,
                          const ak_shared_names *peers,
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
    AK_TRY(AK_SCRATCH(ctx, p.slots[b->n_photos], &p.B));
    AK_TRY(AK_SCRATCH(ctx, p.slots[b->n_photos], &p.gains));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * b->n_names, &p.marks));
    AK_TRY(take_rooms(&p));
    *out = p;
done:
    return st;
}

/* ---- one photo ----------------------------------------------------------- */

typedef struct open_part {
    ak_assignment a;
    const ak_photo_room *w;
    const ak_assign_room *assign;
} open_part;

static int32_t fixed_of(const ak_photos *p, int64_t face)
{
    return p->confirmed->fixed ? p->confirmed->fixed[face] : AK_UNDECIDED;
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
    const ak_photo_room *w = p->rooms + worker;
    open_part o = {.w = w, .assign = p->assign + worker};
    for (int64_t q = 0; q < r; ++q)
        if (is_free(p, faces, n, names[q]))
            w->names[o.a.r++] = (int32_t)q;
    for (int64_t f = 0; f < n; ++f) {
        if (fixed_of(p, faces[f]) >= 0)
            continue;
        const double *B = p->B + p->slots[photo] + f * r;
        for (int64_t k = 0; k < o.a.r; ++k) {
            const int32_t q = w->names[k];
            w->score[o.a.n * o.a.r + k] =
                ak_confirmed_refuses(p->confirmed, faces[f], names[q])
                    ? -INFINITY
                    : B[q];
        }
        w->none[o.a.n] = p->theta;
        w->faces[o.a.n++] = (int32_t)f;
    }
    o.a.stride = o.a.r;
    o.a.score = w->score;
    o.a.none = w->none;
    return o;
}

/* A score of no name so low that a name less costs more than any exchange of
 * names; what costs more than is returned is a name less. */
static double forbid_none(const open_part *o)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t k = 0; k < o->a.n * o->a.r; ++k)
        if (o->a.score[k] > -INFINITY) {
            low = fmin(low, o->a.score[k]);
            high = fmax(high, o->a.score[k]);
        }
    if (!(low <= high))
        return INFINITY;
    const double unit = high > low ? high - low : fmax(1.0, fabs(low));
    const double most = 2.0 * (double)ak_min_i64(o->a.n, o->a.r) * unit;
    for (int64_t f = 0; f < o->a.n; ++f)
        o->w->none[f] = low - 2.0 * most;
    return most;
}

/* ---- theta for a count --------------------------------------------------- */

static akin_status gain_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const ak_photos *p = arg;
    for (int64_t i = begin; i < end; ++i) {
        const open_part o = open_photo(p, i, worker);
        p->gain_counts[i] =
            ak_assign_gains(&o.a, p->gains + p->slots[i], o.assign);
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

/* Equal gains go together. Where a cut after `count` parts them, all of them
 * are named, or none when that is nearer. */
static int64_t cut_at(const double *gains, int64_t n, int64_t count)
{
    int64_t low = count, high = count;
    if (count == 0 || count == n)
        return count;
    while (low > 0 && gains[low - 1] == gains[count])
        --low;
    while (high < n && gains[high] == gains[count - 1])
        ++high;
    return low < count && count - low < high - count ? low : count;
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
    p->all = count >= *reachable;
    p->theta = 0.0;
    if (n == 0)
        goto done;
    AK_TRY(AK_SCRATCH(p->ctx, n, &all));
    n = 0;
    for (int64_t i = 0; i < n_photos; ++i)
        for (int64_t k = 0; k < p->gain_counts[i]; ++k)
            all[n++] = p->gains[p->slots[i] + k];
    qsort(all, (size_t)n, sizeof *all, falling);
    count = cut_at(all, n, ak_min_i64(ak_max_i64(count - n_fixed, 0), n));
    const double high = count > 0 ? all[count - 1] : all[0] + 1.0;
    const double low = count < n ? all[count] : all[n - 1] - 1.0;
    p->theta = 0.5 * (high + low);
done:
    ak_scratch_end(p->ctx, mark);
    return st;
}

/* ---- labels -------------------------------------------------------------- */

static void assign_photo(const ak_photos *p, int64_t photo, int64_t worker)
{
    const ak_bags *b = p->peers->bags;
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const open_part o = open_photo(p, photo, worker);
    const ak_photo_room *w = o.w;
    ak_bags_names(b, photo, &names);
    for (int64_t f = 0; f < n; ++f) {
        p->labels[faces[f]] = fixed_of(p, faces[f]);
        if (p->margins)
            p->margins[faces[f]] = INFINITY;
    }
    const double most = p->all ? forbid_none(&o) : INFINITY;
    ak_assign(&o.a, w->labels, o.assign);
    for (int64_t k = 0; k < o.a.n; ++k)
        p->labels[faces[w->faces[k]]] = w->labels[k] == AK_NOBODY
                                            ? (int32_t)p->peers->n_names
                                            : names[w->names[w->labels[k]]];
    if (p->margins)
        ak_assign_margins(&o.a, w->margins, o.assign);
    for (int64_t k = 0; p->margins && k < o.a.n; ++k)
        p->margins[faces[w->faces[k]]] = w->margins[k] > most ? INFINITY
                                                              : w->margins[k];
}

static akin_status assign_block(void *arg, int64_t begin, int64_t end,
                                int64_t worker)
{
    for (int64_t i = begin; i < end; ++i)
        assign_photo(arg, i, worker);
    return AKIN_OK;
}

akin_status ak_photos_assign(ak_photos *p)
{
    for (int64_t f = 0; f < p->peers->n; ++f) {
        p->labels[f] = (int32_t)p->peers->n_names;
        if (p->margins)
            p->margins[f] = INFINITY;
    }
    return ak_parallel_for(p->ctx, p->peers->bags->n_photos, AK_PHOTO_BLOCK,
                           assign_block, p);
}

/* ---- scores that do not depend on labels --------------------------------- */

void ak_photos_fill(struct ak_photos *photos, ak_pair_score score,
                    const void *arg)
{
    const ak_bags *b = photos->peers->bags;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        double *B = photos->B + photos->slots[i];
        for (int64_t f = 0; f < n; ++f)
            for (int64_t q = 0; q < r; ++q)
                B[f * r + q] = score(arg, faces[f], names[q]);
    }
}

static double table_score(const void *arg, int64_t face, int32_t name)
{
    const ak_table *t = arg;
    return t->values[face * t->stride + name];
}

static akin_status score_table(const void *arg, akin_ctx *ctx,
                               const int32_t *labels,
                               const ak_assign_options *o,
                               struct ak_photos *photos)
{
    (void)ctx, (void)labels, (void)o;
    ak_photos_fill(photos, table_score, arg);
    return AKIN_OK;
}

ak_scorer ak_table_scorer(const ak_shared_names *peers, const ak_table *t)
{
    return (ak_scorer){
        .peers = peers, .score = score_table, .arg = t, .once = true};
}
