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
 * In the first round every face has all names of its caption. A is needed
 * between faces that share a name only, and (1) for the names of a caption. */
#include "naming/assign.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "naming/photos.h"

akin_status ak_labels_new(ak_labels *out, akin_ctx *ctx, const ak_peers *peers)
{
    akin_status st = AKIN_OK;
    *out = (ak_labels){0};
    AK_TRY(AK_SCRATCH(ctx, peers->n, &out->labels));
    AK_TRY(AK_SCRATCH(ctx, peers->n, &out->margins));
done:
    return st;
}

static void count_names(ak_labels *out, const ak_photos *p)
{
    out->theta = p->theta;
    out->named = 0;
    for (int64_t f = 0; f < p->peers->n; ++f)
        out->named += out->labels[f] < p->peers->n_names;
}

/* (3), with theta as given or for the count. */
static akin_status assign_all(ak_photos *p, ak_labels *out,
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

akin_status ak_label(ak_labels *out, akin_ctx *ctx, const ak_scorer *scorer,
                     const ak_assign_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const int64_t n = scorer->peers->n;
    const size_t bytes = (size_t)n * sizeof *out->labels;
    const int32_t *labels = NULL;
    int64_t last = o->rounds;
    ak_photos photos;
    int32_t *before, *earlier;
    akin_status st = AKIN_OK;
    AK_TRY(ak_photos_new(&photos, ctx, scorer->peers, &o->confirmed));
    AK_TRY(AK_SCRATCH(ctx, n, &before));
    AK_TRY(AK_SCRATCH(ctx, n, &earlier));
    out->converged = false;
    for (out->rounds = 1; out->rounds <= last; ++out->rounds) {
        AK_TRY(scorer->score(scorer->arg, ctx, labels, o, &photos));
        AK_TRY(assign_all(&photos, out, o, false));
        out->converged = scorer->once ||
                         (labels && memcmp(before, out->labels, bytes) == 0);
        if (out->converged)
            break;
        /* To and fro from here on: the last round is known now. */
        if (out->rounds > 2 && memcmp(earlier, out->labels, bytes) == 0)
            last = out->rounds + (last - out->rounds) % 2;
        memcpy(earlier, before, bytes);
        memcpy(before, out->labels, bytes);
        labels = before;
        AK_TRY(ak_ctx_tick(ctx, "rounds", out->rounds, o->rounds, NAN));
    }
    out->rounds = ak_min_i64(out->rounds, last);
    AK_TRY(assign_all(&photos, out, o, true));
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_label_once(ak_labels *out, akin_ctx *ctx, const ak_peers *peers,
                          const double *B, const ak_assign_options *o)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_bags *b = peers->bags;
    ak_photos photos;
    akin_status st = AKIN_OK;
    AK_TRY(ak_photos_new(&photos, ctx, peers, &o->confirmed));
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t f = 0; f < n; ++f)
            for (int64_t q = 0; q < r; ++q)
                photos.B[photos.slots[i] + f * r + q] =
                    B[names[q] * peers->n + faces[f]];
    }
    AK_TRY(assign_all(&photos, out, o, true));
    out->rounds = 1;
    out->converged = true;
done:
    ak_scratch_end(ctx, mark);
    return st;
}

akin_status ak_label_tuned(ak_labels *out, akin_ctx *ctx, const ak_affinity *a,
                           const ak_assign_options *o, int64_t count)
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
    const double reach = isfinite(low) ? high - low : 0.0;
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

akin_status ak_label_objective(double *out, akin_ctx *ctx, const ak_affinity *a,
                               const int32_t *labels)
{
    const ak_mark mark = ak_scratch_begin(ctx);
    const ak_peers *p = a->peers;
    double *sums, *sizes;
    akin_status st = AKIN_OK;
    *out = 0.0;
    AK_TRY(AK_SCRATCH(ctx, p->n_names, &sums));
    AK_TRY(AK_SCRATCH(ctx, p->n_names, &sizes));
    for (int64_t f = 0; f < p->n; ++f) {
        const int32_t *peers;
        const int64_t n = ak_peers_get(p, f, &peers);
        if (labels[f] >= p->n_names)
            continue;
        sizes[labels[f]] += 1.0;
        for (int64_t k = 0; k < n; ++k)
            if (labels[peers[k]] == labels[f])
                sums[labels[f]] += a->values[p->start[f] + k];
    }
    for (int64_t c = 0; c < p->n_names; ++c)
        if (sizes[c] > 0.0)
            *out += sums[c] / sizes[c];
done:
    ak_scratch_end(ctx, mark);
    return st;
}
