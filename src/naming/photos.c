/* Labels for the faces of each photo by assignment, and theta for a count. */
#include "naming/photos.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "opt/assign.h"

/* ---- how many names photos show ------------------------------------------ */

/* The difference between equal gains, so that a count can cut between them. */
static const double tie = 1e-9;

static bool is_small(int64_t n, int64_t r)
{
    return n < AK_COUNT_SIDE && r < AK_COUNT_SIDE;
}

/* Photos of each n, r and j, into t. */
static void count_photos(ak_count_prior *s, const ak_shared_names *peers,
                         const int32_t *labels)
{
    for (int64_t i = 0; i < peers->bags->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(peers->bags, i, &faces);
        const int64_t r = ak_bags_names(peers->bags, i, &names);
        int64_t j = 0;
        for (int64_t f = 0; f < n; ++f)
            j += labels[faces[f]] < peers->n_names;
        if (is_small(n, r))
            s->t[n][r][ak_min_i64(j, r)] += 1.0;
    }
}

/* t of one n and r from counts; half a photo is added to each. */
static void finish_prior(double *t, int64_t n, int64_t r)
{
    const int64_t most = ak_min_i64(n, r);
    double sum = 0.0, ways = 1.0;
    for (int64_t j = 0; j <= most; ++j)
        sum += t[j] + 0.5;
    for (int64_t j = 0; j <= most; ++j) {
        t[j] = log((t[j] + 0.5) / sum / ways);
        ways *= (double)((n - j) * (r - j)) / (double)(j + 1);
    }
}

void ak_count_prior_learn(ak_count_prior *s, const ak_shared_names *peers,
                          const int32_t *labels)
{
    memset(s, 0, sizeof *s);
    count_photos(s, peers, labels);
    for (int64_t n = 0; n < AK_COUNT_SIDE; ++n)
        for (int64_t r = 0; r < AK_COUNT_SIDE; ++r)
            finish_prior(s->t[n][r], n, r);
    s->known = true;
}

/* t(taken + k + 1) - t(taken + k) */
static double prior_rise(const ak_prior_photo *x, int64_t k)
{
    const int64_t j = x->taken + k;
    if (!is_small(x->n, x->r) || j + 1 > ak_min_i64(x->n, x->r))
        return 0.0;
    return x->prior->t[x->n][x->r][j + 1] - x->prior->t[x->n][x->r][j];
}

void ak_count_prior_gains(const ak_prior_photo *x, int64_t count, double *gains)
{
    for (int64_t k = 0; k < count; ++k)
        gains[k] += prior_rise(x, k);
    for (int64_t k = 0; k < count;) {  // the longest run of the largest mean
        double best = -INFINITY, sum = 0.0;
        int64_t end = k + 1;
        for (int64_t m = k; m < count; ++m) {
            sum += gains[m];
            if (sum / (double)(m - k + 1) >= best) {
                best = sum / (double)(m - k + 1);
                end = m + 1;
            }
        }
        for (; k < end; ++k, best -= tie)
            gains[k] = best;
    }
}

double ak_count_prior_theta(const ak_prior_photo *x, int64_t count,
                            const double *gains, double *pooled, double theta)
{
    int64_t j = 0;
    if (count == 0)
        return theta;
    memcpy(pooled, gains, (size_t)count * sizeof *gains);
    ak_count_prior_gains(x, count, pooled);
    while (j < count && pooled[j] >= theta)
        ++j;
    /* What one name less must lose, as far as it lies between the gains of
     * the last name given and of the next. */
    const double wanted = theta - prior_rise(x, j > 0 ? j - 1 : 0);
    const double high = j > 0 ? gains[j - 1] : fmax(wanted, gains[0] + 1.0);
    const double low = j < count ? gains[j] : fmin(wanted, high - 1.0);
    const double edge = 1e-3 * (high - low);
    return fmin(fmax(wanted, low + edge), high - edge);
}

/* ---- all photos ---------------------------------------------------------- */

/* Memory of one worker: the faces of a photo that no person has named, and the
 * names left for them. */
typedef struct ak_photo_room {
    double *score;           // faces x names
    double *none, *margins;  // faces
    double *gains, *pooled;  // faces
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
        AK_TRY(AK_SCRATCH(p->ctx, n, &w->gains));
        AK_TRY(AK_SCRATCH(p->ctx, n, &w->pooled));
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
    AK_TRY(AK_SCRATCH(ctx, p.slots[b->n_photos], &p.first_scores));
    AK_TRY(AK_SCRATCH(ctx, ak_workers(ctx) * b->n_names, &p.marks));
    AK_TRY(AK_SCRATCH(ctx, 1, &p.prior));
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
    ak_prior_photo prior;
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
    o.prior = (ak_prior_photo){p->prior, n, r, r - o.a.r};
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

/* The score of no name for this photo, where photos have a say; nothing is
 * forbidden. */
static double apply_prior(const ak_photos *p, const open_part *o)
{
    if (!p->prior->known)
        return INFINITY;
    const int64_t count = ak_assign_gains(&o->a, o->w->gains, o->assign);
    const double none = ak_count_prior_theta(&o->prior, count, o->w->gains,
                                             o->w->pooled, p->theta);
    for (int64_t f = 0; f < o->a.n; ++f)
        o->w->none[f] = none;
    return INFINITY;
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
        if (p->prior->known)
            ak_count_prior_gains(&o.prior, p->gain_counts[i],
                                 p->gains + p->slots[i]);
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
    const double most = p->all ? forbid_none(&o) : apply_prior(p, &o);
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
