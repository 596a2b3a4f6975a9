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
 * other photos than the photo at hand. The quality of faces counts in the last
 * one alone: a poor picture has low affinities already.
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
#include "naming/estimation.h"
#include "naming/matching.h"

enum { NULLS = AK_NULLS, CLASSES = AK_NAME_CLASSES, NEAR = AK_NEAR };
enum { DRAWS = 50, UNUSED = 10 };  // rounds after all is learned
enum { SPREAD_MOST = 50 };  // captions of a name that takes an answer further

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

typedef ak_estimation estimation;

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
        ak_estimate_room *r = e->rooms + w;
        AK_TRY(AK_SCRATCH_EACH(e->ctx, pairs, &r->weight, &r->p));
        AK_TRY(AK_SCRATCH_EACH(e->ctx, least + 1, &r->counts, &r->by_count));
        AK_TRY(AK_SCRATCH(e->ctx, room, &r->matching));
        AK_TRY(AK_SCRATCH(e->ctx, e->most_faces, &r->faces));
        AK_TRY(AK_SCRATCH(e->ctx, e->most_faces, &r->drawn));
        AK_TRY(AK_SCRATCH(e->ctx, e->most_names, &r->names));
        AK_TRY(AK_SCRATCH(e->ctx, e->n_names, &r->marks));
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
    const int64_t n = e->n_names;
    named_text *list;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(e->ctx, n, &list));
    for (int64_t q = 0; q < n; ++q)
        list[q] = (named_text){e->b->name_texts[q], q};
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, by_text);
    for (int64_t k = 0; k < n; ++k)
        e->rank[e->by_rank[k] = (int32_t)list[k].name] = (int32_t)k;
done:
    ak_scratch_end(e->ctx, mark);
    return st;
}

/* The photos with faces of each name. */
static void list_photos(const estimation *e)
{
    const ak_bags *b = e->b;
    for (int64_t q = 0; q < e->n_names; ++q)
        e->first[q + 1] = e->first[q] + e->captions[q];
    for (int64_t i = b->n_photos - 1; i >= 0; --i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t q = 0; n > 0 && q < r; ++q)
            e->photos[e->first[names[q]] + --e->captions[names[q]]] =
                (int32_t)i;
    }
    for (int64_t q = 0; q < e->n_names; ++q)
        e->captions[q] = e->first[q + 1] - e->first[q];
}

/* How likely two mentions are of the same name. */
static double share_squares(const estimation *e)
{
    double squares = 0.0, all = 0.0;
    for (int64_t q = 0; q < e->n_names; ++q) {
        squares += (double)e->captions[q] * (double)e->captions[q];
        all += (double)e->captions[q];
    }
    return all > 0.0 ? squares / (all * all) : 0.0;
}

akin_status ak_estimation_open(estimation *e)
{
    const ak_bags *b = e->b;
    const int64_t blocks = (b->n_photos + AK_PHOTO_BLOCK - 1) / AK_PHOTO_BLOCK;
    akin_status st = AKIN_OK;
    e->n_names = e->peers->n_names;
    AK_TRY(AK_SCRATCH(e->ctx, b->n_photos + 1, &e->slots));
    AK_TRY(AK_SCRATCH(e->ctx, AK_SAMPLES * e->peers->n, &e->samples));
    AK_TRY(AK_SCRATCH(e->ctx, e->peers->n, &e->face_slot));
    AK_TRY(AK_SCRATCH(e->ctx, e->n_names, &e->captions));
    AK_TRY(AK_SCRATCH(e->ctx, e->n_names, &e->rank));
    AK_TRY(AK_SCRATCH(e->ctx, e->n_names, &e->by_rank));
    AK_TRY(AK_SCRATCH(e->ctx, e->n_names + 1, &e->first));
    AK_TRY(AK_SCRATCH(e->ctx, b->name_offsets[b->n_photos], &e->photos));
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
    AK_TRY(AK_SCRATCH_EACH(e->ctx, e->n_names, &e->totals, &e->logs));
    AK_TRY(AK_SCRATCH(e->ctx, e->n_slots, &e->votes));
    AK_TRY(AK_SCRATCH(e->ctx, e->decoys->n, &e->wrong));
    AK_TRY(AK_SCRATCH(e->ctx, blocks * NULLS, &e->nulls));
    AK_TRY(rank_names(e));
    list_photos(e);
    e->stray = missing * share_squares(e);
done:
    return st;
}

/* ---- the ways of one photo ----------------------------------------------- */

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
                            const ak_estimate_room *w)
{
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    open_photo o = {0};
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = ak_fixed_of(e, faces[f]);
        if (fixed < 0)
            w->faces[o.n++] = (int32_t)f;
        o.nobody += fixed == e->n_names;
    }
    for (int64_t q = 0; q < r; ++q) {
        bool open = true;
        for (int64_t f = 0; f < n; ++f)
            open = open && ak_fixed_of(e, faces[f]) != names[q];
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
                        const ak_estimate_room *w)
{
    const int64_t *faces, first = e->b->name_offsets[photo];
    const int32_t *names;
    ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    for (int64_t f = 0; f < o->n; ++f)
        for (int64_t q = 0; q < o->r; ++q) {
            const int64_t face = faces[w->faces[f]], name = w->names[q];
            const int64_t slot = e->slots[photo] + w->faces[f] * r + name;
            const double prior = e->prior ? e->prior[slot] : 0.0;
            const double x = e->log_odds[first + name] + prior +
                             ak_likelihood_evidence(&e->votes[slot], e->heed);
            w->weight[f * o->r + q] =
                isinf(prior) || ak_confirmed_refuses(e->said, face, names[name])
                    ? 0.0
                    : exp(fmax(-log_weight_most, fmin(log_weight_most, x)));
        }
}

/* z of a photo, by the marginals of its ways. */
static void draw_photo(const estimation *e, int64_t photo, const open_photo *o,
                       const ak_matching *m, const ak_estimate_room *w)
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
                        const ak_estimate_room *w, double *nulls)
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
        p[k] = ak_fixed_of(e, faces[k / r]) == names[k % r] ? 1.0 : 0.0;
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
        if (ak_is_at_hand(e, i))
            infer_photo(e, i, e->rooms + worker, nulls);
    return AKIN_OK;
}

/* ---- how often names and nobody are shown -------------------------------- */

int ak_name_class(int64_t captions)
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
    memset(e->totals, 0, (size_t)e->n_names * sizeof *e->totals);
    memset(e->logs, 0, (size_t)e->n_names * sizeof *e->logs);
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
            e->logs[names[q]] += sum > 0.0 ? log1p(-sum) : 0.0;
        }
    }
    for (int64_t m = 0; m < e->n_mentions; ++m) {
        const double own = e->shown[m] > 0.0 ? log1p(-e->shown[m]) : 0.0;
        const double others = e->logs[b->names[m]] - own;
        e->any[m] = fmin(1.0 - exp(fmin(others, 0.0)), 1.0 - sure);
    }
}

static void learn_rates(estimation *e)
{
    double shown[CLASSES] = {0.0}, all[CLASSES] = {0.0};
    for (int64_t q = 0; q < e->n_names; ++q) {
        shown[ak_name_class(e->captions[q])] += e->totals[q];
        all[ak_name_class(e->captions[q])] += (double)e->captions[q];
    }
    for (int k = 0; k < CLASSES; ++k)
        e->rates[k] = (shown[k] + 3.0) / (all[k] + 5.0);
}

static void learn_odds(estimation *e)
{
    const ak_bags *b = e->b;
    if (!e->given)
        learn_rates(e);
    for (int64_t m = 0; m < e->n_mentions; ++m) {
        const int32_t q = b->names[m];
        const double rate = e->rates[ak_name_class(e->captions[q])];
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

static void near_add(ak_near *l, double a, double share)
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
static double near_mean(const ak_near *l, double most)
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

static void near_close(const estimation *e, const ak_near *l, double any,
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
                      const int32_t *marks, ak_near *near)
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
    const ak_estimate_room *w = e->rooms + worker;
    for (int64_t i = begin; i < end; ++i) {
        const int64_t *faces;
        const int32_t *names, *peers;
        const int64_t n = ak_bags_faces(e->b, i, &faces);
        const int64_t r = ak_bags_names(e->b, i, &names);
        if (!ak_is_at_hand(e, i))
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
    const ak_estimate_room *w = e->rooms + worker;
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
    for (int fold = 0; e->who.d > 0 && fold < AK_FOLDS; ++fold) {
        AK_TRY(ak_people_learn(e, fold));
        ak_people_vote(e, fold, true);
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
        for (int64_t k = e->slots[i];
             ak_is_at_hand(e, i) && k < e->slots[i + 1]; ++k)
            mean[k] += e->p[k] / (double)e->n_used;
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
    if (e->draws)
        ak_exchange_names(e);
    count_shown(e);
    learn_odds(e);
    for (e->fold = 0; e->fold < AK_FOLDS; ++e->fold) {
        AK_TRY(ak_parallel_for(e->ctx, e->b->n_photos, AK_PHOTO_BLOCK,
                               vote_block, e));
        ak_people_vote(e, e->fold, false);
        for (int64_t i = 0; i < e->b->n_photos; ++i)
            if (ak_is_at_hand(e, i))
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
        if (e->touched == NULL)
            learn_odds(e);
    }
    if (e->touched == NULL)
        learn_nulls(e);
done:
    e->fold = -1;
    return st;
}

/* Keeps what was drawn for the photos at hand, as one of the last samples. */
static void keep_sample(const estimation *e, int64_t t)
{
    int32_t *sample = e->samples + t % AK_SAMPLES * e->peers->n;
    for (int64_t i = 0; i < e->b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(e->b, i, &faces);
        const int64_t r = ak_bags_names(e->b, i, &names);
        for (int64_t f = 0; ak_is_at_hand(e, i) && f < n; ++f) {
            sample[faces[f]] = AK_NO_NAME;
            for (int64_t q = 0; q < r; ++q)
                if (e->z[e->slots[i] + f * r + q] > 0.5)
                    sample[faces[f]] = names[q];
        }
    }
}

/* Names are drawn in many rounds, and the means taken. */
static akin_status run_draws(estimation *e, int64_t unused, int64_t all)
{
    akin_status st = AKIN_OK;
    e->draws = true;
    for (int64_t i = 0; i < e->b->n_photos; ++i)
        for (int64_t k = e->slots[i];
             ak_is_at_hand(e, i) && k < e->slots[i + 1]; ++k)
            e->mean[0][k] = e->mean[1][k] = 0.0;
    for (int64_t t = -unused; t < e->n_used; ++t, ++e->round) {
        AK_TRY(draw_round(e, t >= 0));
        if (t >= 0)
            keep_sample(e, t);
        if (e->touched == NULL)
            AK_TRY(ak_ctx_tick(e->ctx, "rounds", e->round + 1, all, NAN));
    }
done:
    return st;
}

/* Where little can be learned, by p in the place of draws. */
static akin_status keep_last(estimation *e)
{
    akin_status st = AKIN_OK;
    e->draws = false;
    memcpy(e->mean[0], e->p, (size_t)e->n_slots * sizeof *e->p);
    e->heed = part_heed;
    AK_TRY(infer_all(e));
    memcpy(e->mean[1], e->p, (size_t)e->n_slots * sizeof *e->p);
    e->heed = 1.0;
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
    e->n_used = DRAWS - UNUSED;
    if (e->likelihood.fitted)
        AK_TRY(run_draws(e, UNUSED, rounds + DRAWS));
    else
        AK_TRY(keep_last(e));
done:
    return st;
}

/* ---- photos that came later ---------------------------------------------- */

static void vote_by_p(const estimation *e)
{
    for (int64_t i = 0; i < e->b->n_photos; ++i)
        if (ak_is_at_hand(e, i))
            memcpy(e->z + e->slots[i], e->p + e->slots[i],
                   (size_t)(e->slots[i + 1] - e->slots[i]) * sizeof *e->z);
}

akin_status ak_estimation_continue(estimation *e)
{
    enum { BY_P = 4, FEW_UNUSED = 6 };
    akin_status st = AKIN_OK;
    AK_TRY(take_rooms(e));
    for (; e->round < BY_P; ++e->round) {
        AK_TRY(draw_round(e, false));
        vote_by_p(e);
    }
    e->n_used = DRAWS - UNUSED;
    if (e->likelihood.fitted)
        AK_TRY(run_draws(e, FEW_UNUSED, 0));
    else
        AK_TRY(keep_last(e));
done:
    return st;
}

/* ---- the result ---------------------------------------------------------- */

/* The sum of probabilities, and how far it may be off: its sampling error over
 * photos, half the difference to the number of faces whose best choice is a
 * name, and that of the model. */
void ak_estimate_set_ratio(akin_estimate *x)
{
    const estimation *e = &x->state;
    double sum = 0.0, squares = 0.0, spread = 0.0, best = 0.0;
    x->n_faces = 0;
    for (int pass = 0; pass < 2; ++pass)
        for (int64_t i = 0; i < e->b->n_photos; ++i) {
            const int64_t n = e->b->item_offsets[i + 1] - e->b->item_offsets[i];
            const int64_t r = e->b->name_offsets[i + 1] - e->b->name_offsets[i];
            double expected = 0.0;
            for (int64_t f = 0; f < n; ++f) {
                double named = 0.0, most = 0.0;
                for (int64_t q = 0; q < r; ++q) {
                    const double p = x->shares[e->slots[i] + f * r + q];
                    named += p;
                    most = fmax(most, p);
                }
                expected += named;
                if (pass == 0) {
                    ++x->n_faces;
                    best += most > 1.0 - named;
                    squares += named * (1.0 - fmin(named, 1.0));
                }
            }
            if (pass == 0)
                sum += expected;
            else
                spread += pow(expected - x->ratio * (double)n, 2.0);
            if (pass == 0 && i == e->b->n_photos - 1)
                x->ratio = sum / fmax((double)x->n_faces, 1.0);
        }
    const double n = fmax((double)x->n_faces, 1.0);
    x->error = sqrt((spread + squares) / (n * n) +
                    pow(0.5 * (best / n - x->ratio), 2.0) +
                    model_error * model_error);
}

void akin_estimate_free(akin_estimate *x)
{
    if (x == NULL)
        return;
    ak_keep_free(x->kept);
    akin_free(x->fixed);
    akin_free(x->refused);
    akin_free(x);
}

/* What a person said, for x to keep. */
akin_status ak_estimate_take_said(akin_estimate *x, akin_ctx *ctx,
                                  const ak_confirmed *said)
{
    const int64_t n = x->state.peers->n;
    akin_status st = AKIN_OK;
    if (x->fixed == NULL)
        AK_TRY(AK_NEW(ctx, ak_max_i64(n, 1), &x->fixed));
    AK_TRY(ak_resize(ctx, ak_max_i64(2 * said->n_refused, 1),
                     sizeof *x->refused, &x->refused));
    for (int64_t f = 0; f < n; ++f)
        x->fixed[f] = said->fixed ? said->fixed[f] : AK_UNDECIDED;
    if (said->n_refused > 0)
        memcpy(x->refused, said->refused,
               (size_t)(2 * said->n_refused) * sizeof *x->refused);
    x->said = (ak_confirmed){x->fixed, x->refused, said->n_refused};
done:
    return st;
}

/* All rounds, in memory that is kept but for that of the workers. */
static akin_status estimate_kept(akin_estimate *x, akin_ctx *ctx,
                                 const akin_naming *s,
                                 const akin_face_names *confirmed)
{
    const akin_fused_options fused = AKIN_FUSED_DEFAULTS;
    const bool own = s->decoys.affinity.values != NULL;
    estimation *e = &x->state;
    ak_confirmed said = {0};
    ak_mark mark = ak_scratch_begin(ctx);
    akin_status st = AKIN_OK;
    if (confirmed != NULL)
        st = ak_confirmed_take(&said, ctx, s, confirmed);
    if (st == AKIN_OK)
        st = ak_estimate_take_said(x, ctx, &said);
    ak_scratch_end(ctx, mark);
    AK_CHECK(st);
    if (!own)
        AK_CHECK(ak_fused_affinities(&x->affinity, &x->decoys, ctx, s));
    AK_CHECK(ak_estimation_open(e));
    AK_CHECK(ak_people_open(e, s));
    mark = ak_scratch_begin(ctx);
    AK_TRY(take_rooms(e));
    AK_TRY(run_rounds(e, own ? s->rounds.most : fused.rounds));
    x->slots = e->slots;
    x->shares = e->mean[0];
    x->p = e->mean[1];
    ak_estimate_set_ratio(x);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status akin_naming_estimate(akin_estimate **out, akin_ctx *ctx,
                                 const akin_naming *s,
                                 const akin_face_names *confirmed)
{
    const akin_fused_options fused = AKIN_FUSED_DEFAULTS;
    const bool own = s->decoys.affinity.values != NULL;
    akin_estimate *x = NULL;
    ak_mark mark;
    akin_status st = AKIN_OK;
    if (s->resumed != NULL)
        return ak_estimate_resumed(out, ctx, s, confirmed);
    AK_TRY(AK_NEW(ctx, 1, &x));
    x->affinity = s->affinity;
    x->decoys = s->decoys;
    x->state = (estimation){.ctx = ctx,
                            .peers = &s->peers,
                            .b = s->peers.bags,
                            .said = &x->said,
                            .a = &x->affinity,
                            .decoys = &x->decoys,
                            .prior = s->prior,
                            .quality = s->quality,
                            .heed = 1.0,
                            .fold = -1,
                            .k = own ? s->k : fused.k};
    AK_TRY(ak_keep_begin(ctx, &mark));
    st = estimate_kept(x, ctx, s, confirmed);
    if (st != AKIN_OK)
        ak_scratch_end(ctx, mark);
    AK_TRY(st);
    x->kept = ak_keep_end(ctx, mark);
    *out = x;
    x = NULL;
done:
    akin_estimate_free(x);
    return st;
}

/* ---- answers since ------------------------------------------------------- */

/* Of the photos of faces that are told otherwise than before; returns how many
 * there are. */
static int64_t touch_told(const akin_estimate *x, const ak_confirmed *said,
                          bool *touched)
{
    const ak_shared_names *peers = x->state.peers;
    const ak_confirmed *const lists[] = {said, &x->said};
    int64_t n = 0;
    for (int64_t f = 0; f < peers->n; ++f) {
        const int32_t now = said->fixed ? said->fixed[f] : AK_UNDECIDED;
        if (now != x->fixed[f])
            touched[peers->photo[f]] = true;
    }
    for (int side = 0; side < 2; ++side)
        for (int64_t k = 0; k < lists[side]->n_refused; ++k) {
            const int32_t *pair = lists[side]->refused + 2 * k;
            if (!ak_confirmed_refuses(lists[1 - side], pair[0], pair[1]))
                touched[peers->photo[pair[0]]] = true;
        }
    for (int64_t i = 0; i < peers->bags->n_photos; ++i)
        n += touched[i];
    return n;
}

/* The names of the photos that are touched. */
static void list_wanted(const estimation *e, const bool *touched, bool *wanted)
{
    for (int64_t i = 0; i < e->b->n_photos; ++i)
        for (int64_t m = e->b->name_offsets[i];
             touched[i] && m < e->b->name_offsets[i + 1]; ++m)
            wanted[e->b->names[m]] = true;
}

/* And of all photos that share a name with these. A name of many photos is not
 * followed: one answer more says little of it. */
static void touch_shared(const estimation *e, bool *touched, bool *wanted)
{
    list_wanted(e, touched, wanted);
    for (int64_t q = 0; q < e->n_names; ++q)
        for (int64_t k = e->first[q];
             wanted[q] && e->captions[q] <= SPREAD_MOST && k < e->first[q + 1];
             ++k)
            touched[e->photos[k]] = true;
    list_wanted(e, touched, wanted);
}

/* Draws for the photos that are touched, by what was learned before. */
static akin_status draw_touched(estimation *e)
{
    akin_status st = AKIN_OK;
    AK_TRY(take_rooms(e));
    if (e->likelihood.fitted) {
        e->n_used = AK_SAMPLES;
        AK_TRY(run_draws(e, 2, 0));
    } else {
        e->touched = e->wanted = NULL;
        AK_TRY(infer_all(e));
        AK_TRY(keep_last(e));
    }
done:
    return st;
}

akin_status akin_estimate_update(akin_ctx *ctx, akin_estimate *x,
                                 const akin_naming *s,
                                 const akin_face_names *confirmed)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    estimation *e = &x->state;
    ak_confirmed said = {0};
    bool *touched, *wanted;
    akin_status st = AKIN_OK;
    if (s->resumed != NULL)
        AK_TRY(ak_fail(ctx, AKIN_EINVAL,
                       "names that were resumed take no further answers"));
    e->ctx = ctx;
    if (confirmed != NULL)
        AK_TRY(ak_confirmed_take(&said, ctx, s, confirmed));
    AK_TRY(AK_SCRATCH(ctx, ak_max_i64(e->b->n_photos, 1), &touched));
    if (touch_told(x, &said, touched) == 0)
        goto done;
    AK_TRY(AK_SCRATCH(ctx, ak_max_i64(e->n_names, 1), &wanted));
    touch_shared(e, touched, wanted);
    AK_TRY(ak_estimate_take_said(x, ctx, &said));
    e->touched = touched;
    e->wanted = wanted;
    AK_TRY(draw_touched(e));
    ak_estimate_set_ratio(x);
done:
    e->touched = e->wanted = NULL;
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
                x->state.prior != NULL && isinf(x->state.prior[x->slots[i] + k])
                    ? -INFINITY
                    : shares[k] - none_of(shares + k / r * r, r);
    }
    return AKIN_OK;
}

ak_scorer ak_estimate_scorer(const akin_estimate *x,
                             const ak_shared_names *peers)
{
    return (ak_scorer){
        .peers = peers, .score = score_odds, .arg = x, .once = true};
}
