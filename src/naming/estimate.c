/* How likely each name is for each face, from captions and affinities alone.
 *
 * A photo comes about like this. Each name of its caption is shown or not; its
 * odds depend on how often the name is shown in other photos, and on how many
 * captions have it. Faces of nobody in the caption are added, by a distribution
 * of their number. The votes for the right name and for a wrong one have the
 * ratio of naming/likelihood.h. So a name that no other face can have gets no
 * votes, for or against it, and is left to elimination:
 *
 *   p(way) ~ prod over names shown of odds(c) exp(evidence(f, c)) k! P(k)  (1)
 *
 * with k faces that are nobody's. Each round finds p(f, c), the sum of (1) over
 * the ways of a photo in which face f is c (naming/matching.h), then the votes,
 * the odds and P by p. Votes for a name are of the faces in other photos that
 * may have it: the mean affinity, the mean over the k nearest, the nearest, and
 * what is known of the person (naming/gaussians.h), whose covariance is that of
 * other photos than the photo at hand.
 *
 * In the first rounds a face votes for each name by p. Then it votes for one
 * name or none, drawn by p: the faces of a name are so those of one choice and
 * no mixture, which matters to names with few faces (Gibbs sampling, a third of
 * the photos at a time). The result is the mean of p over the last rounds. What
 * is drawn depends on the rows of the faces of a photo, not on its place among
 * the photos. */
#include "naming/estimate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "la/dense.h"
#include "naming/gaussians.h"
#include "naming/likelihood.h"
#include "naming/matching.h"

enum { NULLS = 8, CLASSES = 6, NEAR = 32, FOLDS = 3, DIM_MOST = 200 };
enum { DRAWS = 26, DRAWS_UNUSED = 4 };  // rounds after all is learned

static const int64_t class_edges[CLASSES - 1] = {2, 3, 5, 10, 20};
static const double log_weight_most = 40.0;
/* Photos with so many faces that are nobody's, before any is seen: where there
 * are few photos, most faces have a name. */
static const double null_prior[NULLS] = {6.0, 2.0, 1.0, 0.5,
                                         0.5, 0.5, 0.5, 0.5};
static const double sure = 1e-9;  // shares stay this far from 1
/* Votes of several faces are no independent evidence: three fifths count in
 * the probabilities. */
static const double part_heed = 0.6;
/* Faces with a name that their caption misses, of which one in as many as there
 * are names is a decoy beside the right name. */
static const double missing = 0.2;
/* How far ratios were off, apart from sampling, where the truth was known. */
static const double model_error = 0.015;
static const double tiny = 1e-12;  // the least probability in log-odds

/* The k affinities that are largest, falling, each with its share of a face. */
typedef struct near_list {
    int64_t n;
    double a[NEAR], share[NEAR];
    double faces, sum;  // of all
} near_list;

/* Memory of one worker. */
typedef struct worker_room {
    double *weight, *p, *counts, *by_count, *matching;
    int32_t *faces, *names;  // that no person has decided
    int32_t *drawn;          // most_faces
    int32_t *marks;          // n_names, zero between uses
    near_list *near;         // most_names
} worker_room;

typedef struct people {
    int64_t d;      // 0: no votes by covariances
    double *Y, *T;  // n x d, of mean 0; their covariance
    int32_t *fold;  // of each photo
    int32_t *row;   // of each name in the sums; -1: one mention only
    int64_t n_rows;
    double *Z[FOLDS];  // n x d: faces in the coordinates of a fold
    double *b[FOLDS];  // d: as in naming/gaussians.h
    double *sums;      // n_rows x d, in coordinates
    double *scaled;    // max(n, n_rows) x d
    double *W, *work;  // d^2, 2 d^2
    double *own;       // d
    ak_gaussians g;
} people;

typedef struct estimation {
    akin_ctx *ctx;
    const ak_shared_names *peers;
    const ak_bags *b;
    const ak_confirmed *said;
    const ak_affinity *a;  // NULL: no votes
    const ak_decoys *decoys;
    int64_t k;  // nearest faces
    int64_t n_slots, n_mentions, most_faces, most_names;
    int64_t *slots, *face_slot;
    double *p;                       // n_slots
    double *z;                       // n_slots: by which faces vote, p or drawn
    double *mean[2];                 // n_slots: of p at the end, by all of the
                                     // evidence and by a part of it
    double *log_odds, *shown, *any;  // n_mentions
    int64_t *captions;               // of each name, with faces
    double *totals, *logs;           // n_names
    double log_nulls[NULLS];
    double heed;    // the part of the votes' evidence that counts
    int fold;       // the photos at hand; -1: all
    bool draws;     // z is drawn
    bool reads;     // p is for the result: nothing is learned from it
    int64_t round;  // so far
    double stray;   // decoys beside the right name
    ak_likelihood likelihood;
    int32_t *rank;  // n_names: by their texts
    ak_vote *votes, *wrong;
    double *nulls;  // blocks x NULLS
    worker_room *rooms;
    people who;
} estimation;

/* ---- memory -------------------------------------------------------------- */

static akin_status take_rooms(estimation *e)
{
    const int64_t pairs = e->most_faces * e->most_names;
    const int64_t least = ak_min_i64(e->most_faces, e->most_names);
    int64_t room = 1;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < e->b->n_photos; ++i)
        room = ak_max_i64(
            room, ak_matching_room(
                      e->b->item_offsets[i + 1] - e->b->item_offsets[i],
                      e->b->name_offsets[i + 1] - e->b->name_offsets[i]));
    AK_TRY(AK_SCRATCH(e->ctx, ak_workers(e->ctx), &e->rooms));
    for (int64_t w = 0; w < ak_workers(e->ctx); ++w) {
        worker_room *r = e->rooms + w;
        AK_TRY(AK_SCRATCH_EACH(e->ctx, pairs, &r->weight, &r->p));
        AK_TRY(AK_SCRATCH_EACH(e->ctx, least + 1, &r->counts, &r->by_count));
        AK_TRY(AK_SCRATCH(e->ctx, room, &r->matching));
        AK_TRY(AK_SCRATCH(e->ctx, e->most_faces, &r->faces));
        AK_TRY(AK_SCRATCH(e->ctx, e->most_faces, &r->drawn));
        AK_TRY(AK_SCRATCH(e->ctx, e->most_names, &r->names));
        AK_TRY(AK_SCRATCH(e->ctx, e->peers->n_names, &r->marks));
        AK_TRY(AK_SCRATCH(e->ctx, e->most_names, &r->near));
    }
done:
    return st;
}

typedef struct named_text {
    const char *text;
    int64_t name;
} named_text;

static int by_text(const void *left, const void *right)
{
    const named_text *a = left, *b = right;
    return strcmp(a->text, b->text);
}

static akin_status rank_names(estimation *e)
{
    const ak_mark mark = ak_scratch_begin(e->ctx);
    const int64_t n = e->b->n_names;
    named_text *list;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(e->ctx, n, &list));
    for (int64_t q = 0; q < n; ++q)
        list[q] = (named_text){e->b->name_texts[q], q};
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, by_text);
    for (int64_t k = 0; k < n; ++k)
        e->rank[list[k].name] = (int32_t)k;
done:
    ak_scratch_end(e->ctx, mark);
    return st;
}

/* How likely two mentions are of the same name. */
static double share_squares(const estimation *e)
{
    double squares = 0.0, all = 0.0;
    for (int64_t q = 0; q < e->b->n_names; ++q) {
        squares += (double)e->captions[q] * (double)e->captions[q];
        all += (double)e->captions[q];
    }
    return all > 0.0 ? squares / (all * all) : 0.0;
}

static akin_status open_estimation(estimation *e)
{
    const ak_bags *b = e->b;
    const int64_t blocks = (b->n_photos + AK_PHOTO_BLOCK - 1) / AK_PHOTO_BLOCK;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(e->ctx, b->n_photos + 1, &e->slots));
    AK_TRY(AK_SCRATCH(e->ctx, e->peers->n, &e->face_slot));
    AK_TRY(AK_SCRATCH(e->ctx, b->n_names, &e->captions));
    AK_TRY(AK_SCRATCH(e->ctx, b->n_names, &e->rank));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t f = 0; f < n; ++f)
            e->face_slot[faces[f]] = e->slots[i] + f * r;
        for (int64_t q = 0; n > 0 && q < r; ++q)
            ++e->captions[names[q]];
        e->slots[i + 1] = e->slots[i] + n * r;
        e->most_faces = ak_max_i64(e->most_faces, n);
        e->most_names = ak_max_i64(e->most_names, r);
    }
    e->n_slots = e->slots[b->n_photos];
    e->n_mentions = b->name_offsets[b->n_photos];
    AK_TRY(AK_SCRATCH_EACH(e->ctx, e->n_slots, &e->p, &e->z, &e->mean[0],
                           &e->mean[1]));
    AK_TRY(AK_SCRATCH_EACH(e->ctx, e->n_mentions, &e->log_odds, &e->shown,
                           &e->any));
    AK_TRY(AK_SCRATCH_EACH(e->ctx, b->n_names, &e->totals, &e->logs));
    AK_TRY(AK_SCRATCH(e->ctx, e->n_slots, &e->votes));
    AK_TRY(AK_SCRATCH(e->ctx, e->decoys->n, &e->wrong));
    AK_TRY(AK_SCRATCH(e->ctx, blocks * NULLS, &e->nulls));
    AK_TRY(rank_names(e));
    e->stray = missing * share_squares(e);
    AK_TRY(take_rooms(e));
done:
    return st;
}

/* ---- the ways of one photo ----------------------------------------------- */

static bool is_at_hand(const estimation *e, int64_t photo)
{
    return e->fold < 0 || e->who.fold[photo] == e->fold;
}

static int32_t fixed_of(const estimation *e, int64_t face)
{
    return e->said->fixed ? e->said->fixed[face] : AK_UNDECIDED;
}

static void swap(int32_t *a, int32_t *b)
{
    const int32_t c = *a;
    *a = *b;
    *b = c;
}

/* The part of a photo that no person has decided: faces in the order of their
 * rows, names in that of their texts. */
typedef struct open_photo {
    int64_t n, r;    // open faces and names
    int64_t nobody;  // faces that a person gave no name
} open_photo;

static open_photo open_part(const estimation *e, int64_t photo,
                            const worker_room *w)
{
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    open_photo o = {0};
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = fixed_of(e, faces[f]);
        if (fixed < 0)
            w->faces[o.n++] = (int32_t)f;
        o.nobody += fixed == e->peers->n_names;
    }
    for (int64_t q = 0; q < r; ++q) {
        bool open = true;
        for (int64_t f = 0; f < n; ++f)
            open = open && fixed_of(e, faces[f]) != names[q];
        if (open)
            w->names[o.r++] = (int32_t)q;
    }
    for (int64_t f = 1; f < o.n; ++f)
        for (int64_t k = f;
             k > 0 && faces[w->faces[k]] < faces[w->faces[k - 1]]; --k)
            swap(&w->faces[k], &w->faces[k - 1]);
    for (int64_t q = 1; q < o.r; ++q)
        for (int64_t k = q; k > 0 && e->rank[names[w->names[k]]] <
                                         e->rank[names[w->names[k - 1]]];
             --k)
            swap(&w->names[k], &w->names[k - 1]);
    return o;
}

/* k! P(k) for each number of names given, relative to the largest. */
static void set_counts(const estimation *e, const open_photo *o, double *counts)
{
    const int64_t most = ak_min_i64(o->n, o->r);
    double largest = -INFINITY;
    for (int64_t j = 0; j <= most; ++j) {
        const int64_t k = o->nobody + o->n - j;
        counts[j] = e->log_nulls[ak_min_i64(k, NULLS - 1)] +
                    lgamma((double)k + 1.0);
        largest = fmax(largest, counts[j]);
    }
    for (int64_t j = 0; j <= most; ++j)
        counts[j] = exp(counts[j] - largest);
}

static void set_weights(const estimation *e, int64_t photo, const open_photo *o,
                        const worker_room *w)
{
    const int64_t *faces, first = e->b->name_offsets[photo];
    const int32_t *names;
    ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    for (int64_t f = 0; f < o->n; ++f)
        for (int64_t q = 0; q < o->r; ++q) {
            const int64_t face = faces[w->faces[f]], name = w->names[q];
            const double x =
                e->log_odds[first + name] +
                ak_likelihood_evidence(
                    &e->votes[e->slots[photo] + w->faces[f] * r + name],
                    e->heed);
            w->weight[f * o->r + q] =
                ak_confirmed_refuses(e->said, face, names[name])
                    ? 0.0
                    : exp(fmax(-log_weight_most, fmin(log_weight_most, x)));
        }
}

/* z of a photo, by the marginals of its ways. */
static void draw_photo(const estimation *e, int64_t photo, const open_photo *o,
                       const ak_matching *m, const worker_room *w)
{
    const int64_t *faces, pairs = e->slots[photo + 1] - e->slots[photo];
    const int32_t *names;
    double *z = e->z + e->slots[photo];
    ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    memcpy(z, e->p + e->slots[photo], (size_t)pairs * sizeof *z);
    if (o->n == 0)
        return;
    ak_rng rng = ak_rng_split(ak_rng_new((uint64_t)e->round, AK_STREAM_LABELS),
                              (uint64_t)faces[w->faces[0]]);
    ak_matching_draw(m, w->p, w->matching, &rng, w->drawn);
    for (int64_t f = 0; f < o->n; ++f)
        for (int64_t q = 0; q < o->r; ++q)
            z[w->faces[f] * r + w->names[q]] = w->drawn[f] == q ? 1.0 : 0.0;
}

static void infer_photo(const estimation *e, int64_t photo,
                        const worker_room *w, double *nulls)
{
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    double *p = e->p + e->slots[photo];
    if (n == 0)
        return;
    const open_photo o = open_part(e, photo, w);
    const ak_matching m = {o.n, o.r, w->weight, w->counts};
    set_counts(e, &o, w->counts);
    set_weights(e, photo, &o, w);
    ak_matching_marginals(&m, w->p, w->by_count, w->matching);
    for (int64_t j = 0; j <= ak_min_i64(o.n, o.r); ++j)
        nulls[ak_min_i64(o.nobody + o.n - j, NULLS - 1)] +=
            e->reads ? 0.0 : w->by_count[j];
    for (int64_t k = 0; k < n * r; ++k)
        p[k] = fixed_of(e, faces[k / r]) == names[k % r] ? 1.0 : 0.0;
    for (int64_t f = 0; f < o.n; ++f)
        for (int64_t q = 0; q < o.r; ++q)
            p[w->faces[f] * r + w->names[q]] = w->p[f * o.r + q];
    if (e->draws)
        draw_photo(e, photo, &o, &m, w);
}

static akin_status infer_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const estimation *e = arg;
    double *nulls = e->nulls + begin / AK_PHOTO_BLOCK * NULLS;
    for (int64_t i = begin; i < end; ++i)
        if (is_at_hand(e, i))
            infer_photo(e, i, e->rooms + worker, nulls);
    return AKIN_OK;
}

/* ---- how often names and nobody are shown -------------------------------- */

static int class_of(int64_t captions)
{
    int k = 0;
    while (k < CLASSES - 1 && captions >= class_edges[k])
        ++k;
    return k;
}

/* Shares by p of each mention: shown here, and shown by any other photo. */
static void count_shown(const estimation *e)
{
    const ak_bags *b = e->b;
    memset(e->totals, 0, (size_t)b->n_names * sizeof *e->totals);
    memset(e->logs, 0, (size_t)b->n_names * sizeof *e->logs);
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t q = 0; q < r; ++q) {
            double sum = 0.0;
            for (int64_t f = 0; f < n; ++f)
                sum += e->z[e->slots[i] + f * r + q];
            sum = fmin(sum, 1.0 - sure);
            e->shown[b->name_offsets[i] + q] = sum;
            e->totals[names[q]] += sum;
            e->logs[names[q]] += log1p(-sum);
        }
    }
    for (int64_t m = 0; m < e->n_mentions; ++m) {
        const double others = e->logs[b->names[m]] - log1p(-e->shown[m]);
        e->any[m] = fmin(1.0 - exp(fmin(others, 0.0)), 1.0 - sure);
    }
}

static void learn_odds(const estimation *e)
{
    const ak_bags *b = e->b;
    double shown[CLASSES] = {0.0}, all[CLASSES] = {0.0};
    for (int64_t q = 0; q < b->n_names; ++q) {
        shown[class_of(e->captions[q])] += e->totals[q];
        all[class_of(e->captions[q])] += (double)e->captions[q];
    }
    for (int64_t m = 0; m < e->n_mentions; ++m) {
        const int32_t q = b->names[m];
        const int k = class_of(e->captions[q]);
        const double rate = (shown[k] + 3.0) / (all[k] + 5.0);
        const double here = (rate + e->totals[q] - e->shown[m]) /
                            (double)e->captions[q];
        const double share = fmax(0.01, fmin(0.99, here));
        e->log_odds[m] = log(share / (1.0 - share));
    }
}

static void learn_nulls(estimation *e)
{
    const int64_t blocks = (e->b->n_photos + AK_PHOTO_BLOCK - 1) /
                           AK_PHOTO_BLOCK;
    double sums[NULLS], all = 0.0;
    for (int64_t k = 0; k < NULLS; ++k) {
        sums[k] = null_prior[k];
        for (int64_t i = 0; i < blocks; ++i)
            sums[k] += e->nulls[i * NULLS + k];
        all += sums[k];
    }
    for (int64_t k = 0; k < NULLS; ++k)
        e->log_nulls[k] = log(sums[k] / all);
}

/* ---- votes by affinities ------------------------------------------------- */

static void near_add(near_list *l, double a, double share)
{
    int64_t at = l->n;
    l->faces += share;
    l->sum += share * a;
    if (share < 0.01 || (at == NEAR && a <= l->a[NEAR - 1]))
        return;
    if (at == NEAR)
        --at;
    else
        ++l->n;
    for (; at > 0 && l->a[at - 1] < a; --at) {
        l->a[at] = l->a[at - 1];
        l->share[at] = l->share[at - 1];
    }
    l->a[at] = a;
    l->share[at] = share;
}

/* The mean of the largest, `most` faces of them. */
static double near_mean(const near_list *l, double most)
{
    double sum = 0.0, shares = 0.0;
    for (int64_t k = 0; k < l->n && shares < most; ++k) {
        const double share = fmin(l->share[k], most - shares);
        sum += share * l->a[k];
        shares += share;
    }
    return shares > 0.0     ? sum / shares
           : l->faces > 0.0 ? l->sum / l->faces
                            : 0.0;
}

static void near_close(const estimation *e, const near_list *l, double any,
                       ak_vote *out)
{
    *out = (ak_vote){.any = l->faces > 0.0 ? any : 0.0, .weight = out->weight};
    out->faces = l->faces / fmax(any, sure);
    out->x[0] = l->faces > 0.0 ? l->sum / l->faces : 0.0;
    out->x[1] = near_mean(l, (double)e->k);
    out->x[2] = near_mean(l, 1.0);
}

/* Adds what face g with affinity a to the face at hand says for marked names.
 */
static void add_voter(const estimation *e, int32_t g, double a,
                      const int32_t *marks, near_list *near)
{
    const int32_t *names;
    const int64_t r = ak_bags_names(e->b, e->peers->photo[g], &names);
    for (int64_t q = 0; q < r; ++q)
        if (marks[names[q]] > 0)
            near_add(near + marks[names[q]] - 1, a, e->z[e->face_slot[g] + q]);
}

static akin_status vote_block(void *arg, int64_t begin, int64_t end,
                              int64_t worker)
{
    const estimation *e = arg;
    const worker_room *w = e->rooms + worker;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t *faces;
        const int32_t *names, *peers;
        const int64_t n = ak_bags_faces(e->b, i, &faces);
        const int64_t r = ak_bags_names(e->b, i, &names);
        if (!is_at_hand(e, i))
            continue;
        ak_photos_mark(w->marks, r, names);
        for (int64_t f = 0; f < n; ++f) {
            const int64_t m = ak_shared_names_get(e->peers, faces[f], &peers);
            const double *A = e->a->values + e->peers->start[faces[f]];
            memset(w->near, 0, (size_t)r * sizeof *w->near);
            for (int64_t k = 0; k < m; ++k)
                if (e->peers->photo[peers[k]] != i)
                    add_voter(e, peers[k], A[k], w->marks, w->near);
            for (int64_t q = 0; q < r; ++q)
                near_close(e, w->near + q, e->any[e->b->name_offsets[i] + q],
                           &e->votes[e->slots[i] + f * r + q]);
        }
        ak_photos_unmark(w->marks, r, names);
    }
    return AKIN_OK;
}

static akin_status decoy_block(void *arg, int64_t begin, int64_t end,
                               int64_t worker)
{
    const estimation *e = arg;
    const worker_room *w = e->rooms + worker;
    for (int64_t k = begin; k < end; ++k) {
        const ak_decoy *d = &e->decoys->list[k];
        const double *A = e->decoys->affinity.values +
                          e->decoys->peers.start[d->face];
        ak_photos_mark(w->marks, 1, &d->name);
        memset(w->near, 0, sizeof *w->near);
        for (int64_t v = d->first; v < d->end; ++v)
            add_voter(e, e->decoys->voters[v], A[e->decoys->places[v]],
                      w->marks, w->near);
        ak_photos_unmark(w->marks, 1, &d->name);
        near_close(e, w->near, e->any[d->mention], &e->wrong[k]);
    }
    return AKIN_OK;
}

/* ---- votes by covariances ------------------------------------------------ */

/* Photos that share rare names lie in different folds, the photos being in the
 * order of their first rows. */
static akin_status choose_folds(estimation *e)
{
    const ak_bags *b = e->b;
    const ak_mark mark = ak_scratch_begin(e->ctx);
    double *seen, sizes[FOLDS] = {0.0};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(e->ctx, FOLDS * b->n_names, &seen));
    for (int64_t i = 0; i < b->n_photos; ++i)
        e->who.fold[i] = -1;
    for (int64_t f = 0; f < e->peers->n; ++f) {
        const int32_t *names, i = e->peers->photo[f];
        const int64_t r = i < 0 ? 0 : ak_bags_names(b, i, &names);
        double least = INFINITY;
        if (i < 0 || e->who.fold[i] >= 0)
            continue;
        for (int k = 0; k < FOLDS; ++k) {
            double cost = 0.1 * FOLDS * sizes[k] / (double)b->n_photos;
            for (int64_t q = 0; q < r; ++q)
                if (e->captions[names[q]] > 1)
                    cost += seen[FOLDS * names[q] + k] /
                            (double)(e->captions[names[q]] - 1);
            if (cost < least) {
                least = cost;
                e->who.fold[i] = k;
            }
        }
        sizes[e->who.fold[i]] += 1.0;
        for (int64_t q = 0; q < r; ++q)
            seen[FOLDS * names[q] + e->who.fold[i]] += 1.0;
    }
done:
    ak_scratch_end(e->ctx, mark);
    return st;
}

/* The first principal directions of the faces, of mean 0. */
static akin_status take_faces(estimation *e, const akin_naming *s)
{
    people *w = &e->who;
    const int64_t n = e->peers->n;
    ak_faces_svd x;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_svd_of(&x, e->ctx, n, s->d, s->X));
    w->d = ak_min_i64(x.r, DIM_MOST);
    AK_TRY(AK_SCRATCH(e->ctx, n * w->d, &w->Y));
    for (int64_t k = 0; k < w->d; ++k) {
        double mean = 0.0;
        for (int64_t i = 0; i < n; ++i)
            mean += x.s[k] * x.V[i * x.r + k] / (double)n;
        for (int64_t i = 0; i < n; ++i)
            w->Y[i * w->d + k] = x.s[k] * x.V[i * x.r + k] - mean;
    }
    AK_TRY(AK_SCRATCH(e->ctx, w->d * w->d, &w->T));
    AK_TRY(ak_gram(e->ctx, true, w->d, n, w->Y, w->d, w->T));
    for (int64_t k = 0; k < w->d * w->d; ++k)
        w->T[k] /= (double)n;
done:
    return st;
}

static akin_status open_people(estimation *e, const akin_naming *s)
{
    people *w = &e->who;
    const int64_t n = e->peers->n;
    akin_status st = AKIN_OK;
    AK_TRY(take_faces(e, s));
    AK_TRY(AK_SCRATCH(e->ctx, e->b->n_photos, &w->fold));
    AK_TRY(AK_SCRATCH(e->ctx, e->b->n_names, &w->row));
    AK_TRY(choose_folds(e));
    for (int64_t q = 0; q < e->b->n_names; ++q)
        w->row[q] = e->captions[q] > 1 ? (int32_t)w->n_rows++ : -1;
    for (int k = 0; k < FOLDS; ++k) {
        AK_TRY(AK_SCRATCH(e->ctx, n * w->d, &w->Z[k]));
        AK_TRY(AK_SCRATCH(e->ctx, w->d, &w->b[k]));
    }
    AK_TRY(AK_SCRATCH(e->ctx, w->n_rows * w->d, &w->sums));
    AK_TRY(AK_SCRATCH(e->ctx, ak_max_i64(n, w->n_rows) * w->d, &w->scaled));
    AK_TRY(AK_SCRATCH_EACH(e->ctx, w->d * w->d, &w->W, &w->g.M));
    AK_TRY(AK_SCRATCH(e->ctx, 2 * w->d * w->d, &w->work));
    AK_TRY(AK_SCRATCH_EACH(e->ctx, w->d, &w->own, &w->g.b));
    w->g.d = w->d;
done:
    return st;
}

/* The sums of faces (rows of X) by p, for names with several mentions, without
 * the photos of a fold (-1: of all). */
static void sum_names(const estimation *e, const double *X, int fold,
                      double *sums, double *counts, double *squares)
{
    const people *w = &e->who;
    memset(sums, 0, (size_t)(w->n_rows * w->d) * sizeof *sums);
    for (int64_t i = 0; i < e->b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(e->b, i, &faces);
        const int64_t r = ak_bags_names(e->b, i, &names);
        for (int64_t k = 0; w->fold[i] != fold && k < n * r; ++k) {
            const int32_t row = w->row[names[k % r]];
            const double p = e->z[e->slots[i] + k];
            if (row < 0 || p <= 0.0)
                continue;
            ak_axpy(w->d, p, X + faces[k / r] * w->d, sums + row * w->d);
            if (counts != NULL) {
                counts[row] += p;
                squares[row] += p * p;
            }
        }
    }
}

/* W: the mean of (x - mean of the name)^2 over faces outside of a fold, each by
 * p; *freedom is 0 where there are too few. */
static akin_status learn_within(estimation *e, int fold, double *freedom)
{
    const ak_mark mark = ak_scratch_begin(e->ctx);
    people *w = &e->who;
    const int64_t n = e->peers->n, d = w->d;
    double *counts, *squares;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH_EACH(e->ctx, w->n_rows, &counts, &squares));
    sum_names(e, w->Y, fold, w->sums, counts, squares);
    *freedom = 0.0;
    for (int64_t q = 0; q < w->n_rows; ++q) {
        const double by = counts[q] > sure ? 1.0 / sqrt(counts[q]) : 0.0;
        for (int64_t k = 0; k < d; ++k)
            w->scaled[q * d + k] = by * w->sums[q * d + k];
        *freedom += counts[q] - by * by * squares[q];
    }
    AK_TRY(ak_gram(e->ctx, true, d, w->n_rows, w->scaled, d, w->work));
    memset(w->scaled, 0, (size_t)(n * d) * sizeof *w->scaled);
    for (int64_t i = 0; i < e->b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t m = ak_bags_faces(e->b, i, &faces);
        const int64_t r = ak_bags_names(e->b, i, &names);
        for (int64_t f = 0; w->fold[i] != fold && f < m; ++f) {
            double share = 0.0;
            for (int64_t q = 0; q < r; ++q)
                share += w->row[names[q]] >= 0 ? e->z[e->slots[i] + f * r + q]
                                               : 0.0;
            ak_axpy(d, sqrt(share), w->Y + faces[f] * d,
                    w->scaled + faces[f] * d);
        }
    }
    AK_TRY(ak_gram(e->ctx, true, d, n, w->scaled, d, w->W));
    for (int64_t k = 0; *freedom > 1.0 && k < d * d; ++k)
        w->W[k] = (w->W[k] - w->work[k]) / *freedom;
    if (!(*freedom > 1.0))
        *freedom = 0.0;
done:
    ak_scratch_end(e->ctx, mark);
    return st;
}

/* The ratio of face f for a name without one mention of it, in photo i. */
static double ratio_without(const estimation *e, int fold, int64_t face,
                            int32_t name, int64_t photo, int64_t mention)
{
    const people *w = &e->who;
    const int64_t d = w->d, *faces, place = mention - e->b->name_offsets[photo];
    const int32_t *names;
    const int64_t n = ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    const double any = fmax(e->any[mention], sure);
    if (w->row[name] < 0)
        return 0.0;
    memcpy(w->own, w->sums + w->row[name] * d, (size_t)d * sizeof *w->own);
    for (int64_t f = 0; f < n; ++f)
        ak_axpy(d, -e->z[e->slots[photo] + f * r + place],
                w->Z[fold] + faces[f] * d, w->own);
    for (int64_t k = 0; k < d; ++k)
        w->own[k] /= any;
    const double count = fmax(e->totals[name] - e->shown[mention], 0.0) / any;
    const ak_gaussians g = {d, NULL, w->b[fold]};
    return ak_gaussians_ratio(&g, w->Z[fold] + face * d, w->own, count);
}

/* The coordinates for the faces of one fold, by what the others show. */
static akin_status learn_fold(estimation *e, int fold)
{
    people *w = &e->who;
    double freedom;
    akin_status st = AKIN_OK;
    AK_TRY(learn_within(e, fold, &freedom));
    if (freedom == 0.0)
        return AKIN_OK;
    AK_TRY(ak_gaussians_fit(&w->g, e->ctx, w->W, w->T, w->work));
    memcpy(w->b[fold], w->g.b, (size_t)w->d * sizeof *w->g.b);
    AK_TRY(ak_gemm(e->ctx, false, false, e->peers->n, w->d, w->d, 1.0, w->Y,
                   w->d, w->g.M, w->d, 0.0, w->Z[fold], w->d));
done:
    return st;
}

/* Votes of the faces of one fold, and of decoys where they are wanted. */
static void vote_fold(estimation *e, int fold, bool decoys)
{
    people *w = &e->who;
    const ak_bags *b = e->b;
    sum_names(e, w->Z[fold], -1, w->sums, NULL, NULL);
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t k = 0; w->fold[i] == fold && k < n * r; ++k)
            e->votes[e->slots[i] + k].x[3] =
                ratio_without(e, fold, faces[k / r], names[k % r], i,
                              b->name_offsets[i] + k % r);
    }
    for (int64_t k = 0; decoys && k < e->decoys->n; ++k) {
        const ak_decoy *x = &e->decoys->list[k];
        if (w->fold[e->peers->photo[x->face]] == fold)
            e->wrong[k].x[3] =
                ratio_without(e, fold, x->face, x->name, x->other, x->mention);
    }
}

/* ---- rounds -------------------------------------------------------------- */

static akin_status vote(estimation *e)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < e->n_slots; ++k)
        e->votes[k].weight = e->p[k] * ak_likelihood_share(&e->votes[k]);
    AK_TRY(
        ak_parallel_for(e->ctx, e->b->n_photos, AK_PHOTO_BLOCK, vote_block, e));
    AK_TRY(
        ak_parallel_for(e->ctx, e->decoys->n, AK_PHOTO_BLOCK, decoy_block, e));
    for (int fold = 0; e->who.d > 0 && fold < FOLDS; ++fold) {
        AK_TRY(learn_fold(e, fold));
        vote_fold(e, fold, true);
    }
done:
    return st;
}

/* p, and z where faces do not vote by p. */
static akin_status infer(estimation *e)
{
    return ak_parallel_for(e->ctx, e->b->n_photos, AK_PHOTO_BLOCK, infer_block,
                           e);
}

static void forget_nulls(const estimation *e)
{
    const int64_t blocks = (e->b->n_photos + AK_PHOTO_BLOCK - 1) /
                           AK_PHOTO_BLOCK;
    memset(e->nulls, 0, (size_t)(blocks * NULLS) * sizeof *e->nulls);
}

static akin_status infer_all(estimation *e)
{
    akin_status st = AKIN_OK;
    forget_nulls(e);
    AK_TRY(infer(e));
    if (!e->draws)
        memcpy(e->z, e->p, (size_t)e->n_slots * sizeof *e->z);
    count_shown(e);
done:
    return st;
}

/* A round in which all is learned anew. */
static akin_status learn_round(estimation *e)
{
    akin_status st = AKIN_OK;
    AK_TRY(vote(e));
    if (e->round == 0)
        for (int64_t k = 0; k < e->n_slots; ++k)
            e->votes[k].weight = e->p[k] * e->votes[k].any;
    AK_TRY(ak_likelihood_fit(&e->likelihood, e->ctx, e->n_slots, e->votes,
                             e->decoys->n, e->wrong, e->stray));
    AK_TRY(infer_all(e));
    if (e->round > 0) {
        learn_nulls(e);
        learn_odds(e);
    }
done:
    return st;
}

/* Adds p of the photos at hand to a mean. */
static void add_mean(const estimation *e, double *mean)
{
    for (int64_t i = 0; i < e->b->n_photos; ++i)
        for (int64_t k = e->slots[i]; is_at_hand(e, i) && k < e->slots[i + 1];
             ++k)
            mean[k] += e->p[k] / (DRAWS - DRAWS_UNUSED);
}

/* The same, by a part of the evidence. */
static akin_status add_part(estimation *e)
{
    akin_status st = AKIN_OK;
    e->draws = false;
    e->reads = true;
    e->heed = part_heed;
    AK_TRY(infer(e));
    add_mean(e, e->mean[1]);
    e->draws = true;
    e->reads = false;
    e->heed = 1.0;
done:
    return st;
}

/* Draws names for the photos of one fold after the other. */
static akin_status draw_round(estimation *e, bool used)
{
    akin_status st = AKIN_OK;
    for (e->fold = 0; e->fold < FOLDS; ++e->fold) {
        AK_TRY(ak_parallel_for(e->ctx, e->b->n_photos, AK_PHOTO_BLOCK,
                               vote_block, e));
        vote_fold(e, e->fold, false);
        for (int64_t i = 0; i < e->b->n_photos; ++i)
            if (is_at_hand(e, i))
                ak_likelihood_score(&e->likelihood,
                                    e->slots[i + 1] - e->slots[i],
                                    e->votes + e->slots[i]);
        if (used)
            AK_TRY(add_part(e));
        if (e->fold == 0)
            forget_nulls(e);
        AK_TRY(infer(e));
        if (used)
            add_mean(e, e->mean[0]);
        count_shown(e);
        learn_odds(e);
    }
    learn_nulls(e);
done:
    e->fold = -1;
    return st;
}

/* Names are drawn in many rounds, and the means taken. */
static akin_status run_draws(estimation *e, int64_t rounds)
{
    akin_status st = AKIN_OK;
    e->draws = true;
    for (int64_t t = 0; t < DRAWS; ++t, ++e->round) {
        AK_TRY(draw_round(e, t >= DRAWS_UNUSED));
        AK_TRY(
            ak_ctx_tick(e->ctx, "rounds", e->round + 1, rounds + DRAWS, NAN));
    }
    memcpy(e->p, e->mean[0], (size_t)e->n_slots * sizeof *e->p);
done:
    return st;
}

/* Where little can be learned, by p in the place of draws. */
static akin_status keep_last(estimation *e)
{
    akin_status st = AKIN_OK;
    e->heed = part_heed;
    AK_TRY(infer_all(e));
    memcpy(e->mean[1], e->p, (size_t)e->n_slots * sizeof *e->p);
done:
    return st;
}

/* Rounds in which faces vote by p come first, then as many with draws. */
static akin_status run_rounds(estimation *e, int64_t rounds)
{
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < NULLS; ++k)
        e->log_nulls[k] = -log(NULLS);
    AK_TRY(infer_all(e));
    for (; e->round < rounds; ++e->round) {
        e->draws = e->likelihood.fitted && e->round >= (rounds + 1) / 2;
        AK_TRY(learn_round(e));
        AK_TRY(
            ak_ctx_tick(e->ctx, "rounds", e->round + 1, rounds + DRAWS, NAN));
    }
    if (e->likelihood.fitted)
        AK_TRY(run_draws(e, rounds));
    else
        AK_TRY(keep_last(e));
done:
    return st;
}

/* ---- the result ---------------------------------------------------------- */

/* The sum of probabilities, and how far it may be off: its sampling error over
 * photos, half the difference to the number of faces whose best choice is a
 * name, and that of the model. */
static void set_ratio(akin_estimate *out, const estimation *e)
{
    double sum = 0.0, squares = 0.0, spread = 0.0, best = 0.0;
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < e->b->n_photos; ++i) {
            const int64_t n = e->b->item_offsets[i + 1] - e->b->item_offsets[i];
            const int64_t r = e->b->name_offsets[i + 1] - e->b->name_offsets[i];
            double expected = 0.0;
            for (int64_t f = 0; f < n; ++f) {
                double named = 0.0, most = 0.0;
                for (int64_t q = 0; q < r; ++q) {
                    const double p = e->p[e->slots[i] + f * r + q];
                    named += p;
                    most = fmax(most, p);
                }
                expected += named;
                if (pass == 0) {
                    ++out->n_faces;
                    best += most > 1.0 - named;
                    squares += named * (1.0 - fmin(named, 1.0));
                }
            }
            if (pass == 0)
                sum += expected;
            else
                spread += pow(expected - out->ratio * (double)n, 2.0);
            if (pass == 0 && i == e->b->n_photos - 1)
                out->ratio = sum / fmax((double)out->n_faces, 1.0);
        }
    const double n = fmax((double)out->n_faces, 1.0);
    out->error = sqrt((spread + squares) / (n * n) +
                      pow(0.5 * (best / n - out->ratio), 2.0) +
                      model_error * model_error);
}

static akin_status copy_result(akin_estimate **out, const estimation *e)
{
    akin_estimate *x = NULL;
    akin_status st = AKIN_OK;
    AK_TRY(AK_NEW(e->ctx, 1, &x));
    AK_TRY(AK_NEW(e->ctx, e->b->n_photos + 1, &x->slots));
    AK_TRY(AK_NEW(e->ctx, ak_max_i64(e->n_slots, 1), &x->p));
    memcpy(x->slots, e->slots, (size_t)(e->b->n_photos + 1) * sizeof *x->slots);
    AK_TRY(AK_NEW(e->ctx, ak_max_i64(e->n_slots, 1), &x->shares));
    memcpy(x->shares, e->p, (size_t)e->n_slots * sizeof *x->shares);
    memcpy(x->p, e->mean[1], (size_t)e->n_slots * sizeof *x->p);
    set_ratio(x, e);
    *out = x;
    x = NULL;
done:
    akin_estimate_free(x);
    return st;
}

void akin_estimate_free(akin_estimate *x)
{
    if (x == NULL)
        return;
    akin_free(x->slots);
    akin_free(x->p);
    akin_free(x->shares);
    akin_free(x);
}

akin_status akin_naming_estimate(akin_estimate **out, akin_ctx *ctx,
                                 const akin_naming *s,
                                 const akin_face_names *confirmed)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const akin_fused_options fused = AKIN_FUSED_DEFAULTS;
    const bool own = s->decoys.affinity.values != NULL;
    ak_confirmed said = {0};
    ak_affinity affinity = s->affinity;
    ak_decoys decoys = s->decoys;
    estimation e = {.ctx = ctx,
                    .peers = &s->peers,
                    .b = s->peers.bags,
                    .said = &said,
                    .a = &affinity,
                    .decoys = &decoys,
                    .heed = 1.0,
                    .fold = -1,
                    .k = own ? s->k : fused.k};
    akin_status st = AKIN_OK;
    if (confirmed != NULL)
        AK_TRY(ak_confirmed_take(&said, ctx, s, confirmed));
    if (!own)
        AK_TRY(ak_fused_affinities(&affinity, &decoys, ctx, s));
    AK_TRY(open_estimation(&e));
    AK_TRY(open_people(&e, s));
    AK_TRY(run_rounds(&e, own ? s->rounds.most : fused.rounds));
    AK_TRY(copy_result(out, &e));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

double akin_estimate_ratio(double *error, const akin_estimate *x)
{
    if (error != NULL)
        *error = x->error;
    return x->ratio;
}

/* Of the r names of a face, with these shares. */
static double none_of(const double *shares, int64_t r)
{
    double sum = 0.0;
    for (int64_t q = 0; q < r; ++q)
        sum += shares[q];
    return fmax(1.0 - sum, 0.0);
}

double ak_estimate_none(const akin_estimate *x, int64_t photo, int64_t face,
                        int64_t r)
{
    return none_of(x->p + x->slots[photo] + face * r, r);
}

/* The log of the odds of all faces and names against no name. */
static akin_status score_odds(const void *arg, akin_ctx *ctx,
                              const int32_t *labels, const ak_assign_options *o,
                              struct ak_photos *photos)
{
    const akin_estimate *x = arg;
    const ak_bags *b = photos->peers->bags;
    (void)ctx, (void)labels, (void)o;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t n = b->item_offsets[i + 1] - b->item_offsets[i];
        const int64_t r = b->name_offsets[i + 1] - b->name_offsets[i];
        const double *shares = x->shares + x->slots[i];
        for (int64_t k = 0; k < n * r; ++k)
            photos->B[photos->slots[i] + k] =
                log(fmax(shares[k], tiny) /
                    fmax(none_of(shares + k / r * r, r), tiny));
    }
    return AKIN_OK;
}

ak_scorer ak_estimate_scorer(const akin_estimate *x,
                             const ak_shared_names *peers)
{
    return (ak_scorer){
        .peers = peers, .score = score_odds, .arg = x, .once = true};
}
