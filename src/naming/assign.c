/* Algorithm 2 of [1]: names for all faces of all photos.
 *   [1] Xiao, Xu, Wu. Automatic face naming by learning discriminative affinity
 *       matrices from weakly labeled images. TNNLS 26(10), 2015.
 *
 *   b_c = A y_c / 1'y_c                          (1)  score of name c
 *   b_c = 2 A y_c/s - (y_c'A y_c/s^2) 1          (2)  s = 1'y_c; below y'Ay/1'y
 *                                                     for a PSD A, so that the
 *                                                     objective never falls
 *   max over labels of a photo of sum_f b, theta for no name          (3)
 *
 * In the first round every face has all names of its caption that what was said
 * leaves it. A is needed between faces that share a name only, and (1) for the
 * names of a caption. */
#include "naming/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "naming/photos.h"

enum { PERIOD_MOST = 4 };

akin_status ak_face_labels_new(ak_face_labels *out, akin_ctx *ctx,
                               const ak_shared_names *peers)
{
    akin_status st = AKIN_OK;
    *out = (ak_face_labels){0};
    AK_TRY(AK_SCRATCH(ctx, peers->n, &out->labels));
    AK_TRY(AK_SCRATCH(ctx, peers->n, &out->margins));
done:
    return st;
}

static void count_names(ak_face_labels *out, const ak_photos *p)
{
    out->theta = p->theta;
    out->named = 0;
    for (int64_t f = 0; f < p->peers->n; ++f)
        out->named += out->labels[f] < p->peers->n_names;
}

/* (3), with theta as given or for the count. */
static akin_status assign_all(ak_photos *p, ak_face_labels *out,
                              const ak_assign_options *o, bool margins)
{
    akin_status st = AKIN_OK;
    p->theta = o->theta;
    if (o->count >= 0)
        AK_TRY(ak_photos_theta(p, o->count, &out->reachable));
    p->labels = out->labels;
    p->margins = margins ? out->margins : NULL;
    AK_TRY(ak_photos_assign(p));
    count_names(out, p);
done:
    return st;
}

/* ---- the names that faces begin with ------------------------------------- */

/* Of one photo; `taken` says by which photo a name was last given. */
static void narrow_photo(const ak_shared_names *p, const ak_confirmed *c,
                         int64_t photo, int64_t *taken, int64_t *counts,
                         int32_t *names)
{
    const int64_t *faces;
    const int32_t *caption;
    const int64_t n = ak_bags_faces(p->bags, photo, &faces);
    const int64_t r = ak_bags_names(p->bags, photo, &caption);
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = c->fixed ? c->fixed[faces[f]] : AK_UNDECIDED;
        if (fixed >= 0 && fixed < p->n_names)
            taken[fixed] = photo + 1;
    }
    for (int64_t f = 0; f < n; ++f) {
        const int32_t fixed = c->fixed ? c->fixed[faces[f]] : AK_UNDECIDED;
        int32_t *mine = names + f * r;
        int64_t count = 0;
        for (int64_t q = 0; q < r; ++q)
            if (fixed >= 0 ? caption[q] == fixed
                           : taken[caption[q]] != photo + 1 &&
                                 !ak_confirmed_refuses(c, faces[f], caption[q]))
                mine[count++] = caption[q];
        counts[faces[f]] = count;
    }
}

/* Scratch memory. */
static akin_status start_names_of(ak_start_names *out, akin_ctx *ctx,
                                  const ak_shared_names *p,
                                  const ak_confirmed *c)
{
    const ak_bags *b = p->bags;
    int64_t *taken, *counts, size = 0;
    const int32_t **names;
    int32_t *all;
    akin_status st = AKIN_OK;
    *out = (ak_start_names){0};
    if (c->fixed == NULL && c->n_refused == 0)
        return AKIN_OK;
    for (int64_t i = 0; i < b->n_photos; ++i)
        size += (b->item_offsets[i + 1] - b->item_offsets[i]) *
                (b->name_offsets[i + 1] - b->name_offsets[i]);
    AK_TRY(AK_SCRATCH(ctx, p->n_names, &taken));
    AK_TRY(AK_SCRATCH(ctx, p->n, &counts));
    AK_TRY(AK_SCRATCH(ctx, p->n, &names));
    AK_TRY(AK_SCRATCH(ctx, size, &all));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *caption;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &caption);
        narrow_photo(p, c, i, taken, counts, all);
        for (int64_t f = 0; f < n; ++f)
            names[faces[f]] = all + f * r;
        all += n * r;
    }
    *out = (ak_start_names){counts, names};
done:
    return st;
}

/* ---- rounds -------------------------------------------------------------- */

/* Labels of the last rounds: if they repeat once, they repeat for ever. */
typedef struct past {
    int64_t n, rounds;
    int32_t *labels;  // PERIOD_MOST x n, in a ring
} past;

static int32_t *labels_of(const past *p, int64_t round)
{
    return p->labels + round % PERIOD_MOST * p->n;
}

/* How many rounds ago the labels were the same, 0: not among those kept. Keeps
 * these labels. */
static int64_t repeat_of(past *p, const int32_t *labels)
{
    const size_t bytes = (size_t)p->n * sizeof *labels;
    int64_t period = 0;
    for (int64_t k = ak_min_i64(p->rounds, PERIOD_MOST); k > 0; --k)
        if (memcmp(labels_of(p, p->rounds - k), labels, bytes) == 0)
            period = k;
    memcpy(labels_of(p, p->rounds++), labels, bytes);
    return period;
}

/* The standard deviation of scores over all pairs. */
static double spread_of(const ak_photos *p)
{
    const int64_t n = p->slots[p->peers->bags->n_photos];
    double sum = 0.0, squares = 0.0;
    for (int64_t k = 0; k < n; ++k)
        sum += p->B[k] / (double)n;
    for (int64_t k = 0; k < n; ++k)
        squares += (p->B[k] - sum) * (p->B[k] - sum) / (double)n;
    return sqrt(squares);
}

static void add_prior(ak_photos *p, const double *prior)
{
    const int64_t n = p->slots[p->peers->bags->n_photos];
    const double spread = fmax(spread_of(p), 1e-12);
    for (int64_t k = 0; k < n; ++k)
        p->B[k] += spread * prior[k];
}

/* Scores and labels of the next round. */
static akin_status make_round(ak_photos *photos, ak_face_labels *out,
                              akin_ctx *ctx, const ak_scorer *scorer,
                              const ak_assign_options *o, const past *p)
{
    const int32_t *labels = p->rounds ? labels_of(p, p->rounds - 1) : NULL;
    akin_status st = AKIN_OK;
    AK_TRY(scorer->score(scorer->arg, ctx, labels, o, photos));
    if (o->prior != NULL)
        add_prior(photos, o->prior);
    AK_TRY(assign_all(photos, out, o, false));
done:
    return st;
}

/* Scores become the means over a whole period, so that a face which goes to and
 * fro is given what is better on average. */
static akin_status blend(ak_photos *photos, ak_face_labels *out, akin_ctx *ctx,
                         const ak_scorer *scorer, const ak_assign_options *o,
                         past *p)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t size = photos->slots[scorer->peers->bags->n_photos];
    const double share = 1.0 / (double)out->period;
    double *sum;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(ctx, size, &sum));
    for (int64_t t = 0; t < out->period; ++t) {
        AK_TRY(make_round(photos, out, ctx, scorer, o, p));
        repeat_of(p, out->labels);
        for (int64_t k = 0; k < size; ++k)
            sum[k] += share * photos->B[k];
    }
    memcpy(photos->B, sum, (size_t)size * sizeof *sum);
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_label(ak_face_labels *out, akin_ctx *ctx,
                     const ak_scorer *scorer, const ak_assign_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    ak_assign_options own = *o;
    past p = {.n = scorer->peers->n};
    int64_t last = o->rounds;
    ak_photos photos;
    akin_status st = AKIN_OK;
    AK_TRY(ak_photos_new(&photos, ctx, scorer->peers, &o->confirmed));
    AK_TRY(start_names_of(&own.start_names, ctx, scorer->peers, &o->confirmed));
    AK_TRY(AK_SCRATCH(ctx, PERIOD_MOST * p.n, &p.labels));
    out->converged = false;
    out->period = 0;
    for (out->rounds = 0; out->rounds < last && !out->converged;) {
        AK_TRY(make_round(&photos, out, ctx, scorer, &own, &p));
        ++out->rounds;
        const int64_t period = scorer->once ? 1 : repeat_of(&p, out->labels);
        if (period > 0 && out->period == 0) {  // the last round is one of these
            out->period = period;
            last = out->rounds + (o->rounds - out->rounds) % period;
        }
        out->converged = period == 1 || (period > 0 && scorer->blends);
        AK_TRY(ak_ctx_tick(ctx, "rounds", out->rounds, o->rounds, NAN));
    }
    if (!out->converged)
        out->rounds = o->rounds;  // as if they had all been made
    if (out->converged && out->period > 1)
        AK_TRY(blend(&photos, out, ctx, scorer, &own, &p));
    AK_TRY(assign_all(&photos, out, o, true));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

/* The largest weight that is not 0, as a logarithm. */
static double largest_prior(const ak_bags *b, const double *prior)
{
    double most = 0.0;
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t pairs = (b->item_offsets[i + 1] - b->item_offsets[i]) *
                              (b->name_offsets[i + 1] - b->name_offsets[i]);
        for (int64_t k = 0; k < pairs; ++k)
            most = fmax(most, isinf(prior[k]) ? 0.0 : fabs(prior[k]));
        prior += pairs;
    }
    return most;
}

akin_status ak_label_tuned(ak_face_labels *out, akin_ctx *ctx,
                           const ak_affinity *a, const ak_assign_options *o,
                           int64_t count)
{
    enum { STEPS = 40 };
    const ak_scorer votes = ak_votes_of(a);
    ak_assign_options at = *o;
    double low = INFINITY, high = -INFINITY, best = 0.0;
    int64_t error = INT64_MAX;
    akin_status st = AKIN_OK;
    for (int64_t k = 0; k < a->peers->start[a->peers->n]; ++k) {
        low = fmin(low, a->values[k]);
        high = fmax(high, a->values[k]);
    }
    double reach = isfinite(low) ? high - low : 0.0;
    if (o->prior != NULL)
        reach *= 1.0 + largest_prior(a->peers->bags, o->prior);
    low = isfinite(low) ? low - reach - 1e-6 : 0.0;
    high = isfinite(high) ? high + reach + 1e-6 : 0.0;
    at.count = -1;
    for (int step = 0; step < STEPS && error > 0; ++step) {
        at.theta = 0.5 * (low + high);
        AK_TRY(ak_label(out, ctx, &votes, &at));
        const int64_t miss = llabs(out->named - count);
        if (miss < error || (miss == error && at.theta < best)) {
            error = miss;
            best = at.theta;
        }
        *(out->named > count ? &low : &high) = at.theta;
    }
    at.theta = best;
    AK_TRY(ak_label(out, ctx, &votes, &at));
done:
    return st;
}
