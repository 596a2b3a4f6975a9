/* Votes by what is known of the person: how much more likely a face is beside
 * the other faces of a name than alone (naming/gaussians.h). The covariance of
 * the faces of one person is learned from other photos than those it votes
 * on. */
#include <math.h>
#include <string.h>

#include "la/dense.h"
#include "naming/estimation.h"

enum { FOLDS = AK_FOLDS };

static const double sure = 1e-9;  // shares stay this far from 1

/* Photos that share rare names lie in different folds, the photos being in the
 * order of their first rows. */
static akin_status choose_folds(ak_estimation *e)
{
    const ak_bags *b = e->b;
    const ak_mark mark = ak_scratch_begin(e->ctx);
    double *seen, sizes[FOLDS] = {0.0};
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(e->ctx, FOLDS * e->n_names, &seen));
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
static akin_status take_faces(ak_estimation *e, const akin_naming *s)
{
    ak_face_sums *w = &e->who;
    const int64_t n = e->peers->n;
    ak_faces_svd x;
    akin_status st = AKIN_OK;
    AK_TRY(ak_faces_svd_of(&x, e->ctx, n, s->d, s->X));
    w->d = ak_min_i64(x.r, AK_PEOPLE_DIM_MOST);
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

/* Room for the faces of w->d coordinates. */
static akin_status take_room(ak_estimation *e)
{
    ak_face_sums *w = &e->who;
    const int64_t n = e->peers->n;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(e->ctx, e->b->n_photos, &w->fold));
    AK_TRY(AK_SCRATCH(e->ctx, e->n_names, &w->row));
    AK_TRY(choose_folds(e));
    for (int64_t q = 0; q < e->n_names; ++q)
        w->row[q] = e->captions[q] > 1 ? (int32_t)w->n_rows++ : -1;
    for (int k = 0; k < FOLDS; ++k) {
        AK_TRY(AK_SCRATCH(e->ctx, n * w->d, &w->Z[k]));
        AK_TRY(AK_SCRATCH(e->ctx, w->d, &w->b[k]));
        AK_TRY(AK_SCRATCH(e->ctx, w->d * w->d, &w->M[k]));
    }
    AK_TRY(AK_SCRATCH(e->ctx, w->n_rows * w->d, &w->sums));
    AK_TRY(AK_SCRATCH(e->ctx, w->n_rows, &w->counts));
    AK_TRY(AK_SCRATCH(e->ctx, w->d, &w->own));
done:
    return st;
}

akin_status ak_people_open(ak_estimation *e, const akin_naming *s)
{
    ak_face_sums *w = &e->who;
    akin_status st = AKIN_OK;
    AK_TRY(take_faces(e, s));
    AK_TRY(take_room(e));
    AK_TRY(AK_SCRATCH(e->ctx, ak_max_i64(e->peers->n, w->n_rows) * w->d,
                      &w->scaled));
    AK_TRY(AK_SCRATCH_EACH(e->ctx, w->d * w->d, &w->W, &w->g.M));
    AK_TRY(AK_SCRATCH(e->ctx, 2 * w->d * w->d, &w->work));
    AK_TRY(AK_SCRATCH(e->ctx, w->d, &w->g.b));
    w->g.d = w->d;
done:
    return st;
}

/* The faces in the coordinates of a fold. */
static akin_status turn_faces(const ak_estimation *e, int fold)
{
    const ak_face_sums *w = &e->who;
    return ak_gemm(e->ctx, false, false, e->peers->n, w->d, w->d, 1.0, w->Y,
                   w->d, w->M[fold], w->d, 0.0, w->Z[fold], w->d);
}

akin_status ak_people_resume(ak_estimation *e, int64_t r, const double *XQ,
                             int64_t d, const double *mean, const double *M,
                             const double *b)
{
    ak_face_sums *w = &e->who;
    const int64_t n = e->peers->n;
    akin_status st = AKIN_OK;
    w->d = d;
    AK_TRY(AK_SCRATCH(e->ctx, n * d, &w->Y));
    for (int64_t k = 0; k < n * d; ++k)
        w->Y[k] = XQ[k / d * r + k % d] - mean[k % d];
    AK_TRY(take_room(e));
    for (int k = 0; k < FOLDS; ++k) {
        memcpy(w->M[k], M + k * d * d, (size_t)(d * d) * sizeof *M);
        memcpy(w->b[k], b + k * d, (size_t)d * sizeof *b);
        AK_TRY(turn_faces(e, k));
    }
done:
    return st;
}

/* The sums of faces (rows of X) by p, for names with several mentions, without
 * the photos of a fold (-1: of all). */
static void sum_names(const ak_estimation *e, const double *X, int fold,
                      double *sums, double *counts, double *squares)
{
    const ak_face_sums *w = &e->who;
    memset(sums, 0, (size_t)(w->n_rows * w->d) * sizeof *sums);
    memset(counts, 0, (size_t)w->n_rows * sizeof *counts);
    for (int64_t i = 0; i < e->b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(e->b, i, &faces);
        const int64_t r = ak_bags_names(e->b, i, &names);
        for (int64_t k = 0; w->fold[i] != fold && k < n * r; ++k) {
            const int32_t row = w->row[names[k % r]];
            const double p = e->z[e->slots[i] + k] *
                             ak_quality_of(e, faces[k / r]);
            if (row < 0 || p <= 0.0 ||
                (e->wanted != NULL && !e->wanted[names[k % r]]))
                continue;
            ak_axpy(w->d, p, X + faces[k / r] * w->d, sums + row * w->d);
            counts[row] += p;
            if (squares != NULL)
                squares[row] += p * p;
        }
    }
}

/* W: the mean of (x - mean of the name)^2 over faces outside of a fold, each by
 * p; *freedom is 0 where there are too few. */
static akin_status learn_within(ak_estimation *e, int fold, double *freedom)
{
    const ak_mark mark = ak_scratch_begin(e->ctx);
    ak_face_sums *w = &e->who;
    const int64_t n = e->peers->n, d = w->d;
    const double *counts = w->counts;
    double *squares;
    akin_status st = AKIN_OK;
    AK_TRY(AK_SCRATCH(e->ctx, w->n_rows, &squares));
    sum_names(e, w->Y, fold, w->sums, w->counts, squares);
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
            ak_axpy(d, sqrt(share * ak_quality_of(e, faces[f])),
                    w->Y + faces[f] * d, w->scaled + faces[f] * d);
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
static double ratio_without(const ak_estimation *e, int fold, int64_t face,
                            int32_t name, int64_t photo, int64_t mention)
{
    const ak_face_sums *w = &e->who;
    const int64_t d = w->d, *faces, place = mention - e->b->name_offsets[photo];
    const int32_t *names;
    const int64_t n = ak_bags_faces(e->b, photo, &faces);
    const int64_t r = ak_bags_names(e->b, photo, &names);
    const double any = fmax(e->any[mention], sure);
    if (w->row[name] < 0)
        return 0.0;
    memcpy(w->own, w->sums + w->row[name] * d, (size_t)d * sizeof *w->own);
    double count = w->counts[w->row[name]];
    for (int64_t f = 0; f < n; ++f) {
        const double share = e->z[e->slots[photo] + f * r + place] *
                             ak_quality_of(e, faces[f]);
        if (share > 0.0)
            ak_axpy(d, -share, w->Z[fold] + faces[f] * d, w->own);
        count -= share;
    }
    for (int64_t k = 0; k < d; ++k)
        w->own[k] /= any;
    const ak_gaussians g = {d, NULL, w->b[fold]};
    return ak_gaussians_ratio(&g, w->Z[fold] + face * d, ak_quality_of(e, face),
                              w->own, fmax(count, 0.0) / any);
}

/* The coordinates for the faces of one fold, by what the others show. */
akin_status ak_people_learn(ak_estimation *e, int fold)
{
    ak_face_sums *w = &e->who;
    double freedom;
    akin_status st = AKIN_OK;
    AK_TRY(learn_within(e, fold, &freedom));
    if (freedom == 0.0)
        return AKIN_OK;
    AK_TRY(ak_gaussians_fit(&w->g, e->ctx, w->W, w->T, w->work));
    memcpy(w->b[fold], w->g.b, (size_t)w->d * sizeof *w->g.b);
    memcpy(w->M[fold], w->g.M, (size_t)(w->d * w->d) * sizeof *w->g.M);
    AK_TRY(turn_faces(e, fold));
done:
    return st;
}

/* Votes of the faces of one fold, and of decoys where they are wanted. */
void ak_people_vote(ak_estimation *e, int fold, bool decoys)
{
    ak_face_sums *w = &e->who;
    const ak_bags *b = e->b;
    sum_names(e, w->Z[fold], -1, w->sums, w->counts, NULL);
    for (int64_t i = 0; i < b->n_photos; ++i) {
        const int64_t *faces;
        const int32_t *names;
        const int64_t n = ak_bags_faces(b, i, &faces);
        const int64_t r = ak_bags_names(b, i, &names);
        for (int64_t k = 0;
             w->fold[i] == fold && ak_is_at_hand(e, i) && k < n * r; ++k)
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
