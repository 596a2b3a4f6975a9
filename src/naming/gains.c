/* How much a person's answer about a face is worth: how many more faces are
 * then expected to be right.
 *
 * The ways to give names to the faces of a photo have the weights
 *
 *   w(way) = prod over faces with a name of p(f, c) / p(f, none)           (1)
 *
 * and the value of a photo is the expected number of right faces, when each
 * gets what is most likely:
 *
 *   V = sum over faces f of max over c of w(f = c)                         (2)
 *
 * An answer about f parts the ways by what f has; the gain is what V then is,
 * summed over the parts, less V. The faces of a photo are asked about in turn,
 * the best one first, so that each gain is that after the answers before it.
 *
 * Faces of other photos that always had the same name as f when names were
 * drawn, even when that was not the name given, learn from the answer too. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "naming/estimate.h"

enum { WAYS_MOST = 1024, FACES_MOST = 16 };  // else faces are taken for alone

static const double none_least = 1e-6;

/* The ways of one photo, each a choice for each face: 0 no name, else 1 + its
 * place in the caption. */
typedef struct ways {
    int64_t n, r;               // open faces, names of the caption
    int64_t count;              // of ways
    int32_t *choices;           // count x n
    double *weights;            // count, sum 1
    int32_t *part;              // count: which of the answers so far it fits
    int32_t *order;             // count: ways, those of a part together
    double *sums;               // r + 1
    const double *p;            // n x r
    const bool *taken;          // r: a person gave it to a face
    int64_t faces[FACES_MOST];  // rows
} ways;

/* All ways from face f on, of which `weight` is that of the choices so far;
 * false: there are too many. */
static bool list_ways(ways *s, int64_t f, int32_t *choice, double weight)
{
    if (f == s->n) {
        if (s->count == WAYS_MOST)
            return false;
        memcpy(s->choices + s->count * s->n, choice,
               (size_t)s->n * sizeof *choice);
        s->weights[s->count++] = weight;
        return true;
    }
    double none = 1.0;
    for (int64_t q = 0; q < s->r; ++q)
        none -= s->p[f * s->r + q];
    choice[f] = 0;
    if (!list_ways(s, f + 1, choice, weight))
        return false;
    for (int64_t q = 0; q < s->r; ++q) {
        const double odds = s->p[f * s->r + q] / fmax(none, none_least);
        bool is_free = !s->taken[q] && odds > 1e-3;
        for (int64_t g = 0; g < f; ++g)
            is_free = is_free && choice[g] != q + 1;
        choice[f] = (int32_t)(q + 1);
        if (is_free && !list_ways(s, f + 1, choice, weight * odds))
            return false;
    }
    return true;
}

/* (2) of the ways of one part, order[begin] to order[end]. */
static double value_of(const ways *s, int64_t begin, int64_t end)
{
    double value = 0.0;
    for (int64_t f = 0; f < s->n; ++f) {
        double most = 0.0;
        memset(s->sums, 0, (size_t)(s->r + 1) * sizeof *s->sums);
        for (int64_t k = begin; k < end; ++k) {
            const int32_t way = s->order[k];
            double *sum = s->sums + s->choices[way * s->n + f];
            *sum += s->weights[way];
            most = fmax(most, *sum);
        }
        value += most;
    }
    return value;
}

/* Moves the ways of a part that choose `choice` for face f to its front. */
static int64_t gather(const ways *s, int64_t begin, int64_t end, int64_t f,
                      int32_t choice)
{
    for (int64_t k = begin; k < end; ++k) {
        const int32_t way = s->order[k];
        if (s->choices[way * s->n + f] != choice)
            continue;
        s->order[k] = s->order[begin];
        s->order[begin++] = way;
    }
    return begin;
}

/* (2) over the parts by the answers so far and one about face f more; `keep`:
 * these are then the parts. */
static double value_after(const ways *s, int64_t f, bool keep)
{
    double value = 0.0;
    int32_t parts = 0;
    for (int64_t begin = 0, end; begin < s->count; begin = end) {
        const int32_t part = s->part[s->order[begin]];
        for (end = begin; end < s->count && s->part[s->order[end]] == part;)
            ++end;
        for (int64_t at = begin, next; at < end; at = next) {
            next = gather(s, at, end, f, s->choices[s->order[at] * s->n + f]);
            value += value_of(s, at, next);
            for (int64_t k = at; keep && k < next; ++k)
                s->part[s->order[k]] = parts;
            ++parts;
        }
    }
    return value;
}

/* Gains of the faces of a photo in turn. */
static void ask_in_turn(ways *s, double *gains)
{
    bool asked[FACES_MOST] = {false};
    double sum = 0.0, value;
    for (int64_t k = 0; k < s->count; ++k)
        sum += s->weights[k];
    for (int64_t k = 0; k < s->count; ++k) {
        s->weights[k] /= sum;
        s->part[k] = 0;
        s->order[k] = (int32_t)k;
    }
    value = value_of(s, 0, s->count);
    for (int64_t step = 0; step < s->n; ++step) {
        double most = -1.0;
        int64_t best = -1;
        for (int64_t f = 0; f < s->n; ++f) {
            const double after = asked[f] ? -1.0 : value_after(s, f, false);
            if (after > most + 1e-9) {
                most = after;
                best = f;
            }
        }
        asked[best] = true;
        value_after(s, best, true);
        gains[s->faces[best]] += fmax(most - value, 0.0);
        value = most;
    }
}

/* ---- one photo ----------------------------------------------------------- */

typedef struct review {
    const akin_estimate *x;
    const ak_shared_names *peers;
    const ak_confirmed *said;
    const int32_t *names;
    double *gains;
    ways ways;
    double *p;        // of the open faces
    bool *taken;      // of the names of a caption
    int32_t *choice;  // FACES_MOST
} review;

static bool is_said(const review *s, int64_t face)
{
    return s->said->fixed != NULL && s->said->fixed[face] >= 0;
}

/* Each face for itself. */
static void ask_alone(const review *s, int64_t photo)
{
    const ak_bags *b = s->peers->bags;
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, photo, &names);
    for (int64_t f = 0; f < n; ++f) {
        double most = ak_estimate_none(s->x, photo, f, r);
        for (int64_t q = 0; q < r; ++q)
            most = fmax(most, s->x->p[s->x->slots[photo] + f * r + q]);
        if (!is_said(s, faces[f]))
            s->gains[faces[f]] += fmax(1.0 - most, 0.0);
    }
}

static void ask_photo(review *s, int64_t photo)
{
    const ak_bags *b = s->peers->bags;
    const int64_t *faces;
    const int32_t *names;
    const int64_t n = ak_bags_faces(b, photo, &faces);
    const int64_t r = ak_bags_names(b, photo, &names);
    ways *w = &s->ways;
    w->n = w->count = 0;
    w->r = r;
    memset(s->taken, 0, (size_t)r * sizeof *s->taken);
    for (int64_t f = 0; f < n; ++f)
        for (int64_t q = 0; is_said(s, faces[f]) && q < r; ++q)
            s->taken[q] = s->taken[q] || s->said->fixed[faces[f]] == names[q];
    for (int64_t f = 0; n <= FACES_MOST && f < n; ++f)
        if (!is_said(s, faces[f])) {
            memcpy(s->p + w->n * r, s->x->p + s->x->slots[photo] + f * r,
                   (size_t)r * sizeof *s->p);
            w->faces[w->n++] = faces[f];
        }
    if (n <= FACES_MOST && list_ways(w, 0, s->choice, 1.0))
        ask_in_turn(w, s->gains);
    else
        ask_alone(s, photo);
}

/* ---- other photos -------------------------------------------------------- */

/* The share of samples in which both faces had the same name, but not the one
 * that was given to both. */
static double shared_doubt(const review *s, int64_t face, int64_t other)
{
    const int64_t n = s->peers->n;
    const int32_t *sample = s->x->state.samples;
    int64_t count = 0;
    for (int64_t t = 0; t < AK_SAMPLES; ++t, sample += n)
        count += sample[face] >= 0 && sample[face] == sample[other] &&
                 sample[face] != s->names[face];
    return (double)count / AK_SAMPLES;
}

/* Is the face of another photo, and named as `face` is? */
static bool is_named_like(const review *s, int64_t face, int64_t other)
{
    return s->peers->photo[other] != s->peers->photo[face] &&
           s->names[other] == s->names[face] && !is_said(s, other);
}

/* What the faces of other photos gain by an answer about `face`. */
static double gain_of_others(const review *s, int64_t face)
{
    const int32_t *peers;
    const int64_t n = ak_shared_names_get(s->peers, face, &peers);
    double sum = 0.0;
    if (is_said(s, face) || s->names[face] < 0 ||
        shared_doubt(s, face, face) == 0.0)
        return 0.0;
    for (int64_t k = 0; k < n; ++k)
        if (is_named_like(s, face, peers[k]))
            sum += shared_doubt(s, face, peers[k]);
    return sum;
}

typedef struct asked {
    double gain;
    int64_t face;
} asked;

static int by_gain(const void *left, const void *right)
{
    const asked *a = left, *b = right;
    if (a->gain != b->gain)
        return a->gain < b->gain ? 1 : -1;
    return (a->face > b->face) - (a->face < b->face);
}

/* Of faces that share a doubt, the one with the largest gain settles it. */
static akin_status add_others(const review *s, akin_ctx *ctx)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    asked *list;
    bool *settled;
    int64_t n = 0;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, s->peers->n, &list));
    AK_TRY(AK_SCRATCH(ctx, s->peers->n, &settled));
    for (int64_t f = 0; f < s->peers->n; ++f) {
        const double more = s->peers->photo[f] < 0 ? 0.0 : gain_of_others(s, f);
        if (more > 0.0)
            list[n++] = (asked){s->gains[f] + more, f};
    }
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, by_gain);
    for (int64_t k = 0; k < n; ++k) {
        const int64_t f = list[k].face;
        const int32_t *peers;
        const int64_t m = ak_shared_names_get(s->peers, f, &peers);
        if (settled[f])
            continue;
        s->gains[f] = list[k].gain;
        for (int64_t g = 0; g < m; ++g) {
            const double doubt = is_named_like(s, f, peers[g])
                                     ? shared_doubt(s, f, peers[g])
                                     : 0.0;
            if (doubt == 0.0 || settled[peers[g]])
                continue;
            settled[peers[g]] = true;
            s->gains[peers[g]] = fmax(s->gains[peers[g]] - doubt, 0.0);
        }
    }
done:
    ak_scratch_end(ctx, mark);
    return st;
}

static akin_status take_room(review *s, akin_ctx *ctx)
{
    const ak_bags *b = s->peers->bags;
    ways *w = &s->ways;
    int64_t most = 1;
    akin_status st = AKIN_OK;
    for (int64_t i = 0; i < b->n_photos; ++i)
        most = ak_max_i64(most, b->name_offsets[i + 1] - b->name_offsets[i]);
    AK_TRY(AK_SCRATCH(ctx, WAYS_MOST * FACES_MOST, &w->choices));
    AK_TRY(AK_SCRATCH(ctx, WAYS_MOST, &w->weights));
    AK_TRY(AK_SCRATCH(ctx, WAYS_MOST, &w->part));
    AK_TRY(AK_SCRATCH(ctx, WAYS_MOST, &w->order));
    AK_TRY(AK_SCRATCH(ctx, most + 1, &w->sums));
    AK_TRY(AK_SCRATCH(ctx, FACES_MOST * most, &s->p));
    AK_TRY(AK_SCRATCH(ctx, most, &s->taken));
    AK_TRY(AK_SCRATCH(ctx, FACES_MOST, &s->choice));
    w->p = s->p;
    w->taken = s->taken;
done:
    return st;
}

akin_status akin_estimate_gains(double *gains, akin_ctx *ctx,
                                const akin_estimate *x, const akin_naming *s,
                                const int32_t *names,
                                const akin_face_names *confirmed)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_confirmed said = {0};
    review v = {.x = x,
                .peers = &s->peers,
                .said = &said,
                .names = names,
                .gains = gains};
    akin_status st = AKIN_OK;
    if (confirmed != NULL)
        AK_TRY(ak_confirmed_take(&said, ctx, s, confirmed));
    AK_TRY(take_room(&v, ctx));
    for (int64_t f = 0; f < s->peers.n; ++f)
        gains[f] = 0.0;
    for (int64_t i = 0; i < s->peers.bags->n_photos; ++i)
        ask_photo(&v, i);
    if (x->state.likelihood.fitted)
        AK_TRY(add_others(&v, ctx));
done:
    ak_scratch_end(ctx, mark);
    return st;
}
